/* Tests paths through media that scatter and glow, in small scenes whose radiance is known. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "volume_picture.h"

#include <unistd.h>

static const double white[3] = {1.0, 1.0, 1.0};

/* An image that is white all over, for as long as it is needed. */
#define LB_TEST_WHITE "/tmp/lbrender-test-volume-white.pfm"

static void write_white(void)
{
    FILE *file = fopen(LB_TEST_WHITE, "wb");
    assert_non_null(file);
    fputs("PF\n4 4\n-1.0\n", file);
    for (int i = 0; i < 4 * 4 * 3; i++)
        fwrite(&(float){1.0f}, sizeof(float), 1, file);
    assert_int_equal(fclose(file), 0);
}

/* What surrounds the ball: a sky, which no light sampling finds, or a sphere that glows, which is sampled too. */
static const char *const surroundings[] = {
    "LightSource \"infinite\" \"rgb L\" [1 1 1]\n",
    "AttributeBegin ReverseOrientation AreaLightSource \"diffuse\" \"rgb L\" [1 1 1]\n"
    "Material \"diffuse\" \"rgb reflectance\" [0 0 0] Shape \"sphere\" \"float radius\" 9 AttributeEnd\n",
};

/* In surroundings of radiance 1 a ball of a medium that only scatters cannot be seen, nor one that absorbs and glows
 * with radiance 1; whatever it scatters of each colour, in which directions and behind which surface. */
static void test_furnace(void **state)
{
    (void)state;
    static const struct {
        const char *medium, *material;
        double slack;
    } balls[] = {
        {"\"rgb sigma_a\" [0 0 0] \"rgb sigma_s\" [1 1 1]", "interface", 0.01},
        {"\"rgb sigma_a\" [0 0 0] \"rgb sigma_s\" [0.2 1 5] \"float g\" 0.6", "interface", 0.02},
        {"\"rgb sigma_a\" [0 0 0] \"rgb sigma_s\" [3 0 0.3] \"float g\" -0.8", "interface", 0.02},
        {"\"rgb sigma_a\" [0 0 0] \"rgb sigma_s\" [0.5 2 1] \"float g\" 0.95", "dielectric", 0.02},
        {"\"rgb sigma_a\" [1 2 0.5] \"rgb sigma_s\" [0 0 0] \"rgb Le\" [1 1 1]", "interface", 1e-5},
        {"\"rgb sigma_a\" [1 2 0.1] \"rgb sigma_s\" [0.5 0.1 1] \"rgb Le\" [1 1 1]", "interface", 0.02},
        {"\"rgb sigma_a\" [1 0 2] \"rgb sigma_s\" [0 4 1] \"rgb Le\" [0.5 0.5 0.5] \"float Lescale\" 2 "
         "\"float "
         "g\" 0.4",
         "interface", 0.02},
    };
    for (size_t i = 0; i < sizeof balls / sizeof balls[0]; i++)
        for (size_t s = 0; s < 2; s++) {
            char text[2000];
            snprintf(
                text, sizeof text,
                VIEW("2000") "WorldBegin %s MakeNamedMedium \"m\" \"string type\" \"homogeneous\" %s\n"
                             "MediumInterface \"m\" \"\" Material \"%s\" Shape \"sphere\" \"float radius\" 1",
                surroundings[s], balls[i].medium, balls[i].material);
            assert_colour(balls[i].medium, picture_mean(text, 128), white, balls[i].slack);
        }
}

/* The same with a ball inside a ball, whose surfaces name each other's medium, and in a medium that is everywhere. */
static void test_furnace_of_nested_media(void **state)
{
    (void)state;
    const char *text =
        "MakeNamedMedium \"air\" \"string type\" \"homogeneous\" \"rgb sigma_a\" [0 0 0] \"rgb sigma_s\" "
        "[0.02 0.1 "
        "0.05] MediumInterface \"air\" \"air\"\n" VIEW(
            "2000") "WorldBegin\n"
                    "AttributeBegin ReverseOrientation AreaLightSource \"diffuse\" \"rgb L\" [1 1 1]\n"
                    "Material \"diffuse\" \"rgb reflectance\" [0 0 0] Shape \"sphere\" \"float radius\" 9 "
                    "AttributeEnd\n"
                    "MakeNamedMedium \"out\" \"string type\" \"homogeneous\" \"rgb sigma_a\" [0 0 0] \"rgb "
                    "sigma_s\" [1 "
                    "0.2 3]\n"
                    "MakeNamedMedium \"in\" \"string type\" \"homogeneous\" \"rgb sigma_a\" [0 0 0] \"rgb "
                    "sigma_s\" [0.1 "
                    "4 0.5] \"float g\" 0.5\n"
                    "Material \"interface\" MediumInterface \"out\" \"air\" Shape \"sphere\" \"float "
                    "radius\" 1\n"
                    "MediumInterface \"in\" \"out\" Shape \"sphere\" \"float radius\" 0.6";
    assert_colour("nested", picture_mean(text, 128), white, 0.02);
}

