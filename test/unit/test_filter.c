/* Tests core/kernel/film/filter.h: the values of filters, and the places that are drawn from them. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "core/kernel/sampler.h"
#include "filter_scene.h"

static const struct {
    const char *name;
    uint32_t kind;
    float xradius, yradius, a, b;
} filters[] = {
    {"box", LB_FILTER_BOX, 0.5f, 0.5f, 0.0f, 0.0f},
    {"wide box", LB_FILTER_BOX, 1.5f, 0.75f, 0.0f, 0.0f},
    {"triangle", LB_FILTER_TRIANGLE, 2.0f, 1.5f, 0.0f, 0.0f},
    {"gaussian", LB_FILTER_GAUSSIAN, 1.5f, 1.5f, 0.5f, 0.0f},
    {"narrow gaussian", LB_FILTER_GAUSSIAN, 1.5f, 2.0f, 0.2f, 0.0f},
    {"mitchell", LB_FILTER_MITCHELL, 2.0f, 2.0f, 1.0f / 3.0f, 1.0f / 3.0f},
    {"sinc", LB_FILTER_SINC, 4.0f, 4.0f, 3.0f, 0.0f},
};
#define FILTER_COUNT (sizeof filters / sizeof filters[0])

static lb_scene *scene_of(size_t i)
{
    return filter_scene_make(filters[i].kind, filters[i].xradius, filters[i].yradius, filters[i].a,
                             filters[i].b, (uint32_t)(32.0f * filters[i].xradius),
                             (uint32_t)(32.0f * filters[i].yradius));
}

static void assert_near(double got, double want, double tolerance)
{
    if (!(fabs(got - want) <= tolerance))
        fail_msg("%g is not %g within %g", got, want, tolerance);
}

static void test_values_by_definition(void **state)
{
    (void)state;
    lb_filter filter;
    memset(&filter, 0, sizeof filter);
    filter.kind = LB_FILTER_GAUSSIAN;
    filter.xradius = filter.yradius = 1.5f;
    filter.a = 0.5f;
    assert_near((double)lb_filter_evaluate(&filter, 0.3f, -1.2f),
                (exp(-0.18) - exp(-4.5)) * (exp(-2.88) - exp(-4.5)), 1e-7);
    assert_true(lb_filter_evaluate(&filter, 1.6f, 0.0f) == 0.0f &&
                lb_filter_evaluate(&filter, 0.0f, -1.51f) == 0.0f);

    filter.kind = LB_FILTER_TRIANGLE;
    assert_near((double)lb_filter_evaluate(&filter, 0.5f, -0.25f), 1.0 * 1.25, 1e-6);

    filter.kind = LB_FILTER_MITCHELL; /* B = C = 1/3: 8/9 at 0, 1/18 at 1, -5/144 + .. at 3/2, 0 at 2 */
    filter.xradius = filter.yradius = 2.0f;
    filter.a = filter.b = 1.0f / 3.0f;
    assert_near((double)lb_filter_evaluate(&filter, 0.0f, 0.0f), 64.0 / 81.0, 1e-6);
    assert_near((double)lb_filter_evaluate(&filter, 1.0f, 0.0f), 8.0 / 9.0 / 18.0, 1e-6);
    assert_near((double)lb_filter_axis(&filter, 1.5f, 2.0f),
                (-7.0 / 3.0 * 3.375 + 12 * 2.25 - 20 * 1.5 + 32.0 / 3.0) / 6.0, 1e-6);
    assert_near((double)lb_filter_axis(&filter, 2.0f, 2.0f), 0.0, 1e-6);

    filter.kind = LB_FILTER_SINC;
    filter.xradius = filter.yradius = 4.0f;
    filter.a = 3.0f;
    double pi = acos(-1.0), x = 1.4;
    assert_near((double)lb_filter_axis(&filter, 1.4f, 4.0f),
                sin(pi * x) / (pi * x) * sin(pi * x / 3.0) / (pi * x / 3.0), 1e-6);
    assert_near((double)lb_filter_evaluate(&filter, 0.0f, 0.0f), 1.0, 0.0);
}

/* The kinds' definitions are even and continuous. */
static void test_values_are_even_and_continuous(void **state)
{
    (void)state;
    for (size_t f = 2; f < FILTER_COUNT; f++) {
        lb_scene *scene = scene_of(f);
        const lb_filter *filter = &scene->film.filter;
        float last = 0.0f, step = filter->xradius / 4096.0f;
        for (int i = 4097; i-- > 0;) {
            float value = lb_filter_axis(filter, (float)i * step, filter->xradius);
            assert_true(value == lb_filter_axis(filter, (float)-i * step, filter->xradius));
            if (filter->kind != LB_FILTER_SINC ||
                i < 4095) /* pbrt's sinc may end at a step: tau is not the radius */
                assert_near((double)value, (double)last, 0.01);
            last = value;
        }
        free(scene);
    }
}

