#include "hosts/primary/place.h"

#include "core/machine/clock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct lb_place *lb_place_find(struct lb_primary *primary, const struct lb_peer *peer)
{
    for (uint32_t i = 0; i < primary->place_count; i++) {
        struct lb_place *place = &primary->places[i];
        if (place->taken && place->peer.size == peer->size &&
            !memcmp(place->peer.name, peer->name, peer->size))
            return place;
    }
    return NULL;
}

void lb_place_vacate(struct lb_primary *primary, struct lb_place *place, const char *why)
{
    snprintf(place->why, sizeof place->why, "%s: %.180s", place->name, why);
    if (place->jobs) {
        place->jobs->lost = true;
        snprintf(place->jobs->why, sizeof place->jobs->why, "%s", place->why);
    }
    place->jobs = NULL;
    place->taken = false;
    lb_log_write(primary->log, LB_NOTE, "host%u left: %s", (unsigned)(place - primary->places), place->why);
    pthread_cond_broadcast(&primary->changed);
}

void lb_place_tell(struct lb_primary *primary, struct lb_place *place, const struct lb_message *message,
                   const void *rest, size_t size)
{
    if (!place->taken)
        return;
    place->remote.bytes_sent += sizeof *message + size;
    place->remote.messages++;
    if (!lb_link_send(&primary->link, &place->peer, message, rest, size))
        lb_place_vacate(primary, place, "the connection broke");
}

void lb_place_expel(struct lb_primary *primary, struct lb_place *place, const char *why)
{
    struct lb_message message = {.kind = LB_MESSAGE_REFUSED};
    lb_link_send(&primary->link, &place->peer, &message, why, strlen(why));
    lb_expelled_note(primary->expelled, &place->peer, place->program, lb_clock_now());
    lb_place_vacate(primary, place, why);
}

/* ---- the scene ---- */

bool lb_place_is_ready(const struct lb_primary *primary, const struct lb_place *place)
{
    return primary->scene && place->taken && lb_scene_mark_equal(place->ready, primary->mark);
}

void lb_place_note_progress(const struct lb_primary *primary, struct lb_place *place,
                            const struct lb_message *alive, double now)
{
    if (!lb_scene_mark_equal(alive->scene, primary->mark) || alive->count == place->progress)
        return;
    place->progress = alive->count;
    place->progressed = now;
}

bool lb_place_is_stuck(const struct lb_primary *primary, const struct lb_place *place, double now)
{
    return primary->scene && place->taken && lb_scene_mark_equal(place->told, primary->mark) &&
           !lb_place_is_ready(primary, place) && now - place->progressed > primary->options.due;
}

/* ---- joining ---- */

/* How many answers strangers get at most between two signs of life. A refusal counts for several. */
enum { MOST_ANSWERS = 1024, REFUSAL_ANSWERS = 16 };
/* How many refusals are logged at most in so many seconds. */
enum { MOST_REFUSALS = 10 };
static const double REFUSAL_SECONDS = 10;

bool lb_place_may_answer(struct lb_primary *primary, uint32_t answers)
{
    primary->answered += primary->answered < MOST_ANSWERS ? answers : 0;
    return primary->answered < MOST_ANSWERS;
}

/* Logs a refusal, unless too many were logged lately: their number is told later. */
static void log_refusal(struct lb_primary *primary, const char *why)
{
    double now = lb_clock_now();
    if (now - primary->refused_since > REFUSAL_SECONDS) {
        if (primary->refused > MOST_REFUSALS)
            lb_log_write(primary->log, LB_WARNING, "%u more workers were refused",
                         primary->refused - MOST_REFUSALS);
        primary->refused_since = now;
        primary->refused = 0;
    }
    if (primary->refused < UINT32_MAX && primary->refused++ < MOST_REFUSALS)
        lb_log_write(primary->log, LB_WARNING, "a worker was refused: %s", why);
}

static void refuse(struct lb_primary *primary, const struct lb_peer *peer, const char *why)
{
    struct lb_message message = {.kind = LB_MESSAGE_REFUSED};
    log_refusal(primary, why);
    if (lb_place_may_answer(primary, REFUSAL_ANSWERS))
        lb_link_send(&primary->link, peer, &message, why, strlen(why));
}

/* Chooses the free place whose last occupant had this name, or else one where nobody was yet, or else any that is free,
 * or else a new one. NULL: there are as many as there may be. */
static struct lb_place *choose_place(struct lb_primary *primary, const char *name)
{
    struct lb_place *best = NULL;
    for (uint32_t i = 0; i < primary->place_count; i++) {
        struct lb_place *place = &primary->places[i];
        if (place->taken)
            continue;
        if (place->occupant && !strcmp(place->name, name))
            return place;
        if (!best || (best->occupant && !place->occupant))
            best = place;
    }
    if (!best && primary->place_count < primary->options.most)
        best = &primary->places[primary->place_count++];
    return best;
}

