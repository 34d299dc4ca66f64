#include "core/machine/clock.h"
#include "hosts/renderer.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Milliseconds between signs of life. */
enum { ALIVE_EVERY = 100 };
/* Stripes of the scene that are asked for before the first of them has come, so that a link with latency stays busy. */
enum { STRIPES_AHEAD = 32 };
/* The longest message: a job with the rectangles of its order and the pixels that are left out. */
static const int64_t LONGEST = (int64_t)1 << 30;

/* A scene's block, while it comes and afterwards. */
struct block {
    struct lb_scene_mark mark;
    char *bytes; /* NULL: none */
    uint64_t size, asked, received;
};

struct worker {
    const struct lb_worker_options *options;
    const struct lb_worker_site *site;
    const struct lb_log *log;
    struct lb_link link;
    struct lb_renderer renderer;
    bool joined, leaves; /* leaves: for good, with `status` */
    enum lb_status status;
    struct lb_error error;
    double begun, heard, told;
    struct block block; /* of the scene that is open or on its way */
    bool open;          /* the renderer has it */
};

static bool send_message(struct worker *w, const struct lb_message *message, const void *rest, size_t size)
{
    static const struct lb_peer primary = {.size = 0};
    return lb_link_send(&w->link, &primary, message, rest, size);
}

static void end(struct worker *w, enum lb_status status, const char *why)
{
    w->leaves = true;
    w->status = status == LB_OK ? LB_OK : lb_error_set(&w->error, status, "%s: %s", w->options->address, why);
}

/* This host can do no more; the primary gives its work to others. */
static void fail(struct worker *w, const struct lb_error *error)
{
    struct lb_message message = {.kind = LB_MESSAGE_FAILED};
    size_t length = strnlen(error->message, LB_MESSAGE_TEXT);
    send_message(w, &message, error->message, length);
    w->leaves = true;
    w->status = lb_error_set(&w->error, error->status, "%s", error->message);
}

static void leave(struct worker *w)
{
    struct lb_message message = {.kind = LB_MESSAGE_LEAVE};
    send_message(w, &message, NULL, 0);
    end(w, LB_OK, "");
}

/* ---- joining ---- */

static void say_hello(struct worker *w)
{
    struct lb_message message = {.kind = LB_MESSAGE_HELLO};
    struct lb_message_hello hello;
    memset(&hello, 0, sizeof hello);
    hello.build = lb_build_own();
    hello.processors = w->options->processors;
    hello.uncounted = w->options->uncounted;
    strncpy(hello.name, w->options->name, sizeof hello.name - 1);
    send_message(w, &message, &hello, sizeof hello);
}

/* ---- the scene ---- */

static void forget_block(struct worker *w)
{
    free(w->block.bytes);
    w->block = (struct block){.bytes = NULL};
    w->open = false;
}

static void ask_for_bytes(struct worker *w)
{
    struct block *b = &w->block;
    while (b->asked < b->size && b->asked - b->received < (uint64_t)STRIPES_AHEAD * LB_STRIPE_BYTES) {
        uint64_t count = b->size - b->asked < LB_STRIPE_BYTES ? b->size - b->asked : LB_STRIPE_BYTES;
        struct lb_message want = {
            .kind = LB_MESSAGE_WANT, .scene = b->mark, .begin = b->asked, .count = count};
        if (!send_message(w, &want, NULL, 0))
            return;
        b->asked += count;
    }
}

static void say_ready(struct worker *w)
{
    struct lb_message ready = {.kind = LB_MESSAGE_READY, .scene = w->block.mark};
    send_message(w, &ready, NULL, 0);
}

/* The primary has another scene, or none any more. What is rendered of the last one is of no use. */
static void take_scene(struct worker *w, const struct lb_message *message)
{
    if (w->open && lb_scene_mark_equal(w->block.mark, message->scene)) {
        say_ready(w);
        return;
    }
    lb_renderer_drop(&w->renderer);
    struct lb_error error;
    w->site->open(w->site->user, NULL, &error); /* the renderer is idle, and nothing of it can fail */
    forget_block(w);
    if (message->count == 0)
        return;
    size_t rounded = ((size_t)message->count + 63) / 64 * 64;
    if (message->count < sizeof(lb_scene) || message->count > (uint64_t)1 << 46 ||
        !(w->block.bytes = aligned_alloc(64, rounded))) {
        lb_error_memory(&error, "the scene");
        fail(w, &error);
        return;
    }
    w->block.mark = message->scene;
    w->block.size = message->count;
    ask_for_bytes(w);
}

