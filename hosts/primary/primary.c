#include "hosts/primary/primary.h"

#include "core/machine/clock.h"
#include "core/machine/timed_wait.h"
#include "hosts/primary/chain.h"
#include "hosts/primary/delivery.h"
#include "hosts/primary/listing.h"
#include "hosts/primary/place.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The longest message of a worker, with the dozens of bytes that encryption adds. */
enum { LONGEST = sizeof(struct lb_message) + LB_STRIPE_BYTES + 256 };
_Static_assert(sizeof(struct lb_message_hello) + LB_PROCESSORS_TOLD * sizeof(struct lb_message_processor) <=
                   LB_STRIPE_BYTES,
               "a HELLO is no longer than a stripe");
/* The milliseconds between two signs of life. A connection that has broken is noticed by the next one. */
enum { ALIVE_EVERY = 100 };
/* The seconds that go by at least before a pass is interrupted for newcomers again. */
static const double RENEWAL_SECONDS = 0.3;
/* The seconds that the program waits at its end for workers to leave. */
static const double HOME_SECONDS = 0.5;

static void tell_scene(struct lb_primary *primary, struct lb_place *place)
{
    struct lb_message message = {
        .kind = LB_MESSAGE_SCENE, .scene = primary->mark, .count = primary->scene ? primary->scene->size : 0};
    char source[LB_MESSAGE_TEXT];
    place->told = primary->mark;
    place->unanswered = 0; /* the worker forgets all jobs of another scene */
    place->progress = 0;
    place->progressed = lb_clock_now();
    lb_chain_join(primary, place, source, sizeof source);
    lb_place_tell(primary, place, &message, source, strlen(source));
}

/* ---- what workers say ---- */

/* Bytes of the scene that a worker is given before it is asked for a sign that it reads them, and how many it may leave
 * unread. It asks for 2 MB ahead at most (worker/fetch.c), and answers in order, so that none that reads comes near. */
static const uint64_t SIGN_BYTES = 2 << 20, MOST_UNREAD = 16 << 20;

/* Counts what a worker is given, and asks it for a sign now and then. False: it reads nothing of all that. */
static bool count_given(struct lb_primary *primary, struct lb_place *place, uint64_t bytes)
{
    struct lb_message sign = {.kind = LB_MESSAGE_ALIVE, .begin = (uint64_t)(lb_clock_now() * 1e9)};
    place->given += bytes;
    if (place->unread + place->given > MOST_UNREAD)
        return false;
    if (place->asked_sign == 0 && place->given >= SIGN_BYTES) {
        place->unread = place->given;
        place->given = 0;
        place->asked_sign = sign.begin;
        lb_place_tell(primary, place, &sign, NULL, 0);
    }
    return true;
}

/* Gives a worker the stripe of the scene that it asked for. */
static void give_bytes(struct lb_primary *primary, struct lb_place *place, const struct lb_message *want)
{
    if (!primary->scene || !lb_scene_mark_equal(want->scene, primary->mark))
        return; /* it asks for the last scene */
    uint64_t size = primary->scene->size;
    if (want->begin >= size || want->count < 1 || want->count > LB_STRIPE_BYTES ||
        want->count > size - want->begin) {
        lb_place_expel(primary, place, "it asked for what the scene does not have");
        return;
    }
    if (!count_given(primary, place, want->count)) {
        lb_place_expel(primary, place, "it asks for the scene and does not read it");
        return;
    }
    if (place->source)
        lb_chain_broke(primary, place);
    place->remote.messages++;
    place->remote.bytes_sent +=
        lb_stripe_send(&primary->link, &place->peer, want, (const char *)primary->scene + want->begin);
}

/* Takes a worker's sign of life. Where it answers one of the primary's, it has the primary's clock of then, and so
 * tells how long the way there and back took. */
static void take_sign(struct lb_primary *primary, struct lb_place *place, const struct lb_message *message)
{
    double now = lb_clock_now(), seconds = now - 1e-9 * (double)message->begin;
    lb_place_note_progress(primary, place, message, now);
    if (message->begin != 0 && message->begin == place->asked_sign)
        place->unread = place->asked_sign = 0;
    if (message->begin == 0 || !(seconds >= 0 && seconds < 60))
        return;
    double *known = &place->remote.round_trip_seconds;
    *known = *known <= 0 ? seconds : 0.8 * *known + 0.2 * seconds;
}

