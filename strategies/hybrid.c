/* Two levels, as in the patent: the regions are split between CPU threads and GPUs such that both end together,
 *   s1 = s k t_gpu / (alpha t_cpu + k t_gpu), s2 = s - s1, 0 <= k <= min(s1, CPU threads),
 * where alpha t_cpu is what a region takes a thread when all k run; and each side deals its part, in bit-reversed
 * order, to its processors. The times come from a trial whose work is kept: first one CPU thread without the others
 * (t_cpu), then all together (alpha t_cpu, t_gpu). The patent sets alpha beforehand, and its threads are equal: here k
 * / (alpha t_cpu) is the sum of their speeds, and each gets chunks by its own. The side that ends first takes the rest
 * of the other's from its far end. */
#include "strategies/backlog.h"

#include <stdio.h>
#include <stdlib.h>

enum phase { ALONE, TOGETHER, SPLIT };

/* Parts of the picture: the trial of a processor alone; each trial together, over the processors. */
static const double ALONE_PART = 1.0 / 8192, TOGETHER_PART = 1.0 / 256;
/* Of what a processor has done: its next chunk, as long as others are at their trials. */
static const double TRIAL_GROWTH = 1.0 / 8;
/* Of what its side should still do: a processor's chunk by its speed; of the time that the split foretells: the least
 * chunk. */
static const double CHUNK_PART = 1.0 / 4, LEAST_PART = 1.0 / 512;
/* What older chunks count for beside the last one in a processor's speed. */
static const double DECAY = 0.5;
enum { REGION = 16 };
#define NOBODY UINT32_MAX

struct worker {
    unsigned char side;        /* 0: CPU threads, 1: GPUs */
    bool tried, lost;          /* its trial together was done, or it has none to do any more */
    double seconds, positions; /* of its chunks but the trial alone, the older ones decayed */
    double speed;              /* positions a second; 0: unknown */
    double done;               /* positions */
};

struct side {
    uint32_t count;     /* processors that live */
    uint32_t untried;   /* of them, without a trial together that was done */
    double speed;       /* sum of the known ones */
    uint64_t next, end; /* its part: positions not yet dealt */
};

struct hybrid {
    struct lb_backlog backlog;
    struct side sides[2];
    struct worker *workers;
    uint32_t capacity, processors;
    enum phase phase;
    bool begun;                   /* the trial alone */
    uint32_t alone;               /* who has it in hand, or NOBODY */
    uint32_t first;               /* who had it, or NOBODY */
    double alone_speed;           /* measured in it */
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
        free(own->workers);
        own->workers = malloc(processors * sizeof *own->workers);
        own->capacity = own->workers ? processors : 0;
        if (!own->workers)
            return lb_error_memory(error, NULL);
    }
    return lb_backlog_start(&own->backlog, processors, error);
}

/* Equation 9, alpha t_cpu / k and t_gpu as they were measured: a region over the sides' speeds. */
static void split(struct hybrid *own)
{
    struct side *cpu = &own->sides[0], *gpu = &own->sides[1];
    uint64_t s = (own->count - own->next) / own->region;
    double region = (double)own->region, both = cpu->speed + gpu->speed;
    double part = gpu->count == 0 ? 1 : cpu->count == 0 ? 0 : both > 0 ? cpu->speed / both : 0.5;
    own->s1 = (uint64_t)((double)s * part + 0.5);
    own->s2 = s - own->s1;
    own->k = own->s1 < cpu->count ? (uint32_t)own->s1 : cpu->count;
    double together = own->first == NOBODY ? 0 : own->workers[own->first].speed;
    own->alpha = together > 0 && own->alone_speed > 0 ? own->alone_speed / together : 1;
    own->t_cpu = cpu->speed > 0 ? cpu->count * region / cpu->speed / own->alpha : 0;
    own->t_gpu = gpu->speed > 0 ? region / gpu->speed : 0;
    double cpu_seconds = cpu->speed > 0 ? (double)own->s1 * region / cpu->speed : 0;
    double gpu_seconds = gpu->speed > 0 ? (double)own->s2 * region / gpu->speed : 0;
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
    if (own->phase == ALONE && own->alone == NOBODY && (one_side || own->begun))
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
                           .workers = kept.workers,
                           .capacity = kept.capacity,
                           .alone = NOBODY,
                           .first = NOBODY,
                           .processors = plan->processor_count,
                           .region = order->region,
                           .count = order->count,
                           .outstanding = order->count};
    for (uint32_t k = 0; k < plan->processor_count && status == LB_OK; k++) {
        own->workers[k] = (struct worker){.side = plan->processors[k].kind == LB_PROCESSOR_CUDA};
        own->sides[own->workers[k].side].count++;
        own->sides[own->workers[k].side].untried++;
    }
    if (status == LB_OK)
        check_trial(own);
    return status;
}

/* About so many positions; at least one, at most all. */
static uint64_t some(const struct hybrid *own, double positions)
{
    double most = (double)own->count;
    return positions < 1 ? 1 : (uint64_t)(positions < most ? positions : most);
}

/* From the front of [*next, end). */
static bool take(uint64_t *next, uint64_t end, uint64_t size, struct lb_range *range)
{
    range->begin = *next;
    range->end = end - *next > size ? *next + size : end;
    *next = range->end;
    return range->begin < range->end;
}

/* Whole regions: about so many positions, at least one region. */
static bool take_regions(struct hybrid *own, double positions, struct lb_range *range)
{
    uint64_t size = (some(own, positions) / own->region + 1) * own->region;
    return take(&own->next, own->count, size, range);
}

