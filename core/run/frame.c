#include "core/run/frame.h"

#include "core/assemble.h"
#include "core/run/clock.h"

#include <stdlib.h>
#include <string.h>

struct lb_run {
    struct lb_run_options options;
    struct lb_member *members;
    uint32_t count;
    uint32_t *active; /* numbers of the members that are not lost */
    uint32_t active_count;
    void *state;                  /* the strategy's, for the active members */
    bool planned;                 /* it has seen a plan */
    struct lb_progress *progress; /* count */
};

/* What one pass works on: arrays over the active members, and the order's framebuffers. */
struct pass {
    struct lb_run *run;
    const lb_scene *scene;
    uint32_t frame, number, sample_begin, sample_end;
    struct lb_order order;
    struct lb_processor **processors;
    struct lb_processor_info *infos;
    struct lb_measured *last;
    uint32_t *bind_index;
    struct lb_tally *tallies;
    lb_film_pixel *pixels;
    float *cost;
    double begin, t;
};

static enum lb_status out_of_memory(struct lb_error *error)
{
    return lb_error_set(error, LB_ERROR_MEMORY, "out of memory");
}

/* ---- a run ---- */

static void forget_state(struct lb_run *run)
{
    const struct lb_strategy *strategy = run->options.strategy;
    if (run->planned && strategy->end)
        strategy->end(run->state);
    run->planned = false;
    free(run->state);
    run->state = NULL;
}

/* Who takes part. When one has been lost since, the strategy starts afresh with those that are left. */
static enum lb_status choose_active(struct lb_run *run, struct lb_error *error)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < run->count; i++)
        if (!run->members[i].lost && run->members[i].processor)
            run->active[count++] = i;
    if (run->state && count == run->active_count)
        return LB_OK;
    forget_state(run);
    run->active_count = count;
    run->state = calloc(1, run->options.strategy->state_size(count) + 1);
    return run->state ? LB_OK : out_of_memory(error);
}

enum lb_status lb_run_open(const struct lb_run_options *options, struct lb_member *members, uint32_t count,
                           struct lb_run **run, struct lb_error *error)
{
    *run = calloc(1, sizeof **run);
    if (!*run)
        return out_of_memory(error);
    **run = (struct lb_run){.options = *options, .members = members, .count = count};
    (*run)->active = calloc(count, sizeof *(*run)->active);
    (*run)->progress = aligned_alloc(128, count * sizeof *(*run)->progress);
    if (!(*run)->active || !(*run)->progress) {
        lb_run_close(*run);
        return out_of_memory(error);
    }
    memset((*run)->progress, 0, count * sizeof *(*run)->progress);
    return LB_OK;
}

void lb_run_close(struct lb_run *run)
{
    if (!run)
        return;
    forget_state(run);
    free(run->active);
    free(run->progress);
    free(run);
}

uint64_t lb_run_progress(const struct lb_run *run)
{
    uint64_t samples = 0;
    for (uint32_t i = 0; i < run->count; i++)
        samples += atomic_load_explicit(&run->progress[i].samples, memory_order_relaxed);
    return samples;
}

/* ---- a pass ---- */

static void free_pass(struct pass *pass)
{
    for (uint32_t i = 0; pass->tallies && i < pass->run->active_count; i++)
        lb_tally_free(&pass->tallies[i]);
    free(pass->processors);
    free(pass->infos);
    free(pass->last);
    free(pass->bind_index);
    free(pass->tallies);
    free(pass->pixels);
    free(pass->cost);
}

static bool alloc_members(struct pass *pass)
{
    size_t count = pass->run->active_count;
    pass->processors = calloc(count, sizeof *pass->processors);
    pass->infos = calloc(count, sizeof *pass->infos);
    pass->last = calloc(count, sizeof *pass->last);
    pass->bind_index = calloc(count, sizeof *pass->bind_index);
    pass->tallies = aligned_alloc(_Alignof(struct lb_tally), count * sizeof *pass->tallies);
    if (pass->tallies)
        memset(pass->tallies, 0, count * sizeof *pass->tallies);
    return pass->processors && pass->infos && pass->last && pass->bind_index && pass->tallies;
}

