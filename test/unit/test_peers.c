/* Workers that get the scene from each other: all of them get the primary's bytes, whatever the other one does. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "core/machine/clock.h"
#include "hosts/primary/chain.h"
#include "hosts/primary/primary.h"
#include "hosts/worker/worker.h"

enum { SCENE_BYTES = 5 << 20, WORKERS = 4, LIMIT = 30 };

/* ---- the pieces ---- */

/* A block of which nothing but its size is right, half of it noise. */
static lb_scene *make_scene(unsigned seed)
{
    lb_scene *scene = aligned_alloc(64, SCENE_BYTES);
    assert_non_null(scene);
    memset(scene, 0, SCENE_BYTES);
    for (size_t i = sizeof *scene; i < SCENE_BYTES; i++)
        ((unsigned char *)scene)[i] = (unsigned char)(i % 8 < 4 ? rand_r(&seed) >> 8 : 0);
    scene->magic = LB_SCENE_MAGIC;
    scene->size = SCENE_BYTES;
    return scene;
}

struct heard {
    pthread_mutex_t lock;
    char text[16384];
};

static void hear(void *user, enum lb_level level, const char *message)
{
    (void)level;
    struct heard *heard = user;
    pthread_mutex_lock(&heard->lock);
    size_t used = strlen(heard->text);
    snprintf(heard->text + used, sizeof heard->text - used, "%s\n", message);
    pthread_mutex_unlock(&heard->lock);
}

static unsigned said(struct heard *heard, const char *what)
{
    unsigned count = 0;
    pthread_mutex_lock(&heard->lock);
    for (const char *at = heard->text; (at = strstr(at, what)) != NULL; at++)
        count++;
    pthread_mutex_unlock(&heard->lock);
    return count;
}

struct bench {
    struct heard heard;
    struct lb_log log;
    struct lb_primary *primary;
    lb_scene *scene;
    char key[64];
    double silence; /* of workers */
    int stop;
    struct worker {
        struct bench *bench;
        pthread_t thread;
        enum lb_status status;
        bool right; /* the scene that it opened is the primary's */
    } workers[WORKERS];
};

static void open_bench(struct bench *b, bool keyed, double silence)
{
    struct lb_error error;
    *b = (struct bench){.heard.lock = PTHREAD_MUTEX_INITIALIZER, .silence = silence};
    b->log = (struct lb_log){hear, &b->heard};
    b->scene = make_scene(7);
    if (keyed) {
        snprintf(b->key, sizeof b->key, "/tmp/lbrender-peers-%d.key", (int)getpid());
        unlink(b->key);
        assert_int_equal(lb_key_make(b->key, &error), LB_OK);
    }
    struct lb_primary_options options = {.address = "tcp://127.0.0.1:0",
                                         .key = keyed ? b->key : NULL,
                                         .hosts = WORKERS,
                                         .most = WORKERS,
                                         .silence = LIMIT,
                                         .due = LIMIT};
    assert_int_equal(lb_primary_open(&options, &b->log, &b->primary, &error), LB_OK);
    lb_primary_offer(b->primary, b->scene);
}

static enum lb_status open_scene(void *user, const lb_scene *scene, struct lb_error *error)
{
    (void)error;
    struct worker *w = user;
    if (scene)
        w->right = scene->size == SCENE_BYTES && !memcmp(scene, w->bench->scene, SCENE_BYTES);
    return LB_OK;
}

static void *work(void *argument)
{
    struct worker *w = argument;
    struct lb_worker_options options = {.address = lb_primary_address(w->bench->primary),
                                        .key = *w->bench->key ? w->bench->key : NULL,
                                        .name = "one",
                                        .silence = w->bench->silence,
                                        .patience = LIMIT,
                                        .stop = &w->bench->stop};
    struct lb_worker_site site = {.user = w, .open = open_scene};
    struct lb_error error;
    w->status = lb_worker_run(&options, &site, &w->bench->log, &error);
    return NULL;
}

static void start(struct bench *b, uint32_t number)
{
    b->workers[number].bench = b;
    assert_int_equal(pthread_create(&b->workers[number].thread, NULL, work, &b->workers[number]), 0);
}