/* The weighted density of the places is the filter: compared cell by cell. */
static void test_samples_follow_the_filter(void **state)
{
    (void)state;
    enum { CELLS = 16, SAMPLES = 1 << 18 };
    for (size_t f = 0; f < FILTER_COUNT; f++) {
        lb_scene *scene = scene_of(f);
        const lb_filter *filter = &scene->film.filter;
        double got[CELLS][CELLS] = {{0.0}}, want[CELLS][CELLS] = {{0.0}}, total = 0.0, weights = 0.0;
        for (uint32_t i = 0; i < SAMPLES; i++) {
            lb_sampler sampler;
            lb_sampler_start(&sampler, 1, 0, 0, (uint32_t)f, i);
            lb_filter_place place = lb_filter_sample(scene, lb_sampler_2d(&sampler));
            assert_true(place.weight == 1.0f || place.weight == -1.0f);
            assert_true(lb_abs(place.offset.x) <= filter->xradius &&
                        lb_abs(place.offset.y) <= filter->yradius);
            uint32_t cx = lb_filter_cell(place.offset.x, CELLS, filter->xradius);
            uint32_t cy = lb_filter_cell(place.offset.y, CELLS, filter->yradius);
            got[cy][cx] += (double)place.weight;
            weights += (double)place.weight;
        }
        for (int y = 0; y < CELLS * 8; y++) {
            for (int x = 0; x < CELLS * 8; x++) {
                float fx = lb_filter_middle((uint32_t)x, CELLS * 8, filter->xradius);
                float fy = lb_filter_middle((uint32_t)y, CELLS * 8, filter->yradius);
                double value = (double)lb_filter_evaluate(filter, fx, fy);
                want[y / 8][x / 8] += value;
                total += value;
            }
        }
        double largest = 0.0;
        for (int i = 0; i < CELLS * CELLS; i++)
            largest = fmax(largest, want[i / CELLS][i % CELLS] / total);
        for (int y = 0; y < CELLS; y++)
            for (int x = 0; x < CELLS; x++)
                if (fabs(got[y][x] / weights - want[y][x] / total) > 0.015 * largest)
                    fail_msg("%s: cell %d, %d holds %g, not %g", filters[f].name, x, y, got[y][x] / weights,
                             want[y][x] / total);
        free(scene);
    }
}

/* Random numbers at the corners of the unit square give places within the filter's rectangle. */
static void test_extreme_numbers(void **state)
{
    (void)state;
    const float extremes[] = {0.0f, 0x1p-24f, 0.5f, 1.0f - 0x1p-24f};
    for (size_t f = 0; f < FILTER_COUNT; f++) {
        lb_scene *scene = scene_of(f);
        for (int i = 0; i < 16; i++) {
            lb_filter_place place = lb_filter_sample(scene, lb_vec2_make(extremes[i / 4], extremes[i % 4]));
            assert_true(lb_abs(place.offset.x) <= filters[f].xradius);
            assert_true(lb_abs(place.offset.y) <= filters[f].yradius);
            assert_true(lb_abs(place.weight) == 1.0f);
            assert_true(lb_filter_cell(place.offset.x, 7, filters[f].xradius) < 7);
        }
        free(scene);
    }
}

/* lb_cdf_find never picks an empty cell and finds what a linear search finds, and so does the search by steps. */
static void test_cdf_find(void **state)
{
    (void)state;
    for (uint32_t trial = 0; trial < 2000; trial++) {
        double weights[37];
        float cdf[38];
        uint32_t n = 1 + lb_hash_u32(trial) % 37;
        for (uint32_t i = 0; i < n; i++)
            weights[i] = lb_hash_u32(trial * 64 + i) % 3 == 0 ? 0.0 : (double)(lb_hash_u32(i - trial) % 100);
        weights[lb_hash_u32(~trial) % n] = 1.0;
        filter_scene_cdf(weights, n, cdf);
        float steps[38 / LB_CDF_STEP + 1];
        for (uint32_t i = 0; i < lb_cdf_step_count(n); i++)
            steps[i] = cdf[i * LB_CDF_STEP];
        for (uint32_t i = 0; i < 100; i++) {
            float u = i < n ? lb_min(cdf[i], 1.0f - 0x1p-24f) : lb_unit_float(lb_hash_u32(i + trial));
            uint32_t cell = lb_cdf_find(cdf, n, u);
            assert_true(cell < n && cdf[cell] <= u && u < cdf[cell + 1]);
            assert_int_equal(lb_cdf_find_by_steps(cdf, steps, n, u), cell);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values_by_definition),
        cmocka_unit_test(test_values_are_even_and_continuous),
        cmocka_unit_test(test_samples_follow_the_filter),
        cmocka_unit_test(test_extreme_numbers),
        cmocka_unit_test(test_cdf_find),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