static void take_failed(struct lb_primary *primary, struct lb_place *place, const char *rest, size_t size)
{
    char why[LB_MESSAGE_TEXT];
    lb_message_text(rest, size, why, sizeof why);
    lb_place_vacate(primary, place, why);
}

/* How many answers a list counts for. */
enum { LIST_ANSWERS = 64 };

/* Takes what somebody says who has no place. */
static void hear_stranger(struct lb_primary *primary, const struct lb_peer *peer,
                          const struct lb_message *message, const void *rest, size_t size)
{
    struct lb_message who = {.kind = LB_MESSAGE_WHO};
    if (message->kind == LB_MESSAGE_HELLO)
        lb_place_meet(primary, peer, rest, size);
    else if (message->kind == LB_MESSAGE_ASK && lb_place_may_answer(primary, LIST_ANSWERS))
        lb_listing_answer(primary, peer, message, rest, size);
    else if (message->kind != LB_MESSAGE_LEAVE && message->kind != LB_MESSAGE_ASK &&
             lb_place_may_answer(primary, 1))
        lb_link_send(&primary->link, peer, &who, NULL, 0);
}

void lb_primary_hear(struct lb_primary *primary, const struct lb_peer *peer, const void *data, size_t size)
{
    struct lb_message message;
    struct lb_place *place = lb_place_find(primary, peer);
    if (!lb_message_read(data, size, &message)) {
        if (place)
            lb_place_expel(primary, place, "it sent a message that is none");
        return;
    }
    const char *rest = lb_message_rest(data);
    size -= sizeof message;
    if (!place) {
        hear_stranger(primary, peer, &message, rest, size);
        return;
    }
    place->heard = lb_clock_now();
    place->remote.bytes_received += sizeof message + size;
    place->remote.messages++;
    switch ((enum lb_message_kind)message.kind) {
    case LB_MESSAGE_WANT:
        give_bytes(primary, place, &message);
        break;
    case LB_MESSAGE_READY:
        place->ready = message.scene;
        pthread_cond_broadcast(&primary->changed);
        break;
    case LB_MESSAGE_PIXELS:
        lb_delivery_pixels(primary, place, &message, rest, size);
        break;
    case LB_MESSAGE_DONE:
        lb_delivery_done(primary, place, &message, rest, size);
        break;
    case LB_MESSAGE_FAILED:
        take_failed(primary, place, rest, size);
        break;
    case LB_MESSAGE_LEAVE:
        lb_place_vacate(primary, place, "it was told to leave");
        break;
    case LB_MESSAGE_ALIVE:
        take_sign(primary, place, &message);
        break;
    case LB_MESSAGE_HELLO:
        lb_place_greet(primary, place, rest, size);
        break;
    default:
        lb_place_expel(primary, place, "it sent what only a primary says");
    }
}

/* ---- what the primary says unasked ---- */

static void look_after(struct lb_primary *primary, struct lb_place *place, bool alive, double now)
{
    struct lb_message message = {.kind = LB_MESSAGE_ALIVE, .begin = (uint64_t)(now * 1e9)};
    if (alive)
        lb_place_tell(primary, place, &message, NULL, 0);
    if (place->taken && now - place->heard > primary->options.silence)
        lb_place_vacate(primary, place, "it gave no sign of life");
    if (place->taken && lb_delivery_is_late(place->jobs, primary->options.due))
        lb_place_expel(primary, place, "it delivered nothing in time");
    if (lb_place_is_stuck(primary, place, now))
        lb_place_expel(primary, place, "it got no further with the scene in time");
    if (place->taken && !lb_scene_mark_equal(place->told, primary->mark))
        tell_scene(primary, place);
    if (place->taken)
        lb_delivery_send(primary, place);
}

/* Hears what has come, but for no longer than until the next sign of life is due: a peer that talks without end must
 * not keep the primary from its workers. */
static void listen_once(struct lb_primary *primary, long milliseconds)
{
    struct lb_peer peer;
    zmq_msg_t frame;
    pthread_mutex_unlock(&primary->lock);
    lb_link_wait(&primary->link, milliseconds);
    lb_link_admit(&primary->link);
    pthread_mutex_lock(&primary->lock);
    double end = lb_clock_now() + ALIVE_EVERY * 1e-3;
    while (lb_clock_now() < end && lb_link_receive(&primary->link, &peer, &frame)) {
        lb_primary_hear(primary, &peer, zmq_msg_data(&frame), zmq_msg_size(&frame));
        zmq_msg_close(&frame);
    }
}

