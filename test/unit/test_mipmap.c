/* Tests core/kernel/textures/mipmap.h and the smaller versions of images, by the definitions, evaluated slowly in
 * doubles. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "core/image/image.h"
#include "core/kernel/tree/brute.h"
#include "core/kernel/camera/camera.h"
#include "core/kernel/materials/material.h"
#include "test/scene_text.h"

#include <math.h>
#include <stdio.h>

#define WORLD "Film \"rgb\" \"integer xresolution\" 100 \"integer yresolution\" 80 WorldBegin "

/* A scene of two textures with these parameters and the same image of width x height colours, drawn from [0, 1). */
static void load_image(uint32_t width, uint32_t height, const char *parameters, struct lb_loaded *loaded)
{
    char path[] = "/tmp/lbrender-mipmap-XXXXXX.pfm", text[2000];
    struct lb_error error;
    lb_random random;
    float *values = malloc((size_t)3 * width * height * sizeof *values);
    int file = mkstemps(path, 4);
    assert_true(file >= 0 && values);
    close(file);
    lb_random_start(&random, 7 * width + height);
    for (uint32_t i = 0; i < 3 * width * height; i++)
        values[i] = lb_random_1d(&random);
    assert_int_equal(lb_pfm_write(path, width, height, values, &error), LB_OK);
    free(values);
    snprintf(text, sizeof text,
             WORLD
             "Texture \"t\" \"spectrum\" \"imagemap\" \"string filename\" \"%s\" %s Material \"diffuse\" "
             "\"texture reflectance\" \"t\" Shape \"sphere\" Texture \"u\" \"spectrum\" \"imagemap\" "
             "\"string filename\" \"%s\" %s Material \"diffuse\" \"texture reflectance\" \"u\" Shape "
             "\"sphere\"",
             path, parameters, path, parameters);
    load_scene_text(text, loaded);
    unlink(path);
}

static const lb_image *image_of(const struct lb_loaded *loaded)
{
    return LB_ARRAY(loaded->scene, images, lb_image) + LB_ARRAY(loaded->scene, textures, lb_texture)->image;
}

static double mean_of(const lb_scene *scene, const lb_image *image)
{
    double sum = 0.0;
    for (uint32_t y = 0; y < image->height; y++)
        for (uint32_t x = 0; x < image->width; x++)
            sum += (double)lb_image_texel(scene, image, LB_WRAP_BLACK, false, (int32_t)x, (int32_t)y).g;
    return sum / image->width / image->height;
}

/* ---- smaller versions ---- */

static void test_sizes(void **state)
{
    (void)state;
    static const struct {
        uint32_t width, height, smaller, first_width, first_height;
    } cases[] = {{8, 8, 3, 4, 4}, {5, 3, 3, 4, 2}, {16, 1, 4, 8, 1}, {1, 1, 0, 0, 0}, {33, 64, 6, 32, 32}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct lb_loaded loaded;
        load_image(cases[i].width, cases[i].height, "\"string filter\" \"trilinear\"", &loaded);
        const lb_image *image = image_of(&loaded);
        assert_int_equal(image->smaller, cases[i].smaller);
        double mean = mean_of(loaded.scene, image);
        for (uint32_t level = 1; level <= image->smaller; level++) {
            const lb_image *small = lb_image_level(loaded.scene, image, (int32_t)level);
            uint32_t width = cases[i].first_width >> (level - 1),
                     height = cases[i].first_height >> (level - 1);
            assert_int_equal(small->width, width > 0 ? width : 1);
            assert_int_equal(small->height, height > 0 ? height : 1);
            /* All texels of the image count alike in each of them. */
            assert_true(fabs(mean_of(loaded.scene, small) - mean) < 1e-6);
        }
        lb_scene_free(&loaded);
    }
}

