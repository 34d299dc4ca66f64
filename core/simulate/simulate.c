#include "core/simulate/simulate.h"

#include "core/simulate/simulate_course.h"
#include "core/speed.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the report ---- */

static enum lb_source weight_source(const struct lb_sim_course *course)
{
    if (course->job->weights != NULL)
        return LB_SOURCE_GIVEN;
    return course->plan.weights_known ? LB_SOURCE_MEASURED : LB_SOURCE_EQUAL;
}

static enum lb_status start_report(struct lb_sim_course *course, struct lb_report_frame *frame)
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
        one->weight_source = weight_source(course);
        one->speed_source = LB_SOURCE_GIVEN;
    }
    return LB_OK;
}

/* Fills in times and shares. Unlike in a real frame, the true speeds are known. */
static void finish_report(struct lb_sim_course *course, struct lb_report_frame *frame, double work)
{
    struct lb_report_balance *balance = course->balance;
    const struct lb_sim_spec *spec = course->job->spec;
    double speed = 0;
    uint64_t blocks = course->order.blocks, before = 0;
    for (uint32_t k = 0; k < balance->processor_count; k++) {
        balance->t = fmax(balance->t, balance->processors[k].finish_seconds);
        speed += lb_sim_course_speed(course, k);
    }
    for (uint32_t k = 0; k < balance->processor_count; k++) {
        struct lb_report_processor *one = &balance->processors[k];
        uint64_t pixels = one->pixels; /* in blocks; rounded so that they still sum to all */
        one->pixels = (before + pixels + blocks / 2) / blocks - (before + blocks / 2) / blocks;
        before += pixels;
        one->share = (double)one->positions / (double)course->born;
        one->idle_seconds = balance->t - one->busy_seconds;
        one->speed =
            spec->processors[k].speed * (spec->processors[k].cores > 0 ? spec->processors[k].cores : 1);
    }
    balance->t_min = work / speed;
    balance->imbalance = balance->t / balance->t_min - 1;
    balance->efficiency = balance->t_min / balance->t;
    balance->counts = lb_sim_course_counts(course);
    lb_balance_wait(balance);
    lb_balance_divide(balance);
    struct lb_report_processor *processors = frame->all.processors;
    memcpy(processors, balance->processors, balance->processor_count * sizeof *processors);
    frame->all = *balance;
    frame->all.processors = processors;
    frame->wall_seconds = balance->t;
}

static void measure(const struct lb_sim_course *course, struct lb_measured *last)
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

/* ---- weights ---- */

struct model {
    const struct lb_sim_processor *like;
    uint32_t number;
};

/* By kind, speed and number of processors: what tells models apart. */
static int compare_models(const struct lb_sim_processor *one, const struct lb_sim_processor *other)
{
    if (one->kind != other->kind)
        return one->kind < other->kind ? -1 : 1;
    if (one->speed < other->speed || one->speed > other->speed)
        return one->speed < other->speed ? -1 : 1;
    return (one->cores > other->cores) - (one->cores < other->cores);
}

static int like_first(const void *a, const void *b)
{
    const struct model *one = a, *other = b;
    int order = compare_models(one->like, other->like);
    return order != 0 ? order : (one->number > other->number) - (one->number < other->number);
}

/* Sets for each processor the number of the first one like it. Returns how many models there are; 0: out of memory. */
static uint32_t find_models(const struct lb_sim_spec *spec, uint32_t *models)
{
    struct model *sorted = calloc(spec->count + 1, sizeof *sorted);
    uint32_t count = 0;
    for (uint32_t k = 0; sorted && k < spec->count; k++)
        sorted[k] = (struct model){&spec->processors[k], k};
    if (sorted)
        qsort(sorted, spec->count, sizeof *sorted, like_first);
    for (uint32_t k = 0; sorted && k < spec->count; k++) {
        bool same = k > 0 && compare_models(sorted[k - 1].like, sorted[k].like) == 0;
        models[sorted[k].number] = same ? models[sorted[k - 1].number] : sorted[k].number;
        count += !same;
    }
    free(sorted);
    return count;
}

/* Sets the weights of the next frame by what this one measured, for strategies that follow weights and where none were
 * given: a real run does the same (core/run/frame_pass.c). */
static enum lb_status weigh(struct lb_sim_course *course, const uint32_t *models,
                            struct lb_processor_info *processors)
{
    uint32_t count = course->job->spec->count;
    double *speeds = calloc(count, sizeof *speeds), *weights = calloc(count, sizeof *weights);
    for (uint32_t k = 0; speeds && weights && k < count; k++) {
        speeds[k] = lb_sim_course_seen(course, k);
        weights[k] = processors[k].weight;
    }
    bool done = speeds && weights && lb_speeds_of_models(models, count, speeds);
    if (done)
        lb_weights_refine(speeds, count, !course->plan.weights_known, weights);
    for (uint32_t k = 0; done && k < count; k++)
        processors[k].weight = weights[k];
    course->plan.weights_known = true;
    free(weights);
    free(speeds);
    return done ? LB_OK : lb_error_memory(course->error, NULL);
}

