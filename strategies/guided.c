#include "strategies/guided.h"

#include <math.h>
#include <stdlib.h>

/* bench/results/balance.md has what the constants below reach together, by map, kind of speeds and number of
 * processors. The constants of speeds themselves stand in core/speed.c. */

/* A chunk should take at most PART of the time that the processors together need for all that is left (factoring:
 * Hummel, Schonberg, Flynn 1992; guided self-scheduling: Polychronopoulos, Kuck 1987). It keeps within that time even
 * where its positions cost more than expected by DEVIATIONS standard deviations of the chunk's cost. */
static const double PART = 0.6;
static const double DEVIATIONS = 4;
/* In frames of up to SHORT_FRAME seconds asking often costs more than waiting at the end does, so chunks may be
 * larger: SHORT_PART and SHORT_DEVIATIONS stand in place of PART and DEVIATIONS. */
static const double SHORT_FRAME = 0.09, SHORT_PART = 0.8, SHORT_DEVIATIONS = 3;
/* A processor that is slower than the mean gains the others little by taking a large chunk, and all of them wait where
 * its chunk turns out dear. So for each factor of e that it is slower, its chunk is made such that it ends in time
 * even at this share of the deviations more, and with one position among its own that costs so many deviations more
 * (Bernstein's bound has the same two terms). */
static const double SLOW_DEVIATIONS = 0.3, SLOW_DEAR = 5;
/* One position may cost more than the mean by DEAR standard deviations. A processor that would then end later than all
 * others is too slow to begin it (lb_guided_too_slow). */
static const double DEAR = 20;
/* A chunk should take at least LEAST of the time so far, or asking for it would cost more than waiting at the end
 * does. One request takes about ASKING seconds; where LEAST of the time so far is shorter than that, a chunk should
 * take ASKING seconds, but never more than MOST_LEAST of the time so far. To be done that little later than the others
 * is no loss. */
static const double LEAST = 0.002, MOST_LEAST = 0.04, ASKING = 2.5e-4;
/* A chunk after the first has at most GROWTH times as many positions as its processor has done so far, in short frames
 * SHORT_GROWTH times, so that no processor is trusted with much before its speed is known. */
static const double GROWTH = 4, SHORT_GROWTH = 16;
/* The constants of lb_guided_due(). In short frames a processor may take DUE_SHORT_PART of its due at once. In frames
 * of up to TINY_FRAME seconds it may take all of it, as the time that a range takes beyond its work is then the
 * largest loss. Where asking takes time, a processor asks ahead of its need, so that small chunks cost it less: they
 * keep within their time even where they are dearer by DUE_DEVIATIONS standard deviations, in frames of any length. */
static const double DUE_SHORT_PART = 0.9, TINY_FRAME = 0.005, DUE_DEVIATIONS = 5;
/* A chunk may end DUE_LATE seconds late. No range should take less than a crumb, which is CRUMB seconds or CRUMB_PART
 * of the frame, whichever is shorter: where less than that would be left of the due, the chunk takes that too. */
static const double DUE_LATE = 5e-5, CRUMB = 2.5e-5, CRUMB_PART = 0.025;
/* All expected speeds are computed anew when the estimate of the seconds that a range takes beyond its work has
 * changed by the part BETTER, or when each processor has done STALE ranges in the mean since the last time. */
static const double BETTER = 0.02, STALE = 1.0 / 8;
/* Fewer positions than these tell little of the speed of the processor that rendered them. */
static const double TELLING = 8;

/* The variance of a position's cost, over the square of the mean cost. */
static double variance(const struct lb_guided *guided)
{
    return lb_surprise_variance(&guided->surprise);
}

static double expected_speed(const struct lb_guided *guided, const struct lb_guided_pace *pace)
{
    if (guided->measured.seconds <= 0 || pace->absent)
        return 0;
    struct lb_speed all = lb_speed_without(&guided->measured, guided->begin * guided->ranges),
                    own = lb_speed_without(&pace->measured, guided->begin * pace->ranges);
    double guess = lb_speed_of(&all) * (pace->weight * guided->processors);
    return lb_speed_expected(&own, guess, variance(guided));
}

