#include "core/run/pass/portion.h"

#include "core/machine/clock.h"
#include "core/run/pass/portion_blocks.h"
#include "core/run/pass/portion_team.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- making a portion ---- */

static void *cleared(size_t alignment, size_t size)
{
    void *memory = aligned_alloc(alignment, size);
    return memory ? memset(memory, 0, size) : NULL;
}

static bool reserve(const struct lb_portion_team *team, struct lb_portion *p)
{
    size_t count = team->count;
    p->number = calloc(count, sizeof *p->number);
    p->index = calloc(count, sizeof *p->index);
    p->processors = calloc(count, sizeof *p->processors);
    p->infos = calloc(count, sizeof *p->infos);
    p->tallies = cleared(_Alignof(struct lb_tally), count * sizeof *p->tallies);
    p->progress = cleared(_Alignof(struct lb_progress), count * sizeof *p->progress);
    p->over = calloc(count, sizeof *p->over);
    p->options = lb_strategy_options_make(p->strategy, &team->settings.options);
    p->state = calloc(1, p->strategy->state_size(team->count) + 1);
    return p->number && p->index && p->processors && p->infos && p->tallies && p->progress && p->over &&
           p->options && p->state;
}

/* The speed of all members of a model together over their number, in samples a second; 0: it is not known. */
static double speed_of_model(const struct lb_portion_team *team, uint32_t model)
{
    double samples = 0, seconds = 0;
    for (uint32_t i = 0; i < team->count; i++)
        if (team->members[i].model == model) {
            samples += team->threads[i].samples;
            seconds += team->threads[i].seconds;
        }
    return seconds > 0 ? samples / seconds : 0;
}

/* Weighs the members by what was measured of them so far, where the strategy may know such things, nobody gave the
 * weights, and all were measured. */
static bool weigh(const struct lb_portion_team *team, struct lb_portion *p)
{
    if (lb_members_weighed(team->members, p->number, p->count))
        return true;
    if (!p->strategy->kept_speeds)
        return false;
    for (uint32_t i = 0; i < p->count; i++)
        if (!(speed_of_model(team, team->members[p->number[i]].model) > 0))
            return false;
    for (uint32_t i = 0; i < p->count; i++)
        p->infos[i].weight = speed_of_model(team, team->members[p->number[i]].model);
    return true;
}

/* Chooses the members that are left. Returns whether their weights are known. */
static bool choose(struct lb_portion_team *team, struct lb_portion *p)
{
    double sum = 0;
    pthread_mutex_lock(&team->lock);
    for (uint32_t i = 0; i < team->count; i++) {
        const struct lb_member *member = &team->members[i];
        if (!lb_member_is_left(member))
            continue;
        p->number[p->count] = i;
        p->processors[p->count] = member->processor;
        p->infos[p->count++] = (struct lb_processor_info){member->kind, member->group, member->weight};
    }
    bool known = weigh(team, p);
    pthread_mutex_unlock(&team->lock);
    for (uint32_t i = 0; i < team->count; i++)
        p->index[i] = p->count;
    for (uint32_t i = 0; i < p->count; i++) {
        p->index[p->number[i]] = i;
        sum += p->infos[i].weight;
    }
    for (uint32_t i = 0; i < p->count; i++)
        p->infos[i].weight /= sum;
    return known;
}

/* The positions of all blocks of samples. */
static uint64_t positions_of(const struct lb_portion *p, const struct lb_work *work)
{
    return (work->range.end - work->range.begin) * p->order.blocks;
}

/* The strategy plans a picture of as many pixels as there are positions, as nearly square as can be. Where its pixels
 * lie does not matter: only its positions are used. */
static enum lb_status plan(const struct lb_portion_team *team, const struct lb_work *work, bool weights_known,
                           struct lb_portion *p, lb_order *order, struct lb_error *error)
{
    uint64_t count = positions_of(p, work);
    uint64_t width = (uint64_t)ceil(sqrt((double)count));
    struct lb_plan plan = {.width = (uint32_t)width,
                           .height = (uint32_t)((count + width - 1) / width),
                           .processor_count = p->count,
                           .processors = p->infos,
                           .weights_known = weights_known,
                           .seed = team->settings.seed,
                           .options = p->options};
    p->planned = true;
    return p->strategy->plan(p->state, &plan, order, error);
}

static void prepare(const struct lb_portion_team *team, const struct lb_work *work,
                    const struct lb_listener *listener, const struct lb_result *result, uint64_t dealt,
                    struct lb_portion *p)
{
    const struct lb_result *into = p->order.blocks > 1 ? &p->split : result;
    p->schedule = (struct lb_schedule){.strategy = p->strategy,
                                       .state = p->state,
                                       .processors = p->processors,
                                       .count = p->count,
                                       .scene = work->scene,
                                       .order = &p->order,
                                       .sample_begin = work->sample_begin,
                                       .sample_end = work->sample_end,
                                       .part = work->range,
                                       .dealt = dealt,
                                       .pixels = into->pixels,
                                       .sums = into->sums,
                                       .cost = into->cost,
                                       .cost_in_seconds = result->cost_in_seconds,
                                       .coverage = work->coverage,
                                       .bind = team->settings.bind,
                                       .stop = work->stop,
                                       .begin = lb_clock_now(),
                                       .tallies = p->tallies,
                                       .progress = p->progress,
                                       .listener = p->order.blocks > 1 ? NULL : listener};
    p->left = positions_of(p, work);
}

