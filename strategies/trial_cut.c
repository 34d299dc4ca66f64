/* Who does which positions of the rests, to the pixel. */
#include "strategies/trial.h"

enum { PIECES = 64 }; /* ranges of a share, if its blocks are not dearer */

/* The cost of the first n pixels of a block's rest. */
static double cost_of_first(const struct lb_density *density, const struct lb_trial_block *block, uint64_t n)
{
    const lb_rectangle *area = &block->area;
    uint32_t row = (uint32_t)(n / area->width), column = (uint32_t)(n % area->width);
    uint32_t y = area->y + (row < block->from ? row : row + block->rows);
    uint32_t right = area->x + area->width, band = area->y + block->from;
    double cost = lb_density_of(density, area->x, area->y, right, y < band ? y : band);
    if (y > band)
        cost += lb_density_of(density, area->x, band + block->rows, right, y);
    if (column > 0)
        cost += lb_density_of(density, area->x, y, area->x + column, y + 1);
    return cost;
}

double lb_trial_cost(const struct lb_density *density, const struct lb_trial_block *block)
{
    return cost_of_first(density, block, lb_trial_rest(block));
}

/* How many pixels of a block's rest cost `part` of it. */
static uint64_t pixels_for(const struct lb_density *density, const struct lb_trial_block *block, double part)
{
    uint64_t low = 0, high = lb_trial_rest(block);
    double cost = part * cost_of_first(density, block, high);
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (cost_of_first(density, block, middle) >= cost)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

static double sum_due(struct lb_trial *trial)
{
    double sum = 0;
    for (uint32_t i = 0; i < trial->count; i++)
        sum += trial->blocks[i].due;
    return sum;
}

void lb_trial_cut(struct lb_trial *trial, const struct lb_density *density, const double *weights)
{
    const uint64_t end = trial->bands + trial->outstanding; /* of the rests nothing was given out yet */
    double due = sum_due(trial), all = 0, running = 0, passed = 0;
    uint64_t begin = trial->bands;
    uint32_t block = 0;
    for (uint32_t k = 0; k < trial->processors; k++)
        all += trial->shares[k].lost ? 0 : weights[k];
    trial->cut = true;
    for (uint32_t k = 0; k < trial->processors && begin < end; k++) {
        struct lb_trial_share *share = &trial->shares[k];
        if (share->lost)
            continue;
        running += weights[k];
        double target = running / all * due;
        while (block < trial->count && passed + trial->blocks[block].due <= target)
            passed += trial->blocks[block++].due;
        share->next = begin;
        if (block == trial->count || running >= all * (1 - 1e-12)) /* the last, but for rounding */
            begin = end;
        else
            begin = trial->blocks[block].area.begin +
                    pixels_for(density, &trial->blocks[block], (target - passed) / trial->blocks[block].due);
        share->end = begin;
        share->piece = due * weights[k] / all / PIECES;
    }
    if (begin < end)
        lb_backlog_add(&trial->backlog, (struct lb_range){begin, end});
}
