/* Tests what pictures hold beside their light: where surfaces are and how they look, in scenes that can be worked out
 * by hand; sums that do not depend on who adds them up; and variances against their definition. */
#include "core/cpu/cpu.h"
#include "core/kernel/integrators/feature.h"
#include "core/kernel/hash.h"
#include "core/picture/channels.h"
#include "test/unit/scene_help.h"

#include <math.h>

enum { SIDE = 8, PIXELS = SIDE * SIDE, SAMPLES = 16 };

/* A square from -2 to 2 at z = 5, seen along +z from z = 1 by a camera of 90 degrees: the picture's middle half; of
 * reflectance 0.2, 0.5, 0.7, under a sky of 1, 2, 3. */
static const char *const before =
    "Film \"rgb\" \"integer xresolution\" 8 \"integer yresolution\" 8 PixelFilter \"box\" \"float xradius\" "
    "0.5 "
    "\"float yradius\" 0.5\n"
    "Sampler \"independent\" \"integer pixelsamples\" 16 LookAt 0 0 1  0 0 2  0 1 0 "
    "Camera \"perspective\" \"float fov\" 90";
static const char *const after =
    "LightSource \"infinite\" \"rgb L\" [ 1 2 3 ]\n"
    "Material \"diffuse\" \"rgb reflectance\" [ 0.1 0.1 0.1 ]\n"
    "Shape \"sphere\" \"float radius\" 0.1\n" /* behind the camera */
    "Material \"diffuse\" \"rgb reflectance\" [ 0.2 0.5 0.7 ]\n"
    "Shape \"trianglemesh\" \"integer indices\" [ 0 1 2 0 2 3 ] \"point3 P\" [ -2 -2 5 2 -2 5 2 2 5 -2 2 5 ] "
    "\"point2 uv\" [ 0 0 1 0 1 1 0 1 ]";

static const uint32_t all = (1u << LB_CHANNEL_BUCKETS) - 1; /* these only spectra have */

static struct lb_loaded load(enum lb_channel_space space)
{
    struct lb_scene_options options = {.channels = {.wanted = all, .space = space}};
    struct lb_loaded loaded;
    struct lb_error error;
    if (scene_try(before, after, &options, NULL, &loaded, &error) != LB_OK)
        fail_msg("%s", error.message);
    return loaded;
}

struct picture {
    lb_film_pixel pixels[PIXELS];
    int64_t sums[PIXELS * 64];
};

static void render(const lb_scene *scene, enum lb_isa isa, struct lb_range range, uint32_t from, uint32_t to,
                   lb_film_pixel *pixels, int64_t *sums)
{
    struct lb_processor *processor;
    struct lb_error error;
    bool lost;
    assert_true(scene->channels.count <= 64);
    lb_order order = {.width = SIDE, .height = SIDE, .count = PIXELS};
    struct lb_work work = {.scene = scene,
                           .order = &order,
                           .range = range,
                           .whole = range,
                           .sample_begin = from,
                           .sample_end = to};
    struct lb_result result = {.pixels = pixels, .sums = sums, .sum_count = scene->channels.count};
    assert_int_equal(lb_cpu_processor_open(scene, 0, isa, &processor, &error), LB_OK);
    assert_int_equal(processor->table->render(processor, &work, &result, &lost, &error), LB_OK);
    processor->table->close(processor);
}

static void values_at(const struct lb_loaded *loaded, const struct picture *picture, enum lb_output output,
                      int x, int y, float values[3], uint32_t *whole)
{
    size_t i = (size_t)(y * SIDE + x);
    const lb_channels *channels = &loaded->scene->channels;
    lb_output_values(output, channels, &picture->pixels[i], picture->sums + i * channels->count, values,
                     whole);
}

static void near(const float *values, double x, double y, double z, double within)
{
    assert_true(fabs(values[0] - x) <= within && fabs(values[1] - y) <= within &&
                fabs(values[2] - z) <= within);
}

