/* How a frame is cut into blocks, and these into bands and rests, and the order that they make. */
#include "strategies/trial.h"

#include <stdlib.h>

/* A picture has about so many blocks, a processor at least so many, where they are of at least 4 x 4 pixels: enough
 * that the bands meet whatever is dear. */
enum { BLOCKS = 32768, BLOCKS_EACH = 64, LEAST_SIDE = 4 };
enum { SAMPLED = 4 }; /* one row of about so many is in a band */
/* Blocks, each way, whose bands are taken to cost alike: enough that chance evens out, few enough to lie close
 * together. */
enum { GROUP = 8 };

static uint32_t side_of_blocks(const struct lb_plan *plan)
{
    uint64_t pixels = (uint64_t)plan->width * plan->height,
             each = (uint64_t)plan->processor_count * BLOCKS_EACH;
    uint32_t side = LEAST_SIDE;
    while ((uint64_t)(side + 1) * (side + 1) * (each > BLOCKS ? each : BLOCKS) <= pixels)
        side++;
    return side;
}

static uint32_t pieces(uint32_t length, uint32_t side)
{
    return length == 0 ? 0 : length < side ? 1 : length / side;
}

static enum lb_status make_room(struct lb_trial *trial, uint32_t processors, size_t count,
                                struct lb_error *error)
{
    if (processors > trial->share_capacity) {
        free(trial->shares);
        trial->shares = calloc(processors, sizeof *trial->shares);
        trial->share_capacity = trial->shares == NULL ? 0 : processors;
    }
    if (count > trial->capacity) {
        free(trial->blocks);
        trial->blocks = calloc(count, sizeof *trial->blocks);
        trial->capacity = trial->blocks == NULL ? 0 : count;
    }
    if (trial->shares == NULL || trial->capacity == 0)
        return lb_error_memory(error, NULL);
    enum lb_status status = lb_rectangles_start(&trial->laid, 3 * count, error);
    return status == LB_OK ? lb_backlog_start(&trial->backlog, processors, error) : status;
}

/* One row in four, at a height that differs from block to block and from frame to frame by the golden ratio: neighbours
 * sample different rows, and no edge of the picture runs along all bands. */
static void choose_band(const struct lb_plan *plan, struct lb_trial_block *block, uint32_t number)
{
    uint32_t height = block->area.height;
    bool none = plan->processor_count == 1 || height < 2;
    block->rows = none ? 0 : height < SAMPLED ? 1 : (height + SAMPLED / 2) / SAMPLED;
    uint32_t turn = (number + plan->frame * 5 + plan->pass * 3) * 2654435769u;
    block->from = (uint32_t)((uint64_t)turn * (height - block->rows + 1) >> 32);
}

/* Side by side with the next rectangle or the last? Then blocks come column by column, so that a range that ends a
 * little early or late still ends at its neighbour. */
static bool by_columns(const struct lb_leaves *leaves, uint32_t leaf)
{
    const lb_rectangle *one = &leaves->all[leaf].area;
    const lb_rectangle *next = leaf + 1 < leaves->count ? &leaves->all[leaf + 1].area : one;
    const lb_rectangle *last = leaf > 0 ? &leaves->all[leaf - 1].area : one;
    return (next->y == one->y && next->height == one->height && next->x == one->x + one->width) ||
           (last->y == one->y && last->height == one->height && last->x + last->width == one->x);
}

static void cut_leaf(struct lb_trial *trial, const struct lb_plan *plan, const struct lb_leaves *leaves,
                     uint32_t leaf, uint32_t side)
{
    const lb_rectangle *area = &leaves->all[leaf].area;
    uint32_t across = pieces(area->width, side), down = pieces(area->height, side);
    uint32_t first = trial->count;
    bool columns = by_columns(leaves, leaf);
    for (uint32_t i = 0; i < across * down; i++) {
        struct lb_trial_block *block = &trial->blocks[trial->count];
        uint32_t column = columns ? i / down : i % across, row = columns ? i % down : i / across;
        uint32_t x = (uint32_t)((uint64_t)area->width * column / across);
        uint32_t y = (uint32_t)((uint64_t)area->height * row / down);
        *block = (struct lb_trial_block){.leaf = leaf};
        block->group = first + column / GROUP * ((down + GROUP - 1) / GROUP) + row / GROUP;
        block->area.x = area->x + x;
        block->area.y = area->y + y;
        block->area.width = (uint32_t)((uint64_t)area->width * (column + 1) / across) - x;
        block->area.height = (uint32_t)((uint64_t)area->height * (row + 1) / down) - y;
        choose_band(plan, block, trial->count++);
    }
}

/* The rows [from, to) of a block. */
static lb_rectangle rows_of(const struct lb_trial_block *block, uint32_t from, uint32_t to)
{
    const lb_rectangle *area = &block->area;
    return (lb_rectangle){0, area->x, area->y + from, area->width, to - from};
}

/* The bands, then the rests. */
static void lay(struct lb_trial *trial, const struct lb_plan *plan, struct lb_order *order)
{
    for (uint32_t i = 0; i < trial->count; i++) {
        struct lb_trial_block *block = &trial->blocks[i];
        block->band = lb_rectangles_add(&trial->laid, rows_of(block, block->from, block->from + block->rows));
    }
    trial->bands = trial->untried = trial->ungiven = trial->laid.end;
    for (uint32_t i = 0; i < trial->count; i++) {
        struct lb_trial_block *block = &trial->blocks[i];
        block->area.begin = lb_rectangles_add(&trial->laid, rows_of(block, 0, block->from));
        lb_rectangles_add(&trial->laid, rows_of(block, block->from + block->rows, block->area.height));
    }
    trial->outstanding = trial->laid.end;
    *order = lb_rectangles_order(&trial->laid, plan);
}

enum lb_status lb_trial_start(struct lb_trial *trial, const struct lb_plan *plan,
                              const struct lb_leaves *leaves, struct lb_order *order, struct lb_error *error)
{
    uint32_t processors = plan->processor_count, side = side_of_blocks(plan);
    size_t count = 0;
    for (uint32_t k = 0; k < processors; k++)
        count += (size_t)pieces(leaves->all[k].area.width, side) * pieces(leaves->all[k].area.height, side);
    enum lb_status status = make_room(trial, processors, count, error);
    if (status != LB_OK)
        return status;
    trial->processors = processors;
    trial->count = trial->first = trial->waiting = 0;
    trial->cut = false;
    trial->own = plan->weights_known;
    for (uint32_t k = 0; k < processors; k++) {
        struct lb_trial_share *share = &trial->shares[k];
        *share = (struct lb_trial_share){.first = trial->count};
        cut_leaf(trial, plan, leaves, k, side);
        share->blocks = trial->count - share->first;
        share->runs = (share->blocks + LB_TRIAL_RUN - 1) / LB_TRIAL_RUN;
        share->large = plan->processors[k].kind == LB_PROCESSOR_GPU;
    }
    lay(trial, plan, order);
    return LB_OK;
}