static int speed_class(double speed)
{
    int exponent;
    double fraction = frexp(speed, &exponent); /* 0.5 .. 1 */
    int bin = LB_GUIDED_CLASSES / 4 + 4 * exponent + (int)(8 * fraction) - 4;
    if (bin < 0)
        bin = 0;
    return bin < LB_GUIDED_CLASSES ? bin : LB_GUIDED_CLASSES - 1;
}

static void set_speed(struct lb_guided *guided, struct lb_guided_pace *pace, double speed)
{
    bool measured = pace->measured.work > 0;
    if (measured && pace->counted > 0)
        guided->classes[speed_class(pace->counted)] -= pace->counted;
    guided->speed += speed - pace->speed;
    guided->missed += (speed - pace->speed) * pace->late;
    pace->speed = speed;
    pace->counted = measured ? speed : 0;
    if (pace->counted > 0)
        guided->classes[speed_class(speed)] += speed;
}

/* The speed of all processors that are clearly faster, in positions a second. */
static double faster(const struct lb_guided *guided, double speed)
{
    double sum = 0;
    for (int bin = speed_class(speed) + 2; bin < LB_GUIDED_CLASSES; bin++)
        sum += guided->classes[bin];
    return sum;
}

static void keep_speeds(struct lb_guided *guided, const struct lb_plan *plan)
{
    double sum = 0;
    bool measured = guided->processors == plan->processor_count && !plan->weights_known, gpus = false;
    for (uint32_t k = 0; k < plan->processor_count && measured; k++)
        sum += guided->paces[k].speed;
    for (uint32_t k = 0; k < plan->processor_count; k++)
        gpus = gpus || plan->processors[k].kind == LB_PROCESSOR_GPU;
    measured = measured && sum > 0;
    for (uint32_t k = 0; k < plan->processor_count; k++) {
        struct lb_guided_pace *pace = &guided->paces[k];
        double weight = measured ? pace->speed / sum : plan->processors[k].weight;
        bool known = measured || plan->weights_known || plan->processors[k].kind == LB_PROCESSOR_GPU;
        *pace = (struct lb_guided_pace){.weight = weight, .outpaced = gpus && !known};
    }
}

/* Regions of one pixel are spread as well before the tail as in it. Where the samples of pixels are split, there are so
 * many processors that regions are a few pixels at most. */
static void find_regions(struct lb_guided *guided, const lb_order *order)
{
    bool regions = order->kind == LB_ORDER_REVERSED && order->blocks <= 1 && order->region > 1;
    guided->region = regions ? order->region : 1;
    guided->spread = regions ? order->tail * order->region : 0;
}

enum lb_status lb_guided_start(struct lb_guided *guided, const struct lb_plan *plan, const lb_order *order,
                               struct lb_error *error)
{
    uint32_t processors = plan->processor_count;
    if (processors > guided->capacity) {
        lb_guided_free(guided);
        guided->paces = calloc(processors, sizeof *guided->paces);
        if (guided->paces == NULL)
            return lb_error_memory(error, NULL);
        guided->capacity = processors;
    }
    keep_speeds(guided, plan);
    guided->processors = guided->alive = processors;
    guided->count = order->count;
    find_regions(guided, order);
    guided->measured = (struct lb_speed){0};
    guided->speed = guided->busy = guided->ranges = guided->begin = 0;
    guided->longest = guided->missed = guided->gone = 0;
    guided->stale = 0;
    guided->surprise = (struct lb_surprise){0};
    guided->beginning = (struct lb_beginning){0};
    for (int i = 0; i < LB_GUIDED_CLASSES; i++)
        guided->classes[i] = 0;
    return LB_OK;
}

void lb_guided_await(struct lb_guided *guided)
{
    for (uint32_t k = 0; k < guided->processors; k++)
        guided->paces[k].absent = true;
}

void lb_guided_came(struct lb_guided *guided, uint32_t processor)
{
    struct lb_guided_pace *pace = &guided->paces[processor];
    if (!pace->absent)
        return;
    pace->absent = false;
    pace->late = guided->longest;
    if (!pace->lost)
        set_speed(guided, pace, expected_speed(guided, pace));
}

