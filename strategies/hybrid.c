/* Two levels, as in the patent: the regions are split between CPU threads and GPUs such that both end together,
 *   s1 = s k t_gpu / (alpha t_cpu + k t_gpu), s2 = s - s1, 0 <= k <= min(s1, CPU threads),
 * where alpha t_cpu is what a region takes a thread when all k run; and each side deals its part, in bit-reversed order, to its
 * processors. The times come from a trial whose work is kept: first one CPU thread alone (t_cpu) beside one GPU, then all
 * together (alpha t_cpu, t_gpu). The patent sets alpha beforehand. */
#include "strategies/backlog.h"

#include <stdio.h>
#include <stdlib.h>

enum phase { ALONE, TOGETHER, SPLIT };

/* Parts of the picture: the trial of a processor alone; each trial together, over the processors; all trials. */
static const double ALONE_PART = 1.0 / 4096, TOGETHER_PART = 1.0 / 64, TRIAL_PART = 1.0 / 8;
enum { REGION = 16 };

struct side {
    uint32_t count;              /* processors that live */
    uint32_t untried;            /* of them, without a trial together that was done */
    bool begun;                  /* its trial alone */
    uint64_t next, end;          /* its part: positions not yet dealt */
    double alone_seconds, alone; /* of the trial alone: seconds, positions */
    double seconds, positions;   /* of the trials together */
};

struct hybrid {
    struct lb_backlog backlog;
    struct side sides[2]; /* CPU threads, GPUs */
    unsigned char *on;    /* a processor: its side */
    bool *tried, *lost;
    uint32_t capacity, processors;
    enum phase phase;
    uint32_t alone;               /* trials alone under way */
    uint64_t next, count, region; /* positions that no side has yet: [next, count) */
    uint64_t outstanding;
    double t_cpu, t_gpu, alpha, predicted; /* seconds a region; of all GPUs together; the split's */
    uint64_t s1, s2;                       /* regions */
    uint32_t k;
};

static size_t hybrid_state_size(uint32_t processors)
{
    (void)processors;
    return sizeof(struct hybrid);
}

static enum lb_status make_room(struct hybrid *own, uint32_t processors, struct lb_error *error)
{
    if (processors > own->capacity) {
        free(own->on);
        free(own->tried);
        free(own->lost);
        own->on = calloc(processors, sizeof *own->on);
        own->tried = calloc(processors, sizeof *own->tried);
        own->lost = calloc(processors, sizeof *own->lost);
        bool all = own->on != NULL && own->tried != NULL && own->lost != NULL;
        own->capacity = all ? processors : 0;
        if (!all)
            return lb_error_set(error, LB_ERROR_MEMORY, "out of memory");
    }
    return lb_backlog_start(&own->backlog, processors, error);
}

static double per_region(const struct hybrid *own, double seconds, double positions)
{
    return positions > 0 ? seconds / positions * (double)own->region : 0;
}

/* Equation 9, alpha t_cpu and t_gpu as they were measured. */
static void split(struct hybrid *own)
{
    struct side *cpu = &own->sides[0], *gpu = &own->sides[1];
    uint64_t s = (own->count - own->next) / own->region;
    double slowed = per_region(own, cpu->seconds, cpu->positions);
    own->t_cpu = per_region(own, cpu->alone_seconds, cpu->alone);
    own->t_gpu = per_region(own, gpu->seconds, gpu->positions) / (gpu->count > 0 ? gpu->count : 1);
    own->alpha = own->t_cpu > 0 ? slowed / own->t_cpu : 1;
    double both = slowed + cpu->count * own->t_gpu, part = gpu->count == 0 ? 1 : 0;
    if (cpu->count > 0 && gpu->count > 0)
        part = both > 0 ? cpu->count * own->t_gpu / both : 0.5;
    own->s1 = (uint64_t)((double)s * part + 0.5);
    own->s2 = s - own->s1;
    own->k = own->s1 < cpu->count ? (uint32_t)own->s1 : cpu->count;
    double cpu_seconds = own->k > 0 ? slowed * (double)own->s1 / own->k : 0;
    double gpu_seconds = own->t_gpu * (double)own->s2;
    own->predicted = cpu_seconds > gpu_seconds ? cpu_seconds : gpu_seconds;
    cpu->next = own->next;
    cpu->end = gpu->next = own->next + own->s1 * own->region;
    gpu->end = own->next = own->count;
    own->phase = SPLIT;
}

/* Nothing can be weighed against nothing. */
static void check_trial(struct hybrid *own)
{
    bool one_side = own->sides[0].count == 0 || own->sides[1].count == 0;
    if (own->phase == SPLIT)
        return;
    if (own->phase == ALONE && own->alone == 0 && (one_side || (own->sides[0].begun && own->sides[1].begun)))
        own->phase = TOGETHER;
    if (own->phase == TOGETHER && (one_side || own->sides[0].untried + own->sides[1].untried == 0))
        split(own);
}

static enum lb_status hybrid_plan(void *state, const struct lb_plan *plan, struct lb_order *order,
                                  struct lb_error *error)
{
    struct hybrid *own = state;
    struct hybrid kept = *own;
    uint64_t limit = plan->region_size != 0 ? plan->region_size : REGION;
    enum lb_status status = make_room(&kept, plan->processor_count, error);
    *order = lb_order_reversed(plan->width, plan->height, limit, LB_CURVE_HILBERT);
    *own = (struct hybrid){.backlog = kept.backlog,
                           .on = kept.on,
                           .tried = kept.tried,
                           .lost = kept.lost,
                           .capacity = kept.capacity,
                           .processors = plan->processor_count,
                           .region = order->region,
                           .count = order->count,
                           .outstanding = order->count};
    for (uint32_t k = 0; k < plan->processor_count && status == LB_OK; k++) {
        own->on[k] = plan->processors[k].kind == LB_PROCESSOR_CUDA;
        own->tried[k] = own->lost[k] = false;
        own->sides[own->on[k]].count++;
        own->sides[own->on[k]].untried++;
    }
    if (status == LB_OK)
        check_trial(own);
    return status;
}

