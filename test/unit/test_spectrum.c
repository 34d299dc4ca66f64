#include "core/scene/spectrum/color_space.h"
#include "core/scene/spectrum/spectrum.h"
#include "core/scene/spectrum/samples.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static struct lb_parameter blackbody(const float *kelvin)
{
    struct lb_parameter p = {.type = LB_PARAMETER_BLACKBODY, .name = "L", .floats = kelvin, .count = 1};
    return p;
}

static struct lb_parameter named(const char *const *name)
{
    struct lb_parameter p = {.type = LB_PARAMETER_SPECTRUM, .name = "L", .strings = name, .count = 1};
    return p;
}

static struct lb_parameter pairs(const float *values, size_t count)
{
    struct lb_parameter p = {.type = LB_PARAMETER_SPECTRUM, .name = "L", .floats = values, .count = count};
    return p;
}

static lb_rgb rgb_of(const struct lb_parameter *parameter, enum lb_spectrum_role role)
{
    struct lb_arena arena = {NULL};
    struct lb_error error = {LB_OK, ""};
    lb_rgb rgb = {0.0f, 0.0f, 0.0f};
    assert_int_equal(lb_spectrum_rgb(NULL, parameter, role, &arena, NULL, &rgb, &error), LB_OK);
    lb_arena_free(&arena);
    return rgb;
}

static void assert_colour(lb_rgb rgb, double r, double g, double b, double tolerance)
{
    assert_float_equal(rgb.r, r, tolerance);
    assert_float_equal(rgb.g, g, tolerance);
    assert_float_equal(rgb.b, b, tolerance);
}

/* The figures are pbrt-v4's. */
static void lights_have_luminance_one(void **state)
{
    (void)state;
    static const struct {
        float kelvin;
        double r, g, b;
    } cases[] = {{2700, 1.94, 0.80, 0.19}, {5500, 1.14, 0.97, 0.86}, {10000, 0.87, 1.00, 1.43}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct lb_parameter p = blackbody(&cases[i].kelvin);
        assert_colour(rgb_of(&p, LB_SPECTRUM_ILLUMINANT), cases[i].r, cases[i].g, cases[i].b, 0.0076);
    }
    const float equal_energy[] = {300, 7, 900, 7};
    struct lb_parameter p = pairs(equal_energy, 4);
    assert_colour(rgb_of(&p, LB_SPECTRUM_ILLUMINANT), 1.21, 0.95, 0.91, 0.0076);
    for (float kelvin = 1.0f; kelvin < 1e9f; kelvin *= 1.07f) {
        p = blackbody(&kelvin);
        assert_float_equal(lb_rgb_luminance(rgb_of(&p, LB_SPECTRUM_ILLUMINANT)), 1.0, 1e-5);
    }
}

static void daylight_is_white(void **state)
{
    (void)state;
    const char *name = "stdillum-D65";
    struct lb_parameter p = named(&name);
    assert_colour(rgb_of(&p, LB_SPECTRUM_ILLUMINANT), 1.0, 1.0, 1.0, 0.001);
    for (const struct lb_spectrum_table *t = lb_spectrum_illuminants; t->name; t++) {
        p = named(&t->name);
        assert_float_equal(lb_rgb_luminance(rgb_of(&p, LB_SPECTRUM_ILLUMINANT)), 1.0, 1e-5);
    }
}

static double reflect(float n, float k)
{
    double a = (double)n - 1.0, b = (double)n + 1.0, k2 = (double)k * (double)k;
    return (a * a + k2) / (b * b + k2);
}

/* Against the chromaticity (0.34567, 0.35850) that the CIE gives D50, and not against pbrt-v4's table of this name,
 * which is another light. */
static void d50_is_that_of_the_cie(void **state)
{
    (void)state;
    const char *name = "stdillum-D50";
    struct lb_parameter p = named(&name);
    const double x = 0.34567 / 0.35850, z = (1.0 - 0.34567 - 0.35850) / 0.35850;
    assert_colour(rgb_of(&p, LB_SPECTRUM_ILLUMINANT), 3.2404542 * x - 1.5371385 - 0.4985314 * z,
                  -0.9692660 * x + 1.8760108 + 0.0415560 * z, 0.0556434 * x - 0.2040259 + 1.0572252 * z,
                  0.002);
}

