/* The primary's places without a network: who is stuck with the scene, who gets it from whom, and what floods cost. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/machine/clock.h"
#include "hosts/primary/chain.h"
#include "hosts/primary/place.h"

enum { MOST = 4000 };

static struct lb_place places[MOST];
static lb_scene scene;
static _Alignas(64) unsigned char scene_bytes[100 * LB_STRIPE_BYTES];

static void clear_places(void)
{
    for (uint32_t i = 0; i < MOST; i++)
        free(places[i].remote.processors);
    memset(places, 0, sizeof places);
}

/* A primary that offers a scene of 300 MB, with workers in its first `count` places that were told of it. */
static struct lb_primary primary_made(uint32_t count)
{
    struct lb_primary primary = {.options = {.hosts = count, .most = count, .due = 10, .silence = 2},
                                 .place_count = count,
                                 .places = places,
                                 .scene = &scene,
                                 .mark = {1, 2},
                                 .offered = 100};
    clear_places();
    scene.size = 300000000;
    for (uint32_t i = 0; i < count; i++) {
        places[i] = (struct lb_place){
            .taken = true, .occupant = i + 1, .port = 1000 + i, .told = primary.mark, .progressed = 100};
        snprintf(places[i].peer.host, sizeof places[i].peer.host, "10.0.%u.%u", i / 250, i % 250);
    }
    return primary;
}

/* ---- who is stuck ---- */

static void say_progress(struct lb_primary *primary, uint64_t bytes, double now)
{
    struct lb_message alive = {.kind = LB_MESSAGE_ALIVE, .scene = primary->mark, .count = bytes};
    lb_place_note_progress(primary, &places[0], &alive, now);
}

static void who_gets_on_is_waited_for(void **unused)
{
    (void)unused;
    struct lb_primary primary = primary_made(1);
    assert_false(lb_place_is_stuck(&primary, &places[0], 109));
    assert_true(lb_place_is_stuck(&primary, &places[0], 111));
    for (int i = 0; i < 100; i++) {
        say_progress(&primary, 1000 + (uint64_t)i, 109 + 9 * i);
        assert_false(lb_place_is_stuck(&primary, &places[0], 118 + 9 * i));
    }
    say_progress(&primary, 1099, 1005); /* the same once more is no progress */
    assert_true(lb_place_is_stuck(&primary, &places[0], 1011));
    say_progress(&primary, 10, 1011); /* what was damaged comes anew */
    assert_false(lb_place_is_stuck(&primary, &places[0], 1012));
    primary.mark.low++; /* another scene, of which the worker was not told yet */
    say_progress(&primary, 11, 2000);
    assert_false(lb_place_is_stuck(&primary, &places[0], 2000));
    places[0].told = primary.mark;
    assert_true(lb_place_is_stuck(&primary, &places[0], 2011));
    places[0].ready = primary.mark;
    assert_false(lb_place_is_stuck(&primary, &places[0], 1e9));
    places[0].ready.low--;
    primary.scene = NULL;
    assert_false(lb_place_is_stuck(&primary, &places[0], 1e9));
}

/* ---- who gives the scene ---- */

/* All workers are to get the scene, one after the other; *deepest is through how many others it goes at most. Returns
 * how many get it from the primary. */
static uint32_t join_all(struct lb_primary *primary, uint32_t count, uint32_t *deepest)
{
    static uint32_t followers[MOST], depth[MOST];
    uint32_t chains = 0;
    *deepest = 0;
    memset(followers, 0, sizeof followers);
    for (uint32_t i = 0; i < count; i++)
        places[i].told.low = 0;
    for (uint32_t i = 0; i < count; i++) {
        char address[200], wanted[200] = "";
        places[i].told = primary->mark;
        lb_chain_join(primary, &places[i], address, sizeof address);
        uint64_t source = places[i].source;
        if (source == 0) {
            chains++;
            depth[i] = 0;
        } else {
            assert_in_range(source, 1, i);
            depth[i] = depth[source - 1] + 1;
            followers[source - 1]++;
            assert_in_range(followers[source - 1], 1, 2);
            snprintf(wanted, sizeof wanted, "tcp://%s:%u", places[source - 1].peer.host,
                     places[source - 1].port);
        }
        assert_string_equal(address, wanted);
        assert_int_equal(places[i].depth, depth[i]);
        *deepest = depth[i] > *deepest ? depth[i] : *deepest;
    }
    return chains;
}

