/* What hosts tell each other: a job arrives as it was sent, and what was damaged on the way is refused or harmless. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "hosts/primary/listing.h"
#include "hosts/wire/message.h"
#include "hosts/wire/pack.h"

enum { WIDTH = 53, HEIGHT = 37, SAMPLES = 9 };

static lb_scene scene_made(void)
{
    lb_scene scene;
    memset(&scene, 0, sizeof scene);
    scene.film.width = WIDTH;
    scene.film.height = HEIGHT;
    scene.integrator.samples = SAMPLES;
    return scene;
}

static uint32_t draw(unsigned *random, uint32_t below)
{
    return (uint32_t)rand_r(random) % below;
}

/* The picture cut into rows of random heights, each cut at a random column. */
static uint32_t make_rectangles(unsigned *random, lb_rectangle *rectangles)
{
    uint32_t count = 0;
    uint64_t begin = 0;
    for (uint32_t y = 0, rows; y < HEIGHT; y += rows) {
        uint32_t at = 1 + draw(random, WIDTH - 1);
        rows = 1 + draw(random, HEIGHT - y);
        rectangles[count++] = (lb_rectangle){begin, 0, y, at, rows};
        begin += (uint64_t)at * rows;
        rectangles[count++] = (lb_rectangle){begin, at, y, WIDTH - at, rows};
        begin += (uint64_t)(WIDTH - at) * rows;
    }
    return count;
}

static lb_order make_order(unsigned *random, lb_rectangle *rectangles)
{
    enum lb_curve curve = draw(random, 2) ? LB_CURVE_ROWS : LB_CURVE_HILBERT;
    uint32_t side = 1 + draw(random, 20), hands = 1 + draw(random, 9);
    switch (draw(random, 7)) {
    case 0:
        return lb_order_curve(WIDTH, HEIGHT, curve);
    case 1:
        return lb_order_reversed(WIDTH, HEIGHT, 1 + draw(random, 99), curve);
    case 2:
        return lb_order_dealt(WIDTH, HEIGHT, 1 + draw(random, 99), hands, curve);
    case 3:
        return lb_order_tiles(WIDTH, HEIGHT, side);
    case 4:
        return lb_order_shuffled(WIDTH, HEIGHT, side, draw(random, 1000));
    case 5:
        return lb_order_handed(WIDTH, HEIGHT, side, hands);
    default:
        return lb_order_rectangles(WIDTH, HEIGHT, rectangles, make_rectangles(random, rectangles));
    }
}

/* A message with a random job, which wants costs where `*wants` has bit 0, and sums where it has bit 1. The caller
 * frees it. */
static char *make_job(unsigned *random, lb_order *order, struct lb_work *work, size_t *size, uint32_t *wants)
{
    static uint64_t left_out[(WIDTH * HEIGHT + 63) / 64];
    for (size_t i = 0; i < sizeof left_out / sizeof *left_out; i++)
        left_out[i] = (uint64_t)draw(random, 1u << 30) << 34 ^ draw(random, 1u << 30);
    order->left_out = draw(random, 2) ? left_out : NULL;
    uint64_t begin = draw(random, (uint32_t)order->count);
    uint64_t end = begin + 1 + draw(random, (uint32_t)(order->count - begin));
    *work = (struct lb_work){.order = order,
                             .range = {begin, end},
                             .whole = {begin, end},
                             .sample_begin = draw(random, SAMPLES),
                             .sample_end = SAMPLES,
                             .coverage = draw(random, 2)};
    *size = sizeof(struct lb_message) + lb_message_job_size(work);
    char *data = calloc(1, *size);
    struct lb_message message = {.kind = LB_MESSAGE_JOB, .job = 5};
    memcpy(data, &message, sizeof message);
    float cost;
    int64_t sum;
    struct lb_result result = {.cost = draw(random, 2) ? &cost : NULL, .sums = draw(random, 2) ? &sum : NULL};
    lb_message_job_write(work, &result, data + sizeof message);
    *wants = (uint32_t)(result.cost != NULL) + 2 * (uint32_t)(result.sums != NULL);
    return data;
}

