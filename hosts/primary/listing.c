#include "hosts/primary/listing.h"

#include "hosts/primary/place.h"

#include <stdlib.h>
#include <string.h>

/* ---- the primary's side ---- */

/* Describes a host of the list: number 0 is the primary itself, number 1 is the worker in its place 0. The host's
 * processors stay the primary's own. */
static struct lb_listed_host describe(const struct lb_primary *primary, uint32_t index)
{
    struct lb_listed_host host = {.here = true, .ready = true};
    if (index == 0) {
        host.count = primary->own_count;
        host.processors = primary->own_count;
        host.told = primary->own;
        memcpy(host.name, primary->options.name, sizeof host.name);
        return host;
    }
    const struct lb_place *place = &primary->places[index - 1];
    if (!place->taken)
        return (struct lb_listed_host){.here = false};
    host.ready = lb_place_is_ready(primary, place);
    host.processors = place->processors;
    host.count = place->remote.processor_count;
    host.told = place->remote.processors;
    host.round_trip_seconds = place->remote.round_trip_seconds;
    memcpy(host.name, place->name, sizeof host.name);
    return host;
}

/* Writes the host behind the `used` bytes of `into`, which has room for a stripe. Returns how many bytes are used then;
 * 0: it does not fit any more. */
static size_t write_host(const struct lb_listed_host *host, char *into, size_t used)
{
    struct lb_message_listed listed;
    uint32_t told = lb_processors_told(host->count);
    size_t size = sizeof listed + told * sizeof(struct lb_message_processor);
    if (size > LB_STRIPE_BYTES - used)
        return 0;
    memset(&listed, 0, sizeof listed);
    memcpy(listed.name, host->name, sizeof listed.name);
    listed.here = host->here;
    listed.ready = host->ready;
    listed.processors = host->processors;
    listed.told = told;
    listed.round_trip_seconds = host->round_trip_seconds;
    memcpy(into + used, &listed, sizeof listed);
    lb_message_processors_write(host->told, told, into + used + sizeof listed);
    return used + size;
}

void lb_listing_answer(struct lb_primary *primary, const struct lb_peer *peer, const struct lb_message *ask,
                       const void *rest, size_t size)
{
    struct lb_build own = lb_build_own(), other;
    uint32_t all = 1 + primary->place_count;
    char list[LB_STRIPE_BYTES];
    size_t used = 0;
    memcpy(&other, rest, sizeof other);
    if (size != sizeof other || !lb_build_equal(&own, &other)) {
        lb_place_refuse_build(primary, peer, &other);
        return;
    }
    for (uint64_t i = ask->begin; i < all; i++) {
        struct lb_listed_host host = describe(primary, (uint32_t)i);
        size_t more = write_host(&host, list, used);
        if (!more)
            break;
        used = more;
    }
    struct lb_message message = {.kind = LB_MESSAGE_LIST, .begin = ask->begin, .count = all};
    if (used)
        lb_link_send(&primary->link, peer, &message, list, used);
}

/* ---- the asking program's side ---- */

static bool read_host(const char **at, size_t *left, struct lb_listed_host *host)
{
    struct lb_message_listed listed;
    if (*left < sizeof listed)
        return false;
    memcpy(&listed, *at, sizeof listed);
    size_t size = sizeof listed + (size_t)listed.told * sizeof(struct lb_message_processor);
    if (listed.told > LB_PROCESSORS_TOLD || *left < size)
        return false;
    struct lb_remote_processor *told = calloc(listed.told + 1, sizeof *told);
    if (!told || !lb_message_processors_read(*at + sizeof listed, listed.told, told)) {
        free(told);
        return false;
    }
    *host = (struct lb_listed_host){.here = listed.here != 0,
                                    .ready = listed.ready != 0,
                                    .processors = listed.processors,
                                    .told = told,
                                    .count = listed.told,
                                    .round_trip_seconds =
                                        listed.round_trip_seconds >= 0 && listed.round_trip_seconds < 1e3
                                            ? listed.round_trip_seconds
                                            : 0};
    lb_message_text(listed.name, sizeof listed.name, host->name, sizeof host->name);
    *at += size;
    *left -= size;
    return true;
}

uint32_t lb_listing_read(const void *rest, size_t size, uint32_t room, struct lb_listed_host *listed)
{
    const char *at = rest;
    uint32_t count = 0;
    while (size > 0 && count < room && read_host(&at, &size, &listed[count]))
        count++;
    if (size == 0)
        return count;
    while (count > 0)
        free((void *)listed[--count].told);
    return 0;
}