/* Each texel of a smaller image is the mean of four where sizes are powers of two. */
static void test_means(void **state)
{
    (void)state;
    struct lb_loaded loaded;
    load_image(8, 4, "\"string filter\" \"ewa\"", &loaded);
    const lb_image *image = image_of(&loaded);
    for (int32_t level = 1; level <= 2; level++) {
        const lb_image *large = lb_image_level(loaded.scene, image, level - 1);
        const lb_image *small = lb_image_level(loaded.scene, image, level);
        for (int32_t y = 0; y < (int32_t)small->height; y++)
            for (int32_t x = 0; x < (int32_t)small->width; x++) {
                double sum = 0.0;
                for (int32_t i = 0; i < 4; i++)
                    sum += (double)lb_image_texel(loaded.scene, large, LB_WRAP_BLACK, false, 2 * x + i % 2,
                                                  2 * y + i / 2)
                               .r;
                float got = lb_image_texel(loaded.scene, small, LB_WRAP_BLACK, false, x, y).r;
                assert_true(fabs((double)got - 0.25 * sum) < 1e-6);
            }
    }
    lb_scene_free(&loaded);
}

/* Textures without such a filter have none, and two that share an image share them. */
static void test_only_where_needed(void **state)
{
    (void)state;
    struct lb_loaded loaded;
    load_image(8, 8, "", &loaded);
    assert_int_equal(loaded.scene->images.count, 1);
    assert_int_equal(LB_ARRAY(loaded.scene, materials, lb_material)[1].flags, 0);
    lb_scene_free(&loaded);
    load_image(8, 8, "\"string filter\" \"ewa\" \"float maxanisotropy\" 1e9", &loaded);
    const lb_texture *texture = LB_ARRAY(loaded.scene, textures, lb_texture);
    assert_int_equal(loaded.scene->images.count, 4);
    assert_true(texture->anisotropy == LB_ANISOTROPY_MOST);
    lb_scene_free(&loaded);
}

/* ---- filters, by their definitions ---- */

typedef struct {
    double r, g, b;
} colour;

static colour texel(const lb_scene *scene, const lb_image *image, uint32_t wrap, int32_t x, int32_t y)
{
    lb_rgb c = lb_image_texel(scene, image, wrap, false, x, y);
    return (colour){(double)c.r, (double)c.g, (double)c.b};
}

static colour mixed(double part, colour a, colour b)
{
    return (colour){a.r + part * (b.r - a.r), a.g + part * (b.g - a.g), a.b + part * (b.b - a.b)};
}

static colour slow_bilinear(const lb_scene *scene, const lb_image *image, uint32_t wrap, double s, double t)
{
    double x = s * image->width - 0.5, y = t * image->height - 0.5, left = floor(x), top = floor(y);
    int32_t column = (int32_t)left, row = (int32_t)top;
    colour upper =
        mixed(x - left, texel(scene, image, wrap, column, row), texel(scene, image, wrap, column + 1, row));
    colour lower = mixed(x - left, texel(scene, image, wrap, column, row + 1),
                         texel(scene, image, wrap, column + 1, row + 1));
    return mixed(y - top, upper, lower);
}

static colour slow_trilinear(const lb_scene *scene, const lb_image *image, uint32_t wrap, double s, double t,
                             const double span[4])
{
    double width = 0.0;
    for (int i = 0; i < 4; i++)
        width = fmax(width, fabs(span[i]));
    double level = image->smaller + log2(fmax(2.0 * width, 1e-8));
    if (level >= image->smaller)
        return texel(scene, lb_image_level(scene, image, (int32_t)image->smaller), LB_WRAP_CLAMP, 0, 0);
    if (level < 1.0)
        return slow_bilinear(scene, image, wrap, s, t);
    int32_t whole = (int32_t)level;
    return mixed(level - whole, slow_bilinear(scene, lb_image_level(scene, image, whole), wrap, s, t),
                 slow_bilinear(scene, lb_image_level(scene, image, whole + 1), wrap, s, t));
}

