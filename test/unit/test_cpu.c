/* Tests that CPU processors keep the contract of core/processor.h, and give the same bytes with every instruction set,
 * range, pass and rounding mode. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <fenv.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>

#include "core/cpu/cpu.h"
#include "core/kernel/hash.h"
#include "filter_scene.h"

enum { WIDTH = 61, HEIGHT = 37, PIXELS = WIDTH * HEIGHT };

/* A corner of the Mandelbrot set, as a crop at (5, 7) of a larger film. */
static lb_scene *mandelbrot_make(uint32_t filter)
{
    lb_scene *scene = filter_scene_make(filter, 2.0f, 2.0f, 1.0f / 3.0f, 1.0f / 3.0f, 64, 64);
    scene->film.full_width = 80;
    scene->film.full_height = 50;
    scene->film.x0 = 5;
    scene->film.y0 = 7;
    scene->film.width = WIDTH;
    scene->film.height = HEIGHT;
    scene->integrator.kind = LB_INTEGRATOR_MANDELBROT;
    scene->integrator.center[0] = -0.5;
    scene->integrator.span = 3.0;
    scene->integrator.max_iterations = 100;
    scene->integrator.samples = 8;
    return scene;
}

static lb_order rows_order(uint32_t width, uint32_t height, uint64_t padding)
{
    lb_order order;
    memset(&order, 0, sizeof order);
    order.width = width;
    order.height = height;
    order.count = (uint64_t)width * height + padding;
    return order;
}

static struct lb_processor *open_cpu(const lb_scene *scene, enum lb_isa isa)
{
    struct lb_processor *processor = NULL;
    struct lb_error error;
    assert_int_equal(lb_cpu_processor_open(scene, 3, isa, &processor, &error), LB_OK);
    return processor;
}

/* Renders positions [begin, end) and samples [from, to), which must succeed. */
static void render(struct lb_processor *processor, const lb_scene *scene, const lb_order *order,
                   uint64_t begin, uint64_t end, uint32_t from, uint32_t to, struct lb_result *result)
{
    struct lb_work work = {scene, order, {begin, end}, {begin, end}, from, to, NULL, false, 0, NULL};
    struct lb_error error;
    bool lost = true;
    assert_int_equal(processor->table->render(processor, &work, result, &lost, &error), LB_OK);
    assert_false(lost);
}

static void test_names(void **state)
{
    (void)state;
    enum lb_isa isa = LB_ISA_AVX2;
    for (int i = 0; i < LB_ISA_COUNT; i++) {
        assert_true(lb_isa_parse(lb_isa_name((enum lb_isa)i), &isa));
        assert_int_equal(isa, i);
    }
    isa = LB_ISA_AVX2;
    assert_false(lb_isa_parse("avx", &isa) || lb_isa_parse("", &isa) || lb_isa_parse("AVX2 ", &isa));
    assert_int_equal(isa, LB_ISA_AVX2);
    assert_true(lb_isa_runs(LB_ISA_PORTABLE) && lb_isa_runs(lb_isa_best()));
    lb_scene *scene = mandelbrot_make(LB_FILTER_BOX);
    struct lb_processor *processor = open_cpu(scene, LB_ISA_PORTABLE);
    assert_string_equal(processor->name, "cpu3");
    assert_int_equal(processor->kind, LB_PROCESSOR_CPU);
    processor->table->close(processor);
    free(scene);
}

/* The picture, with 4 positions of padding behind it, by one call of the portable build; freed by free(). */
static lb_film_pixel *reference(const lb_scene *scene, float *cost, struct lb_result *result)
{
    lb_order order = rows_order(WIDTH, HEIGHT, 4);
    lb_film_pixel *pixels = malloc((PIXELS + 4) * sizeof *pixels);
    assert_non_null(pixels);
    memset(pixels, 0xaa, (PIXELS + 4) * sizeof *pixels); /* the processor clears */
    memset(result, 0xaa, sizeof *result);
    result->pixels = pixels;
    result->sums = NULL;
    result->cost = cost;
    result->cost_in_seconds = false;
    struct lb_processor *processor = open_cpu(scene, LB_ISA_PORTABLE);
    render(processor, scene, &order, 0, order.count, 0, 8, result);
    processor->table->close(processor);
    return pixels;
}

/* Counters, samples, cost and padding of the reference are what the contract says. */
static void test_result(void **state)
{
    (void)state;
    lb_scene *scene = mandelbrot_make(LB_FILTER_BOX);
    struct lb_result result;
    float cost[PIXELS + 4];
    lb_film_pixel *pixels = reference(scene, cost, &result);
    double sum = 0.0;
    for (int i = 0; i < PIXELS; i++) {
        assert_true(cost[i] >= 8.0f && cost[i] <= 800.0f);
        assert_int_equal(pixels[i].weight, INT64_C(8) << LB_FILM_BITS);
        sum += (double)cost[i];
    }
    assert_true(sum / PIXELS > 80.0); /* some of the set is in view */
    for (int i = PIXELS; i < PIXELS + 4; i++)
        assert_true(cost[i] == 0.0f && pixels[i].weight == 0 && pixels[i].sum[0] == 0);
    assert_int_equal(result.samples, 8 * PIXELS);
    assert_int_equal(result.counters.bad_samples, 0);
    assert_int_equal(result.counters.rays, 0);
    assert_true(result.transfer_seconds == 0.0);
    free(pixels);
    free(scene);
}

