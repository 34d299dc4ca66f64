/* Tests textures that are computed, mappings from space to the plane, and relief, by known values. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "core/kernel/tree/brute.h"
#include "core/kernel/camera/camera.h"
#include "core/kernel/materials/material.h"
#include "test/scene_text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define WORLD "Film \"rgb\" \"integer xresolution\" 100 \"integer yresolution\" 100 WorldBegin "
#define BALL  " Shape \"sphere\""

/* The reflectance of the scene's first own material at a place. */
static lb_rgb reflectance(const struct lb_loaded *loaded, lb_vec2 uv, lb_vec3 position, lb_vec3 normal)
{
    lb_texture_place place;
    place.uv = uv;
    place.position = position;
    place.normal = normal;
    place.footprint = NULL;
    const lb_shape *shape = LB_ARRAY(loaded->scene, shapes, lb_shape);
    const lb_material *material = LB_ARRAY(loaded->scene, materials, lb_material) + shape->material;
    return lb_texture_color(loaded->scene, &material->reflectance, &place);
}

static lb_rgb at_point(const char *texture, float x, float y, float z)
{
    struct lb_loaded loaded;
    char text[2000];
    snprintf(text, sizeof text, WORLD "%s Material \"diffuse\" \"texture reflectance\" \"t\"" BALL, texture);
    load_scene_text(text, &loaded);
    lb_rgb c =
        reflectance(&loaded, lb_vec2_make(x, y), lb_vec3_make(x, y, z), lb_vec3_make(0.0f, 0.6f, 0.8f));
    lb_scene_free(&loaded);
    return c;
}

static void assert_close(float got, double expected)
{
    if (!(fabs((double)got - expected) < 2e-6))
        fail_msg("%.8g, not %.8g", (double)got, expected);
}

/* Noise itself, through a sum of one octave; the value is the published one of Perlin's reference implementation. */
static void test_noise(void **state)
{
    (void)state;
    const char *one = "Texture \"n\" \"float\" \"fbm\" \"integer octaves\" 1 "
                      "Texture \"t\" \"spectrum\" \"mix\" \"rgb tex1\" [0 0 0] \"rgb tex2\" [1 1 1] "
                      "\"texture amount\" \"n\"";
    /* The one octave, and the next, which begins to come in, with weight 0. */
    assert_close(at_point(one, 3.14f, 42.0f, 7.0f).r, 0.13691995878400012);
    assert_close(at_point(one, 5.0f, -3.0f, 1e9f).r, 0.0);
    const char *folded = "Texture \"n\" \"float\" \"wrinkled\" \"integer octaves\" 1 "
                         "Texture \"t\" \"spectrum\" \"mix\" \"rgb tex1\" [0 0 0] \"rgb tex2\" [1 1 1] "
                         "\"texture amount\" \"n\"";
    /* Half a weight of 0.2 stands for the octave that is not shown. */
    assert_close(at_point(folded, 3.14f, 42.0f, 7.0f).r, 0.13691995878400012 + 0.5 * 0.2);
    for (int i = 0; i < 1000; i++) {
        float x = (float)i * 0.737f - 300.0f;
        assert_true(fabsf(at_point(one, x, 0.3f * x, -x).r) <= 1.0f);
        i += 49;
    }
}

/* Detail that pixels cannot show is left out: far apart, all of it. */
static void test_noise_footprint(void **state)
{
    (void)state;
    lb_footprint footprint;
    footprint.dpdy = lb_vec3_make(0.0f, 0.0f, 0.0f);
    for (int i = 0; i <= 10; i++) {
        footprint.dpdx = lb_vec3_make(0.0f, ldexpf(1.0f, -i), 0.0f);
        assert_true(fabsf(lb_noise_octaves(&footprint, 6) - lb_clamp((float)i - 1.0f, 0.0f, 6.0f)) < 1e-5f);
    }
    footprint.dpdx = lb_vec3_make(0.0f, 0.0f, 0.0f);
    assert_true(lb_noise_octaves(&footprint, 6) == 6.0f);
}

