#include "hosts/primary/chain.h"

#include "hosts/primary/place.h"

#include <stdio.h>
#include <string.h>

/* The most workers that stand in a chain, one behind the other, before the next chain is begun. */
enum { LONGEST_CHAIN = 16 };
/* The primary begins so many chains, and each worker gives the scene to so many others at most. */
enum { MOST_FOLLOWERS = 2 };
/* A smaller scene takes too short a moment to send for another connection to be worth while. */
static const uint64_t LEAST_BYTES = 1 << 20;

/* An address of a machine's own network is of no use to other machines. */
static bool is_loopback(const struct lb_place *place)
{
    return !strncmp(place->peer.host, "127.", 4) || !strcmp(place->peer.host, "::1");
}

/* Does the worker still get the scene that is offered? */
static bool is_fetching(const struct lb_primary *primary, const struct lb_place *place)
{
    return place->taken && lb_scene_mark_equal(place->told, primary->mark) &&
           !lb_place_is_ready(primary, place);
}

/* Counts for each place how many workers get the scene from it, and returns how many get it from the primary. */
static uint32_t count_followers(struct lb_primary *primary, const struct lb_place *but)
{
    uint32_t chains = 0;
    for (uint32_t i = 0; i < primary->place_count; i++)
        primary->places[i].followers = 0;
    for (uint32_t i = 0; i < primary->place_count; i++) {
        const struct lb_place *place = &primary->places[i];
        struct lb_place *source = &primary->places[place->source_place];
        if (place == but || !is_fetching(primary, place))
            continue;
        if (place->source == 0)
            chains++;
        else if (source->occupant == place->source)
            source->followers++;
    }
    return chains;
}

static bool may_give(const struct lb_primary *primary, const struct lb_place *giver,
                     const struct lb_place *place)
{
    return giver != place && giver->taken && giver->port && !giver->shy &&
           lb_scene_mark_equal(giver->told, primary->mark) && giver->followers < MOST_FOLLOWERS &&
           (!is_loopback(giver) || is_loopback(place));
}

/* How many workers the scene has passed when it comes from this one. */
static uint32_t depth_behind(const struct lb_primary *primary, const struct lb_place *giver)
{
    return lb_place_is_ready(primary, giver) ? 1 : giver->depth + 1;
}

/* How soon a worker would have the scene from this one; the least is the best. Who has all of it gives it at its link's
 * whole speed. At the end of a chain the scene comes as fast as to the chain, unless the chain is long. Everywhere else
 * it takes two copies' time, and the nearer to the primary, the fewer workers are in between. */
static uint32_t rank(const struct lb_primary *primary, const struct lb_place *giver)
{
    uint32_t depth = depth_behind(primary, giver);
    if (giver->followers == 0 && lb_place_is_ready(primary, giver))
        return 0;
    return giver->followers == 0 && depth < LONGEST_CHAIN ? 1 : 1 + depth;
}

void lb_chain_join(struct lb_primary *primary, struct lb_place *place, char *address, size_t size)
{
    struct lb_place *best = NULL;
    *address = 0;
    place->source = 0;
    place->depth = 0;
    if (!primary->scene || primary->scene->size < LEAST_BYTES)
        return;
    uint32_t chains = count_followers(primary, place);
    for (uint32_t i = 0; i < primary->place_count; i++) {
        struct lb_place *giver = &primary->places[i];
        if (may_give(primary, giver, place) && (!best || rank(primary, giver) < rank(primary, best)))
            best = giver;
    }
    if (!best || (rank(primary, best) > 1 && chains < MOST_FOLLOWERS))
        return;
    const char *host = best->peer.host;
    bool brackets = strchr(host, ':') != NULL;
    snprintf(address, size, "tcp://%s%s%s:%u", brackets ? "[" : "", host, brackets ? "]" : "", best->port);
    place->source = best->occupant;
    place->source_place = (uint32_t)(best - primary->places);
    place->depth = depth_behind(primary, best);
}

void lb_chain_broke(struct lb_primary *primary, struct lb_place *place)
{
    struct lb_place *source = &primary->places[place->source_place];
    if (place->source && source->taken && source->occupant == place->source)
        source->shy = true;
    place->source = 0;
    place->depth = 0;
}
