#include "hosts/worker/fetch.h"

#include "core/machine/clock.h"
#include "hosts/wire/pack.h"
#include "hosts/worker/store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Stripes of the scene that are asked for before the first of them has come, so that a link with latency stays
 * busy. */
enum { STRIPES_AHEAD = 32 };
/* Another worker that says that it waits itself is waited for so many times as long as one that says nothing: what
 * holds up both is most likely far ahead of them. */
static const double WAITS = 4;
/* The longest message of another worker, with what encryption adds. */
enum { LONGEST_BYTES = sizeof(struct lb_message) + LB_STRIPE_BYTES + 256 };

static void ask_for_bytes(struct lb_worker *w);

/* ---- another worker that has it ---- */

static void leave_source(struct lb_worker *w)
{
    if (w->source.socket)
        lb_link_drop(&w->source);
}

/* Connects to the worker that the primary named in `text`, which gives the scene. Where that is not possible, the
 * primary gives it. */
static void open_source(struct lb_worker *w, const void *text, size_t length)
{
    struct lb_error error;
    char shown[sizeof w->source_address];
    lb_message_text(text, length, shown, sizeof shown);
    char *address = length ? lb_link_address("join", shown, 1, &error) : NULL;
    if (!address)
        return;
    snprintf(w->source_address, sizeof w->source_address, "%s", address);
    if (lb_link_open(&w->source, ZMQ_DEALER, LONGEST_BYTES, &error) == LB_OK &&
        ((w->options->key && lb_link_unlock(&w->source, &w->key, &error) != LB_OK) ||
         zmq_connect(w->source.socket, address) != 0))
        leave_source(w);
    free(address);
}

/* Gives up the other worker, so that the primary gives the rest. */
static void fall_back(struct lb_worker *w, const char *why)
{
    lb_log_write(w->log, LB_NOTE, "%s: %s; the primary gives the scene", w->source_address, why);
    leave_source(w);
    w->block.asked = w->block.received;
    ask_for_bytes(w);
}

void lb_worker_forget_block(struct lb_worker *w)
{
    leave_source(w);
    lb_keeper_stop(&w->keeper);
    free(w->block.bytes);
    w->block = (struct lb_block){.bytes = NULL};
    w->open = false;
}

uint64_t lb_worker_progress(struct lb_worker *w)
{
    return w->block.moved_bytes + atomic_load(&w->renderer.read);
}

static void open_block(struct lb_worker *w)
{
    lb_renderer_add(&w->renderer, &(struct lb_task){.kind = LB_TASK_OPEN,
                                                    .scene = (const lb_scene *)(void *)w->block.bytes});
}

/* After the first few stripes, which are not timed, so many come as they are, and then as many packed, which tells
 * which way is faster. */
enum { UNTIMED = 16, TRIED = 32 };

static bool wants_packed(const struct lb_worker *w, uint64_t begin)
{
    uint64_t stripe = begin / LB_STRIPE_BYTES;
    if (stripe < UNTIMED + TRIED)
        return false;
    return stripe < UNTIMED + 2 * TRIED || !w->raw_is_faster;
}

/* Times the trial of both ways, when the bytes before `end` have come. */
static void time_trial(struct lb_worker *w, uint64_t end)
{
    struct lb_block *b = &w->block;
    uint64_t stripes = end / LB_STRIPE_BYTES;
    double now = lb_clock_now();
    if (stripes == UNTIMED)
        b->begun = now;
    else if (stripes == UNTIMED + TRIED)
        b->raw = now - b->begun;
    else if (stripes == UNTIMED + 2 * TRIED)
        w->raw_is_faster = b->raw < now - b->begun - b->raw;
}

static void ask_for_bytes(struct lb_worker *w)
{
    struct lb_block *b = &w->block;
    while (b->asked < b->size && b->asked - b->received < (uint64_t)STRIPES_AHEAD * LB_STRIPE_BYTES) {
        uint64_t count = b->size - b->asked < LB_STRIPE_BYTES ? b->size - b->asked : LB_STRIPE_BYTES;
        struct lb_message want = {
            .kind = LB_MESSAGE_WANT, .scene = b->mark, .begin = b->asked, .count = count};
        want.packed = wants_packed(w, b->asked);
        static const struct lb_peer other = {.size = 0};
        if (!lb_link_send(w->source.socket ? &w->source : &w->link, &other, &want, NULL, 0))
            return;
        b->asked += count;
    }
}

static void begin_fetching(struct lb_worker *w)
{
    w->block.moved = w->block.heard = lb_clock_now();
    if (w->source.socket)
        lb_log_write(w->log, LB_NOTE, "the scene comes from %s", w->source_address);
    ask_for_bytes(w);
}

void lb_worker_say_ready(struct lb_worker *w)
{
    struct lb_message ready = {.kind = LB_MESSAGE_READY, .scene = w->block.mark};
    lb_worker_send(w, &ready, NULL, 0);
}

