/* Tests that orders are bijections, that bit reversal is the book's, and that assembling undoes every order,
 * and folding as well. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "core/assemble.h"
#include "core/kernel/film/around.h"
#include "core/kernel/order/blocks.h"
#include "core/kernel/order/make.h"
#include "core/kernel/order/walk.h"
#include "core/kernel/scene/channel_kinds.h"
#include "core/run/pass/fold.h"
#include "core/strategy.h"

static uint64_t state = 0x243f6a8885a308d3u;

static uint32_t draw(uint32_t below)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((state >> 33) % below);
}

static void assert_bijection(const lb_order *order)
{
    uint64_t n = (uint64_t)order->width * order->height, pixels = 0;
    unsigned char *seen = calloc(n, 1);
    assert_true(order->count >= n);
    for (uint64_t i = 0; i < order->count; i++) {
        uint64_t pixel = lb_order_pixel(order, i);
        if (pixel == LB_NO_PIXEL)
            continue;
        assert_true(pixel < n);
        assert_int_equal(seen[pixel], 0);
        seen[pixel] = 1;
        pixels++;
    }
    assert_int_equal(pixels, n);
    assert_true(lb_order_pixel(order, order->count) == LB_NO_PIXEL);
    free(seen);
}

/* From one position to the next, and by leaps. */
static void assert_walks(const lb_order *order)
{
    lb_order_walk walk;
    lb_order_walk_begin(order, &walk);
    for (uint64_t i = 0; i <= order->count; i++)
        assert_true(lb_order_walk_pixel(&walk, i) == lb_order_pixel(order, i));
    for (uint32_t i = 0; i < 100; i++) {
        uint64_t position = draw((uint32_t)order->count);
        assert_true(lb_order_walk_pixel(&walk, position) == lb_order_pixel(order, position));
    }
}

typedef void *assembling(const lb_order *order, void *elements, size_t size, struct lb_error *error);

static void *assemble_in_place(const lb_order *order, void *elements, size_t size, struct lb_error *error)
{
    return lb_order_assemble_in_place(order, elements, size, error) == LB_OK ? elements : NULL;
}

/* Lays every pixel's number at its position, assembles, and expects 0, 1, 2, ... */
static void assert_assembles_by(assembling *assemble, const lb_order *order, size_t size)
{
    uint64_t n = (uint64_t)order->width * order->height;
    unsigned char *elements = malloc(order->count * size);
    for (uint64_t i = 0; i < order->count; i++) {
        uint32_t pixel = (uint32_t)lb_order_pixel(order, i);
        memset(elements + i * size, (int)(pixel % 251), size);
        memcpy(elements + i * size, &pixel, sizeof pixel);
    }
    elements = assemble(order, elements, size, NULL);
    assert_non_null(elements);
    for (uint64_t i = 0; i < n; i++) {
        uint32_t pixel;
        memcpy(&pixel, elements + i * size, sizeof pixel);
        assert_int_equal(pixel, i);
        if (size > sizeof pixel)
            assert_int_equal(elements[i * size + size - 1], i % 251);
    }
    free(elements);
}

static void assert_assembles(const lb_order *order, size_t size)
{
    assert_assembles_by(lb_order_assemble, order, size);
    assert_assembles_by(assemble_in_place, order, size);
}

