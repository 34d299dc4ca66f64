#include "core/machine/clock.h"
#include "hosts/primary/delivery.h"
#include "hosts/primary/place.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A worker that is told to stop has so many seconds to deliver what it has rendered. The program's end waits no
 * longer, and neither do other processors where a host joins: what a device that is busy for longer has in hand goes to
 * others, and the worker stays. */
static const double STOP_SECONDS = 0.3;
/* A worker is to be given more when what it has in hand will last no longer than a message takes there and back, and so
 * many seconds more, as what is known of its progress is as old as its last stripe. */
static const double MARGIN_SECONDS = 0.03;
/* While its speed is not known it has so many works in hand: the one that will tell the speed, and the next. */
enum { UNKNOWN_AHEAD = 2 };

struct host {
    struct lb_processor base;
    struct lb_primary *primary;
    uint32_t index;
    uint64_t occupant; /* the worker that it stands for */
    struct lb_host_jobs jobs;
    double stop_due; /* lb_clock_now() when a worker that was told to stop is given up */
};

static struct lb_place *place_of(const struct host *host)
{
    return &host->primary->places[host->index];
}

static bool is_there(const struct host *host)
{
    return place_of(host)->taken && place_of(host)->occupant == host->occupant;
}

/* ---- under the primary's lock ---- */

static struct lb_host_job *first_job(struct host *host)
{
    return &host->jobs.jobs[host->jobs.first];
}

static void drop_first(struct host *host)
{
    struct lb_host_jobs *jobs = &host->jobs;
    jobs->rendered += first_job(host)->result.render_seconds;
    free(first_job(host)->received);
    *first_job(host) = (struct lb_host_job){.received = NULL};
    jobs->first = (jobs->first + 1) % LB_PIECES_IN_HAND;
    if (--jobs->count == 0)
        place_of(host)->remote.network_seconds += fmax(0, lb_clock_now() - jobs->taken - jobs->rendered);
}

static void drop_all(struct host *host)
{
    while (host->jobs.count > 0)
        drop_first(host);
}

static void add_job(struct host *host, const struct lb_work *work, const struct lb_result *result)
{
    struct lb_host_jobs *jobs = &host->jobs;
    struct lb_host_job *job = &jobs->jobs[(jobs->first + jobs->count) % LB_PIECES_IN_HAND];
    uint64_t positions = work->range.end - work->range.begin;
    if (jobs->count == 0) {
        jobs->wants_stop = jobs->stopped = false;
        jobs->taken = lb_clock_now();
        jobs->rendered = 0;
    }
    *job = (struct lb_host_job){
        .number = ++host->primary->jobs, .work = *work, .result = *result, .left = positions};
    lb_result_clear_all(&job->result, positions);
    jobs->count++;
    if (!is_there(host)) {
        jobs->lost = true;
        snprintf(jobs->why, sizeof jobs->why, "%s", place_of(host)->why);
        return;
    }
    place_of(host)->jobs = jobs;
    lb_link_wake(&host->primary->link);
}

/* How many seconds what the worker has will last beyond the moment when more could be there. At most 0: it should be
 * given more. */
static double seconds_to_spare(const struct host *host)
{
    double left = lb_delivery_left(&host->jobs);
    if (left < 0)
        return host->jobs.count < UNKNOWN_AHEAD ? 0 : 1;
    return left - 1.5 * place_of(host)->remote.round_trip_seconds - MARGIN_SECONDS;
}

/* Tells the outcome of the work that was begun first, which has ended one way or another. */
static void tell_outcome(struct host *host, struct lb_outcome *outcome)
{
    struct lb_host_job *job = first_job(host);
    *outcome = (struct lb_outcome){.status = LB_OK, .result = job->result};
    if (job->ended) {
        drop_first(host);
    } else if (host->jobs.lost) {
        outcome->lost = true;
        outcome->status = lb_error_set(&outcome->error, LB_ERROR, "%s", host->jobs.why);
        drop_all(host);
    } else {
        /* What has come by now counts for nothing, as it is not known how many samples it is. */
        lb_result_clear_all(&outcome->result, job->work.range.end - job->work.range.begin);
        outcome->result.stopped = true;
        drop_first(host);
    }
}

/* Passes a stop on to the worker. True: that was so long ago that the work in front is given up. */
static bool gives_up(struct host *host)
{
    struct lb_host_jobs *jobs = &host->jobs;
    if (lb_stopped(first_job(host)->work.stop) && !jobs->wants_stop) {
        jobs->wants_stop = true;
        host->stop_due = lb_clock_now() + STOP_SECONDS + place_of(host)->remote.round_trip_seconds;
        lb_link_wake(&host->primary->link);
    }
    return jobs->wants_stop && lb_clock_now() > host->stop_due;
}

/* ---- the processor's table ---- */

static void begin(struct lb_processor *processor, const struct lb_work *work, const struct lb_result *result)
{
    struct host *host = (struct host *)processor;
    pthread_mutex_lock(&host->primary->lock);
    add_job(host, work, result);
    pthread_mutex_unlock(&host->primary->lock);
}