/* The Gaussian mean over all texels of a square that holds the ellipse. */
static colour slow_ellipse(const lb_scene *scene, const lb_image *image, int32_t level, uint32_t wrap,
                           double s, double t, const double span[4])
{
    if (level > (int32_t)image->smaller)
        return texel(scene, lb_image_level(scene, image, (int32_t)image->smaller), LB_WRAP_CLAMP, 0, 0);
    const lb_image *texels = lb_image_level(scene, image, level);
    double x0 = span[0] * texels->width, y0 = span[1] * texels->height;
    double x1 = span[2] * texels->width, y1 = span[3] * texels->height;
    double a = y0 * y0 + y1 * y1 + 1.0, b = -2.0 * (x0 * y0 + x1 * y1), c = x0 * x0 + x1 * x1 + 1.0;
    double f = a * c - b * b / 4.0, x = s * texels->width - 0.5, y = t * texels->height - 0.5, weights = 0.0;
    int32_t reach = (int32_t)(sqrt(fmax(a, c)) + 2.0);
    colour sum = {0.0, 0.0, 0.0};
    for (int32_t row = (int32_t)floor(y) - reach; row <= (int32_t)floor(y) + reach; row++)
        for (int32_t column = (int32_t)floor(x) - reach; column <= (int32_t)floor(x) + reach; column++) {
            double dx = column - x, dy = row - y, distance = (a * dx * dx + b * dx * dy + c * dy * dy) / f;
            if (distance >= 1.0)
                continue;
            double weight = exp(-2.0 * distance) - exp(-2.0);
            colour one = texel(scene, texels, wrap, column, row);
            sum = (colour){sum.r + weight * one.r, sum.g + weight * one.g, sum.b + weight * one.b};
            weights += weight;
        }
    return (colour){sum.r / weights, sum.g / weights, sum.b / weights};
}

static colour slow_elliptic(const lb_scene *scene, const lb_image *image, uint32_t wrap, double anisotropy,
                            double s, double t, const double span[4])
{
    double axes[4] = {span[0], span[1], span[2], span[3]};
    double lengths[2] = {hypot(axes[0], axes[1]), hypot(axes[2], axes[3])};
    int shorter = lengths[0] < lengths[1] ? 0 : 1;
    double wider = fmax(1.0, lengths[1 - shorter] / (lengths[shorter] * anisotropy));
    axes[2 * shorter] *= wider;
    axes[2 * shorter + 1] *= wider;
    double level = fmax(0.0, image->smaller + log2(lengths[shorter] * wider));
    int32_t whole = (int32_t)fmin(level, 1000.0);
    return mixed(level - whole, slow_ellipse(scene, image, whole, wrap, s, t, axes),
                 slow_ellipse(scene, image, whole + 1, wrap, s, t, axes));
}

static void assert_colour(lb_rgb got, colour expected)
{
    /* Floats of coordinates, by which the weights differ a little. */
    if (!(fabs((double)got.r - expected.r) < 2e-4 && fabs((double)got.g - expected.g) < 2e-4 &&
          fabs((double)got.b - expected.b) < 2e-4))
        fail_msg("(%g, %g, %g), not (%g, %g, %g)", (double)got.r, (double)got.g, (double)got.b, expected.r,
                 expected.g, expected.b);
}

/* Ellipses of all sizes, from much less than a texel to more than the image, in all directions. */
static void test_filters(void **state)
{
    (void)state;
    static const uint32_t sizes[][2] = {{32, 32}, {13, 7}, {64, 4}, {1, 1}, {1, 9}};
    lb_random random;
    lb_random_start(&random, 11);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        struct lb_loaded loaded;
        load_image(sizes[i][0], sizes[i][1], "\"string filter\" \"ewa\"", &loaded);
        const lb_scene *scene = loaded.scene;
        const lb_image *image = image_of(&loaded);
        for (int k = 0; k < 2000; k++) {
            float s = 4.0f * lb_random_1d(&random) - 2.0f, t = 4.0f * lb_random_1d(&random) - 2.0f;
            float size = lb_pow(2.0f, 12.0f * lb_random_1d(&random) - 10.0f);
            uint32_t wrap = (uint32_t)k % 4;
            float anisotropy = 1.0f + 15.0f * lb_random_1d(&random);
            float way[4];
            double span[4];
            for (int c = 0; c < 4; c++) {
                way[c] = size * (2.0f * lb_random_1d(&random) - 1.0f);
                span[c] = (double)way[c];
            }
            lb_texture texture = *LB_ARRAY(scene, textures, lb_texture);
            lb_footprint footprint;
            lb_texture_place place;
            memset(&footprint, 0, sizeof footprint);
            memset(&place, 0, sizeof place);
            footprint.duvdx = lb_vec2_make(way[0], -way[1]);
            footprint.duvdy = lb_vec2_make(way[2], -way[3]);
            place.footprint = &footprint;
            place.uv = lb_vec2_make(s, 1.0f - t);
            texture.wrap = wrap;
            texture.anisotropy = anisotropy;
            texture.filter = LB_FILTERED_TRILINEAR;
            assert_colour(lb_texture_image(scene, &texture, &place),
                          slow_trilinear(scene, image, wrap, (double)s, (double)t, span));
            texture.filter = LB_FILTERED_ELLIPSE;
            assert_colour(lb_texture_image(scene, &texture, &place),
                          slow_elliptic(scene, image, wrap, (double)anisotropy, (double)s, (double)t, span));
        }
        lb_scene_free(&loaded);
    }
}

