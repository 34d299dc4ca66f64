/* Who does which bands, and who then does what is left for anybody. */
#include "strategies/trial.h"

#include <stdlib.h>

/* A GPU gets at once one part of so many of what each processor should still have of the bands. */
enum { PARTS = 4 };

static const uint64_t SEED = 0x243f6a8885a308d3u; /* any */

uint64_t lb_trial_rest(const struct lb_trial_block *block)
{
    return (uint64_t)block->area.width * (block->area.height - block->rows);
}

struct lb_trial_block *lb_trial_find(struct lb_trial *trial, uint64_t position)
{
    uint32_t low = 0, high = trial->count;
    bool band = position < trial->bands;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        const struct lb_trial_block *block = &trial->blocks[middle];
        if ((band ? block->band : block->area.begin) <= position)
            low = middle;
        else
            high = middle;
    }
    return &trial->blocks[low];
}

struct lb_range lb_trial_part(struct lb_trial *trial, struct lb_range range)
{
    const struct lb_trial_block *block = lb_trial_find(trial, range.begin);
    uint64_t end = range.begin < trial->bands ? block->band + (uint64_t)block->area.width * block->rows
                                              : block->area.begin + lb_trial_rest(block);
    return (struct lb_range){range.begin, end < range.end ? end : range.end};
}

/* The block whose band is to be given out next. Where speeds are to be found out, they come in no order: were bands
 * given out side by side, whoever is slow would come while dear ones are at hand more often than while cheap ones are,
 * for these are soon over, and would pass for still slower. */
static struct lb_trial_block *next_block(struct lb_trial *trial, const struct lb_trial_share *share)
{
    uint64_t turn = trial->own ? share->passed : lb_shuffle(share->passed, share->runs, SEED);
    return &trial->blocks[share->first + turn * LB_TRIAL_RUN];
}

static bool has_bands(struct lb_trial *trial, uint32_t leaf)
{
    struct lb_trial_share *share = &trial->shares[leaf];
    while (share->passed < share->runs && next_block(trial, share)->given)
        share->passed++;
    return share->passed < share->runs;
}

/* The bands of the next run of a rectangle's blocks, and of those behind it that are still there, until they are of
 * `least` pixels; they may be empty. */
static struct lb_range give_bands(struct lb_trial *trial, uint32_t leaf, uint64_t least)
{
    const struct lb_trial_share *share = &trial->shares[leaf];
    struct lb_trial_block *block = next_block(trial, share),
                          *end = &trial->blocks[share->first + share->blocks];
    struct lb_range range = {block->band, block->band};
    for (uint32_t i = 0;
         block < end && (i % LB_TRIAL_RUN > 0 || (!block->given && range.end - range.begin < least)); i++) {
        block->given = true;
        range.end = block->band + (uint64_t)block->area.width * block->rows;
        block++;
    }
    trial->ungiven -= range.end - range.begin;
    return range;
}

/* The rectangle whose bands a processor is to be given of, or `processors` if there are none. */
static uint32_t choose_leaf(struct lb_trial *trial, uint32_t processor)
{
    struct lb_trial_share *share = &trial->shares[processor];
    uint32_t leaf = trial->own ? processor : (processor + share->draws++) % trial->processors;
    if (trial->first < trial->processors && has_bands(trial, leaf))
        return leaf;
    while (trial->first < trial->processors && !has_bands(trial, trial->first))
        trial->first++;
    return trial->first;
}

static bool take_band(struct lb_trial *trial, uint32_t processor, struct lb_range *range)
{
    uint64_t part = trial->ungiven / (PARTS * trial->processors);
    uint64_t least = trial->shares[processor].large && part > 0 ? part : 1;
    uint32_t leaf;
    do {
        leaf = choose_leaf(trial, processor);
        if (leaf == trial->processors)
            return false;
        *range = give_bands(trial, leaf, least);
    } while (range->begin == range->end);
    return true;
}

/* What a part of one block's rest should cost. */
static double due_of(struct lb_trial *trial, struct lb_range part)
{
    const struct lb_trial_block *block = lb_trial_find(trial, part.begin);
    return block->due * (double)(part.end - part.begin) / (double)lb_trial_rest(block);
}

static bool take_own(struct lb_trial *trial, struct lb_trial_share *share, struct lb_range *range)
{
    if (share->next >= share->end)
        return false;
    *range = lb_trial_part(trial, (struct lb_range){share->next, share->end});
    for (double due = due_of(trial, *range); due < share->piece && range->end < share->end;) {
        struct lb_range more = lb_trial_part(trial, (struct lb_range){range->end, share->end});
        due += due_of(trial, more);
        if (due < share->piece)
            range->end = more.end;
    }
    share->next = range->end;
    return true;
}

static bool take_left(struct lb_trial *trial, struct lb_range *range)
{
    struct lb_range all;
    if (!lb_backlog_take(&trial->backlog, UINT64_MAX, &all))
        return false;
    *range = lb_trial_part(trial, all);
    lb_backlog_add(&trial->backlog, (struct lb_range){range->end, all.end});
    return true;
}

static void set_waits(struct lb_trial *trial, struct lb_trial_share *share, bool waits)
{
    trial->waiting += waits;
    trial->waiting -= share->waits;
    share->waits = waits;
}

enum lb_next lb_trial_next(void *state, uint32_t processor, struct lb_range *range)
{
    struct lb_trial *trial = state;
    struct lb_trial_share *share = &trial->shares[processor];
    set_waits(trial, share, false);
    if (take_band(trial, processor, range) || take_own(trial, share, range) || take_left(trial, range))
        return LB_NEXT_RANGE;
    if (trial->outstanding == 0)
        return LB_NEXT_END;
    set_waits(trial, share, !trial->cut);
    return LB_NEXT_WAIT;
}

void lb_trial_done(struct lb_trial *trial, uint32_t processor, struct lb_range range, double seconds)
{
    trial->outstanding -= range.end - range.begin;
    if (range.begin >= trial->bands)
        return;
    double each = seconds / (double)(range.end - range.begin);
    trial->untried -= range.end - range.begin;
    while (range.begin < range.end) {
        struct lb_trial_block *block = lb_trial_find(trial, range.begin);
        struct lb_range part = lb_trial_part(trial, range);
        block->doer = processor;
        block->seconds = each * (double)(part.end - part.begin);
        range.begin = part.end;
    }
}

void lb_trial_failed(void *state, uint32_t processor, struct lb_range range, bool lost)
{
    struct lb_trial *trial = state;
    struct lb_trial_share *share = &trial->shares[processor];
    lb_backlog_add(&trial->backlog, range);
    if (!lost || share->lost)
        return;
    set_waits(trial, share, false);
    lb_backlog_add(&trial->backlog, (struct lb_range){share->next, share->end});
    share->next = share->end;
    share->lost = true;
}

bool lb_trial_ready(const void *state)
{
    const struct lb_trial *trial = state;
    return trial->outstanding == 0 || trial->backlog.count > 0 || (trial->cut && trial->waiting > 0);
}

void lb_trial_free(struct lb_trial *trial)
{
    free(trial->blocks);
    lb_rectangles_free(&trial->laid);
    free(trial->shares);
    lb_backlog_free(&trial->backlog);
    *trial = (struct lb_trial){0};
}