/* Makes a portion of the members that are left. LB_ERROR: none is, or there is no memory. portion_free() frees it in
 * any case. */
static enum lb_status portion_make(struct lb_portion_team *team, const struct lb_work *work,
                                   const struct lb_listener *listener, struct lb_result *result,
                                   struct lb_portion *portion, struct lb_error *error)
{
    *portion = (struct lb_portion){.strategy = team->settings.strategy};
    lb_asking_open(&portion->asking, portion->strategy, NULL, 0);
    if (!reserve(team, portion))
        return lb_error_memory(error, NULL);
    bool weights_known = choose(team, portion);
    if (portion->count == 0)
        return lb_error_set(error, LB_ERROR, "every processor was lost");
    portion->asking.state = portion->state;
    portion->asking.count = portion->count;
    portion->whole = lb_order_block(*work->order);
    portion->order = lb_order_split(portion->whole, lb_portion_blocks(work, portion->count));
    if (portion->order.blocks > 1 &&
        !lb_portion_blocks_make(work, portion->order.blocks, result, &portion->split))
        return lb_error_memory(error, NULL);
    lb_order order;
    enum lb_status status = plan(team, work, weights_known, portion, &order, error);
    if (status == LB_OK)
        prepare(team, work, listener, result, order.count, portion);
    return status;
}

static void portion_free(struct lb_portion *p)
{
    if (p->planned && p->strategy->end)
        p->strategy->end(p->state);
    for (uint32_t i = 0; p->tallies && i < p->count; i++)
        lb_tally_free(&p->tallies[i]);
    lb_asking_close(&p->asking);
    lb_portion_blocks_free(&p->split);
    free(p->number);
    free(p->index);
    free(p->processors);
    free(p->infos);
    free(p->tallies);
    free(p->progress);
    free(p->over);
    free(p->options);
    free(p->state);
}

/* ---- rendering it ---- */

/* Puts blocks of samples together. Where the portion was stopped, only pixels of which all samples are there count, and
 * nobody is told to have rendered more. */
static void join_blocks(const struct lb_portion *p, const struct lb_work *work,
                        const struct lb_listener *listener, struct lb_result *result,
                        struct lb_remote_did *told)
{
    if (p->order.blocks == 1)
        return;
    result->samples =
        lb_portion_blocks_join(work, p->order.blocks, p->left == 0, &p->split, listener, result);
    uint64_t left = result->samples;
    for (uint32_t i = 0; told && i < p->count; i++) {
        struct lb_remote_did *did = &told[p->number[i]];
        did->samples = did->samples < left ? did->samples : left;
        left -= did->samples;
    }
}

/* Adds up what they did. */
static enum lb_status collect(const struct lb_portion *p, const struct lb_work *work,
                              struct lb_result *result, struct lb_remote_did *told, struct lb_error *error)
{
    double busy = 0;
    for (uint32_t i = 0; i < p->count; i++) {
        const struct lb_report_processor *did = &p->tallies[i].did;
        busy += did->busy_seconds;
        result->samples += did->samples;
        lb_counters_add(&result->counters, &did->counters);
        if (told)
            told[p->number[i]] = (struct lb_remote_did){did->ranges, did->samples, did->busy_seconds};
    }
    result->render_seconds = busy / p->count;
    if (p->left == 0)
        return LB_OK;
    result->stopped = true;
    if (lb_stopped(work->stop))
        return LB_OK;
    if (p->stalled)
        return lb_error_set(error, LB_ERROR, "the strategy %s lets every processor wait for nothing",
                            p->strategy->name);
    return lb_error_set(error, LB_ERROR, "every processor was lost");
}

enum lb_status lb_portion_render(struct lb_portion_team *team, const struct lb_work *work,
                                 const struct lb_listener *listener, struct lb_result *result,
                                 struct lb_remote_did *did, struct lb_error *error)
{
    struct lb_portion portion;
    if (did)
        memset(did, 0, team->count * sizeof *did);
    lb_result_clear_all(result, work->range.end - work->range.begin);
    enum lb_status status = portion_make(team, work, listener, result, &portion, error);
    if (status == LB_OK) {
        lb_portion_perform(team, &portion);
        status = collect(&portion, work, result, did, error);
        join_blocks(&portion, work, listener, result, did);
    }
    portion_free(&portion);
    return status;
}