/* Any bits of a float as coordinates and ways: the mean of a constant image is that, and takes no time. */
static void test_any_floats(void **state)
{
    (void)state;
    struct lb_loaded loaded;
    lb_random random;
    lb_random_start(&random, 5);
    load_image(1, 37, "\"string filter\" \"ewa\" \"float maxanisotropy\" 64", &loaded);
    const lb_texture *texture = LB_ARRAY(loaded.scene, textures, lb_texture);
    float *texels = (float *)(uintptr_t)LB_ARRAY(loaded.scene, texels, unsigned char);
    for (uint64_t i = 0; i < loaded.scene->texels.count / sizeof *texels; i++)
        texels[i] = 0.75f;
    for (int k = 0; k < 4000; k++) {
        float any[6];
        for (int c = 0; c < 6; c++)
            any[c] = lb_bits_float((uint32_t)(lb_random_1d(&random) * 4294967040.0f));
        lb_footprint footprint;
        memset(&footprint, 0, sizeof footprint);
        footprint.duvdx = lb_vec2_make(any[0], any[1]);
        footprint.duvdy = lb_vec2_make(any[2], any[3]);
        lb_texture_place place;
        memset(&place, 0, sizeof place);
        place.footprint = &footprint;
        place.uv = lb_vec2_make(any[4], any[5]);
        lb_texture changed = *texture;
        for (changed.filter = LB_FILTERED_TRILINEAR; changed.filter <= LB_FILTERED_ELLIPSE;
             changed.filter++) {
            lb_rgb got = lb_texture_image(loaded.scene, &changed, &place);
            assert_true(lb_abs(got.g - 0.75f) < 1e-5f);
        }
    }
    lb_scene_free(&loaded);
}

/* ---- spans ---- */

/* How a mapping's coordinates change over a way is what they differ by at the end of a short one. */
static void test_spans(void **state)
{
    (void)state;
    static const char *const mappings[] = {
        "\"float uscale\" 3 \"float vscale\" -2 \"float udelta\" 0.3",
        "\"string mapping\" \"planar\" \"vector3 v1\" [1 2 3] \"vector3 v2\" [0 -1 0.5]",
        "\"string mapping\" \"spherical\"",
        "\"string mapping\" \"cylindrical\"",
    };
    lb_random random;
    lb_random_start(&random, 3);
    for (size_t i = 0; i < sizeof mappings / sizeof mappings[0]; i++) {
        struct lb_loaded loaded;
        load_image(4, 4, mappings[i], &loaded);
        const lb_texture *texture = LB_ARRAY(loaded.scene, textures, lb_texture);
        for (int k = 0; k < 200; k++) {
            float value[8];
            for (int c = 0; c < 8; c++)
                value[c] = 2.0f * lb_random_1d(&random) - 1.0f;
            lb_footprint footprint;
            lb_texture_place place, next;
            memset(&footprint, 0, sizeof footprint);
            footprint.dpdx = lb_vec3_make(value[0], value[1], value[2]);
            footprint.duvdx = lb_vec2_make(value[3], value[4]);
            place.footprint = &footprint;
            place.normal = lb_vec3_make(0.0f, 0.0f, 1.0f);
            place.uv = lb_vec2_make(value[5], value[6]);
            place.position = lb_vec3_make(value[5], value[6] + (value[6] < 0.0f ? -0.3f : 0.3f), value[7]);
            next = place;
            const float step = 1.0f / 512.0f;
            next.uv.x += step * footprint.duvdx.x;
            next.uv.y += step * footprint.duvdx.y;
            next.position = lb_add_scaled(place.position, footprint.dpdx, step);
            lb_vec2 here = lb_texture_coordinates(texture, &place),
                    there = lb_texture_coordinates(texture, &next);
            if (lb_abs(there.y - here.y) > 0.5f) /* over the seam */
                continue;
            lb_image_span span = lb_texture_span(texture, &place);
            assert_true(lb_abs((there.x - here.x) / step - span.dx.x) < 0.02f);
            assert_true(lb_abs((here.y - there.y) / step - span.dx.y) < 0.02f);
        }
        lb_scene_free(&loaded);
    }
}