static bool await(struct lb_processor *processor, bool may_begin, struct lb_outcome *outcome)
{
    struct host *host = (struct host *)processor;
    double spare = 0.05;
    bool ended = false;
    pthread_mutex_lock(&host->primary->lock);
    for (;;) {
        ended = first_job(host)->ended || host->jobs.lost || gives_up(host);
        spare = may_begin ? seconds_to_spare(host) : 0.05;
        if (ended || spare <= 0)
            break;
        lb_primary_nap(host->primary, spare < 0.05 ? spare : 0.05);
    }
    if (ended)
        tell_outcome(host, outcome);
    pthread_mutex_unlock(&host->primary->lock);
    return ended;
}

static enum lb_status render(struct lb_processor *processor, const struct lb_work *work,
                             struct lb_result *result, bool *lost, struct lb_error *error)
{
    struct lb_outcome outcome;
    begin(processor, work, result);
    await(processor, false, &outcome);
    *result = outcome.result;
    if (outcome.status == LB_OK)
        return LB_OK;
    *lost = outcome.lost;
    *error = outcome.error;
    return outcome.status;
}

static void tell(struct lb_processor *processor, struct lb_remote *remote)
{
    struct host *host = (struct host *)processor;
    pthread_mutex_lock(&host->primary->lock);
    struct lb_remote *own = &place_of(host)->remote;
    *remote = *own;
    remote->processors = calloc(own->processor_count + 1, sizeof *own->processors);
    if (!remote->processors)
        remote->processor_count = 0;
    for (uint32_t i = 0; i < remote->processor_count; i++) {
        remote->processors[i] = own->processors[i];
        own->processors[i].did = (struct lb_remote_did){.ranges = 0};
    }
    own->bytes_sent = own->bytes_received = own->messages = 0;
    own->network_seconds = 0;
    pthread_mutex_unlock(&host->primary->lock);
}

static void close_host(struct lb_processor *processor)
{
    struct host *host = (struct host *)processor;
    pthread_mutex_lock(&host->primary->lock);
    if (is_there(host)) {
        place_of(host)->jobs = NULL;
        place_of(host)->attended = false;
    }
    drop_all(host);
    pthread_mutex_unlock(&host->primary->lock);
    free(processor);
}

static const struct lb_processor_table table = {
    .render = render, .close = close_host, .begin = begin, .await = await, .tell = tell};

/* ---- opening ---- */

/* Could anybody render while a worker is waited for? */
static bool any_could_render(const struct lb_primary *primary)
{
    bool ready = primary->own_count > 0;
    for (uint32_t i = 0; i < primary->place_count && !ready; i++)
        ready = lb_place_is_ready(primary, &primary->places[i]);
    return ready;
}

/* Waits under the primary's lock until the worker in the place has the scene. False: there is none, it is gone, or
 * it is not waited for any longer. */
static bool await_scene(struct lb_primary *primary, const struct lb_place *place, bool at_once)
{
    uint64_t awaited = place->occupant;
    double end = primary->offered + primary->options.patience;
    bool waits = !at_once && place->taken;
    while (waits && !lb_place_is_ready(primary, place)) {
        lb_primary_nap(primary, 0.05);
        waits = place->taken && place->occupant == awaited &&
                (lb_clock_now() < end || !any_could_render(primary));
    }
    return lb_place_is_ready(primary, place) && place->occupant == awaited;
}

static enum lb_status say_absent(const struct lb_primary *primary, uint32_t index, struct lb_error *error)
{
    const struct lb_place *place = &primary->places[index];
    if (place->taken)
        return lb_error_set(error, LB_ERROR, "host%u: %s does not have the scene yet", index, place->name);
    return lb_error_set(error, LB_ERROR, "host%u: nobody is there%s%s", index, *place->why ? ": " : "",
                        place->why);
}

enum lb_status lb_host_processor_open(struct lb_primary *primary, uint32_t index, bool at_once,
                                      struct lb_processor **processor, struct lb_error *error)
{
    if (index >= lb_primary_places(primary))
        return lb_error_set(error, LB_ERROR_USAGE, "there are places for %u hosts",
                            lb_primary_places(primary));
    struct host *host = calloc(1, sizeof *host);
    if (!host)
        return lb_error_memory(error, NULL);
    *host = (struct host){
        .base = {.table = &table, .kind = LB_PROCESSOR_CPU}, .primary = primary, .index = index};
    struct lb_place *place = &primary->places[index];
    enum lb_status status = LB_OK;
    snprintf(host->base.name, sizeof host->base.name, "host%u", index);
    pthread_mutex_lock(&primary->lock);
    if (await_scene(primary, place, at_once)) {
        host->occupant = place->occupant;
        host->base.uncounted = place->uncounted;
        place->attended = true;
    } else {
        status = say_absent(primary, index, error);
    }
    pthread_mutex_unlock(&primary->lock);
    if (status == LB_OK)
        *processor = &host->base;
    else
        free(host);
    return status;
}