void lb_worker_take_scene(struct lb_worker *w, const struct lb_message *message, const void *rest,
                          size_t size)
{
    if (w->open && lb_scene_mark_equal(w->block.mark, message->scene)) {
        lb_worker_say_ready(w);
        return;
    }
    lb_renderer_drop_all(&w->renderer);
    struct lb_error error;
    w->site->open(w->site->user, NULL, &error); /* the renderer is idle now, and this cannot fail */
    lb_worker_forget_block(w);
    if (message->count == 0)
        return;
    size_t rounded = ((size_t)message->count + 63) / 64 * 64;
    if (message->count < sizeof(lb_scene) || message->count > (uint64_t)1 << 46 ||
        !(w->block.bytes = aligned_alloc(64, rounded))) {
        lb_error_memory(&error, "the scene");
        lb_worker_fail(w, &error);
        return;
    }
    w->block.mark = message->scene;
    w->block.size = message->count;
    atomic_store(&w->renderer.read, 0);
    open_source(w, rest, size);
    if (!w->options->store || !lb_renderer_add(&w->renderer, &(struct lb_task){.kind = LB_TASK_READ,
                                                                               .block = w->block.bytes,
                                                                               .mark = w->block.mark,
                                                                               .size = w->block.size}))
        begin_fetching(w);
}

/* Does the block say of itself that it is a scene of the size that was announced? */
static bool head_is_sound(const struct lb_block *b)
{
    lb_scene head;
    memcpy(&head, b->bytes, sizeof head);
    return head.magic == LB_SCENE_MAGIC && head.size == b->size;
}

void lb_worker_looked(struct lb_worker *w, bool found)
{
    if (!found || !head_is_sound(&w->block)) {
        begin_fetching(w);
        return;
    }
    leave_source(w);
    w->block.asked = w->block.received = w->block.size;
    open_block(w);
}

/* Is the block the scene that was announced? */
static bool block_is_sound(const struct lb_block *b)
{
    return head_is_sound(b) && lb_scene_mark_equal(lb_scene_mark_make(b->bytes, b->size), b->mark);
}

/* All bytes have come. */
static void end_fetching(struct lb_worker *w)
{
    struct lb_block *b = &w->block;
    bool sound = block_is_sound(b);
    leave_source(w);
    if (!sound && b->lent) {
        lb_log_write(w->log, LB_WARNING, "%s gave a damaged scene; the primary gives it anew",
                     w->source_address);
        b->lent = false;
        b->received = b->asked = 0;
        ask_for_bytes(w);
    } else if (!sound) {
        lb_worker_end(w, LB_ERROR, "the scene came damaged");
    } else {
        open_block(w);
        if (w->options->store)
            lb_keeper_begin(&w->keeper, w->options->store, b->mark, b->bytes, b->size);
    }
}

/* Takes the bytes behind a BYTES message. False: they are not those that were asked for next. */
static bool take_stripe(struct lb_worker *w, const struct lb_message *message, const void *rest, size_t size)
{
    struct lb_block *b = &w->block;
    if (message->begin != b->received || message->count > b->asked - b->received || message->count < 1 ||
        message->count > LB_STRIPE_BYTES)
        return false;
    if (message->packed && !lb_unpack(rest, size, b->bytes + b->received, message->count))
        return false;
    if (!message->packed && message->count != size)
        return false;
    if (!message->packed)
        memcpy(b->bytes + b->received, rest, size);
    b->received += message->count;
    b->moved_bytes += message->count;
    b->moved = b->heard = lb_clock_now();
    time_trial(w, b->received);
    ask_for_bytes(w);
    if (b->received == b->size)
        end_fetching(w);
    return true;
}

static bool is_of_block(const struct lb_worker *w, const struct lb_message *message)
{
    return w->block.bytes && lb_scene_mark_equal(message->scene, w->block.mark);
}

void lb_worker_take_bytes(struct lb_worker *w, const struct lb_message *message, const void *rest,
                          size_t size)
{
    if (w->source.socket)
        return; /* these were asked for before another worker was to give them */
    if (is_of_block(w, message) && !take_stripe(w, message, rest, size))
        lb_worker_end(w, LB_ERROR, "the primary sent another part of the scene than was asked for");
}

/* Takes a message of the other worker. False: it says what it should not. */
static bool take_other(struct lb_worker *w, const void *data, size_t size)
{
    struct lb_message message;
    if (!lb_message_read(data, size, &message))
        return false;
    w->block.heard = lb_clock_now();
    if (message.kind == LB_MESSAGE_ALIVE)
        return true;
    if (message.kind != LB_MESSAGE_BYTES || !is_of_block(w, &message))
        return false;
    w->block.lent = true;
    return take_stripe(w, &message, lb_message_rest(data), size - sizeof message);
}

void lb_worker_hear_other(struct lb_worker *w, const void *data, size_t size)
{
    if (!take_other(w, data, size) && w->source.socket)
        fall_back(w, "it sent what was not asked for");
}

void lb_worker_hear_source(struct lb_worker *w, double now)
{
    struct lb_peer peer;
    zmq_msg_t frame;
    struct lb_block *b = &w->block;
    while (w->source.socket && lb_link_receive(&w->source, &peer, &frame)) {
        lb_worker_hear_other(w, zmq_msg_data(&frame), zmq_msg_size(&frame));
        zmq_msg_close(&frame);
    }
    if (!w->source.socket || b->moved <= 0)
        return; /* the primary gives the scene, or the disk is looked at first */
    if (now - b->heard > w->options->silence)
        fall_back(w, "it was silent for a while");
    else if (now - b->moved > WAITS * w->options->silence)
        fall_back(w, "it gave nothing for a while");
    else if (b->asked == 0)
        ask_for_bytes(w); /* nothing could be asked before the connection was there */
}
