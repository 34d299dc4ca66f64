/* Many workers in one program, to measure what a primary makes of them: they join it, claim to have its scene without
 * getting it, and answer each job when a processor of their speed would have rendered it, with black pixels that are
 * not packed.
 *
 * usage: hosts_many tcp://HOST:PORT WORKERS SAMPLES_A_SECOND
 *
 * It ends when the primary has sent all of them home. bench/hosts_many.sh runs it. */
#include "core/machine/clock.h"
#include "hosts/wire/link.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* As in hosts/worker/worker.c: between two HELLOs, and before a sign of life that nobody asked for. */
static const double HELLO_SECONDS = 0.1, ALIVE_SECONDS = 0.15;

struct job {
    uint64_t number, positions, samples;
    size_t position; /* bytes of each */
};

struct worker {
    struct lb_link link;
    bool joined, gone;
    double told; /* when it last said that it lives */
    double due;  /* when the first of its jobs will be rendered */
    struct job jobs[LB_PIECES_IN_HAND];
    uint32_t first, count;
};

static double speed;

static void say(struct worker *w, const struct lb_message *message, const void *rest, size_t size)
{
    static const struct lb_peer primary = {.size = 0};
    lb_link_send(&w->link, &primary, message, rest, size);
}

static void say_hello(struct worker *w)
{
    struct lb_message message = {.kind = LB_MESSAGE_HELLO};
    struct {
        struct lb_message_hello head;
        struct lb_message_processor processor;
    } hello;
    memset(&hello, 0, sizeof hello);
    hello.head.build = lb_build_own();
    hello.head.processors = hello.head.told = 1;
    strcpy(hello.head.name, "many");
    strcpy(hello.processor.name, "null0");
    strcpy(hello.processor.kind, "null");
    say(w, &message, &hello, sizeof hello);
}

static void begin_first(struct worker *w, double now)
{
    if (w->count)
        w->due = now + (double)w->jobs[w->first].samples / speed;
}

static void take_job(struct worker *w, const struct lb_message *message, const void *rest)
{
    struct lb_message_job job;
    memcpy(&job, rest, sizeof job);
    uint64_t positions = job.range.end - job.range.begin;
    w->jobs[(w->first + w->count) % LB_PIECES_IN_HAND] =
        (struct job){.number = message->job,
                     .positions = positions,
                     .samples = positions * (job.sample_end - job.sample_begin),
                     .position = sizeof(lb_film_pixel) + (job.want_cost ? sizeof(float) : 0)};
    if (w->count++ == 0)
        begin_first(w, lb_clock_now());
}

static void hear(struct worker *w, const void *data, size_t size)
{
    struct lb_message message, ready = {.kind = LB_MESSAGE_READY}, leave = {.kind = LB_MESSAGE_LEAVE};
    if (!lb_message_read(data, size, &message) || message.kind == LB_MESSAGE_REFUSED)
        exit(1);
    if (message.kind == LB_MESSAGE_WELCOME)
        w->joined = true;
    if (message.kind == LB_MESSAGE_SCENE && message.count) {
        ready.scene = message.scene;
        say(w, &ready, NULL, 0);
    }
    if (message.kind == LB_MESSAGE_JOB)
        take_job(w, &message, lb_message_rest(data));
    if (message.kind == LB_MESSAGE_ALIVE) {
        w->told = lb_clock_now();
        say(w, &message, NULL, 0);
    }
    w->gone = message.kind == LB_MESSAGE_HOME;
    if (w->gone)
        say(w, &leave, NULL, 0);
}

static void deliver(struct worker *w)
{
    static const char black[LB_STRIPE_BYTES];
    const struct job *job = &w->jobs[w->first];
    struct lb_remote_did did = {
        .ranges = 1, .samples = job->samples, .busy_seconds = (double)job->samples / speed};
    struct lb_message done = {
        .kind = LB_MESSAGE_DONE, .job = job->number, .samples = job->samples, .seconds = did.busy_seconds};
    uint64_t most = sizeof black / job->position;
    for (uint64_t at = 0; at < job->positions; at += most) {
        uint64_t count = job->positions - at < most ? job->positions - at : most;
        struct lb_message pixels = {
            .kind = LB_MESSAGE_PIXELS, .job = job->number, .begin = at, .count = count};
        say(w, &pixels, black, count * job->position);
    }
    say(w, &done, &did, sizeof did);
    w->first = (w->first + 1) % LB_PIECES_IN_HAND;
    w->count--;
    begin_first(w, w->due);
}

static void look_after(struct worker *w, double now)
{
    struct lb_message alive = {.kind = LB_MESSAGE_ALIVE};
    while (w->count && w->due <= now)
        deliver(w);
    if (now - w->told < (w->joined ? ALIVE_SECONDS : HELLO_SECONDS))
        return;
    w->told = now;
    if (w->joined)
        say(w, &alive, NULL, 0);
    else
        say_hello(w);
}

int main(int argc, char **argv)
{
    uint32_t count = argc == 4 ? (uint32_t)atol(argv[2]) : 0, left = count;
    struct worker *workers = calloc(count + 1, sizeof *workers);
    zmq_pollitem_t *items = calloc(count + 1, sizeof *items);
    void *context = zmq_ctx_new();
    if (!count || !workers || !items || !context)
        return 2;
    speed = atof(argv[3]);
    zmq_ctx_set(context, ZMQ_MAX_SOCKETS, (int)count + 16);
    for (uint32_t i = 0; i < count; i++) {
        workers[i].link = (struct lb_link){.socket = zmq_socket(context, ZMQ_DEALER), .wake = -1};
        workers[i].told = lb_clock_now() + HELLO_SECONDS * i / count;
        if (!workers[i].link.socket || zmq_connect(workers[i].link.socket, argv[1]) != 0)
            return 2;
        items[i] = (zmq_pollitem_t){workers[i].link.socket, 0, ZMQ_POLLIN, 0};
    }
    while (left) {
        struct lb_peer peer;
        zmq_msg_t frame;
        zmq_poll(items, (int)count, 5);
        for (uint32_t i = 0; i < count; i++) {
            struct worker *w = &workers[i];
            while (!w->gone && items[i].revents && lb_link_receive(&w->link, &peer, &frame)) {
                hear(w, zmq_msg_data(&frame), zmq_msg_size(&frame));
                zmq_msg_close(&frame);
                left -= w->gone;
            }
            if (!w->gone)
                look_after(w, lb_clock_now());
        }
    }
    for (uint32_t i = 0; i < count; i++)
        zmq_close(workers[i].link.socket);
    zmq_ctx_term(context);
    return 0;
}