/* Folds a pass of random sums by some threads, and expects what assembling and gathering gives. */
static void assert_folds(const lb_order *order)
{
    uint64_t n = (uint64_t)order->width * order->height;
    lb_channels channels = {.wanted = 1u << LB_CHANNEL_AROUND | draw(2) << LB_CHANNEL_Z};
    lb_channels_lay_out(&channels);
    lb_channels left = lb_channels_folded(&channels);
    struct lb_pass_result result = {.pixels = malloc(order->count * sizeof *result.pixels)};
    lb_film_pixel *pixels = malloc(order->count * sizeof *pixels);
    int64_t *sums = malloc(order->count * channels.count * sizeof *sums);
    result.sums = malloc(order->count * channels.count * sizeof *sums);
    for (uint64_t i = 0; i < order->count * channels.count; i++)
        result.sums[i] = (int64_t)draw(UINT32_MAX) * (draw(9) ? 1 : INT32_MAX) - draw(UINT32_MAX);
    for (uint64_t i = 0; i < order->count; i++)
        result.pixels[i] = (lb_film_pixel){{draw(9), -(int64_t)draw(9), draw(9)}, draw(9)};
    memcpy(pixels, result.pixels, order->count * sizeof *pixels);
    memcpy(sums, result.sums, order->count * channels.count * sizeof *sums);
    pixels = lb_order_assemble(order, pixels, sizeof *pixels, NULL);
    sums = lb_order_assemble(order, sums, channels.count * sizeof *sums, NULL);
    assert_int_equal(lb_pass_fold(order, &channels, draw(4), &result, NULL), LB_OK);
    assert_true(left.count + LB_AROUND_SUMS == channels.count && (result.sums != NULL) == (left.count > 0));
    for (uint64_t i = 0; i < n; i++) {
        lb_film_pixel whole = lb_around_gather(pixels, &channels, sums, NULL, order->width, order->height, i);
        assert_memory_equal(&whole, &result.pixels[i], sizeof whole);
        if (left.count > 0)
            assert_memory_equal(sums + i * channels.count, result.sums + i * left.count,
                                left.count * sizeof *sums);
    }
    free(pixels);
    free(sums);
    free(result.pixels);
    free(result.sums);
}

static lb_rectangle rectangles[64];

/* Cuts the picture into up to 64 random rectangles. */
static lb_order random_rectangles(uint32_t width, uint32_t height)
{
    uint32_t count = 1, wanted = 1 + draw(64);
    uint64_t begin = 0;
    rectangles[0] = (lb_rectangle){0, 0, 0, width, height};
    for (uint32_t tries = 0; count < wanted && tries < 200; tries++) {
        lb_rectangle *r = &rectangles[draw(count)], rest = *r;
        if (draw(2) == 0 && r->width > 1) {
            r->width = 1 + draw(r->width - 1);
            rest.x += r->width;
            rest.width -= r->width;
        } else if (r->height > 1) {
            r->height = 1 + draw(r->height - 1);
            rest.y += r->height;
            rest.height -= r->height;
        } else {
            continue;
        }
        rectangles[count++] = rest;
    }
    for (uint32_t i = 0; i < count; i++) {
        rectangles[i].begin = begin;
        begin += (uint64_t)rectangles[i].width * rectangles[i].height;
    }
    return lb_order_rectangles(width, height, rectangles, count);
}

static lb_order random_order(uint32_t width, uint32_t height)
{
    enum lb_curve curve = draw(2) ? LB_CURVE_HILBERT : LB_CURVE_ROWS;
    switch (draw(7)) {
    case 0:
        return lb_order_curve(width, height, curve);
    case 1: {
        lb_order order = lb_order_reversed(width, height, 1 + draw(200), curve);
        if (draw(2))
            order.tail = 1 + draw(1u << order.bits);
        return order;
    }
    case 2:
        return lb_order_dealt(width, height, 1 + draw(draw(2) ? 3 : 300), 1 + draw(70), curve);
    case 3:
        return lb_order_tiles(width, height, 1 + draw(40));
    case 4:
        return lb_order_shuffled(width, height, 1 + draw(40), draw(1000000) * (uint64_t)0x100000001u);
    case 5:
        return lb_order_handed(width, height, 1 + draw(40), 1 + draw(70));
    default:
        return random_rectangles(width, height);
    }
}

static void check_random_orders(uint32_t cases, uint32_t most)
{
    static const uint32_t sides[] = {1, 2, 3, 5, 7, 16, 31, 64, 97, 127, 128, 251};
    for (uint32_t i = 0; i < cases; i++) {
        uint32_t width = draw(3) ? 1 + draw(most) : sides[draw(12)];
        uint32_t height = draw(3) ? 1 + draw(most) : sides[draw(12)];
        lb_order order = random_order(width, height);
        assert_bijection(&order);
        assert_walks(&order);
        assert_assembles(&order, 4 + draw(29));
        if (i % 4 == 0)
            assert_folds(&order);
    }
}

