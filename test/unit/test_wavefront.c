/* Tests the GPU's pipeline, run on the host: it must give the bytes of the CPU's path loop. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <glob.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/cpu/cpu.h"
#include "core/kernel/hash.h"
#include "core/kernel/tree/wide_node.h"
#include "core/scene/load.h"
#include "core/wave/stages.h"
#include "core/wave/wave_host.h"
#include "core/wave/wave_place.h"
#include "core/wave/wide_build.h"
#include "test/unit/skip_test.h"

enum { WIDTH = 37, HEIGHT = 23, SAMPLES = 5 };

static void load(const char *path, bool split, struct lb_loaded *loaded)
{
    struct lb_scene_options options = {.lenient = true, .high_quality_tree = split, .threads = 1};
    struct lb_error error;
    options.samples = SAMPLES;
    options.channels.wanted = (1u << LB_CHANNEL_BUCKETS) - 1; /* these only spectra have */
    if (!split) /* then paths have scouts at the outlines of lights */
        options.channels.wanted &= ~(1u << LB_CHANNEL_BACKGROUND);
    if (strstr(path, "mandelbrot")) /* no surfaces */
        options.channels.wanted =
            1u << LB_CHANNEL_SAMPLES | 1u << LB_CHANNEL_SQUARES | 1u << LB_CHANNEL_SCATTERED;
    if (!strstr(path, "pixelbounds")) { /* these name pixels of the file's own film */
        options.width = WIDTH;
        options.height = HEIGHT;
    }
    if (lb_scene_load(path, &options, NULL, loaded, &error) != LB_OK)
        fail_msg("%s", error.message);
}

static void render(struct lb_processor *processor, const lb_scene *scene, struct lb_result *result)
{
    struct lb_error error;
    lb_order order;
    bool lost;
    memset(&order, 0, sizeof order);
    order.width = scene->film.width;
    order.height = scene->film.height;
    order.count = (uint64_t)order.width * order.height;
    struct lb_work work;
    memset(&work, 0, sizeof work);
    work.scene = scene;
    work.order = &order;
    work.range.end = order.count;
    work.sample_end = scene->integrator.samples;
    memset(result, 0, sizeof *result);
    result->pixels = malloc(order.count * sizeof *result->pixels);
    result->sum_count = scene->channels.count;
    result->sums = malloc(order.count * result->sum_count * sizeof *result->sums);
    assert_true(result->pixels && result->sums);
    if (processor->table->render(processor, &work, result, &lost, &error) != LB_OK)
        fail_msg("%s", error.message);
}

static void compare(const char *path, uint32_t slots, bool split)
{
    struct lb_loaded loaded;
    struct lb_processor *cpu, *wave;
    struct lb_result expected, got;
    struct lb_error error;
    load(path, split, &loaded);
    assert_int_equal(lb_cpu_processor_open(loaded.scene, 0, lb_isa_best(), &cpu, &error), LB_OK);
    assert_int_equal(lb_wave_host_open(loaded.scene, 0, slots, &wave, &error), LB_OK);
    render(cpu, loaded.scene, &expected);
    render(wave, loaded.scene, &got);
    size_t count = (size_t)loaded.scene->film.width * loaded.scene->film.height, differ = 0;
    for (size_t i = 0; i < count; i++)
        differ += memcmp(&expected.pixels[i], &got.pixels[i], sizeof expected.pixels[i]) != 0;
    if (differ > 0)
        fail_msg("%s: %zu of %zu pixels differ", path, differ, count);
    if (memcmp(expected.sums, got.sums, count * got.sum_count * sizeof *got.sums) != 0)
        fail_msg("%s: sums of channels differ", path);
    free(expected.sums);
    free(got.sums);
    assert_int_equal(got.samples, expected.samples);
    assert_int_equal(got.counters.rays, expected.counters.rays);
    assert_int_equal(got.counters.bad_samples, expected.counters.bad_samples);
    free(expected.pixels);
    free(got.pixels);
    cpu->table->close(cpu);
    wave->table->close(wave);
    lb_scene_free(&loaded);
}

