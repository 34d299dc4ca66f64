/* Whole pictures: every instruction set and a search without a tree give the same bytes; furnaces give their
 * known radiance. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/cpu/cpu.h"
#include "core/scene/load.h"

#include "test/unit/brute_radiance.h"
#include "test/unit/share_help.h"

static lb_rgb brute_radiance(const lb_scene *scene, uint32_t x, uint32_t y, uint32_t sample,
                             lb_filter_place *place, const int *stop, lb_counters *counters)
{
    return scene->any_volume ? brute_volume(scene, x, y, sample, place, stop, counters)
                             : brute_path(scene, x, y, sample, place, stop, counters);
}

/* The render loop with a search that tries every primitive in place of a tree. */
void render_brute(const struct lb_work *work, struct lb_result *result);
#define LB_RENDER   render_brute
#define LB_RADIANCE brute_radiance
#include "core/cpu/render.inc"
#include "test/unit/skip_test.h"

static void load(const char *path, uint32_t width, uint32_t height, uint32_t samples,
                 struct lb_loaded *loaded)
{
    struct lb_scene_options options = {.threads = 1, .width = width, .height = height, .samples = samples};
    struct lb_error error;
    if (lb_scene_load(path, &options, NULL, loaded, &error) != LB_OK)
        fail_msg("%s", error.message);
}

/* A scene from its text. */
static void load_text(const char *text, uint32_t samples, struct lb_loaded *loaded)
{
    char path[] = "/tmp/lbrender-test-XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0 && write(file, text, strlen(text)) == (ssize_t)strlen(text));
    close(file);
    load(path, 0, 0, samples, loaded);
    unlink(path);
}

/* All samples of all pixels, row by row; freed by free() as result->cost is. */
static lb_film_pixel *picture(const lb_scene *scene, int isa, struct lb_result *result)
{
    lb_order order;
    memset(&order, 0, sizeof order);
    order.width = scene->film.width;
    order.height = scene->film.height;
    order.count = (uint64_t)order.width * order.height;
    struct lb_work work = {.scene = scene,
                           .order = &order,
                           .range = {0, order.count},
                           .whole = {0, order.count},
                           .sample_end = scene->integrator.samples};
    memset(result, 0, sizeof *result);
    result->pixels = calloc(order.count, sizeof *result->pixels);
    result->cost = calloc(order.count, sizeof *result->cost);
    if (isa < 0) {
        render_brute(&work, result);
        return result->pixels;
    }
    struct lb_processor *processor;
    struct lb_error error;
    bool lost;
    assert_int_equal(lb_cpu_processor_open(scene, 0, (enum lb_isa)isa, &processor, &error), LB_OK);
    assert_int_equal(processor->table->render(processor, &work, result, &lost, &error), LB_OK);
    processor->table->close(processor);
    return result->pixels;
}

/* Fails at the first pixel that differs, and says which it is. */
static void assert_same_picture(const char *name, const char *isa, const lb_scene *scene,
                                const lb_film_pixel *a, const lb_film_pixel *b)
{
    uint32_t width = scene->film.width, count = width * scene->film.height;
    for (uint32_t i = 0; i < count; i++) {
        if (memcmp(&a[i], &b[i], sizeof *a) != 0) {
            lb_rgb x = lb_film_rgb(&a[i]), y = lb_film_rgb(&b[i]);
            fail_msg("%s, %s: pixel (%u, %u) is %a %a %a and %a %a %a", name, isa, i % width, i / width,
                     (double)x.r, (double)x.g, (double)x.b, (double)y.r, (double)y.g, (double)y.b);
        }
    }
}

/* The scene by brute force, where that does not take long, and by each instruction set, which count the same
 * steps, too. */
static void compare_ways(const char *name, uint32_t width, uint32_t height, uint32_t samples)
{
    struct lb_loaded loaded;
    struct lb_result portable, other;
    load(name, width, height, samples, &loaded);
    picture(loaded.scene, LB_ISA_PORTABLE, &portable);
    uint32_t pixels = loaded.scene->film.width * loaded.scene->film.height;
    bool small = (double)loaded.triangles * (double)portable.counters.rays < 3e7;
    for (int isa = small ? -1 : 0; isa < LB_ISA_COUNT; isa++) {
        if (isa >= 0 && !lb_isa_runs((enum lb_isa)isa))
            continue;
        picture(loaded.scene, isa, &other);
        assert_same_picture(name, isa < 0 ? "brute force" : lb_isa_name((enum lb_isa)isa), loaded.scene,
                            portable.pixels, other.pixels);
        assert_int_equal(other.counters.shaded, portable.counters.shaded);
        assert_int_equal(other.counters.rays, portable.counters.rays);
        for (uint32_t i = 0; isa >= 0 && i < pixels; i++)
            assert_true(other.cost[i] == portable.cost[i]);
        free(other.pixels);
        free(other.cost);
    }
    assert_int_equal(portable.counters.bad_samples, 0);
    free(portable.pixels);
    free(portable.cost);
    lb_scene_free(&loaded);
}

static void test_every_way_to_the_same_sample(void **state)
{
    (void)state;
    compare_ways("samples/room.pbrt", 64, share_of(48), 3);
    compare_ways("test/scenes/materials.pbrt", 64, share_of(48), 3);
    compare_ways("test/scenes/headlight.pbrt", 64, share_of(48), 3);
    compare_ways("test/scenes/instances.pbrt", 64, share_of(48), 3);
    compare_ways("samples/mandelbrot.pbrt", 64, share_of(48), 3);
    compare_ways("test/scenes/media.pbrt", 64, share_of(48), 3);
}