static void few_stand_in_one_chain_and_many_in_two_trees(void **unused)
{
    (void)unused;
    uint32_t deepest;
    for (uint32_t count = 1; count <= 16; count++) {
        struct lb_primary primary = primary_made(count);
        assert_int_equal(join_all(&primary, count, &deepest), 1);
        assert_int_equal(deepest, count - 1);
    }
    static const uint32_t many[] = {17, 32, 33, 64, 1000, MOST};
    for (size_t i = 0; i < sizeof many / sizeof *many; i++) {
        struct lb_primary primary = primary_made(many[i]);
        assert_int_equal(join_all(&primary, many[i], &deepest), 2);
        assert_int_equal(deepest, 15);
    }
}

static void who_has_the_scene_gives_it_first(void **unused)
{
    (void)unused;
    struct lb_primary primary = primary_made(20);
    uint32_t deepest;
    char address[200];
    places[19].told.low = 0; /* it has not heard of the scene yet */
    join_all(&primary, 19, &deepest);
    places[7].ready = primary.mark;
    lb_chain_join(&primary, &places[19], address, sizeof address);
    assert_string_equal(address, "tcp://10.0.0.6:1006"); /* nobody gets it from there any more */
    places[8].ready = primary.mark;
    lb_chain_join(&primary, &places[19], address, sizeof address);
    assert_string_equal(address, "tcp://10.0.0.7:1007");
    assert_int_equal(places[19].depth, 1);
    /* Whoever could not be reached, or is gone, or listens nowhere, gives it to nobody. */
    lb_chain_broke(&primary, &places[19]);
    assert_int_equal(places[19].source, 0);
    lb_chain_join(&primary, &places[19], address, sizeof address);
    assert_string_not_equal(address, "tcp://10.0.0.7:1007");
    for (uint32_t i = 0; i < 19; i++) {
        places[i].taken = i % 3 != 0;
        places[i].port = i % 3 == 1 ? 0 : places[i].port;
        places[i].shy = i % 3 == 2;
    }
    lb_chain_join(&primary, &places[19], address, sizeof address);
    assert_string_equal(address, "");
}

/* ---- who gets which place ---- */

static uint32_t place_of_last(const struct lb_primary *primary)
{
    for (uint32_t i = 0; i < primary->place_count; i++)
        if (places[i].taken && places[i].occupant == primary->occupants)
            return i;
    return UINT32_MAX;
}

/* ---- floods ---- */

static void want(struct lb_primary *primary, uint64_t begin)
{
    struct lb_message message = {
        .kind = LB_MESSAGE_WANT, .scene = primary->mark, .begin = begin, .count = LB_STRIPE_BYTES};
    lb_primary_hear(primary, &places[0].peer, &message, sizeof message);
}

/* Opens a link that leads nowhere: messages to it are kept for a peer that never comes. */
static void open_floods(struct lb_primary *primary, uint32_t hosts)
{
    struct lb_error error;
    *primary = primary_made(hosts);
    scene.size = sizeof scene_bytes;
    primary->scene = (const lb_scene *)(const void *)scene_bytes;
    ((lb_scene *)(void *)scene_bytes)->size = sizeof scene_bytes;
    pthread_mutex_init(&primary->lock, NULL);
    pthread_cond_init(&primary->changed, NULL);
    assert_int_equal(lb_link_open(&primary->link, ZMQ_DEALER, 1 << 20, &error), LB_OK);
    int any = 0;
    zmq_setsockopt(primary->link.socket, ZMQ_IMMEDIATE, &any, sizeof any);
    assert_int_equal(zmq_connect(primary->link.socket, "tcp://127.0.0.1:9"), 0);
}

static void close_floods(struct lb_primary *primary)
{
    lb_link_drop(&primary->link);
    pthread_cond_destroy(&primary->changed);
    pthread_mutex_destroy(&primary->lock);
}

/* Who asks for the scene without end and reads nothing is sent away before it costs 20 MB. */
static void who_never_reads_is_expelled(void **unused)
{
    (void)unused;
    struct lb_primary primary;
    open_floods(&primary, 1);
    for (uint32_t i = 0; i < 100000 && places[0].taken; i++)
        want(&primary, (uint64_t)(i % 100) * LB_STRIPE_BYTES);
    assert_false(places[0].taken);
    assert_true(places[0].remote.bytes_sent < 20000000);
    close_floods(&primary);
}