static void compare_all(const char *pattern)
{
    glob_t found;
    assert_int_equal(glob(pattern, 0, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i++)
        compare(found.gl_pathv[i], (uint32_t)(1 + i * 331 % 2000), i % 2 == 1);
    globfree(&found);
}

static void samples_same(void **state)
{
    (void)state;
    compare_all("samples/*.pbrt");
    compare_all("test/scenes/*.pbrt");
}

static void features_same(void **state)
{
    (void)state;
    skip_without_data();
    compare_all("../shared/data/scenes/features/[!l]*.pbrt");
    compare_all("../shared/data/scenes/features/light*.pbrt");
    compare_all("../shared/data/scenes/features/later-subsurface.pbrt");
}

static void options_same(void **state)
{
    (void)state;
    compare_all("test/scenes/*.pbrt");
}

static void one_slot_or_many(void **state)
{
    (void)state;
    compare("samples/room.pbrt", 1, false);
    compare("samples/room.pbrt", 100000, true);
}

/* Of so many pixels. */
static void expect_same(const struct lb_result *got, const struct lb_result *expected, size_t pixels)
{
    assert_int_equal(got->samples, expected->samples);
    assert_memory_equal(got->pixels, expected->pixels, pixels * sizeof *got->pixels);
    assert_memory_equal(got->sums, expected->sums, pixels * got->sum_count * sizeof *got->sums);
}

/* The last batch of samples leaves most slots without work, whatever the one before it left behind. */
static void last_batch_is_small(void **state)
{
    (void)state;
    struct lb_loaded loaded;
    struct lb_error error;
    load("samples/room.pbrt", false, &loaded);
    loaded.scene->film.width = 11;
    loaded.scene->film.height = 9;
    for (uint32_t samples = 662; samples < 672; samples += 3) { /* 661 of 99 pixels are a batch */
        struct lb_processor *cpu, *wave;
        struct lb_result expected, got;
        loaded.scene->integrator.samples = samples;
        assert_int_equal(lb_cpu_processor_open(loaded.scene, 0, lb_isa_best(), &cpu, &error), LB_OK);
        assert_int_equal(lb_wave_host_open(loaded.scene, 0, 4096, &wave, &error), LB_OK);
        render(cpu, loaded.scene, &expected);
        render(wave, loaded.scene, &got);
        expect_same(&got, &expected, 99);
        free(expected.pixels);
        free(expected.sums);
        free(got.pixels);
        free(got.sums);
        cpu->table->close(cpu);
        wave->table->close(wave);
    }
    lb_scene_free(&loaded);
}

/* Stopped before it begins, it delivers nothing; cut into many batches of samples, the same. */
static void stopped_or_cut(void **state)
{
    (void)state;
    struct lb_loaded loaded;
    struct lb_processor *cpu, *wave;
    struct lb_result expected, got;
    struct lb_error error;
    load("samples/room.pbrt", false, &loaded);
    loaded.scene->integrator.samples = 700;
    loaded.scene->film.width = 11;
    loaded.scene->film.height = 9;
    assert_int_equal(lb_cpu_processor_open(loaded.scene, 0, lb_isa_best(), &cpu, &error), LB_OK);
    assert_int_equal(lb_wave_host_open(loaded.scene, 0, 64, &wave, &error), LB_OK);
    render(cpu, loaded.scene, &expected);
    render(wave, loaded.scene, &got);
    assert_false(got.stopped);
    expect_same(&got, &expected, 99);
    int stop = 2;
    lb_order order = {.width = 11, .height = 9, .count = 99};
    struct lb_work work = {loaded.scene, &order, {0, 99}, {0, 99}, 0, 700, &stop, false, 0, NULL};
    bool lost;
    assert_int_equal(wave->table->render(wave, &work, &got, &lost, &error), LB_OK);
    assert_true(got.stopped);
    assert_int_equal(got.samples, 0);
    for (int i = 0; i < 99; i++)
        assert_int_equal(got.pixels[i].weight, 0);
    for (uint32_t i = 0; i < 99 * got.sum_count; i++)
        assert_int_equal(got.sums[i], 0);
    free(expected.pixels);
    free(expected.sums);
    free(got.pixels);
    free(got.sums);
    cpu->table->close(cpu);
    wave->table->close(wave);
    lb_scene_free(&loaded);
}

/* No node has more children, leaves or bytes than the format holds, and each element is in one leaf. */
static void every_element_once(void **state)
{
    (void)state;
    struct lb_loaded loaded;
    struct lb_wide_block block;
    struct lb_error error;
    load("test/scenes/instances.pbrt", false, &loaded);
    assert_int_equal(lb_wide_build(loaded.scene, &block, &error), LB_OK);
    assert_true(block.size <= lb_wide_size(loaded.scene));
    assert_int_equal(sizeof(lb_wide_node), 80);
    assert_int_equal(block.leaf_count, loaded.scene->leaf_primitives.count + loaded.scene->leaf_others.count);
    size_t inner = 0, elements = 0;
    for (size_t n = 0; n < block.node_count; n++) {
        const lb_wide_node *node = &block.tree.nodes[n];
        inner += lb_wide_count(node->inner);
        for (uint32_t s = 0; s < 8; s++)
            if (!(node->inner >> s & 1u) && node->meta[s] != LB_WIDE_EMPTY)
                elements += (node->meta[s] >> 5 & 3u) + 1u;
    }
    assert_int_equal(elements, block.leaf_count);
    assert_int_equal(inner + loaded.scene->geometries.count, block.node_count);
    lb_wide_free(&block);
    lb_scene_free(&loaded);
}

/* A number that depends on the seed alone: 0 .. 2^32 - 1. */
static uint32_t draw(uint64_t *seed)
{
    *seed = lb_hash_combine(*seed, 0x9e3779b97f4a7c15u);
    return (uint32_t)(*seed >> 32);
}

/* -1 .. 1, times a power of two from 2^-reach to 2^reach. */
static float draw_float(uint64_t *seed, int reach)
{
    float unit = (float)(int32_t)draw(seed) * 0x1p-31f;
    return ldexpf(unit, (int)(draw(seed) % (2u * (uint32_t)reach + 1u)) - reach);
}

/* The least float that is not below x. */
static float round_up(double x)
{
    float rounded = (float)x;
    return (double)rounded < x ? nextafterf(rounded, INFINITY) : rounded;
}

static lb_vec3 draw_direction(uint64_t *seed)
{
    lb_vec3 d = lb_vec3_make(draw_float(seed, 20), draw_float(seed, 20), draw_float(seed, 20));
    uint32_t kind = draw(seed) % 8;
    if (kind & 1u)
        d.x = kind & 4u ? -0.0f : 0.0f;
    if (kind & 2u)
        d.y *= 0x1p-90f;
    return d;
}

/* The largest box of floats within a child's quantised one; `from` is a point in it. */
static lb_box draw_box(uint64_t *seed, lb_wide_node *node, uint32_t slot, float from[3])
{
    lb_box box;
    for (uint32_t a = 0; a < 3; a++) {
        double scale = (double)lb_bits_float((uint32_t)node->exponent[a] << 23);
        uint32_t p = draw(seed) % 256, q = draw(seed) % 256;
        node->lower[a][slot] = (uint8_t)(p < q ? p : q);
        node->upper[a][slot] = (uint8_t)(p < q ? q : p);
        box.lower[a] = round_up((double)node->origin[a] + scale * node->lower[a][slot]);
        box.upper[a] = -round_up(-((double)node->origin[a] + scale * node->upper[a][slot]));
        from[a] = box.lower[a] + 0.5f * (box.upper[a] - box.lower[a]);
    }
    return box;
}

/* Whatever box the exact test passes before t_max, the quantised one around it is hit; rays of all sizes, parallel to
 * faces and in them. */
static void no_child_is_missed(void **state)
{
    (void)state;
    uint64_t seed = 7;
    uint32_t passed = 0, spared = 0;
    for (uint32_t round = 0; round < 200000; round++) {
        _Alignas(16) lb_wide_node node;
        lb_box box[8];
        float inside[8][3];
        memset(&node, 0, sizeof node);
        for (uint32_t a = 0; a < 3; a++) {
            node.origin[a] = draw_float(&seed, 20);
            node.exponent[a] = (uint8_t)(127 - 30 + draw(&seed) % 40);
        }
        for (uint32_t slot = 0; slot < 8; slot++)
            box[slot] = draw_box(&seed, &node, slot, inside[slot]);
        lb_vec3 d = draw_direction(&seed);
        uint32_t aim = draw(&seed) % 8;
        float back = draw_float(&seed, 10);
        const float *at = draw(&seed) % 4 == 0 ? box[aim].lower : inside[aim];
        lb_vec3 o = lb_vec3_make(at[0] - back * d.x, at[1] - back * d.y, at[2] - back * d.z);
        lb_slab_ray ray;
        if (!lb_slab_prepare(o, d, &ray))
            continue;
        float t_max = draw(&seed) % 2 ? LB_FLOAT_MAX : lb_abs(back), entry;
        lb_wide_visit visit;
        lb_wide_children(&node, &ray, t_max, &visit);
        for (uint32_t slot = 0; slot < 8; slot++) {
            bool hit = visit.hit >> slot & 1u;
            if (lb_slab_passes(&ray, &box[slot], &entry) && entry <= t_max) {
                passed++;
                if (!hit)
                    fail_msg("round %u: child %u is missed", round, slot);
            } else
                spared += !hit;
        }
    }
    assert_true(passed > 50000 && spared > 500000);
}

/* In the first two turns of a scene of many materials the sorted slots are those of the queue, group after group. */
static void paths_are_sorted(void **state)
{
    (void)state;
    enum { SLOTS = 4000 };
    struct lb_loaded loaded;
    struct lb_wide_block wide;
    struct lb_error error;
    lb_wave wave = {0};
    load("test/scenes/materials.pbrt", false, &loaded);
    assert_int_equal(lb_wide_build(loaded.scene, &wide, &error), LB_OK);
    struct lb_wave_sizes sizes = lb_wave_sizes_of(loaded.scene);
    void *block = calloc(1, lb_wave_place(&wave, NULL, SLOTS, WIDTH * HEIGHT, 0, &sizes));
    assert_non_null(block);
    lb_wave_place(&wave, block, SLOTS, WIDTH * HEIGHT, 0, &sizes);
    wave.scene = loaded.scene;
    wave.tree = wide.tree;
    wave.order = (lb_order){.width = WIDTH, .height = HEIGHT, .count = WIDTH * HEIGHT};
    wave.end = WIDTH * HEIGHT;
    wave.sample_end = SAMPLES;
    lb_wave_channels(&wave, &loaded.scene->channels, NULL);
    lb_wave_suit(&wave, loaded.scene);
    const struct lb_wave_code *code = lb_wave_code_of(loaded.scene);
    code->run(&wave, LB_WAVE_BEGIN, false);
    for (uint32_t turn = 0; turn < 2; lb_wave_at(&wave, ++turn)) {
        bool found[SLOTS] = {false};
        uint32_t active = lb_wave_active(&wave), groups = 0;
        assert_true(active > SLOTS / 2);
        for (int stage = LB_WAVE_TRACE; stage <= LB_WAVE_SORT; stage++)
            if (lb_wave_runs((enum lb_wave_stage)stage, &wave))
                code->run(&wave, (enum lb_wave_stage)stage, false);
        for (uint32_t i = 0; i < active; i++) {
            uint32_t slot = wave.sorted[i], group = lb_wave_group(&wave, slot);
            assert_true(slot < SLOTS && !found[slot]);
            found[slot] = true;
            uint32_t before = i > 0 ? lb_wave_group(&wave, wave.sorted[i - 1]) : LB_NONE;
            assert_true(i == 0 || before <= group);
            groups += before != group;
        }
        assert_true(groups >= 3);
        code->run(&wave, LB_WAVE_SHADE, false);
        code->run(&wave, LB_WAVE_TURN, false);
    }
    free(block);
    lb_wide_free(&wide);
    lb_scene_free(&loaded);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_child_is_missed), cmocka_unit_test(every_element_once),
        cmocka_unit_test(one_slot_or_many),   cmocka_unit_test(samples_same),
        cmocka_unit_test(features_same),      cmocka_unit_test(last_batch_is_small),
        cmocka_unit_test(stopped_or_cut),     cmocka_unit_test(options_same),
        cmocka_unit_test(paths_are_sorted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