static void orders_are_bijections_that_assembling_undoes(void **unused)
{
    (void)unused;
    check_random_orders(4000, 60);
    check_random_orders(40, 400);
}

/* Listing 10-2 as printed. */
static uint32_t listing(uint32_t x)
{
    x = ((x & 0xaaaaaaaa) >> 1) | ((x & 0x55555555) << 1);
    x = ((x & 0xcccccccc) >> 2) | ((x & 0x33333333) << 2);
    x = ((x & 0xf0f0f0f0) >> 4) | ((x & 0x0f0f0f0f) << 4);
    x = ((x & 0xff00ff00) >> 8) | ((x & 0x00ff00ff) << 8);
    return (x >> 16) | (x << 16);
}

static void reversal_is_the_listing(void **unused)
{
    (void)unused;
    assert_int_equal(lb_reverse_low_bits(39, 8), 228); /* the book's example */
    assert_int_equal(lb_reverse_low_bits(0, 0), 0);
    assert_int_equal(lb_reverse_low_bits(1, 32), 0x80000000u);
    for (uint32_t bits = 1; bits <= 32; bits++)
        for (uint32_t i = 0; i < 2000; i++) {
            uint32_t x = listing(draw(0x7fffffffu) * 2u + draw(2)) >> (32 - bits);
            uint32_t slow = 0;
            for (uint32_t bit = 0; bit < bits; bit++)
                slow |= (x >> bit & 1u) << (bits - 1 - bit);
            assert_int_equal(lb_reverse_low_bits(x, bits), listing(x) >> (32 - bits));
            assert_int_equal(lb_reverse_low_bits(x, bits), slow);
            assert_int_equal(lb_reverse_low_bits(slow, bits), x);
        }
}

static void regions_are_the_book_s(void **unused)
{
    (void)unused;
    lb_order order = lb_order_reversed(1920, 1080, 128, LB_CURVE_ROWS);
    assert_int_equal(order.bits, 13);
    assert_int_equal(order.region, 254);
    order = lb_order_reversed(1024, 1024, 128, LB_CURVE_HILBERT);
    assert_int_equal(order.bits, 13);
    assert_int_equal(order.region, 128);
    order = lb_order_reversed(1, 1, 128, LB_CURVE_ROWS);
    assert_int_equal(order.bits, 0);
    assert_int_equal(order.count, 1);
    order = lb_order_reversed(65535, 65535, 1, LB_CURVE_HILBERT);
    assert_int_equal(order.bits, 31);
    assert_true(order.count >= (uint64_t)65535 * 65535);
    assert_true(lb_order_pixel(&order, order.count - 1) == LB_NO_PIXEL);
}

/* As printed, whatever the width; at 4K drifting costs no more padding than that. */
static void sizes_are_the_book_s_on_demand(void **unused)
{
    (void)unused;
    static const struct {
        uint32_t width, height, bits, region, drifting;
    } cases[] = {{640, 360, 10, 225, 226},
                 {1280, 720, 12, 225, 227},
                 {1024, 1024, 13, 128, 129},
                 {1920, 1080, 13, 254, 254},
                 {3840, 2160, 15, 254, 254}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint32_t width = cases[i].width, height = cases[i].height;
        lb_order printed = lb_order_reversed_as_printed(width, height, 128, LB_CURVE_ROWS);
        lb_order order = lb_order_reversed(width, height, 128, LB_CURVE_ROWS);
        uint64_t n = (uint64_t)width * height, m = (uint64_t)1 << cases[i].bits;
        assert_true(printed.bits == cases[i].bits && printed.region == cases[i].region);
        assert_true(printed.region == (n + m - 1) / m && printed.count - n < m);
        assert_true(order.bits == cases[i].bits && order.region == cases[i].drifting);
        assert_true(order.count - n <= 2 * m);
    }
}

