/* Tests lights: a direction that is drawn has the density that a ray is told which meets the light by chance, and the
 * mean over light samples is what looking in all directions finds. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "core/kernel/tree/brute.h"
#include "core/kernel/lights/light.h"
#include "core/kernel/sampler.h"
#include "test/scene_text.h"
#include "test/unit/skip_test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static lb_vec2 point(lb_random *random)
{
    lb_vec2 u;
    u.x = lb_random_1d(random);
    u.y = lb_random_1d(random);
    return u;
}

/* Emitters of every kind, turned, scaled, mirrored, two-sided and partial. */
static const char *const emitters[] = {
    "Shape \"trianglemesh\" \"point3 P\" [-1 0 0  1 0.2 0  0 1 0.3]",
    "ReverseOrientation Shape \"trianglemesh\" \"point3 P\" [-1 0 0  1 0.2 0  0 1 0.3]",
    "Scale 1 -2 1 Shape \"trianglemesh\" \"point3 P\" [-1 0 0  1 0.2 0  0 1 0.3]",
    "Shape \"trianglemesh\" \"point3 P\" [-1 0 0  1 0.2 0  0 1 0.3] \"normal N\" [0 1 -2  1 0 -2  0 0 -1]",
    "Shape \"trianglemesh\" \"point3 P\" [-1 0 0  1 0.2 0  0 1 0.3] \"normal N\" [0 1 2  1 0 -2  0 0 1]",
    "Shape \"sphere\" \"float radius\" 0.7",
    "ReverseOrientation Shape \"sphere\" \"float radius\" 2.5",
    "Rotate 30 1 1 0 Scale 2 2 2 Shape \"sphere\" \"float radius\" 0.3",
    "Rotate 30 1 1 0 Scale 1 2 0.5 Shape \"sphere\" \"float radius\" 0.5",
    "Shape \"sphere\" \"float radius\" 0.7 \"float zmin\" -0.2 \"float zmax\" 0.5 \"float phimax\" 200",
    "Scale 0.5 1 1.5 Shape \"sphere\" \"float radius\" 0.7 \"float zmax\" 0.5",
    "Shape \"cylinder\" \"float radius\" 0.5 \"float zmin\" -0.2 \"float zmax\" 0.7",
    "Rotate 40 1 0 0 Scale 1 2 -0.5 Shape \"cylinder\" \"float radius\" 0.6 \"float phimax\" 200",
    "Shape \"disk\" \"float radius\" 0.8",
    ("Rotate 40 1 0 0 Scale 2 1 1 Shape \"disk\" \"float radius\" 0.8 \"float innerradius\" 0.3 \"float "
     "phimax\" 250"),
    "Scale 1 1 -1 Shape \"disk\" \"float radius\" 0.8 \"float height\" 0.2",
};
enum { EMITTERS = sizeof emitters / sizeof emitters[0] };

static void load_emitter(int number, bool twosided, struct lb_loaded *loaded)
{
    char text[1000];
    snprintf(text, sizeof text,
             "Camera \"perspective\" WorldBegin AreaLightSource \"diffuse\" \"rgb L\" [1 2 3] \"bool "
             "twosided\" %s %s",
             twosided ? "true" : "false", emitters[number]);
    load_scene_text(text, loaded);
}

/* The light that a ray from `from` meets, and the density with which light sampling draws its direction. */
static lb_rgb look(const lb_scene *scene, lb_vec3 from, lb_vec3 direction, lb_hit *hit, float *pdf)
{
    lb_ray ray = {.origin = from, .direction = direction, .t_max = LB_INFINITY};
    *pdf = 0.0f;
    if (!lb_brute_closest(scene, &ray, hit))
        return lb_rgb_grey(0.0f);
    const lb_shape *shape = LB_ARRAY(scene, shapes, lb_shape) + hit->primitive.shape;
    lb_surface surface;
    lb_surface_make(scene, shape, &ray, hit, &surface);
    const lb_light *light = LB_ARRAY(scene, lights, lb_light) + shape->first_light + hit->primitive.primitive;
    *pdf = lb_area_pdf(light, shape, &surface, from, direction, hit->t);
    return lb_area_radiance(scene, light, shape, &surface, &ray, hit);
}