static bool take_trial(struct hybrid *own, uint32_t processor, struct lb_range *range)
{
    const struct worker *worker = &own->workers[processor];
    double count = (double)own->count, left = count - (double)own->next;
    if (own->phase == ALONE && worker->side == 0) {
        if (own->begun || !take_regions(own, count * ALONE_PART, range))
            return false;
        own->begun = true;
        own->alone = own->first = processor;
        return true;
    }
    /* Who has had his trial goes on, with more and more, while others have not. */
    double size = count * TOGETHER_PART / own->processors, more = worker->done * TRIAL_GROWTH;
    if (more > left * TRIAL_GROWTH)
        more = left * TRIAL_GROWTH;
    return take_regions(own, more > size ? more : size, range);
}

/* Of all its processors, those without a trial taken as the others are. */
static double speed_of(const struct side *side)
{
    uint32_t known = side->count - side->untried;
    return known > 0 ? side->speed * side->count / known : 0;
}

/* Seconds in which `left` positions are done at a speed; very long where that is unknown. */
static double time_of(uint64_t left, double speed)
{
    return speed > 0 ? (double)left / speed : 1e300;
}

/* The next chunk, in positions: by the time that the processor's part is still to take, or all together where that is
 * less, as the other side will help. */
static double chunk(const struct hybrid *own, const struct worker *worker)
{
    const struct side *mine = &own->sides[worker->side], *other = &own->sides[1 - worker->side];
    uint64_t left = mine->end - mine->next, all = left + other->end - other->next;
    double part = left > 0 ? time_of(left, speed_of(mine)) : 1e300;
    double together = time_of(all, speed_of(mine) + speed_of(other)),
           seconds = part < together ? part : together;
    double least = own->predicted * LEAST_PART;
    if (worker->speed <= 0)
        return (double)own->count * TOGETHER_PART / own->processors;
    return worker->speed * (seconds * CHUNK_PART > least ? seconds * CHUNK_PART : least);
}

/* From the processor's side; where that has none left, from the far end of the other's. */
static bool take_part(struct hybrid *own, uint32_t processor, struct lb_range *range)
{
    const struct worker *worker = &own->workers[processor];
    struct side *mine = &own->sides[worker->side], *other = &own->sides[1 - worker->side];
    uint64_t size = some(own, chunk(own, worker));
    if (mine->next < mine->end)
        return take(&mine->next, mine->end, size, range);
    if (other->next == other->end)
        return false;
    range->end = other->end;
    range->begin = other->end - other->next > size ? other->end - size : other->next;
    other->end = range->begin;
    return true;
}

/* What was given back or born, by a region at least. */
static bool take_left(struct hybrid *own, uint32_t processor, struct lb_range *range)
{
    uint64_t size = some(own, chunk(own, &own->workers[processor]));
    return lb_backlog_take(&own->backlog, size > own->region ? size : own->region, range);
}

static enum lb_next hybrid_next(void *state, uint32_t processor, struct lb_range *range)
{
    struct hybrid *own = state;
    if (own->phase != SPLIT && own->next < own->count && take_trial(own, processor, range))
        return LB_NEXT_RANGE;
    if (take_part(own, processor, range) || take_left(own, processor, range))
        return LB_NEXT_RANGE;
    return own->outstanding == 0 ? LB_NEXT_END : LB_NEXT_WAIT;
}

/* The speed that a processor's chunks show. */
static void learn(struct hybrid *own, uint32_t processor, double positions, double seconds)
{
    struct worker *worker = &own->workers[processor];
    struct side *side = &own->sides[worker->side];
    worker->positions = worker->positions * DECAY + positions;
    worker->seconds = worker->seconds * DECAY + seconds;
    double speed = worker->seconds > 0 ? worker->positions / worker->seconds : 0;
    side->speed += speed - worker->speed;
    worker->speed = speed;
    if (!worker->tried && side->untried > 0)
        side->untried--;
    worker->tried = true;
}

static void hybrid_done(void *state, uint32_t processor, struct lb_range range, double seconds)
{
    struct hybrid *own = state;
    double positions = (double)(range.end - range.begin);
    own->outstanding -= range.end - range.begin;
    own->workers[processor].done += positions;
    if (own->alone == processor) {
        own->alone = NOBODY;
        own->alone_speed = seconds > 0 ? positions / seconds : 0;
    } else if (!own->workers[processor].lost) {
        learn(own, processor, positions, seconds);
    }
    check_trial(own);
}

/* Its side goes on without it; where nobody is left of that, the other helps as it does at the end. */
static void lose(struct side *side, struct worker *worker)
{
    side->count--;
    side->untried -= !worker->tried;
    side->speed = side->count > 0 ? side->speed - worker->speed : 0;
    worker->lost = worker->tried = true;
    worker->speed = 0;
}

static void hybrid_failed(void *state, uint32_t processor, struct lb_range range, bool lost)
{
    struct hybrid *own = state;
    lb_backlog_add(&own->backlog, range);
    if (own->alone == processor && (lost || range.begin < range.end))
        own->alone = NOBODY;
    if (lost && !own->workers[processor].lost)
        lose(&own->sides[own->workers[processor].side], &own->workers[processor]);
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
    if (own->s1 == 0 && own->s2 == 0) {
        snprintf(text, size, "no split: the trial took all");
        return;
    }
    if (own->s1 == 0 || own->s2 == 0) { /* nothing was split, and not both times are known */
        snprintf(text, size, "no split: %s do all", own->s2 == 0 ? "CPU threads" : "GPUs");
        return;
    }
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
    free(own->workers);
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