/* Light of a point that scatters once on its way, summed along the line of sight beside the path tracer. */
static void test_single_scattering(void **state)
{
    (void)state;
    static const double sigma_a[3] = {0.1, 0.5, 0.0}, sigma_s[3] = {0.4, 1.5, 0.8}, g = 0.5;
    double expected[3] = {0, 0, 0};
    enum { STEPS = 20000 };
    for (int i = 0; i < STEPS; i++) {
        /* From (0, 0, 1) down; the light is at (2, 0, 0), and the ball's radius 1. */
        double z = 1.0 - 2.0 * (i + 0.5) / STEPS, light = sqrt(4.0 + z * z), cosine = z / light;
        /* From (0, 0, z) towards the light until the ball ends: |p + t d| = 1. */
        double b = -z * z / light, inside = -b + sqrt(b * b + 1.0 - z * z);
        double phase = (1 - g * g) / (4 * M_PI * pow(1 + g * g - 2 * g * cosine, 1.5));
        for (int band = 0; band < 3; band++)
            expected[band] += sigma_s[band] * phase * 6.0 / (light * light) *
                              exp(-(sigma_a[band] + sigma_s[band]) * (1.0 - z + inside)) * 2.0 / STEPS;
    }
    assert_colour(
        "single scattering",
        picture_mean(VIEW("1") "WorldBegin LightSource \"point\" \"rgb I\" [6 6 6] \"point3 from\" [2 0 0]\n"
                               "MakeNamedMedium \"m\" \"string type\" \"homogeneous\" \"rgb sigma_a\" [0.1 "
                               "0.5 0] \"rgb sigma_s\" [0.4 1.5 0.8] \"float g\" 0.5\n"
                               "MediumInterface \"m\" \"\" Material \"interface\" Shape \"sphere\"",
                     512),
        expected, 0.01);
}

/* In a medium without an end, light from infinity comes from two radii of the scene away: here 2 sqrt 2. A sky of one
 * colour gives none, as in pbrt. What an image gives is what pbrt-v4 (2026) gives, whose weights lose some of it. */
static void test_light_from_beyond(void **state)
{
    (void)state;
    const char *distant = "\"distant\" \"point3 from\" [0 0 9] \"point3 to\" [0 0 0] \"rgb L\" [3 3 3]";
    const char *sky = "\"infinite\" \"rgb L\" [1 1 1]";
    const char *image = "\"infinite\" \"string filename\" \"" LB_TEST_WHITE "\"";
    double seen = 3.0 * 0.5 / M_PI * exp(-0.1 * (2.0 * sqrt(2.0) + 3.0));
    const struct {
        const char *light, *sigma_s;
        double expected;
    } fogs[] = {{distant, "0 0 0", seen},   {distant, "1e-5 1e-5 1e-5", seen},
                {sky, "0 0 0", 0},          {sky, "0.1 0.1 0.1", 0},
                {image, "0 0 0", 0.0831},   {image, "1e-5 1e-5 1e-5", 0.0831},
                {image, ".1 .1 .1", 0.2298}};
    write_white();
    for (size_t i = 0; i < sizeof fogs / sizeof fogs[0]; i++) {
        struct lb_loaded loaded;
        char text[2000];
        snprintf(
            text, sizeof text,
            "LookAt 0 0 3  0 0 0  0 1 0 MakeNamedMedium \"fog\" \"string type\" \"homogeneous\"\n"
            "\"rgb sigma_a\" [0.1 0.1 0.1] \"rgb sigma_s\" [%s] MediumInterface \"\" \"fog\"\n"
            "Camera \"perspective\" \"float fov\" 20 Film \"rgb\" \"integer xresolution\" 8 "
            "\"integer yresolution\" 8\nIntegrator \"volpath\" \"integer maxdepth\" 5 WorldBegin\n"
            "LightSource %s MediumInterface \"fog\" \"fog\" Material \"diffuse\" \"rgb reflectance\" "
            "[0.5 0.5 0.5]\n"
            "Shape \"trianglemesh\" \"integer indices\" [0 1 2 0 2 3] \"point3 P\" [-1 -1 0  1 -1 0  1 1 0  "
            "-1 1 0]",
            fogs[i].sigma_s, fogs[i].light);
        load_scene_text(text, &loaded);
        const double expected[3] = {fogs[i].expected, fogs[i].expected, fogs[i].expected};
        lb_rgb mean = mean_picture(loaded.scene, loaded.scene->any_volume ? brute_volume : brute_path, 2048);
        assert_colour(fogs[i].light, mean, expected, 0.012);
        lb_scene_free(&loaded);
    }
    unlink(LB_TEST_WHITE);
}

