/* The primary's places without a network: who is stuck with the scene, and who gets it from whom. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hosts/chain.h"
#include "hosts/place.h"

enum { MOST = 4000 };

static struct lb_place places[MOST];
static lb_scene scene;

/* A primary that offers a scene of 300 MB, with workers in its first `count` places that were told of it. */
static struct lb_primary primary_made(uint32_t count)
{
    struct lb_primary primary = {.options = {.hosts = count, .due = 10, .silence = 2},
                                 .places = places,
                                 .scene = &scene,
                                 .mark = {1, 2},
                                 .offered = 100};
    memset(places, 0, sizeof places);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_gets_on_is_waited_for),
        cmocka_unit_test(few_stand_in_one_chain_and_many_in_two_trees),
        cmocka_unit_test(who_has_the_scene_gives_it_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