static void test_mappings(void **state)
{
    (void)state;
    static const char *const corners =
        "\"rgb v00\" [0 0 0] \"rgb v10\" [1 0 0] \"rgb v01\" [0 1 0] \"rgb v11\" [1 1 0]";
    static const struct {
        const char *mapping;
        float x, y, z;
        double s, t;
    } cases[] = {
        {"\"float uscale\" 0.5 \"float vdelta\" 0.25", 0.5f, 0.5f, 9.0f, 0.25, 0.75},
        {"\"string mapping\" \"spherical\"", 0.0f, 2.0f, 0.0f, 0.5, 0.25},
        {"\"string mapping\" \"spherical\"", 1.0f, 0.0f, 1.0f, 0.25, 0.0},
        {"\"string mapping\" \"spherical\"", 0.0f, -3.0f, 0.0f, 0.5, 0.75},
        {"\"string mapping\" \"cylindrical\"", 0.0f, 2.0f, 0.3f, 0.75, 0.3},
        {"\"string mapping\" \"cylindrical\"", 2.0f, 0.0f, 0.8f, 0.5, 0.8},
        {"\"string mapping\" \"planar\" \"vector3 v1\" [0 0 2] \"vector3 v2\" [0.5 0 0] \"float udelta\" 0.1",
         1.0f, 5.0f, 0.2f, 0.5, 0.5},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[1000];
        snprintf(text, sizeof text, "Texture \"t\" \"spectrum\" \"bilerp\" %s %s", corners, cases[i].mapping);
        lb_rgb c = at_point(text, cases[i].x, cases[i].y, cases[i].z);
        assert_close(c.r, cases[i].s);
        assert_close(c.g, cases[i].t);
    }
    /* In the space of the transformation at the Texture directive. */
    lb_rgb c = at_point(
        "AttributeBegin Scale 2 2 2 Rotate 90 0 0 1 Texture \"t\" \"spectrum\" \"bilerp\" \"rgb v00\" "
        "[0 0 0] \"rgb v10\" [1 0 0] \"rgb v01\" [0 1 0] \"rgb v11\" [1 1 0] \"string mapping\" "
        "\"planar\" AttributeEnd",
        -1.0f, 0.5f, 0.0f);
    assert_close(c.r, 0.25);
    assert_close(c.g, 0.5);
}

/* By the cosine between normal and direction. */
static void test_direction_mix(void **state)
{
    (void)state;
    const char *text =
        "Texture \"t\" \"spectrum\" \"directionmix\" \"rgb tex1\" [1 0 0] \"rgb tex2\" [0 1 0] ";
    lb_rgb c = at_point(text, 0.0f, 0.0f, 0.0f);
    assert_close(c.r, 0.6);
    assert_close(c.g, 0.4);
    c = at_point(
        "AttributeBegin Rotate -90 1 0 0 Texture \"t\" \"spectrum\" \"directionmix\" \"rgb tex1\" [1 0 0] "
        "\"rgb tex2\" [0 1 0] AttributeEnd",
        0.0f, 0.0f, 0.0f);
    assert_close(c.r, 0.8);
}

/* Some two in five of the cells have a dot, of radius 0.35 (its colour is "outside", as in pbrt). */
static void test_dots(void **state)
{
    (void)state;
    struct lb_loaded loaded;
    load_scene_text(WORLD
                    "Texture \"t\" \"spectrum\" \"dots\" \"rgb inside\" [0 0 0] \"rgb outside\" [1 1 1] "
                    "Material \"diffuse\" \"texture reflectance\" \"t\"" BALL,
                    &loaded);
    int on = 0, all = 0;
    for (int y = 0; y < 400; y++)
        for (int x = 0; x < 400; x++, all++) {
            lb_vec2 uv = lb_vec2_make((float)x * 0.073f, (float)y * 0.073f);
            on += reflectance(&loaded, uv, lb_vec3_make(0, 0, 0), lb_vec3_make(0, 0, 1)).r > 0.5f;
        }
    lb_scene_free(&loaded);
    double part = (double)on / all, expected = 0.4 * M_PI * 0.35 * 0.35;
    if (!(part > 0.8 * expected && part < 1.2 * expected))
        fail_msg("%g, not %g", part, expected);
}

static void test_marble(void **state)
{
    (void)state;
    lb_rgb c =
        at_point("Texture \"t\" \"spectrum\" \"marble\" \"float variation\" 0", 0.3f, -1.57079633f, 9.0f);
    assert_close(c.r, 1.5 * 0.58); /* the beginning of the row of colours */
    assert_close(c.b, 1.5 * 0.6);
}

/* ---- relief ---- */

/* The shading normal where the camera's middle ray hits. */
static lb_vec3 turned_normal(const char *scene)
{
    struct lb_loaded loaded;
    char text[2000];
    snprintf(text, sizeof text, "LookAt 0 0 5  0 0 0  0 1 0 Camera \"perspective\" " WORLD "%s", scene);
    load_scene_text(text, &loaded);
    lb_ray ray = lb_camera_ray(loaded.scene, lb_vec2_make(50.0f, 50.0f), lb_vec2_make(0.5f, 0.5f));
    lb_hit hit;
    lb_surface surface;
    lb_bsdf bsdf;
    assert_true(lb_brute_closest(loaded.scene, &ray, &hit));
    const lb_shape *shape = LB_ARRAY(loaded.scene, shapes, lb_shape) + hit.primitive.shape;
    lb_surface_make(loaded.scene, shape, &ray, &hit, &surface);
    assert_true(lb_bsdf_make(loaded.scene, shape, &surface, &ray, &hit, NULL, &bsdf));
    lb_scene_free(&loaded);
    return bsdf.n;
}