/* ---- frames ---- */

/* Shows the strategy what it wants to know of a frame. Returns the work that finding it out takes. */
static double probe_frame(struct lb_sim_course *course, uint32_t number, double scale)
{
    const struct lb_simulation *job = course->job;
    const struct lb_strategy *strategy = job->settings.strategy;
    enum lb_probe probe = number > 0 && strategy->probe_once ? LB_PROBE_NONE : strategy->probe;
    const struct lb_estimate *found = job->estimates[probe];
    bool exact = job->known_costs && (strategy->probe != LB_PROBE_NONE || strategy->known_costs);
    course->plan.estimate = exact ? &job->costs[number] : found != NULL ? &found[number] : NULL;
    course->plan.estimate_of = exact ? LB_PROBE_NONE : probe;
    return !exact && found != NULL ? scale * sum_map(&found[number]) : 0;
}

/* Are the blocks of samples that the strategy wants such as its pixels have? */
static enum lb_status check_blocks(struct lb_sim_course *course)
{
    if (course->order.blocks == 0)
        course->order.blocks = 1;
    if (course->order.blocks <= course->job->spec->samples && course->order.count % course->order.blocks == 0)
        return LB_OK;
    return lb_error_set(course->error, LB_ERROR, "strategy %s: %llu positions in %u blocks of %u samples",
                        course->job->settings.strategy->name, (unsigned long long)course->order.count,
                        course->order.blocks, course->job->spec->samples);
}

static enum lb_status run_frame(struct lb_sim_course *course, uint32_t number, double scale,
                                struct lb_report_frame *frame)
{
    const struct lb_simulation *job = course->job;
    enum lb_status status;
    course->plan.frame = number;
    course->probed = probe_frame(course, number, scale);
    if ((status = start_report(course, frame)) != LB_OK ||
        (status = job->settings.strategy->plan(course->state, &course->plan, &course->order,
                                               course->error)) != LB_OK ||
        (status = check_blocks(course)) != LB_OK ||
        (status = lb_sim_work_lay(&course->work, &course->order, job->spec->samples, job->hilbert,
                                  &job->costs[number], scale, course->error)) != LB_OK ||
        (status = lb_sim_course_run(course)) != LB_OK)
        return status;
    double born = (double)(course->born - course->order.count) * course->work.mean;
    if (job->settings.strategy->describe != NULL)
        job->settings.strategy->describe(course->state, course->balance->described,
                                         sizeof course->balance->described);
    finish_report(course, frame, lb_sim_work_all(&course->work) + born);
    return LB_OK;
}

static enum lb_status run_frames(struct lb_sim_course *course, uint32_t *models,
                                 struct lb_processor_info *processors, struct lb_report_frame *frames,
                                 struct lb_measured *last)
{
    const struct lb_simulation *job = course->job;
    double scale = job->spec->total_seconds / sum_map(&job->costs[0]);
    enum lb_status status = LB_OK;
    bool weighs = job->frame_count > 1 && job->weights == NULL &&
                  job->settings.strategy->weights == LB_WEIGHTS_FOLLOWED;
    uint32_t model_count = weighs ? find_models(job->spec, models) : 1;
    if (model_count == 0)
        return lb_error_memory(course->error, NULL);
    for (uint32_t i = 0; i < job->frame_count && status == LB_OK; i++) {
        status = run_frame(course, i, scale, &frames[i]);
        if (status == LB_OK)
            measure(course, last);
        if (status == LB_OK && model_count > 1)
            status = weigh(course, models, processors);
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
    const struct lb_strategy *strategy = simulation->settings.strategy;
    struct lb_sim_course course;
    memset(frames, 0, simulation->frame_count * sizeof *frames);
    enum lb_status status = check_maps(simulation, error);
    if (status != LB_OK)
        return status;
    struct lb_processor_info *processors = calloc(count, sizeof *processors);
    struct lb_measured *last = calloc(count, sizeof *last);
    uint32_t *models = calloc(count, sizeof *models);
    void *options = lb_strategy_options_make(strategy, &simulation->settings.options);
    status = lb_sim_course_open(&course, simulation, error);
    if (processors == NULL || last == NULL || models == NULL || options == NULL)
        status = lb_error_memory(error, NULL);
    if (status == LB_OK) {
        describe_processors(simulation, processors);
        course.plan = (struct lb_plan){.width = simulation->width,
                                       .height = simulation->height,
                                       .processor_count = count,
                                       .processors = processors,
                                       .weights_known = simulation->weights != NULL,
                                       .samples = course.remotes ? 0 : simulation->spec->samples,
                                       .seed = simulation->settings.seed,
                                       .options = options};
        status = run_frames(&course, models, processors, frames, last);
        if (describe != NULL && describe_size > 0)
            describe[0] = 0;
        if (status == LB_OK && describe != NULL && strategy->describe != NULL)
            strategy->describe(course.state, describe, describe_size);
        if (strategy->end != NULL)
            strategy->end(course.state);
    }
    lb_sim_course_close(&course);
    free(options);
    free(models);
    free(last);
    free(processors);
    return status;
}
