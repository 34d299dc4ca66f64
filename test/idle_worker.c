/* A worker that joins a primary, says again and again that it lives, and never gets the scene: what a host does whose
 * disk or GPU hangs. For test/bats/hosts.bats and test/host_faults.py.
 *
 * usage: idle_worker tcp://HOST:PORT
 *
 * It ends when the primary has no place for it any more, and prints what it was told then. */
#include "core/machine/clock.h"
#include "hosts/wire/link.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ALIVE_EVERY = 50, LONGEST = 1 << 20 };

struct idle {
    struct lb_link link;
    bool joined, ended;
};

static void say_hello(struct idle *idle)
{
    static const struct lb_peer primary = {.size = 0};
    struct lb_message message = {.kind = LB_MESSAGE_HELLO};
    struct lb_message_hello hello;
    memset(&hello, 0, sizeof hello);
    hello.build = lb_build_own();
    hello.processors = 1;
    strcpy(hello.name, "idle");
    lb_link_send(&idle->link, &primary, &message, &hello, sizeof hello);
}

static void say_alive(struct idle *idle)
{
    static const struct lb_peer primary = {.size = 0};
    struct lb_message message = {.kind = LB_MESSAGE_ALIVE};
    lb_link_send(&idle->link, &primary, &message, NULL, 0);
}

static void hear(struct idle *idle, const void *data, size_t size)
{
    struct lb_message message;
    char why[LB_MESSAGE_TEXT] = "sent home";
    if (!lb_message_read(data, size, &message))
        exit(1);
    if (message.kind == LB_MESSAGE_WELCOME)
        idle->joined = true;
    if (message.kind != LB_MESSAGE_REFUSED && message.kind != LB_MESSAGE_HOME)
        return;
    if (message.kind == LB_MESSAGE_REFUSED)
        lb_message_text(lb_message_rest(data), size - sizeof message, why, sizeof why);
    puts(why);
    idle->ended = true;
}

int main(int argc, char **argv)
{
    struct idle idle = {.joined = false};
    struct lb_error error;
    double told = 0;
    if (argc != 2 || lb_link_open(&idle.link, ZMQ_DEALER, LONGEST, &error) != LB_OK ||
        zmq_connect(idle.link.socket, argv[1]) != 0)
        return 2;
    while (!idle.ended) {
        struct lb_peer peer;
        zmq_msg_t frame;
        lb_link_wait(&idle.link, ALIVE_EVERY);
        while (!idle.ended && lb_link_receive(&idle.link, &peer, &frame)) {
            hear(&idle, zmq_msg_data(&frame), zmq_msg_size(&frame));
            zmq_msg_close(&frame);
        }
        if (lb_clock_now() - told < ALIVE_EVERY * 1e-3)
            continue;
        told = lb_clock_now();
        if (idle.joined)
            say_alive(&idle);
        else
            say_hello(&idle);
    }
    lb_link_drop(&idle.link);
    return 0;
}