#define SQUARE                                                                                               \
    " Shape \"trianglemesh\" \"integer indices\" [0 1 2 0 2 3] \"point3 P\" [-2 -2 0 2 -2 0 2 2 0 -2 2 0] "  \
    "\"point2 uv\" [0 0 1 0 1 1 0 1]"
/* A height that grows by so much along u, and by so much along v at u = 0. */
#define RAMP(along_u, along_v)                                                                               \
    "Texture \"h\" \"float\" \"bilerp\" \"float v00\" 0 \"float v10\" " along_u " \"float v01\" " along_v    \
    " \"float v11\" " along_u " Material \"diffuse\" \"texture displacement\" \"h\" "

static void assert_direction(lb_vec3 got, double x, double y, double z)
{
    double length = sqrt(x * x + y * y + z * z);
    if (!(fabs((double)got.x - x / length) < 1e-3 && fabs((double)got.y - y / length) < 1e-3 &&
          fabs((double)got.z - z / length) < 1e-3))
        fail_msg("(%g, %g, %g), not along (%g, %g, %g)", (double)got.x, (double)got.y, (double)got.z, x, y,
                 z);
}

/* A ramp of slope 1 over the 4 units of a square tilts its normal as the slope says, whatever side is seen. */
static void test_bump(void **state)
{
    (void)state;
    assert_direction(turned_normal(RAMP("4", "0") SQUARE), -1.0, 0.0, 1.0);
    assert_direction(turned_normal("ReverseOrientation " RAMP("4", "0") SQUARE), -1.0, 0.0, -1.0);
    /* Twice as large, half as steep. */
    assert_direction(turned_normal(RAMP("4", "0") "Scale 2 2 1 " SQUARE), -0.5, 0.0, 1.0);
    assert_direction(turned_normal(RAMP("4", "0") "ObjectBegin \"o\"" SQUARE " ObjectEnd Rotate 90 0 0 1 "
                                                  "ObjectInstance \"o\""),
                     0.0, -1.0, 1.0);
    /* A constant height turns nothing. */
    assert_direction(turned_normal("Material \"conductor\" \"float displacement\" 3 " SQUARE), 0.0, 0.0, 1.0);
    /* A texture in space, which no uv are needed for. */
    assert_direction(
        turned_normal("Texture \"h\" \"float\" \"bilerp\" \"float v01\" 0 \"float v10\" 1 \"string "
                      "mapping\" \"planar\" Material \"diffuse\" \"texture displacement\" \"h\" "
                      "Shape \"disk\" \"float radius\" 2"),
        -1.0, 0.0, 1.0);
}

/* A normal map of one texel says its normal in the frame of u, v and the surface's normal. */
static void test_normal_map(void **state)
{
    (void)state;
    char path[] = "/tmp/lbrender-normal-XXXXXX.pfm", scene[1000];
    const float texel[3] = {0.5f + 0.5f * 0.6f, 0.5f, 0.5f + 0.5f * 0.8f};
    int file = mkstemps(path, 4);
    assert_true(file >= 0);
    assert_int_equal(write(file, "PF\n1 1\n-1\n", 10), 10);
    assert_int_equal(write(file, texel, sizeof texel), sizeof texel);
    close(file);
    snprintf(scene, sizeof scene, "Material \"dielectric\" \"string normalmap\" \"%s\" " SQUARE, path);
    assert_direction(turned_normal(scene), 0.6, 0.0, 0.8);
    /* It goes before a displacement, and turns with the surface. */
    snprintf(
        scene, sizeof scene,
        "Material \"diffuse\" \"string normalmap\" \"%s\" \"float displacement\" 1 Rotate 90 0 0 1 " SQUARE,
        path);
    assert_direction(turned_normal(scene), 0.0, 0.6, 0.8);
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_noise),    cmocka_unit_test(test_noise_footprint),
        cmocka_unit_test(test_mappings), cmocka_unit_test(test_direction_mix),
        cmocka_unit_test(test_dots),     cmocka_unit_test(test_marble),
        cmocka_unit_test(test_bump),     cmocka_unit_test(test_normal_map),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