/* Is there, and has the scene. */
static bool is_ready(struct bench *b, uint32_t index)
{
    pthread_mutex_lock(&b->primary->lock);
    const struct lb_place *place = &b->primary->places[index];
    bool ready = place->taken && lb_scene_mark_equal(place->ready, b->primary->mark);
    pthread_mutex_unlock(&b->primary->lock);
    return ready;
}

static void await_ready(struct bench *b, uint32_t index)
{
    double end = lb_clock_now() + LIMIT;
    while (!is_ready(b, index)) {
        if (lb_clock_now() > end)
            fail_msg("host%u never has the scene:\n%s", index, b->heard.text);
        usleep(5000);
    }
}

/* Bytes that the primary sent to this one. */
static uint64_t sent(struct bench *b, uint32_t index)
{
    pthread_mutex_lock(&b->primary->lock);
    uint64_t bytes = b->primary->places[index].remote.bytes_sent;
    pthread_mutex_unlock(&b->primary->lock);
    return bytes;
}

static void end_worker(struct bench *b, uint32_t number)
{
    pthread_join(b->workers[number].thread, NULL);
    assert_int_equal(b->workers[number].status, LB_OK);
    assert_true(b->workers[number].right);
}

static void close_bench(struct bench *b)
{
    lb_primary_close(b->primary);
    if (*b->key)
        unlink(b->key);
    free(b->scene);
}

/* ---- workers that do as they should ---- */

/* One after the other, and all at once; with a key too. The primary sends all of the block to one of them. */
static void one_copy_for_all(void **unused)
{
    (void)unused;
    for (int turn = 0; turn < 4; turn++) {
        struct bench b;
        uint64_t copies = 0;
        open_bench(&b, turn & 1, LIMIT);
        for (uint32_t i = 0; i < WORKERS; i++) {
            start(&b, i);
            if (turn & 2)
                await_ready(&b, i);
        }
        for (uint32_t i = 0; i < WORKERS; i++) {
            await_ready(&b, i);
            copies += sent(&b, i) > SCENE_BYTES / 10;
        }
        if (copies != 1)
            fail_msg("%u copies:\n%s", (unsigned)copies, b.heard.text);
        assert_int_equal(said(&b.heard, "the scene comes from tcp://127.0.0.1:"), WORKERS - 1);
        lb_primary_offer(b.primary, NULL);
        lb_primary_close(b.primary);
        for (uint32_t i = 0; i < WORKERS; i++)
            end_worker(&b, i);
        b.primary = NULL;
        close_bench(&b);
    }
}

/* ---- one that does not ---- */

enum lie { SILENT, GONE, WAITING, FLIPPED, SHORT, OTHER_PLACE, OTHER_KIND, LIES };

/* A worker that has said that it has the scene and gives it to others. */
struct liar {
    struct bench *bench;
    enum lie lie;
    struct lb_link link;
    struct lb_peers peers;
    struct lb_key key;
    pthread_t thread;
    bool joined;
    atomic_int stop;
};

static void say_hello(struct liar *liar)
{
    static const struct lb_peer primary = {.size = 0};
    struct lb_message hello = {.kind = LB_MESSAGE_HELLO};
    struct lb_message_hello about = {
        .build = lb_build_own(), .processors = 1, .port = liar->peers.port, .name = "liar"};
    lb_link_send(&liar->link, &primary, &hello, &about, sizeof about);
}

static void give(struct liar *liar, const struct lb_peer *peer, const struct lb_message *want)
{
    static char bytes[LB_STRIPE_BYTES];
    struct lb_message stripe = {
        .kind = LB_MESSAGE_BYTES, .scene = want->scene, .begin = want->begin, .count = want->count};
    size_t size = want->count;
    memcpy(bytes, (const char *)liar->bench->scene + want->begin, want->count);
    bool middle = want->begin > SCENE_BYTES / 2;
    if (liar->lie == SILENT || (liar->lie == GONE && middle))
        return;
    if (liar->lie == WAITING && middle) {
        stripe.kind = LB_MESSAGE_ALIVE;
        size = 0;
    }
    if (liar->lie == FLIPPED && middle)
        bytes[size / 2] ^= 1;
    size -= liar->lie == SHORT && middle;
    stripe.begin += liar->lie == OTHER_PLACE && middle;
    if (liar->lie == OTHER_KIND && middle) {
        stripe.kind = LB_MESSAGE_STOP;
        size = 0;
    }
    lb_link_send(&liar->peers.link, peer, &stripe, bytes, size);
}