/* Light that goes straight through, and light of the medium itself. */
static void test_transmission_and_glow(void **state)
{
    (void)state;
    const double left[3] = {exp(-2.0), exp(-1.0), 1.0};
    assert_colour(
        "transmission",
        picture_mean(VIEW("0") "WorldBegin LightSource \"infinite\" \"rgb L\" [1 1 1]\n"
                               "MakeNamedMedium \"m\" \"string type\" \"homogeneous\" \"rgb sigma_a\" [0.5 "
                               "0.5 0] \"rgb sigma_s\" [0.5 0 0]\n"
                               "MediumInterface \"m\" \"\" Material \"interface\" Shape \"sphere\"",
                     512),
        left, 0.01);
    const double glow[3] = {1.0 - exp(-1.0), 2.0 * (1.0 - exp(-2.0)), 0.0};
    assert_colour(
        "glow",
        picture_mean(VIEW("1") "WorldBegin\n"
                               "MakeNamedMedium \"m\" \"string type\" \"homogeneous\" \"rgb sigma_a\" [0.5 1 "
                               "0] \"rgb sigma_s\" [0 0 0] \"rgb Le\" [1 2 3]\n"
                               "MediumInterface \"m\" \"\" Material \"interface\" Shape \"sphere\"",
                     4),
        glow, 1e-3);
    /* A sky cannot be seen through an endless medium. */
    lb_rgb black = picture_mean(
        "MakeNamedMedium \"m\" \"string type\" \"homogeneous\" \"rgb sigma_s\" [0.1 0.2 0.3]\n"
        "MediumInterface \"m\" \"m\" " VIEW("5") "WorldBegin LightSource \"infinite\" \"rgb L\" [1 1 1] "
                                                 "Shape \"sphere\"",
        4);
    assert_true(lb_rgb_is_black(black));
}

/* A grid of densities: 3 x 2 x 2 samples over the box -1 .. 1 in x and y, -0.5 .. 0.5 in z. */
static const float densities[12] = {0.5f, 2, 1, 0, 3, 0.25f, 1, 1, 4, 2, 0, 1};
#define DENSITIES "[0.5 2 1 0 3 0.25 1 1 4 2 0 1]"
#define BOX                                                                                                  \
    "\"integer nx\" 3 \"integer ny\" 2 \"integer nz\" 2 \"point3 p0\" [-1 -1 -0.5] \"point3 p1\" [1 1 0.5] "

static double sample_of(int x, int y, int z)
{
    return x < 0 || x > 2 || y < 0 || y > 1 || z < 0 || z > 1 ? 0.0 : (double)densities[(z * 2 + y) * 3 + x];
}

/* Trilinear between samples at the middles of cells, 0 beyond. */
static double density_at(double x, double y, double z)
{
    double p[3] = {(x + 1) / 2 * 3 - 0.5, (y + 1) / 2 * 2 - 0.5, (z + 0.5) * 2 - 0.5}, sum = 0.0;
    for (int i = 0; i < 8; i++) {
        double weight = 1.0;
        int at[3];
        for (int a = 0; a < 3; a++) {
            at[a] = (int)floor(p[a]) + (i >> a & 1);
            weight *= (i >> a & 1) ? p[a] - floor(p[a]) : 1.0 - (p[a] - floor(p[a]));
        }
        sum += weight * sample_of(at[0], at[1], at[2]);
    }
    return sum;
}

/* What grids leave of the light behind them, and what they send, along a line that an integral says too: for the path's
 * own ray, and by a light that shadow rays go to. */