/* The picture summed from ranges of 0 .. 99 positions and two passes of 3 and 5 samples. */
static void render_in_pieces(struct lb_processor *processor, const lb_scene *scene, const lb_order *order,
                             lb_film_pixel *sum)
{
    lb_film_pixel part[100];
    for (uint32_t pass = 0; pass < 2; pass++) {
        uint64_t at = 0;
        for (uint32_t piece = 0; at < order->count; piece++) {
            uint64_t length = lb_hash_u32(2 * piece + pass) % 100u;
            length = length < order->count - at ? length : order->count - at;
            struct lb_result result = {.pixels = part};
            render(processor, scene, order, at, at + length, pass != 0 ? 3 : 0, pass != 0 ? 8 : 3, &result);
            for (uint64_t i = 0; i < length; i++, at++) {
                for (int c = 0; c < 3; c++)
                    sum[at].sum[c] += part[i].sum[c];
                sum[at].weight += part[i].weight;
            }
        }
    }
}

/* Ranges of random lengths, samples in two passes, every instruction set: the same bytes as the reference. */
static void test_same_bytes(void **state)
{
    (void)state;
    static const uint32_t filters[] = {LB_FILTER_BOX, LB_FILTER_TRIANGLE, LB_FILTER_MITCHELL};
    for (int f = 0; f < 3; f++) {
        lb_scene *scene = mandelbrot_make(filters[f]);
        struct lb_result result;
        lb_film_pixel *expected = reference(scene, NULL, &result);
        lb_order order = rows_order(WIDTH, HEIGHT, 4);
        for (int isa = 0; isa < LB_ISA_COUNT; isa++) {
            if (!lb_isa_runs((enum lb_isa)isa)) {
                print_message("%s does not run here\n", lb_isa_name((enum lb_isa)isa));
                continue;
            }
            struct lb_processor *processor = open_cpu(scene, (enum lb_isa)isa);
            lb_film_pixel *sum = calloc(order.count, sizeof *sum);
            render_in_pieces(processor, scene, &order, sum);
            assert_memory_equal(sum, expected, order.count * sizeof *sum);
            free(sum);
            processor->table->close(processor);
        }
        free(expected);
        free(scene);
    }
}

/* A caller's rounding mode and flushing of denormals change nothing and are still there afterwards. */
static void test_rounding_mode_of_the_caller(void **state)
{
    (void)state;
    lb_scene *scene = mandelbrot_make(LB_FILTER_MITCHELL);
    struct lb_result result;
    lb_film_pixel *expected = reference(scene, NULL, &result), pixels[PIXELS];
    lb_order order = rows_order(WIDTH, HEIGHT, 0);
    struct lb_processor *processor = open_cpu(scene, lb_isa_best());
    memset(&result, 0, sizeof result);
    result.pixels = pixels;
    fesetround(FE_UPWARD);
#ifdef __SSE__
    unsigned control = __builtin_ia32_stmxcsr() | 0x8040u; /* flush to zero, denormals are zero */
    __builtin_ia32_ldmxcsr(control);
#endif
    render(processor, scene, &order, 0, PIXELS, 0, 8, &result);
#ifdef __SSE__
    assert_int_equal(__builtin_ia32_stmxcsr() & 0xe040u, control & 0xe040u);
#endif
    assert_int_equal(fegetround(), FE_UPWARD);
    fesetenv(FE_DFL_ENV);
    assert_memory_equal(pixels, expected, sizeof pixels);
    processor->table->close(processor);
    free(expected);
    free(scene);
}

/* A crop shows the very pixels of the whole picture. */
static void test_crop_is_part_of_the_whole(void **state)
{
    (void)state;
    lb_scene *scene = mandelbrot_make(LB_FILTER_BOX);
    struct lb_result result;
    lb_film_pixel *crop = reference(scene, NULL, &result), *whole = calloc(80 * 50, sizeof *whole);
    assert_non_null(whole);
    scene->film.x0 = scene->film.y0 = 0;
    scene->film.width = 80;
    scene->film.height = 50;
    lb_order order = rows_order(80, 50, 0);
    struct lb_processor *processor = open_cpu(scene, lb_isa_best());
    memset(&result, 0, sizeof result);
    result.pixels = whole;
    render(processor, scene, &order, 0, order.count, 0, 8, &result);
    for (int y = 0; y < HEIGHT; y++)
        assert_memory_equal(crop + y * WIDTH, whole + (y + 7) * 80 + 5, WIDTH * sizeof *crop);
    processor->table->close(processor);
    free(crop);
    free(whole);
    free(scene);
}

