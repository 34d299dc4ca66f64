#include "core/simulate/simulate.h"

#include "core/kernel/film.h"
#include "core/simulate/simulate_events.h"
#include "core/simulate/simulate_marks.h"
#include "core/simulate/simulate_work.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What happens at an event: a processor asks for work, is done with a range, or fails. */
enum kind { ASK, DONE, FAIL };

/* Those that wait for a strategy that does not say when it is ready try again a few at a time. */
enum { TRY_AGAIN = 8 };

enum condition { BUSY, WAITING, ENDED, LOST, ABSENT };

struct worker {
    struct lb_range range; /* in hand while BUSY */
    double begin, end;     /* of it */
    enum condition condition;
};

/* One frame under way. */
struct course {
    const struct lb_simulation *job;
    void *state;
    struct lb_plan plan;
    lb_order order;
    struct worker *workers;
    struct lb_sim_events events;
    double now;
    uint32_t *waiting; /* a ring of processors, the longest-waiting first */
    size_t waiting_begin, waiting_count;
    struct lb_sim_work work;   /* in seconds of speed 1 */
    struct lb_sim_marks given; /* delivered positions */
    uint64_t born;             /* positions, those born at run time included */
    uint64_t delivered;
    double probed;                  /* work of what was found out before the frame */
    uint32_t threads, busy_threads; /* CPU threads: all, and those with a range in hand */
    uint64_t draws;
    struct lb_report_balance *balance;
    struct lb_error *error;
};

/* ---- chance: a function of the seed and the number of the draw ---- */

static double draw(struct course *course)
{
    uint64_t x = (course->plan.seed + 1) * 0x9e3779b97f4a7c15u + ++course->draws * 0xd1342543de82ef95u;
    x = (x ^ (x >> 32)) * 0xd6e8feb86659fd93u;
    x = (x ^ (x >> 32)) * 0xd6e8feb86659fd93u;
    return (double)((x ^ (x >> 32)) >> 11) * 0x1p-53;
}

static enum lb_status check_blocks(struct course *course)
{
    if (course->order.blocks == 0)
        course->order.blocks = 1;
    if (course->order.blocks <= course->job->spec->samples && course->order.count % course->order.blocks == 0)
        return LB_OK;
    return lb_error_set(course->error, LB_ERROR, "strategy %s: %llu positions in %u blocks of %u samples",
                        course->job->settings.strategy->name, (unsigned long long)course->order.count,
                        course->order.blocks, course->job->spec->samples);
}

/* ---- time ---- */

static struct lb_strategy_counts read_counts(const struct course *course)
{
    struct lb_strategy_counts counts = {0};
    if (course->job->settings.strategy->counts != NULL)
        course->job->settings.strategy->counts(course->state, &counts);
    return counts;
}

/* The seconds that the messages sent since `before` take. */
static double message_seconds(struct course *course, uint64_t before)
{
    return (double)(read_counts(course).messages - before) * course->job->spec->latency;
}

static enum lb_status add_event(struct course *course, double time, uint32_t processor, enum kind kind)
{
    return lb_sim_events_add(&course->events, time, processor, kind) ? LB_OK
                                                                     : lb_error_memory(course->error, NULL);
}

static enum lb_status bad_range(const struct course *course, const char *what, struct lb_range range)
{
    return lb_error_set(course->error, LB_ERROR, "strategy %s: positions %llu .. %llu %s",
                        course->job->settings.strategy->name, (unsigned long long)range.begin,
                        (unsigned long long)range.end, what);
}

static bool is_thread(const struct course *course, uint32_t processor)
{
    return course->job->spec->processors[processor].kind == LB_PROCESSOR_CPU;
}

/* How many times as long a range takes a CPU thread while `others` are at work beside it. */
static double slowdown(const struct course *course, uint32_t others)
{
    uint32_t most = course->threads > 1 ? course->threads - 1 : 1;
    return 1 + (course->job->spec->contention - 1) * others / most;
}

