/* Scouts, which meet the lights that the camera sees in place of the first rays of paths: no picture's mean changes by
 * them, the noise at the outlines of lights does, and which pixels these run through. */
#include "core/cpu/cpu.h"
#include "core/kernel/order/make.h"
#include "test/unit/random_help.h"
#include "test/unit/scene_help.h"
#include "test/unit/share_help.h"

#include <math.h>

enum { SIDE = 24 };

#define LIGHT "AreaLightSource \"diffuse\" "

static const char film[] = "Film \"rgb\" \"integer xresolution\" 24 \"integer yresolution\" 24 ";

/* The picture of so many samples, in a single thread. */
static void render(const lb_scene *scene, uint32_t samples, lb_film_pixel pixels[SIDE * SIDE])
{
    struct lb_processor *cpu;
    struct lb_error error;
    bool lost;
    lb_order order = lb_order_curve(SIDE, SIDE, LB_CURVE_ROWS);
    struct lb_work work = {.scene = scene,
                           .order = &order,
                           .range = {0, SIDE * SIDE},
                           .whole = {0, SIDE * SIDE},
                           .sample_end = samples};
    struct lb_result result = {.pixels = pixels};
    assert_int_equal(lb_cpu_processor_open(scene, 0, lb_isa_best(), &cpu, &error), LB_OK);
    assert_int_equal(cpu->table->render(cpu, &work, &result, &lost, &error), LB_OK);
    cpu->table->close(cpu);
}

static bool is_marked(const lb_scene *scene, uint32_t x, uint32_t y)
{
    uint32_t pixel = y * scene->film.width + x;
    return scene->outlines.count != 0 &&
           (LB_ARRAY(scene, outlines, uint32_t)[pixel / 32] >> pixel % 32 & 1) != 0;
}

static uint32_t count_marked(const lb_scene *scene)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < scene->film.width * scene->film.height; i++)
        count += is_marked(scene, i % scene->film.width, i / scene->film.width);
    return count;
}

/* ---- means and noise ---- */

static const char *const cameras[] = {
    "Camera \"perspective\" \"float fov\" 50",
    "Camera \"perspective\" \"float fov\" 50 \"float lensradius\" 0.2 \"float focaldistance\" 3",
    "Camera \"orthographic\" \"float screenwindow\" [ -2 2 -2 2 ]",
    "Camera \"spherical\"",
    ("ActiveTransform EndTime Translate 0.5 0.2 0.3 ActiveTransform All "
     "Camera \"perspective\" \"float fov\" 50 \"float shutteropen\" 0 \"float shutterclose\" 1"),
};
static const char *const filters[] = {"", "PixelFilter \"box\"", "PixelFilter \"triangle\""};
static const char *const shapes[] = {
    QUAD,
    "Shape \"sphere\" \"float radius\" 0.5",
    "Shape \"disk\" \"float radius\" 0.5",
    "Shape \"cylinder\" \"float radius\" 0.3 \"float zmin\" -0.3 \"float zmax\" 0.3",
};
enum { CAMERAS = sizeof cameras / sizeof *cameras, FILTERS = 3, SHAPES = 4, LIGHTS = 5 };

/* Writes a back wall, a sky, perhaps an interface, and lights of all shapes somewhere in front of the wall. */
static void write_scene(uint32_t round, char before[1000], char after[6000])
{
    snprintf(before, 1000, "%s %s %s Integrator \"path\" \"integer maxdepth\" %u", cameras[round % CAMERAS],
             filters[round / CAMERAS % FILTERS], film, round % 3);
    int length =
        snprintf(after, 6000,
                 "LightSource \"infinite\" \"rgb L\" [ .2 .3 .4 ] "
                 "AttributeBegin Translate -3 -3 6 Scale 4 6 1 " QUAD "AttributeEnd\n%s",
                 round % 4 ? ""
                           : "AttributeBegin Material \"interface\" Translate -3 -3 2 Scale 3 6 1 " QUAD
                             "AttributeEnd\n");
    for (uint32_t i = 0; i < LIGHTS; i++) {
        double x = between(-1, 1), y = between(-1, 1), z = between(3, 5.5), turn = between(0, 360);
        double width = between(.05, .7), height = between(.05, .7), red = between(1, 20);
        length += snprintf(after + length, 6000 - (size_t)length,
                           "AttributeBegin Translate %g %g %g Rotate %g 1 1 0 Scale %g %g .5 " LIGHT
                           "\"rgb L\" [ %g 5 2 ] \"bool twosided\" %s %s AttributeEnd\n",
                           x, y, z, turn, width, height, red, i % 2 ? "true" : "false",
                           shapes[(round + i) % SHAPES]);
    }
}

