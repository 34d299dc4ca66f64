#include "core/run/run_state.h"

#include <stdlib.h>
#include <string.h>

void lb_run_forget(struct lb_run *run)
{
    const struct lb_strategy *strategy = run->options.settings.strategy;
    if (run->planned && strategy->end)
        strategy->end(run->state);
    run->planned = false;
    free(run->state);
    run->state = NULL;
}

enum lb_status lb_run_choose(struct lb_run *run, struct lb_error *error)
{
    uint32_t count = 0;
    bool same = run->state != NULL;
    for (uint32_t i = 0; i < run->count; i++)
        if (lb_member_is_left(&run->members[i])) {
            same = same && count < run->active_count && run->active[count] == i;
            run->active[count++] = i;
        }
    if (same && count == run->active_count)
        return LB_OK;
    lb_run_forget(run);
    run->active_count = count;
    run->state = calloc(1, run->options.settings.strategy->state_size(count) + 1);
    return run->state ? LB_OK : lb_error_memory(error, NULL);
}

enum lb_status lb_run_open(const struct lb_run_options *options, struct lb_member *members, uint32_t count,
                           uint32_t most, struct lb_run **run, struct lb_error *error)
{
    *run = calloc(1, sizeof **run);
    if (!*run)
        return lb_error_memory(error, NULL);
    **run = (struct lb_run){.options = *options, .members = members, .count = count, .most = most};
    (*run)->strategy_options =
        lb_strategy_options_make(options->settings.strategy, &options->settings.options);
    (*run)->active = calloc(most, sizeof *(*run)->active);
    (*run)->progress = aligned_alloc(128, most * sizeof *(*run)->progress);
    (*run)->look = options->looked_at ? lb_look_open(count) : NULL;
    if (!(*run)->strategy_options || !(*run)->active || !(*run)->progress ||
        (options->looked_at && !(*run)->look)) {
        lb_run_close(*run);
        return lb_error_memory(error, NULL);
    }
    memset((*run)->progress, 0, most * sizeof *(*run)->progress);
    return LB_OK;
}

enum lb_status lb_run_grow(struct lb_run *run, uint32_t count, struct lb_error *error)
{
    if (!lb_look_grow(run->look, count))
        return lb_error_memory(error, NULL);
    run->count = count;
    return LB_OK;
}

void lb_run_close(struct lb_run *run)
{
    if (!run)
        return;
    lb_run_forget(run);
    free(run->strategy_options);
    free(run->active);
    free(run->progress);
    lb_look_close(run->look);
    free(run);
}

uint64_t lb_run_progress(const struct lb_run *run)
{
    uint64_t samples = 0;
    for (uint32_t i = 0; i < run->most; i++)
        samples += atomic_load_explicit(&run->progress[i].samples, memory_order_relaxed);
    return samples;
}

enum lb_status lb_run_look(struct lb_run *run, const struct lb_part_subject *subject, struct lb_part *part,
                           struct lb_error *error)
{
    return lb_look_take(run->look, subject, part, error);
}

void lb_run_changes(struct lb_run *run, lb_look_show *show, void *user)
{
    lb_look_changes(run->look, show, user);
}

struct lb_run_outlook lb_run_outlook(const struct lb_run *run)
{
    return (struct lb_run_outlook){atomic_load(&run->noise), atomic_load(&run->samples_expected)};
}

bool lb_run_any_left(const struct lb_run *run)
{
    for (uint32_t i = 0; i < run->count; i++)
        if (lb_member_is_left(&run->members[i]))
            return true;
    return false;
}

bool lb_run_stopped(const struct lb_run *run)
{
    return lb_interrupt_signalled(run->options.interrupt) != 0;
}
