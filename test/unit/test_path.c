/* The path tracer on small scenes whose radiance is known, and cameras, surfaces and textures by their properties. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "test/unit/mean_picture.h"

#include <math.h>
#include <stdio.h>

#include "core/kernel/integrators/path.h"
#include "core/kernel/tree/brute.h"

/* An 8 x 8 picture, seen from (0, 0, 5) towards the origin. */
#define VIEW(integrator)                                                                                     \
    "LookAt 0 0 5  0 0 0  0 1 0 Camera \"perspective\" \"float fov\" 4\n"                                    \
    "Film \"rgb\" \"integer xresolution\" 8 \"integer yresolution\" 8\n" integrator "\nWorldBegin\n"

/* Its mean. */
static lb_rgb picture_mean(const char *text, uint32_t samples)
{
    struct lb_loaded loaded;
    load_scene_text(text, &loaded);
    lb_rgb mean = mean_picture(loaded.scene, brute_path, samples);
    lb_scene_free(&loaded);
    return mean;
}

static void assert_near(float got, double expected, double slack)
{
    if (!(fabs((double)got - expected) <= slack * expected))
        fail_msg("%g, not %g", (double)got, expected);
}

/* A white plane under a point light, seen at its foot. */
static void test_point_light(void **state)
{
    (void)state;
    lb_rgb c =
        picture_mean(VIEW("Integrator \"path\" \"integer maxdepth\" 1") "LightSource \"point\" \"rgb I\" [9 "
                                                                        "6 3] \"point3 from\" [0 0 3]\n"
                                                                        "Material \"diffuse\" \"rgb "
                                                                        "reflectance\" [1 0.5 1]\n"
                                                                        "Shape \"disk\" \"float radius\" 3",
                     4);
    assert_near(c.r, 1.0 / M_PI, 6e-3);
    assert_near(c.g, 0.5 * 6.0 / 9.0 / M_PI, 6e-3);
    assert_near(c.b, 3.0 / 9.0 / M_PI, 6e-3);
}

/* A disk of radius r at height h over a point sends r^2 / (r^2 + h^2) of its radiance, as irradiance / pi; whether
 * light sampling, scattering or both find it. */
static void test_disk_light(void **state)
{
    (void)state;
    static const char *const materials[] = {
        "Material \"diffuse\" \"rgb reflectance\" [1 1 1]",
        "Material \"coateddiffuse\" \"rgb reflectance\" [0 0 0] \"float eta\" 1.0001 \"float roughness\" 0"};
    static const double expected[] = {0.5, 0.0};
    for (int i = 0; i < 2; i++) {
        char text[2000];
        snprintf(text, sizeof text,
                 VIEW("Integrator \"path\" \"integer maxdepth\" 1") "%s\n Shape \"disk\" \"float radius\" 3\n"
                                                                    "AttributeBegin Translate 0 0 2 "
                                                                    "ReverseOrientation Material \"diffuse\" "
                                                                    "\"rgb reflectance\" [0 0 0]\n"
                                                                    "AreaLightSource \"diffuse\" \"rgb L\" "
                                                                    "[1 1 1] Shape \"disk\" \"float radius\" "
                                                                    "2 \"float innerradius\" "
                                                                    "0.2 AttributeEnd\n",
                 materials[i]);
        /* The hole in the middle, through which the camera looks, takes its part. */
        double hole = 0.04 / 4.04;
        assert_true(fabs((double)picture_mean(text, 64).g - (expected[i] - (i ? 0 : hole))) < 0.01);
    }
}

