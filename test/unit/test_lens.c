/* Tests the realistic camera: a lens whose focus and brightness are known, and files with faults. */
#include "scene_help.h"

#include "core/kernel/camera/camera.h"
#include "core/kernel/sampler.h"

#include <math.h>

/* A double Gauss lens of 50 mm, f/2 (Tronnier, US patent 2673491). */
static const char double_gauss[] =
    "# radius thickness index diameter\n"
    "29.475 3.76 1.67 25.2\n84.83 0.12 1 25.2\n19.275 4.025 1.67 23\n"
    "40.77 3.275 1.699 23\n12.75 5.705 1 18\n0 4.5 0 17.1\n-14.495 1.18 1.603 17\n"
    "40.77 6.065 1.658 20\n-20.385 0.19 1 20\n437.065 3.22 1.717 20\n"
    "-39.73 5.0 1 20\n";

static enum lb_status load(const char *lens, const char *parameters, struct scene_warnings *warnings,
                           struct lb_loaded *loaded, struct lb_error *error)
{
    struct scene_file file = scene_file_write(lens, strlen(lens));
    char before[512];
    snprintf(before, sizeof before,
             "Camera \"realistic\" \"string lensfile\" \"%s\" %s\n"
             "Film \"rgb\" \"integer xresolution\" 160 \"integer yresolution\" 120",
             file.path, parameters);
    enum lb_status status = scene_try(before, "LightSource \"infinite\"", NULL, warnings, loaded, error);
    unlink(file.path);
    return status;
}

static struct lb_loaded get(const char *parameters)
{
    struct lb_loaded loaded;
    struct lb_error error;
    if (load(double_gauss, parameters, NULL, &loaded, &error) != LB_OK)
        fail_msg("%s", error.message);
    return loaded;
}

static lb_vec2 lens_sample(uint32_t i)
{
    lb_sampler sampler;
    lb_sampler_start(&sampler, 1, 0, 0, 0, i);
    return lb_sampler_2d(&sampler);
}

/* The mean weight over the lens at a point of the film. */
static double brightness(const struct lb_loaded *loaded, float x, float y)
{
    const uint32_t samples = 4096;
    double sum = 0;
    for (uint32_t i = 0; i < samples; i++) {
        float weight = 1;
        lb_ray ray = lb_camera_ray_at(loaded->scene, lb_vec2_make(x, y), lens_sample(i), 0, &weight);
        assert_true(weight == 0.0f ? ray.t_max == 0.0f : fabs((double)lb_length(ray.direction) - 1) < 1e-5);
        sum += (double)weight;
    }
    return sum / samples;
}

/* What pbrt-v4 makes of a white sky with these apertures at 14 mm. */
static void brightness_is_pbrts(void **state)
{
    (void)state;
    struct lb_loaded loaded = get("\"float aperturediameter\" 14 \"float focusdistance\" 0.42");
    double mean = 0;
    double center = brightness(&loaded, 80, 60);
    if (!(fabs(center - 0.098) < 0.002))
        fail_msg("%g", center);
    for (int y = 0; y < 12; y++)
        for (int x = 0; x < 16; x++)
            mean += brightness(&loaded, 10 * (float)x + 5, 10 * (float)y + 5) / (12 * 16);
    assert_true(fabs(mean - 0.089) < 0.002);
    lb_scene_free(&loaded);
    static const char *const forms[] = {"gaussian", "square", "pentagon", "star"};
    for (int i = 0; i < 4; i++) {
        char parameters[128];
        snprintf(parameters, sizeof parameters,
                 "\"float aperturediameter\" 14 \"float focusdistance\" 0.42 \"string aperture\" \"%s\"",
                 forms[i]);
        loaded = get(parameters);
        /* Of squares pbrt loses some light in corners. */
        double least = i == 1 ? 0.083 : 0.09, most = i == 1 ? 0.099 : 0.105,
               got = brightness(&loaded, 80, 60);
        if (!(got > least && got < most))
            fail_msg("%s: %g", forms[i], got);
        lb_scene_free(&loaded);
    }
}

/* Rays from a point near the film's centre meet where the lens is focused. */
static void focus_is_at_its_distance(void **state)
{
    (void)state;
    static const double distances[] = {0.5, 2, 10};
    for (int d = 0; d < 3; d++) {
        char parameters[128];
        snprintf(parameters, sizeof parameters, "\"float aperturediameter\" 4 \"float focusdistance\" %g",
                 distances[d]);
        struct lb_loaded loaded = get(parameters);
        double best = 0, least = 1e30;
        for (double at = 0.8 * distances[d]; at < 1.25 * distances[d]; at += 0.002 * distances[d]) {
            double sum = 0, square = 0, count = 0;
            for (uint32_t i = 0; i < 200; i++) {
                float weight = 1;
                lb_ray ray = lb_camera_ray_at(loaded.scene, lb_vec2_make(81, 60), lens_sample(i), 0, &weight);
                if (weight == 0.0f)
                    continue;
                double t = (at - (double)ray.origin.z) / (double)ray.direction.z;
                double x = (double)ray.origin.x + t * (double)ray.direction.x;
                sum += x, square += x * x, count += 1;
            }
            double spread = square / count - sum / count * (sum / count);
            if (spread < least)
                least = spread, best = at;
        }
        if (!(fabs(best / distances[d] - 1) < 0.05))
            fail_msg("sharp at %g, not %g", best, distances[d]);
        lb_scene_free(&loaded);
    }
}

static void wrong_lenses_are_errors(void **state)
{
    (void)state;
    static const struct {
        const char *lens, *parameters, *message;
    } wrongs[] = {
        {"1 2 3", "", "four numbers"},
        {"", "", "four numbers"},
        {"1 2 3 x", "", "no number"},
        {"10 1 1.5 nan", "", "lbrender-scene"},
        {"10 1 1.5 0", "", "diameter of element 1"},
        {"10 -1 1.5 5", "", "thickness of element 1"},
        {double_gauss, "\"float focusdistance\" 0.05", "focusdistance"},
        {double_gauss, "\"float aperturediameter\" 0", "aperturediameter"},
        {double_gauss, "\"string aperture\" \"nowhere.png\"", "nowhere.png"},
        {double_gauss, "\"float fov\" 3", "fov"},
        {"0 1 1 10\n0 1 1 10", "", "bend"},
    };
    for (size_t i = 0; i < sizeof wrongs / sizeof wrongs[0]; i++) {
        struct lb_loaded loaded;
        struct lb_error error;
        if (load(wrongs[i].lens, wrongs[i].parameters, NULL, &loaded, &error) == LB_OK)
            fail_msg("lens %zu loads", i);
        if (!strstr(error.message, wrongs[i].message))
            fail_msg("lens %zu: \"%s\" is not in \"%s\"", i, wrongs[i].message, error.message);
    }
    struct scene_warnings warnings = {0};
    struct lb_loaded loaded;
    struct lb_error error;
    assert_int_equal(load(double_gauss, "\"float aperturediameter\" 20", &warnings, &loaded, &error), LB_OK);
    assert_non_null(strstr(warnings.last, "17.1 mm"));
    lb_scene_free(&loaded);
    assert_int_equal(scene_try("Camera \"realistic\"", "", NULL, NULL, &loaded, &error), LB_ERROR);
    assert_non_null(strstr(error.message, "lensfile"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(brightness_is_pbrts),
        cmocka_unit_test(focus_is_at_its_distance),
        cmocka_unit_test(wrong_lenses_are_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
