/* Two levels, as in the patent: the regions are split between CPU threads and GPUs such that both end together,
 *   s1 = floor(s k t_gpu / (alpha t_cpu + k t_gpu)), s2 = s - s1, 0 <= k <= min(s1, CPU threads),
 * where alpha t_cpu is what a region takes a thread when all k run; and each side deals its part, in bit-reversed
 * order, to its processors. The times come from a trial whose work is kept: first one CPU thread without the others,
 * some pieces one after another; then all together, where that thread renders both neighbours of each pixel of those
 * pieces, so that alpha compares what is alike. The patent sets alpha beforehand (--alpha), and its threads are equal:
 * here k / (alpha t_cpu) is the sum of their speeds, and each gets chunks by its own. The side that ends first takes
 * the rest of the other's from its far end. */
#include "core/speed.h"
#include "strategies/backlog.h"
#include "strategies/layout.h"
#include "strategies/two_level.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

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
enum piece { NO_PIECE, ALONE_PIECE, TWIN };

/* So many pieces are rendered by one thread alone; later, while all run, the same thread renders the pixels before and
 * behind them along the curve. */
enum { ROUNDS = 8 };
/* While one thread is alone the others wait: what they could have rendered meanwhile may be this part of the picture,
 * and the time this part of the frame's. */
static const double ALONE_LOSS = 0.008, ALONE_TIME = 0.1;
/* A processor's first chunk is this part of the picture; the split is made when this part has been measured. */
static const double FIRST_PART = 1.0 / 16384, MEASURED_PART = 1.0 / 8;
/* A chunk of the trial takes this part of the time that is left, but is at most so many times as large as what its
 * processor has done so far. */
static const double TRIAL_PART = 1.0 / 64, TRIAL_GROWTH = 8;
/* After the split a processor's chunk is this part of its share, by speed, of what its side has left, but takes at
 * least this part of the time that the split foretells. */
static const double CHUNK_PART = 1.0 / 4, LEAST_PART = 1.0 / 512;
/* A region has so many pixels. The last regions, one in so many of all, are taken pixel by pixel across them. */
enum { REGION = 16, TAIL = 8 };
#define NOBODY UINT32_MAX

struct worker {
    unsigned char side;       /* 0: CPU threads, 1: GPUs */
    bool tried, lost;         /* a chunk of its was measured, or it has none to do any more */
    struct lb_speed measured; /* in positions, of its chunks but those alone */
    double speed;             /* positions a second; 0: unknown */
    double done;              /* positions */
    double clock;             /* seconds of the frame when its last chunk ended, as far as it can be known */
};

struct side {
    uint32_t count;     /* processors that live */
    uint32_t untried;   /* of these, processors that have not done a chunk whose time was measured */
    double speed;       /* sum of those that were measured, positions a second */
    uint64_t next, end; /* its part: positions not yet dealt */
};

/* The trial: one thread without the others, then the same thread beside them. */
struct trial {
    uint64_t size;              /* of a piece, in positions; 0: there is no trial */
    uint64_t begin;             /* of the first piece alone; the others follow it */
    uint64_t beside;            /* from a piece to its neighbours, before it and behind it */
    uint32_t given[2], done[2]; /* pieces alone, and two neighbours of each */
    double seconds[2][ROUNDS];
    enum piece in_hand;
};