/* Pixel (2, 5) is a square of the wall from x = -2 to -1 and, downwards, from y = -1 to -2. */
static void a_wall(void **state)
{
    (void)state;
    for (int world = 0; world < 2; world++) {
        struct lb_loaded loaded = load(world ? LB_SPACE_WORLD : LB_SPACE_OF_FILM);
        static struct picture picture;
        render(loaded.scene, lb_isa_best(), (struct lb_range){0, PIXELS}, 0, SAMPLES, picture.pixels,
               picture.sums);
        float v[3];
        uint32_t number;
        values_at(&loaded, &picture, LB_OUTPUT_P, 2, 5, v, NULL);
        near(v, -1.5, -1.5, world ? 5 : 4, 0.1);
        assert_true(fabs(v[2] - (world ? 5 : 4)) < 1e-6);
        values_at(&loaded, &picture, LB_OUTPUT_Z, 2, 5, v, NULL);
        assert_true(fabs(v[0] - 4) < 1e-6);
        for (int shading = 0; shading < 2; shading++) {
            values_at(&loaded, &picture, shading ? LB_OUTPUT_NS : LB_OUTPUT_N, 2, 5, v, NULL);
            near(v, 0, 0, -1, 1e-6);
        }
        values_at(&loaded, &picture, LB_OUTPUT_UV, 2, 5, v, NULL);
        v[2] = 0;
        near(v, 0.125, 0.125, 0, 0.025);
        values_at(&loaded, &picture, LB_OUTPUT_ALBEDO, 2, 5, v, NULL);
        near(v, 0.2, 0.5, 0.7, 1e-6);
        values_at(&loaded, &picture, LB_OUTPUT_ALPHA, 2, 5, v, NULL);
        assert_true(v[0] == 1.0f);
        values_at(&loaded, &picture, LB_OUTPUT_DZ, 2, 5, v, NULL);
        assert_true(v[0] < 1e-6f && v[1] < 1e-6f);
        values_at(&loaded, &picture, LB_OUTPUT_SAMPLES, 2, 5, v, &number);
        assert_int_equal(number, SAMPLES);
        values_at(&loaded, &picture, LB_OUTPUT_OBJECT, 2, 5, v, &number);
        assert_int_equal(number, 2);
        uint32_t material = LB_ARRAY(loaded.scene, shapes, lb_shape)[1].material;
        values_at(&loaded, &picture, LB_OUTPUT_MATERIAL, 2, 5, v, &number);
        assert_int_equal(number, material + 1);
        lb_scene_free(&loaded);
    }
}

/* Beside the wall there is only the sky. Its light is all that those pixels have, and --transparent takes it away to
 * the last bit. */
static void a_sky(void **state)
{
    (void)state;
    struct lb_loaded loaded = load(LB_SPACE_OF_FILM);
    static struct picture picture;
    render(loaded.scene, lb_isa_best(), (struct lb_range){0, PIXELS}, 0, SAMPLES, picture.pixels,
           picture.sums);
    float v[3], alpha;
    uint32_t number;
    static const enum lb_output zero[] = {LB_OUTPUT_P,      LB_OUTPUT_N,        LB_OUTPUT_NS,
                                          LB_OUTPUT_ALBEDO, LB_OUTPUT_UV,       LB_OUTPUT_ALPHA,
                                          LB_OUTPUT_DZ,     LB_OUTPUT_VARIANCE, LB_OUTPUT_RELATIVE_VARIANCE};
    for (size_t i = 0; i < sizeof zero / sizeof *zero; i++) {
        v[0] = v[1] = v[2] = 0;
        values_at(&loaded, &picture, zero[i], 0, 0, v, NULL);
        near(v, 0, 0, 0, 0);
    }
    values_at(&loaded, &picture, LB_OUTPUT_Z, 0, 0, v, NULL);
    assert_true(v[0] == LB_INFINITY);
    values_at(&loaded, &picture, LB_OUTPUT_OBJECT, 0, 0, v, &number);
    assert_int_equal(number, 0);
    const lb_channels *channels = &loaded.scene->channels;
    for (size_t i = 0; i < PIXELS; i++) {
        bool wall = i % SIDE >= 2 && i % SIDE < 6 && i / SIDE >= 2 && i / SIDE < 6;
        lb_rgb whole = lb_film_rgb(&picture.pixels[i]);
        lb_rgb cut =
            lb_output_cut_out(channels, &picture.pixels[i], picture.sums + i * channels->count, &alpha);
        assert_true(alpha == (wall ? 1.0f : 0.0f));
        assert_true(wall ? cut.r == whole.r && cut.g == whole.g && cut.b == whole.b : lb_rgb_is_black(cut));
    }
    lb_scene_free(&loaded);
}