static uint32_t count_taken(const struct lb_primary *primary)
{
    uint32_t taken = 0;
    for (uint32_t i = 0; i < primary->place_count; i++)
        taken += primary->places[i].taken;
    return taken;
}

/* Tells all workers to leave, and waits until they have. They hang up first, because a connection that is closed while
 * words have come that nobody has read takes the last word to the other side with it. */
static void send_home(struct lb_primary *primary)
{
    struct lb_message message = {.kind = LB_MESSAGE_HOME};
    double end = lb_clock_now() + HOME_SECONDS;
    for (uint32_t i = 0; i < primary->place_count; i++)
        lb_place_tell(primary, &primary->places[i], &message, NULL, 0);
    while (count_taken(primary) && lb_clock_now() < end)
        listen_once(primary, ALIVE_EVERY / 2);
}

/* Is there a worker that could render and has no processor that stands for it? */
static bool any_unattended(const struct lb_primary *primary)
{
    for (uint32_t i = 0; i < primary->place_count; i++)
        if (lb_place_is_ready(primary, &primary->places[i]) && !primary->places[i].attended)
            return true;
    return false;
}

/* Interrupts the pass for newcomers; those who come at about the same time interrupt it once. */
static void tell_renewal(struct lb_primary *primary, double now)
{
    if (!primary->interrupt || now - primary->told_renewal < RENEWAL_SECONDS || !any_unattended(primary))
        return;
    lb_interrupt_renew(primary->interrupt);
    primary->told_renewal = now;
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
        for (uint32_t i = 0; i < primary->place_count; i++)
            if (primary->places[i].taken)
                look_after(primary, &primary->places[i], alive, now);
        told = alive ? now : told;
        primary->answered = alive ? 0 : primary->answered;
        tell_renewal(primary, now);
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
    for (uint32_t i = 0; primary->places && i < primary->place_count; i++)
        free(primary->places[i].remote.processors);
    free(primary->places);
    free(primary->own);
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
    lb_timed_open(&primary->changed);
    enum lb_status status = LB_OK;
    primary->places = calloc(options->most, sizeof *primary->places);
    primary->place_count = options->hosts;
    primary->own = calloc(options->processors + 1, sizeof *primary->own);
    if (primary->own && options->processors)
        memcpy(primary->own, options->own, options->processors * sizeof *primary->own);
    primary->own_count = options->processors;
    primary->options.own = NULL;
    if (!primary->places || !primary->own)
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

void lb_primary_nap(struct lb_primary *primary, double seconds)
{
    lb_timed_wait(&primary->changed, &primary->lock, lb_clock_now() + fmin(fmax(seconds, 1e-3), 0.5));
}

uint32_t lb_primary_places(struct lb_primary *primary)
{
    pthread_mutex_lock(&primary->lock);
    uint32_t count = primary->place_count;
    pthread_mutex_unlock(&primary->lock);
    return count;
}

uint32_t lb_primary_wait(struct lb_primary *primary, double seconds, const int *stop)
{
    double end = lb_clock_now() + seconds;
    uint32_t here = 0;
    pthread_mutex_lock(&primary->lock);
    for (;;) {
        here = count_taken(primary);
        if (here >= primary->options.hosts || lb_clock_now() >= end || lb_stopped(stop))
            break;
        lb_primary_nap(primary, 0.05);
    }
    pthread_mutex_unlock(&primary->lock);
    return here;
}

void lb_primary_watch(struct lb_primary *primary, struct lb_interrupt *interrupt)
{
    pthread_mutex_lock(&primary->lock);
    primary->interrupt = interrupt;
    pthread_mutex_unlock(&primary->lock);
    lb_link_wake(&primary->link);
}

void lb_primary_await_return(struct lb_primary *primary, double seconds, const struct lb_interrupt *interrupt)
{
    double end = lb_clock_now() + seconds;
    pthread_mutex_lock(&primary->lock);
    while (!any_unattended(primary) && lb_clock_now() < end && !lb_interrupt_signalled(interrupt))
        lb_primary_nap(primary, 0.05);
    pthread_mutex_unlock(&primary->lock);
}

void lb_primary_offer(struct lb_primary *primary, const lb_scene *scene)
{
    struct lb_scene_mark mark = {0, 0};
    if (scene)
        mark = lb_scene_mark_make(scene, scene->size);
    pthread_mutex_lock(&primary->lock);
    primary->scene = scene;
    primary->mark = mark;
    primary->offered = lb_clock_now();
    pthread_mutex_unlock(&primary->lock);
    lb_link_wake(&primary->link);
}