/* Tile t goes to processor t mod p, tiles counted row by row. */
static void tiles_are_dealt_in_turn(void **unused)
{
    (void)unused;
    for (uint32_t i = 0; i < 200; i++) {
        uint32_t width = 1 + draw(90), height = 1 + draw(90), side = 1 + draw(20), hands = 1 + draw(12);
        lb_order order = lb_order_handed(width, height, side, hands);
        uint32_t across = (width + side - 1) / side;
        for (uint32_t hand = 0; hand < hands; hand++)
            for (uint64_t p = lb_dealt_begin(&order, hand); p < lb_dealt_begin(&order, hand + 1); p++) {
                uint64_t pixel = lb_order_pixel(&order, p);
                if (pixel != LB_NO_PIXEL)
                    assert_int_equal((pixel / width / side * across + pixel % width / side) % hands, hand);
            }
    }
}

static void involutions_are_their_own_inverse(void **unused)
{
    (void)unused;
    for (uint32_t i = 0; i < 300; i++) {
        lb_order order = lb_order_reversed(1 + draw(90), 1 + draw(90), 1 + draw(50), LB_CURVE_ROWS);
        assert_true(lb_order_is_involution(&order));
        for (uint64_t position = 0; position < order.count; position++)
            assert_int_equal(lb_reversed_place(&order, lb_reversed_place(&order, position)), position);
    }
}

/* At power-of-two widths, too, a share that is an aligned power of two of the regions meets every column, or all but
 * one in 64, as long as it is no smaller than a region is long. */
static void shares_meet_every_column(void **unused)
{
    static const uint32_t widths[] = {256, 512, 1024, 2048, 640, 1280, 1920, 1000, 3840};
    (void)unused;
    for (size_t w = 0; w < sizeof widths / sizeof widths[0]; w++) {
        uint32_t width = widths[w];
        lb_order order = lb_order_reversed(width, 1024, 128, LB_CURVE_ROWS);
        uint64_t n = (uint64_t)width * 1024;
        assert_true(order.count <= n + 4 * ((uint64_t)1 << order.bits));
        for (uint32_t cut = 0; 1u << cut <= 64; cut++) {
            unsigned char *met = calloc(width, 1);
            uint64_t share = order.count >> cut;
            uint32_t columns = 0;
            uint64_t begin = share * draw(1u << cut);
            for (uint64_t i = begin; i < begin + share; i++) {
                uint64_t pixel = lb_order_pixel(&order, i);
                if (pixel != LB_NO_PIXEL && !met[pixel % width]) {
                    met[pixel % width] = 1;
                    columns++;
                }
            }
            free(met);
            assert_true(columns >= width - width / 64);
        }
    }
}

/* Neighbours on the curve are neighbours in the picture. */
static void hilbert_is_a_path(void **unused)
{
    (void)unused;
    for (uint32_t i = 0; i < 300; i++) {
        uint32_t width = 2 * (1 + draw(60)), height = 2 * (1 + draw(60)), x, y, u, v;
        lb_hilbert_point(width, height, 0, &x, &y);
        assert_int_equal(x + y, 0);
        for (uint64_t place = 1; place < (uint64_t)width * height; place++, x = u, y = v) {
            lb_hilbert_point(width, height, place, &u, &v);
            assert_int_equal(abs((int)u - (int)x) + abs((int)v - (int)y), 1);
        }
    }
}

/* In turn and by leaps, in pictures as large as can be. */
static void walks_along_the_curve_are_the_curve(void **state_)
{
    static const uint32_t sides[] = {1, 2, 3, 6, 97, 4096, 65535, 1u << 30, INT32_MAX - 1, INT32_MAX};
    enum { SIDES = sizeof sides / sizeof sides[0] };
    (void)state_;
    for (uint32_t i = 0; i < SIDES * SIDES; i++) {
        uint32_t width = sides[i / SIDES], height = sides[i % SIDES];
        uint64_t pixels = (uint64_t)width * height, place = 0;
        lb_curve_walk walk;
        lb_curve_walk_begin(width, height, &walk);
        for (uint32_t k = 0; k < 2000; k++) {
            uint32_t x, y;
            lb_hilbert_point(width, height, place, &x, &y);
            assert_true(lb_curve_walk_pixel(&walk, place) == (uint64_t)y * width + x);
            assert_true(walk.depth < LB_CURVE_WALK_LEVELS);
            place = (k % 40 == 0 ? ((uint64_t)draw(1u << 31) << 31) + draw(1u << 31) : place + 1) % pixels;
        }
    }
}