/* An emitter seen through half-transparent alpha shows a quarter; one of alpha 0 is not seen but gives light (pbrt). */
static void test_emitter_alpha(void **state)
{
    (void)state;
    static const double seen[] = {1.0, 0.25, 0.0}, lit[] = {0.5, -1.0, 0.5};
    static const char *const alpha[] = {"1", "0.5", "0"};
    for (int i = 0; i < 3; i++) {
        char text[2000];
        snprintf(text, sizeof text,
                 VIEW("") "AreaLightSource \"diffuse\" \"rgb L\" [1 1 1] Shape \"disk\" \"float alpha\" %s "
                          "\"float radius\" 2",
                 alpha[i]);
        assert_true(fabs((double)picture_mean(text, 64).g - seen[i]) < 0.01);
        if (lit[i] < 0.0)
            continue;
        snprintf(
            text, sizeof text,
            VIEW("") "Material \"diffuse\" \"rgb reflectance\" [1 1 1] Shape \"disk\" \"float radius\" 0.3\n"
                     "Material \"diffuse\" \"rgb reflectance\" [0 0 0] Translate 0 0 6 ReverseOrientation\n"
                     "AreaLightSource \"diffuse\" \"rgb L\" [1 1 1] Shape \"disk\" \"float alpha\" %s "
                     "\"float radius\" 6",
            alpha[i]);
        assert_true(fabs((double)picture_mean(text, 64).g - lit[i]) < 0.01);
    }
}

/* What lies behind shapes of alpha 0.4 in a sky of radiance 1: each surface lets 0.6 of the rays pass, independently of
 * the others, whether it is the other wall of a shape, another use of an object, or stands still or not. */