/* Is the block what was announced? */
static bool block_is_sound(const struct block *b)
{
    lb_scene head;
    memcpy(&head, b->bytes, sizeof head);
    return head.magic == LB_SCENE_MAGIC && head.size == b->size &&
           lb_scene_mark_equal(lb_scene_mark_make(b->bytes, b->size), b->mark);
}

static void take_bytes(struct worker *w, const struct lb_message *message, const void *rest, size_t size)
{
    struct block *b = &w->block;
    if (!lb_scene_mark_equal(message->scene, b->mark) || !b->bytes)
        return; /* of one that is not wanted any more */
    if (message->begin != b->received || message->count != size || size > b->asked - b->received) {
        end(w, LB_ERROR, "the primary sent another part of the scene than was asked for");
        return;
    }
    memcpy(b->bytes + b->received, rest, size);
    b->received += size;
    ask_for_bytes(w);
    if (b->received < b->size)
        return;
    if (!block_is_sound(b))
        end(w, LB_ERROR, "the scene came damaged");
    else
        lb_renderer_start(&w->renderer, &(struct lb_task){.kind = LB_TASK_OPEN,
                                                          .scene = (const lb_scene *)(void *)b->bytes});
}

/* ---- jobs ---- */

static bool make_result(struct lb_result *result, const struct lb_message_job *job)
{
    uint64_t count = job->range.end - job->range.begin;
    *result = (struct lb_result){.cost_in_seconds = job->cost_in_seconds != 0};
    result->pixels = calloc(count, sizeof *result->pixels);
    result->cost = job->want_cost ? calloc(count, sizeof *result->cost) : NULL;
    return result->pixels && (result->cost || !job->want_cost);
}

static void take_job(struct worker *w, const struct lb_message *message, const void *data, size_t size)
{
    const lb_scene *scene = (const lb_scene *)(void *)w->block.bytes;
    struct lb_task task = {.kind = LB_TASK_RENDER, .job = message->job};
    struct lb_message_job job;
    if (!w->open || !lb_scene_mark_equal(message->scene, w->block.mark) ||
        lb_renderer_is_busy(&w->renderer)) {
        end(w, LB_ERROR, "the primary sent work out of turn");
        return;
    }
    task.message = malloc(size);
    if (task.message)
        memcpy(task.message, data, size);
    if (task.message && !lb_message_job_read(task.message, size, scene, &task.order, &task.work, &job)) {
        lb_task_free(&task);
        end(w, LB_ERROR, "the primary sent work that does not fit the scene");
        return;
    }
    if (!task.message || !make_result(&task.result, &job)) {
        struct lb_error error;
        lb_task_free(&task);
        lb_error_memory(&error, "the work");
        fail(w, &error);
        return;
    }
    task.work.scene = scene;
    lb_renderer_start(&w->renderer, &task);
}

/* The pixels in stripes, and the rest of the result. */
static void deliver(struct worker *w, const struct lb_task *task)
{
    const struct lb_result *result = &task->result;
    uint64_t all = task->work.range.end - task->work.range.begin;
    size_t each = sizeof *result->pixels + (result->cost ? sizeof *result->cost : 0);
    uint64_t most = LB_STRIPE_BYTES / each;
    char stripe[LB_STRIPE_BYTES];
    for (uint64_t at = 0; at < all; at += most) {
        uint64_t count = all - at < most ? all - at : most;
        struct lb_message message = {
            .kind = LB_MESSAGE_PIXELS, .job = task->job, .begin = at, .count = count};
        memcpy(stripe, result->pixels + at, count * sizeof *result->pixels);
        if (result->cost)
            memcpy(stripe + count * sizeof *result->pixels, result->cost + at, count * sizeof *result->cost);
        send_message(w, &message, stripe, count * each);
    }
    struct lb_message done = {.kind = LB_MESSAGE_DONE,
                              .stopped = result->stopped,
                              .job = task->job,
                              .samples = result->samples,
                              .counters = result->counters};
    send_message(w, &done, NULL, 0);
}

static void take_finished(struct worker *w)
{
    struct lb_task task;
    if (!lb_renderer_finished(&w->renderer, &task))
        return;
    if (task.status != LB_OK) {
        fail(w, &task.error);
    } else if (task.kind == LB_TASK_OPEN) {
        w->open = true;
        say_ready(w);
    } else {
        deliver(w, &task);
    }
    if (task.kind == LB_TASK_RENDER)
        lb_task_free(&task);
}

/* ---- the conversation ---- */