struct hybrid {
    struct lb_backlog backlog;
    struct side sides[2];
    struct worker *workers;
    uint32_t capacity, processors;
    enum phase phase;
    uint32_t first; /* the thread of the trial, or NOBODY */
    struct trial trial;
    double alone_speed;           /* measured in it, or 0 */
    uint64_t next, count, region; /* positions that no side has yet: [next, count) */
    uint64_t positions;           /* of the order */
    uint64_t outstanding;
    double preset;        /* --alpha, or 0 */
    double clock;         /* the latest of the workers' */
    double alpha, spread; /* measured or preset; its standard error, 0: not known */
    double predicted;     /* seconds of the whole frame */
    double forecast;      /* seconds from the split on */
    struct lb_two_level split;
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

/* The speed of a side: the sum over its processors, where those that were not measured yet count as the mean of the
 * others. */
static double speed_of(const struct side *side)
{
    uint32_t known = side->count - side->untried;
    return known > 0 ? side->speed * side->count / known : 0;
}

/* The speed of both sides; as long as no thread was measured, all are taken to be as fast as the one alone. */
static double speed_of_all(const struct hybrid *own)
{
    double threads = speed_of(&own->sides[0]);
    return (threads > 0 ? threads : own->alone_speed * own->sides[0].count) + speed_of(&own->sides[1]);
}

/* How much longer the neighbours took: the ratio of the sums, and the standard error that the pieces show. */
static void measure_alpha(struct hybrid *own)
{
    const struct trial *trial = &own->trial;
    uint32_t rounds = trial->done[1] / 2;
    double alone = 0, together = 0, off = 0;
    own->alpha = own->preset > 0 ? own->preset : 1;
    own->spread = 0;
    for (uint32_t i = 0; i < rounds; i++) {
        alone += trial->seconds[0][i];
        together += trial->seconds[1][i] / 2;
    }
    if (own->preset > 0 || !(alone > 0) || !(together > 0))
        return;
    own->alpha = together / alone;
    for (uint32_t i = 0; i < rounds; i++)
        off += pow(trial->seconds[1][i] / 2 - own->alpha * trial->seconds[0][i], 2);
    if (rounds > 1)
        own->spread = sqrt(off * rounds / (rounds - 1)) / alone;
}

/* With alpha preset the threads are the patent's: as fast as the one alone, over alpha. */
static void believe_preset(struct hybrid *own)
{
    struct side *cpu = &own->sides[0];
    cpu->speed = 0;
    cpu->untried = 0;
    for (uint32_t k = 0; k < own->processors; k++) {
        struct worker *worker = &own->workers[k];
        if (worker->side != 0 || worker->lost)
            continue;
        worker->speed = own->alone_speed / own->preset;
        worker->tried = true;
        cpu->speed += worker->speed;
    }
}

/* Alone, or the neighbours of a piece, one after the other. */
static struct lb_range find_piece(const struct trial *trial, int together, uint32_t number)
{
    uint64_t begin = trial->begin + (together ? number / 2 : number) * trial->size;
    if (together)
        begin = number % 2 == 0 ? begin - trial->beside : begin + trial->beside;
    return (struct lb_range){begin, begin + trial->size};
}

/* What nobody has had of the trial goes to everybody. */
static void end_trial(struct hybrid *own)
{
    struct trial *trial = &own->trial;
    for (; trial->size > 0 && trial->given[0] < ROUNDS; trial->given[0]++)
        lb_backlog_add(&own->backlog, find_piece(trial, 0, trial->given[0]));
    for (; trial->size > 0 && trial->given[1] < 2 * ROUNDS; trial->given[1]++)
        lb_backlog_add(&own->backlog, find_piece(trial, 1, trial->given[1]));
}

/* Equations 8 to 10 with the times as they were measured; k over alpha t_cpu is the sum of the threads' speeds. */
static void split(struct hybrid *own)
{
    struct side *cpu = &own->sides[0], *gpu = &own->sides[1];
    uint64_t s = (own->count - own->next) / own->region;
    double region = (double)own->region;
    measure_alpha(own);
    if (own->preset > 0 && own->alone_speed > 0)
        believe_preset(own);
    double t_cpu = cpu->speed > 0 ? cpu->count * region / cpu->speed / own->alpha : 0;
    double t_gpu = gpu->speed > 0 ? region / gpu->speed : 0;
    own->split = lb_two_level_split(s, cpu->count, t_cpu, t_gpu, own->alpha);
    if (gpu->count == 0 || (cpu->count > 0 && !(t_cpu > 0 && t_gpu > 0)))
        own->split.s1 = gpu->count == 0 ? s : s / 2;
    else if (cpu->count == 0)
        own->split.s1 = 0;
    own->split.s2 = s - own->split.s1;
    /* What is dealt and not delivered is half done, as far as one can know. */
    double left = (double)(own->count - own->next), both = cpu->speed + gpu->speed;
    double in_flight = (double)own->outstanding - left;
    own->forecast = both > 0 ? left / both : 0;
    own->predicted = own->clock + own->split.seconds + (both > 0 ? in_flight / 2 / both : 0);
    cpu->next = own->next;
    cpu->end = gpu->next = own->next + own->split.s1 * own->region;
    gpu->end = own->next = own->count;
    own->phase = SPLIT;
}

/* The threads that waited begin now. */
static void begin_together(struct hybrid *own)
{
    own->phase = TOGETHER;
    double begin = own->first == NOBODY ? 0 : own->workers[own->first].clock;
    for (uint32_t k = 0; k < own->processors; k++)
        if (own->workers[k].side == 0 && k != own->first)
            own->workers[k].clock = begin;
}

static bool enough_alone(const struct hybrid *own)
{
    const struct trial *trial = &own->trial;
    if (trial->size == 0 || trial->done[0] == ROUNDS)
        return true;
    if (trial->in_hand != NO_PIECE || trial->done[0] == 0)
        return false;
    double left = (double)own->outstanding / speed_of_all(own), alone = own->workers[own->first].clock;
    return alone * (trial->done[0] + 1) / trial->done[0] > ALONE_TIME * (own->clock + left);
}

/* Goes on to the next phase when enough was measured; where one side has no processor left there is nothing to compare,
 * and the trial ends at once. */
static void check_trial(struct hybrid *own)
{
    const struct side *cpu = &own->sides[0], *gpu = &own->sides[1];
    bool one_side = cpu->count == 0 || gpu->count == 0, preset = own->preset > 0 && own->alone_speed > 0;
    if (own->phase == SPLIT)
        return;
    if (own->phase == ALONE && (one_side || enough_alone(own)))
        begin_together(own);
    if (own->phase != TOGETHER)
        return;
    bool twins = preset || one_side || own->trial.done[1] == 2 * own->trial.done[0];
    bool known = gpu->untried == 0 && (preset || cpu->untried == 0);
    bool enough = (double)own->next >= (double)own->positions * MEASURED_PART;
    if (one_side || (twins && known && (enough || preset))) {
        end_trial(own);
        split(own);
    }
}

/* The last three pixels of each of the tail's regions are kept for the trial, as far as it needs them. */
static void plan_trial(struct hybrid *own, const lb_order *order)
{
    uint32_t threads = own->sides[0].count;
    uint64_t regions = ((uint64_t)1 << order->bits) - order->tail;
    if (threads < 2 || own->sides[1].count == 0 || order->region < 4 || regions < ROUNDS)
        return;
    uint64_t size = (uint64_t)((double)order->count * ALONE_LOSS / (threads - 1) / ROUNDS),
             most = regions / ROUNDS;
    own->trial.size = size < 1 ? 1 : size > most ? most : size;
    own->trial.begin = order->count - 2 * regions;
    own->trial.beside = regions;
    own->count = own->trial.begin - regions;
    for (uint64_t row = own->count; row < order->count; row += regions)
        lb_backlog_add(&own->backlog, (struct lb_range){row + ROUNDS * own->trial.size, row + regions});
}

static enum lb_status hybrid_plan(void *state, const struct lb_plan *plan, struct lb_order *order,
                                  struct lb_error *error)
{
    struct hybrid *own = state;
    struct hybrid kept = *own;
    const struct hybrid_options *asked = plan->options;
    uint64_t limit = asked->layout.region_size != 0 ? asked->layout.region_size : REGION;
    enum lb_status status = make_room(&kept, plan->processor_count, error);
    *order = lb_order_reversed(plan->width, plan->height, limit, LB_CURVE_HILBERT);
    uint64_t regions = (uint64_t)1 << order->bits;
    order->tail = regions - regions / TAIL;
    *own = (struct hybrid){.backlog = kept.backlog,
                           .workers = kept.workers,
                           .capacity = kept.capacity,
                           .first = NOBODY,
                           .processors = plan->processor_count,
                           .preset = asked->alpha,
                           .alpha = 1,
                           .region = order->region,
                           .count = order->count,
                           .positions = order->count,
                           .outstanding = order->count};
    for (uint32_t k = 0; k < plan->processor_count && status == LB_OK; k++) {
        own->workers[k] = (struct worker){.side = plan->processors[k].kind == LB_PROCESSOR_CUDA};
        own->sides[own->workers[k].side].count++;
        own->sides[own->workers[k].side].untried++;
    }
    if (status != LB_OK)
        return status;
    plan_trial(own, order);
    check_trial(own);
    return LB_OK;
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

/* The next piece of the thread alone, or together with the others. */
static bool take_piece(struct hybrid *own, struct lb_range *range)
{
    struct trial *trial = &own->trial;
    int which = own->phase == TOGETHER;
    if (trial->given[which] >= (which ? 2 * trial->done[0] : ROUNDS))
        return false;
    trial->in_hand = which ? TWIN : ALONE_PIECE;
    *range = find_piece(trial, which, trial->given[which]++);
    return true;
}

/* A chunk of the trial, in positions. */
static double trial_chunk(const struct hybrid *own, uint32_t processor)
{
    const struct worker *worker = &own->workers[processor];
    double first = (double)own->positions * FIRST_PART, all = speed_of_all(own);
    if (!(worker->speed > 0) || !(all > 0))
        return first;
    double size = worker->speed * (double)own->outstanding / all * TRIAL_PART;
    double most = worker->done * TRIAL_GROWTH;
    size = size < most ? size : most;
    return size > first ? size : first;
}

static bool take_trial(struct hybrid *own, uint32_t processor, struct lb_range *range)
{
    struct trial *trial = &own->trial;
    bool thread = own->workers[processor].side == 0;
    if (own->phase == ALONE && thread) {
        if (own->first == NOBODY)
            own->first = processor;
        return own->first == processor && take_piece(own, range);
    }
    /* It does its pieces beside the others only after a chunk of its own, so that the others have begun. */
    bool measured = processor == own->first && trial->size > 0 && own->preset <= 0;
    if (measured && trial->in_hand == NO_PIECE && own->workers[processor].tried && take_piece(own, range))
        return true;
    uint64_t size = some(own, trial_chunk(own, processor));
    if (lb_backlog_take(&own->backlog, size, range))
        return true;
    size = (size + own->region - 1) / own->region * own->region;
    return take(&own->next, own->count, size, range);
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
    double least = own->forecast * LEAST_PART;
    if (worker->speed <= 0)
        return (double)own->positions * FIRST_PART;
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
    if (own->phase != SPLIT && take_trial(own, processor, range))
        return LB_NEXT_RANGE;
    if (own->phase == TOGETHER) { /* nothing is left to measure by */
        end_trial(own);
        split(own);
    }
    bool waits = own->phase == ALONE && own->workers[processor].side == 0;
    if (!waits && (take_part(own, processor, range) || take_left(own, processor, range)))
        return LB_NEXT_RANGE;
    return own->outstanding == 0 ? LB_NEXT_END : LB_NEXT_WAIT;
}

/* The speed that a processor's chunks show: all of them before the split, the last ones after it. */
static void learn(struct hybrid *own, uint32_t processor, double positions, double seconds)
{
    struct worker *worker = &own->workers[processor];
    struct side *side = &own->sides[worker->side];
    lb_speed_add(&worker->measured, positions, seconds, own->phase == SPLIT ? LB_SPEED_RECENT : LB_SPEED_ALL);
    double speed = lb_speed_of(&worker->measured);
    side->speed += speed - worker->speed;
    worker->speed = speed;
    if (!worker->tried && side->untried > 0)
        side->untried--;
    worker->tried = true;
}

/* True: it was a piece alone, of which the thread's speed beside the others cannot be learnt. */
static bool note_piece(struct hybrid *own, double seconds)
{
    struct trial *trial = &own->trial;
    enum piece piece = trial->in_hand;
    trial->in_hand = NO_PIECE;
    if (piece == NO_PIECE)
        return false;
    int which = piece == TWIN;
    uint32_t number = trial->done[which]++;
    trial->seconds[which][which ? number / 2 : number] += seconds;
    if (which)
        return false;
    own->alone_speed = (double)(trial->done[0] * trial->size) / own->workers[own->first].clock;
    return true;
}

static void hybrid_done(void *state, uint32_t processor, struct lb_range range, double seconds)
{
    struct hybrid *own = state;
    struct worker *worker = &own->workers[processor];
    double positions = (double)(range.end - range.begin);
    own->outstanding -= range.end - range.begin;
    worker->done += positions;
    worker->clock += seconds;
    own->clock = worker->clock > own->clock ? worker->clock : own->clock;
    bool alone = processor == own->first && note_piece(own, seconds);
    if (!alone && !worker->lost)
        learn(own, processor, positions, seconds);
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

/* A piece that was not delivered has nothing to be compared with. */
static void give_up_trial(struct hybrid *own)
{
    end_trial(own);
    own->trial.in_hand = NO_PIECE;
    own->trial.done[0] = own->trial.done[1] / 2;
    own->trial.done[1] = 2 * own->trial.done[0];
    if (own->phase == ALONE)
        begin_together(own);
    own->trial.size = 0;
}

static void hybrid_failed(void *state, uint32_t processor, struct lb_range range, bool lost)
{
    struct hybrid *own = state;
    lb_backlog_add(&own->backlog, range);
    if (own->first == processor && own->phase != SPLIT && (lost || range.begin < range.end))
        give_up_trial(own);
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
    const struct lb_two_level *split = &own->split;
    if (split->s1 == 0 && split->s2 == 0) {
        snprintf(text, size, "no split: the trial took all");
        return;
    }
    if (split->s1 == 0 || split->s2 == 0) { /* nothing was split, and not both times are known */
        snprintf(text, size, "no split: %s do all", split->s2 == 0 ? "CPU threads" : "GPUs");
        return;
    }
    char spread[32] = "";
    if (own->spread > 0)
        snprintf(spread, sizeof spread, " +- %.2g", own->spread);
    snprintf(text, size,
             "s1 %llu  s2 %llu regions  k %u  alpha %.3f%s%s  t_cpu %.3g ms  t_gpu %.3g ms  predicted %.3f s "
             " took "
             "%.3f s  speed-up %.3g = threads %.3g + GPUs %.3g",
             (unsigned long long)split->s1, (unsigned long long)split->s2, split->k, own->alpha, spread,
             own->preset > 0 ? " preset" : "", split->t_cpu * 1e3, split->t_gpu * 1e3, own->predicted,
             own->clock, split->speed_up, split->threads_speed_up, split->gpu_speed_up);
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
    .options = LB_OPTIONS(&lb_option_region_size, &alpha_option),
    .options_size = sizeof(struct hybrid_options),
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