/* Sums are the same from every processor, and from any pieces of the picture. */
static void pieces(void **state)
{
    (void)state;
    struct lb_loaded loaded = load(LB_SPACE_WORLD);
    static struct picture expected, sum;
    static int64_t part_sums[PIXELS * 64];
    lb_film_pixel part[PIXELS];
    uint32_t each = loaded.scene->channels.count;
    render(loaded.scene, LB_ISA_PORTABLE, (struct lb_range){0, PIXELS}, 0, SAMPLES, expected.pixels,
           expected.sums);
    for (uint32_t trial = 0; trial < 60; trial++) {
        memset(&sum, 0, sizeof sum);
        uint32_t cut = lb_hash_u32(trial) % (SAMPLES + 1);
        for (uint64_t at = 0, end; at < PIXELS; at = end) {
            end = at + 1 + lb_hash_u32((uint32_t)at * 64 + trial) % 30;
            end = end < PIXELS ? end : PIXELS;
            for (int half = 0; half < 2; half++) {
                enum lb_isa isa = (enum lb_isa)(lb_hash_u32((uint32_t)at + trial) % LB_ISA_COUNT);
                render(loaded.scene, lb_isa_runs(isa) ? isa : LB_ISA_PORTABLE, (struct lb_range){at, end},
                       half ? cut : 0, half ? SAMPLES : cut, part, part_sums);
                for (uint64_t i = 0; i < (end - at) * each; i++)
                    sum.sums[at * each + i] += part_sums[i];
            }
        }
        assert_memory_equal(sum.sums, expected.sums, PIXELS * each * sizeof *sum.sums);
    }
    lb_scene_free(&loaded);
}

/* A picture without channels has the same pixels as one with them. */
static void light_is_the_same(void **state)
{
    (void)state;
    struct lb_loaded with = load(LB_SPACE_CAMERA), without = scene_get(before, after);
    static struct picture a, b;
    assert_int_equal(without.scene->channels.count, 0);
    render(with.scene, lb_isa_best(), (struct lb_range){0, PIXELS}, 0, SAMPLES, a.pixels, a.sums);
    render(without.scene, lb_isa_best(), (struct lb_range){0, PIXELS}, 0, SAMPLES, b.pixels, NULL);
    assert_memory_equal(a.pixels, b.pixels, sizeof a.pixels);
    lb_scene_free(&with);
    lb_scene_free(&without);
}

/* Two parts hold a square to 2^-46, or to the bits of a double. */
static void squares(void **state)
{
    (void)state;
    double bound = lb_film_bound(1024);
    for (uint32_t i = 0; i < 100000; i++) {
        double x = exp2(lb_unit_float(lb_hash_u32(i)) * 44 - 30);
        int64_t fixed = (int64_t)(x * 0x1p30) * (i % 2 ? 1 : -1), high, low;
        lb_square_parts(fixed, bound, &high, &low);
        double square = (double)fixed * (double)fixed * 0x1p-60;
        assert_true(high >= 0 && low >= 0 && low < INT64_C(1) << 36);
        assert_true(fabs((double)high * 0x1p-10 + (double)low * 0x1p-46 - square) <=
                    0x1p-46 + square * 0x1p-51);
    }
    int64_t high, low;
    lb_square_parts(INT64_MAX / 2, bound, &high, &low);
    assert_true(high <= (int64_t)bound && low < INT64_C(1) << 36);
}