static void hands_are_every_pth_region(void **unused)
{
    (void)unused;
    for (uint32_t i = 0; i < 500; i++) {
        uint32_t hands = 1 + draw(20);
        lb_order order = lb_order_dealt(1 + draw(40), 1 + draw(40), 1 + draw(30), hands, LB_CURVE_ROWS);
        assert_int_equal(lb_dealt_begin(&order, 0), 0);
        assert_int_equal(lb_dealt_begin(&order, hands), order.count);
        for (uint32_t hand = 0; hand < hands; hand++)
            for (uint64_t p = lb_dealt_begin(&order, hand); p < lb_dealt_begin(&order, hand + 1); p++)
                assert_int_equal(lb_dealt_place(&order, p) / order.region % hands, hand);
    }
}

/* Every sample of every pixel is at one position, whatever the numbers of samples and blocks. */
static void blocks_hold_every_sample_once(void **unused)
{
    (void)unused;
    for (uint32_t i = 0; i < 300; i++) {
        uint32_t width = 1 + draw(12), height = 1 + draw(12), samples = 1 + draw(draw(2) ? 10 : 100);
        lb_order whole = random_order(width, height), order = lb_order_split(whole, 1 + draw(samples));
        lb_order block = lb_order_block(order);
        unsigned char *seen = calloc((size_t)width * height * samples, 1);
        assert_memory_equal(&block.count, &whole.count, sizeof whole.count);
        for (uint64_t at = 0; at < order.count; at++) {
            uint64_t pixel = lb_order_pixel(&block, at % block.count);
            uint32_t first = lb_order_block_sample(&order, samples, at / block.count);
            uint32_t last = lb_order_block_sample(&order, samples, at / block.count + 1);
            assert_true(first < last && last <= samples);
            for (uint32_t s = first; pixel != LB_NO_PIXEL && s < last; s++)
                assert_int_equal(seen[pixel * samples + s]++, 0);
        }
        assert_null(memchr(seen, 0, (size_t)width * height * samples));
        free(seen);
    }
}

/* Blocks that few positions are split into for many processors are alike, enough where that can be, and no more than
 * samples; where there are positions enough, or nobody to share them with, they stay whole. */
static void few_positions_are_split(void **unused)
{
    (void)unused;
    for (uint32_t i = 0; i < 20000; i++) {
        uint32_t samples = draw(draw(2) ? 20 : 5000), processors = 1 + draw(draw(2) ? 8 : 600);
        uint64_t positions = 1 + draw(draw(2) ? 40 : 50000);
        uint32_t blocks = lb_order_blocks_for(samples, positions, processors);
        bool enough = positions >= (uint64_t)LB_BLOCKS_SHARE * processors;
        if (enough || processors == 1 || samples < 2) {
            assert_int_equal(blocks, 1);
            continue;
        }
        assert_true(blocks >= 2 && blocks <= samples);
        assert_true(blocks == samples || blocks * positions >= (uint64_t)LB_BLOCKS_SHARE * processors);
        assert_true(samples % blocks == 0 || samples / blocks >= LB_BLOCKS_ALIKE);
        uint64_t wanted = (LB_BLOCKS_SHARE * processors + positions - 1) / positions;
        assert_true(blocks <= 8 * wanted);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(orders_are_bijections_that_assembling_undoes),
        cmocka_unit_test(reversal_is_the_listing),
        cmocka_unit_test(regions_are_the_book_s),
        cmocka_unit_test(involutions_are_their_own_inverse),
        cmocka_unit_test(sizes_are_the_book_s_on_demand),
        cmocka_unit_test(tiles_are_dealt_in_turn),
        cmocka_unit_test(shares_meet_every_column),
        cmocka_unit_test(hilbert_is_a_path),
        cmocka_unit_test(walks_along_the_curve_are_the_curve),
        cmocka_unit_test(hands_are_every_pth_region),
        cmocka_unit_test(blocks_hold_every_sample_once),
        cmocka_unit_test(few_positions_are_split),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
