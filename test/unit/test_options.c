/* pbrt's options that change the picture: disablepixeljitter, by its rays, and forcediffuse, by surfaces of known
 * albedo. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "test/unit/mean_picture.h"
#include "test/unit/scene_help.h"

#include <math.h>

#include "core/kernel/integrators/path.h"

#define CENTERED "Option \"disablepixeljitter\" true "
#define FILM     "Film \"rgb\" \"integer xresolution\" 8 \"integer yresolution\" 6 \"float diagonal\" 10 "
#define PLACE    "LookAt 1 2 3  4 6 3  0 0 1 "

static void expect_point(lb_vec3 got, lb_vec3 expected)
{
    if (!(lb_length(lb_sub(got, expected)) <= 1e-5f))
        fail_msg("(%g %g %g), not (%g %g %g)", (double)got.x, (double)got.y, (double)got.z,
                 (double)expected.x, (double)expected.y, (double)expected.z);
}

/* All samples of a pixel have the ray that goes through its centre and the lens's, in the middle of the time. */
static void expect_centered(const char *head)
{
    char text[2000];
    struct lb_loaded plain, centered;
    snprintf(text, sizeof text, "%s %s WorldBegin", head, FILM);
    load_scene_text(text, &plain);
    snprintf(text, sizeof text, "%s %s %s WorldBegin", CENTERED, head, FILM);
    load_scene_text(text, &centered);
    int passed = 0;
    for (uint32_t i = 0; i < 32; i++) {
        lb_path path;
        float light;
        lb_filter_place place;
        uint32_t x = i % 8, y = i % 6;
        lb_path_start(centered.scene, x, y, i, &path, &place);
        lb_ray ray =
            lb_camera_ray_at(plain.scene, lb_vec2_make((float)x + 0.5f, (float)y + 0.5f),
                             lb_vec2_make(0.5f, 0.5f), plain.scene->any_motion ? 0.4f : 0.0f, &light);
        assert_float_equal(place.weight, 1.0f, 0.0f);
        assert_float_equal(path.throughput.g, light, 1e-6f);
        if (light == 0.0f) /* the lens lets nothing through there */
            continue;
        passed++;
        expect_point(path.ray.origin, ray.origin);
        expect_point(path.ray.direction, ray.direction);
        assert_float_equal(path.ray.time, ray.time, 1e-6f);
    }
    assert_true(passed > 16);
    lb_scene_free(&plain);
    lb_scene_free(&centered);
}

static void test_samples_in_the_centre(void **state)
{
    (void)state;
    static const char lens[] = "50 5 1.5 20\n-50 5 1 20\n0 40 0 10\n";
    struct scene_file file = scene_file_write(lens, sizeof lens - 1);
    char realistic[400];
    expect_centered(PLACE "Camera \"perspective\" PixelFilter \"mitchell\"");
    expect_centered(PLACE "Camera \"perspective\" \"float lensradius\" 0.5 \"float focaldistance\" 4");
    expect_centered(PLACE "Camera \"orthographic\" PixelFilter \"sinc\"");
    expect_centered(PLACE "Camera \"orthographic\" \"float lensradius\" 0.5 \"float focaldistance\" 4");
    expect_centered(PLACE "Camera \"spherical\" PixelFilter \"box\"");
    expect_centered(PLACE
                    "ActiveTransform EndTime Translate 1 0 0 ActiveTransform All Camera \"perspective\" "
                    "\"float shutteropen\" 0.2 \"float shutterclose\" 0.6");
    snprintf(realistic, sizeof realistic, PLACE "Camera \"realistic\" \"string lensfile\" \"%s\"", file.path);
    expect_centered(realistic);
    unlink(file.path);
}

/* However many samples a pixel has, none shows finer detail than a pixel, or all of them show all of it. */
static void test_footprint_of_a_pixel(void **state)
{
    (void)state;
    static const char *const heads[] = {
        "Sampler \"halton\" \"integer pixelsamples\" 1 ",
        "Sampler \"halton\" \"integer pixelsamples\" 64 ",
        CENTERED "Sampler \"halton\" \"integer pixelsamples\" 64 ",
        CENTERED "Option \"disabletexturefiltering\" true",
    };
    float sizes[4];
    for (int i = 0; i < 4; i++) {
        struct lb_loaded loaded = scene_get(heads[i], "");
        lb_footprint footprint = lb_footprint_make(loaded.scene, lb_vec3_make(0.1f, 0.2f, 4.0f),
                                                   lb_vec3_make(0.0f, 0.6f, -0.8f), 0.0f);
        sizes[i] = lb_length(footprint.dpdx);
        lb_scene_free(&loaded);
    }
    assert_near((double)sizes[1], 0.125 * (double)sizes[0]);
    assert_near((double)sizes[2], (double)sizes[0]);
    assert_float_equal(sizes[3], 0.0f, 0.0f);
}

/* A surface under a point light that is where no mirror shows it: it is as bright as a diffuse one that reflects what
 * the material scatters of light from the camera's direction, to whichever side. */
static void test_materials_become_diffuse(void **state)
{
    (void)state;
    static const struct {
        const char *material;
        double albedo;
    } cases[] = {
        {"Material \"diffuse\" \"rgb reflectance\" [0.3 0.3 0.3]", 0.3},
        {"Material \"conductor\" \"rgb reflectance\" [0.5 0.5 0.5]", 0.5},
        {"Material \"thindielectric\"", 1.0},
        {"Material \"dielectric\"", 0.04 + 0.96 / (1.5 * 1.5)},
        {"Material \"subsurface\" \"rgb mfp\" [1 1 1]", 0.020059 + 0.979941 / (1.33 * 1.33)},
        {"Material \"diffusetransmission\" \"rgb reflectance\" [0.2 0.2 0.2] \"rgb transmittance\" [0.6 0.6 "
         "0.6]",
         0.8},
        {"MakeNamedMaterial \"a\" \"string type\" \"conductor\" \"rgb reflectance\" [0.5 0.5 0.5] "
         "MakeNamedMaterial \"b\" \"string type\" \"diffuse\" \"rgb reflectance\" [0.1 0.1 0.1] "
         "Material \"mix\" \"string materials\" [\"a\" \"b\"] \"float amount\" 0.25",
         0.4},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[2000];
        struct lb_loaded loaded;
        snprintf(
            text, sizeof text,
            "Option \"forcediffuse\" true LookAt 0 0 5  0 0 0  0 1 0 Camera \"perspective\" \"float fov\" 1\n"
            "Film \"rgb\" \"integer xresolution\" 8 \"integer yresolution\" 8\n"
            "Integrator \"volpath\" \"bool regularize\" true \"integer maxdepth\" 2 WorldBegin\n"
            "LightSource \"point\" \"rgb I\" [9 9 9] \"point3 from\" [0 0 3] %s Shape \"disk\"",
            cases[i].material);
        load_scene_text(text, &loaded);
        assert_int_equal(loaded.scene->any_volume, 0);
        double got = (double)mean_picture(loaded.scene, brute_path, 256).g * M_PI;
        if (!(fabs(got - cases[i].albedo) <= 0.005))
            fail_msg("%s: %g, not %g", cases[i].material, got, cases[i].albedo);
        lb_scene_free(&loaded);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_samples_in_the_centre),
        cmocka_unit_test(test_footprint_of_a_pixel),
        cmocka_unit_test(test_materials_become_diffuse),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