static enum lb_status fill_members(struct pass *pass, struct lb_error *error)
{
    const struct lb_run *run = pass->run;
    double sum = 0;
    if (!alloc_members(pass))
        return out_of_memory(error);
    for (uint32_t i = 0; i < run->active_count; i++)
        sum += run->members[run->active[i]].weight;
    for (uint32_t i = 0; i < run->active_count; i++) {
        const struct lb_member *member = &run->members[run->active[i]];
        pass->processors[i] = member->processor;
        pass->infos[i] = (struct lb_processor_info){member->kind, member->group, member->weight / sum};
        pass->last[i] = member->last;
        pass->bind_index[i] = member->bind_index;
    }
    return LB_OK;
}

static enum lb_status plan_pass(struct pass *pass, const struct lb_estimate *estimate, struct lb_error *error)
{
    struct lb_run *run = pass->run;
    const struct lb_run_options *options = &run->options;
    struct lb_plan plan = {.width = pass->scene->film.width,
                           .height = pass->scene->film.height,
                           .processor_count = run->active_count,
                           .processors = pass->infos,
                           .weights_known = options->weights_known,
                           .frame = pass->frame,
                           .pass = pass->number,
                           .region_size = options->region_size,
                           .task_size = options->task_size,
                           .curve = options->curve,
                           .layout = options->layout,
                           .seed = options->seed,
                           .last = run->planned ? pass->last : NULL,
                           .estimate = options->strategy->estimate ? estimate : NULL};
    run->planned = true;
    return options->strategy->plan(run->state, &plan, &pass->order, error);
}

static enum lb_status alloc_buffers(struct pass *pass, struct lb_error *error)
{
    pass->pixels = calloc(pass->order.count, sizeof *pass->pixels);
    if (pass->run->options.want_cost)
        pass->cost = calloc(pass->order.count, sizeof *pass->cost);
    return pass->pixels && (pass->cost || !pass->run->options.want_cost) ? LB_OK : out_of_memory(error);
}

static enum lb_status run_pass(struct pass *pass, struct lb_error *error)
{
    struct lb_run *run = pass->run;
    const struct lb_run_options *options = &run->options;
    struct lb_progress *progress = run->progress;
    struct lb_schedule schedule = {.strategy = options->strategy,
                                   .state = run->state,
                                   .processors = pass->processors,
                                   .count = run->active_count,
                                   .scene = pass->scene,
                                   .order = &pass->order,
                                   .sample_begin = pass->sample_begin,
                                   .sample_end = pass->sample_end,
                                   .pixels = pass->pixels,
                                   .cost = pass->cost,
                                   .cost_in_seconds = options->cost_in_seconds,
                                   .log_spans = options->want_spans || options->want_owners,
                                   .bind = options->bind,
                                   .bind_index = pass->bind_index,
                                   .stop = options->stop,
                                   .begin = pass->begin,
                                   .tallies = pass->tallies,
                                   .progress = progress};
    return lb_schedule_run(&schedule, error);
}

/* ---- what a pass delivers ---- */

/* DESIGN: cost in steps. */
static uint64_t count_steps(const lb_scene *scene, const struct lb_tally *tally)
{
    const lb_counters *c = &tally->counters;
    if (scene->integrator.kind == LB_INTEGRATOR_MANDELBROT)
        return c->nodes;
    return c->nodes + c->groups + 16 * c->shaded + tally->samples;
}

static void report_member(struct lb_report_processor *p, const struct lb_member *member)
{
    if (member->processor)
        memcpy(p->name, member->processor->name, sizeof p->name);
    p->kind = member->kind;
    p->weight = member->weight;
    p->weight_source = member->weight_source;
    p->lost = member->lost;
}

static void report_tally(struct lb_report_processor *p, const struct pass *pass, const struct lb_tally *tally)
{
    uint32_t samples = pass->sample_end - pass->sample_begin;
    p->ranges = tally->ranges;
    p->failed = tally->failed;
    p->samples = tally->samples;
    p->pixels = samples ? tally->samples / samples : 0;
    p->positions = tally->positions;
    p->rays = tally->counters.rays;
    p->bad_samples = tally->counters.bad_samples;
    p->steps = count_steps(pass->scene, tally);
    p->busy_seconds = tally->busy;
    p->busy_cpu_seconds = tally->busy_cpu;
    p->transfer_seconds = tally->transfer;
    p->finish_seconds = tally->finish;
}