static void test_grid_on_a_line(void **state)
{
    (void)state;
    enum { STEPS = 4000 };
    static const double sigma[3] = {0.4, 1.0, 1.6}, absorbs[3] = {0.1, 0.5, 1.6};
    double depth = 0.0, left[3], sent[3] = {0, 0, 0};
    for (int i = 0; i < STEPS; i++) {
        double z = 0.5 - (i + 0.5) / STEPS, here = density_at(0.2, 0.1, z), scale = density_at(0.2, 0.1, z);
        for (int b = 0; b < 3; b++)
            sent[b] +=
                exp(-sigma[b] * (depth + 0.5 * here / STEPS)) * absorbs[b] * here * scale * (b + 1) / STEPS;
        depth += here / STEPS;
    }
    for (int b = 0; b < 3; b++)
        left[b] = exp(-sigma[b] * depth);
    char text[2000];
    static const char *const media =
        "MakeNamedMedium \"m\" \"string type\" \"uniformgrid\" " BOX "\"float density\" " DENSITIES
        " \"rgb sigma_a\" [0.1 0.5 1.6] \"rgb sigma_s\" [0.3 0.5 0]";
    snprintf(
        text, sizeof text,
        "LookAt 0.2 0.1 9  0.2 0.1 0  0 1 0 Camera \"perspective\" \"float fov\" 0.1 Film \"rgb\" \"integer "
        "xresolution\" 8 \"integer yresolution\" 8 Integrator \"volpath\" \"integer maxdepth\" 0 WorldBegin "
        "LightSource \"infinite\" \"rgb L\" [1 1 1] %s MediumInterface \"m\" \"\" Material \"interface\" "
        "Shape "
        "\"sphere\" \"float radius\" 2",
        media);
    assert_colour("grid's transmission", picture_mean(text, 4096), left, 0.02);
    snprintf(
        text, sizeof text,
        "LookAt 0.2 0.1 9  0.2 0.1 0  0 1 0 Camera \"perspective\" \"float fov\" 0.1 Film \"rgb\" \"integer "
        "xresolution\" 8 \"integer yresolution\" 8 Integrator \"volpath\" \"integer maxdepth\" 1 WorldBegin "
        "%s "
        "\"rgb Le\" [1 2 3] \"float Lescale\" " DENSITIES
        " MediumInterface \"m\" \"\" Material \"interface\" Shape "
        "\"sphere\" \"float radius\" 2",
        media);
    assert_colour("grid's glow", picture_mean(text, 2048), sent, 0.03);
    /* A floor behind the grid, lit through it: what comes back goes through twice. */
    snprintf(
        text, sizeof text,
        "LookAt 0.2 0.1 9  0.2 0.1 0  0 1 0 Camera \"perspective\" \"float fov\" 0.1 Film \"rgb\" \"integer "
        "xresolution\" 8 \"integer yresolution\" 8 Integrator \"volpath\" \"integer maxdepth\" 1 WorldBegin "
        "LightSource \"point\" \"point3 from\" [0.2 0.1 -3] \"rgb I\" [3.14159265 3.14159265 3.14159265] %s "
        "AttributeBegin MediumInterface \"m\" \"\" Material \"interface\" Shape \"sphere\" \"float radius\" "
        "2 "
        "AttributeEnd Material \"diffusetransmission\" \"rgb reflectance\" [0 0 0] \"rgb transmittance\" [1 "
        "1 1] "
        "Translate 0 0 3 Shape \"disk\"",
        media);
    for (int b = 0; b < 3; b++)
        left[b] /= 36.0;
    assert_colour("grid between a light and what it lights", picture_mean(text, 2048), left, 0.03);
}

#define RGBGRID "\"rgbgrid\" \"integer nx\" 2"

/* As test_furnace: grids and clouds that only scatter, turned and scaled. */
static void test_furnace_of_grids(void **state)
{
    (void)state;
    static const char *const media[] = {
        "\"uniformgrid\" " BOX "\"float density\" " DENSITIES
        " \"rgb sigma_a\" [0 0 0] \"rgb sigma_s\" [0.3 1 2] \"float g\" 0.5",
        RGBGRID " \"rgb sigma_s\" [1 2 3  3 0 1] \"rgb sigma_a\" [0 0 0  0 0 0] \"float scale\" 2",
        "\"cloud\" \"point3 p0\" [-1 0 -1] \"rgb sigma_a\" [0 0 0] \"rgb sigma_s\" [2 4 8] \"float g\" -0.4",
    };
    for (size_t i = 0; i < sizeof media / sizeof media[0]; i++)
        for (size_t s = 0; s < 2; s++) {
            char text[2000];
            snprintf(text, sizeof text,
                     VIEW("2000") "WorldBegin %s AttributeBegin Rotate 30 1 1 0 Scale 0.8 0.7 0.9 "
                                  "MakeNamedMedium \"m\" "
                                  "\"string type\" %s AttributeEnd\n"
                                  "MediumInterface \"m\" \"\" Material \"interface\" Shape \"sphere\" "
                                  "\"float radius\" 1.5",
                     surroundings[s], media[i]);
            assert_colour(media[i], picture_mean(text, 128), white, 0.02);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_furnace),
        cmocka_unit_test(test_furnace_of_nested_media),
        cmocka_unit_test(test_light_from_beyond),
        cmocka_unit_test(test_single_scattering),
        cmocka_unit_test(test_transmission_and_glow),
        cmocka_unit_test(test_grid_on_a_line),
        cmocka_unit_test(test_furnace_of_grids),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