static void metals_have_their_colours(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        double r, g, b;
    } cases[] = {{"Cu", .955, .638, .537},
                 {"Au", 1.0, .782, .343},
                 {"Ag", .971, .960, .913},
                 {"Al", .913, .922, .922},
                 {"CuZn", .910, .778, .422}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        lb_rgb eta, k;
        assert_true(lb_spectrum_metal(cases[i].name, &eta, &k));
        assert_float_equal(reflect(eta.r, k.r), cases[i].r, 0.001);
        assert_float_equal(reflect(eta.g, k.g), cases[i].g, 0.001);
        assert_float_equal(reflect(eta.b, k.b), cases[i].b, 0.001);
    }
    lb_rgb eta, k;
    assert_true(lb_spectrum_metal("MgO", &eta, &k));
    assert_colour(eta, 1.74, 1.74, 1.74, 0.02);
    assert_true(lb_spectrum_metal("TiO2", &eta, &k));
    assert_colour(eta, 2.86, 2.95, 3.14, 0.03); /* rutile's extraordinary ray, as in pbrt */
    assert_false(lb_spectrum_metal("Unobtainium", &eta, &k));
    assert_false(lb_spectrum_metal("", &eta, &k));
}

/* The eye's responses x, y and z between those of the table: the CIE's own of each nanometre. */
static void the_eye_is_that_of_each_nanometre(void **state)
{
    static const struct {
        int wavelength;
        double xyz[3];
    } due[] = {{447, {0.344262, 0.0328837, 1.7817}},
               {453, {0.326636, 0.043766, 1.758943}},
               {503, {0.002425, 0.371699, 0.234772}},
               {597, {1.061799, 0.669472, 0.00093}},
               {663, {0.13749, 0.0506738, 0.0}}};
    (void)state;
    for (int c = 0; c < 3; c++) {
        struct lb_samples response;
        lb_samples_expand_smooth(lb_spectrum_cie[c].values, &response);
        for (size_t i = 0; i < sizeof due / sizeof *due; i++)
            assert_true(fabs(response.values[due[i].wavelength - LB_SPECTRUM_FIRST] - due[i].xyz[c]) < 0.002);
    }
}

/* Where measurements of cameras and of the chart end, curves go on with their last value, as in pbrt. */
static void measurements_go_on_beyond_their_ends(void **state)
{
    (void)state;
    const float *red = lb_samples_table(lb_spectrum_cameras, "nikon_d850_r");
    const float *skin = lb_spectrum_swatches[0].values;
    assert_float_equal(red[0], 0.00132405, 1e-8);
    assert_float_equal(red[LB_SPECTRUM_COUNT - 1], 0.00151797, 1e-8);
    assert_float_equal(skin[0], 0.055, 1e-6);
    assert_float_equal(skin[LB_SPECTRUM_COUNT - 1], 0.209, 1e-6);
}

/* At 720 nm, where cameras' curves end, pbrt has red's response for all three. */
static void cameras_end_with_the_response_of_red(void **state)
{
    (void)state;
    const int end = (720 - LB_SPECTRUM_FIRST) / LB_SPECTRUM_STEP;
    const float *red = lb_samples_table(lb_spectrum_cameras, "canon_eos_100d_r");
    const float *blue = lb_samples_table(lb_spectrum_cameras, "canon_eos_100d_b");
    assert_float_equal(red[end], 0.00142713, 1e-8);
    for (int i = end; i < LB_SPECTRUM_COUNT; i++)
        assert_true(red[i] == red[end] && blue[i] == red[end]);
    assert_float_equal(blue[end - 2], 0.000368194, 1e-9);
}

