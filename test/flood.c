/* A peer that floods a primary and reads nothing of what it is told, for test/host_floods.py.
 *
 * usage: flood KIND tcp://HOST:PORT [KEY]
 *
 * KIND is what it says over and over, until it is killed:
 *   want     it joins, and wants the scene again and again
 *   version  HELLO of a program of another version
 *   ask      wants the list of hosts
 *   alive    a sign of life of a worker that nobody knows
 *   noise    bytes that are no message
 *   connect  nothing, over connections that it makes anew without end
 * KEY is the file of a key, which it then holds. Where it was expelled it comes again over another connection. */
#include "core/machine/clock.h"
#include "hosts/wire/link.h"

#include <stdio.h>
#include <string.h>

enum { LONGEST = 1 << 20, MESSAGES_HELD = 100, MOST_SILENT = 1000, SCENE_WAIT = 200 };

static const struct lb_peer primary = {.size = 0};

struct flood {
    struct lb_link link;
    const char *kind, *address;
    struct lb_key key;
    bool keyed;
    struct lb_message want; /* its kind is 0 while the scene is not known */
};

static bool open_flood(struct flood *flood)
{
    struct lb_error error;
    int held = MESSAGES_HELD;
    flood->want.kind = 0;
    if (lb_link_open(&flood->link, ZMQ_DEALER, LONGEST, &error) != LB_OK)
        return false;
    zmq_setsockopt(flood->link.socket, ZMQ_SNDHWM, &held, sizeof held);
    if (flood->keyed && lb_link_unlock(&flood->link, &flood->key, &error) != LB_OK)
        return false;
    return zmq_connect(flood->link.socket, flood->address) == 0;
}

static bool say_hello(struct flood *flood, bool other_version)
{
    struct lb_message message = {.kind = LB_MESSAGE_HELLO};
    struct lb_message_hello hello;
    memset(&hello, 0, sizeof hello);
    hello.build = lb_build_own();
    if (other_version)
        hello.build.version[0] = 'x';
    hello.processors = 1;
    strcpy(hello.name, "flood");
    return lb_link_send(&flood->link, &primary, &message, &hello, sizeof hello);
}

/* Joins and waits for the scene's mark. From then on nothing is read any more. */
static void join(struct flood *flood)
{
    double begin = lb_clock_now();
    while (!say_hello(flood, false) && lb_clock_now() - begin < SCENE_WAIT * 1e-3)
        lb_clock_sleep_until(lb_clock_now() + 1e-3);
    while (flood->want.kind == 0 && lb_clock_now() - begin < SCENE_WAIT * 1e-3) {
        struct lb_peer peer;
        struct lb_message message;
        zmq_msg_t frame;
        lb_link_wait(&flood->link, SCENE_WAIT);
        while (flood->want.kind == 0 && lb_link_receive(&flood->link, &peer, &frame)) {
            if (lb_message_read(zmq_msg_data(&frame), zmq_msg_size(&frame), &message) &&
                message.kind == LB_MESSAGE_SCENE && message.count > 0)
                flood->want = (struct lb_message){.kind = LB_MESSAGE_WANT,
                                                  .scene = message.scene,
                                                  .count = message.count < LB_STRIPE_BYTES ? message.count
                                                                                           : LB_STRIPE_BYTES};
            zmq_msg_close(&frame);
        }
    }
}

static bool say_once(struct flood *flood)
{
    static const char noise[] = "\x7fthis is no message";
    struct lb_message alive = {.kind = LB_MESSAGE_ALIVE}, ask = {.kind = LB_MESSAGE_ASK};
    struct lb_build build = lb_build_own();
    switch (flood->kind[0]) {
    case 'w':
        if (flood->want.kind == 0)
            join(flood);
        return flood->want.kind != 0 && lb_link_send(&flood->link, &primary, &flood->want, NULL, 0);
    case 'v':
        return say_hello(flood, true);
    case 'a':
        return flood->kind[1] == 's' ? lb_link_send(&flood->link, &primary, &ask, &build, sizeof build)
                                     : lb_link_send(&flood->link, &primary, &alive, NULL, 0);
    case 'n':
        return zmq_send(flood->link.socket, noise, sizeof noise, ZMQ_DONTWAIT) >= 0;
    default:
        return false;
    }
}

int main(int argc, char **argv)
{
    struct lb_error error;
    struct flood flood = {
        .kind = argc > 1 ? argv[1] : "", .address = argc > 2 ? argv[2] : NULL, .keyed = argc > 3};
    if (argc < 3 || argc > 4 || (flood.keyed && lb_key_read(argv[3], &flood.key, &error) != LB_OK))
        return 2;
    while (open_flood(&flood)) {
        /* Where nothing is taken any more, the primary may have closed the connection. */
        for (int silent = 0; silent < (flood.kind[0] == 'c' ? 2 : MOST_SILENT);) {
            if (say_once(&flood)) {
                silent = 0;
                continue;
            }
            silent++;
            lb_clock_sleep_until(lb_clock_now() + 1e-3);
        }
        lb_link_drop(&flood.link);
    }
    return 1;
}