/* A sampled direction leads to the light, at the sampled distance, and has the sampled density there. */
static void test_area_samples_meet_their_light(void **state)
{
    (void)state;
    lb_random random;
    lb_random_start(&random, 1);
    for (int number = 0; number < EMITTERS; number++) {
        struct lb_loaded loaded;
        int met = 0, drawn = 0;
        load_emitter(number, false, &loaded);
        for (int i = 0; i < 3000; i++) {
            lb_vec3 from = lb_scale(lb_sample_sphere(point(&random)), 1.0f + 4.0f * lb_random_1d(&random));
            lb_light_sample sample;
            lb_light_draw(loaded.scene, 0, from, point(&random), &sample);
            if (!(sample.pdf > 0.0f))
                continue;
            lb_hit hit;
            float pdf;
            lb_rgb radiance = look(loaded.scene, from, sample.direction, &hit, &pdf);
            drawn++;
            if (hit.primitive.shape == LB_NONE || lb_abs(hit.t - sample.distance) > 1e-3f * sample.distance)
                continue; /* the far side of a partial shape, or its rim */
            met++;
            if (pdf < 50.0f) /* along the surface the cosine is all rounding */
                assert_true(lb_abs(pdf - sample.pdf) <= 2e-2f * pdf);
            assert_true(lb_rgb_is_black(radiance) || radiance.g == sample.radiance.g);
        }
        assert_true(drawn > 500);
        if (met < 0.6 * drawn)
            fail_msg("%s: %d of %d samples are met", emitters[number], met, drawn);
        lb_scene_free(&loaded);
    }
}

/* Writes a mesh of one triangle with normals, in most cases about those of its plane and all on one side of it. */
static void random_mesh(lb_random *random, char *text, size_t size)
{
    lb_vec3 p[3], n[3], cross;
    float spread = lb_random_1d(random) < 0.3f ? 3.0f : 0.5f;
    for (int i = 0; i < 3; i++)
        p[i] = lb_sample_sphere(point(random));
    cross = lb_normalize(lb_cross(lb_sub(p[1], p[0]), lb_sub(p[2], p[0])));
    float side = lb_random_1d(random) < 0.5f ? -1.0f : 1.0f;
    for (int i = 0; i < 3; i++)
        n[i] = lb_add_scaled(lb_scale(cross, side), lb_sample_sphere(point(random)), spread);
    snprintf(text, size,
             "Camera \"perspective\" WorldBegin %s %s AreaLightSource \"diffuse\" Shape \"trianglemesh\" "
             "\"point3 P\" "
             "[%g %g %g %g %g %g %g %g %g] \"normal N\" [%g %g %g %g %g %g %g %g %g]",
             lb_random_1d(random) < 0.5f ? "ReverseOrientation" : "",
             lb_random_1d(random) < 0.5f ? "Scale 1 -2 1" : "", (double)p[0].x, (double)p[0].y,
             (double)p[0].z, (double)p[1].x, (double)p[1].y, (double)p[1].z, (double)p[2].x, (double)p[2].y,
             (double)p[2].z, (double)n[0].x, (double)n[0].y, (double)n[0].z, (double)n[1].x, (double)n[1].y,
             (double)n[1].z, (double)n[2].x, (double)n[2].y, (double)n[2].z);
}

/* What a light keeps of its triangle is what its shape has: the corners, and which way the normal shows everywhere. */
static void test_lights_know_their_triangles(void **state)
{
    (void)state;
    lb_random random;
    lb_random_start(&random, 11);
    int known = 0, meshes = 600;
    for (int mesh = 0; mesh < meshes; mesh++) {
        char text[1000];
        struct lb_loaded loaded;
        random_mesh(&random, text, sizeof text);
        load_scene_text(text, &loaded);
        const lb_light *light = LB_ARRAY(loaded.scene, lights, lb_light);
        const lb_shape *shape = LB_ARRAY(loaded.scene, shapes, lb_shape);
        lb_corners corners = lb_mesh_corners(loaded.scene, shape, 0);
        assert_memory_equal(light->corners, corners.p, sizeof corners.p);
        known += light->facing != 0.0f;
        for (int i = 0; i < 50; i++) {
            lb_emitter_sample sample;
            lb_vec3 from = lb_scale(lb_sample_sphere(point(&random)), 3.0f), ns;
            lb_triangle_sample(loaded.scene, light, from, point(&random), &sample);
            lb_vec3 ng = lb_mesh_normals(loaded.scene, shape, &corners, sample.b1, sample.b2, &ns);
            assert_true(ng.x == sample.ng.x && ng.y == sample.ng.y && ng.z == sample.ng.z);
        }
        lb_scene_free(&loaded);
    }
    assert_true(known > meshes / 2 && known < meshes - meshes / 10);
}