/* Who reads, and answers the signs of life that it meets, gets the scene as often as it likes. */
static void who_reads_is_given_all(void **unused)
{
    (void)unused;
    struct lb_primary primary;
    open_floods(&primary, 1);
    for (uint32_t i = 0; i < 10000; i++) {
        struct lb_message alive = {
            .kind = LB_MESSAGE_ALIVE, .scene = primary.mark, .begin = places[0].asked_sign};
        want(&primary, (uint64_t)(i % 100) * LB_STRIPE_BYTES);
        assert_true(places[0].taken);
        if (i % 40 == 39)
            lb_primary_hear(&primary, &places[0].peer, &alive, sizeof alive);
    }
    close_floods(&primary);
}

static uint32_t lines;

static void count_lines(void *user, enum lb_level level, const char *message)
{
    (void)user, (void)level, (void)message;
    lines++;
}

/* Says HELLO as a worker of another build (`other`) or of this one would. */
static void hello(struct lb_primary *primary, uint32_t peer, uint64_t program, bool other)
{
    struct {
        struct lb_message message;
        struct lb_message_hello hello;
    } said;
    struct lb_peer from = {.size = 4, .host = "10.1.1.1"};
    memset(&said, 0, sizeof said);
    memcpy(from.name, &peer, sizeof peer);
    said.message.kind = LB_MESSAGE_HELLO;
    said.hello.build = lb_build_own();
    said.hello.build.job += other;
    said.hello.program = program;
    strcpy(said.hello.name, "somebody");
    lb_primary_hear(primary, &from, &said, sizeof said);
}

/* Strangers that are refused again and again fill neither the log nor the memory. */
static void refusals_are_few(void **unused)
{
    (void)unused;
    const struct lb_log log = {count_lines, NULL};
    struct lb_primary primary;
    open_floods(&primary, 1);
    primary.log = &log;
    lines = 0;
    for (uint32_t i = 0; i < 200000; i++)
        hello(&primary, i % 7, 1, true);
    assert_in_range(lines, 1, 20);
    close_floods(&primary);
}

/* Whoever was expelled is let in again, but each time later. */
static void the_expelled_wait(void **unused)
{
    (void)unused;
    struct lb_primary primary;
    double waited[4];
    open_floods(&primary, 1);
    places[0].taken = false;
    for (int turn = 0; turn < 3; turn++) {
        double begin = lb_clock_now();
        while (!places[0].taken) {
            hello(&primary, 3, 77, false);
            lb_clock_sleep_until(lb_clock_now() + 0.01);
        }
        waited[turn] = lb_clock_now() - begin;
        lb_place_expel(&primary, &places[0], "it did nothing");
    }
    hello(&primary, 4, 78, false); /* another one is let in at once */
    assert_true(places[0].taken && places[0].program == 78);
    assert_true(waited[0] < 0.5 && waited[1] >= 0.5 && waited[2] >= 2 * waited[1] * 0.9);
    close_floods(&primary);
}

/* Places come as workers come, up to a limit; those that are free are taken first, a worker's own before all. */
static void places_come_with_workers(void **unused)
{
    (void)unused;
    struct lb_primary primary;
    open_floods(&primary, 2);
    places[0].taken = places[1].taken = false;
    places[0].occupant = places[1].occupant = 0;
    primary.options.most = 4;
    for (uint32_t i = 0; i < 4; i++) {
        hello(&primary, i, 100 + i, false);
        assert_int_equal(place_of_last(&primary), i);
        snprintf(places[i].name, sizeof places[i].name, i == 3 ? "somebody" : "host %u", i);
    }
    assert_int_equal(primary.place_count, 4);
    hello(&primary, 4, 104, false);
    assert_int_equal(primary.occupants, 4); /* it was refused */
    lb_place_vacate(&primary, &places[1], "it left");
    lb_place_vacate(&primary, &places[3], "it left");
    hello(&primary, 5, 105, false);
    assert_int_equal(place_of_last(&primary), 3); /* where somebody was before */
    hello(&primary, 6, 106, false);
    assert_int_equal(place_of_last(&primary), 1);
    close_floods(&primary);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_gets_on_is_waited_for),
        cmocka_unit_test(few_stand_in_one_chain_and_many_in_two_trees),
        cmocka_unit_test(who_has_the_scene_gives_it_first),
        cmocka_unit_test(who_never_reads_is_expelled),
        cmocka_unit_test(who_reads_is_given_all),
        cmocka_unit_test(refusals_are_few),
        cmocka_unit_test(the_expelled_wait),
        cmocka_unit_test(places_come_with_workers),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    clear_places();
    return failed;
}