/* A processor begins its range once the messages that led to it have come. */
static enum lb_status begin_range(struct course *course, uint32_t processor, struct lb_range range,
                                  double delay)
{
    const struct lb_sim_spec *spec = course->job->spec;
    const struct lb_sim_processor *one = &spec->processors[processor];
    struct worker *worker = &course->workers[processor];
    bool across = range.begin < course->order.count && range.end > course->order.count;
    if (range.begin >= range.end || range.end > course->born || across)
        return bad_range(course, "are no range", range);
    double seconds = lb_sim_work_of(&course->work, range) / one->speed;
    if (one->kind == LB_PROCESSOR_CPU)
        seconds *= slowdown(course, course->busy_threads);
    if (spec->jitter > 0)
        seconds *= 1 + spec->jitter * draw(course);
    seconds += spec->range_overhead;
    if (spec->bandwidth > 0) {
        double transfer = (double)((range.end - range.begin) * sizeof(lb_film_pixel)) / spec->bandwidth;
        course->balance->processors[processor].transfer_seconds += transfer;
        seconds += transfer;
    }
    *worker = (struct worker){range, course->now + delay, course->now + delay + seconds, BUSY};
    course->busy_threads += is_thread(course, processor);
    if (worker->end > one->fails)
        return add_event(course, fmax(one->fails, course->now), processor, FAIL);
    return add_event(course, worker->end, processor, DONE);
}

/* Asks the strategy for a range. `before`: how many messages had been sent when the processor's turn began. */
static enum lb_status ask(struct course *course, uint32_t processor, uint64_t before)
{
    uint32_t count = course->job->spec->count;
    struct lb_range range = {0, 0};
    enum lb_next next = course->job->settings.strategy->next(course->state, processor, &range);
    switch (next) {
    case LB_NEXT_RANGE:
        return begin_range(course, processor, range, message_seconds(course, before));
    case LB_NEXT_WAIT:
        course->workers[processor].condition = WAITING;
        course->waiting[(course->waiting_begin + course->waiting_count++) % count] = processor;
        return LB_OK;
    default:
        course->workers[processor].condition = ENDED;
        return LB_OK;
    }
}

/* Takes the processor that has waited longest and asks the strategy for it again. */
static enum lb_status wake(struct course *course)
{
    uint32_t processor = course->waiting[course->waiting_begin];
    course->waiting_begin = (course->waiting_begin + 1) % course->job->spec->count;
    course->waiting_count--;
    if (course->workers[processor].condition != WAITING)
        return LB_OK; /* lost meanwhile */
    return ask(course, processor, read_counts(course).messages);
}

/* Asks again for processors that wait, after every done, failed and spawn: as long as the strategy says that it is
 * ready, or for at most `most` of them where it cannot say. */
static enum lb_status wake_some(struct course *course, size_t most)
{
    const struct lb_strategy *strategy = course->job->settings.strategy;
    enum lb_status status = LB_OK;
    size_t tries = course->waiting_count;
    if (strategy->ready == NULL && tries > most)
        tries = most;
    for (; tries > 0 && status == LB_OK; tries--) {
        if (strategy->ready != NULL && !strategy->ready(course->state))
            return LB_OK;
        status = wake(course);
    }
    return status;
}

/* ---- events ---- */

static enum lb_status give_birth(struct course *course, uint32_t processor)
{
    const struct lb_sim_births *births = &course->job->spec->births;
    uint64_t so_far = course->born - course->order.count;
    if (course->job->settings.strategy->spawn == NULL || so_far >= births->positions ||
        draw(course) >= births->chance)
        return LB_OK;
    uint64_t size = 1 + (uint64_t)(draw(course) * (double)births->most);
    if (size > births->positions - so_far)
        size = births->positions - so_far;
    struct lb_range child = {course->born, course->born + size};
    course->born = child.end;
    if (!lb_sim_marks_room(&course->given, course->born))
        return lb_error_memory(course->error, NULL);
    course->job->settings.strategy->spawn(course->state, processor, child);
    return LB_OK;
}

static enum lb_status finish_range(struct course *course, uint32_t processor)
{
    struct worker *worker = &course->workers[processor];
    struct lb_report_processor *report = &course->balance->processors[processor];
    struct lb_range range = worker->range;
    uint64_t before = read_counts(course).messages, pixels = lb_sim_work_pixels(&course->work, range);
    if (!lb_sim_marks_set(&course->given, range))
        return bad_range(course, "were given twice", range);
    course->delivered += range.end - range.begin;
    course->busy_threads -= is_thread(course, processor);
    report->ranges++;
    report->pixels += pixels;
    report->positions += range.end - range.begin;
    report->busy_seconds += worker->end - worker->begin;
    report->finish_seconds = worker->end;
    if (course->job->delivered != NULL)
        course->job->delivered(course->job->user, course->plan.frame, &course->order, processor, range,
                               worker->begin, worker->end);
    enum lb_status status = give_birth(course, processor);
    if (status != LB_OK)
        return status;
    course->job->settings.strategy->done(course->state, processor, range, worker->end - worker->begin);
    status = ask(course, processor, before);
    return status == LB_OK ? wake_some(course, TRY_AGAIN) : status;
}

