#include "hosts/primary.h"

#include "core/machine/clock.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* The longest message of a worker. Under a key each is longer by what encryption adds, some dozens of bytes. */
enum { LONGEST = sizeof(struct lb_message) + LB_STRIPE_BYTES + 256 };
/* Milliseconds between signs of life; a connection that has broken is noticed by the next one. */
enum { ALIVE_EVERY = 100 };
/* How long the program waits at its end for workers to take their leave. */
static const double HOME_SECONDS = 0.5;

/* ---- places ---- */

static struct lb_place *find(struct lb_primary *primary, const struct lb_peer *peer)
{
    for (uint32_t i = 0; i < primary->options.hosts; i++) {
        struct lb_place *place = &primary->places[i];
        if (place->taken && place->peer.size == peer->size &&
            !memcmp(place->peer.name, peer->name, peer->size))
            return place;
    }
    return NULL;
}

static void end_job(struct lb_place *place, bool lost, const char *why)
{
    struct lb_host_job *job = place->job;
    if (!job)
        return;
    job->ended = true;
    job->lost = lost;
    snprintf(job->why, sizeof job->why, "%s", why);
    place->job = NULL;
}

/* The worker is gone, or is not listened to any more. */
static void vacate(struct lb_primary *primary, struct lb_place *place, const char *why)
{
    snprintf(place->why, sizeof place->why, "%s: %.180s", place->name, why);
    end_job(place, true, place->why);
    place->taken = false;
    lb_log_write(primary->log, LB_NOTE, "host%u left: %s", (unsigned)(place - primary->places), place->why);
    pthread_cond_broadcast(&primary->changed);
}

static void tell(struct lb_primary *primary, struct lb_place *place, const struct lb_message *message,
                 const void *rest, size_t size)
{
    if (place->taken && !lb_link_send(&primary->link, &place->peer, message, rest, size))
        vacate(primary, place, "the connection broke");
}

/* It does not keep to what was agreed: it is not to join again. */
static void expel(struct lb_primary *primary, struct lb_place *place, const char *why)
{
    struct lb_message message = {.kind = LB_MESSAGE_REFUSED};
    lb_link_send(&primary->link, &place->peer, &message, why, strlen(why));
    vacate(primary, place, why);
}

static void tell_scene(struct lb_primary *primary, struct lb_place *place)
{
    struct lb_message message = {
        .kind = LB_MESSAGE_SCENE, .scene = primary->mark, .count = primary->scene ? primary->scene->size : 0};
    place->told = primary->mark;
    tell(primary, place, &message, NULL, 0);
}

/* ---- what workers say ---- */

static void refuse(struct lb_primary *primary, const struct lb_peer *peer, const char *why)
{
    struct lb_message message = {.kind = LB_MESSAGE_REFUSED};
    lb_log_write(primary->log, LB_WARNING, "a worker was refused: %s", why);
    lb_link_send(&primary->link, peer, &message, why, strlen(why));
}

static struct lb_place *free_place(struct lb_primary *primary)
{
    for (uint32_t i = 0; i < primary->options.hosts; i++)
        if (!primary->places[i].taken)
            return &primary->places[i];
    return NULL;
}

static void let_in(struct lb_primary *primary, const struct lb_peer *peer,
                   const struct lb_message_hello *hello)
{
    struct lb_place *place = free_place(primary);
    if (!place) {
        char why[100];
        snprintf(why, sizeof why, "all %u places for hosts are taken", primary->options.hosts);
        refuse(primary, peer, why);
        return;
    }
    *place = (struct lb_place){.taken = true,
                               .occupant = ++primary->occupants,
                               .peer = *peer,
                               .processors = hello->processors,
                               .uncounted = hello->uncounted != 0,
                               .heard = lb_clock_now()};
    lb_message_text(hello->name, sizeof hello->name, place->name, sizeof place->name);
    struct lb_message welcome = {.kind = LB_MESSAGE_WELCOME};
    tell(primary, place, &welcome, NULL, 0);
    lb_log_write(primary->log, LB_NOTE, "host%u is %s with %u processors",
                 (unsigned)(place - primary->places), place->name, place->processors);
    pthread_cond_broadcast(&primary->changed);
}

