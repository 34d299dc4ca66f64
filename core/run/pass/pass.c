#include "core/run/pass/pass.h"

#include "core/base/pages.h"
#include "core/run/pass/pass_figures.h"
#include "core/run/pass/pass_picture.h"
#include "core/run/pass/pass_spans.h"

#include <stdlib.h>
#include <string.h>

/* What the scheduler and the strategy want to know of the members that take part, an array each. */
struct active {
    struct lb_processor **processors;
    struct lb_processor_info *infos;
    struct lb_measured *last;
    uint32_t *bind_index;
    struct lb_tally *tallies;
};

static void active_free(struct active *active, uint32_t count)
{
    for (uint32_t i = 0; active->tallies && i < count; i++)
        lb_tally_free(&active->tallies[i]);
    free(active->processors);
    free(active->infos);
    free(active->last);
    free(active->bind_index);
    free(active->tallies);
}

static bool active_make(struct active *active, size_t count)
{
    active->processors = calloc(count, sizeof *active->processors);
    active->infos = calloc(count, sizeof *active->infos);
    active->last = calloc(count, sizeof *active->last);
    active->bind_index = calloc(count, sizeof *active->bind_index);
    active->tallies = aligned_alloc(_Alignof(struct lb_tally), count * sizeof *active->tallies);
    if (active->tallies)
        memset(active->tallies, 0, count * sizeof *active->tallies);
    return active->processors && active->infos && active->last && active->bind_index && active->tallies;
}

static enum lb_status active_fill(const struct lb_pass_job *job, struct active *active,
                                  struct lb_error *error)
{
    double sum = 0;
    if (!active_make(active, job->active_count))
        return lb_error_memory(error, NULL);
    for (uint32_t i = 0; i < job->active_count; i++)
        sum += job->members[job->active[i]].weight;
    for (uint32_t i = 0; i < job->active_count; i++) {
        const struct lb_member *member = &job->members[job->active[i]];
        active->processors[i] = member->processor;
        active->infos[i] = (struct lb_processor_info){member->kind, member->group, member->weight / sum};
        active->last[i] = member->last;
        active->bind_index[i] = member->bind_index;
    }
    return LB_OK;
}

static enum lb_status plan(const struct lb_pass_job *job, const struct active *active, lb_order *order,
                           struct lb_error *error)
{
    const struct lb_settings *settings = &job->options->settings;
    struct lb_plan plan = {.width = job->scene->film.width,
                           .height = job->scene->film.height,
                           .processor_count = job->active_count,
                           .processors = active->infos,
                           .weights_known = lb_members_weighed(job->members, job->active, job->active_count),
                           .frame = job->frame,
                           .pass = job->number,
                           .samples = job->split ? job->sample_end - job->sample_begin : 0,
                           .seed = settings->seed,
                           .options = job->strategy_options,
                           .last = job->planned ? active->last : NULL,
                           .estimate = job->estimate,
                           .estimate_of = settings->strategy->probe};
    return settings->strategy->plan(job->state, &plan, order, error);
}

/* The local framebuffers, laid end to end. */
static enum lb_status make_buffers(const struct lb_pass_job *job, const lb_order *order,
                                   struct lb_pass_result *result, struct lb_error *error)
{
    const lb_film *film = &job->scene->film;
    bool want_cost = job->options->want_cost;
    result->pixels = lb_pages_calloc(order->count, sizeof *result->pixels);
    result->cost = want_cost ? lb_pages_calloc(order->count, sizeof *result->cost) : NULL;
    size_t sums = job->scene->channels.count;
    result->sums = sums ? lb_pages_calloc(order->count, sums * sizeof *result->sums) : NULL;
    if (result->pixels && (result->cost || !want_cost) && (result->sums || !sums))
        return LB_OK;
    size_t each = sizeof *result->pixels + sums * sizeof *result->sums + want_cost * sizeof *result->cost;
    return lb_error_set(error, LB_ERROR_MEMORY, "out of memory for %u x %u pixels, %.3g GB", film->width,
                        film->height, (double)order->count * (double)each * 1e-9);
}

