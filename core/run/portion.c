#include "core/run/portion.h"

#include "core/machine/clock.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The members that are left, an array for each thing that the scheduler and the strategy want to know of them. */
struct active {
    uint32_t count;
    uint32_t *number; /* in the team */
    struct lb_processor **processors;
    struct lb_processor_info *infos;
    uint32_t *bind_index;
    struct lb_tally *tallies;
    struct lb_progress *progress;
    void *options, *state; /* the strategy's */
    bool planned;
};

static void release(const struct lb_strategy *strategy, struct active *a)
{
    if (a->planned && strategy->end)
        strategy->end(a->state);
    for (uint32_t i = 0; a->tallies && i < a->count; i++)
        lb_tally_free(&a->tallies[i]);
    free(a->number);
    free(a->processors);
    free(a->infos);
    free(a->bind_index);
    free(a->tallies);
    free(a->progress);
    free(a->options);
    free(a->state);
}

static void *cleared(size_t alignment, size_t size)
{
    void *memory = aligned_alloc(alignment, size);
    return memory ? memset(memory, 0, size) : NULL;
}

static bool reserve(const struct lb_portion_team *team, struct active *a)
{
    size_t count = team->count;
    const struct lb_strategy *strategy = team->settings.strategy;
    a->number = calloc(count, sizeof *a->number);
    a->processors = calloc(count, sizeof *a->processors);
    a->infos = calloc(count, sizeof *a->infos);
    a->bind_index = calloc(count, sizeof *a->bind_index);
    a->tallies = cleared(_Alignof(struct lb_tally), count * sizeof *a->tallies);
    a->progress = cleared(_Alignof(struct lb_progress), count * sizeof *a->progress);
    a->options = lb_strategy_options_make(strategy, &team->settings.options);
    a->state = calloc(1, strategy->state_size(team->count) + 1);
    return a->number && a->processors && a->infos && a->bind_index && a->tallies && a->progress &&
           a->options && a->state;
}

static enum lb_status choose(const struct lb_portion_team *team, struct active *a, struct lb_error *error)
{
    double sum = 0;
    *a = (struct active){.count = 0};
    if (!reserve(team, a))
        return lb_error_memory(error, NULL);
    for (uint32_t i = 0; i < team->count; i++) {
        const struct lb_member *member = &team->members[i];
        if (!lb_member_is_left(member))
            continue;
        a->number[a->count] = i;
        a->processors[a->count] = member->processor;
        a->bind_index[a->count] = member->bind_index;
        a->infos[a->count++] = (struct lb_processor_info){member->kind, member->group, member->weight};
        sum += member->weight;
    }
    for (uint32_t i = 0; i < a->count; i++)
        a->infos[i].weight /= sum;
    return a->count ? LB_OK : lb_error_set(error, LB_ERROR, "every processor was lost");
}

/* The strategy plans a picture of as many pixels as the range has positions, as nearly square as can be. Where its
 * pixels lie does not matter: only its positions are used, the range's counted from 0. */
static enum lb_status plan(const struct lb_portion_team *team, const struct lb_work *work, struct active *a,
                           struct lb_error *error)
{
    uint64_t count = work->range.end - work->range.begin;
    uint64_t width = (uint64_t)ceil(sqrt((double)count));
    lb_order order;
    struct lb_plan plan = {.width = (uint32_t)width,
                           .height = (uint32_t)((count + width - 1) / width),
                           .processor_count = a->count,
                           .processors = a->infos,
                           .weights_known = lb_members_weighed(team->members, a->number, a->count),
                           .seed = team->settings.seed,
                           .options = a->options};
    a->planned = true;
    return team->settings.strategy->plan(a->state, &plan, &order, error);
}

static enum lb_status run(const struct lb_portion_team *team, const struct lb_work *work,
                          const struct lb_listener *listener, struct active *a, struct lb_result *result,
                          struct lb_error *error)
{
    struct lb_schedule schedule = {.strategy = team->settings.strategy,
                                   .state = a->state,
                                   .processors = a->processors,
                                   .count = a->count,
                                   .scene = work->scene,
                                   .order = work->order,
                                   .sample_begin = work->sample_begin,
                                   .sample_end = work->sample_end,
                                   .part = work->range,
                                   .pixels = result->pixels,
                                   .sums = result->sums,
                                   .cost = result->cost,
                                   .cost_in_seconds = result->cost_in_seconds,
                                   .coverage = work->coverage,
                                   .bind = team->settings.bind,
                                   .bind_index = a->bind_index,
                                   .stop = (const atomic_int *)work->stop,
                                   .begin = lb_clock_now(),
                                   .tallies = a->tallies,
                                   .progress = a->progress,
                                   .listener = listener};
    return lb_schedule_run(&schedule, error);
}

/* Adds up what they did, and says who was lost. */
static enum lb_status collect(const struct lb_portion_team *team, const struct lb_work *work,
                              const struct active *a, struct lb_result *result, struct lb_remote_did *told,
                              struct lb_error *error)
{
    uint64_t positions = 0;
    for (uint32_t i = 0; i < a->count; i++) {
        const struct lb_report_processor *did = &a->tallies[i].did;
        struct lb_member *member = &team->members[a->number[i]];
        positions += did->positions;
        result->samples += did->samples;
        lb_counters_add(&result->counters, &did->counters);
        if (told)
            told[a->number[i]] = (struct lb_remote_did){did->ranges, did->samples, did->busy_seconds};
        if (did->lost) {
            member->lost = true;
            member->error = a->tallies[i].error;
        }
    }
    if (positions == work->range.end - work->range.begin)
        return LB_OK;
    result->stopped = true;
    if (lb_stopped(work->stop))
        return LB_OK;
    return lb_error_set(error, LB_ERROR, "every processor was lost");
}

enum lb_status lb_portion_render(const struct lb_portion_team *team, const struct lb_work *work,
                                 const struct lb_listener *listener, struct lb_result *result,
                                 struct lb_remote_did *did, struct lb_error *error)
{
    struct active active;
    if (did)
        memset(did, 0, team->count * sizeof *did);
    lb_result_clear_all(result, work->range.end - work->range.begin);
    enum lb_status status = choose(team, &active, error);
    if (status == LB_OK)
        status = plan(team, work, &active, error);
    if (status == LB_OK)
        status = run(team, work, listener, &active, result, error);
    if (status == LB_OK)
        status = collect(team, work, &active, result, did, error);
    release(team->settings.strategy, &active);
    return status;
}
