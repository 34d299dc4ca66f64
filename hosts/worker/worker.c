#include "hosts/worker/worker.h"

#include "core/machine/clock.h"
#include "hosts/worker/fetch.h"
#include "hosts/worker/labour.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

/* The milliseconds between two signs of life. One that has joined answers those of the primary, and says nothing more
 * unless none has come for so long. */
enum { ALIVE_EVERY = 100, ALIVE_UNASKED = 150 };
/* The milliseconds between two looks whether a connection that was begun is there. */
enum { CONNECTING = 5 };
/* The longest message of a primary: a job with the arrays of its order. */
static const int64_t LONGEST = (int64_t)1 << 30;

static void leave(struct lb_worker *w)
{
    struct lb_message message = {.kind = LB_MESSAGE_LEAVE};
    lb_worker_send(w, &message, NULL, 0);
    lb_worker_end(w, LB_OK, "");
}

/* ---- joining ---- */

static void say_hello(struct lb_worker *w)
{
    struct lb_message message = {.kind = LB_MESSAGE_HELLO};
    struct {
        struct lb_message_hello head;
        struct lb_message_processor processors[LB_PROCESSORS_TOLD];
    } hello;
    memset(&hello, 0, sizeof hello);
    hello.head.build = lb_build_own();
    hello.head.processors = w->options->processors;
    hello.head.uncounted = w->options->uncounted;
    hello.head.attempt = w->attempt;
    hello.head.program = w->program;
    hello.head.port = w->peers.port;
    hello.head.told = lb_processors_told(w->options->processors);
    strncpy(hello.head.name, w->options->name, sizeof hello.head.name - 1);
    lb_message_processors_write(w->options->own, hello.head.told, hello.processors);
    lb_worker_send(w, &message, &hello, sizeof hello.head + hello.head.told * sizeof *hello.processors);
}

/* ---- the conversation ---- */

/* Says that the worker lives, and how far it has come with the scene. `asked`: the primary's clock, if it has asked. */
static void say_alive(struct lb_worker *w, uint64_t asked)
{
    struct lb_message alive = {
        .kind = LB_MESSAGE_ALIVE, .scene = w->block.mark, .begin = asked, .count = lb_worker_progress(w)};
    w->told = lb_clock_now();
    lb_worker_send(w, &alive, NULL, 0);
}

static void take_refusal(struct lb_worker *w, const void *rest, size_t size)
{
    char text[LB_MESSAGE_TEXT], why[LB_MESSAGE_TEXT + 40];
    lb_message_text(rest, size, text, sizeof text);
    snprintf(why, sizeof why, "the primary refused: %s", text);
    lb_worker_end(w, LB_ERROR, why);
}

/* The primary does not know this connection, as the one before it broke. So the worker begins anew, but keeps the
 * scene. */
static void join_again(struct lb_worker *w)
{
    lb_renderer_drop_all(&w->renderer);
    w->joined = false;
    w->attempt++;
    w->begun = lb_clock_now();
    say_hello(w);
}

void lb_worker_hear(struct lb_worker *w, const void *data, size_t size)
{
    struct lb_message message;
    if (!lb_message_read(data, size, &message)) {
        lb_worker_end(w, LB_ERROR, "the primary sent a message that is none");
        return;
    }
    w->heard = lb_clock_now();
    const void *rest = lb_message_rest(data);
    switch ((enum lb_message_kind)message.kind) {
    case LB_MESSAGE_WELCOME:
        w->joined = true;
        lb_log_write(w->log, LB_NEWS, "joined %s with %u processor%s", w->options->address,
                     w->options->processors, w->options->processors == 1 ? "" : "s");
        break;
    case LB_MESSAGE_REFUSED:
        take_refusal(w, rest, size - sizeof message);
        break;
    case LB_MESSAGE_WHO:
        if (w->joined)
            join_again(w);
        break;
    case LB_MESSAGE_SCENE:
        lb_worker_take_scene(w, &message, rest, size - sizeof message);
        break;
    case LB_MESSAGE_BYTES:
        lb_worker_take_bytes(w, &message, rest, size - sizeof message);
        break;
    case LB_MESSAGE_JOB:
        lb_worker_take_job(w, &message, data, size);
        break;
    case LB_MESSAGE_STOP:
        lb_renderer_stop(&w->renderer);
        break;
    case LB_MESSAGE_HOME:
        leave(w);
        break;
    case LB_MESSAGE_ALIVE:
        say_alive(w, message.begin);
        break;
    default:
        lb_worker_end(w, LB_ERROR, "the primary sent what only a worker says");
    }
}

static void keep_alive(struct lb_worker *w, double now)
{
    if (now - w->told < (w->joined ? ALIVE_UNASKED : ALIVE_EVERY) * 1e-3)
        return;
    if (w->joined) {
        say_alive(w, 0);
        return;
    }
    w->told = now;
    say_hello(w);
}