static struct lb_schedule schedule_of(const struct lb_pass_job *job, const struct active *active,
                                      const lb_order *order, const struct lb_pass_result *result)
{
    const struct lb_run_options *options = job->options;
    return (struct lb_schedule){.strategy = options->settings.strategy,
                                .state = job->state,
                                .processors = active->processors,
                                .count = job->active_count,
                                .scene = job->scene,
                                .order = order,
                                .sample_begin = job->sample_begin,
                                .sample_end = job->sample_end,
                                .part = {0, lb_order_block(*order).count},
                                .dealt = order->count,
                                .pixels = result->pixels,
                                .sums = result->sums,
                                .cost = result->cost,
                                .cost_in_seconds = options->settings.cost_in_seconds,
                                .log_spans = options->want_spans || options->want_owned,
                                .bind = options->settings.bind,
                                .bind_index = active->bind_index,
                                .stop =
                                    options->interrupt ? lb_interrupt_number(&options->interrupt->now) : NULL,
                                .begin = job->begin,
                                .tallies = active->tallies,
                                .look = job->look,
                                .progress = job->progress};
}

/* The levels along the pass's order, the caller's to free; NULL: there are none, or no memory for them. */
static struct lb_schedule_level *levels_of(const struct lb_pass_job *job, const lb_order *order)
{
    struct lb_schedule_level *levels = job->level_count ? calloc(job->level_count, sizeof *levels) : NULL;
    for (uint32_t i = 0; levels && i < job->level_count; i++) {
        const struct lb_pass_level *level = &job->levels[i];
        levels[i] = (struct lb_schedule_level){*order, level->sample_begin, level->sample_end};
        levels[i].order.left_out = level->left_out;
    }
    return levels;
}

/* Figures and picture, of what the members rendered. */
static enum lb_status collect(const struct lb_pass_job *job, const struct active *active,
                              const lb_order *order, struct lb_pass_result *result, struct lb_error *error)
{
    enum lb_status status = lb_pass_figures(job, active->tallies, result, error);
    if (status == LB_OK)
        status = lb_pass_spans(job, active->tallies, result, error);
    if (status == LB_OK)
        status = lb_pass_owned(job, active->tallies, order, result, error);
    if (status == LB_OK)
        status = lb_pass_assemble(job, order, result, error);
    return status;
}

enum lb_status lb_pass_render(const struct lb_pass_job *job, struct lb_pass_result *result,
                              struct lb_error *error)
{
    struct active active = {0};
    lb_order order;
    *result = (struct lb_pass_result){.planned = job->planned};
    enum lb_status status = active_fill(job, &active, error);
    if (status == LB_OK) {
        result->planned = true;
        status = plan(job, &active, &order, error);
        order.left_out = job->left_out;
    }
    if (status == LB_OK)
        status = make_buffers(job, &order, result, error);
    if (status == LB_OK) {
        struct lb_schedule schedule = schedule_of(job, &active, &order, result);
        struct lb_schedule_level *levels = levels_of(job, &order);
        schedule.levels = levels;
        schedule.level_count = job->level_count;
        schedule.squares = job->squares;
        const struct lb_look_pass shown = {&order, result->pixels, result->sums, job->sample_begin,
                                           job->sample_end};
        lb_look_begin(job->look, &shown);
        status =
            job->level_count && !levels ? lb_error_memory(error, NULL) : lb_schedule_run(&schedule, error);
        free(levels);
        lb_look_end(job->look);
        result->hidden = true;
    }
    if (status == LB_OK)
        status = collect(job, &active, &order, result, error);
    active_free(&active, job->active_count);
    return status;
}

void lb_pass_result_free(struct lb_pass_result *result)
{
    lb_balance_free(&result->balance);
    free(result->errors);
    free(result->pixels);
    free(result->sums);
    free(result->cost);
    free(result->owned);
    free(result->spans);
    *result = (struct lb_pass_result){0};
}
