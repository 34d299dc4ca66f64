#include "hosts/worker/peers.h"

#include "hosts/worker/block.h"
#include "hosts/wire/message.h"
#include "hosts/wire/pack.h"

#include <stdlib.h>
#include <string.h>

/* How many messages a worker may leave unread, which is more than it asks for ahead. Who asks on and never reads
 * gets no more than that. */
enum { MOST_UNREAD = 64 };
/* The longest message that is taken: a WANT, with what encryption adds. */
enum { LONGEST = sizeof(struct lb_message) + 256 };
/* The seconds between two signs of life to those who wait. */
static const double TELL_SECONDS = 0.1;

/* The address to listen at, with any free port; NULL: nobody may be given anything. */
static const char *choose_address(const char *primary, bool guarded, bool insecure)
{
    if (lb_link_is_local(primary))
        return strchr(primary, '[') ? "tcp://[::1]:0" : "tcp://127.0.0.1:0";
    return guarded || insecure ? "tcp://*:0" : NULL;
}

void lb_peers_open(struct lb_peers *peers, const char *primary, const struct lb_key *key, bool insecure)
{
    struct lb_error error;
    char known[300];
    const char *address = choose_address(primary, key != NULL, insecure);
    int unread = MOST_UNREAD;
    peers->port = peers->count = 0;
    peers->link = (struct lb_link){.wake = -1};
    if (address && lb_link_open(&peers->link, ZMQ_ROUTER, LONGEST, &error) == LB_OK &&
        zmq_setsockopt(peers->link.socket, ZMQ_SNDHWM, &unread, sizeof unread) == 0 &&
        (!key || lb_link_guard(&peers->link, key, &error) == LB_OK) &&
        lb_link_listen(&peers->link, address, known, sizeof known, &error) == LB_OK)
        peers->port = (uint32_t)strtoul(strrchr(known, ':') + 1, NULL, 10);
    if (!peers->port)
        lb_peers_close(peers);
}

void lb_peers_close(struct lb_peers *peers)
{
    lb_link_drop(&peers->link);
    peers->port = 0;
}

/* ---- wants ---- */

static void keep(struct lb_peers *peers, const struct lb_peer *peer, const struct lb_message *want)
{
    /* The oldest goes: who asked that long ago has asked the primary since. */
    if (peers->count == LB_WANTS_KEPT)
        memmove(peers->wants, peers->wants + 1, --peers->count * sizeof *peers->wants);
    peers->wants[peers->count].peer = *peer;
    peers->wants[peers->count++].want = *want;
}

static void take_wants(struct lb_peers *peers)
{
    struct lb_peer peer;
    zmq_msg_t frame;
    lb_link_admit(&peers->link);
    while (lb_link_receive(&peers->link, &peer, &frame)) {
        struct lb_message want;
        if (lb_message_read(zmq_msg_data(&frame), zmq_msg_size(&frame), &want) &&
            want.kind == LB_MESSAGE_WANT && want.count >= 1 && want.count <= LB_STRIPE_BYTES)
            keep(peers, &peer, &want);
        zmq_msg_close(&frame);
    }
}

/* Answers a want. False: it must wait until more of the scene has come here. */
static bool answer(struct lb_peers *peers, const struct lb_block *block, const struct lb_peer *peer,
                   const struct lb_message *want)
{
    if (!block->bytes || !lb_scene_mark_equal(want->scene, block->mark))
        return false; /* the other worker may have heard of the scene before this one */
    if (want->begin >= block->size || want->count > block->size - want->begin)
        return true;
    if (want->begin + want->count > block->received)
        return false;
    lb_stripe_send(&peers->link, peer, want, block->bytes + want->begin);
    return true;
}

/* Does an earlier want come from the same peer? */
static bool is_told(const struct lb_peers *peers, uint32_t index)
{
    const struct lb_peer *peer = &peers->wants[index].peer;
    for (uint32_t i = 0; i < index; i++)
        if (peers->wants[i].peer.size == peer->size &&
            !memcmp(peers->wants[i].peer.name, peer->name, peer->size))
            return true;
    return false;
}

/* Tells each worker that waits that this one lives. Where a worker far ahead of both is lost, only those fall back on
 * the primary that got the scene from that one, and not all that are behind them. */
static void tell_waiting(struct lb_peers *peers, double now)
{
    struct lb_message alive = {.kind = LB_MESSAGE_ALIVE};
    if (now - peers->told < TELL_SECONDS)
        return;
    peers->told = now;
    for (uint32_t i = 0; i < peers->count; i++)
        if (!is_told(peers, i))
            lb_link_send(&peers->link, &peers->wants[i].peer, &alive, NULL, 0);
}

void lb_peers_serve(struct lb_peers *peers, const struct lb_block *block, double now)
{
    uint32_t kept = 0;
    if (!peers->port)
        return;
    take_wants(peers);
    for (uint32_t i = 0; i < peers->count; i++)
        if (!answer(peers, block, &peers->wants[i].peer, &peers->wants[i].want))
            peers->wants[kept++] = peers->wants[i];
    peers->count = kept;
    tell_waiting(peers, now);
}