static float seen_under(const lb_corners *corners, lb_vec3 from)
{
    lb_seen_triangle seen;
    lb_triangle_see(corners->p, from, &seen);
    return seen.solid_angle;
}

/* The corners of an octant are seen under an eighth of all directions. Directions to random triangles go to each half
 * of them as often as its part of the solid angle says, from whichever corner they are halved. */
static void test_near_triangles_are_drawn_evenly(void **state)
{
    (void)state;
    enum { TRIANGLES = 300, COUNT = 4000 };
    lb_random random;
    lb_random_start(&random, 4);
    lb_vec3 origin = lb_vec3_make(0.0f, 0.0f, 0.0f);
    lb_corners octant = {.p = {{2.0f, 0.0f, 0.0f}, {0.0f, 3.0f, 0.0f}, {0.0f, 0.0f, 0.5f}}};
    assert_true(lb_abs(seen_under(&octant, origin) - 0.5f * LB_PI) < 1e-6f);
    double square = 0.0;
    int tried = 0;
    while (tried < TRIANGLES) {
        lb_corners whole, half;
        for (int i = 0; i < 3; i++)
            whole.p[i] = lb_scale(lb_sample_sphere(point(&random)), 0.2f + lb_random_1d(&random));
        lb_seen_triangle seen;
        lb_triangle_see(whole.p, origin, &seen);
        int cut = tried % 3, held = 0;
        half = whole;
        half.p[(cut + 1) % 3] = lb_scale(lb_add(whole.p[(cut + 1) % 3], whole.p[(cut + 2) % 3]), 0.5f);
        double part = (double)(seen_under(&half, origin) / seen.solid_angle);
        /* The sine of the angle that a side is seen under: rounding shows where it is small. */
        float least = 1.0f;
        for (int i = 0; i < 3; i++)
            least = lb_min(least,
                           lb_length(lb_cross(lb_normalize(whole.p[i]), lb_normalize(whole.p[(i + 1) % 3]))));
        if (!(seen.solid_angle > 0.01f) || !(part > 0.01 && part < 0.99) || least < 0.05f)
            continue;
        for (int i = 0; i < COUNT; i++) {
            float b[3];
            lb_vec3 direction = lb_triangle_direction(&seen, point(&random));
            lb_triangle_weights(&seen, direction, &b[1], &b[2]);
            b[0] = 1.0f - b[1] - b[2];
            lb_vec3 met = lb_add(lb_add(lb_scale(whole.p[0], b[0]), lb_scale(whole.p[1], b[1])),
                                 lb_scale(whole.p[2], b[2]));
            assert_true(lb_dot(lb_normalize(met), lb_normalize(direction)) > 0.9999f);
            held += b[(cut + 1) % 3] < b[(cut + 2) % 3];
        }
        square += pow(held - part * COUNT, 2) / (part * (1.0 - part) * COUNT);
        tried++;
    }
    assert_true(square < 381.4); /* with 300 degrees of freedom it is so large once in a thousand times */
}

/* The light that arrives at a point, weighted with a cosine: by light samples that are not in shadow, and by looking in
 * all directions. */
static void test_area_lights_send_what_they_show(void **state)
{
    (void)state;
    lb_random random;
    lb_random_start(&random, 2);
    for (int number = 0; number < 2 * EMITTERS; number++) {
        struct lb_loaded loaded;
        load_emitter(number % EMITTERS, number >= EMITTERS, &loaded);
        lb_vec3 from = lb_vec3_make(0.3f, 0.4f, number % 2 ? 1.4f : -1.4f);
        double drawn = 0.0, seen = 0.0;
        int count = 40000;
        for (int i = 0; i < count; i++) {
            lb_light_sample sample;
            lb_hit hit;
            float pdf;
            lb_light_draw(loaded.scene, 0, from, point(&random), &sample);
            if (sample.pdf > 0.0f) {
                lb_ray ray = {
                    .origin = from, .direction = sample.direction, .t_max = sample.distance * (1.0f - 1e-4f)};
                if (!lb_brute_any(loaded.scene, &ray))
                    drawn += (double)(sample.radiance.r * lb_abs(sample.direction.z) / sample.pdf);
            }
            lb_vec3 direction = lb_sample_sphere(point(&random));
            seen += 4.0 * M_PI *
                    (double)(look(loaded.scene, from, direction, &hit, &pdf).r * lb_abs(direction.z));
        }
        drawn /= count;
        seen /= count;
        if (fabs(drawn - seen) > 0.06 * seen + 0.01)
            fail_msg("%s: drawn %g, seen %g", emitters[number % EMITTERS], drawn, seen);
        lb_scene_free(&loaded);
    }
}