/* Before anything is measured: a part of what would be an equal, or the weights', share; of a small one more, or it
 * tells nothing. */
static double first_chunk(const struct lb_guided *guided, const struct lb_guided_pace *pace)
{
    double share = (double)guided->count * pace->weight / (pace->outpaced ? LB_GUIDED_OUTPACED : 1);
    return fmax(share / LB_GUIDED_FIRST, fmin(share / LB_GUIDED_SMALL_FIRST, TELLING));
}

double lb_guided_first(const struct lb_guided *guided, uint32_t processor)
{
    return first_chunk(guided, &guided->paces[processor]) * (guided->processors >= LB_GUIDED_MANY ? 2 : 1);
}

/* The time so far. */
static double so_far(const struct lb_guided *guided)
{
    return guided->busy / (guided->alive > 0 ? guided->alive : 1);
}

/* No range should be planned to take less. */
static double least_seconds(const struct lb_guided *guided)
{
    double most = MOST_LEAST * so_far(guided);
    if (LEAST * so_far(guided) > ASKING)
        return LEAST * so_far(guided);
    return ASKING < most ? ASKING : most;
}

double lb_guided_least(const struct lb_guided *guided, const struct lb_guided_pace *pace)
{
    return pace->speed * least_seconds(guided);
}

/* What the frame should take in all, where `speed` does what is `left`. */
static double frame_seconds(const struct lb_guided *guided, double left, double speed)
{
    return guided->busy / guided->alive + left / speed;
}

/* 1: the frame is short. Towards 0 the longer it is. */
static double find_brevity(double frame)
{
    return frame > SHORT_FRAME ? SHORT_FRAME / frame : 1;
}

/* By how many standard deviations a chunk may turn out dearer in a frame of that brevity. */
static double find_deviations(double brevity)
{
    return DEVIATIONS + brevity * (SHORT_DEVIATIONS - DEVIATIONS);
}

static double mean_over(const struct lb_guided *guided, const struct lb_guided_pace *pace)
{
    return guided->speed / guided->alive / pace->speed;
}

double lb_guided_slowness(const struct lb_guided *guided, uint32_t processor)
{
    const struct lb_guided_pace *pace = &guided->paces[processor];
    return pace->speed > 0 && pace->measured.work > 0 ? mean_over(guided, pace) : 0;
}

/* How many positions, `most` of them, `pace` can take so that they are done within the time that it needs for `enough`,
 * though they be dearer by so many standard deviations and it slower than expected. Of a region, which lies together,
 * all are taken to be equally dear: it is as uncertain as one position. */
static double safe_chunk(const struct lb_guided *guided, const struct lb_guided_pace *pace, uint64_t begin,
                         double enough, double most, double deviations)
{
    double together = begin < guided->spread ? (double)guided->region : 1;
    double chunk = most, slower = fmax(0, log(mean_over(guided, pace)));
    double deviation = sqrt(variance(guided)), dear = SLOW_DEAR * slower * deviation;
    deviation *= deviations * (1 + SLOW_DEVIATIONS * slower);
    for (int i = 0; i < 3; i++) {
        double size = chunk > 1 ? chunk : 1, one = fmin(size, together) / size;
        double safe = enough / (1 + deviation * sqrt(one + 1 / pace->measured.work) + dear * one);
        chunk = safe < most ? safe : most;
    }
    return chunk;
}

static uint64_t whole(double chunk, double most, uint64_t left)
{
    chunk = chunk < most ? chunk : most;
    if (!(chunk >= 1))
        return 1;
    return chunk >= (double)left ? left : (uint64_t)chunk;
}

static double find_growth(const struct lb_guided_pace *pace, double brevity)
{
    return (GROWTH + brevity * (SHORT_GROWTH - GROWTH)) * pace->measured.work;
}

