/* core/run/pass/look.h: what of a pass is shown while it runs. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "core/kernel/order/blocks.h"
#include "core/kernel/sampler.h"
#include "core/run/pass/look.h"

enum { WIDTH = 97, HEIGHT = 53, PIXELS = WIDTH * HEIGHT, PROCESSORS = 3, BLOCKS = 4 };

/* A pass in the making, and what a viewer has of it. */
struct scene {
    lb_order order, whole;
    lb_film_pixel *delivered; /* positions of `order` */
    lb_film_pixel *base;      /* pixels of earlier passes, or NULL */
    lb_rgb seen[PIXELS];
    uint32_t shown[PIXELS]; /* how often each was */
    struct lb_look *look;
};

static void see(void *user, uint64_t pixel, lb_rgb color)
{
    struct scene *scene = user;
    assert_true(pixel < PIXELS);
    scene->seen[pixel] = color;
    scene->shown[pixel]++;
}

static lb_film_pixel sample(uint64_t key)
{
    uint32_t bits = lb_hash_u32((uint32_t)key);
    return (lb_film_pixel){{bits, bits >> 3, bits >> 7}, 1 << 30};
}

static void open_scene(struct scene *scene, uint32_t blocks)
{
    lb_order order;
    memset(scene, 0, sizeof *scene);
    memset(&order, 0, sizeof order);
    order.width = WIDTH;
    order.height = HEIGHT;
    order.count = PIXELS;
    scene->order = blocks > 1 ? lb_order_split(order, blocks) : order;
    scene->whole = lb_order_block(scene->order);
    scene->delivered = calloc(scene->order.count, sizeof *scene->delivered);
    scene->look = lb_look_open(PROCESSORS);
    assert_non_null(scene->delivered);
    assert_non_null(scene->look);
    lb_look_frame(scene->look, &(struct lb_look_frame){.pixels = &scene->base});
    lb_look_begin(scene->look, &(struct lb_look_pass){&scene->order, scene->delivered, NULL, 0, 1});
}

static void close_scene(struct scene *scene)
{
    lb_look_end(scene->look);
    lb_look_added(scene->look);
    lb_look_close(scene->look);
    free(scene->delivered);
    free(scene->base);
}

static void deliver(struct scene *scene, uint64_t begin, uint64_t end)
{
    for (uint64_t at = begin; at < end; at++)
        scene->delivered[at] = sample(at);
}

/* What the viewer is to have: all that was delivered by pieces that are done. */
static void check(const struct scene *scene, const uint8_t *done)
{
    for (uint64_t at = 0; at < PIXELS; at++) {
        lb_film_pixel sum = {{0, 0, 0}, 0};
        uint64_t pixel = lb_order_pixel(&scene->whole, at);
        bool any = scene->base != NULL;
        if (scene->base)
            sum = scene->base[pixel];
        for (uint64_t block = at; block < scene->order.count; block += PIXELS)
            if (done[block]) {
                any = true;
                for (int c = 0; c < 3; c++)
                    sum.sum[c] += scene->delivered[block].sum[c];
                sum.weight += scene->delivered[block].weight;
            }
        lb_rgb wanted = any ? lb_film_rgb(&sum) : lb_rgb_grey(0);
        assert_memory_equal(&scene->seen[pixel], &wanted, sizeof wanted);
    }
}

/* Processors take pieces in turn; at any moment the viewer has all that is done and nothing that is being written. */
static void run(struct scene *scene)
{
    uint8_t *done = calloc(scene->order.count, 1);
    struct lb_range writing[PROCESSORS] = {{0, 0}};
    uint64_t next = 0;
    for (uint32_t step = 0; next < scene->order.count; step++) {
        uint32_t who = lb_hash_u32(step) % PROCESSORS;
        uint64_t block_end = (next / PIXELS + 1) * PIXELS, end = next + 1 + lb_hash_u32(step + 77) % 700;
        memset(done + writing[who].begin, 1, writing[who].end - writing[who].begin);
        writing[who] = (struct lb_range){next, end < block_end ? end : block_end};
        lb_look_write(scene->look, who, 0, writing[who]);
        deliver(scene, writing[who].begin, writing[who].end); /* of which nothing may be shown yet */
        next = writing[who].end;
        if (step % 5 == 0) {
            lb_look_changes(scene->look, see, scene);
            check(scene, done);
        }
    }
    for (uint32_t who = 0; who < PROCESSORS; who++)
        lb_look_write(scene->look, who, 0, (struct lb_range){0, 0});
    memset(done, 1, scene->order.count);
    lb_look_changes(scene->look, see, scene);
    check(scene, done);
    free(done);
}

static void test_what_is_done_is_shown(void **state)
{
    (void)state;
    struct scene scene;
    open_scene(&scene, 1);
    run(&scene);
    memset(scene.shown, 0, sizeof scene.shown);
    lb_look_changes(scene.look, see, &scene); /* nothing is new */
    for (int i = 0; i < PIXELS; i++)
        assert_int_equal(scene.shown[i], 0);
    close_scene(&scene);
}

static void test_blocks_of_samples_add_up(void **state)
{
    (void)state;
    struct scene scene;
    open_scene(&scene, BLOCKS);
    run(&scene);
    close_scene(&scene);
}

static void test_earlier_passes_are_shown_first(void **state)
{
    (void)state;
    struct scene scene;
    open_scene(&scene, 1);
    lb_look_end(scene.look);
    scene.base = calloc(PIXELS, sizeof *scene.base);
    for (uint64_t i = 0; i < PIXELS; i++)
        scene.base[i] = sample(i + 1000000);
    lb_look_added(scene.look);
    lb_look_changes(scene.look, see, &scene); /* no pass runs */
    assert_int_equal(scene.shown[0], 0);
    lb_look_begin(scene.look, &(struct lb_look_pass){&scene.order, scene.delivered, NULL, 1, 2});
    lb_look_changes(scene.look, see, &scene);
    for (int i = 0; i < PIXELS; i++)
        assert_int_equal(scene.shown[i], 1);
    run(&scene);
    close_scene(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_done_is_shown),
        cmocka_unit_test(test_blocks_of_samples_add_up),
        cmocka_unit_test(test_earlier_passes_are_shown_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