/* ---- lights with images ---- */

/* An image of 4 x 3 as a file; of one colour where `plain`. */
static void write_image(bool plain, char path[static 32])
{
    char bytes[200];
    strcpy(path, "/tmp/lbrender-image-XXXXXX");
    int head = snprintf(bytes, sizeof bytes, "PF\n4 3\n-1.0\n"), file = mkstemp(path);
    assert_true(file >= 0);
    for (int i = 0; i < 12; i++) {
        const float texel[3] = {plain ? 1.0f : (float)(i % 4) + 1.0f, plain ? 2.0f : (float)(2 - i / 4),
                                plain ? 3.0f : 0.5f};
        memcpy(bytes + head + (size_t)i * sizeof texel, texel, sizeof texel);
    }
    ssize_t size = head + 144;
    assert_int_equal(write(file, bytes, (size_t)size), size);
    close(file);
}

static void load_image_emitter(int number, bool plain, struct lb_loaded *loaded)
{
    char image[32], text[1000];
    write_image(plain, image);
    snprintf(text, sizeof text,
             "Camera \"perspective\" WorldBegin AreaLightSource \"diffuse\" \"string filename\" \"%s\" %s",
             image, emitters[number]);
    load_scene_text(text, loaded);
    unlink(image);
}

/* What light sampling finds is what a ray to the same place meets; an image of one colour is no other light than that
 * colour. */
static void test_images_are_the_same_drawn_and_met(void **state)
{
    (void)state;
    lb_random random;
    lb_random_start(&random, 7);
    for (int number = 0; number < EMITTERS; number++) {
        struct lb_loaded loaded, plain, colour;
        int met = 0, drawn = 0;
        load_image_emitter(number, false, &loaded);
        load_image_emitter(number, true, &plain);
        load_emitter(number, false, &colour);
        for (int i = 0; i < 1000; i++) {
            lb_vec3 from = lb_scale(lb_sample_sphere(point(&random)), 1.0f + 4.0f * lb_random_1d(&random));
            lb_vec2 u = point(&random);
            lb_light_sample sample, same;
            lb_hit hit;
            float pdf;
            lb_light_draw(plain.scene, 0, from, u, &sample);
            lb_light_draw(colour.scene, 0, from, u, &same);
            assert_true(sample.pdf == same.pdf);
            assert_true(!(sample.pdf > 0.0f) ||
                        (sample.radiance.g == same.radiance.g && same.radiance.g == 2.0f));
            lb_light_draw(loaded.scene, 0, from, u, &sample);
            if (!(sample.pdf > 0.0f))
                continue;
            drawn++;
            lb_rgb radiance = look(loaded.scene, from, sample.direction, &hit, &pdf);
            if (hit.primitive.shape == LB_NONE || lb_abs(hit.t - sample.distance) > 1e-3f * sample.distance ||
                lb_rgb_is_black(radiance))
                continue;
            met++;
            assert_true(lb_abs(radiance.r - sample.radiance.r) < 0.05f &&
                        lb_abs(radiance.g - sample.radiance.g) < 0.05f);
            assert_true(sample.radiance.b == 0.5f);
        }
        if (met < 0.5 * drawn)
            fail_msg("%s: %d of %d samples are met", emitters[number], met, drawn);
        lb_scene_free(&loaded);
        lb_scene_free(&plain);
        lb_scene_free(&colour);
    }
}

/* The lower left of an image is at uv (0, 0), texels are blended, and beyond it its edge goes on. */
static void test_image_lies_on_uv(void **state)
{
    (void)state;
    static const struct {
        float u, v, r, g;
    } places[] = {{0.125f, 1.0f / 6.0f, 1, 2}, {0.875f, 1.0f / 6.0f, 4, 2}, {0.125f, 5.0f / 6.0f, 1, 0},
                  {0.25f, 0.5f, 1.5f, 1},      {-0.2f, 0.5f, 1, 1},         {1.3f, 0.6f, 4, 0.7f},
                  {0.125f, 1.7f, 1, 0}};
    char image[32], text[1000];
    struct lb_loaded loaded;
    write_image(false, image);
    snprintf(
        text, sizeof text,
        "Camera \"perspective\" WorldBegin AreaLightSource \"diffuse\" \"string filename\" \"%s\" \"float "
        "scale\" 2 "
        "Shape \"trianglemesh\" \"point3 P\" [ -1 -1 0 3 -1 0 -1 3 0 ] \"point2 uv\" [ -1 -1 3 -1 -1 3 ]",
        image);
    load_scene_text(text, &loaded);
    unlink(image);
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        lb_hit hit;
        float pdf;
        lb_rgb got =
            look(loaded.scene, lb_vec3_make(places[i].u, places[i].v, 1), lb_vec3_make(0, 0, -1), &hit, &pdf);
        assert_float_equal(got.r, 2.0f * places[i].r, 1e-4f);
        assert_float_equal(got.g, 2.0f * places[i].g, 1e-4f);
    }
    lb_scene_free(&loaded);
}