static void hear_primary(struct liar *liar)
{
    static const struct lb_peer primary = {.size = 0};
    struct lb_peer peer;
    zmq_msg_t frame;
    while (lb_link_receive(&liar->link, &peer, &frame)) {
        struct lb_message message;
        assert_true(lb_message_read(zmq_msg_data(&frame), zmq_msg_size(&frame), &message));
        zmq_msg_close(&frame);
        liar->joined |= message.kind == LB_MESSAGE_WELCOME;
        if (message.kind == LB_MESSAGE_ALIVE)
            lb_link_send(&liar->link, &primary, &message, NULL, 0);
        struct lb_message ready = {.kind = LB_MESSAGE_READY, .scene = message.scene};
        if (message.kind == LB_MESSAGE_SCENE)
            lb_link_send(&liar->link, &primary, &ready, NULL, 0);
    }
}

static void *lie(void *argument)
{
    struct liar *liar = argument;
    double told = 0;
    while (!atomic_load(&liar->stop)) {
        struct lb_link *const links[] = {&liar->link, &liar->peers.link};
        struct lb_peer peer;
        zmq_msg_t frame;
        if (!liar->joined && lb_clock_now() - told > 0.1) {
            say_hello(liar);
            told = lb_clock_now();
        }
        lb_links_wait(links, 2, 20);
        hear_primary(liar);
        lb_link_admit(&liar->peers.link);
        while (lb_link_receive(&liar->peers.link, &peer, &frame)) {
            struct lb_message want;
            assert_true(lb_message_read(zmq_msg_data(&frame), zmq_msg_size(&frame), &want));
            zmq_msg_close(&frame);
            give(liar, &peer, &want);
        }
    }
    return NULL;
}

static void open_liar(struct liar *liar, struct bench *b, enum lie what)
{
    struct lb_error error;
    *liar = (struct liar){.bench = b, .lie = what};
    const char *address = lb_primary_address(b->primary);
    assert_int_equal(lb_link_open(&liar->link, ZMQ_DEALER, 1 << 30, &error), LB_OK);
    if (*b->key) {
        assert_int_equal(lb_key_read(b->key, &liar->key, &error), LB_OK);
        assert_int_equal(lb_link_unlock(&liar->link, &liar->key, &error), LB_OK);
    }
    lb_peers_open(&liar->peers, address, *b->key ? &liar->key : NULL, false);
    assert_int_not_equal(liar->peers.port, 0);
    assert_int_equal(zmq_connect(liar->link.socket, address), 0);
    assert_int_equal(pthread_create(&liar->thread, NULL, lie, liar), 0);
}

static void close_liar(struct liar *liar)
{
    atomic_store(&liar->stop, 1);
    pthread_join(liar->thread, NULL);
    lb_link_close(&liar->link);
    lb_peers_close(&liar->peers);
}

/* The primary gives the scene, or the rest of it, and names the liar to nobody else. */
static void liars_are_done_without(void **unused)
{
    (void)unused;
    for (int turn = 0; turn < 2 * LIES; turn++) {
        enum lie what = (enum lie)(turn / 2);
        if (what == WAITING && turn % 2)
            continue; /* this one takes long, and a key changes nothing */
        struct bench b;
        struct liar liar;
        open_bench(&b, turn & 1, what == SILENT || what == GONE || what == WAITING ? 1 : LIMIT);
        open_liar(&liar, &b, what);
        await_ready(&b, 0);
        start(&b, 1);
        await_ready(&b, 1);
        if (said(&b.heard, "the scene comes from tcp://127.0.0.1:") != 1 ||
            said(&b.heard, what == FLIPPED ? "gave a damaged scene" : "the primary gives the scene") != 1)
            fail_msg("lie %d:\n%s", what, b.heard.text);
        assert_true(sent(&b, 1) > SCENE_BYTES / 10);
        assert_true(b.primary->places[0].shy && !b.primary->places[1].shy);
        lb_primary_close(b.primary);
        b.primary = NULL;
        end_worker(&b, 1);
        close_liar(&liar);
        close_bench(&b);
    }
}