/* Against the definition, of samples of all sizes, and of weights 1 and -1 against that of their products. */
static void variances(void **state)
{
    (void)state;
    struct lb_loaded loaded = load(LB_SPACE_CAMERA);
    loaded.scene->integrator.samples = 500;
    const lb_channels *channels = &loaded.scene->channels;
    for (uint32_t trial = 0; trial < 300; trial++) {
        uint32_t n = 2 + lb_hash_u32(trial) % 399;
        double size = exp2(lb_unit_float(lb_hash_u32(~trial)) * 20 - 10), x[401], sum = 0, squares_off = 0;
        lb_film_pixel pixel = {{0}, 0};
        int64_t sums[64] = {0};
        double weights = 0;
        for (uint32_t i = 0; i < n; i++) {
            float c = (float)(size * (1 + lb_unit_float(lb_hash_u32(trial * 1000 + i))));
            float weight = trial % 3 == 0 && i % 7 == 3 ? -1.0f : 1.0f;
            lb_film_pixel one = {{0}, 0};
            assert_true(lb_film_add(&one, &loaded.scene->film, 500, lb_rgb_grey(c), weight));
            lb_feature_measure(loaded.scene, &one, sums, false);
            for (int k = 0; k < 3; k++)
                pixel.sum[k] += one.sum[k];
            pixel.weight += one.weight;
            x[i] = (double)one.sum[0] * 0x1p-30;
            sum += x[i];
            weights += (double)weight;
        }
        for (uint32_t i = 0; i < n; i++)
            squares_off += (x[i] - sum / n) * (x[i] - sum / n);
        float v[3], relative[3];
        lb_output_values(LB_OUTPUT_VARIANCE, channels, &pixel, sums, v, NULL);
        lb_output_values(LB_OUTPUT_RELATIVE_VARIANCE, channels, &pixel, sums, relative, NULL);
        if (!(weights > 0))
            continue;
        double expected = squares_off / (n - 1) * (n / weights) * (n / weights);
        for (int k = 0; k < 3; k++) {
            assert_true(fabs(v[k] - expected) <= 1e-6 * expected + 1e-12);
            assert_true(fabs(relative[k] - expected / (sum / weights)) <=
                        1e-5 * expected / (sum / weights) + 1e-12);
        }
    }
    lb_scene_free(&loaded);
}

static void words(void **state)
{
    (void)state;
    uint32_t outputs;
    struct lb_error error;
    for (uint32_t i = 0; i < LB_OUTPUTS; i++) {
        assert_int_equal(lb_outputs_parse(lb_outputs[i].word, &outputs, &error), LB_OK);
        assert_int_equal(outputs, 1u << i);
        bool many = i >= LB_OUTPUT_BUCKETS; /* as many as the scene says */
        assert_true((lb_outputs[i].count >= 1) != many && lb_outputs[i].count <= 3);
        assert_true(lb_outputs[i].kinds != 0);
    }
    assert_int_equal(lb_outputs_parse("gbuffer,A,Z,A", &outputs, &error), LB_OK);
    assert_int_equal(outputs, LB_OUTPUTS_GBUFFER | 1u << LB_OUTPUT_ALPHA | 1u << LB_OUTPUT_Z);
    static const char *const wrong[] = {"", ",", "A,", ",A", "A,,Z", "a", "Alpha", "N ", "gbuffers"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_equal(lb_outputs_parse(wrong[i], &outputs, &error), LB_ERROR_USAGE);
        assert_non_null(strstr(error.message, "--channels: there is no \""));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_wall),  cmocka_unit_test(a_sky),     cmocka_unit_test(pieces),
        cmocka_unit_test(squares), cmocka_unit_test(variances), cmocka_unit_test(light_is_the_same),
        cmocka_unit_test(words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