/* Intensity of light 0, which is at the origin, in a direction of unit length. */
static lb_rgb intensity(const lb_scene *scene, lb_vec3 direction)
{
    lb_light_sample sample;
    lb_light_draw(scene, 0, lb_scale(direction, 2.0f), lb_vec2_make(0.5f, 0.5f), &sample);
    return sample.pdf > 0.0f ? lb_rgb_scale(sample.radiance, 4.0f) : lb_rgb_grey(0.0f);
}

static lb_rgb intensity_at(const lb_scene *scene, float x, float y, float z)
{
    return intensity(scene, lb_normalize(lb_vec3_make(x, y, z)));
}

/* The image stands upright before the light, as a camera of the same field of view sees it, nothing is beyond it, and
 * its intensities add up to its power. */
static void test_projection(void **state)
{
    (void)state;
    char image[32], text[1000];
    struct lb_loaded loaded;
    write_image(false, image);
    snprintf(text, sizeof text,
             "Camera \"perspective\" WorldBegin LightSource \"projection\" \"string filename\" \"%s\" "
             "\"float fov\" 90 "
             "\"float scale\" 3",
             image);
    load_scene_text(text, &loaded);
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 4; column++) { /* the shorter side reaches from -1 to 1 */
            float x = ((float)column - 1.5f) * (2.0f / 3.0f), y = (1.0f - (float)row) * (2.0f / 3.0f);
            lb_rgb got = intensity_at(loaded.scene, x, y, 1.0f);
            assert_float_equal(got.r, 3.0f * (float)(column + 1), 1e-4f);
            assert_float_equal(got.g, 3.0f * (float)row, 1e-4f);
            assert_float_equal(got.b, 1.5f, 1e-4f);
        }
    assert_true(lb_rgb_is_black(intensity_at(loaded.scene, 1.34f, 0.0f, 1.0f)));
    assert_true(!lb_rgb_is_black(intensity_at(loaded.scene, 1.33f, 0.0f, 1.0f)));
    assert_true(lb_rgb_is_black(intensity_at(loaded.scene, 0.0f, -1.01f, 1.0f)));
    assert_true(lb_rgb_is_black(intensity_at(loaded.scene, 0.1f, 0.1f, -1.0f)));
    lb_scene_free(&loaded);
    snprintf(text, sizeof text,
             "Camera \"perspective\" WorldBegin Scale 3 3 3 LightSource \"projection\" "
             "\"string filename\" "
             "\"%s\" \"float fov\" 20 \"float power\" 12",
             image);
    load_scene_text(text, &loaded);
    unlink(image);
    double sum = 0.0;
    const float side = 2.0f * 0.17633f / 150.0f; /* of a square of the plane z = 1; tan 10 degrees */
    for (int i = 0; i < 200 * 150; i++) {
        float x = ((float)(i % 200) - 99.5f) * side, y = ((float)(i / 200) - 74.5f) * side;
        double cosine = 1.0 / sqrt(1.0 + (double)(x * x + y * y));
        sum += (double)lb_rgb_luminance(intensity_at(loaded.scene, x, y, 1.0f)) * cosine * cosine * cosine;
    }
    assert_true(fabs(sum * (double)(side * side) - 12.0) < 0.06);
    assert_float_equal(LB_ARRAY(loaded.scene, lights, lb_light)->power, 12.0f, 1e-4f);
    lb_scene_free(&loaded);
}

/* ---- environment maps ---- */