/* The primary is silent. It may be gone, or the connection may be dead and nobody was told so: a network that was cut
 * for a while tries again after about as long, and one that forgot the connection never does. So another is made. */
static void wait_for_another(struct lb_worker *w, double now)
{
    zmq_disconnect(w->link.socket, w->address);
    zmq_connect(w->link.socket, w->address);
    w->heard = now;
    if (!w->joined)
        return;
    lb_log_write(w->log, LB_WARNING, "%s: the primary gave no sign of life; waiting for another",
                 w->options->address);
    join_again(w);
}

static void tell_no_answer(struct lb_worker *w)
{
    const char *why;
    char text[200] = "no primary answers there";
    if (!lb_link_knows_host(w->address, &why))
        snprintf(text, sizeof text, "unknown host (%s)", why);
    lb_worker_end(w, LB_ERROR, text);
}

static void watch(struct lb_worker *w, double now)
{
    bool silent = now - w->heard > w->options->silence;
    if (lb_stopped(w->options->stop))
        leave(w);
    else if (!w->joined && now - w->begun > w->options->patience)
        tell_no_answer(w);
    else if (silent && w->options->persists)
        wait_for_another(w, now);
    else if (silent && w->joined)
        lb_worker_end(w, LB_ERROR, "the primary gave no sign of life");
}

static void converse(struct lb_worker *w)
{
    struct lb_link *const links[] = {&w->link, &w->peers.link, &w->source};
    w->begun = w->heard = lb_clock_now();
    while (!w->leaves) {
        struct lb_peer peer;
        zmq_msg_t frame;
        bool connects = w->source.socket && w->block.asked == 0;
        lb_links_wait(links, 3, connects ? CONNECTING : ALIVE_EVERY);
        while (!w->leaves && lb_link_receive(&w->link, &peer, &frame)) {
            lb_worker_hear(w, zmq_msg_data(&frame), zmq_msg_size(&frame));
            zmq_msg_close(&frame);
        }
        double now = lb_clock_now();
        if (!w->leaves)
            lb_worker_hear_source(w, now);
        lb_worker_deliver(w);
        lb_peers_serve(&w->peers, &w->block, now);
        keep_alive(w, now);
        if (!w->leaves)
            watch(w, now);
    }
}

/* Opens the sockets over which the worker talks to the primary and to other workers. */
static enum lb_status connect_links(struct lb_worker *w, struct lb_error *error)
{
    const struct lb_worker_options *options = w->options;
    enum lb_status status = lb_link_open(&w->link, ZMQ_DEALER, LONGEST, error);
    if (status == LB_OK && options->key)
        status = lb_key_read(options->key, &w->key, error);
    if (status == LB_OK && options->key)
        status = lb_link_unlock(&w->link, &w->key, error);
    if (status == LB_OK)
        lb_peers_open(&w->peers, w->address, options->key ? &w->key : NULL, options->insecure);
    if (status == LB_OK && zmq_connect(w->link.socket, w->address) != 0)
        status = lb_error_set(error, LB_ERROR, "--join: %s: %s", w->address, zmq_strerror(errno));
    return status;
}

static void run(struct lb_worker *w, struct lb_error *error)
{
    struct lb_error unused;
    converse(w);
    lb_renderer_close(&w->renderer);
    w->site->open(w->site->user, NULL, &unused);
    if (w->status == LB_OK)
        lb_keeper_await(&w->keeper, w->options->stop);
    lb_worker_forget_block(w);
    if (error && w->status != LB_OK)
        *error = w->error;
}

enum lb_status lb_worker_run(const struct lb_worker_options *options, const struct lb_worker_site *site,
                             const struct lb_log *log, struct lb_error *error)
{
    char *address = lb_link_address("join", options->address, 1, error);
    if (!address)
        return LB_ERROR_USAGE;
    struct lb_worker *w = calloc(1, sizeof *w);
    if (!w) {
        free(address);
        return lb_error_memory(error, NULL);
    }
    *w = (struct lb_worker){.options = options,
                            .site = site,
                            .log = log,
                            .address = address,
                            .peers.link.wake = -1,
                            .source.wake = -1};
    if (getrandom(&w->program, sizeof w->program, GRND_NONBLOCK) != sizeof w->program)
        w->program = 0;
    enum lb_status status = connect_links(w, error);
    if (status == LB_OK)
        status = lb_renderer_open(&w->renderer, site, &w->link, error);
    w->renderer.store = options->store;
    if (status == LB_OK) {
        run(w, error);
        status = w->status;
    }
    lb_peers_close(&w->peers);
    lb_link_close(&w->link);
    free(w);
    free(address);
    return status;
}
