#include "hosts/chain.h"

#include <stdio.h>
#include <string.h>

/* A chain that breaks costs all that are behind the gap some seconds, so chains are short; the primary's link carries a
 * copy for each. */
enum { LONGEST_CHAIN = 16 };
/* What takes a moment to send is not worth another connection. */
static const uint64_t LEAST_BYTES = 1 << 20;

static bool is_ready(const struct lb_primary *primary, const struct lb_place *place)
{
    return place->taken && lb_scene_mark_equal(place->ready, primary->mark);
}

/* Who gets its bytes from the worker in this place; NULL: nobody does at the moment. */
static const struct lb_place *follower(const struct lb_primary *primary, const struct lb_place *place)
{
    const struct lb_place *next = place->follower ? &primary->places[place->follower - 1] : NULL;
    bool follows = next && next->taken && next->source == place->occupant && !is_ready(primary, next) &&
                   lb_scene_mark_equal(next->told, primary->mark);
    return follows ? next : NULL;
}

/* An address of its own machine is none for others. */
static bool is_loopback(const struct lb_place *place)
{
    return !strncmp(place->peer.host, "127.", 4) || !strcmp(place->peer.host, "::1");
}

/* May another worker get the scene from this one? Who has all of it begins a chain of its own. */
static bool may_give(const struct lb_primary *primary, const struct lb_place *place)
{
    bool ready = is_ready(primary, place);
    return place->taken && place->port && !place->shy && lb_scene_mark_equal(place->told, primary->mark) &&
           (ready || place->depth + 1 < LONGEST_CHAIN) && !follower(primary, place);
}

void lb_chain_join(struct lb_primary *primary, struct lb_place *place, char *address, size_t size)
{
    struct lb_place *best = NULL;
    *address = 0;
    place->source = 0;
    place->depth = 0;
    if (!primary->scene || primary->scene->size < LEAST_BYTES)
        return;
    for (uint32_t i = 0; i < primary->options.hosts; i++) {
        struct lb_place *other = &primary->places[i];
        if (other != place && may_give(primary, other) && (!is_loopback(other) || is_loopback(place)) &&
            (!best || (is_ready(primary, other) && !is_ready(primary, best))))
            best = other;
    }
    if (!best)
        return;
    const char *host = best->peer.host;
    bool brackets = strchr(host, ':') != NULL;
    snprintf(address, size, "tcp://%s%s%s:%u", brackets ? "[" : "", host, brackets ? "]" : "", best->port);
    best->follower = (uint32_t)(place - primary->places) + 1;
    place->source = best->occupant;
    place->depth = is_ready(primary, best) ? 1 : best->depth + 1;
}

void lb_chain_broke(struct lb_primary *primary, struct lb_place *place)
{
    for (uint32_t i = 0; place->source && i < primary->options.hosts; i++)
        if (primary->places[i].taken && primary->places[i].occupant == place->source)
            primary->places[i].shy = true;
    place->source = 0;
    place->depth = 0;
}
