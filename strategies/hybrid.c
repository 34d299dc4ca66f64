/* Two levels, as in the patent: the regions are split between CPU threads and GPUs such that both end together,
 *   s1 = floor(s k t_gpu / (alpha t_cpu + k t_gpu)), s2 = s - s1, 0 <= k <= min(s1, CPU threads),
 * where alpha t_cpu is what a region takes a thread when all k run; and each side deals its part, in bit-reversed
 * order, to its processors. The times come from a trial whose work is kept: first one CPU thread without the others,
 * some pieces one after another (contention.h); then all together, where that thread renders the other samples of
 * those pieces' pixels, so that alpha compares what is alike. The patent sets alpha beforehand (--alpha), and its
 * threads are equal: here k / (alpha t_cpu) is the sum of their speeds, and each gets chunks by its own (two_sides.h).
 * The side that ends first takes the rest of the other's from its far end. */
#include "strategies/backlog.h"
#include "strategies/contention.h"
#include "strategies/layout.h"
#include "strategies/two_level.h"
#include "strategies/two_sides.h"

#include <stdio.h>

struct hybrid_options {
    struct lb_layout_options layout;
    double alpha; /* 0: measured */
};

static const struct lb_option alpha_option = {.name = "alpha",
                                              .argument = "NUMBER",
                                              .help =
                                                  "How many times as long a task takes a thread when all run",
                                              .type = LB_OPTION_REAL,
                                              .low = 0.01,
                                              .high = 1000,
                                              .offset = offsetof(struct hybrid_options, alpha)};

enum phase { ALONE, TOGETHER, SPLIT };

/* One thread is alone no longer than this part of the frame. */
static const double ALONE_TIME = 0.1;
/* The split is made when this part of the picture has been measured. */
static const double MEASURED_PART = 1.0 / 8;
/* A region has so many pixels. The last regions, one in so many of all, are taken pixel by pixel across them. */
enum { REGION = 16, TAIL = 8 };
/* What was measured with an error of so large a part is not known. */
static const double UNKNOWN = 0.2;
#define NOBODY UINT32_MAX

struct hybrid {
    struct lb_backlog backlog;
    struct lb_two_sides two; /* deals the order without what is kept for the trial */
    enum phase phase;
    uint32_t first; /* the thread of the trial, or NOBODY */
    struct lb_contention trial;
    double alone_speed; /* measured in it, or 0 */
    double had_cpu; /* seconds for which a thread had a CPU in the range that is done; negative: not known */
    struct lb_speed beside; /* of threads together, in positions and seconds with a CPU; zero: not known */
    uint64_t region;
    uint64_t task;        /* what was split, in positions: a region or a pixel */
    double preset;        /* --alpha, or 0 */
    double alpha, spread; /* measured or preset; the error of what was measured, 0: not known */
    double measured;      /* by the trial, be it known well enough or not */
    bool known;
    double predicted; /* seconds of the whole frame */
    double forecast;  /* seconds from the split on */
    struct lb_two_level split;
};

static size_t hybrid_state_size(uint32_t processors)
{
    (void)processors;
    return sizeof(struct hybrid);
}

/* ---- phases ---- */

/* What a region takes a thread alone, where it is known for how long threads had a CPU: else what other programs had
 * would count as the threads' work. */
static void tell_speed_ups(struct hybrid *own)
{
    struct lb_two_level *split = &own->split;
    double speed = lb_speed_of(&own->beside);
    if (speed > 0 && own->preset <= 0)
        split->t_cpu = (double)own->task / speed / own->alpha;
    if (split->t_gpu > 0)
        split->gpu_speed_up = split->t_cpu / split->t_gpu;
    split->speed_up = split->threads_speed_up + split->gpu_speed_up;
}

/* Equations 8 to 13 for the positions that no side has, `task` at a time. */
static void split_tasks(struct hybrid *own, uint64_t task)
{
    const struct lb_side *cpu = &own->two.sides[0], *gpu = &own->two.sides[1];
    uint64_t s = (own->two.count - own->two.next) / task;
    double threads = lb_side_speed(cpu), gpus = lb_side_speed(gpu);
    double t_cpu = threads > 0 ? cpu->count * (double)task / threads / own->alpha : 0;
    double t_gpu = gpus > 0 ? (double)task / gpus : 0;
    own->task = task;
    own->split = lb_two_level_split(s, cpu->count, t_cpu, t_gpu, own->alpha);
    if (gpu->count == 0 || (cpu->count > 0 && !(t_cpu > 0 && t_gpu > 0)))
        own->split.s1 = gpu->count == 0 ? s : s / 2;
    else if (cpu->count == 0)
        own->split.s1 = 0;
    own->split.s2 = s - own->split.s1;
}