static void round_trips(void **unused)
{
    (void)unused;
    lb_scene scene = scene_made();
    unsigned random = 1;
    for (int turn = 0; turn < 3000; turn++) {
        lb_rectangle rectangles[2 * HEIGHT];
        lb_order order = make_order(&random, rectangles), came;
        struct lb_work work, got;
        struct lb_message message;
        struct lb_message_job job;
        size_t size;
        uint32_t wants;
        char *data = make_job(&random, &order, &work, &size, &wants);
        assert_true(lb_message_read(data, size, &message));
        assert_int_equal(message.job, 5);
        bool read = lb_message_job_read(data, size, &scene, &came, &got, &job);
        if (work.coverage && !(wants & 1)) { /* coverage comes as costs, or not at all */
            assert_false(read);
            free(data);
            continue;
        }
        assert_true(read);
        assert_int_equal(got.range.begin, work.range.begin);
        assert_int_equal(got.range.end, work.range.end);
        assert_int_equal(got.sample_begin, work.sample_begin);
        assert_int_equal(got.sample_end, work.sample_end);
        assert_int_equal(got.coverage, work.coverage);
        assert_int_equal(job.want_cost + 2 * job.want_sums, wants);
        assert_false(job.cost_in_seconds);
        for (uint64_t at = work.range.begin; at < work.range.end; at++)
            assert_int_equal(lb_order_due(&came, at), lb_order_due(&order, at));
        free(data);
    }
}

/* Whatever passes can be asked for all of its pixels, which are the picture's. */
static void damage_is_harmless(void **unused)
{
    (void)unused;
    lb_scene scene = scene_made();
    unsigned random = 2;
    uint32_t refused = 0;
    for (int turn = 0; turn < 30000; turn++) {
        lb_rectangle rectangles[2 * HEIGHT];
        lb_order order = make_order(&random, rectangles), came;
        struct lb_work work, got;
        struct lb_message message;
        struct lb_message_job job;
        size_t size;
        uint32_t wants;
        char *data = make_job(&random, &order, &work, &size, &wants);
        for (uint32_t i = 1 + draw(&random, 3); i > 0; i--)
            data[sizeof message + draw(&random, (uint32_t)(size - sizeof message))] ^=
                (char)(1u << draw(&random, 8));
        size -= draw(&random, 8) == 0;
        if (!lb_message_read(data, size, &message) ||
            !lb_message_job_read(data, size, &scene, &came, &got, &job)) {
            refused++;
            free(data);
            continue;
        }
        uint64_t count = got.range.end - got.range.begin;
        for (uint64_t i = 0; i<count; i += count> 5000 ? count / 5000 : 1) {
            uint64_t pixel = lb_order_due(&came, got.range.begin + i);
            assert_true(pixel == LB_NO_PIXEL || pixel < WIDTH * HEIGHT);
        }
        free(data);
    }
    assert_in_range(refused, 5000, 29999);
}

static void sizes_must_fit(void **unused)
{
    (void)unused;
    char data[sizeof(struct lb_message) + LB_STRIPE_BYTES + 1] = {0};
    struct lb_message message;
    for (uint32_t kind = 0; kind <= LB_MESSAGE_KINDS; kind++) {
        message = (struct lb_message){.kind = kind};
        memcpy(data, &message, sizeof message);
        for (size_t size = 0; size < sizeof message; size++)
            assert_false(lb_message_read(data, size, &message));
        bool bare = lb_message_read(data, sizeof message, &message);
        bool long_one = lb_message_read(data, sizeof data, &message);
        assert_true(!bare || !long_one || kind == LB_MESSAGE_HELLO || kind == LB_MESSAGE_JOB);
        assert_true(kind != LB_MESSAGE_DONE || bare);
        if (kind == 0 || kind == LB_MESSAGE_KINDS)
            assert_false(bare || long_one);
        if (kind == LB_MESSAGE_PIXELS || kind == LB_MESSAGE_BYTES)
            assert_true(!bare && !long_one && lb_message_read(data, sizeof data - 1, &message));
    }
}

