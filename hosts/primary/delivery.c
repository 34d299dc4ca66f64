#include "hosts/primary/delivery.h"

#include "core/kernel/order/walk.h"
#include "core/machine/clock.h"
#include "hosts/wire/pack.h"
#include "hosts/primary/place.h"

#include <math.h>
#include <stdlib.h>

/* A worker may take so many times as long for its next pixels as it ever took for some. */
static const double PAUSES = 8;

static uint64_t positions_of(const struct lb_host_job *job)
{
    return job->work.range.end - job->work.range.begin;
}

/* ---- sending ---- */

static void send_job(struct lb_primary *primary, struct lb_place *place, struct lb_host_job *job)
{
    struct lb_message message = {.kind = LB_MESSAGE_JOB, .job = job->number, .scene = primary->mark};
    size_t size = lb_message_job_size(&job->work);
    void *rest = malloc(size);
    job->received = calloc(positions_of(job) / 64 + 1, sizeof *job->received);
    job->sent = lb_clock_now();
    if (rest && job->received) {
        lb_message_job_write(&job->work, &job->result, rest);
        lb_place_tell(primary, place, &message, rest, size);
        place->unanswered++;
    } else {
        lb_place_vacate(primary, place, "there is no memory for its work");
    }
    free(rest);
}

void lb_delivery_send(struct lb_primary *primary, struct lb_place *place)
{
    struct lb_host_jobs *jobs = place->jobs;
    for (uint32_t i = 0; place->jobs && i < jobs->count; i++) {
        struct lb_host_job *job = &jobs->jobs[(jobs->first + i) % LB_PIECES_IN_HAND];
        if (job->received)
            continue;
        if (place->unanswered == LB_PIECES_IN_HAND)
            break;
        if (i == 0)
            jobs->moved = lb_clock_now();
        send_job(primary, place, job);
    }
    if (place->jobs && jobs->wants_stop && !jobs->stopped) {
        struct lb_message stop = {.kind = LB_MESSAGE_STOP};
        jobs->stopped = true;
        lb_place_tell(primary, place, &stop, NULL, 0);
    }
}

/* ---- what comes back ---- */

static void note_moved(struct lb_host_jobs *jobs)
{
    double now = lb_clock_now();
    jobs->pause = fmax(jobs->pause, now - jobs->moved);
    jobs->moved = now;
}

/* Finds the job of a message, which was sent to this worker and has not ended. NULL: the job was given up, and
 * nothing of it is of use any more. */
static struct lb_host_job *find_job(const struct lb_place *place, uint64_t number)
{
    struct lb_host_jobs *jobs = place->jobs;
    for (uint32_t i = 0; jobs && i < jobs->count; i++) {
        struct lb_host_job *job = &jobs->jobs[(jobs->first + i) % LB_PIECES_IN_HAND];
        if (job->number == number && job->received && !job->ended)
            return job;
    }
    return NULL;
}

/* Notes positions as received. Where the worker lost one of its processors they may come twice, with the same pixels as
 * before. */
static void note_received(struct lb_host_job *job, uint64_t begin, uint64_t count)
{
    for (uint64_t i = begin; i < begin + count; i++) {
        uint64_t bit = (uint64_t)1 << i % 64;
        job->left -= (job->received[i / 64] & bit) == 0;
        job->received[i / 64] |= bit;
    }
}

void lb_delivery_pixels(struct lb_primary *primary, struct lb_place *place, const struct lb_message *message,
                        const char *rest, size_t size)
{
    struct lb_host_job *job = find_job(place, message->job);
    if (!job)
        return;
    uint64_t all = positions_of(job);
    size_t each = lb_stripe_position(&job->result);
    char unpacked[LB_STRIPE_BYTES];
    if (message->packed && message->count <= sizeof unpacked / each &&
        lb_unpack(rest, size, unpacked, message->count * each)) {
        rest = unpacked;
        size = message->count * each;
    }
    if (message->begin > all || message->count > all - message->begin || size % each ||
        size / each != message->count) {
        lb_place_expel(primary, place, "it sent pixels that nobody asked for");
        return;
    }
    lb_stripe_read(&job->result, message->begin, message->count, rest);
    note_received(job, message->begin, message->count);
    note_moved(place->jobs);
}

/* The seconds that a worker says it took, of which no more are believed than have gone by since it was given the
 * job. */
static double believed_seconds(const struct lb_host_job *job, double seconds)
{
    double most = lb_clock_now() - job->sent;
    return seconds >= 0 && seconds <= most ? seconds : most;
}

static uint64_t samples_due(const struct lb_work *work)
{
    uint64_t pixels = 0;
    lb_order_walk walk;
    lb_order_walk_begin(work->order, &walk);
    for (uint64_t at = work->range.begin; at < work->range.end; at++)
        pixels += lb_order_walk_due(&walk, at) != LB_NO_PIXEL;
    return pixels * (work->sample_end - work->sample_begin);
}

/* May a work have so many samples? All of them, unless it was stopped or only asks what is there. */
static bool is_believed(const struct lb_work *work, uint64_t samples, bool stopped)
{
    uint64_t due = samples_due(work);
    return samples == due || (samples < due && (stopped || work->coverage));
}

void lb_delivery_done(struct lb_primary *primary, struct lb_place *place, const struct lb_message *message,
                      const void *rest, size_t size)
{
    struct lb_host_job *job = find_job(place, message->job);
    place->unanswered -= place->unanswered > 0;
    if (!job)
        return;
    const struct lb_work *work = &job->work;
    bool stopped = message->stopped && place->jobs->stopped;
    if ((job->left > 0 && !stopped) || (message->stopped && !stopped) ||
        !is_believed(work, message->samples, stopped) ||
        !lb_message_did_read(rest, size, place->remote.processor_count, message->samples,
                             lb_clock_now() - job->sent, place->remote.processors)) {
        lb_place_expel(primary, place, "it sent other than was asked for");
        return;
    }
    job->result.samples = message->samples;
    job->result.counters = message->counters;
    job->result.stopped = stopped;
    job->result.render_seconds = believed_seconds(job, message->seconds);
    job->ended = true;
    if (!stopped) {
        place->jobs->positions += (double)positions_of(job);
        place->jobs->seconds += job->result.render_seconds;
    }
    note_moved(place->jobs);
    pthread_cond_broadcast(&primary->changed);
}

bool lb_delivery_is_late(const struct lb_host_jobs *jobs, double due)
{
    if (!jobs || jobs->count == 0)
        return false;
    /* What is in front may not have been sent, as the worker has not answered what was given up. */
    return lb_clock_now() - fmax(jobs->moved, jobs->taken) > fmax(due, PAUSES * jobs->pause);
}

double lb_delivery_left(const struct lb_host_jobs *jobs)
{
    double behind = 0; /* positions of what waits for the work in front */
    if (!(jobs->positions > 0))
        return -1;
    for (uint32_t i = 1; i < jobs->count; i++)
        behind += (double)jobs->jobs[(jobs->first + i) % LB_PIECES_IN_HAND].left;
    double each = jobs->seconds / jobs->positions;
    double front = jobs->count > 0 ? (double)jobs->jobs[jobs->first].left * each : 0;
    return behind * each + fmax(0, front - (lb_clock_now() - jobs->moved));
}
