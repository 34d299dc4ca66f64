#include "core/run/pass.h"

#include "core/assemble.h"
#include "core/run/weights.h"

#include <stdlib.h>
#include <string.h>

/* A GPU counts no nodes and groups. Where one takes part, work is counted in rays: all count these alike, and speeds
 * have to be comparable. */
static bool counts_rays(const struct lb_pass *pass)
{
    for (uint32_t i = 0; i < pass->run->count; i++) {
        const struct lb_processor *processor = pass->run->members[i].processor;
        if (processor && processor->uncounted)
            return pass->scene->integrator.kind != LB_INTEGRATOR_MANDELBROT;
    }
    return false;
}

/* The cost in steps, the unit of --cost-map. */
static uint64_t count_steps(const lb_scene *scene, const struct lb_report_processor *p, bool in_rays)
{
    const lb_counters *c = &p->counters;
    if (scene->integrator.kind == LB_INTEGRATOR_MANDELBROT)
        return c->nodes;
    if (in_rays)
        return c->rays;
    return c->nodes + c->groups + 16 * c->shaded + p->samples;
}

void lb_report_member(struct lb_report_processor *p, const struct lb_member *member)
{
    if (member->processor)
        memcpy(p->name, member->processor->name, sizeof p->name);
    p->kind = member->type;
    p->model = member->model;
    p->weight = member->weight;
    p->weight_source = member->weight_source;
    p->lost = member->lost;
}

/* Takes the tallies over into the members and the pass's balance. */
static enum lb_status report_pass(struct lb_pass *pass, struct lb_report_balance *balance,
                                  struct lb_error *error)
{
    struct lb_run *run = pass->run;
    balance->processors = calloc(run->count, sizeof *balance->processors);
    if (!balance->processors)
        return lb_error_memory(error, NULL);
    balance->processor_count = run->count;
    balance->in_rays = counts_rays(pass);
    uint32_t samples = pass->sample_end - pass->sample_begin;
    for (uint32_t i = 0; i < run->active_count; i++) {
        const struct lb_tally *tally = &pass->tallies[i];
        struct lb_member *member = &run->members[run->active[i]];
        struct lb_report_processor *p = &balance->processors[run->active[i]];
        *p = tally->did;
        p->pixels = samples ? p->samples / samples : 0;
        p->steps = count_steps(pass->scene, p, balance->in_rays);
        member->lost = p->lost;
        if (p->failed || p->lost)
            member->error = tally->error;
        member->last = (struct lb_measured){p->busy_seconds, p->positions, p->finish_seconds, p->lost};
        pass->t = p->finish_seconds > pass->t ? p->finish_seconds : pass->t;
    }
    for (uint32_t i = 0; i < run->count; i++)
        lb_report_member(&balance->processors[i], &run->members[i]);
    balance->t = pass->t;
    if (run->options.settings.strategy->counts)
        run->options.settings.strategy->counts(run->state, &balance->counts);
    lb_balance_finish(balance);
    return LB_OK;
}

static enum lb_status keep_spans(const struct lb_pass *pass, struct lb_frame *frame, double offset,
                                 struct lb_error *error)
{
    const struct lb_run *run = pass->run;
    size_t count = frame->span_count;
    for (uint32_t i = 0; i < run->active_count; i++)
        count += pass->tallies[i].span_count;
    struct lb_frame_span *spans = realloc(frame->spans, (count + 1) * sizeof *spans);
    if (!spans)
        return lb_error_memory(error, NULL);
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

static enum lb_status keep_owners(const struct lb_pass *pass, struct lb_frame *frame, struct lb_error *error)
{
    const struct lb_run *run = pass->run;
    uint64_t pixels = (uint64_t)frame->width * frame->height;
    if (!frame->owners)
        frame->owners = malloc(pixels * sizeof *frame->owners);
    if (!frame->owners)
        return lb_error_memory(error, NULL);
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

/* Who stopped the run waits: of a stopped pass's picture, what there is is put elsewhere, which takes more memory
 * than the order's inverse in place, but a fraction of its time. Its costs are of no use. False: there is no such
 * memory. */
static bool gather_stopped(struct lb_pass *pass, uint64_t pixels)
{
    lb_film_pixel *picture = calloc(pixels, sizeof *picture);
    if (!picture)
        return false;
    for (uint64_t at = 0; at < pass->order.count; at++)
        if (pass->pixels[at].weight != 0)
            picture[lb_order_pixel(&pass->order, at)] = pass->pixels[at];
    free(pass->pixels);
    free(pass->cost);
    pass->pixels = picture;
    pass->cost = NULL;
    return true;
}

static bool stopped(const struct lb_pass *pass)
{
    const atomic_int *stop = pass->run->options.stop;
    return stop && atomic_load(stop) != 0;
}

/* The pass's picture, by the order's inverse, in place; the first pass's is the frame's, later ones are added to
 * it. */
static enum lb_status assemble(struct lb_pass *pass, struct lb_frame *frame, bool complete,
                               struct lb_error *error)
{
    uint64_t pixels = (uint64_t)frame->width * frame->height;
    bool gathered = !complete && stopped(pass) && gather_stopped(pass, pixels);
    enum lb_status status =
        gathered ? LB_OK : lb_order_assemble(&pass->order, pass->pixels, sizeof *pass->pixels, error);
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
    for (uint64_t i = 0; frame->cost && pass->cost && i < pixels; i++)
        frame->cost[i] += pass->cost[i];
    return LB_OK;
}

static enum lb_status refine_weights(struct lb_run *run, const struct lb_report_balance *balance,
                                     struct lb_error *error)
{
    bool first = !lb_run_weights_known(run);
    double *weights = calloc(run->count, sizeof *weights), *speeds = calloc(run->count, sizeof *speeds);
    bool done = weights && speeds && lb_weights_measure(balance, speeds);
    for (uint32_t i = 0; done && i < run->count; i++)
        weights[i] = run->members[i].weight;
    if (done)
        lb_weights_refine(speeds, run->count, first, weights);
    for (uint32_t i = 0; done && i < run->count; i++) {
        run->members[i].weight = weights[i];
        run->members[i].weight_source = LB_SOURCE_MEASURED;
    }
    free(weights);
    free(speeds);
    return done ? LB_OK : lb_error_memory(error, NULL);
}

static uint64_t count_samples(const struct lb_report_balance *balance)
{
    uint64_t samples = 0;
    for (uint32_t i = 0; i < balance->processor_count; i++)
        samples += balance->processors[i].samples;
    return samples;
}

enum lb_status lb_pass_deliver(struct lb_pass *pass, struct lb_frame *frame, struct lb_error *error)
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
    uint64_t samples = count_samples(balance);
    uint64_t due = (uint64_t)frame->width * frame->height * (pass->sample_end - pass->sample_begin);
    if (status == LB_OK)
        status = assemble(pass, frame, samples == due, error);
    if (status == LB_OK && options->measure_weights &&
        options->settings.strategy->weights == LB_WEIGHTS_FOLLOWED &&
        lb_members_differ(pass->run->members, pass->run->count))
        status = refine_weights(pass->run, balance, error);
    if (status != LB_OK)
        return status;
    lb_balance_add(&frame->report.all, balance);
    frame->samples += samples;
    frame->complete = samples == due;
    return LB_OK;
}
