#include "core/run/pass/wish.h"

#include "core/run/pass/pass_picture.h"

#include <stdlib.h>
#include <string.h>

static bool has_bit(const uint64_t *bits, uint64_t pixel)
{
    return (bits[pixel / 64] >> pixel % 64 & 1) != 0;
}

enum lb_status lb_wish_left_out(const struct lb_wish *wish, const struct lb_held *held, uint32_t begin,
                                uint32_t end, uint64_t **bits, uint64_t *due, struct lb_error *error)
{
    uint32_t last = UINT32_MAX;
    bool has = false;
    *bits = NULL;
    *due = held->count;
    if (!wish->share && !wish->counts && !held->pixels && !lb_held_has(held, held->all, begin, end))
        return LB_OK;
    *bits = calloc((held->count + 63) / 64, sizeof **bits);
    if (!*bits)
        return lb_error_memory(error, NULL);
    for (uint64_t i = 0; i < held->count; i++) {
        uint32_t set = lb_held_set(held, i);
        if (set != last)
            has = lb_held_has(held, set, begin, end);
        last = set;
        if (has || (wish->share && !has_bit(wish->share, i)) || (wish->counts && wish->counts[i] < end)) {
            (*bits)[i / 64] |= (uint64_t)1 << i % 64;
            --*due;
        }
    }
    return LB_OK;
}

enum lb_status lb_wish_hold(struct lb_held *held, const uint64_t *left_out, const lb_film_pixel *pixels,
                            uint32_t begin, uint32_t end, struct lb_error *error)
{
    uint32_t last = UINT32_MAX, with = 0;
    if (!left_out && !pixels && !held->pixels)
        return lb_held_with(held, held->all, begin, end, &held->all, error);
    enum lb_status status = lb_held_spread(held, error);
    for (uint64_t i = 0; i < held->count && status == LB_OK; i++) {
        if ((left_out && has_bit(left_out, i)) || (pixels && lb_pixel_is_empty(&pixels[i])))
            continue;
        if (held->pixels[i] != last) {
            last = held->pixels[i];
            status = lb_held_with(held, last, begin, end, &with, error);
        }
        held->pixels[i] = with;
    }
    return status;
}