static void meet(struct lb_primary *primary, const struct lb_peer *peer, const void *rest, size_t size)
{
    struct lb_message_hello hello;
    struct lb_build own = lb_build_own(), other;
    memcpy(&other, rest, sizeof other);
    if (size == sizeof hello && lb_build_equal(&own, &other)) {
        memcpy(&hello, rest, sizeof hello);
        let_in(primary, peer, &hello);
        return;
    }
    char why[150], shown[60];
    lb_message_text(other.version, sizeof other.version, shown, sizeof shown);
    snprintf(why, sizeof why, "it is lbrender %s, or built otherwise; this is lbrender %s", shown,
             own.version);
    refuse(primary, peer, why);
}

/* A stripe of the scene that a worker asked for. */
static void give_bytes(struct lb_primary *primary, struct lb_place *place, const struct lb_message *want)
{
    if (!primary->scene || !lb_scene_mark_equal(want->scene, primary->mark))
        return; /* it asks for the last one */
    uint64_t size = primary->scene->size;
    if (want->begin >= size || want->count < 1 || want->count > LB_STRIPE_BYTES ||
        want->count > size - want->begin) {
        expel(primary, place, "it asked for what the scene does not have");
        return;
    }
    struct lb_message bytes = {
        .kind = LB_MESSAGE_BYTES, .scene = want->scene, .begin = want->begin, .count = want->count};
    tell(primary, place, &bytes, (const char *)primary->scene + want->begin, want->count);
}

/* A stripe of pixels comes behind the one before it, of the job in hand; stripes of a job that was given up are of no
 * use any more. */
static void take_pixels(struct lb_primary *primary, struct lb_place *place, const struct lb_message *message,
                        const char *rest, size_t size)
{
    struct lb_host_job *job = place->job;
    if (!job || job->number != message->job)
        return;
    struct lb_result *result = job->result;
    uint64_t all = job->work->range.end - job->work->range.begin;
    size_t each = sizeof *result->pixels + (result->cost ? sizeof *result->cost : 0);
    if (message->begin != job->received || message->count > all - job->received || size % each ||
        size / each != message->count) {
        expel(primary, place, "it sent pixels that nobody asked for");
        return;
    }
    memcpy(result->pixels + job->received, rest, message->count * sizeof *result->pixels);
    if (result->cost)
        memcpy(result->cost + job->received, rest + message->count * sizeof *result->pixels,
               message->count * sizeof *result->cost);
    job->received += message->count;
}

static void take_done(struct lb_primary *primary, struct lb_place *place, const struct lb_message *message)
{
    struct lb_host_job *job = place->job;
    if (!job || job->number != message->job)
        return;
    const struct lb_work *work = job->work;
    uint64_t all = work->range.end - work->range.begin;
    bool whole = job->received == all && message->samples <= all * (work->sample_end - work->sample_begin);
    if (!whole || (message->stopped && !job->stopped)) {
        expel(primary, place, "it sent less than was asked for");
        return;
    }
    job->result->samples = message->samples;
    job->result->counters = message->counters;
    job->result->stopped = message->stopped != 0;
    end_job(place, false, "");
    pthread_cond_broadcast(&primary->changed);
}

static void take_failed(struct lb_primary *primary, struct lb_place *place, const char *rest, size_t size)
{
    char why[LB_MESSAGE_TEXT];
    lb_message_text(rest, size, why, sizeof why);
    vacate(primary, place, why);
}