/* Where light is spectra, illuminants rise and fall beyond 780 nm; red, green and blue are made of even ones. */
static void illuminants_go_on_to_their_end(void **state)
{
    (void)state;
    const char *names[] = {"stdillum-A", "illum-acesD60"};
    struct lb_parameter lamp = {.type = LB_PARAMETER_SPECTRUM, .name = "L", .count = 1, .strings = &names[0]};
    struct lb_arena arena = {NULL};
    struct lb_samples samples, other;
    struct lb_error error;
    const int even = 780 - LB_SPECTRUM_FIRST, end = LB_SAMPLES_COUNT - 1;
    assert_int_equal(lb_samples_read_spectral(NULL, &lamp, &arena, NULL, &samples, &error), LB_OK);
    assert_true(fabs(samples.values[end] - 261.602) < 0.001);
    assert_int_equal(lb_samples_read(NULL, &lamp, &arena, NULL, &other, &error), LB_OK);
    for (int i = 0; i <= end; i++)
        assert_true(other.values[i] == samples.values[i < even ? i : even]);
    lb_spectrum_daylight(&samples);
    assert_true(fabs(samples.values[end] - 60.3125) < 0.001);
    lamp.strings = &names[1];
    assert_int_equal(lb_samples_read_spectral(NULL, &lamp, &arena, NULL, &samples, &error), LB_OK);
    assert_int_equal(lb_samples_read(NULL, &lamp, &arena, NULL, &other, &error), LB_OK);
    assert_memory_equal(&samples, &other, sizeof samples);
}

/* By the spectra, not by the figures: copper's eta with copper's k from pairs. */
static void spectral_metals_agree_with_named_ones(void **state)
{
    (void)state;
    const float *table = lb_samples_table(lb_spectrum_metals, "metal-Cu-k");
    float values[2 * LB_SPECTRUM_COUNT];
    for (int i = 0; i < LB_SPECTRUM_COUNT; i++) {
        values[2 * i] = (float)(LB_SPECTRUM_FIRST + i * LB_SPECTRUM_STEP);
        values[2 * i + 1] = table[i];
    }
    struct lb_parameter k = pairs(values, 2 * LB_SPECTRUM_COUNT);
    struct lb_arena arena = {NULL};
    struct lb_error error;
    lb_rgb eta_rgb, k_rgb;
    assert_int_equal(lb_spectrum_conductor(NULL, NULL, &k, &arena, NULL, &eta_rgb, &k_rgb, &error), LB_OK);
    assert_float_equal(reflect(eta_rgb.r, k_rgb.r), .955, 0.01);
    assert_float_equal(reflect(eta_rgb.g, k_rgb.g), .638, 0.01);
    assert_float_equal(reflect(eta_rgb.b, k_rgb.b), .537, 0.01);
    lb_arena_free(&arena);
}

static void constant_reflectances_are_grey(void **state)
{
    (void)state;
    for (float v = 0.0f; v <= 1.0f; v += 0.01f) {
        const float values[] = {300, v, 900, v};
        struct lb_parameter p = pairs(values, 4);
        assert_colour(rgb_of(&p, LB_SPECTRUM_REFLECTANCE), (double)v, (double)v, (double)v, 1e-6);
        assert_colour(rgb_of(&p, LB_SPECTRUM_UNBOUNDED), (double)v, (double)v, (double)v, 1e-6);
    }
}

static void pairs_are_zero_outside(void **state)
{
    (void)state;
    const float green[] = {500, 1, 580, 1};
    struct lb_parameter p = pairs(green, 4);
    lb_rgb rgb = rgb_of(&p, LB_SPECTRUM_REFLECTANCE);
    assert_true(rgb.g > 0.5f && rgb.r < 0.3f && rgb.b < 0.2f);
    struct lb_samples samples;
    struct lb_arena arena = {NULL};
    struct lb_error error;
    assert_int_equal(lb_samples_read(NULL, &p, &arena, NULL, &samples, &error), LB_OK);
    assert_true(samples.values[499 - 360] == 0.0 && samples.values[500 - 360] == 1.0);
    assert_true(samples.values[580 - 360] == 1.0 && samples.values[581 - 360] == 0.0);
    lb_arena_free(&arena);
}

static void glass_has_its_index(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        double index;
    } cases[] = {
        {"glass-BK7", 1.5168}, {"glass-SF11", 1.7847}, {"glass-F11", 1.7847}, {"glass-LASF9", 1.8503}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct lb_parameter p = named(&cases[i].name);
        struct lb_arena arena = {NULL};
        struct lb_error error;
        float number;
        assert_int_equal(lb_spectrum_number(NULL, &p, &arena, NULL, &number, &error), LB_OK);
        assert_float_equal(number, cases[i].index, 1e-4);
        lb_arena_free(&arena);
    }
}