/* With the times as they were measured; k over alpha t_cpu is the sum of the threads' speeds. With alpha preset the
 * threads are the patent's: as fast as the one alone, over alpha. Where there are too few regions for all threads, it
 * is pixels that are split. */
static void split(struct hybrid *own)
{
    struct lb_two_sides *two = &own->two;
    struct lb_side *cpu = &two->sides[0], *gpu = &two->sides[1];
    double measured = lb_contention_measured(&own->trial, &own->spread);
    own->known = measured > 0 && own->spread < UNKNOWN * measured;
    own->measured = measured;
    own->alpha = own->preset > 0 ? own->preset : own->known ? measured : 1;
    if (own->preset > 0 && own->alone_speed > 0)
        lb_sides_believe(two, own->alone_speed / own->preset);
    split_tasks(own, own->region);
    if (own->split.k < cpu->count)
        split_tasks(own, 1);
    /* What is dealt and not delivered is half done, as far as one can know. */
    double left = (double)(two->count - two->next), both = lb_side_speed(cpu) + lb_side_speed(gpu);
    double in_flight = (double)two->outstanding - left;
    own->forecast = both > 0 ? left / both : 0;
    own->predicted = two->clock + own->split.seconds + (both > 0 ? in_flight / 2 / both : 0);
    tell_speed_ups(own);
    cpu->next = two->next;
    cpu->end = gpu->next = two->next + own->split.s1 * own->task;
    gpu->end = two->next = two->count;
    own->phase = SPLIT;
}

/* The threads that waited begin now. */
static void begin_together(struct hybrid *own)
{
    struct lb_side_runner *runners = own->two.runners;
    double begin = own->first == NOBODY ? 0 : runners[own->first].clock;
    own->phase = TOGETHER;
    for (uint32_t k = 0; k < own->two.processors; k++)
        if (runners[k].side == 0 && k != own->first)
            runners[k].clock = begin;
}

static bool enough_alone(const struct hybrid *own)
{
    const struct lb_contention *trial = &own->trial;
    uint32_t done = trial->done[LB_CONTENTION_ALONE];
    if (trial->size == 0 || done == LB_CONTENTION_ROUNDS)
        return true;
    if (trial->in_hand || done == 0)
        return false;
    double left = (double)own->two.outstanding / lb_sides_speed(&own->two, own->alone_speed);
    double alone = own->two.runners[own->first].clock;
    return alone * (done + 1) / done > ALONE_TIME * (own->two.clock + left);
}

/* Goes on to the next phase when enough was measured; where one side has no processor left there is nothing to compare,
 * and the trial ends at once. */
static void check_trial(struct hybrid *own)
{
    const struct lb_two_sides *two = &own->two;
    const struct lb_side *cpu = &two->sides[0], *gpu = &two->sides[1];
    bool one_side = cpu->count == 0 || gpu->count == 0, preset = own->preset > 0 && own->alone_speed > 0;
    if (own->phase == SPLIT)
        return;
    if (own->phase == ALONE && (one_side || enough_alone(own)))
        begin_together(own);
    if (own->phase != TOGETHER)
        return;
    bool twins = preset || lb_contention_complete(&own->trial);
    bool enough = preset || (double)two->next >= (double)two->positions * MEASURED_PART;
    if (one_side || (twins && enough && lb_sides_known(two, !preset))) {
        lb_contention_end(&own->trial, &own->backlog);
        split(own);
    }
}

