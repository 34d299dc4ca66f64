#include "strategies/blocks.h"

#include <stdlib.h>

/* A rectangle is cut into at most 8 x 8 blocks of at least 8 x 8 pixels. */
enum { ACROSS = 8, LEAST_SIDE = 8 };

static uint32_t pieces(uint32_t side)
{
    uint32_t count = side / LEAST_SIDE;
    if (count > ACROSS)
        return ACROSS;
    return count == 0 && side > 0 ? 1 : count;
}

static enum lb_status make_room(struct lb_blocks *blocks, uint32_t processors, size_t count,
                                struct lb_error *error)
{
    if (processors > blocks->share_capacity) {
        free(blocks->shares);
        blocks->shares = calloc(processors, sizeof *blocks->shares);
        blocks->share_capacity = blocks->shares == NULL ? 0 : processors;
    }
    if (count > blocks->capacity) {
        free(blocks->blocks);
        free(blocks->seconds);
        free(blocks->doer);
        free(blocks->owner);
        blocks->blocks = calloc(count, sizeof *blocks->blocks);
        blocks->seconds = calloc(count, sizeof *blocks->seconds);
        blocks->doer = calloc(count, sizeof *blocks->doer);
        blocks->owner = calloc(count, sizeof *blocks->owner);
        bool all = blocks->blocks != NULL && blocks->seconds != NULL && blocks->doer != NULL &&
                   blocks->owner != NULL;
        blocks->capacity = all ? count : 0;
    }
    if (blocks->shares == NULL || blocks->capacity == 0)
        return lb_error_set(error, LB_ERROR_MEMORY, "out of memory");
    return lb_backlog_start(&blocks->backlog, processors, error);
}

static void cut_leaf(struct lb_blocks *blocks, uint32_t processor, const lb_rectangle *leaf, uint64_t *begin)
{
    uint32_t across = pieces(leaf->width), down = pieces(leaf->height);
    for (uint32_t row = 0; row < down; row++)
        for (uint32_t column = 0; column < across; column++) {
            lb_rectangle *block = &blocks->blocks[blocks->count];
            uint32_t x = (uint32_t)((uint64_t)leaf->width * column / across);
            uint32_t y = (uint32_t)((uint64_t)leaf->height * row / down);
            block->begin = *begin;
            block->x = leaf->x + x;
            block->y = leaf->y + y;
            block->width = (uint32_t)((uint64_t)leaf->width * (column + 1) / across) - x;
            block->height = (uint32_t)((uint64_t)leaf->height * (row + 1) / down) - y;
            *begin += (uint64_t)block->width * block->height;
            blocks->seconds[blocks->count] = -1;
            blocks->owner[blocks->count] = processor;
            blocks->count++;
        }
}

enum lb_status lb_blocks_start(struct lb_blocks *blocks, const struct lb_plan *plan,
                               const lb_rectangle *leaves, struct lb_order *order, struct lb_error *error)
{
    uint32_t processors = plan->processor_count;
    uint64_t begin = 0;
    size_t count = 0;
    for (uint32_t k = 0; k < processors; k++)
        count += (size_t)pieces(leaves[k].width) * pieces(leaves[k].height);
    enum lb_status status = make_room(blocks, processors, count, error);
    if (status != LB_OK)
        return status;
    blocks->processors = processors;
    blocks->count = 0;
    for (uint32_t k = 0; k < processors; k++) {
        blocks->shares[k] = (struct lb_block_share){.next = blocks->count};
        cut_leaf(blocks, k, &leaves[k], &begin);
        blocks->shares[k].end = blocks->count;
    }
    blocks->outstanding = begin;
    *order = lb_order_rectangles(plan->width, plan->height, blocks->blocks, blocks->count);
    return LB_OK;
}

static struct lb_range block_range(const struct lb_blocks *blocks, uint32_t block)
{
    const lb_rectangle *r = &blocks->blocks[block];
    return (struct lb_range){r->begin, r->begin + (uint64_t)r->width * r->height};
}

/* The block that holds a position. */
static uint32_t find_block(const struct lb_blocks *blocks, uint64_t position)
{
    uint32_t low = 0, high = blocks->count;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (blocks->blocks[middle].begin <= position)
            low = middle;
        else
            high = middle;
    }
    return low;
}

enum lb_next lb_blocks_next(void *state, uint32_t processor, struct lb_range *range)
{
    struct lb_blocks *blocks = state;
    struct lb_block_share *share = &blocks->shares[processor];
    if (share->next < share->end) {
        *range = block_range(blocks, share->next++);
        return LB_NEXT_RANGE;
    }
    if (lb_backlog_take(&blocks->backlog, UINT64_MAX, range)) {
        uint32_t block = find_block(blocks, range->begin);
        struct lb_range one = block_range(blocks, block), rest = {one.end, range->end};
        lb_backlog_add(&blocks->backlog, rest);
        range->end = one.end;
        return LB_NEXT_RANGE;
    }
    return blocks->outstanding == 0 ? LB_NEXT_END : LB_NEXT_WAIT;
}

void lb_blocks_done(void *state, uint32_t processor, struct lb_range range, double seconds)
{
    struct lb_blocks *blocks = state;
    uint32_t block = find_block(blocks, range.begin);
    blocks->seconds[block] = seconds;
    blocks->doer[block] = processor;
    blocks->shares[blocks->owner[block]].seconds += seconds;
    blocks->outstanding -= range.end - range.begin;
}

void lb_blocks_failed(void *state, uint32_t processor, struct lb_range range, bool lost)
{
    struct lb_blocks *blocks = state;
    struct lb_block_share *share = &blocks->shares[processor];
    lb_backlog_add(&blocks->backlog, range);
    if (!lost || share->next >= share->end)
        return;
    struct lb_range rest = {block_range(blocks, share->next).begin, block_range(blocks, share->end - 1).end};
    lb_backlog_add(&blocks->backlog, rest);
    share->next = share->end;
}

bool lb_blocks_ready(const void *state)
{
    const struct lb_blocks *blocks = state;
    return blocks->outstanding == 0 || blocks->backlog.count > 0;
}

void lb_blocks_free(struct lb_blocks *blocks)
{
    free(blocks->blocks);
    free(blocks->seconds);
    free(blocks->doer);
    free(blocks->owner);
    free(blocks->shares);
    lb_backlog_free(&blocks->backlog);
    *blocks = (struct lb_blocks){0};
}
