/* What the writer and the reader of parts share: lbrender-part(5) has the same in words. */
#ifndef LB_CORE_PART_PART_FORMAT_H
#define LB_CORE_PART_PART_FORMAT_H

#include "core/kernel/scene/channel_kinds.h"
#include "core/part/part.h"

#include <stddef.h>
#include <stdio.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "a part's numbers stand in memory as in the file");

#define LB_PART_MAGIC "\x89lbpart\n"

enum {
    LB_PART_VERSION = 1,          /* of a part without channels, */
    LB_PART_VERSION_CHANNELS = 2, /* with them, */
    LB_PART_VERSION_NOISE = 3,    /* and of a picture that ends by its noise */
    LB_PART_HEAD = 16,            /* bytes: magic, version, length of the header */
    LB_PART_TAIL = 8,             /* the checksum */
    LB_PART_BLOCK = 1 << 16,      /* pixels in a block; the last may have fewer */
    LB_PART_SOME = 64,            /* pixels whose numbers are written or read together */
};

/* What light leaves in a pixel: 64-bit sums in a unit of 2^-LB_FILM_BITS. */
struct lb_part_plane {
    const char *name;
    size_t offset; /* in an lb_film_pixel */
};

enum { LB_PART_PLANES = 4 };
static const struct lb_part_plane lb_part_planes[LB_PART_PLANES] = {
    {"R", offsetof(lb_film_pixel, sum[0])},
    {"G", offsetof(lb_film_pixel, sum[1])},
    {"B", offsetof(lb_film_pixel, sum[2])},
    {"weight", offsetof(lb_film_pixel, weight)},
};

/* The plane of lb_part_target.squares, behind all others of a picture that ends by its noise. */
#define LB_PART_SQUARES "variance"

/* A pixel's numbers in the file. */
static inline size_t lb_part_numbers(const struct lb_part_subject *subject)
{
    return LB_PART_PLANES + (size_t)subject->channels.count + (subject->noise > 0 ? 1 : 0);
}

/* The most that a block may unpack to: a run of its own for every pixel, and its numbers. */
static inline size_t lb_part_block_bytes(const struct lb_part_subject *subject)
{
    return (size_t)4 + LB_PART_BLOCK * (8 + 8 * lb_part_numbers(subject));
}

/* The members of the header that list names. */
static const char *const lb_part_lists[LB_LISTS] = {"object_names", "material_names", "group_names"};

/* The name of a kind's sum: the kind's where it has one alone, else that with the sum's number. */
static inline void lb_part_sum_name(uint32_t kind, uint32_t sum, char *name, size_t size)
{
    if (lb_channel_kinds[kind].sums == 1)
        snprintf(name, size, "%s", lb_channel_kinds[kind].name);
    else
        snprintf(name, size, "%s.%u", lb_channel_kinds[kind].name, sum);
}

#endif