/* Notes the worker's processors, which follow its HELLO at `told`. Those that had the same names in this place
 * before go on counting. False: there is no memory, or they are no processors. */
static bool note_processors(struct lb_remote *remote, const struct lb_message_hello *hello, const void *told)
{
    struct lb_remote_processor *processors = calloc(hello->told + 1, sizeof *processors);
    if (!processors || !lb_message_processors_read(told, hello->told, processors)) {
        free(processors);
        return false;
    }
    for (uint32_t i = 0; i < hello->told && i < remote->processor_count; i++)
        if (!strcmp(processors[i].name, remote->processors[i].name))
            processors[i].did = remote->processors[i].did;
    free(remote->processors);
    remote->processors = processors;
    remote->processor_count = hello->told;
    return true;
}

/* Empties the place of a worker that has come back over another connection, before the primary knew that the last one
 * is dead. */
static void forget_earlier(struct lb_primary *primary, uint64_t program)
{
    for (uint32_t i = 0; program && i < primary->place_count; i++)
        if (primary->places[i].taken && primary->places[i].program == program)
            lb_place_vacate(primary, &primary->places[i], "it began anew");
}

static void let_in(struct lb_primary *primary, const struct lb_peer *peer,
                   const struct lb_message_hello *hello, const void *told)
{
    char name[sizeof primary->places->name];
    if (lb_expelled_waits(primary->expelled, peer, hello->program, lb_clock_now()))
        return; /* it goes on saying HELLO until it is let in */
    lb_message_text(hello->name, sizeof hello->name, name, sizeof name);
    forget_earlier(primary, hello->program);
    struct lb_place *place = choose_place(primary, name);
    if (!place) {
        char why[100];
        snprintf(why, sizeof why, "all %u places for hosts are taken", primary->options.most);
        refuse(primary, peer, why);
        return;
    }
    struct lb_remote remote = place->remote;
    if (!note_processors(&remote, hello, told)) {
        refuse(primary, peer, "its processors have names that none has");
        return;
    }
    memcpy(remote.host, name, sizeof remote.host);
    remote.round_trip_seconds = 0;
    *place = (struct lb_place){.taken = true,
                               .occupant = ++primary->occupants,
                               .peer = *peer,
                               .program = hello->program,
                               .processors = hello->processors,
                               .uncounted = hello->uncounted != 0,
                               .attempt = hello->attempt,
                               .port = hello->port <= 65535 && *peer->host ? hello->port : 0,
                               .remote = remote,
                               .heard = lb_clock_now()};
    memcpy(place->name, name, sizeof name);
    struct lb_message welcome = {.kind = LB_MESSAGE_WELCOME};
    lb_place_tell(primary, place, &welcome, NULL, 0);
    lb_log_write(primary->log, LB_NOTE, "host%u is %s with %u processors",
                 (unsigned)(place - primary->places), place->name, place->processors);
    pthread_cond_broadcast(&primary->changed);
}

/* Reads a HELLO. False: it is of another build, or not as long as it says. */
static bool read_hello(const void *rest, size_t size, struct lb_message_hello *hello)
{
    struct lb_build own = lb_build_own();
    if (size < sizeof *hello)
        return false;
    memcpy(hello, rest, sizeof *hello);
    return lb_build_equal(&own, &hello->build) && hello->told <= LB_PROCESSORS_TOLD &&
           size == sizeof *hello + hello->told * sizeof(struct lb_message_processor);
}

void lb_place_greet(struct lb_primary *primary, struct lb_place *place, const void *rest, size_t size)
{
    struct lb_message_hello hello;
    if (!read_hello(rest, size, &hello)) {
        lb_place_expel(primary, place, "it sent a message that is none");
        return;
    }
    if (hello.attempt == place->attempt)
        return;
    struct lb_peer peer = place->peer;
    lb_place_vacate(primary, place, "it began anew");
    lb_place_meet(primary, &peer, rest, size);
}

void lb_place_refuse_build(struct lb_primary *primary, const struct lb_peer *peer,
                           const struct lb_build *other)
{
    struct lb_build own = lb_build_own();
    char why[150], shown[60];
    lb_message_text(other->version, sizeof other->version, shown, sizeof shown);
    snprintf(why, sizeof why, "it is lbrender %s, or built otherwise; this is lbrender %s", shown,
             own.version);
    refuse(primary, peer, why);
}

void lb_place_meet(struct lb_primary *primary, const struct lb_peer *peer, const void *rest, size_t size)
{
    struct lb_message_hello hello;
    struct lb_build other;
    memcpy(&other, rest, sizeof other);
    if (read_hello(rest, size, &hello))
        let_in(primary, peer, &hello, (const char *)rest + sizeof hello);
    else
        lb_place_refuse_build(primary, peer, &other);
}
