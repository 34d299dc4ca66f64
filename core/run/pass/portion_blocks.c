#include "core/run/pass/portion_blocks.h"

#include "core/kernel/order/walk.h"
#include "core/run/pass/pass_picture.h"

#include <stdlib.h>

static uint64_t positions_of(const struct lb_work *work)
{
    return work->range.end - work->range.begin;
}

uint32_t lb_portion_blocks(const struct lb_work *work, uint32_t members)
{
    if (work->coverage)
        return 1; /* a camera ray a pixel is all that there is */
    return lb_order_blocks_for(work->sample_end - work->sample_begin, positions_of(work), members);
}

bool lb_portion_blocks_make(const struct lb_work *work, uint32_t blocks, const struct lb_result *result,
                            struct lb_result *split)
{
    size_t count = (size_t)positions_of(work) * blocks;
    *split = (struct lb_result){.sum_count = result->sum_count, .cost_in_seconds = result->cost_in_seconds};
    split->pixels = calloc(count, sizeof *split->pixels);
    split->sums = result->sums ? calloc(count, result->sum_count * sizeof *split->sums) : NULL;
    split->cost = result->cost ? calloc(count, sizeof *split->cost) : NULL;
    return split->pixels && (split->sums || !result->sums) && (split->cost || !result->cost);
}

void lb_portion_blocks_free(struct lb_result *split)
{
    free(split->pixels);
    free(split->sums);
    free(split->cost);
    *split = (struct lb_result){.pixels = NULL};
}

/* Was the position rendered in every block? */
static bool is_whole(const struct lb_result *split, uint64_t positions, uint32_t blocks, uint64_t at)
{
    for (uint32_t block = 0; block < blocks; block++)
        if (lb_pixel_is_empty(&split->pixels[block * positions + at]))
            return false;
    return true;
}

static void add_position(const struct lb_result *split, uint64_t positions, uint32_t blocks, uint64_t at,
                         struct lb_result *result)
{
    uint64_t sums = result->sum_count;
    for (uint64_t from = at, block = 0; block < blocks; block++, from += positions) {
        lb_pixels_add(&result->pixels[at], &split->pixels[from], 1);
        if (result->sums)
            lb_sums_add(&result->sums[at * sums], &split->sums[from * sums], sums);
        if (result->cost)
            lb_costs_add(&result->cost[at], &split->cost[from], 1);
    }
}

uint64_t lb_portion_blocks_join(const struct lb_work *work, uint32_t blocks, bool whole,
                                const struct lb_result *split, const struct lb_listener *listener,
                                struct lb_result *result)
{
    uint64_t positions = positions_of(work), samples = 0;
    lb_order_walk walk;
    lb_order_walk_begin(work->order, &walk);
    for (uint64_t at = 0; at < positions; at++) {
        bool due = lb_order_walk_due(&walk, work->range.begin + at) != LB_NO_PIXEL;
        if (!due || (!whole && !is_whole(split, positions, blocks, at)))
            continue;
        add_position(split, positions, blocks, at, result);
        samples += work->sample_end - work->sample_begin;
    }
    if (listener)
        listener->rendered(listener->user, (struct lb_range){0, positions});
    return samples;
}
