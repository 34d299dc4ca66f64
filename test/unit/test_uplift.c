/* Colours become spectra: the wavelengths of paths, and what spectra show of the colours that they were made of. */
#include "core/base/color_space.h"
#include "core/kernel/integrators/dimensions.h"
#include "core/kernel/scene/spectral.h"
#include "core/scene/spectrum/quads.h"
#include "core/scene/spectrum/sigmoids.h"
#include "core/scene/spectrum/spectrum.h"
#include "core/scene/spectrum/uplift.h"
#include "test/any_reflectance.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static lb_quad quads[LB_QUADS];
static double places[LB_QUAD_VALUES];
static float white[LB_QUAD_VALUES];

static int set_up(void **state)
{
    struct lb_samples samples;
    (void)state;
    const struct lb_quad_view view = {.even = false};
    lb_quads_place(&view, places);
    lb_quads_make(&view, places, quads);
    lb_spectrum_daylight(&samples);
    lb_quads_take(places, &samples, white);
    return 0;
}

/* What the film gets of white light on a reflectance, on average over all quads. */
static void show(const struct lb_sigmoid *sigmoid, double shown[3])
{
    shown[0] = shown[1] = shown[2] = 0.0;
    for (int q = 0; q < LB_QUADS; q++)
        for (int lane = 0; lane < 4; lane++) {
            double light = (double)white[4 * q + lane] / LB_QUADS;
            if (sigmoid)
                light *= lb_sigmoid_at(sigmoid, places[q + lane * LB_QUADS]);
            shown[0] += light * (double)quads[q].shows[lane].r;
            shown[1] += light * (double)quads[q].shows[lane].g;
            shown[2] += light * (double)quads[q].shows[lane].b;
        }
}

static void white_is_white(void **state)
{
    double shown[3];
    (void)state;
    show(NULL, shown);
    for (int c = 0; c < 3; c++)
        assert_true(fabs(shown[c] - 1.0) < 1e-5);
}

/* How bright a line of a lamp is, 1 nm to each side of a wavelength, over its part of the eye's response. */
static double line_over_due(int wavelength)
{
    struct lb_samples line, eye[3], day;
    float values[LB_QUAD_VALUES];
    const double luminance[3] = {0.2126, 0.7152, 0.0722};
    double seen = 0.0, due = 0.0;
    memset(&line, 0, sizeof line);
    line.values[wavelength - LB_SPECTRUM_FIRST] = 1.0;
    lb_quads_take(places, &line, values);
    lb_spectrum_daylight(&day);
    lb_spectrum_eye(LB_COLOR_SRGB, eye);
    for (int c = 0; c < 3; c++) {
        double all = 0.0;
        for (int i = 0; i < LB_SAMPLES_COUNT; i++)
            all += eye[c].values[i] * day.values[i];
        due += luminance[c] * eye[c].values[wavelength - LB_SPECTRUM_FIRST] / all;
    }
    for (int q = 0; q < LB_QUADS; q++)
        for (int lane = 0; lane < 4; lane++) {
            const lb_rgb *shows = &quads[q].shows[lane];
            seen += (double)values[4 * q + lane] / LB_QUADS *
                    (luminance[0] * (double)shows->r + luminance[1] * (double)shows->g +
                     luminance[2] * (double)shows->b);
        }
    return seen / due;
}

/* Wherever a line lies among the wavelengths, it has all of its light. */
static void lines_keep_their_light(void **state)
{
    (void)state;
    for (int wavelength = 425; wavelength <= 670; wavelength++)
        assert_true(fabs(line_over_due(wavelength) - 1.0) < 0.0015);
}

/* pbrt's density is the derivative of this, but for a factor. */
static double below(double wavelength)
{
    return tanh(0.0072 * (wavelength - 538.0));
}

/* Samples draw wavelengths as dense as pbrt's: chi-squared over bands of 10 nm. */
static void wavelengths_are_as_dense_as_they_should(void **state)
{
    enum { BANDS = 47, PIXELS = 64, SAMPLES = 64 };
    double found[BANDS] = {0.0}, chi = 0.0, all = below(830.0) - below(360.0);
    const double drawn = 4.0 * PIXELS * SAMPLES;
    (void)state;
    for (uint32_t pixel = 0; pixel < PIXELS; pixel++)
        for (uint32_t sample = 0; sample < SAMPLES; sample++) {
            lb_sampler sampler;
            lb_sampler_start(&sampler, 7, 0, pixel, 3, sample);
            sampler = lb_sampler_of_wavelength(&sampler);
            uint32_t quad = (uint32_t)(lb_sampler_1d(&sampler) * (float)LB_QUADS);
            for (uint32_t lane = 0; lane < 4; lane++)
                found[(int)((places[quad + lane * LB_QUADS] - 360.0) / 10.0)] += 1.0;
        }
    for (int i = 0; i < BANDS; i++) {
        double due = drawn * (below(370.0 + 10.0 * i) - below(360.0 + 10.0 * i)) / all;
        chi += (found[i] - due) * (found[i] - due) / due;
    }
    /* 46 degrees of freedom: above 81 once in a thousand times, and stratified samples lie closer than random ones. */
    assert_true(chi < 81.0);
}