static void hit_of(const lb_scene *scene, float x, float y, lb_ray *ray, lb_hit *hit)
{
    *ray = lb_camera_ray(scene, lb_vec2_make(x, y), lb_vec2_make(0.5f, 0.5f));
    assert_true(lb_brute_closest(scene, ray, hit));
}

/* The footprint in surface coordinates is how uv differ at what neighbouring pixels see, times what the number of
 * samples makes of it. */
static void test_footprint(void **state)
{
    (void)state;
    struct lb_loaded loaded;
    load_scene_text("LookAt 1 3 5  0 0 0  0 1 0 Camera \"perspective\" \"float fov\" 30 Sampler "
                    "\"independent\" \"integer "
                    "pixelsamples\" 4 " WORLD
                    "Material \"diffuse\" Shape \"trianglemesh\" \"integer indices\" [0 1 2 0 2 3] "
                    "\"point3 P\" [-9 0 9 9 1 9 9 0 -9 -9 -1 -9] \"point2 uv\" [0 0 3 0 3 2 0.5 2]",
                    &loaded);
    const lb_scene *scene = loaded.scene;
    const lb_shape *shape = LB_ARRAY(scene, shapes, lb_shape);
    lb_material material = LB_ARRAY(scene, materials, lb_material)[shape->material];
    material.flags = LB_MATERIAL_FILTERED;
    for (int i = 0; i < 60; i++) {
        float x = 10.0f + (float)(i % 10) * 8.0f, y = 10.0f + (float)(i / 10) * 10.0f;
        lb_ray ray, right, down;
        lb_hit hit, beside, below;
        lb_surface surface;
        lb_footprint footprint;
        hit_of(scene, x, y, &ray, &hit);
        hit_of(scene, x + 1.0f, y, &right, &beside);
        hit_of(scene, x, y - 1.0f, &down, &below);
        if (beside.primitive.primitive != hit.primitive.primitive ||
            below.primitive.primitive != hit.primitive.primitive)
            continue;
        lb_surface_make(scene, shape, &ray, &hit, &surface);
        lb_material_footprint(scene, &material, shape, &surface, &ray, &hit, &footprint);
        lb_vec2 uv = lb_surface_uv(scene, shape, &ray, &hit);
        lb_vec2 uv_x = lb_surface_uv(scene, shape, &right, &beside);
        lb_vec2 uv_y = lb_surface_uv(scene, shape, &down, &below);
        /* With 4 samples a pixel, half of it; the camera's x is to the right. */
        assert_true(lb_abs(0.5f * (uv_x.x - uv.x) - footprint.duvdx.x) < 3e-4f);
        assert_true(lb_abs(0.5f * (uv_x.y - uv.y) - footprint.duvdx.y) < 3e-4f);
        assert_true(lb_abs(0.5f * (uv_y.x - uv.x) - footprint.duvdy.x) < 3e-4f);
        assert_true(lb_abs(0.5f * (uv_y.y - uv.y) - footprint.duvdy.y) < 3e-4f);
    }
    lb_scene_free(&loaded);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_means),
        cmocka_unit_test(test_only_where_needed),
        cmocka_unit_test(test_filters),
        cmocka_unit_test(test_any_floats),
        cmocka_unit_test(test_spans),
        cmocka_unit_test(test_footprint),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
