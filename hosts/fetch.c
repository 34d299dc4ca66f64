/* How a worker gets the scene. */
#include "hosts/worker.h"

#include "core/machine/clock.h"
#include "hosts/pack.h"
#include "hosts/store.h"

#include <stdlib.h>
#include <string.h>

/* Stripes of the scene that are asked for before the first of them has come, so that a link with latency stays
 * busy. */
enum { STRIPES_AHEAD = 32 };

void lb_worker_forget_block(struct lb_worker *w)
{
    free(w->block.bytes);
    w->block = (struct lb_block){.bytes = NULL};
    w->open = false;
}

static void open_block(struct lb_worker *w)
{
    lb_renderer_add(&w->renderer, &(struct lb_task){.kind = LB_TASK_OPEN,
                                                    .scene = (const lb_scene *)(void *)w->block.bytes});
}

/* Stripes that are tried as they are, and as many packed, before it is known which way is faster. The first few are
 * not timed. */
enum { UNTIMED = 16, TRIED = 32 };

static bool wants_packed(const struct lb_worker *w, uint64_t begin)
{
    uint64_t stripe = begin / LB_STRIPE_BYTES;
    if (stripe < UNTIMED + TRIED)
        return false;
    return stripe < UNTIMED + 2 * TRIED || !w->raw_is_faster;
}

/* Bytes up to `end` have come. */
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
        if (!lb_worker_send(w, &want, NULL, 0))
            return;
        b->asked += count;
    }
}

void lb_worker_say_ready(struct lb_worker *w)
{
    struct lb_message ready = {.kind = LB_MESSAGE_READY, .scene = w->block.mark};
    lb_worker_send(w, &ready, NULL, 0);
}

void lb_worker_take_scene(struct lb_worker *w, const struct lb_message *message)
{
    if (w->open && lb_scene_mark_equal(w->block.mark, message->scene)) {
        lb_worker_say_ready(w);
        return;
    }
    lb_renderer_drop_all(&w->renderer);
    struct lb_error error;
    w->site->open(w->site->user, NULL, &error); /* the renderer is idle, and nothing of it can fail */
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
    if (!w->options->store || !lb_renderer_add(&w->renderer, &(struct lb_task){.kind = LB_TASK_READ,
                                                                               .block = w->block.bytes,
                                                                               .mark = w->block.mark,
                                                                               .size = w->block.size}))
        ask_for_bytes(w);
}

void lb_worker_looked(struct lb_worker *w, bool found)
{
    if (found)
        open_block(w);
    else
        ask_for_bytes(w);
}

/* Is the block what was announced? */
static bool block_is_sound(const struct lb_block *b)
{
    lb_scene head;
    memcpy(&head, b->bytes, sizeof head);
    return head.magic == LB_SCENE_MAGIC && head.size == b->size &&
           lb_scene_mark_equal(lb_scene_mark_make(b->bytes, b->size), b->mark);
}

void lb_worker_take_bytes(struct lb_worker *w, const struct lb_message *message, const void *rest,
                          size_t size)
{
    struct lb_block *b = &w->block;
    if (!lb_scene_mark_equal(message->scene, b->mark) || !b->bytes)
        return; /* of one that is not wanted any more */
    bool asked = message->begin == b->received && message->count <= b->asked - b->received &&
                 message->count <= LB_STRIPE_BYTES;
    if (asked && message->packed)
        asked = lb_unpack(rest, size, b->bytes + b->received, message->count);
    else if (asked && (asked = message->count == size))
        memcpy(b->bytes + b->received, rest, size);
    if (!asked) {
        lb_worker_end(w, LB_ERROR, "the primary sent another part of the scene than was asked for");
        return;
    }
    b->received += message->count;
    time_trial(w, b->received);
    ask_for_bytes(w);
    if (b->received < b->size)
        return;
    if (!block_is_sound(b)) {
        lb_worker_end(w, LB_ERROR, "the scene came damaged");
        return;
    }
    open_block(w);
    if (w->options->store)
        lb_renderer_add(
            &w->renderer,
            &(struct lb_task){.kind = LB_TASK_KEEP, .block = b->bytes, .mark = b->mark, .size = b->size});
}