/* Stripes of all that a result may have come as they were sent, and fit into a message. */
static void stripes_round_trip(void **unused)
{
    (void)unused;
    enum { POSITIONS = 700, SUMS = 30 };
    static lb_film_pixel pixels[2][POSITIONS];
    static int64_t sums[2][POSITIONS * SUMS];
    static float costs[2][POSITIONS];
    static char stripe[LB_STRIPE_BYTES];
    unsigned random = 3;
    for (uint32_t turn = 0; turn < 16; turn++) {
        bool has_sums = turn & 1, has_costs = turn & 2;
        uint32_t each = turn & 4 ? SUMS : 1;
        struct lb_result results[2];
        for (uint32_t k = 0; k < 2; k++)
            results[k] = (struct lb_result){.pixels = pixels[k],
                                            .sums = has_sums ? sums[k] : NULL,
                                            .sum_count = each,
                                            .cost = has_costs ? costs[k] : NULL};
        memset(pixels, 0, sizeof pixels);
        memset(sums, 0, sizeof sums);
        memset(costs, 0, sizeof costs);
        for (uint32_t i = 0; i < POSITIONS; i++) {
            pixels[0][i].weight = draw(&random, 1u << 30);
            costs[0][i] = (float)draw(&random, 1u << 20);
        }
        for (uint32_t i = 0; i < POSITIONS * each; i++)
            sums[0][i] = draw(&random, 1u << 30);
        uint64_t most = LB_STRIPE_BYTES / lb_stripe_position(&results[0]);
        for (uint64_t at = 0, count; at < POSITIONS; at += count) {
            count = POSITIONS - at < most ? POSITIONS - at : most;
            lb_stripe_write(&results[0], at, count, stripe);
            lb_stripe_read(&results[1], at, count, stripe);
        }
        assert_memory_equal(pixels[0], pixels[1], sizeof pixels[0]);
        assert_int_equal(memcmp(sums[0], sums[1], sizeof sums[0]) == 0, has_sums);
        assert_int_equal(memcmp(costs[0], costs[1], sizeof costs[0]) == 0, has_costs);
    }
}

static void texts_are_shown(void **unused)
{
    (void)unused;
    char shown[20];
    lb_message_text("a\033[2Jb", 6, shown, sizeof shown);
    assert_string_equal(shown, "a\\x1B[2Jb");
    lb_message_text("ab\0cd", 5, shown, sizeof shown);
    assert_string_equal(shown, "ab");
    lb_message_text("0123456789012345678901234", 25, shown, sizeof shown);
    assert_int_equal(strlen(shown), sizeof shown - 1);
    lb_message_text("\n\n\n", 3, shown, 4);
    assert_string_equal(shown, "\\n");
}

static void builds_differ(void **unused)
{
    (void)unused;
    struct lb_build own = lb_build_own(), other = own;
    assert_true(lb_build_equal(&own, &other));
    other.version[0]++;
    assert_false(lb_build_equal(&own, &other));
    other = own;
    other.byte_order = 0x04030201u;
    assert_false(lb_build_equal(&own, &other));
    other = own;
    other.scene += 8;
    assert_false(lb_build_equal(&own, &other));
}

/* Processors come as they were told, and what they did adds up; names that none has, and too many samples, are
 * refused. */
static void processors_are_told(void **unused)
{
    (void)unused;
    struct lb_remote_processor own[3] = {{.name = "cpu0", .kind = "cpu"},
                                         {.name = "cuda12", .kind = "cuda"},
                                         {.name = "abcdefghijklmnopqrstuvwxyzabcd0", .kind = "null"}};
    struct lb_message_processor told[3];
    struct lb_remote_processor came[3];
    lb_message_processors_write(own, 3, told);
    assert_true(lb_message_processors_read(told, 3, came));
    for (int i = 0; i < 3; i++) {
        assert_string_equal(came[i].name, own[i].name);
        assert_string_equal(came[i].kind, own[i].kind);
    }
    static const char *const names[] = {"",      "cpu",      "0",    "Cpu0",
                                        "cpu0 ", "cpu\0330", "a.b0", "abcdefghijklmnopqrstuvwxyzabcdef"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct lb_message_processor bad = told[0];
        memset(bad.name, 0, sizeof bad.name);
        memcpy(bad.name, names[i], strlen(names[i]));
        assert_false(lb_message_processors_read(&bad, 1, came));
    }
    memcpy(told[0].kind, "cpu0", 5);
    assert_false(lb_message_processors_read(told, 1, came));
    struct lb_remote_did did[2] = {{3, 40, 0.5}, {1, 60, 7}};
    for (uint32_t turn = 1; turn <= 2; turn++) {
        assert_true(lb_message_did_read(did, sizeof did, 2, 100, 1, own));
        assert_true(own[0].did.ranges == 3 * turn && own[0].did.samples == 40 * turn);
        assert_true(own[0].did.busy_seconds == 0.5 * turn && own[1].did.busy_seconds == 1.0 * turn);
    }
    assert_false(lb_message_did_read(did, sizeof did, 2, 99, 1, own));
    assert_false(lb_message_did_read(did, sizeof did, 3, 100, 1, own));
    assert_false(lb_message_did_read(did, sizeof did - 1, 2, 100, 1, own));
    did[1].samples = UINT64_MAX - 39;
    assert_false(lb_message_did_read(did, sizeof did, 2, 100, 1, own));
}