/* Takes the tallies over into the members and the pass's balance. */
static enum lb_status report_pass(struct pass *pass, struct lb_report_balance *balance,
                                  struct lb_error *error)
{
    struct lb_run *run = pass->run;
    balance->processors = calloc(run->count, sizeof *balance->processors);
    if (!balance->processors)
        return out_of_memory(error);
    balance->processor_count = run->count;
    for (uint32_t i = 0; i < run->active_count; i++) {
        const struct lb_tally *tally = &pass->tallies[i];
        struct lb_member *member = &run->members[run->active[i]];
        member->lost = tally->lost;
        if (tally->failed || tally->lost)
            member->error = tally->error;
        member->last = (struct lb_measured){tally->busy, tally->positions, tally->finish, tally->lost};
        report_tally(&balance->processors[run->active[i]], pass, tally);
        pass->t = tally->finish > pass->t ? tally->finish : pass->t;
    }
    for (uint32_t i = 0; i < run->count; i++)
        report_member(&balance->processors[i], &run->members[i]);
    balance->t = pass->t;
    if (run->options.strategy->counts)
        run->options.strategy->counts(run->state, &balance->counts);
    lb_balance_finish(balance);
    return LB_OK;
}

static enum lb_status keep_spans(const struct pass *pass, struct lb_frame *frame, double offset,
                                 struct lb_error *error)
{
    const struct lb_run *run = pass->run;
    size_t count = frame->span_count;
    for (uint32_t i = 0; i < run->active_count; i++)
        count += pass->tallies[i].span_count;
    struct lb_frame_span *spans = realloc(frame->spans, (count + 1) * sizeof *spans);
    if (!spans)
        return out_of_memory(error);
    frame->spans = spans;
    for (uint32_t i = 0; i < run->active_count; i++)
        for (size_t j = 0; j < pass->tallies[i].span_count; j++) {
            struct lb_frame_span *span = &frame->spans[frame->span_count++];
            *span = (struct lb_frame_span){run->active[i], pass->number, pass->tallies[i].spans[j]};
            span->span.begin += offset;
            span->span.end += offset;
        }
    return LB_OK;
}

static enum lb_status keep_owners(const struct pass *pass, struct lb_frame *frame, struct lb_error *error)
{
    const struct lb_run *run = pass->run;
    uint64_t pixels = (uint64_t)frame->width * frame->height;
    if (!frame->owners)
        frame->owners = malloc(pixels * sizeof *frame->owners);
    if (!frame->owners)
        return out_of_memory(error);
    memset(frame->owners, 0xff, pixels * sizeof *frame->owners);
    for (uint32_t i = 0; i < run->active_count; i++)
        for (size_t j = 0; j < pass->tallies[i].span_count; j++) {
            const struct lb_span *span = &pass->tallies[i].spans[j];
            for (uint64_t at = span->range.begin; span->delivered && at < span->range.end; at++) {
                uint64_t pixel = lb_order_pixel(&pass->order, at);
                if (pixel != LB_NO_PIXEL)
                    frame->owners[pixel] = run->active[i];
            }
        }
    return LB_OK;
}

static void add_pixels(lb_film_pixel *sum, const lb_film_pixel *more, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++) {
        for (int c = 0; c < 3; c++)
            sum[i].sum[c] += more[i].sum[c];
        sum[i].weight += more[i].weight;
    }
}

/* The pass's picture, by the order's inverse, in place; the first pass's is the frame's, later ones are added to it. */
static enum lb_status assemble(struct pass *pass, struct lb_frame *frame, struct lb_error *error)
{
    uint64_t pixels = (uint64_t)frame->width * frame->height;
    enum lb_status status = lb_order_assemble(&pass->order, pass->pixels, sizeof *pass->pixels, error);
    if (status == LB_OK && pass->cost)
        status = lb_order_assemble(&pass->order, pass->cost, sizeof *pass->cost, error);
    if (status != LB_OK)
        return status;
    if (!frame->pixels) {
        frame->pixels = pass->pixels;
        frame->cost = pass->cost;
        pass->pixels = NULL;
        pass->cost = NULL;
        return LB_OK;
    }
    add_pixels(frame->pixels, pass->pixels, pixels);
    for (uint64_t i = 0; frame->cost && i < pixels; i++)
        frame->cost[i] += pass->cost[i];
    return LB_OK;
}