static enum lb_status lose(struct course *course, uint32_t processor)
{
    struct worker *worker = &course->workers[processor];
    struct lb_report_processor *report = &course->balance->processors[processor];
    struct lb_range range = {0, 0};
    if (worker->condition == LOST || worker->condition == ENDED)
        return LB_OK;
    if (worker->condition == BUSY) {
        course->busy_threads -= is_thread(course, processor);
        range = worker->range;
        report->failed++;
        report->busy_seconds += fmax(course->now - worker->begin, 0);
    }
    worker->condition = LOST;
    report->lost = true;
    course->balance->lost++;
    course->job->settings.strategy->failed(course->state, processor, range, true);
    return wake_some(course, course->waiting_count);
}

static enum lb_status happen(struct course *course, const struct lb_sim_event *event)
{
    struct worker *worker = &course->workers[event->processor];
    course->now = event->time;
    switch ((enum kind)event->kind) {
    case ASK:
        if (worker->condition != ABSENT)
            return LB_OK;
        return ask(course, event->processor, read_counts(course).messages);
    case DONE:
        return finish_range(course, event->processor);
    default:
        return lose(course, event->processor);
    }
}

/* Lets events happen until there are none; processors that still wait are then told that the frame has ended. */
static enum lb_status run_events(struct course *course)
{
    struct lb_sim_event event;
    enum lb_status status = LB_OK;
    for (;;) {
        while (status == LB_OK && lb_sim_events_take(&course->events, &event))
            status = happen(course, &event);
        size_t waiting = course->waiting_count;
        for (size_t i = 0; i < waiting && status == LB_OK; i++)
            status = wake(course);
        if (status != LB_OK || course->waiting_count == 0)
            return status;
        if (course->events.count == 0)
            return lb_error_set(course->error, LB_ERROR, "strategy %s: %zu processors wait for nothing",
                                course->job->settings.strategy->name, course->waiting_count);
    }
}

/* ---- frames ---- */

static enum lb_status start_processors(struct course *course)
{
    const struct lb_sim_spec *spec = course->job->spec;
    double begin = 0, speed = 0;
    enum lb_status status = LB_OK;
    for (uint32_t k = 0; k < spec->count; k++)
        speed += spec->processors[k].speed;
    begin = course->probed / speed;
    for (uint32_t k = 0; k < spec->count && status == LB_OK; k++) {
        course->workers[k] = (struct worker){.condition = ABSENT};
        if (course->plan.last != NULL && course->plan.last[k].lost) {
            status = lose(course, k);
            continue;
        }
        status = add_event(course, begin + spec->start_up + spec->processors[k].joins, k, ASK);
        if (status == LB_OK && isfinite(spec->processors[k].fails))
            status = add_event(course, spec->processors[k].fails, k, FAIL);
    }
    return status;
}

static enum lb_status start_report(struct course *course, struct lb_report_frame *frame)
{
    uint32_t count = course->job->spec->count;
    *frame = (struct lb_report_frame){.frame = course->plan.frame, .pass_count = 1};
    frame->passes = calloc(1, sizeof *frame->passes);
    frame->all.processors = calloc(count, sizeof *frame->all.processors);
    if (frame->passes != NULL)
        frame->passes->processors = calloc(count, sizeof *frame->passes->processors);
    if (frame->passes == NULL || frame->all.processors == NULL || frame->passes->processors == NULL)
        return lb_error_memory(course->error, NULL);
    frame->all.processor_count = frame->passes->processor_count = count;
    course->balance = frame->passes;
    for (uint32_t k = 0; k < count; k++) {
        struct lb_report_processor *one = &course->balance->processors[k];
        snprintf(one->name, sizeof one->name, "sim%u", k);
        one->kind = course->job->spec->processors[k].type;
        one->weight = course->plan.processors[k].weight;
        one->weight_source = course->plan.weights_known ? LB_SOURCE_GIVEN : LB_SOURCE_EQUAL;
        one->speed_source = LB_SOURCE_GIVEN;
    }
    return LB_OK;
}