/* A list of hosts, as a primary writes it, and what damage may make of it. */
static void lists_are_read(void **unused)
{
    (void)unused;
    enum { HOSTS = 3, TOLD = 4 };
    char list[HOSTS * (sizeof(struct lb_message_listed) + TOLD * sizeof(struct lb_message_processor))];
    size_t size = 0;
    for (uint32_t i = 0; i < HOSTS; i++) {
        struct lb_message_listed one = {.name = "node\x1b", .here = i != 1, .processors = 9, .told = i};
        struct lb_remote_processor own[TOLD] = {{.name = "cpu0", .kind = "cpu"},
                                                {.name = "cuda3", .kind = "cuda"}};
        memcpy(list + size, &one, sizeof one);
        size += sizeof one;
        lb_message_processors_write(own, i, list + size);
        size += i * sizeof(struct lb_message_processor);
    }
    struct lb_listing came = {calloc(HOSTS, sizeof *came.hosts), 0};
    assert_int_equal(lb_listing_read(list, size, HOSTS, came.hosts), HOSTS);
    came.count = HOSTS;
    assert_string_equal(came.hosts[0].name, "node\\x1B");
    assert_true(came.hosts[0].here && !came.hosts[1].here && came.hosts[2].count == 2);
    assert_string_equal(came.hosts[2].told[1].name, "cuda3");
    lb_listing_free(&came);
    unsigned random = 5;
    for (int turn = 0; turn < 3000; turn++) {
        char damaged[sizeof list];
        size_t length = 1 + draw(&random, (uint32_t)size);
        memcpy(damaged, list, size);
        damaged[draw(&random, (uint32_t)length)] ^= (char)(1u << draw(&random, 8));
        came = (struct lb_listing){calloc(2, sizeof *came.hosts), 0};
        came.count = lb_listing_read(damaged, length, 2, came.hosts);
        assert_true(came.count <= 2);
        lb_listing_free(&came);
    }
}

/* What lb_pack makes is undone; what it did not make is refused, or something of the right size. */
static void packs(void **unused)
{
    (void)unused;
    static char from[LB_STRIPE_BYTES], packed[LB_STRIPE_BYTES], back[LB_STRIPE_BYTES];
    uint32_t seldom = 0;
    srand(1);
    for (uint32_t turn = 0; turn < 2000; turn++) {
        size_t size = turn % 10 ? (size_t)rand() % 3000 : LB_STRIPE_BYTES - (size_t)rand() % 10;
        for (size_t i = 0; i < size; i++)
            from[i] = (char)(turn % 3 ? (i % 8 < 3 ? rand() : 0) : rand());
        size_t length = lb_pack(from, size, packed);
        assert_true(length <= size);
        if (length == 0)
            continue;
        seldom++;
        assert_true(lb_unpack(packed, length, back, size));
        assert_memory_equal(from, back, size);
        assert_false(lb_unpack(packed, length, back, size - 1));
        assert_false(lb_unpack(packed, length / 2, back, size));
        packed[(size_t)rand() % length] ^= (char)(1 << rand() % 8);
        lb_unpack(packed, length, back, size);
    }
    assert_true(seldom > 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(packs),          cmocka_unit_test(stripes_round_trip),
        cmocka_unit_test(round_trips),    cmocka_unit_test(damage_is_harmless),
        cmocka_unit_test(sizes_must_fit), cmocka_unit_test(texts_are_shown),
        cmocka_unit_test(builds_differ),  cmocka_unit_test(processors_are_told),
        cmocka_unit_test(lists_are_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