static void take_refusal(struct worker *w, const void *rest, size_t size)
{
    char text[LB_MESSAGE_TEXT], why[LB_MESSAGE_TEXT + 40];
    lb_message_text(rest, size, text, sizeof text);
    snprintf(why, sizeof why, "the primary refused: %s", text);
    end(w, LB_ERROR, why);
}

/* The primary does not know this connection: the one before it broke. It begins anew; the scene is kept. */
static void join_again(struct worker *w)
{
    lb_renderer_drop(&w->renderer);
    w->joined = false;
    w->begun = lb_clock_now();
    say_hello(w);
}

static void hear(struct worker *w, zmq_msg_t *frame)
{
    struct lb_message message;
    const void *data = zmq_msg_data(frame);
    size_t size = zmq_msg_size(frame);
    if (!lb_message_read(data, size, &message)) {
        end(w, LB_ERROR, "the primary sent a message that is none");
        return;
    }
    w->heard = lb_clock_now();
    const void *rest = lb_message_rest(data);
    switch ((enum lb_message_kind)message.kind) {
    case LB_MESSAGE_WELCOME:
        w->joined = true;
        lb_log_write(w->log, LB_NOTE, "joined %s", w->options->address);
        break;
    case LB_MESSAGE_REFUSED:
        take_refusal(w, rest, size - sizeof message);
        break;
    case LB_MESSAGE_WHO:
        if (w->joined)
            join_again(w);
        break;
    case LB_MESSAGE_SCENE:
        take_scene(w, &message);
        break;
    case LB_MESSAGE_BYTES:
        take_bytes(w, &message, rest, size - sizeof message);
        break;
    case LB_MESSAGE_JOB:
        take_job(w, &message, data, size);
        break;
    case LB_MESSAGE_STOP:
        atomic_store(&w->renderer.stop, 1);
        break;
    case LB_MESSAGE_HOME:
        leave(w);
        break;
    case LB_MESSAGE_ALIVE:
        break;
    default:
        end(w, LB_ERROR, "the primary sent what only a worker says");
    }
}

static void keep_alive(struct worker *w, double now)
{
    struct lb_message alive = {.kind = LB_MESSAGE_ALIVE};
    if (now - w->told < ALIVE_EVERY * 1e-3)
        return;
    w->told = now;
    if (w->joined)
        send_message(w, &alive, NULL, 0);
    else
        say_hello(w);
}

static void watch(struct worker *w, double now)
{
    if (lb_stopped(w->options->stop)) {
        leave(w);
    } else if (!w->joined && now - w->begun > w->options->patience) {
        end(w, LB_ERROR, "no primary answers there");
    } else if (w->joined && now - w->heard > w->options->silence) {
        end(w, LB_ERROR, "the primary gave no sign of life");
    }
}

static void converse(struct worker *w)
{
    w->begun = w->heard = lb_clock_now();
    while (!w->leaves) {
        struct lb_peer peer;
        zmq_msg_t frame;
        lb_link_wait(&w->link, ALIVE_EVERY);
        while (!w->leaves && lb_link_receive(&w->link, &peer, &frame)) {
            hear(w, &frame);
            zmq_msg_close(&frame);
        }
        if (!w->leaves)
            take_finished(w);
        double now = lb_clock_now();
        keep_alive(w, now);
        if (!w->leaves)
            watch(w, now);
    }
}

enum lb_status lb_worker_run(const struct lb_worker_options *options, const struct lb_worker_site *site,
                             const struct lb_log *log, struct lb_error *error)
{
    struct worker w = {.options = options, .site = site, .log = log};
    char *address = lb_link_address("join", options->address, 1, error);
    if (!address)
        return LB_ERROR_USAGE;
    struct lb_key key;
    enum lb_status status = lb_link_open(&w.link, ZMQ_DEALER, LONGEST, error);
    if (status == LB_OK && options->key)
        status = lb_key_read(options->key, &key, error);
    if (status == LB_OK && options->key)
        status = lb_link_unlock(&w.link, &key, error);
    if (status == LB_OK && zmq_connect(w.link.socket, address) != 0)
        status = lb_error_set(error, LB_ERROR, "--join: %s: %s", address, zmq_strerror(errno));
    if (status == LB_OK)
        status = lb_renderer_open(&w.renderer, site, &w.link, error);
    if (status == LB_OK) {
        converse(&w);
        lb_renderer_close(&w.renderer);
        struct lb_error unused;
        site->open(site->user, NULL, &unused);
        forget_block(&w);
        status = w.status;
        if (error && status != LB_OK)
            *error = w.error;
    }
    lb_link_close(&w.link);
    free(address);
    return status;
}