/* Whole regions from the front of [*next, end): about so many positions. */
static bool take(const struct hybrid *own, uint64_t *next, uint64_t end, double positions,
                 struct lb_range *range)
{
    uint64_t size = ((uint64_t)(positions / (double)own->region) + 1) * own->region;
    range->begin = *next;
    range->end = end - *next > size ? *next + size : end;
    *next = range->end;
    return range->begin < range->end;
}

static bool take_trial(struct hybrid *own, uint32_t processor, struct lb_range *range)
{
    struct side *side = &own->sides[own->on[processor]];
    double count = (double)own->count;
    if (own->phase == ALONE) {
        if (side->begun)
            return false;
        side->begun = true;
        own->alone++;
        return take(own, &own->next, own->count, count * ALONE_PART, range);
    }
    /* Who has had his trial goes on with more, up to a point, while others have not. */
    if (own->tried[processor] && (double)own->next > count * TRIAL_PART)
        return false;
    return take(own, &own->next, own->count, count * TOGETHER_PART / own->processors, range);
}

static enum lb_next hybrid_next(void *state, uint32_t processor, struct lb_range *range)
{
    struct hybrid *own = state;
    struct side *side = &own->sides[own->on[processor]];
    if (own->phase != SPLIT && own->next < own->count && take_trial(own, processor, range))
        return LB_NEXT_RANGE;
    if (side->next < side->end) {
        double left = (double)(side->end - side->next);
        take(own, &side->next, side->end, left / (4.0 * side->count), range);
        return LB_NEXT_RANGE;
    }
    if (lb_backlog_take(&own->backlog, own->region, range))
        return LB_NEXT_RANGE;
    return own->outstanding == 0 ? LB_NEXT_END : LB_NEXT_WAIT;
}

/* A trial ended; `positions` is 0 where it failed. */
static void end_trial(struct hybrid *own, uint32_t processor, double positions, double seconds)
{
    struct side *side = &own->sides[own->on[processor]];
    if (own->phase == ALONE && own->alone > 0) {
        own->alone--;
        side->alone_seconds += seconds;
        side->alone += positions;
    } else if (own->phase == TOGETHER && positions > 0) {
        side->untried -= !own->tried[processor];
        own->tried[processor] = true;
        side->seconds += seconds;
        side->positions += positions;
    }
    check_trial(own);
}

static void hybrid_done(void *state, uint32_t processor, struct lb_range range, double seconds)
{
    struct hybrid *own = state;
    own->outstanding -= range.end - range.begin;
    end_trial(own, processor, (double)(range.end - range.begin), seconds);
}

static void hybrid_failed(void *state, uint32_t processor, struct lb_range range, bool lost)
{
    struct hybrid *own = state;
    struct side *side = &own->sides[own->on[processor]];
    lb_backlog_add(&own->backlog, range);
    if (lost && !own->lost[processor]) {
        own->lost[processor] = true;
        side->count--;
        side->untried -= !own->tried[processor];
        own->tried[processor] = true;
    }
    if (side->count == 0 && side->next < side->end) {
        lb_backlog_add(&own->backlog, (struct lb_range){side->next, side->end});
        side->next = side->end;
    }
    if (range.begin < range.end)
        end_trial(own, processor, 0, 0);
    else
        check_trial(own);
}

static void hybrid_spawn(void *state, uint32_t processor, struct lb_range range)
{
    struct hybrid *own = state;
    (void)processor;
    own->outstanding += range.end - range.begin;
    lb_backlog_add(&own->backlog, range);
}

static bool hybrid_ready(const void *state)
{
    const struct hybrid *own = state;
    bool split_left = own->sides[0].next < own->sides[0].end || own->sides[1].next < own->sides[1].end;
    return own->outstanding == 0 || own->backlog.count > 0 || split_left ||
           (own->phase == TOGETHER && own->next < own->count);
}

static void hybrid_describe(const void *state, char *text, size_t size)
{
    const struct hybrid *own = state;
    snprintf(text, size,
             "t_cpu %.3g ms  t_gpu %.3g ms  alpha %.3g  k %u  s1 %llu  s2 %llu regions  predicted %.3f s "
             "after the trial",
             own->t_cpu * 1e3, own->t_gpu * 1e3, own->alpha, own->k, (unsigned long long)own->s1,
             (unsigned long long)own->s2, own->predicted);
}

static void hybrid_end(void *state)
{
    struct hybrid *own = state;
    lb_backlog_free(&own->backlog);
    free(own->on);
    free(own->tried);
    free(own->lost);
    *own = (struct hybrid){0};
}

const struct lb_strategy lb_strategy_hybrid = {
    .name = "hybrid",
    .summary = "CPU threads and GPUs each a part, by measured times",
    .weights = LB_WEIGHTS_IGNORED,
    .dynamic = true,
    .state_size = hybrid_state_size,
    .plan = hybrid_plan,
    .next = hybrid_next,
    .done = hybrid_done,
    .failed = hybrid_failed,
    .spawn = hybrid_spawn,
    .ready = hybrid_ready,
    .describe = hybrid_describe,
    .end = hybrid_end,
};
