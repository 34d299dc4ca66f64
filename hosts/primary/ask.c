/* Asks a running primary for its hosts and processors, without taking part in anything. */
#include "core/machine/clock.h"
#include "hosts/hosts.h"
#include "hosts/primary/listing.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

/* After so many seconds without an answer the primary is asked again. */
static const double AGAIN_SECONDS = 0.25;

struct asking {
    const struct lb_ask_options *options;
    const char *address; /* complete */
    struct lb_link link;
    struct lb_listing *listing;
    bool ended;
    enum lb_status status;
    struct lb_error *error;
};

static void end(struct asking *a, const char *why)
{
    a->ended = true;
    a->status = lb_error_set(a->error, LB_ERROR, "%s: %s", a->options->address, why);
}

static void ask(struct asking *a)
{
    static const struct lb_peer primary = {.size = 0};
    struct lb_message message = {.kind = LB_MESSAGE_ASK, .begin = a->listing->count};
    struct lb_build build = lb_build_own();
    lb_link_send(&a->link, &primary, &message, &build, sizeof build);
}

static void take_list(struct asking *a, const struct lb_message *message, const void *rest, size_t size)
{
    struct lb_listing *listing = a->listing;
    if (message->begin != listing->count)
        return; /* this answers what was asked a second time */
    if (message->count < 1 || message->count > LB_HOSTS_MOST + 1 || listing->count > message->count) {
        end(a, "it sent a list that is none");
        return;
    }
    uint32_t room = (uint32_t)message->count - listing->count;
    struct lb_listed_host *hosts = reallocarray(listing->hosts, message->count, sizeof *hosts);
    if (!hosts) {
        a->ended = true;
        a->status = lb_error_memory(a->error, NULL);
        return;
    }
    listing->hosts = hosts;
    uint32_t came = lb_listing_read(rest, size, room, hosts + listing->count);
    listing->count += came;
    if (came == 0)
        end(a, "it sent a list that is none");
    else if (listing->count == message->count)
        a->ended = true;
    else
        ask(a);
}

static void hear(struct asking *a, const void *data, size_t size)
{
    struct lb_message message;
    char why[LB_MESSAGE_TEXT];
    if (!lb_message_read(data, size, &message)) {
        end(a, "what answers there is no lbrender of this version");
        return;
    }
    const void *rest = lb_message_rest(data);
    size -= sizeof message;
    if (message.kind == LB_MESSAGE_LIST)
        take_list(a, &message, rest, size);
    if (message.kind != LB_MESSAGE_REFUSED)
        return;
    lb_message_text(rest, size, why, sizeof why);
    end(a, why);
}

static void tell_no_answer(struct asking *a)
{
    const char *why;
    char text[200] = "no primary answers there";
    if (!lb_link_knows_host(a->address, &why))
        snprintf(text, sizeof text, "unknown host (%s)", why);
    end(a, text);
}

static void converse(struct asking *a)
{
    double begin = lb_clock_now(), asked = begin - AGAIN_SECONDS;
    while (!a->ended) {
        struct lb_peer peer;
        zmq_msg_t frame;
        double now = lb_clock_now();
        if (now - begin > a->options->patience) {
            tell_no_answer(a);
            return;
        }
        if (now - asked >= AGAIN_SECONDS) {
            asked = now;
            ask(a);
        }
        lb_link_wait(&a->link, (long)(AGAIN_SECONDS * 1e3 / 4));
        while (!a->ended && lb_link_receive(&a->link, &peer, &frame)) {
            hear(a, zmq_msg_data(&frame), zmq_msg_size(&frame));
            zmq_msg_close(&frame);
        }
    }
}

enum lb_status lb_primary_ask(const struct lb_ask_options *options, struct lb_listing *listing,
                              struct lb_error *error)
{
    struct asking a = {.options = options, .listing = listing, .error = error, .link = {.wake = -1}};
    struct lb_key key;
    *listing = (struct lb_listing){.count = 0};
    char *address = lb_link_address("list-devices", options->address, 1, error);
    if (!address)
        return LB_ERROR_USAGE;
    a.address = address;
    a.status = options->key ? lb_key_read(options->key, &key, error) : LB_OK;
    if (a.status == LB_OK)
        a.status =
            lb_link_open(&a.link, ZMQ_DEALER, sizeof(struct lb_message) + LB_STRIPE_BYTES + 256, error);
    if (a.status == LB_OK && options->key)
        a.status = lb_link_unlock(&a.link, &key, error);
    if (a.status == LB_OK && zmq_connect(a.link.socket, address) != 0)
        a.status = lb_error_set(error, LB_ERROR, "--list-devices: %s: %s", address, zmq_strerror(errno));
    if (a.status == LB_OK)
        converse(&a);
    lb_link_close(&a.link);
    free(address);
    if (a.status != LB_OK)
        lb_listing_free(listing);
    return a.status;
}

void lb_listing_free(struct lb_listing *listing)
{
    for (uint32_t i = 0; i < listing->count; i++)
        free((void *)listing->hosts[i].told);
    free(listing->hosts);
    *listing = (struct lb_listing){.count = 0};
}