static void other_spaces_become_srgb(void **state)
{
    (void)state;
    static const char *const names[] = {"srgb", "dci-p3", "rec2020", "aces2065-1"};
    for (size_t i = 0; i < 4; i++) {
        lb_rgb rgb;
        for (float v = 0.0f; v <= 1.0f; v += 0.125f) {
            assert_true(lb_rgb_to_srgb(names[i], false, lb_rgb_grey(v), &rgb));
            assert_colour(rgb, (double)v, (double)v, (double)v, 1e-6);
        }
        assert_true(lb_rgb_to_srgb(names[i], true, lb_rgb_grey(1.0f), &rgb));
        assert_float_equal(lb_rgb_luminance(rgb), 1.0, 0.001);
        /* The white of ACES is warmer than D65, the others' is D65. */
        assert_int_equal(rgb.r > rgb.b + 0.05f, i == 3);
        /* What is more saturated than sRGB can be loses its negative part. */
        assert_true(lb_rgb_to_srgb(names[i], false, lb_rgb_make(0.0f, 0.5f, 0.0f), &rgb));
        assert_true(rgb.r == 0.0f && rgb.g >= 0.5f && rgb.b >= 0.0f);
    }
    lb_rgb rgb;
    assert_true(lb_rgb_to_srgb(NULL, true, lb_rgb_make(1, 2, 3), &rgb));
    assert_colour(rgb, 1, 2, 3, 0);
    assert_false(lb_rgb_to_srgb("adobe", true, lb_rgb_make(1, 2, 3), &rgb));
}

static void refuse(struct lb_parameter parameter, const char *reason)
{
    parameter.location = (struct lb_location){"scene", 3, 4};
    struct lb_arena arena = {NULL};
    struct lb_error error;
    lb_rgb rgb;
    assert_int_equal(lb_spectrum_rgb(NULL, &parameter, LB_SPECTRUM_REFLECTANCE, &arena, NULL, &rgb, &error),
                     LB_ERROR);
    assert_non_null(strstr(error.message, "scene:3:4: "));
    if (!strstr(error.message, reason))
        fail_msg("%s: not %s", error.message, reason);
    lb_arena_free(&arena);
}

static void nonsense_is_refused(void **state)
{
    (void)state;
    const float falling[] = {500, 1, 400, 1}, odd[] = {400, 1, 500}, negative[] = {400, -1, 500, 1};
    const float nan[] = {400, __builtin_nanf(""), 500, 1}, cold = -5, rgb[] = {0.5f, 0.5f, 1.5f};
    refuse(pairs(falling, 4), "rise");
    refuse(pairs(odd, 3), "pairs");
    refuse(pairs(odd, 0), "pairs");
    refuse(pairs(negative, 4), "value of -1");
    refuse(pairs(nan, 4), "value of");
    refuse(blackbody(&cold), "temperature");
    struct lb_parameter p = {.type = LB_PARAMETER_RGB, .name = "L", .floats = rgb, .count = 3};
    refuse(p, "1.5");
    p.count = 2;
    refuse(p, "3 values");
    p.type = LB_PARAMETER_FLOAT;
    refuse(p, "must be");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lights_have_luminance_one),
        cmocka_unit_test(daylight_is_white),
        cmocka_unit_test(d50_is_that_of_the_cie),
        cmocka_unit_test(metals_have_their_colours),
        cmocka_unit_test(spectral_metals_agree_with_named_ones),
        cmocka_unit_test(the_eye_is_that_of_each_nanometre),
        cmocka_unit_test(measurements_go_on_beyond_their_ends),
        cmocka_unit_test(cameras_end_with_the_response_of_red),
        cmocka_unit_test(illuminants_go_on_to_their_end),
        cmocka_unit_test(constant_reflectances_are_grey),
        cmocka_unit_test(pairs_are_zero_outside),
        cmocka_unit_test(glass_has_its_index),
        cmocka_unit_test(other_spaces_become_srgb),
        cmocka_unit_test(nonsense_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