/* Times and shares; the true speeds are known here. */
static void finish_report(struct course *course, struct lb_report_frame *frame, double work)
{
    struct lb_report_balance *balance = course->balance;
    const struct lb_sim_spec *spec = course->job->spec;
    double speed = 0;
    uint64_t blocks = course->order.blocks, before = 0;
    for (uint32_t k = 0; k < balance->processor_count; k++) {
        balance->t = fmax(balance->t, balance->processors[k].finish_seconds);
        speed +=
            spec->processors[k].speed / (is_thread(course, k) ? slowdown(course, course->threads - 1) : 1);
    }
    for (uint32_t k = 0; k < balance->processor_count; k++) {
        struct lb_report_processor *one = &balance->processors[k];
        uint64_t pixels = one->pixels; /* in blocks; rounded so that they still sum to all */
        one->pixels = (before + pixels + blocks / 2) / blocks - (before + blocks / 2) / blocks;
        before += pixels;
        one->share = (double)one->positions / (double)course->born;
        one->idle_seconds = balance->t - one->busy_seconds;
        one->speed = spec->processors[k].speed;
    }
    balance->t_min = work / speed;
    balance->imbalance = balance->t / balance->t_min - 1;
    balance->efficiency = balance->t_min / balance->t;
    balance->counts = read_counts(course);
    struct lb_report_processor *processors = frame->all.processors;
    memcpy(processors, balance->processors, balance->processor_count * sizeof *processors);
    frame->all = *balance;
    frame->all.processors = processors;
    frame->wall_seconds = balance->t;
}

static void measure(const struct course *course, struct lb_measured *last)
{
    for (uint32_t k = 0; k < course->job->spec->count; k++) {
        const struct lb_report_processor *one = &course->balance->processors[k];
        last[k] = (struct lb_measured){one->busy_seconds, one->positions, one->finish_seconds, one->lost};
    }
}

static double sum_map(const struct lb_estimate *map)
{
    double sum = 0;
    for (size_t i = 0; i < (size_t)map->width * map->height; i++)
        sum += fabs((double)map->cost[i]);
    return sum;
}

/* What the strategy is shown of a frame, and what finding it out takes. */
static void probe_frame(struct course *course, uint32_t number, double scale)
{
    const struct lb_simulation *job = course->job;
    const struct lb_strategy *strategy = job->settings.strategy;
    enum lb_probe probe = number > 0 && strategy->probe_once ? LB_PROBE_NONE : strategy->probe;
    const struct lb_estimate *found = job->estimates[probe];
    bool exact = job->known_costs && (strategy->probe != LB_PROBE_NONE || strategy->known_costs);
    course->plan.estimate = exact ? &job->costs[number] : found != NULL ? &found[number] : NULL;
    course->plan.estimate_of = exact ? LB_PROBE_NONE : probe;
    course->probed = !exact && found != NULL ? scale * sum_map(&found[number]) : 0;
}

static void forget_frame(struct course *course)
{
    lb_sim_marks_clear(&course->given);
    course->events.count = 0;
    course->waiting_begin = course->waiting_count = 0;
    course->now = 0;
    course->delivered = 0;
    course->busy_threads = 0;
}

static enum lb_status run_frame(struct course *course, uint32_t number, double scale,
                                struct lb_report_frame *frame)
{
    const struct lb_simulation *job = course->job;
    enum lb_status status;
    forget_frame(course);
    course->plan.frame = number;
    probe_frame(course, number, scale);
    if ((status = start_report(course, frame)) != LB_OK ||
        (status = job->settings.strategy->plan(course->state, &course->plan, &course->order,
                                               course->error)) != LB_OK ||
        (status = check_blocks(course)) != LB_OK ||
        (status = lb_sim_work_lay(&course->work, &course->order, job->spec->samples, job->hilbert,
                                  &job->costs[number], scale, course->error)) != LB_OK)
        return status;
    course->born = course->order.count;
    if (!lb_sim_marks_room(&course->given, course->born))
        return lb_error_memory(course->error, NULL);
    if ((status = start_processors(course)) != LB_OK || (status = run_events(course)) != LB_OK)
        return status;
    if (course->delivered != course->born && course->balance->lost == job->spec->count)
        return lb_error_set(course->error, LB_ERROR, "strategy %s: every processor was lost by %.6g s",
                            job->settings.strategy->name, course->now);
    if (course->delivered != course->born)
        return lb_error_set(course->error, LB_ERROR, "strategy %s: %llu positions were never given",
                            job->settings.strategy->name,
                            (unsigned long long)(course->born - course->delivered));
    double born = (double)(course->born - course->order.count) * course->work.mean;
    if (job->settings.strategy->describe != NULL)
        job->settings.strategy->describe(course->state, course->balance->described,
                                         sizeof course->balance->described);
    finish_report(course, frame, lb_sim_work_all(&course->work) + born);
    return LB_OK;
}