static void wavelengths_rise_in_each_quad(void **state)
{
    (void)state;
    for (int i = 1; i < LB_QUAD_VALUES; i++)
        assert_true(places[i] > places[i - 1]);
    assert_true(places[0] > 360.0 && places[LB_QUAD_VALUES - 1] < 830.0);
}

/* What is seen of white light on a reflectance in the space that `own` are of, on average over all quads. */
static void show_in_space(const lb_quad *own, const struct lb_sigmoid *sigmoid, double shown[3])
{
    shown[0] = shown[1] = shown[2] = 0.0;
    for (int q = 0; q < LB_QUADS; q++)
        for (int lane = 0; lane < 4; lane++) {
            double value = lb_sigmoid_at(sigmoid, places[q + lane * LB_QUADS]) / LB_QUADS;
            shown[0] += value * (double)own[q].albedo[lane].r;
            shown[1] += value * (double)own[q].albedo[lane].g;
            shown[2] += value * (double)own[q].albedo[lane].b;
        }
}

/* Colours of the same grid in the other spaces. Not all of them are colours of a reflectance: those that are off are
 * none, or nearly none, as they are none a hundredth further from grey. */
static void reflectances_show_what_they_can_of_wide_spaces(void **state)
{
    static const int most[LB_COLOR_SPACES] = {0, 92, 620, 2270};
    (void)state;
    for (uint32_t space = 1; space < LB_COLOR_SPACES; space++) {
        const struct lb_quad_view view = {.space = space};
        struct lb_uplifter uplifter;
        lb_quad *own = malloc(LB_QUADS * sizeof *own);
        int beyond = 0;
        assert_non_null(own);
        lb_quads_make(&view, places, own);
        lb_uplifter_make(space, &uplifter);
        for (int i = 0; i < 4096; i++) {
            const double wanted[3] = {i % 16 / 15.0, i / 16 % 16 / 15.0, i / 256 / 15.0};
            struct lb_sigmoid sigmoid;
            double shown[3], further[3], off = 0.0;
            lb_uplift(&uplifter, lb_rgb_make((float)wanted[0], (float)wanted[1], (float)wanted[2]), &sigmoid);
            show_in_space(own, &sigmoid, shown);
            for (int c = 0; c < 3; c++) {
                off = fmax(off, fabs(shown[c] - wanted[c]));
                further[c] = 0.5 + 1.01 * (wanted[c] - 0.5);
            }
            if (off <= 0.002)
                continue;
            beyond++;
            if (any_reflectance_shows(&uplifter, 1.0, 1e-4, further))
                fail_msg("%s: %g %g %g is off by %g", lb_color_spaces[space].name, wanted[0], wanted[1],
                         wanted[2], off);
        }
        print_message("%s: %d of 4096 beyond 0.002\n", lb_color_spaces[space].name, beyond);
        assert_true(beyond <= most[space]);
        free(own);
    }
}

typedef void uplift_function(const struct lb_uplifter *uplifter, lb_rgb colour, struct lb_sigmoid *sigmoid);

/* Colours of a grid of 16 x 16 x 16 from 0 to 1. Returns how many of them are not shown as well as that. */
static int grid_colours_beyond(uplift_function *uplift, double most)
{
    struct lb_uplifter uplifter;
    double worst = 0.0;
    int beyond = 0;
    lb_uplifter_make(LB_COLOR_SRGB, &uplifter);
    for (int i = 0; i < 4096; i++) {
        float r = (float)(i % 16) / 15.0f, g = (float)(i / 16 % 16) / 15.0f, b = (float)(i / 256) / 15.0f;
        const double wanted[3] = {(double)r, (double)g, (double)b};
        struct lb_sigmoid sigmoid;
        double shown[3], off = 0.0;
        uplift(&uplifter, lb_rgb_make(r, g, b), &sigmoid);
        show(&sigmoid, shown);
        for (int c = 0; c < 3; c++)
            off = fmax(off, fabs(shown[c] - wanted[c]));
        beyond += off > most;
        worst = fmax(worst, off);
    }
    print_message("%d of 4096 beyond %g, worst %g\n", beyond, most, worst);
    return beyond;
}

static void reflectances_show_their_colour(void **state)
{
    (void)state;
    assert_int_equal(grid_colours_beyond(lb_uplift, 0.002), 0);
}

/* As pbrt's table has it, colours are off, too, but by no more. */
static void the_lattice_shows_its_colours(void **state)
{
    (void)state;
    assert_int_equal(grid_colours_beyond(lb_uplift_as_pbrt, 0.0021), 0);
    assert_true(grid_colours_beyond(lb_uplift_as_pbrt, 0.0001) > 1000);
}