static enum lb_status hybrid_plan(void *state, const struct lb_plan *plan, struct lb_order *order,
                                  struct lb_error *error)
{
    struct hybrid *own = state;
    const struct hybrid_options *asked = plan->options;
    uint64_t limit = asked->layout.region_size != 0 ? asked->layout.region_size : REGION;
    enum lb_status status = lb_backlog_start(&own->backlog, plan->processor_count, error);
    if (status != LB_OK || (status = lb_sides_start(&own->two, plan, error)) != LB_OK)
        return status;
    struct lb_two_sides *two = &own->two;
    bool trial = two->sides[0].count > 1 && two->sides[1].count > 0;
    *order = lb_order_reversed(plan->width, plan->height, limit, LB_CURVE_HILBERT);
    uint64_t regions = (uint64_t)1 << order->bits;
    order->tail = regions - regions / TAIL;
    *own = (struct hybrid){.backlog = own->backlog,
                           .two = own->two,
                           .first = NOBODY,
                           .had_cpu = -1,
                           .preset = asked->alpha,
                           .alpha = 1,
                           .region = order->region};
    lb_contention_lay(&own->trial, order, trial ? two->sides[0].count : 1, plan->samples, &two->kept,
                      &own->backlog);
    two->positions = two->outstanding = order->count;
    two->count = order->count - (two->kept.end - two->kept.begin) * order->blocks;
    two->singles = two->count - order->count / order->blocks / TAIL / 2;
    check_trial(own);
    return LB_OK;
}

/* ---- ranges ---- */

static bool take_trial(struct hybrid *own, uint32_t processor, struct lb_range *range)
{
    const struct lb_side_runner *runner = &own->two.runners[processor];
    if (own->phase == ALONE && runner->side == 0) {
        if (own->first == NOBODY)
            own->first = processor;
        return own->first == processor && lb_contention_take(&own->trial, LB_CONTENTION_ALONE, range);
    }
    /* It does its pieces beside the others only after a chunk of its own, so that the others have begun. */
    bool measured = processor == own->first && own->preset <= 0 && runner->tried;
    if (measured && lb_contention_take(&own->trial, LB_CONTENTION_BESIDE, range))
        return true;
    uint64_t size = lb_sides_trial_chunk(&own->two, processor, own->alone_speed);
    if (lb_backlog_take(&own->backlog, size, range))
        return true;
    if (lb_sides_take_single(&own->two, processor, size, range))
        return true;
    if (size > own->region) /* whole regions, but for pictures of which one is a large part */
        size = (size + own->region - 1) / own->region * own->region;
    return lb_sides_take_common(&own->two, size, range);
}

/* What was given back or born, by a region at least. */
static bool take_left(struct hybrid *own, uint32_t processor, struct lb_range *range)
{
    uint64_t size = lb_sides_chunk(&own->two, processor, own->forecast);
    return lb_backlog_take(&own->backlog, size > own->region ? size : own->region, range);
}

static enum lb_next hybrid_next(void *state, uint32_t processor, struct lb_range *range)
{
    struct hybrid *own = state;
    struct lb_two_sides *two = &own->two;
    if (own->phase != SPLIT && take_trial(own, processor, range))
        return LB_NEXT_RANGE;
    if (own->phase == TOGETHER) { /* nothing is left to measure by */
        lb_contention_end(&own->trial, &own->backlog);
        split(own);
    }
    bool waits = own->phase == ALONE && two->runners[processor].side == 0;
    uint64_t size = lb_sides_chunk(two, processor, own->forecast);
    if (!waits && (lb_sides_take(two, processor, size, range) || take_left(own, processor, range)))
        return LB_NEXT_RANGE;
    return two->outstanding == 0 ? LB_NEXT_END : LB_NEXT_WAIT;
}

static void hybrid_had_cpu(void *state, uint32_t processor, double seconds)
{
    struct hybrid *own = state;
    if (own->two.runners[processor].side == 0)
        own->had_cpu = seconds;
}

/* By CPU time, where it is known: how long others had the CPU says nothing of what it costs that all threads run.
 * True: it was a piece alone, of which the thread's speed beside the others cannot be learnt. */
static bool note_piece(struct hybrid *own, double seconds)
{
    struct lb_contention *trial = &own->trial;
    if (!trial->in_hand)
        return false;
    lb_contention_done(trial, own->had_cpu >= 0 ? own->had_cpu : seconds);
    if (trial->part == LB_CONTENTION_BESIDE)
        return false;
    own->alone_speed = (double)lb_contention_alone(trial) / own->two.runners[own->first].clock;
    return true;
}

static void hybrid_done(void *state, uint32_t processor, struct lb_range range, double seconds)
{
    struct hybrid *own = state;
    uint64_t positions = range.end - range.begin;
    lb_sides_count(&own->two, processor, positions, seconds);
    bool alone = processor == own->first && note_piece(own, seconds);
    if (!alone && own->phase == TOGETHER && own->had_cpu >= 0)
        lb_speed_add(&own->beside, (double)positions, own->had_cpu, LB_SPEED_ALL);
    own->had_cpu = -1;
    if (!alone)
        lb_sides_learn(&own->two, processor, positions, seconds,
                       own->phase == SPLIT ? LB_SPEED_RECENT : LB_SPEED_ALL);
    check_trial(own);
}

