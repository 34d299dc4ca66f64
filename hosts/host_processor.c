#include "core/machine/clock.h"
#include "hosts/primary.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Who is told to end a job has so many seconds to deliver what there is; the program's end waits no longer. */
static const double STOP_SECONDS = 0.3;

struct host {
    struct lb_processor base;
    struct lb_primary *primary;
    uint32_t index;
    uint64_t occupant; /* whom it stands for */
};

static bool is_there(const struct host *host)
{
    const struct lb_place *place = &host->primary->places[host->index];
    return place->taken && place->occupant == host->occupant;
}

/* Under the lock: until the worker has delivered, is lost, or was told to stop and does not answer in time. */
static void await(struct host *host, struct lb_host_job *job)
{
    struct lb_place *place = &host->primary->places[host->index];
    double due = 0;
    while (!job->ended) {
        if (lb_stopped(job->work->stop) && !job->wants_stop) {
            job->wants_stop = true;
            due = lb_clock_now() + STOP_SECONDS;
            lb_link_wake(&host->primary->link);
        }
        if (job->wants_stop && lb_clock_now() > due) {
            place->job = NULL;
            return;
        }
        lb_primary_nap(host->primary);
    }
}

static enum lb_status render(struct lb_processor *processor, const struct lb_work *work,
                             struct lb_result *result, bool *lost, struct lb_error *error)
{
    struct host *host = (struct host *)processor;
    struct lb_primary *primary = host->primary;
    struct lb_host_job job = {.work = work, .result = result};
    lb_result_clear_all(result, work->range.end - work->range.begin);
    pthread_mutex_lock(&primary->lock);
    bool there = is_there(host);
    if (there) {
        job.number = ++primary->jobs;
        primary->places[host->index].job = &job;
        lb_link_wake(&primary->link);
        await(host, &job);
    } else {
        snprintf(job.why, sizeof job.why, "%s", primary->places[host->index].why);
    }
    pthread_mutex_unlock(&primary->lock);
    if (job.ended && !job.lost)
        return LB_OK;
    /* What has come of the pixels is not known to be whole. */
    lb_result_clear_all(result, work->range.end - work->range.begin);
    if (there && !job.ended) {
        result->stopped = true;
        return LB_OK;
    }
    *lost = true;
    return lb_error_set(error, LB_ERROR, "%s", job.why);
}

static void close_host(struct lb_processor *processor)
{
    free(processor);
}

static const struct lb_processor_table table = {.render = render, .close = close_host};

/* Under the lock: waits while somebody is there who does not have the scene yet. */
static bool has_scene(struct lb_primary *primary, uint32_t index, uint64_t *occupant, char *why, size_t size)
{
    struct lb_place *place = &primary->places[index];
    uint64_t awaited = place->occupant;
    bool there = place->taken;
    while (place->taken && place->occupant == awaited && !lb_scene_mark_equal(place->ready, primary->mark))
        lb_primary_nap(primary);
    *occupant = awaited;
    snprintf(why, size, "%s", place->why);
    return there && place->taken && place->occupant == awaited;
}

enum lb_status lb_host_processor_open(struct lb_primary *primary, uint32_t index,
                                      struct lb_processor **processor, struct lb_error *error)
{
    char why[sizeof primary->places->why];
    if (index >= primary->options.hosts)
        return lb_error_set(error, LB_ERROR_USAGE, "there are places for %u hosts", primary->options.hosts);
    struct host *host = calloc(1, sizeof *host);
    if (!host)
        return lb_error_memory(error, NULL);
    *host = (struct host){.base = {.table = &table, .kind = LB_PROCESSOR_CPU, .whole_ranges = true},
                          .primary = primary,
                          .index = index};
    pthread_mutex_lock(&primary->lock);
    bool there = has_scene(primary, index, &host->occupant, why, sizeof why);
    host->base.uncounted = primary->places[index].uncounted;
    pthread_mutex_unlock(&primary->lock);
    if (!there) {
        free(host);
        return lb_error_set(error, LB_ERROR, "host%u: nobody is there%s%s", index, *why ? ": " : "", why);
    }
    snprintf(host->base.name, sizeof host->base.name, "host%u", index);
    *processor = &host->base;
    return LB_OK;
}