static void hear(struct lb_primary *primary, const struct lb_peer *peer, zmq_msg_t *frame)
{
    struct lb_message message;
    struct lb_place *place = find(primary, peer);
    const void *data = zmq_msg_data(frame);
    size_t size = zmq_msg_size(frame);
    if (!lb_message_read(data, size, &message)) {
        if (place)
            expel(primary, place, "it sent a message that is none");
        return;
    }
    const char *rest = lb_message_rest(data);
    size -= sizeof message;
    if (!place) {
        struct lb_message who = {.kind = LB_MESSAGE_WHO};
        if (message.kind == LB_MESSAGE_HELLO)
            meet(primary, peer, rest, size);
        else if (message.kind != LB_MESSAGE_LEAVE)
            lb_link_send(&primary->link, peer, &who, NULL, 0);
        return;
    }
    place->heard = lb_clock_now();
    switch ((enum lb_message_kind)message.kind) {
    case LB_MESSAGE_WANT:
        give_bytes(primary, place, &message);
        break;
    case LB_MESSAGE_READY:
        place->ready = message.scene;
        pthread_cond_broadcast(&primary->changed);
        break;
    case LB_MESSAGE_PIXELS:
        take_pixels(primary, place, &message, rest, size);
        break;
    case LB_MESSAGE_DONE:
        take_done(primary, place, &message);
        break;
    case LB_MESSAGE_FAILED:
        take_failed(primary, place, rest, size);
        break;
    case LB_MESSAGE_LEAVE:
        vacate(primary, place, "it was told to leave");
        break;
    case LB_MESSAGE_HELLO: /* said again before it had been heard */
    case LB_MESSAGE_ALIVE:
        break;
    default:
        expel(primary, place, "it sent what only a primary says");
    }
}

/* ---- what the primary says unasked ---- */

static void send_job(struct lb_primary *primary, struct lb_place *place)
{
    struct lb_host_job *job = place->job;
    struct lb_message message = {.kind = LB_MESSAGE_JOB, .job = job->number, .scene = primary->mark};
    size_t size = lb_message_job_size(job->work);
    void *rest = malloc(size);
    job->sent = true;
    if (!rest) {
        vacate(primary, place, "there is no memory for its work");
        return;
    }
    lb_message_job_write(job->work, job->result->cost != NULL, job->result->cost_in_seconds, rest);
    tell(primary, place, &message, rest, size);
    free(rest);
}

static void look_after(struct lb_primary *primary, struct lb_place *place, bool alive, double now)
{
    struct lb_message message = {.kind = LB_MESSAGE_ALIVE};
    if (alive)
        tell(primary, place, &message, NULL, 0);
    if (place->taken && now - place->heard > primary->options.silence)
        vacate(primary, place, "it gave no sign of life");
    if (place->taken && !lb_scene_mark_equal(place->told, primary->mark))
        tell_scene(primary, place);
    if (place->taken && place->job && !place->job->sent)
        send_job(primary, place);
    if (place->taken && place->job && place->job->wants_stop && !place->job->stopped) {
        place->job->stopped = true;
        message = (struct lb_message){.kind = LB_MESSAGE_STOP, .job = place->job->number};
        tell(primary, place, &message, NULL, 0);
    }
}

static void listen_once(struct lb_primary *primary, long milliseconds)
{
    struct lb_peer peer;
    zmq_msg_t frame;
    pthread_mutex_unlock(&primary->lock);
    lb_link_wait(&primary->link, milliseconds);
    lb_link_admit(&primary->link);
    pthread_mutex_lock(&primary->lock);
    while (lb_link_receive(&primary->link, &peer, &frame)) {
        hear(primary, &peer, &frame);
        zmq_msg_close(&frame);
    }
}

static uint32_t count_taken(const struct lb_primary *primary)
{
    uint32_t taken = 0;
    for (uint32_t i = 0; i < primary->options.hosts; i++)
        taken += primary->places[i].taken;
    return taken;
}

/* Workers hang up first: a connection that is closed with words in it that nobody has read takes the last word to the
 * other side with it. */
static void send_home(struct lb_primary *primary)
{
    struct lb_message message = {.kind = LB_MESSAGE_HOME};
    double end = lb_clock_now() + HOME_SECONDS;
    for (uint32_t i = 0; i < primary->options.hosts; i++)
        tell(primary, &primary->places[i], &message, NULL, 0);
    while (count_taken(primary) && lb_clock_now() < end)
        listen_once(primary, ALIVE_EVERY / 2);
}