static void test_octahedral_map(void **state)
{
    (void)state;
    lb_random random;
    lb_random_start(&random, 3);
    double moment[3] = {0, 0, 0}, square[3] = {0, 0, 0};
    int count = 100000;
    for (int i = 0; i < count; i++) {
        lb_vec2 p = point(&random);
        lb_vec3 d = lb_octahedral_direction(p);
        assert_float_equal(lb_length(d), 1.0f, 1e-5f);
        lb_vec2 back = lb_octahedral_point(d);
        assert_true(lb_abs(back.x - p.x) < 1e-3f && lb_abs(back.y - p.y) < 1e-3f);
        double v[3] = {(double)d.x, (double)d.y, (double)d.z};
        for (int a = 0; a < 3; a++) {
            moment[a] += v[a] / count;
            square[a] += v[a] * v[a] / count;
        }
    }
    for (int a = 0; a < 3; a++) { /* equal areas: as on the sphere */
        assert_true(fabs(moment[a]) < 0.01);
        assert_true(fabs(square[a] - 1.0 / 3.0) < 0.01);
    }
    /* pbrt's layout: +z in the centre, the top row towards -y, +x to the right. */
    assert_float_equal(lb_octahedral_direction(lb_vec2_make(0.5f, 0.5f)).z, 1.0f, 1e-6f);
    assert_float_equal(lb_octahedral_direction(lb_vec2_make(0.5f, 0.0f)).y, -1.0f, 1e-6f);
    assert_float_equal(lb_octahedral_direction(lb_vec2_make(1.0f, 0.5f)).x, 1.0f, 1e-6f);
    assert_float_equal(lb_octahedral_direction(lb_vec2_make(0.0f, 0.0f)).z, -1.0f, 1e-6f);
}

/* Over an edge of the square lies the neighbouring direction's texel. */
static void test_octahedral_wrap(void **state)
{
    (void)state;
    enum { N = 8 };
    for (int i = -1; i <= N; i++)
        for (int side = 0; side < 4; side++) {
            int32_t x = side == 0 ? -1 : side == 1 ? N : i, y = side == 2 ? -1 : side == 3 ? N : i;
            int32_t wx = x, wy = y;
            assert_true(lb_image_wrap(LB_WRAP_OCTAHEDRAL, N, N, &wx, &wy));
            assert_true(wx >= 0 && wx < N && wy >= 0 && wy < N);
            int32_t cx = x < 0 ? 0 : x >= N ? N - 1 : x, cy = y < 0 ? 0 : y >= N ? N - 1 : y;
            lb_vec3 a = lb_octahedral_direction(
                lb_vec2_make(((float)cx + 0.5f) / (float)N, ((float)cy + 0.5f) / (float)N));
            lb_vec3 b = lb_octahedral_direction(
                lb_vec2_make(((float)wx + 0.5f) / (float)N, ((float)wy + 0.5f) / (float)N));
            assert_true(lb_dot(a, b) > 0.5f);
        }
}

/* The map in ../shared: samples agree with looking, and the mean radiance is the same both ways. */
static void test_environment(void **state)
{
    (void)state;
    char folder[4096], text[6000];
    skip_without_data();
    assert_non_null(realpath("../shared/data/scenes/features/textures/env.pfm", folder));
    snprintf(text, sizeof text,
             "Camera \"perspective\" WorldBegin Rotate 40 1 2 0 LightSource \"infinite\" \"string filename\" "
             "\"%s\"",
             folder);
    struct lb_loaded loaded;
    load_scene_text(text, &loaded);
    const lb_light *light = LB_ARRAY(loaded.scene, lights, lb_light);
    lb_random random;
    lb_random_start(&random, 4);
    double drawn = 0.0, seen = 0.0, density = 0.0, cells = (double)light->map_size * light->map_size;
    int count = 400000;
    const float *table = LB_ARRAY(loaded.scene, tables, float) + light->density.offset;
    for (size_t i = 0; i < (size_t)cells; i++)
        density += (double)table[i];
    assert_true(fabs(density / cells - 1.0) < 1e-3);
    for (int i = 0; i < count; i++) {
        /* Weighted, as the sampling leaves out what is darker than the mean. */
        lb_light_sample sample;
        float pdf;
        lb_light_draw(loaded.scene, 0, lb_vec3_make(0, 0, 0), point(&random), &sample);
        lb_rgb radiance = lb_environment_radiance(loaded.scene, light, sample.direction, &pdf);
        if (pdf > 0.0f) {
            float weight = lb_power_heuristic(pdf, LB_1_4PI);
            drawn += (double)(radiance.g * weight / pdf);
            assert_true(lb_abs(pdf - sample.pdf) <= 1e-3f * pdf || radiance.g != sample.radiance.g);
        }
        lb_vec3 direction = lb_sample_sphere(point(&random));
        radiance = lb_environment_radiance(loaded.scene, light, direction, &pdf);
        drawn += (double)(radiance.g * lb_power_heuristic(LB_1_4PI, pdf) / LB_1_4PI);
        seen += (double)(radiance.g / LB_1_4PI);
    }
    assert_true(fabs(drawn - seen) < 0.05 * seen);
    lb_scene_free(&loaded);
}

