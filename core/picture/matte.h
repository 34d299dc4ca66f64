/* Which names the samples of a pixel have, from the sums of a matte (lb_matte): how Cryptomatte is made. */
#ifndef LB_CORE_PICTURE_MATTE_H
#define LB_CORE_PICTURE_MATTE_H

#include "core/kernel/scene/channel_kinds.h"

/* The most names that a pixel can be told of. */
#define LB_MATTE_MOST (2 * (LB_MATTE_RANKS + 2))

/* A name in a pixel. */
struct lb_matte_share {
    uint32_t name;
    int64_t weight; /* the sum of its samples' filter weights, which are 1 or -1 each */
};

/* The names of a pixel, those of the largest weight first and those of equal weight by number; names whose weights sum
 * to 0 are left out. False: there are more than the sums can tell, and nothing is known of them. `shares` has room for
 * LB_MATTE_MOST; on entry the first `likely` of them are names that may well be in the pixel, which saves time and
 * changes nothing else. `*count` becomes 0 .. LB_MATTE_MOST. */
bool lb_matte_shares(const lb_matte *matte, const int64_t *sums, struct lb_matte_share *shares,
                     uint32_t likely, uint32_t *count);

/* MurmurHash3_x86_32 of Austin Appleby, with the seed 0, which Cryptomatte names things by. */
uint32_t lb_murmur3(const char *text, size_t length);

/* A name's number in Cryptomatte 1.2.0: its hash with one bit of the exponent changed where these bits, as those of a
 * float, would be infinite, no number or denormal. */
uint32_t lb_matte_id(const char *name);

#endif