/* Of the same scene's picture with scouts and without, the mean of all of it differs by no more than chance. */
static void means_are_the_same(void **state)
{
    (void)state;
    enum { ROUNDS = 60, TRIES = 12, EACH = 8 };
    static char before[1000], after[6000];
    uint32_t with_scouts = 0, with_wavelengths = 0, rounds = share_of(ROUNDS);
    for (uint32_t round = 0; round < rounds; round++) {
        write_scene(round, before, after);
        struct lb_loaded loaded;
        struct lb_error error;
        struct lb_scene_options options = {.spectral = round % 7 == 6};
        assert_int_equal(scene_try(before, after, &options, NULL, &loaded, &error), LB_OK);
        uint64_t count = loaded.scene->outlines.count;
        double sum[2] = {0, 0}, squares[2] = {0, 0};
        with_scouts += count != 0;
        with_wavelengths += count != 0 && loaded.scene->quads.count != 0;
        for (uint32_t i = 0; i < 2 * TRIES; i++) {
            lb_film_pixel pixels[SIDE * SIDE] = {0};
            double light = 0;
            loaded.scene->outlines.count = i % 2 ? 0 : count;
            loaded.scene->integrator.seed = i;
            render(loaded.scene, EACH, pixels);
            for (int k = 0; k < SIDE * SIDE; k++)
                light += (double)pixels[k].sum[0] / (double)pixels[k].weight;
            sum[i % 2] += light;
            squares[i % 2] += light * light;
        }
        double variance = 0;
        for (int i = 0; i < 2; i++)
            variance += (squares[i] - sum[i] * sum[i] / TRIES) / (TRIES - 1) / TRIES;
        double deviations = (sum[0] - sum[1]) / TRIES / sqrt(variance + 1e-12);
        if (fabs(deviations) > 5.5)
            fail_msg("round %u: %g and %g, which is %g standard deviations", round, sum[0] / TRIES,
                     sum[1] / TRIES, deviations);
        lb_scene_free(&loaded);
    }
    assert_true(with_scouts > rounds * 3 / 4 && with_wavelengths >= rounds / 10);
}

/* A red lamp stays red where light has wavelengths: scouts have those of their path. */
static void wavelengths_are_the_path_s(void **state)
{
    (void)state;
    struct lb_scene_options options = {.spectral = true};
    struct lb_loaded loaded;
    struct lb_error error;
    assert_int_equal(
        scene_try(film, "Translate -.5 -.5 3 " LIGHT "\"rgb L\" [ 5 .05 .05 ] \"bool twosided\" true " QUAD,
                  &options, NULL, &loaded, &error),
        LB_OK);
    double sum[2][3] = {{0}};
    uint64_t count = loaded.scene->outlines.count;
    assert_true(count != 0);
    for (int i = 0; i < 2; i++) {
        lb_film_pixel pixels[SIDE * SIDE] = {0};
        loaded.scene->outlines.count = i ? count : 0;
        render(loaded.scene, 256, pixels);
        for (int k = 0; k < SIDE * SIDE; k++)
            for (int c = 0; c < 3; c++)
                sum[i][c] += (double)pixels[k].sum[c] / (double)pixels[k].weight;
    }
    for (int c = 0; c < 3; c++)
        if (fabs(sum[1][c] - sum[0][c]) > 0.003 * sum[0][0])
            fail_msg("%g in place of %g in colour %d", sum[1][c], sum[0][c], c);
    lb_scene_free(&loaded);
}

/* The mean square, over the picture, of what two seeds differ by. */
static double noise_of(lb_scene *scene, uint32_t samples)
{
    lb_film_pixel pixels[2][SIDE * SIDE] = {{{{0}, 0}}};
    double sum = 0;
    for (uint32_t i = 0; i < 2; i++) {
        scene->integrator.seed = i;
        render(scene, samples, pixels[i]);
    }
    for (int k = 0; k < SIDE * SIDE; k++) {
        double difference = (double)(pixels[0][k].sum[0] - pixels[1][k].sum[0]) / (double)pixels[0][k].weight;
        sum += difference * difference;
    }
    return sum;
}

/* Eight rays in place of one, spread evenly: a fourth of the noise at most remains of small lights alone. */
static void outlines_are_less_noisy(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < CAMERAS; i++)
        for (uint32_t k = 0; k < SHAPES; k++) {
            char before[1000], after[1000];
            snprintf(before, sizeof before, "%s %s Integrator \"path\" \"integer maxdepth\" 0", cameras[i],
                     film);
            snprintf(after, sizeof after,
                     "Translate 0.1 0.2 3 Rotate 30 1 1 0 Scale .4 .5 .6 " LIGHT "\"bool twosided\" true %s",
                     shapes[k]);
            struct lb_loaded loaded = scene_get(before, after);
            assert_true(loaded.scene->outlines.count != 0);
            double with = noise_of(loaded.scene, 16);
            loaded.scene->outlines.count = 0;
            double without = noise_of(loaded.scene, 16);
            if (!(without > 0 && with < without / 4))
                fail_msg("camera %u, shape %u: %g with scouts, %g without", i, k, with, without);
            lb_scene_free(&loaded);
        }
}