static void hybrid_failed(void *state, uint32_t processor, struct lb_range range, bool lost)
{
    struct hybrid *own = state;
    lb_backlog_add(&own->backlog, range);
    if (own->first == processor && own->phase != SPLIT && (lost || range.begin < range.end)) {
        lb_contention_give_up(&own->trial, &own->backlog);
        if (own->phase == ALONE)
            begin_together(own);
    }
    if (lost)
        lb_sides_lose(&own->two, processor);
    check_trial(own);
}

static void hybrid_spawn(void *state, uint32_t processor, struct lb_range range)
{
    struct hybrid *own = state;
    (void)processor;
    own->two.outstanding += range.end - range.begin;
    lb_backlog_add(&own->backlog, range);
}

static bool hybrid_ready(const void *state)
{
    const struct hybrid *own = state;
    const struct lb_two_sides *two = &own->two;
    bool split_left = two->sides[0].next < two->sides[0].end || two->sides[1].next < two->sides[1].end;
    return two->outstanding == 0 || own->backlog.count > 0 || split_left ||
           (own->phase == TOGETHER && two->next < two->count);
}

/* Where nothing was measured, as with one thread, alpha is 1. */
static void describe_alpha(const struct hybrid *own, char *text, size_t size)
{
    char spread[32] = "";
    if (own->spread > 0)
        snprintf(spread, sizeof spread, " +- %.3f", own->spread);
    if (own->preset > 0)
        snprintf(text, size, "%.3f%s preset", own->alpha, spread);
    else if (own->known || own->measured <= 0)
        snprintf(text, size, "%.3f%s", own->alpha, spread);
    else
        snprintf(text, size, "not known (%.3f%s)", own->measured, spread);
}

static void hybrid_describe(const void *state, char *text, size_t size)
{
    const struct hybrid *own = state;
    const struct lb_two_level *split = &own->split;
    if (split->s1 == 0 && split->s2 == 0) {
        snprintf(text, size, "no split: the trial took all");
        return;
    }
    if (split->s1 == 0 || split->s2 == 0) { /* nothing was split, and not both times are known */
        snprintf(text, size, "no split: %s do all", split->s2 == 0 ? "CPU threads" : "GPUs");
        return;
    }
    char alpha[64];
    describe_alpha(own, alpha, sizeof alpha);
    int length = snprintf(
        text, size,
        "s1 %llu  s2 %llu %s  k %u  alpha %s  t_cpu %.3g ms  t_gpu %.3g ms  predicted %.3f s "
        " took %.3f s",
        (unsigned long long)split->s1, (unsigned long long)split->s2, own->task > 1 ? "regions" : "pixels",
        split->k, alpha, split->t_cpu * 1e3, split->t_gpu * 1e3, own->predicted, own->two.clock);
    if ((own->known || own->preset > 0 || own->measured <= 0) && length > 0 && (size_t)length < size)
        snprintf(text + length, size - (size_t)length, "  speed-up %.3g = threads %.3g + GPUs %.3g",
                 split->speed_up, split->threads_speed_up, split->gpu_speed_up);
}

static void hybrid_end(void *state)
{
    struct hybrid *own = state;
    lb_backlog_free(&own->backlog);
    lb_sides_free(&own->two);
    *own = (struct hybrid){0};
}

const struct lb_strategy lb_strategy_hybrid = {
    .name = "hybrid",
    .summary = "CPU threads and GPUs each a part, by measured times",
    .one_at_a_time = true, /* its trials compare pieces that follow each other */
    .weights = LB_WEIGHTS_IGNORED,
    .dynamic = true,
    .options = LB_OPTIONS(&lb_option_region_size, &alpha_option),
    .options_size = sizeof(struct hybrid_options),
    .state_size = hybrid_state_size,
    .plan = hybrid_plan,
    .next = hybrid_next,
    .done = hybrid_done,
    .had_cpu = hybrid_had_cpu,
    .failed = hybrid_failed,
    .spawn = hybrid_spawn,
    .ready = hybrid_ready,
    .describe = hybrid_describe,
    .end = hybrid_end,
};