static uint64_t find_part(const struct lb_guided *guided, const struct lb_guided_pace *pace, uint64_t begin,
                          uint64_t left, double speed, uint32_t sharers)
{
    if (!(pace->speed > 0 && pace->measured.work > 0))
        return whole(first_chunk(guided, pace), PART * (double)left / sharers, left);
    double frame = frame_seconds(guided, (double)left, speed), brevity = find_brevity(frame);
    double fair = pace->speed * (double)left / speed, late = pace->speed * fmin(ASKING, MOST_LEAST * frame);
    double part = PART + brevity * (SHORT_PART - PART), least = lb_guided_least(guided, pace);
    double chunk = safe_chunk(guided, pace, begin, fair + late, part * fair + late, find_deviations(brevity));
    return whole(fmax(chunk, least), find_growth(pace, brevity), left);
}

uint64_t lb_guided_due(const struct lb_guided *guided, uint32_t processor, uint64_t begin, uint64_t left,
                       uint64_t outstanding)
{
    const struct lb_guided_pace *pace = &guided->paces[processor];
    if (!(pace->speed > 0 && pace->measured.work > 0))
        return lb_guided_chunk(guided, processor, begin, left);
    /* What all should still do when this one has done what it was dealt, by when each of them began; no less than what
     * nobody has yet, no more than what is not delivered. */
    double then = pace->late + (pace->measured.work + pace->in_hand) / pace->speed;
    double all = (double)guided->count - guided->gone - (then * guided->speed - guided->missed);
    double due = fmin(fmax(all, (double)left), (double)outstanding) * (pace->speed / guided->speed);
    double frame = frame_seconds(guided, (double)left, guided->speed), brevity = find_brevity(frame);
    double tiny = frame > TINY_FRAME ? TINY_FRAME / frame : 1;
    double part = PART + brevity * (DUE_SHORT_PART - PART) + tiny * (1 - DUE_SHORT_PART);
    double chunk = safe_chunk(guided, pace, begin, due + pace->speed * DUE_LATE, part * due, DUE_DEVIATIONS);
    double crumb = fmin(CRUMB, CRUMB_PART * frame);
    if (due - chunk < pace->speed * crumb)
        chunk = due;
    double least = pace->speed * fmax(crumb, LEAST * so_far(guided));
    return whole(fmax(chunk, least), find_growth(pace, brevity), left);
}

uint64_t lb_guided_part(const struct lb_guided *guided, uint32_t processor, uint64_t begin, uint64_t left,
                        double speed, uint32_t sharers)
{
    return find_part(guided, &guided->paces[processor], begin, left, speed, sharers);
}

uint64_t lb_guided_chunk(const struct lb_guided *guided, uint32_t processor, uint64_t begin, uint64_t left)
{
    return lb_guided_part(guided, processor, begin, left, guided->speed,
                          guided->alive == 0 ? 1 : guided->alive);
}

uint64_t lb_guided_keep(const struct lb_guided *guided, uint32_t processor, uint64_t left)
{
    const struct lb_guided_pace *pace = &guided->paces[processor];
    double each = fmax(pace->lately, pace->speed > 0 ? 1 / pace->speed : 0);
    double least = each > 0 ? least_seconds(guided) / each : (double)left;
    double fair = guided->speed > 0 ? PART * (double)left * (pace->speed / guided->speed) : (double)left;
    return (double)left > 2 * least ? (uint64_t)fmax(least, fair) : left;
}

void lb_guided_took(struct lb_guided *guided, uint32_t processor, uint64_t positions)
{
    guided->paces[processor].in_hand -= (double)positions;
}

uint64_t lb_guided_batch(const struct lb_guided *guided, const struct lb_guided_pace *pace, uint64_t begin,
                         uint64_t left)
{
    return find_part(guided, pace, begin, left, guided->speed, guided->alive == 0 ? 1 : guided->alive);
}

bool lb_guided_too_slow(const struct lb_guided *guided, uint32_t processor, uint64_t left)
{
    const struct lb_guided_pace *pace = &guided->paces[processor];
    if (pace->measured.work <= 0 || guided->alive == 0)
        return false;
    double deviation = DEAR * sqrt(variance(guided));
    double seconds = (1 + deviation) / pace->speed - least_seconds(guided);
    double at_best =
        pace->speed * (1 + deviation / sqrt(pace->measured.work)); /* it may be slow by bad luck alone */
    return seconds * guided->speed > (double)left && seconds * faster(guided, at_best) > (double)left;
}