static void test_alpha_of_every_surface(void **state)
{
    (void)state;
#define SHEER "\"float alpha\" 0.4 "
    static const struct {
        const char *scene;
        int surfaces;
    } cases[] = {
        {"Shape \"disk\" " SHEER, 1},
        {"Shape \"sphere\" " SHEER, 2},
        {"Rotate 90 1 0 0 Shape \"cylinder\" " SHEER, 2},
        {"Shape \"sphere\" \"float zmin\" -0.9 \"float radius\" 2 " SHEER, 1},
        {"Shape \"sphere\" " SHEER "Shape \"sphere\" \"float radius\" 0.5 " SHEER, 4},
        {"ObjectBegin \"o\" Shape \"disk\" " SHEER "ObjectEnd ObjectInstance \"o\" Translate 0 0 -1 "
         "ObjectInstance \"o\"",
         2},
        {"ObjectBegin \"o\" Shape \"sphere\" " SHEER "ObjectEnd ObjectInstance \"o\" Translate 0 0 -3 "
         "ObjectInstance \"o\"",
         4},
        {"ObjectBegin \"o\" Shape \"trianglemesh\" " SHEER "\"integer indices\" [0 1 2] \"point3 P\" "
         "[-9 -9 0 9 -9 0 0 9 0] ObjectEnd ObjectInstance \"o\" Translate 0 0 -1 ObjectInstance \"o\"",
         2},
        {"ActiveTransform EndTime Translate 0.1 0 0 ActiveTransform All Shape \"sphere\" " SHEER, 2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[2000];
        snprintf(text, sizeof text,
                 VIEW("Integrator \"path\" \"integer maxdepth\" 1") "LightSource \"infinite\" \"rgb L\" [1 "
                                                                    "1 1] Material \"diffuse\" \"rgb "
                                                                    "reflectance\" [0 0 0]\n%s",
                 cases[i].scene);
        double passes = (double)picture_mean(text, 1024).g, expected = pow(0.6, cases[i].surfaces);
        if (!(fabs(passes - expected) < 0.012))
            fail_msg("%s: %g passes, not %g", cases[i].scene, passes, expected);
    }
    /* A shadow ray meets both walls too. */
    const char *shaded = VIEW(
        "Integrator \"path\" \"integer maxdepth\" 1") "LightSource \"distant\" \"rgb L\" [1 1 1] \"point3 "
                                                      "from\" [0 1 0] \"point3 to\" [0 0 0]\n"
                                                      "Material \"diffuse\" \"rgb reflectance\" [1 1 1]\n"
                                                      "Rotate -45 1 0 0 Shape \"disk\" Rotate 45 1 0 0\n"
                                                      "Translate 0 3 0 Shape \"sphere\" " SHEER;
    assert_near(picture_mean(shaded, 1024).g, 0.36 * sqrt(0.5) / M_PI, 0.03);
    /* An emitter's inner side is seen through its outer one. As in pbrt alpha also weighs what it sends. */
    const char *shining = VIEW(
        "Integrator \"path\" \"integer maxdepth\" 0") "AreaLightSource \"diffuse\" \"rgb L\" [1 1 1] \"bool "
                                                      "twosided\" true Shape \"sphere\" " SHEER;
    assert_near(picture_mean(shining, 1024).g, 0.4 * 0.4 * (1.0 + 0.6), 0.04);
}

/* Beer's law along the chord of a ball, behind an interface and in glass of index 1; nothing under `path`. */
static void test_absorption(void **state)
{
    (void)state;
    static const char *const materials[] = {"\"interface\"", "\"dielectric\" \"float eta\" 1",
                                            "\"interface\""};
    for (int i = 0; i < 3; i++) {
        char text[2000];
        snprintf(text, sizeof text,
                 "LookAt 0 0 5  0 0 0  0 1 0 Camera \"perspective\" \"float fov\" 0.5\n"
                 "Film \"rgb\" \"integer xresolution\" 8 \"integer yresolution\" 8\n"
                 "Integrator \"%s\" \"integer maxdepth\" 5\nWorldBegin\n"
                 "LightSource \"infinite\" \"rgb L\" [1 1 1]\n"
                 "MakeNamedMedium \"m\" \"string type\" \"homogeneous\" \"rgb sigma_a\" [0.5 1 0] \"rgb "
                 "sigma_s\" [0 0 0]\n"
                 "MediumInterface \"m\" \"\" Material %s Shape \"sphere\" \"float radius\" 0.75",
                 i < 2 ? "volpath" : "path", materials[i]);
        lb_rgb c = picture_mean(text, 4);
        assert_near(c.r, i < 2 ? exp(-0.75) : 1.0, 6e-3);
        assert_near(c.g, i < 2 ? exp(-1.5) : 1.0, 6e-3);
        assert_near(c.b, 1.0, 6e-3);
    }
}

/* Light sampling passes interfaces, and each medium on the way takes its part. */
static void test_light_through_interfaces(void **state)
{
    (void)state;
    lb_rgb c = picture_mean(
        VIEW("Integrator \"volpath\" \"integer maxdepth\" 1") "LightSource \"point\" \"rgb I\" [9 9 9] "
                                                              "\"point3 from\" [3 0 0]\n"
                                                              "MakeNamedMedium \"m\" \"string type\" "
                                                              "\"homogeneous\" \"rgb sigma_a\" [1 0.5 0] "
                                                              "\"rgb sigma_s\" [0 0 0]\n"
                                                              "AttributeBegin Rotate 45 0 1 0 Material "
                                                              "\"diffuse\" \"rgb reflectance\" [1 1 1]\n"
                                                              "Shape \"disk\" \"float radius\" 0.5 "
                                                              "AttributeEnd\n"
                                                              "AttributeBegin Translate 1.5 0 0 "
                                                              "MediumInterface \"m\" \"\" Material "
                                                              "\"interface\"\n"
                                                              "Shape \"sphere\" \"float radius\" 0.5 "
                                                              "AttributeEnd\n",
        4);
    double clear = cos(M_PI / 4.0) / M_PI;
    assert_near(c.b, clear, 0.02);
    assert_near(c.g / c.b, exp(-0.5), 0.02);
    assert_near(c.r / c.b, exp(-1.0), 0.02);
}

/* Depth: emission alone, then with direct light, then with one bounce between two parallel planes. */
static void test_depth(void **state)
{
    (void)state;
    for (int depth = 0; depth <= 3; depth++) {
        char text[2000];
        /* Inside a sphere that glows with 1 and reflects half. */
        snprintf(
            text, sizeof text,
            "Camera \"perspective\" \"float fov\" 60 Film \"rgb\" \"integer xresolution\" 8 \"integer "
            "yresolution\" "
            "8\n Integrator \"path\" \"integer maxdepth\" %d\nWorldBegin AreaLightSource \"diffuse\" \"rgb "
            "L\" [1 1 "
            "1]\n Material \"diffuse\" \"rgb reflectance\" [0.5 0.5 0.5] ReverseOrientation Shape \"sphere\" "
            "\"float radius\" 2",
            depth);
        assert_near(picture_mean(text, 64).g, 2.0 - pow(0.5, depth), 0.01);
    }
}

/* Under a sky that is 1 everywhere a rough glass ball shows 1 but for what its facets' shadows take. */
static void test_rough_glass_furnace(void **state)
{
    (void)state;
    lb_rgb c = picture_mean(
        VIEW("Integrator \"path\" \"integer maxdepth\" 100") "LightSource \"infinite\" \"rgb L\" [1 1 1]\n"
                                                             "Material \"dielectric\" \"float roughness\" "
                                                             "0.05 \"bool remaproughness\" false\n"
                                                             "Shape \"sphere\" \"float radius\" 1",
        64);
    assert_near(c.g, 1.0, 0.02);
}

/* Under a sky that is 1 everywhere: sheets that pass or send back all light, metals that reflect all under a clear
 * coat, and mixes, which show as much of each material as they say, however they nest. */
static void test_furnace_of_other_materials(void **state)
{
    (void)state;
    static const struct {
        const char *material;
        double expected, slack;
    } cases[] = {
        {"Material \"diffusetransmission\" \"rgb reflectance\" [0.3 0.3 0.3] \"rgb transmittance\" [0.7 0.7 "
         "0.7]",
         1.0, 0.01},
        {"Material \"diffusetransmission\" \"rgb reflectance\" [0.4 0.4 0.4] \"rgb transmittance\" [0.4 0.4 "
         "0.4] "
         "\"float scale\" 0.5",
         0.4, 0.01},
        {"Material \"coatedconductor\" \"rgb reflectance\" [0.9999 0.9999 0.9999] \"float thickness\" 0 "
         "\"integer maxdepth\" 100",
         1.0, 0.01},
        {"Material \"coatedconductor\" \"rgb reflectance\" [0.9999 0.9999 0.9999] \"rgb albedo\" [1 1 1] "
         "\"float thickness\" 0.2 \"integer maxdepth\" 1000 \"float conductor.roughness\" 0.01 \"bool "
         "remaproughness\" false",
         1.0, 0.03},
        {"MakeNamedMaterial \"m\" \"string type\" \"mix\" \"string materials\" [\"n\" \"w\"] \"float "
         "amount\" 0.4 "
         "MakeNamedMaterial \"n\" \"string type\" \"mix\" \"string materials\" [\"w\" \"b\"] \"float "
         "amount\" 0.75 "
         "MakeNamedMaterial \"w\" \"string type\" \"diffuse\" \"rgb reflectance\" [1 1 1] "
         "MakeNamedMaterial \"b\" \"string type\" \"diffuse\" \"rgb reflectance\" [0 0 0] NamedMaterial "
         "\"m\"",
         0.4 + 0.6 * 0.25, 0.03},
        {"MakeNamedMaterial \"w\" \"string type\" \"diffuse\" \"rgb reflectance\" [1 1 1] Attribute "
         "\"material\" "
         "\"string materials\" [\"w\" \"w\"] Material \"mix\"",
         1.0, 0.01},
        {"Material \"diffuse\" \"rgb reflectance\" [1 1 1] \"float displacement\" 1", 1.0, 0.01},
        {"Material \"metallicroughness\" \"float roughness\" 0", 1.0, 0.01},
        {"Material \"metallicroughness\" \"float metallic\" 0 \"float roughness\" 0.4", 1.0, 0.01},
        {"Material \"metallicroughness\" \"float metallic\" 0 \"float roughness\" 0 \"float transmission\" 1",
         1.0, 0.01},
        {"Material \"metallicroughness\" \"float metallic\" 0 \"rgb basecolor\" [0.5 0.5 0.5] \"float "
         "specular\" 0",
         0.5, 0.01},
        {"Material \"hair\" \"rgb sigma_a\" [0 0 0]", 1.0, 0.02},
        {"Material \"hair\" \"rgb sigma_a\" [0 0 0] \"float beta_m\" 0.8 \"float beta_n\" 0.1", 1.0, 0.02},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[3000];
        snprintf(
            text, sizeof text,
            VIEW("Integrator \"path\" \"integer maxdepth\" 100") "LightSource \"infinite\" \"rgb L\" [1 1 "
                                                                 "1]\n%s Shape \"disk\"",
            cases[i].material);
        assert_near(picture_mean(text, 128).g, cases[i].expected, cases[i].slack);
    }
}

/* The same picture of a sample whatever was rendered before: a function of scene, pixel and sample. */
static void test_is_a_function(void **state)
{
    (void)state;
    struct lb_loaded loaded;
    lb_counters counters;
    lb_rgb first[64], again;
    lb_filter_place place;
    memset(&counters, 0, sizeof counters);
    load_scene_text(
        VIEW("Integrator \"path\" \"integer maxdepth\" 5") "LightSource \"infinite\" \"rgb L\" [1 1 "
                                                           "1]\nLightSource \"point\"\n"
                                                           "Material \"coateddiffuse\" \"float roughness\" "
                                                           "0.2 \"float vroughness\" 0.1\n"
                                                           "Shape \"sphere\" \"float radius\" 1 Translate "
                                                           "0.1 0.2 0 Shape \"sphere\" \"float radius\" 1",
        &loaded);
    for (uint32_t i = 0; i < 64; i++)
        first[i] = brute_path(loaded.scene, i % 8, i / 8, 3, &place, NULL, &counters);
    for (uint32_t i = 64; i-- > 0;) {
        again = brute_path(loaded.scene, i % 8, i / 8, 3, &place, NULL, &counters);
        assert_memory_equal(&again, &first[i], sizeof again);
    }
    lb_scene_free(&loaded);
}

/* ---- the camera ---- */

static void test_camera(void **state)
{
    (void)state;
    struct lb_loaded loaded;
    lb_random random;
    load_scene_text("LookAt 1 2 3  4 6 3  0 0 1 Camera \"perspective\" \"float fov\" 90 \"float lensradius\" "
                    "0.25 \"float "
                    "focaldistance\" 10\n"
                    "Film \"rgb\" \"integer xresolution\" 200 \"integer yresolution\" 100 WorldBegin",
                    &loaded);
    lb_random_start(&random, 1);
    lb_vec2 middle = lb_vec2_make(0.5f, 0.5f);
    lb_ray ray = lb_camera_ray(loaded.scene, lb_vec2_make(100, 50), middle);
    assert_float_equal(ray.origin.x, 1.0f, 1e-5f);
    assert_float_equal(ray.direction.x, 0.6f, 1e-5f);
    assert_float_equal(ray.direction.y, 0.8f, 1e-5f);
    /* The shorter side spans the field of view; the top is up, +x is at the left of a look down -z. */
    ray = lb_camera_ray(loaded.scene, lb_vec2_make(100, 0), middle);
    assert_float_equal(ray.direction.z, sqrtf(0.5f), 1e-5f);
    ray = lb_camera_ray(loaded.scene, lb_vec2_make(200, 50), middle);
    lb_vec3 right = lb_cross(lb_vec3_make(0, 0, 1), lb_vec3_make(0.6f, 0.8f, 0));
    assert_true(lb_dot(ray.direction, right) > 0.85f);
    for (int i = 0; i < 1000; i++) {
        /* All rays of a film point meet in the plane of focus, and start on the lens. */
        lb_vec2 film = lb_vec2_make(200 * lb_random_1d(&random), 100 * lb_random_1d(&random)), u;
        u.x = lb_random_1d(&random);
        u.y = lb_random_1d(&random);
        lb_ray straight = lb_camera_ray(loaded.scene, film, middle),
               bent = lb_camera_ray(loaded.scene, film, u);
        lb_vec3 axis = lb_vec3_make(0.6f, 0.8f, 0);
        lb_vec3 a =
            lb_add_scaled(straight.origin, straight.direction, 10.0f / lb_dot(straight.direction, axis));
        lb_vec3 b = lb_add_scaled(bent.origin, bent.direction, 10.0f / lb_dot(bent.direction, axis));
        assert_true(lb_length(lb_sub(a, b)) < 1e-4f);
        assert_true(lb_length(lb_sub(bent.origin, straight.origin)) <= 0.25f + 1e-5f);
    }
    lb_scene_free(&loaded);
}

static void assert_direction(const lb_ray *ray, float x, float y, float z)
{
    assert_float_equal(ray->direction.x, x, 1e-5f);
    assert_float_equal(ray->direction.y, y, 1e-5f);
    assert_float_equal(ray->direction.z, z, 1e-5f);
}

/* Parallel rays, a unit apart for a unit of the screen; with a lens (pbrt) from around the camera's place to where
 * those would be in focus. */
static void test_orthographic(void **state)
{
    (void)state;
    static const char *const lenses[] = {"", "\"float lensradius\" 0.25 \"float focaldistance\" 10"};
    lb_vec2 middle = lb_vec2_make(0.5f, 0.5f), edge = lb_vec2_make(1.0f - 0x1p-20f, 0.5f);
    for (int i = 0; i < 2; i++) {
        struct lb_loaded loaded;
        char text[400];
        snprintf(
            text, sizeof text,
            "LookAt 1 2 3  1 2 9  0 1 0 Film \"rgb\" \"integer xresolution\" 200 \"integer yresolution\" 100 "
            "Camera \"orthographic\" \"float screenwindow\" [ -4 4 -2 2 ] %s WorldBegin",
            lenses[i]);
        load_scene_text(text, &loaded);
        lb_ray ray = lb_camera_ray(loaded.scene, lb_vec2_make(150, 0), i ? edge : middle);
        lb_vec3 focus = lb_add_scaled(ray.origin, ray.direction, 10.0f / ray.direction.z);
        assert_float_equal(focus.x, 3.0f, 1e-4f);
        assert_float_equal(focus.y, 4.0f, 1e-4f);
        if (i == 0)
            assert_direction(&ray, 0.0f, 0.0f, 1.0f);
        else
            assert_float_equal(ray.origin.x, 1.25f, 1e-4f);
        lb_scene_free(&loaded);
    }
}

/* Where the middle, the top and the quarters of a picture of all directions look. */
static void test_spherical(void **state)
{
    (void)state;
    static const char *const mappings[] = {"equirectangular", "equalarea"};
    lb_vec2 middle = lb_vec2_make(0.5f, 0.5f);
    for (int i = 0; i < 2; i++) {
        struct lb_loaded loaded;
        char text[400];
        snprintf(text, sizeof text,
                 "Film \"rgb\" \"integer xresolution\" 100 \"integer yresolution\" 100 "
                 "Camera \"spherical\" \"string mapping\" \"%s\" \"float lensradius\" 1 WorldBegin",
                 mappings[i]);
        load_scene_text(text, &loaded);
        lb_ray center = lb_camera_ray(loaded.scene, lb_vec2_make(50, 50), middle);
        lb_ray top = lb_camera_ray(loaded.scene, lb_vec2_make(50, 0), middle);
        lb_ray beyond = lb_camera_ray(loaded.scene, lb_vec2_make(101, 30), middle);
        lb_ray within = lb_camera_ray(loaded.scene, i ? lb_vec2_make(99, 70) : lb_vec2_make(1, 30), middle);
        assert_float_equal(center.origin.x, 0.0f, 0.0f);
        if (i == 0) {
            assert_direction(&center, -1.0f, 0.0f, 0.0f);
            assert_direction(&top, 0.0f, 1.0f, 0.0f);
        } else {
            assert_direction(&center, 0.0f, 1.0f, 0.0f);
            assert_direction(&top, 0.0f, 0.0f, -1.0f);
        }
        assert_direction(&beyond, within.direction.x, within.direction.y, within.direction.z);
        assert_float_equal(lb_length(within.direction), 1.0f, 1e-5f);
        lb_scene_free(&loaded);
    }
}

/* ---- surfaces ---- */

/* A ray that leaves a surface does not meet it again from the side it leaves to: planes, balls, instances, large and
 * far away. */
static void test_rays_leave(void **state)
{
    (void)state;
    static const char *const shapes[] = {
        "Shape \"sphere\" \"float radius\" 1",
        "Scale 1000 1000 1000 Shape \"sphere\" \"float radius\" 1",
        "Translate 5000 -3000 100 Scale 1 2 0.5 Shape \"sphere\" \"float radius\" 1",
        "Shape \"disk\" \"float radius\" 1",
        "Scale 100 100 100 Rotate 20 1 2 3 Shape \"disk\" \"float radius\" 1",
        "Rotate 20 1 2 3 Shape \"trianglemesh\" \"point3 P\" [-100 -100 0 100 -100 0  0 100 0]",
        "Shape \"trianglemesh\" \"point3 P\" [-1e6 -1e6 0 1e6 -1e6 0  0 1e6 0]",
        "ObjectBegin \"o\" Shape \"trianglemesh\" \"point3 P\" [-1 -1 0 1 -1 0  0 1 0] ObjectEnd Translate "
        "1e4 1e3 7 "
        "Rotate 33 3 2 1 Scale 30 20 10 ObjectInstance \"o\"",
        "Translate 5000 -3000 100 Scale 1 2 0.5 Rotate 20 1 2 3 Shape \"cylinder\" \"float zmax\" 3",
        "Scale 1000 1000 1000 Shape \"cylinder\" \"float radius\" 0.3",
        ("ObjectBegin \"o\" Scale 3 3 3 Shape \"sphere\" \"float radius\" 1 ObjectEnd Translate 1e4 1e3 7 "
         "Rotate 33 3 2 1 Scale 30 20 10 ObjectInstance \"o\""),
    };
    lb_random random;
    lb_random_start(&random, 2);
    for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++) {
        struct lb_loaded loaded;
        char text[1000];
        int hits = 0;
        snprintf(text, sizeof text, "Camera \"perspective\" WorldBegin %s", shapes[s]);
        load_scene_text(text, &loaded);
        const lb_scene *scene = loaded.scene;
        for (int i = 0; i < 20000; i++) {
            lb_hit hit, again;
            lb_surface surface;
            lb_vec2 u = lb_random_2d(&random), v = lb_random_2d(&random);
            lb_vec3 center = scene->center,
                    to = lb_add_scaled(center, lb_sample_sphere(u), 0.7f * scene->radius);
            lb_ray ray = {.origin = lb_add_scaled(center, lb_sample_sphere(v), 3.0f * scene->radius),
                          .t_max = LB_INFINITY};
            ray.direction = lb_normalize(lb_sub(to, ray.origin));
            if (!lb_brute_closest(scene, &ray, &hit))
                continue;
            hits++;
            const lb_shape *shape = LB_ARRAY(scene, shapes, lb_shape) + hit.primitive.shape;
            lb_surface_make(scene, shape, &ray, &hit, &surface);
            assert_float_equal(lb_length(surface.ng), 1.0f, 1e-5f);
            lb_vec3 out = lb_sample_sphere(lb_random_2d(&random));
            /* To the outside of what is round; to any side of what is flat. */
            bool ball = shape->kind == LB_SHAPE_SPHERE || shape->kind == LB_SHAPE_CYLINDER;
            if (ball)
                out = lb_face_forward(out, surface.ng);
            lb_surface_leave(shape, &surface, &hit, out, &ray);
            ray.t_max = LB_INFINITY;
            if (lb_brute_closest(scene, &ray, &again))
                fail_msg("%s: met again at %g", shapes[s], (double)again.t);
        }
        assert_true(hits > 500);
        lb_scene_free(&loaded);
    }
}