/* What the coefficients of pbrt-v4's table show of patches of a chart of colours, summed each nanometre: dark greys, a
 * dark blue beside a bright red, and paper. */
static void dark_colours_are_as_dark_as_pbrts(void **state)
{
    static const struct {
        lb_rgb colour;
        double shown[3]; /* over the colour */
    } due[] = {
        {{0.031f, 0.031f, 0.032f}, {0.9905, 0.9906, 0.9907}},
        {{0.087f, 0.089f, 0.092f}, {0.9940, 0.9942, 0.9943}},
        {{0.694f, 0.200f, 0.026f}, {1.0001, 0.9996, 0.9872}},
        {{0.885f, 0.885f, 0.873f}, {1.0005, 1.0006, 1.0008}},
    };
    struct lb_uplifter uplifter;
    (void)state;
    lb_uplifter_make(LB_COLOR_SRGB, &uplifter);
    for (size_t i = 0; i < sizeof due / sizeof *due; i++) {
        const double wanted[3] = {(double)due[i].colour.r, (double)due[i].colour.g, (double)due[i].colour.b};
        struct lb_sigmoid sigmoid;
        double shown[3];
        lb_uplift_as_pbrt(&uplifter, due[i].colour, &sigmoid);
        show(&sigmoid, shown);
        for (int c = 0; c < 3; c++)
            if (!(fabs(shown[c] / wanted[c] - due[i].shown[c]) < 0.001))
                fail_msg("color %zu, component %d: %g", i, c, shown[c] / wanted[c]);
    }
}

/* The table's own colours, which are found from neighbours. */
static void the_table_shows_its_colours(void **state)
{
    lb_vec3 *table = malloc(LB_SIGMOIDS * sizeof *table);
    const uint32_t sides = LB_SIGMOID_SIDES, heights = LB_SIGMOID_HEIGHTS;
    double worst = 0.0;
    (void)state;
    assert_non_null(table);
    lb_sigmoids_make(table);
    for (uint32_t i = 0; i < LB_SIGMOIDS; i += 7) {
        uint32_t most = i / (heights * sides * sides), row = i / (sides * sides) % heights;
        double x = (double)(i % sides) / (sides - 1), y = (double)(i / sides % sides) / (sides - 1);
        double z = (double)lb_sigmoid_height_at((float)row / (float)(heights - 1)), wanted[3], shown[3];
        const struct lb_sigmoid sigmoid = {{(double)table[i].x, (double)table[i].y, (double)table[i].z}};
        wanted[most] = z;
        wanted[(most + 1) % 3] = z * x * x;
        wanted[(most + 2) % 3] = z * y * y;
        show(&sigmoid, shown);
        for (int c = 0; c < 3; c++)
            worst = fmax(worst, fabs(shown[c] - wanted[c]));
    }
    print_message("the table is off by at most %g\n", worst);
    assert_true(worst < 0.002);
    free(table);
}

/* Neither has a place in the table. */
static void colours_that_are_none_have_no_place(void **state)
{
    static const lb_rgb colours[] = {{0.0f, -0.1f, 0.0f}, {-0.2f, -0.1f, -0.3f}, {0.0f, 0.0f, 0.0f}};
    struct lb_uplifter uplifter;
    (void)state;
    lb_uplifter_make(LB_COLOR_SRGB, &uplifter);
    for (size_t i = 0; i < sizeof colours / sizeof *colours; i++) {
        struct lb_sigmoid exact, sigmoid;
        lb_uplift(&uplifter, colours[i], &exact);
        lb_uplift_as_pbrt(&uplifter, colours[i], &sigmoid);
        assert_memory_equal(&sigmoid, &exact, sizeof exact);
    }
}

static void greys_are_the_same_everywhere(void **state)
{
    struct lb_uplifter uplifter;
    (void)state;
    lb_uplifter_make(LB_COLOR_SRGB, &uplifter);
    for (int i = 1; i < 256; i++) {
        struct lb_sigmoid sigmoid;
        float grey = (float)i / 256.0f;
        lb_uplift(&uplifter, lb_rgb_grey(grey), &sigmoid);
        for (double at = 360.0; at <= 830.0; at += 47.0)
            assert_true(fabs(lb_sigmoid_at(&sigmoid, at) - (double)grey) < 1e-5);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(white_is_white),
        cmocka_unit_test(lines_keep_their_light),
        cmocka_unit_test(wavelengths_rise_in_each_quad),
        cmocka_unit_test(wavelengths_are_as_dense_as_they_should),
        cmocka_unit_test(greys_are_the_same_everywhere),
        cmocka_unit_test(reflectances_show_their_colour),
        cmocka_unit_test(the_lattice_shows_its_colours),
        cmocka_unit_test(dark_colours_are_as_dark_as_pbrts),
        cmocka_unit_test(colours_that_are_none_have_no_place),
        cmocka_unit_test(reflectances_show_what_they_can_of_wide_spaces),
        cmocka_unit_test(the_table_shows_its_colours),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
