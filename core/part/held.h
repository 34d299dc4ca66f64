/* Which samples of which pixels a picture holds. Few sets of samples are met in one picture: each is kept once, and
 * a pixel names its own by number. */
#ifndef LB_CORE_PART_HELD_H
#define LB_CORE_PART_HELD_H

#include "core/base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Samples begin .. end - 1 of a pixel. */
struct lb_sample_span {
    uint32_t begin, end;
};

/* A set of samples: spans[first .. first + count), in ascending order, none empty, a gap between any two. */
struct lb_sample_set {
    size_t first;
    uint32_t count;
    uint32_t next; /* of the sets with the same hash; 0: none */
};

/* Where pixels get unlike numbers of samples, a set also ends with how many a pixel that has it is to get in all, as
 * the span of the one number LB_HELD_GOAL + n. Numbers of samples are lower. */
#define LB_HELD_GOAL ((uint32_t)1 << 31)

struct lb_held {
    uint64_t count;   /* pixels */
    uint32_t *pixels; /* a pixel: the number of its set; NULL: it is `all` for every one */
    uint32_t all;
    struct lb_sample_set *sets; /* number 0 is the empty one; no two are the same */
    uint32_t set_count, set_room;
    struct lb_sample_span *spans;
    size_t span_count, span_room;
    uint32_t *table; /* by a set's hash the last one that has it; 0: none */
    uint32_t table_size;
};

/* Of `count` pixels, which hold nothing yet. */
enum lb_status lb_held_open(struct lb_held *held, uint64_t count, struct lb_error *error);
enum lb_status lb_held_copy(const struct lb_held *held, struct lb_held *copy, struct lb_error *error);
/* Freeing twice, or freeing a zeroed struct, does nothing. */
void lb_held_free(struct lb_held *held);

/* The number of a pixel's set. */
static inline uint32_t lb_held_set(const struct lb_held *held, uint64_t pixel)
{
    return held->pixels ? held->pixels[pixel] : held->all;
}

/* Gives every pixel a number of its own, all the same at first. */
enum lb_status lb_held_spread(struct lb_held *held, struct lb_error *error);
/* Finds or adds the set of these spans, which are as in an lb_sample_set. */
enum lb_status lb_held_add(struct lb_held *held, const struct lb_sample_span *spans, uint32_t count,
                           uint32_t *set, struct lb_error *error);
/* The set of what is in the one and the other, which may be among the sets; `*overlap` is the first sample that both
 * have, then nothing is added, or UINT32_MAX. */
enum lb_status lb_held_join(struct lb_held *held, const struct lb_sample_span *one, uint32_t one_count,
                            const struct lb_sample_span *other, uint32_t other_count, uint32_t *set,
                            uint32_t *overlap, struct lb_error *error);
/* The set with samples begin .. end - 1 too, none of which it has. */
enum lb_status lb_held_with(struct lb_held *held, uint32_t set, uint32_t begin, uint32_t end, uint32_t *with,
                            struct lb_error *error);
/* Does the set have all samples begin .. end - 1? */
bool lb_held_has(const struct lb_held *held, uint32_t set, uint32_t begin, uint32_t end);
/* How many samples the set has, of begin .. end - 1. */
uint32_t lb_held_size(const struct lb_held *held, uint32_t set, uint32_t begin, uint32_t end);
/* The least sample beyond `from` at which some set that a pixel may have begins or ends; `end` where that is less or
 * there is none. */
uint32_t lb_held_cut(const struct lb_held *held, uint32_t from, uint32_t end);
/* How many samples a pixel with this set is to get; `otherwise` where the set does not say. */
uint32_t lb_held_goal(const struct lb_held *held, uint32_t set, uint32_t otherwise);
/* The set that says so too, in place of what it said before. */
enum lb_status lb_held_with_goal(struct lb_held *held, uint32_t set, uint32_t goal, uint32_t *with,
                                 struct lb_error *error);
/* Samples that all pixels together hold. */
uint64_t lb_held_samples(const struct lb_held *held);

#endif