/* What is measured of one tells what to expect of the others. */
static void expect_all(struct lb_guided *guided)
{
    for (uint32_t k = 0; k < guided->processors; k++)
        if (!guided->paces[k].lost)
            set_speed(guided, &guided->paces[k], expected_speed(guided, &guided->paces[k]));
}

/* Takes up what is known of what ranges take beyond their work. True: all speeds are to be told anew. */
static bool begins_otherwise(struct lb_guided *guided)
{
    double seconds = lb_beginning_of(&guided->beginning, variance(guided));
    if (fabs(seconds - guided->begin) <= BETTER * seconds)
        return false;
    guided->begin = seconds;
    return true;
}

void lb_guided_dealt(struct lb_guided *guided, uint32_t processor, uint64_t positions)
{
    guided->paces[processor].in_hand += (double)positions;
}

/* By the first positions of a range, all of which may take longer for some reason: the rest of it would add little. */
static void learn_surprise(struct lb_guided *guided, const struct lb_guided_pace *pace, double positions,
                           double seconds)
{
    struct lb_speed net = {positions, seconds};
    net = lb_speed_without(&net, guided->begin);
    lb_surprise_learn(&guided->surprise, &pace->measured, expected_speed(guided, pace), net.work,
                      net.seconds);
}

/* `positions` of a range were done in `seconds`: its first ones, or the rest of one that was `begun`. */
static void learn(struct lb_guided *guided, struct lb_guided_pace *pace, double positions, double seconds,
                  bool begun)
{
    bool first = guided->measured.seconds <= 0;
    double began = begun ? 0 : 1;
    if (!(seconds > 0))
        seconds = 1e-9;
    lb_beginning_learn(&guided->beginning, &pace->measured, pace->ranges, positions, seconds, begun);
    bool changed = begins_otherwise(guided);
    if (!begun)
        learn_surprise(guided, pace, positions, seconds);
    lb_speed_add(&pace->measured, positions, seconds, LB_SPEED_ALL);
    lb_speed_add(&guided->measured, positions, seconds * pace->weight * guided->processors, LB_SPEED_ALL);
    if (pace->late + pace->measured.seconds > guided->longest)
        guided->longest = pace->late + pace->measured.seconds;
    pace->ranges += began;
    guided->ranges += began * pace->weight * guided->processors;
    guided->busy += seconds;
    pace->in_hand -= positions;
    if (first || changed || ++guided->stale >= STALE * guided->processors) {
        expect_all(guided);
        guided->stale = 0;
    } else if (!pace->lost) {
        set_speed(guided, pace, expected_speed(guided, pace));
    }
}

void lb_guided_progress(struct lb_guided *guided, uint32_t processor, uint64_t positions, double seconds)
{
    struct lb_guided_pace *pace = &guided->paces[processor];
    struct lb_speed told = pace->told;
    if ((double)positions <= told.work)
        return;
    pace->told = (struct lb_speed){(double)positions, seconds};
    pace->lately = (seconds - told.seconds) / ((double)positions - told.work);
    learn(guided, pace, (double)positions - told.work, seconds - told.seconds, told.work > 0);
}

void lb_guided_done(struct lb_guided *guided, uint32_t processor, uint64_t positions, double seconds)
{
    struct lb_guided_pace *pace = &guided->paces[processor];
    lb_guided_progress(guided, processor, positions, seconds);
    pace->told = (struct lb_speed){0};
    pace->lately = 0;
}

void lb_guided_failed(struct lb_guided *guided, uint32_t processor, uint64_t positions)
{
    struct lb_guided_pace *pace = &guided->paces[processor];
    pace->in_hand -= (double)positions - pace->told.work;
    pace->told = (struct lb_speed){0};
    pace->lately = 0;
}

void lb_guided_lost(struct lb_guided *guided, uint32_t processor)
{
    struct lb_guided_pace *pace = &guided->paces[processor];
    if (pace->lost)
        return;
    set_speed(guided, pace, 0);
    guided->gone += pace->measured.work;
    guided->alive--;
    pace->lost = true;
}

void lb_guided_free(struct lb_guided *guided)
{
    free(guided->paces);
    *guided = (struct lb_guided){0};
}
