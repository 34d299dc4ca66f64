/* Tests core/kernel/integrators/mandelbrot.h: known members, the count of iterations, the mapping of the film, and the
 * palette. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <complex.h>
#include <math.h>

#include "core/kernel/integrators/mandelbrot.h"
#include "filter_scene.h"

/* A film of width x height that shows `span` of the plane across, around `center`. */
static lb_scene *plane_make(uint32_t width, uint32_t height, double cx, double cy, double span,
                            uint32_t iterations)
{
    lb_scene *scene = filter_scene_make(LB_FILTER_BOX, 0.5f, 0.5f, 0.0f, 0.0f, 1, 1);
    scene->film.full_width = scene->film.width = width;
    scene->film.full_height = scene->film.height = height;
    scene->integrator.kind = LB_INTEGRATOR_MANDELBROT;
    scene->integrator.center[0] = cx;
    scene->integrator.center[1] = cy;
    scene->integrator.span = span;
    scene->integrator.max_iterations = iterations;
    scene->integrator.samples = 1;
    return scene;
}

/* Iterations at the point (cx, cy) itself: the centre of a film. */
static uint32_t count_at(double cx, double cy, uint32_t limit, lb_rgb *color)
{
    lb_scene *scene = plane_make(2, 2, cx, cy, 3.0, limit);
    uint32_t iterations;
    *color = lb_mandelbrot(scene, lb_vec2_make(1.0f, 1.0f), &iterations);
    free(scene);
    return iterations;
}

static void test_members_are_black_and_cost_the_limit(void **state)
{
    (void)state;
    static const double members[][2] = {{0.0, 0.0},  {-1.0, 0.0}, {-2.0, 0.0},
                                        {0.25, 0.0}, {0.0, 1.0},  {-0.1226, 0.7449}};
    for (size_t i = 0; i < sizeof members / sizeof members[0]; i++) {
        for (uint32_t limit = 1; limit <= 256; limit *= 4) {
            lb_rgb color;
            assert_int_equal(count_at(members[i][0], members[i][1], limit, &color), limit);
            assert_true(lb_rgb_is_black(color));
        }
    }
}

/* Against the definition with complex numbers, away from the boundary's chaos. */
static void test_iterations(void **state)
{
    (void)state;
    lb_rgb color;
    assert_int_equal(count_at(2.0, 0.0, 256, &color), 2);  /* 2, 6: |2|^2 = 4 has not escaped */
    assert_int_equal(count_at(2.01, 0.0, 256, &color), 1); /* at once */
    assert_int_equal(count_at(1.0, 0.0, 256, &color), 3);  /* 1, 2, 5 */
    for (int i = 0; i < 2000; i++) {
        double angle = 0.1 * i, radius = 0.8 + 0.001 * i;
        double _Complex c = radius * cos(angle) + radius * sin(angle) * I, z = 0.0;
        uint32_t count = 0;
        while (count < 20 && creal(z) * creal(z) + cimag(z) * cimag(z) <= 4.0) {
            z = z * z + c;
            count++;
        }
        assert_int_equal(count_at(creal(c), cimag(c), 20, &color), count);
    }
}

/* The film: its full width spans the plane's width, y runs down, a crop is a part of the whole. */
static void test_film_mapping(void **state)
{
    (void)state;
    lb_scene *scene = plane_make(300, 200, -0.5, 0.25, 3.0, 50);
    for (uint32_t i = 0; i < 3000; i++) {
        float x = (float)(i % 300) + 0.25f, y = (float)(i % 199) + 0.75f;
        uint32_t iterations, again;
        lb_rgb color = lb_mandelbrot(scene, lb_vec2_make(x, y), &iterations), there;
        again = count_at(-0.5 + ((double)x - 150.0) * 0.01, 0.25 - ((double)y - 100.0) * 0.01, 50, &there);
        assert_int_equal(iterations, again);
        assert_true(fabsf(color.r - there.r) < 1e-3f);
    }
    free(scene);
}

/* Colours stay in 0 .. 1 and go smoothly over the seams between counts. */
static void test_palette(void **state)
{
    (void)state;
    lb_scene *scene = plane_make(4000, 2, 1.0, 0.9, 4.0, 256);
    lb_rgb last = lb_rgb_grey(0.0f);
    uint32_t counts = 0, last_count = 0;
    for (uint32_t i = 1400; i < 4000; i++) { /* a line to the right of the set */
        uint32_t iterations;
        lb_rgb c = lb_mandelbrot(scene, lb_vec2_make((float)i, 1.0f), &iterations);
        assert_true(c.r >= 0.0f && c.r <= 1.0f && c.g >= 0.0f && c.g <= 1.0f && c.b >= 0.0f && c.b <= 1.0f);
        if (i > 1400)
            assert_true(fabsf(c.r - last.r) < 0.01f && fabsf(c.g - last.g) < 0.01f &&
                        fabsf(c.b - last.b) < 0.01f);
        counts += iterations != last_count;
        last = c;
        last_count = iterations;
    }
    assert_true(counts >= 3); /* there were seams to go over */
    free(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_members_are_black_and_cost_the_limit),
        cmocka_unit_test(test_iterations),
        cmocka_unit_test(test_film_mapping),
        cmocka_unit_test(test_palette),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