/* ---- the others ---- */

static void test_point_spot_distant(void **state)
{
    (void)state;
    struct lb_loaded loaded;
    load_scene_text(
        "Camera \"perspective\" WorldBegin LightSource \"point\" \"rgb I\" [8 4 2] \"point3 from\" [1 2 3]\n"
        "LightSource \"spot\" \"rgb I\" [1 1 1] \"point3 from\" [0 0 0] \"point3 to\" [0 0 1]"
        " \"float coneangle\" 40 \"float conedeltaangle\" 20\n"
        "LightSource \"distant\" \"rgb L\" [5 6 7] \"point3 from\" [0 4 0] \"point3 to\" [0 0 0]\n",
        &loaded);
    lb_light_sample sample;
    lb_light_draw(loaded.scene, 0, lb_vec3_make(1, 2, 1), lb_vec2_make(0.1f, 0.2f), &sample);
    assert_true(sample.delta && sample.pdf == 1.0f && sample.distance == 2.0f && sample.direction.z == 1.0f);
    assert_float_equal(sample.radiance.r, 2.0f, 1e-6f);
    float last = 1.0f;
    for (int angle = 0; angle < 60; angle++) { /* full to 20 degrees, gone at 40, smooth between */
        float s, c;
        lb_sincos((float)angle * LB_PI / 180.0f, &s, &c);
        lb_light_draw(loaded.scene, 1, lb_vec3_make(2 * s, 0, 2 * c), lb_vec2_make(0.1f, 0.2f), &sample);
        float got = sample.pdf > 0.0f ? sample.radiance.g * 4.0f : 0.0f;
        assert_true(got <= last + 1e-5f);
        last = got;
        assert_true(angle >= 20 || lb_abs(got - 1.0f) < 1e-4f);
        assert_true(angle < 41 || got == 0.0f);
        if (angle == 30) {
            float x = (c - cosf(0.6981317f)) / (cosf(0.3490659f) - cosf(0.6981317f));
            assert_float_equal(got, x * x * (3 - 2 * x), 1e-4f);
        }
    }
    lb_light_draw(loaded.scene, 2, lb_vec3_make(9, 9, 9), lb_vec2_make(0.1f, 0.2f), &sample);
    assert_true(sample.delta && sample.direction.y > 0.999f && sample.radiance.b == 7.0f &&
                !lb_is_finite(sample.distance));
    lb_scene_free(&loaded);
}

/* Chooses among the scene's lights by evenly spaced numbers. How often each is chosen is its probability, and what a
 * choice leaves of its number is as even as the numbers were, up to the ends of the parts that choose the light. */
static void check_choice(const lb_scene *scene)
{
    enum { COUNT = 100000, LIGHTS = 16, PARTS = 16 };
    int chosen[LIGHTS] = {0}, left[LIGHTS][PARTS] = {{0}}, lights = (int)scene->lights.count;
    double sum = 0.0;
    for (int i = 0; i < COUNT; i++) {
        lb_vec2 u = lb_vec2_make(((float)i + 0.5f) / COUNT, 0.5f);
        float probability = 0.0f;
        uint32_t light = lb_light_choose(scene, &u, &probability);
        assert_true((int)light < lights && probability == lb_light_probability(scene, light));
        assert_true(u.x >= 0.0f && u.x < 1.0f);
        chosen[light]++;
        left[light][(int)(u.x * PARTS)]++;
    }
    for (int i = 0; i < lights; i++) {
        float probability = lb_light_probability(scene, (uint32_t)i);
        sum += (double)probability;
        assert_float_equal((double)chosen[i] / COUNT, (double)probability, 1e-3);
        for (int part = 0; part < PARTS; part++)
            assert_true(abs(left[i][part] - chosen[i] / PARTS) <= 4 * lights);
    }
    assert_true(fabs(sum - 1.0) < 1e-5);
}

static void test_choice(void **state)
{
    (void)state;
    struct lb_loaded loaded;
    load_scene_text(
        "Integrator \"path\" \"string lightsampler\" \"power\" Camera \"perspective\" WorldBegin\n"
        "LightSource \"infinite\" \"rgb L\" [1 1 1]\n LightSource \"point\" \"rgb I\" [8 4 2]\n LightSource "
        "\"point\" \"rgb I\" [1 1 1]\n"
        "LightSource \"point\" \"rgb I\" [0.1 0.1 0.1]\n LightSource \"point\" \"rgb I\" [30 0 0]\n",
        &loaded);
    check_choice(loaded.scene);
    assert_float_equal(lb_light_probability(loaded.scene, 0), 0.0, 0.0); /* rays that scatter find it */
    lb_scene_free(&loaded);
}