/* ---- textures ---- */

static lb_input use(uint32_t texture)
{
    lb_input input;
    memset(&input, 0, sizeof input);
    input.texture = texture;
    return input;
}

/* A block of textures alone: a checkerboard of a scaled mix and a constant, and a chain of scales that is one too
 * deep. */
static void test_nested_textures(void **state)
{
    (void)state;
    struct {
        lb_scene scene;
        lb_texture textures[LB_TEXTURE_DEPTH + 4];
    } block;
    memset(&block, 0, sizeof block);
    block.scene.textures.offset = (uint64_t)((char *)block.textures - (char *)&block.scene);
    block.scene.textures.count = LB_TEXTURE_DEPTH + 4;
    lb_input red = use(LB_NONE), half = use(LB_NONE), quarter = use(LB_NONE);
    red.value = lb_rgb_make(1, 0, 0);
    half.value = lb_rgb_grey(0.5f);
    quarter.value = lb_rgb_grey(0.25f);
    lb_texture *t = block.textures;
    t[0].kind = LB_TEXTURE_MIX; /* (0.75, 0.375, 0.375) */
    t[0].a = half;
    t[0].b = red;
    t[0].amount = quarter;
    t[0].amount.value = lb_rgb_grey(0.5f);
    t[1].kind = LB_TEXTURE_SCALE;
    t[1].a = use(0);
    t[1].b = half;
    t[2].kind = LB_TEXTURE_CHECKERBOARD;
    t[2].dimensions = 2;
    t[2].su = t[2].sv = 2.0f;
    t[2].a = use(1);
    t[2].b = red;
    lb_texture_place place;
    memset(&place, 0, sizeof place);
    lb_input input = use(2);
    place.uv = lb_vec2_make(0.1f, 0.2f);
    lb_rgb c = lb_texture_color(&block.scene, &input, &place);
    assert_true(c.r == 0.375f && c.g == 0.125f && c.b == 0.125f);
    place.uv = lb_vec2_make(0.1f, 0.7f);
    c = lb_texture_color(&block.scene, &input, &place);
    assert_true(c.r == 1.0f && c.g == 0.0f);
    place.uv = lb_vec2_make(-0.1f, -0.2f); /* the pattern goes on below 0 */
    c = lb_texture_color(&block.scene, &input, &place);
    assert_true(c.r == 0.375f);
    for (uint32_t i = 3; i < LB_TEXTURE_DEPTH + 4; i++) {
        t[i].kind = LB_TEXTURE_SCALE;
        t[i].a = i == 3 ? half : use(i - 1);
        t[i].b = half;
    }
    input = use(3 + LB_TEXTURE_DEPTH - 1);
    assert_true(lb_texture_color(&block.scene, &input, &place).r == powf(0.5f, LB_TEXTURE_DEPTH + 1));
    input = use(3 + LB_TEXTURE_DEPTH);
    assert_true(lb_texture_color(&block.scene, &input, &place).r == 0.0f);
}