static void *serve(void *argument)
{
    struct lb_primary *primary = argument;
    double told = 0;
    pthread_mutex_lock(&primary->lock);
    while (!primary->closing) {
        listen_once(primary, ALIVE_EVERY);
        double now = lb_clock_now();
        bool alive = now - told >= ALIVE_EVERY * 1e-3;
        for (uint32_t i = 0; i < primary->options.hosts; i++)
            if (primary->places[i].taken)
                look_after(primary, &primary->places[i], alive, now);
        told = alive ? now : told;
    }
    send_home(primary);
    pthread_mutex_unlock(&primary->lock);
    return NULL;
}

/* ---- for the program ---- */

static enum lb_status listen_there(struct lb_primary *primary, struct lb_error *error)
{
    const struct lb_primary_options *options = &primary->options;
    char *address = lb_link_address("serve", options->address, 0, error);
    if (!address)
        return LB_ERROR_USAGE;
    enum lb_status status = LB_OK;
    struct lb_key key;
    if (!options->key && !options->insecure && !lb_link_is_local(address))
        status = lb_error_set(
            error, LB_ERROR_USAGE,
            "--serve: others can reach %s: give --key, or --insecure where all of them may join", address);
    else if (options->key)
        status = lb_key_read(options->key, &key, error);
    if (status == LB_OK && options->key)
        status = lb_link_guard(&primary->link, &key, error);
    if (status == LB_OK)
        status = lb_link_listen(&primary->link, address, primary->address, sizeof primary->address, error);
    free(address);
    return status;
}

static void release(struct lb_primary *primary)
{
    lb_link_close(&primary->link);
    pthread_cond_destroy(&primary->changed);
    pthread_mutex_destroy(&primary->lock);
    free(primary->places);
    free(primary);
}

enum lb_status lb_primary_open(const struct lb_primary_options *options, const struct lb_log *log,
                               struct lb_primary **result, struct lb_error *error)
{
    struct lb_primary *primary = calloc(1, sizeof *primary);
    if (!primary)
        return lb_error_memory(error, NULL);
    *primary = (struct lb_primary){.options = *options, .log = log, .link = {.wake = -1}};
    pthread_mutex_init(&primary->lock, NULL);
    pthread_cond_init(&primary->changed, NULL);
    enum lb_status status = LB_OK;
    primary->places = calloc(options->hosts, sizeof *primary->places);
    if (!primary->places)
        status = lb_error_memory(error, NULL);
    if (status == LB_OK)
        status = lb_link_open(&primary->link, ZMQ_ROUTER, LONGEST, error);
    if (status == LB_OK)
        status = listen_there(primary, error);
    if (status == LB_OK && pthread_create(&primary->thread, NULL, serve, primary) != 0)
        status = lb_error_set(error, LB_ERROR, "--serve: no thread for it");
    if (status != LB_OK)
        release(primary);
    else
        *result = primary;
    return status;
}

const char *lb_primary_address(const struct lb_primary *primary)
{
    return primary->address;
}

void lb_primary_close(struct lb_primary *primary)
{
    if (!primary)
        return;
    pthread_mutex_lock(&primary->lock);
    primary->closing = true;
    pthread_mutex_unlock(&primary->lock);
    lb_link_wake(&primary->link);
    pthread_join(primary->thread, NULL);
    release(primary);
}

void lb_primary_nap(struct lb_primary *primary)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += 50000000;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_cond_timedwait(&primary->changed, &primary->lock, &until);
}

uint32_t lb_primary_wait(struct lb_primary *primary, double seconds, const int *stop)
{
    double end = lb_clock_now() + seconds;
    uint32_t here = 0;
    pthread_mutex_lock(&primary->lock);
    for (;;) {
        here = count_taken(primary);
        if (here == primary->options.hosts || lb_clock_now() >= end || lb_stopped(stop))
            break;
        lb_primary_nap(primary);
    }
    pthread_mutex_unlock(&primary->lock);
    return here;
}

void lb_primary_offer(struct lb_primary *primary, const lb_scene *scene)
{
    struct lb_scene_mark mark = {0, 0};
    if (scene)
        mark = lb_scene_mark_make(scene, scene->size);
    pthread_mutex_lock(&primary->lock);
    primary->scene = scene;
    primary->mark = mark;
    pthread_mutex_unlock(&primary->lock);
    lb_link_wake(&primary->link);
}