/* More lights than are chosen by sums. */
static void test_choice_among_many(void **state)
{
    (void)state;
    char text[2000];
    size_t size = (size_t)snprintf(
        text, sizeof text,
        "Integrator \"path\" \"string lightsampler\" \"power\" Camera \"perspective\" WorldBegin\n");
    for (int i = 0; i < 13; i++)
        size += (size_t)snprintf(text + size, sizeof text - size,
                                 "LightSource \"point\" \"float scale\" %d\n", 1 + i * i);
    struct lb_loaded loaded;
    load_scene_text(text, &loaded);
    assert_int_equal(loaded.scene->light_nodes.count, 0);
    check_choice(loaded.scene);
    lb_scene_free(&loaded);
}

/* Where a choice leaves few bits of its number, points are spread all over the light nevertheless. */
static void test_seldom_lights_are_drawn_all_over(void **state)
{
    (void)state;
    struct lb_loaded loaded;
    load_scene_text("Camera \"perspective\" WorldBegin AreaLightSource \"diffuse\" Shape \"trianglemesh\"\n"
                    "\"point3 P\" [0 0 0  1 0 0  0 1 0  0 0 1  0.004 0 1  0 0.004 1]\n"
                    "\"integer indices\" [0 1 2 3 4 5]\n",
                    &loaded);
    enum { COUNT = 1 << 24, PARTS = 32 };
    int left[PARTS] = {0}, chosen = 0;
    double square = 0.0;
    for (int i = 0; i < COUNT; i++) {
        float probability;
        lb_vec2 u = lb_vec2_make((float)i / COUNT, lb_unit_float(lb_hash_u32((uint32_t)i)));
        if (lb_light_choose(loaded.scene, &u, &probability) != 1)
            continue;
        assert_true(probability < 1e-4f);
        chosen++;
        left[(int)(u.x * PARTS)]++;
    }
    assert_true(chosen > 4 * PARTS);
    for (int i = 0; i < PARTS; i++)
        square += pow((double)left[i] - (double)chosen / PARTS, 2) * PARTS / chosen;
    assert_true(square < 61.1); /* with 31 degrees of freedom it is so large once in a thousand times */
    lb_scene_free(&loaded);
}

/* The points of 64 samples on two equal lights: each light has 32, and they are a net, too: every box of an eighth by a
 * fourth of the unit square holds one. */
static void test_points_are_spread_evenly_over_all_lights(void **state)
{
    (void)state;
    struct lb_loaded loaded;
    load_scene_text(
        "Integrator \"path\" \"string lightsampler\" \"power\" Camera \"perspective\" WorldBegin\n"
        "LightSource \"point\" LightSource \"point\" \"point3 from\" [1 1 1]\n",
        &loaded);
    for (uint32_t x = 0; x < 100; x++) {
        int held[2][8][4] = {{{0}}};
        for (uint32_t i = 0; i < 64; i++) {
            lb_sampler sampler;
            float probability;
            lb_sampler_start(&sampler, 1, 2, x, 3, i);
            lb_vec2 u = lb_sampler_2d(&sampler);
            uint32_t light = lb_light_choose(loaded.scene, &u, &probability);
            assert_true(light < 2);
            held[light][(int)(u.x * 8.0f)][(int)(u.y * 4.0f)]++;
        }
        for (int box = 0; box < 64; box++)
            assert_int_equal(held[box / 32][box / 4 % 8][box % 4], 1);
    }
    lb_scene_free(&loaded);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_area_samples_meet_their_light),
        cmocka_unit_test(test_lights_know_their_triangles),
        cmocka_unit_test(test_near_triangles_are_drawn_evenly),
        cmocka_unit_test(test_area_lights_send_what_they_show),
        cmocka_unit_test(test_images_are_the_same_drawn_and_met),
        cmocka_unit_test(test_image_lies_on_uv),
        cmocka_unit_test(test_projection),
        cmocka_unit_test(test_octahedral_map),
        cmocka_unit_test(test_octahedral_wrap),
        cmocka_unit_test(test_environment),
        cmocka_unit_test(test_point_spot_distant),
        cmocka_unit_test(test_choice),
        cmocka_unit_test(test_choice_among_many),
        cmocka_unit_test(test_seldom_lights_are_drawn_all_over),
        cmocka_unit_test(test_points_are_spread_evenly_over_all_lights),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