/* The same with textures, alpha, media, lights and materials of all kinds. */
static void test_every_way_to_the_same_feature(void **state)
{
    (void)state;
    static const char *const names[] = {
        "camera-lens",
        "instances",
        "light-many",
        "light-infinite-image",
        "light-spot",
        "material-conductor-anisotropic",
        "material-coateddiffuse",
        "material-dielectric-rough",
        "material-interface-medium",
        "later-medium-anisotropic",
        "later-medium-camera",
        "later-medium-emissive",
        "later-interface-nested",
        "later-subsurface",
        "shape-sphere-partial",
        "shape-disk",
        "texture-alpha",
        "texture-imagemap",
        "filter-mitchell",
        "transforms",
    };
    skip_without_data();
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char path[200];
        snprintf(path, sizeof path, "../shared/data/scenes/features/%s.pbrt", names[i]);
        compare_ways(path, 32, 24, 1);
    }
}

/* The same with options that change the picture, and with mixes that hold what light goes into. */
static void test_every_way_to_the_same_option(void **state)
{
    (void)state;
    compare_ways("test/scenes/mixed.pbrt", 32, 24, 2);
    compare_ways("test/scenes/options.pbrt", 32, 24, 2);
}

/* The mean of all pixels. */
static lb_rgb mean_of(const lb_scene *scene)
{
    struct lb_result result;
    lb_film_pixel *pixels = picture(scene, (int)lb_isa_best(), &result);
    uint32_t count = scene->film.width * scene->film.height;
    lb_rgb sum = lb_rgb_grey(0.0f);
    for (uint32_t i = 0; i < count; i++)
        sum = lb_rgb_add(sum, lb_film_rgb(&pixels[i]));
    assert_int_equal(result.counters.bad_samples, 0);
    free(pixels);
    free(result.cost);
    return lb_rgb_scale(sum, 1.0f / (float)count);
}

static void assert_grey(const char *name, lb_rgb c, float want, float tolerance)
{
    if (!(fabsf(c.r - want) <= tolerance && fabsf(c.g - want) <= tolerance && fabsf(c.b - want) <= tolerance))
        fail_msg("%s: %g %g %g, not %g", name, (double)c.r, (double)c.g, (double)c.b, (double)want);
}

#define FURNACE_START                                                                                        \
    "Film \"rgb\" \"integer xresolution\" 24 \"integer yresolution\" 24\n"                                   \
    "Integrator \"path\" \"integer maxdepth\" 200\n"                                                         \
    "LookAt 0 0 -4  0 0 0  0 1 0\n Camera \"perspective\" \"float fov\" 60\n WorldBegin\n"

/* In surroundings of radiance 1 what absorbs nothing cannot be seen. */
static void test_white_furnace(void **state)
{
    (void)state;
    static const char *const materials[] = {
        "\"diffuse\" \"rgb reflectance\" [1 1 1]",
        "\"dielectric\" \"float roughness\" 0",
        "\"thindielectric\"",
        "\"interface\"",
        "\"conductor\" \"rgb reflectance\" [1 1 1] \"float roughness\" 0",
    };
    for (size_t i = 0; i < sizeof materials / sizeof materials[0]; i++) {
        char text[2000];
        snprintf(
            text, sizeof text,
            FURNACE_START
            "LightSource \"infinite\" \"rgb L\" [1 1 1]\n Material %s\n Shape \"sphere\" \"float radius\" "
            "1\n",
            materials[i]);
        struct lb_loaded loaded;
        load_text(text, 16, &loaded);
        /* Glass loses the paths that end before they have left; Russian roulette adds noise. */
        assert_grey(materials[i], mean_of(loaded.scene), 1.0f, i == 0 || i == 3 ? 1e-5f : 0.01f);
        lb_scene_free(&loaded);
    }
}

/* Inside a closed sphere that emits 1 and reflects half of it, seen from within: 1 + 1/2 + 1/4 + ... = 2;
 * with a maxdepth of d the series ends after d + 1 terms. */
static void test_closed_furnace(void **state)
{
    (void)state;
    for (int depth = 0; depth <= 5; depth++) {
        char text[2000];
        snprintf(
            text, sizeof text,
            "Film \"rgb\" \"integer xresolution\" 24 \"integer yresolution\" 24\n"
            "Integrator \"path\" \"integer maxdepth\" %d\n"
            "Camera \"perspective\" \"float fov\" 90\n WorldBegin\n"
            "AreaLightSource \"diffuse\" \"rgb L\" [1 1 1] \"bool twosided\" true\n"
            "Material \"diffuse\" \"rgb reflectance\" [.5 .5 .5]\n Shape \"sphere\" \"float radius\" 3\n",
            depth < 5 ? depth : 100);
        struct lb_loaded loaded;
        load_text(text, 64, &loaded);
        float want = depth < 5 ? 2.0f - ldexpf(1.0f, -depth) : 2.0f;
        assert_grey("closed sphere", mean_of(loaded.scene), want, 0.02f);
        lb_scene_free(&loaded);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_way_to_the_same_sample),
        cmocka_unit_test(test_every_way_to_the_same_feature),
        cmocka_unit_test(test_every_way_to_the_same_option),
        cmocka_unit_test(test_white_furnace),
        cmocka_unit_test(test_closed_furnace),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