/* ---- which pixels ---- */

static uint32_t marked_of(const char *before, const char *after)
{
    char whole[2000];
    snprintf(whole, sizeof whole, "%s %s", film, before);
    struct lb_loaded loaded = scene_get(whole, after);
    uint32_t count = count_marked(loaded.scene);
    lb_scene_free(&loaded);
    return count;
}

/* A square that is 12 pixels wide: its outline, and neither its middle nor where its triangles join. */
static void outlines_alone_are_marked(void **state)
{
    (void)state;
    static const char camera[] =
        "PixelFilter \"box\" Camera \"orthographic\" \"float screenwindow\" [ -1 1 -1 1 ]";
    struct lb_loaded loaded;
    char before[1000];
    snprintf(before, sizeof before, "%s %s", film, camera);
    loaded = scene_get(before, "Translate -.48 -.48 1 Scale .96 .96 1 " LIGHT QUAD);
    for (uint32_t i = 0; i < SIDE * SIDE; i++) {
        uint32_t x = i % SIDE, y = i / SIDE;
        bool within = x >= 6 && x <= 17 && y >= 6 && y <= 17;
        bool edge = within && (x == 6 || x == 17 || y == 6 || y == 17);
        assert_int_equal(is_marked(loaded.scene, x, y), edge);
    }
    lb_scene_free(&loaded);
}

static void nothing_else_is_marked(void **state)
{
    (void)state;
#define AT(z, more) "Translate -.5 -.5 " z " " more QUAD
    static const char *const seen_nowhere[] = {"PixelFilter \"mitchell\"", "PixelFilter \"sinc\"",
                                               "Integrator \"ambientocclusion\"", "Integrator \"mandelbrot\"",
                                               "\"float maxcomponentvalue\" 5"};
    uint32_t front = marked_of("", AT("3", LIGHT)),
             back = marked_of("", AT("3", "ReverseOrientation " LIGHT));
    uint32_t both = marked_of("", AT("3", LIGHT "\"bool twosided\" true "));
    assert_true((front == 0) != (back == 0));
    assert_true(both > 0 && both == front + back);
    assert_int_equal(marked_of("", AT("3", "")), 0);
    assert_int_equal(marked_of("", AT("3", LIGHT "\"bool twosided\" true \"float scale\" 0 ")), 0);
    assert_int_equal(marked_of("", AT("-3", LIGHT "\"bool twosided\" true ")), 0);
    assert_int_equal(
        marked_of("", "MakeNamedMedium \"m\" \"string type\" \"homogeneous\" MediumInterface \"m\" \"\" " AT(
                          "3", LIGHT "\"bool twosided\" true ")),
        0);
    for (size_t i = 0; i < sizeof seen_nowhere / sizeof *seen_nowhere; i++)
        assert_int_equal(marked_of(seen_nowhere[i], AT("3", LIGHT "\"bool twosided\" true ")), 0);
}

/* A part of the picture has the marks that the whole one has there. */
static void parts_have_the_same(void **state)
{
    (void)state;
    static char before[1000], after[6000];
    uint32_t marked = 0;
    for (uint32_t round = 0; round < 60; round++) {
        write_scene(round, before, after);
        struct lb_loaded whole = scene_get(before, after), part;
        struct lb_error error;
        struct lb_scene_options options = {.has_pixel_bounds = true};
        int32_t x0 = (int32_t)random_below(SIDE - 1), y0 = (int32_t)random_below(SIDE - 1);
        options.pixel_bounds[0] = x0;
        options.pixel_bounds[1] = x0 + 1 + (int32_t)random_below((uint32_t)(SIDE - x0));
        options.pixel_bounds[2] = y0;
        options.pixel_bounds[3] = y0 + 1 + (int32_t)random_below((uint32_t)(SIDE - y0));
        assert_int_equal(scene_try(before, after, &options, NULL, &part, &error), LB_OK);
        for (uint32_t i = 0; i < part.scene->film.width * part.scene->film.height; i++) {
            uint32_t x = i % part.scene->film.width, y = i / part.scene->film.width;
            bool is = is_marked(part.scene, x, y);
            assert_int_equal(is, is_marked(whole.scene, (uint32_t)x0 + x, (uint32_t)y0 + y));
            marked += is;
        }
        lb_scene_free(&whole);
        lb_scene_free(&part);
    }
    assert_true(marked > 500);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(means_are_the_same),      cmocka_unit_test(wavelengths_are_the_path_s),
        cmocka_unit_test(outlines_are_less_noisy), cmocka_unit_test(outlines_alone_are_marked),
        cmocka_unit_test(nothing_else_is_marked),  cmocka_unit_test(parts_have_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