static enum lb_status finish_pass(struct pass *pass, struct lb_frame *frame, struct lb_error *error)
{
    const struct lb_run_options *options = &pass->run->options;
    struct lb_report_balance *balance = &frame->report.passes[pass->number];
    double offset = frame->report.all.t;
    enum lb_status status = report_pass(pass, balance, error);
    if (status == LB_OK)
        frame->report.pass_count++;
    if (status == LB_OK && options->want_spans)
        status = keep_spans(pass, frame, offset, error);
    if (status == LB_OK && options->want_owners)
        status = keep_owners(pass, frame, error);
    if (status == LB_OK)
        status = assemble(pass, frame, error);
    if (status != LB_OK)
        return status;
    lb_balance_add(&frame->report.all, balance);
    uint64_t samples = 0;
    for (uint32_t i = 0; i < balance->processor_count; i++)
        samples += balance->processors[i].samples;
    frame->samples += samples;
    uint64_t due = (uint64_t)frame->width * frame->height * (pass->sample_end - pass->sample_begin);
    frame->complete = samples == due;
    return LB_OK;
}

static enum lb_status render_pass(struct pass *pass, const struct lb_estimate *estimate,
                                  struct lb_frame *frame, struct lb_error *error)
{
    enum lb_status status = choose_active(pass->run, error);
    pass->begin = lb_clock_now();
    if (status == LB_OK)
        status = fill_members(pass, error);
    if (status == LB_OK)
        status = plan_pass(pass, estimate, error);
    if (status == LB_OK)
        status = alloc_buffers(pass, error);
    if (status == LB_OK)
        status = run_pass(pass, error);
    if (status == LB_OK)
        status = finish_pass(pass, frame, error);
    free_pass(pass);
    return status;
}

/* ---- a frame ---- */

static enum lb_status begin_frame(const struct lb_run *run, const lb_scene *scene, uint32_t number,
                                  struct lb_frame *frame, struct lb_error *error)
{
    *frame = (struct lb_frame){.width = scene->film.width, .height = scene->film.height};
    struct lb_report_frame *report = &frame->report;
    report->frame = number;
    report->passes = calloc(run->options.passes, sizeof *report->passes);
    report->all.processors = calloc(run->count, sizeof *report->all.processors);
    report->all.processor_count = run->count;
    if (!report->passes || !report->all.processors)
        return out_of_memory(error);
    for (uint32_t i = 0; i < run->count; i++)
        report_member(&report->all.processors[i], &run->members[i]);
    return LB_OK;
}

static bool any_left(const struct lb_run *run)
{
    for (uint32_t i = 0; i < run->count; i++)
        if (!run->members[i].lost && run->members[i].processor)
            return true;
    return false;
}

enum lb_status lb_run_frame(struct lb_run *run, const lb_scene *scene, uint32_t number,
                            const struct lb_estimate *estimate, struct lb_frame *frame,
                            struct lb_error *error)
{
    enum lb_status status = begin_frame(run, scene, number, frame, error);
    uint64_t samples = scene->integrator.samples;
    uint32_t passes = samples < run->options.passes ? (uint32_t)samples : run->options.passes;
    frame->complete = any_left(run);
    for (uint32_t i = 0; i < passes && status == LB_OK && frame->complete; i++) {
        if (!any_left(run) || (i > 0 && run->options.stop && atomic_load(run->options.stop))) {
            frame->complete = false;
            break;
        }
        struct pass pass = {.run = run, .scene = scene, .frame = number, .number = i};
        pass.sample_begin = (uint32_t)(samples * i / passes);
        pass.sample_end = (uint32_t)(samples * (i + 1) / passes);
        status = render_pass(&pass, estimate, frame, error);
    }
    if (status != LB_OK) {
        lb_frame_free(frame);
        return status;
    }
    lb_balance_finish(&frame->report.all);
    if (run->planned && run->options.strategy->describe)
        run->options.strategy->describe(run->state, frame->described, sizeof frame->described);
    return LB_OK;
}

void lb_frame_free(struct lb_frame *frame)
{
    free(frame->pixels);
    free(frame->cost);
    free(frame->owners);
    free(frame->spans);
    lb_report_frame_free(&frame->report);
    *frame = (struct lb_frame){0};
}