/* Wrapping stays inside for any coordinates, not-a-number included. */
static void test_wrap(void **state)
{
    (void)state;
    lb_random random;
    lb_random_start(&random, 3);
    struct {
        lb_scene scene;
        unsigned char texels[64];
    } block;
    memset(&block, 0, sizeof block);
    memset(block.texels, 200, 20);
    block.scene.texels.offset = (uint64_t)((char *)block.texels - (char *)&block.scene);
    lb_image image;
    memset(&image, 0, sizeof image);
    image.width = 5;
    image.height = 4;
    image.channels = 1;
    image.texel = LB_TEXEL_LINEAR8;
    image.gamma = 1.0f;
    for (int i = 0; i < 20000; i++) {
        float s = lb_bits_float((uint32_t)(lb_random_1d(&random) * 4294967040.0f));
        float t = lb_bits_float((uint32_t)(lb_random_1d(&random) * 4294967040.0f));
        for (uint32_t wrap = LB_WRAP_REPEAT; wrap <= LB_WRAP_OCTAHEDRAL; wrap++)
            for (int nearest = 0; nearest < 2; nearest++) {
                float got = lb_image_lookup(&block.scene, &image, wrap, true, nearest, s, t).r;
                bool black = wrap == LB_WRAP_BLACK && got >= 0.0f && got <= 200.01f / 255.0f;
                assert_true(black || lb_abs(got - 200.0f / 255.0f) < 1e-5f);
            }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_point_light),
        cmocka_unit_test(test_disk_light),
        cmocka_unit_test(test_emitter_alpha),
        cmocka_unit_test(test_alpha_of_every_surface),
        cmocka_unit_test(test_absorption),
        cmocka_unit_test(test_light_through_interfaces),
        cmocka_unit_test(test_depth),
        cmocka_unit_test(test_rough_glass_furnace),
        cmocka_unit_test(test_furnace_of_other_materials),
        cmocka_unit_test(test_is_a_function),
        cmocka_unit_test(test_camera),
        cmocka_unit_test(test_orthographic),
        cmocka_unit_test(test_spherical),
        cmocka_unit_test(test_rays_leave),
        cmocka_unit_test(test_nested_textures),
        cmocka_unit_test(test_wrap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