static void test_cost_in_seconds(void **state)
{
    (void)state;
    lb_scene *scene = mandelbrot_make(LB_FILTER_BOX);
    lb_order order = rows_order(WIDTH, HEIGHT, 0);
    static lb_film_pixel pixels[PIXELS];
    static float cost[PIXELS];
    struct lb_result result = {.pixels = pixels, .cost = cost, .cost_in_seconds = true};
    struct lb_processor *processor = open_cpu(scene, lb_isa_best());
    render(processor, scene, &order, 0, PIXELS, 0, 8, &result);
    double sum = 0.0;
    for (int i = 0; i < PIXELS; i++) {
        assert_true(cost[i] >= 0.0f);
        sum += (double)cost[i];
    }
    assert_true(sum > 0.0 && sum < 60.0);
    processor->table->close(processor);
    free(scene);
}

/* What cannot be done is refused with a message, and delivers nothing. */
static void test_errors(void **state)
{
    (void)state;
    lb_scene *scene = mandelbrot_make(LB_FILTER_BOX), *other = mandelbrot_make(LB_FILTER_BOX);
    lb_order order = rows_order(WIDTH, HEIGHT, 0), wrong = rows_order(HEIGHT, WIDTH, 0);
    lb_film_pixel pixel;
    struct lb_result result = {.pixels = &pixel};
    const struct lb_work works[] = {
        {other, &order, {0, 1}, {0, 1}, 0, 1, NULL, false, 0, NULL},
        {scene, &wrong, {0, 1}, {0, 1}, 0, 1, NULL, false, 0, NULL},
        {scene, &order, {2, 1}, {2, 1}, 0, 1, NULL, false, 0, NULL},
        {scene, &order, {0, PIXELS + 1}, {0, PIXELS + 1}, 0, 1, NULL, false, 0, NULL},
        {scene, &order, {0, 1}, {0, 1}, 2, 1, NULL, false, 0, NULL},
    };
    struct lb_processor *processor = open_cpu(scene, LB_ISA_PORTABLE);
    for (size_t i = 0; i < sizeof works / sizeof works[0]; i++) {
        struct lb_error error = {LB_OK, ""};
        bool lost = true;
        assert_int_equal(processor->table->render(processor, &works[i], &result, &lost, &error), LB_ERROR);
        assert_false(lost);
        assert_true(strncmp(error.message, "cpu3: ", 6) == 0);
    }
    processor->table->close(processor);
    free(scene);
    free(other);
}

static void *stop_soon(void *stop)
{
    struct timespec wait = {0, 50 * 1000 * 1000};
    nanosleep(&wait, NULL);
    __atomic_store_n((int *)stop, 15, __ATOMIC_RELAXED);
    return NULL;
}

/* A range that was stopped has some pixels with all their samples and nothing of the others. It is stopped within a
 * pixel of many samples, and within a sample of many iterations. */
static void test_stop(void **state)
{
    (void)state;
    static const struct {
        uint32_t samples, iterations;
    } kinds[] = {{5000, 100}, {UINT32_MAX / 4, 100}, {8, INT32_MAX}};
    lb_order order = rows_order(WIDTH, HEIGHT, 0);
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        for (int isa = 0; isa < LB_ISA_COUNT; isa++) {
            static lb_film_pixel pixels[PIXELS];
            static float cost[PIXELS];
            pthread_t thread;
            int stop = 0;
            if (!lb_isa_runs((enum lb_isa)isa))
                continue;
            lb_scene *scene = mandelbrot_make(LB_FILTER_BOX);
            scene->integrator.samples = kinds[k].samples;
            scene->integrator.max_iterations = kinds[k].iterations;
            struct lb_processor *processor = open_cpu(scene, (enum lb_isa)isa);
            struct lb_work work = {scene, &order, {0, PIXELS}, {0, PIXELS}, 0, kinds[k].samples,
                                   &stop, false,  0,           NULL};
            struct lb_result result = {.pixels = pixels, .cost = cost};
            struct lb_error error;
            bool lost = true;
            assert_int_equal(pthread_create(&thread, NULL, stop_soon, &stop), 0);
            assert_int_equal(processor->table->render(processor, &work, &result, &lost, &error), LB_OK);
            pthread_join(thread, NULL);
            assert_false(lost);
            assert_true(result.stopped);
            assert_int_equal(result.samples % kinds[k].samples, 0);
            uint64_t whole = result.samples / kinds[k].samples;
            assert_true(whole < PIXELS);
            for (uint64_t i = 0; i < PIXELS; i++) {
                assert_int_equal(pixels[i].weight, i < whole ? (int64_t)kinds[k].samples << LB_FILM_BITS : 0);
                assert_true(i < whole || (pixels[i].sum[0] == 0 && cost[i] == 0.0f));
            }
            processor->table->close(processor);
            free(scene);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_result),
        cmocka_unit_test(test_same_bytes),
        cmocka_unit_test(test_rounding_mode_of_the_caller),
        cmocka_unit_test(test_crop_is_part_of_the_whole),
        cmocka_unit_test(test_cost_in_seconds),
        cmocka_unit_test(test_errors),
        cmocka_unit_test(test_stop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