/* Where one in the middle of a chain gives nothing more, the one behind it turns to the primary, and tells those behind
 * itself to wait. */
static void one_falls_back_and_not_all(void **unused)
{
    (void)unused;
    struct bench b;
    struct liar liar;
    open_bench(&b, false, 2);
    open_liar(&liar, &b, GONE);
    await_ready(&b, 0);
    for (uint32_t i = 1; i < WORKERS; i++)
        start(&b, i);
    for (uint32_t i = 1; i < WORKERS; i++)
        await_ready(&b, i);
    if (said(&b.heard, "the primary gives the scene") != 1)
        fail_msg("%s", b.heard.text);
    lb_primary_close(b.primary);
    b.primary = NULL;
    for (uint32_t i = 1; i < WORKERS; i++)
        end_worker(&b, i);
    close_liar(&liar);
    close_bench(&b);
}

/* A scene that takes a moment to send, and a worker whose address others cannot reach, make no chains. */
static void chains_that_are_none(void **unused)
{
    (void)unused;
    lb_scene *scene = make_scene(1);
    struct lb_place places[3] = {{.taken = true, .occupant = 1, .port = 5, .peer.host = "10.0.0.1"},
                                 {.taken = true, .occupant = 2, .port = 6, .peer.host = "fe80::1"},
                                 {.taken = true, .occupant = 3, .port = 7, .peer.host = "10.0.0.3"}};
    struct lb_primary primary = {.place_count = 3, .places = places, .scene = scene, .mark = {1, 2}};
    char address[100];
    places[0].told = primary.mark;
    lb_chain_join(&primary, &places[1], address, sizeof address);
    assert_string_equal(address, "tcp://10.0.0.1:5");
    assert_true(places[1].source == 1 && places[1].depth == 1);
    places[1].told = primary.mark;
    lb_chain_join(&primary, &places[2], address, sizeof address);
    assert_string_equal(address, "tcp://[fe80::1]:6");
    places[1].port = 0;
    lb_chain_join(&primary, &places[2], address, sizeof address);
    assert_string_equal(address, ""); /* the first one has a follower */
    places[1].ready = primary.mark;
    lb_chain_join(&primary, &places[2], address, sizeof address);
    assert_string_equal(address, "tcp://10.0.0.1:5");
    strcpy(places[0].peer.host, "127.0.0.1");
    lb_chain_join(&primary, &places[2], address, sizeof address);
    assert_string_equal(address, "");
    strcpy(places[2].peer.host, "127.0.0.1");
    lb_chain_join(&primary, &places[2], address, sizeof address);
    assert_string_equal(address, "tcp://127.0.0.1:5");
    lb_chain_broke(&primary, &places[2]);
    lb_chain_join(&primary, &places[2], address, sizeof address);
    assert_string_equal(address, "");
    places[0].shy = false;
    scene->size = 1000;
    lb_chain_join(&primary, &places[2], address, sizeof address);
    assert_string_equal(address, "");
    free(scene);
}

/* ---- clocks ---- */

static double day_ahead; /* seconds by which the clock of the day is ahead of the system's */

/* Takes the place of the C library's in this program. */
int clock_gettime(clockid_t clock, struct timespec *time)
{
    int result = (int)syscall(SYS_clock_gettime, clock, time);
    if (clock == CLOCK_REALTIME)
        time->tv_sec += (time_t)day_ahead;
    return result;
}

/* Whoever waits for workers waits no longer where the clock of the day is set back meanwhile, which looks as if it had
 * been ahead before. */
static void a_clock_set_back_freezes_nobody(void **unused)
{
    (void)unused;
    struct bench b;
    open_bench(&b, false, 1);
    day_ahead = 3600;
    alarm(20);
    assert_int_equal(lb_primary_wait(b.primary, 0.2, NULL), 0);
    alarm(0);
    day_ahead = 0;
    close_bench(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chains_that_are_none),
        cmocka_unit_test(one_copy_for_all),
        cmocka_unit_test(liars_are_done_without),
        cmocka_unit_test(one_falls_back_and_not_all),
        cmocka_unit_test(a_clock_set_back_freezes_nobody),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