static enum lb_status run_frames(struct course *course, struct lb_report_frame *frames,
                                 struct lb_measured *last)
{
    const struct lb_simulation *job = course->job;
    double scale = job->spec->total_seconds / sum_map(&job->costs[0]);
    enum lb_status status = LB_OK;
    for (uint32_t i = 0; i < job->frame_count && status == LB_OK; i++) {
        status = run_frame(course, i, scale, &frames[i]);
        if (status == LB_OK)
            measure(course, last);
        course->plan.last = last;
    }
    return status;
}

static void describe_processors(const struct lb_simulation *job, struct lb_processor_info *processors)
{
    double sum = 0;
    for (uint32_t k = 0; k < job->spec->count; k++)
        sum += job->weights != NULL ? job->weights[k] : 1;
    for (uint32_t k = 0; k < job->spec->count; k++)
        processors[k] =
            (struct lb_processor_info){job->spec->processors[k].kind, job->spec->processors[k].group,
                                       (job->weights != NULL ? job->weights[k] : 1) / sum};
}

static enum lb_status check_maps(const struct lb_simulation *job, struct lb_error *error)
{
    for (uint32_t i = 0; i < job->frame_count; i++) {
        if (job->costs[i].width != job->width || job->costs[i].height != job->height)
            return lb_error_set(error, LB_ERROR, "a cost map of %u x %u for a picture of %u x %u",
                                job->costs[i].width, job->costs[i].height, job->width, job->height);
        for (size_t pixel = 0; pixel < (size_t)job->width * job->height; pixel++)
            if (!(job->costs[i].cost[pixel] >= 0) || !isfinite(job->costs[i].cost[pixel]))
                return lb_error_set(error, LB_ERROR, "a cost map holds a negative or no number");
    }
    if (!(sum_map(&job->costs[0]) > 0))
        return lb_error_set(error, LB_ERROR, "a cost map holds no cost");
    return LB_OK;
}

enum lb_status lb_simulate(const struct lb_simulation *simulation, struct lb_report_frame *frames,
                           char *describe, size_t describe_size, struct lb_error *error)
{
    uint32_t count = simulation->spec->count;
    struct course course = {.job = simulation, .error = error};
    memset(frames, 0, simulation->frame_count * sizeof *frames);
    enum lb_status status = check_maps(simulation, error);
    if (status != LB_OK)
        return status;
    struct lb_processor_info *processors = calloc(count, sizeof *processors);
    struct lb_measured *last = calloc(count, sizeof *last);
    void *options = lb_strategy_options_make(simulation->settings.strategy, &simulation->settings.options);
    course.state = calloc(1, simulation->settings.strategy->state_size(count));
    course.workers = calloc(count, sizeof *course.workers);
    course.waiting = calloc(count, sizeof *course.waiting);
    if (processors == NULL || last == NULL || options == NULL || course.state == NULL ||
        course.workers == NULL || course.waiting == NULL)
        status = lb_error_memory(error, NULL);
    if (status == LB_OK) {
        describe_processors(simulation, processors);
        course.plan = (struct lb_plan){.width = simulation->width,
                                       .height = simulation->height,
                                       .processor_count = count,
                                       .processors = processors,
                                       .weights_known = simulation->weights != NULL,
                                       .samples = simulation->spec->samples,
                                       .seed = simulation->settings.seed,
                                       .options = options};
        for (uint32_t k = 0; k < count; k++)
            course.threads += is_thread(&course, k);
        status = run_frames(&course, frames, last);
        if (describe != NULL && describe_size > 0)
            describe[0] = 0;
        if (status == LB_OK && describe != NULL && simulation->settings.strategy->describe != NULL)
            simulation->settings.strategy->describe(course.state, describe, describe_size);
        if (simulation->settings.strategy->end != NULL)
            simulation->settings.strategy->end(course.state);
    }
    lb_sim_events_free(&course.events);
    lb_sim_work_free(&course.work);
    lb_sim_marks_free(&course.given);
    free(course.waiting);
    free(course.workers);
    free(course.state);
    free(options);
    free(last);
    free(processors);
    return status;
}
