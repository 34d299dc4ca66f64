/* What is wanted of a frame where that is not all of it: some of its pixels, some of their samples, those that are
 * not there yet. */
#ifndef LB_CORE_RUN_PASS_WISH_H
#define LB_CORE_RUN_PASS_WISH_H

#include "core/part/part.h"

/* All zero: everything, and nobody asks afterwards which samples there are. */
struct lb_wish {
    /* What there is, with the scene's channels, which the frame takes over; NULL: nothing. Of an adaptive frame every
     * pixel's set has its goal. */
    struct lb_part *begun;
    const uint64_t *share;             /* a bit a pixel, the lowest first: is it wanted? NULL: all are */
    uint32_t sample_begin, sample_end; /* of a pixel; end 0: all */
    bool keep_held;                    /* fill lb_frame.held; follows from `begun` */
    /* How many of those samples each pixel is to get, where that is not the same: passes end at each such number. NULL:
     * all. */
    const uint32_t *counts;
};

/* The pixels of a pass over samples [begin, end), none of which some pixels have and all of which others do:
 * `*bits`, the caller's to free, has a bit for each that is not to be rendered, `*due` is how many are. NULL: all
 * are. */
enum lb_status lb_wish_left_out(const struct lb_wish *wish, const struct lb_held *held, uint32_t begin,
                                uint32_t end, uint64_t **bits, uint64_t *due, struct lb_error *error);
/* Counts samples [begin, end) in, of the pixels that were not left out; where `pixels` is not NULL, of a pass that
 * was ended early, only of those that have something there. */
enum lb_status lb_wish_hold(struct lb_held *held, const uint64_t *left_out, const lb_film_pixel *pixels,
                            uint32_t begin, uint32_t end, struct lb_error *error);

#endif
