#include "strategies/shares.h"

#include <stdlib.h>

/* A share comes in about this many pieces: an interrupted frame ends within a sixty-fourth of its time, and a
 * range costs little beside it. */
enum { PIECES = 64 };

enum lb_status lb_shares_start(struct lb_shares *shares, const struct lb_plan *plan, struct lb_error *error)
{
    uint32_t count = plan->processor_count;
    if (count > shares->capacity) {
        free(shares->shares);
        shares->shares = calloc(count, sizeof *shares->shares);
        shares->capacity = shares->shares == NULL ? 0 : count;
        if (shares->shares == NULL)
            return lb_error_memory(error, NULL);
    }
    for (uint32_t k = 0; k < count; k++)
        shares->shares[k] = (struct lb_share){0};
    shares->processors = count;
    shares->outstanding = 0;
    shares->piece = 1;
    return lb_backlog_start(&shares->backlog, count, error);
}

void lb_shares_set(struct lb_shares *shares, uint32_t processor, uint64_t begin, uint64_t end, uint64_t unit)
{
    struct lb_share *share = &shares->shares[processor];
    uint64_t units = (end - begin) / unit / PIECES;
    *share = (struct lb_share){.next = begin, .end = end, .piece = unit * (units == 0 ? 1 : units)};
    if (shares->piece < share->piece)
        shares->piece = share->piece;
    shares->outstanding += end - begin;
}

uint64_t lb_running_share(uint64_t count, double fraction)
{
    double share = (double)count * fraction + 0.5;
    if (!(share >= 0))
        return 0;
    return share >= (double)count ? count : (uint64_t)share;
}

void lb_shares_follow(struct lb_shares *shares, const struct lb_plan *plan, uint64_t count, uint64_t unit)
{
    uint64_t units = (count + unit - 1) / unit;
    double sum = 0, before = 0;
    for (uint32_t k = 0; k < plan->processor_count; k++)
        sum += plan->processors[k].weight;
    for (uint32_t k = 0; k < plan->processor_count; k++) {
        uint64_t begin = lb_running_share(units, before / sum) * unit, end;
        before += plan->processors[k].weight;
        end = k + 1 == plan->processor_count ? count : lb_running_share(units, before / sum) * unit;
        if (end > count)
            end = count;
        lb_shares_set(shares, k, begin < end ? begin : end, end, unit);
    }
}

size_t lb_shares_state_size(uint32_t processors)
{
    (void)processors;
    return sizeof(struct lb_shares);
}

enum lb_next lb_shares_next(void *state, uint32_t processor, struct lb_range *range)
{
    struct lb_shares *shares = state;
    struct lb_share *share = &shares->shares[processor];
    if (share->next < share->end) {
        uint64_t left = share->end - share->next;
        range->begin = share->next;
        range->end = share->next + (left < share->piece ? left : share->piece);
        share->next = range->end;
        return LB_NEXT_RANGE;
    }
    if (lb_backlog_take(&shares->backlog, shares->piece, range))
        return LB_NEXT_RANGE;
    return shares->outstanding == 0 ? LB_NEXT_END : LB_NEXT_WAIT;
}

void lb_shares_done(void *state, uint32_t processor, struct lb_range range, double seconds)
{
    struct lb_shares *shares = state;
    (void)processor;
    (void)seconds;
    shares->outstanding -= range.end - range.begin;
}

/* The rest of a lost processor's share goes, piece by piece, to those that have done their own. */
void lb_shares_failed(void *state, uint32_t processor, struct lb_range range, bool lost)
{
    struct lb_shares *shares = state;
    struct lb_share *share = &shares->shares[processor];
    lb_backlog_add(&shares->backlog, range);
    if (!lost || share->lost)
        return;
    lb_backlog_add(&shares->backlog, (struct lb_range){share->next, share->end});
    share->next = share->end;
    share->lost = true;
}

bool lb_shares_ready(const void *state)
{
    const struct lb_shares *shares = state;
    return shares->outstanding == 0 || shares->backlog.count > 0;
}

void lb_shares_end(void *state)
{
    struct lb_shares *shares = state;
    free(shares->shares);
    lb_backlog_free(&shares->backlog);
    *shares = (struct lb_shares){0};
}
