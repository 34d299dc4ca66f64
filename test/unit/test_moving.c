/* What moves while the shutter is open: boxes around it, and hits at a time against scenes that stand still. */
#include "scene_help.h"

#include "core/kernel/tree/brute.h"
#include "core/kernel/camera/camera.h"
#include "core/kernel/integrators/path.h"
#include "core/scene/motion/sweep.h"
#include "random_scenes.h"

#include <math.h>

/* ---- boxes ---- */

static lb_affine whole_move(const lb_move *moves, uint32_t number, double at)
{
    lb_affine affine, outer, both;
    lb_move_at(&moves[number - 1], at, &affine);
    for (number = moves[number - 1].outer; number != 0; number = moves[number - 1].outer) {
        lb_move_at(&moves[number - 1], at, &outer);
        lb_affine_product(&outer, &affine, &both);
        affine = both;
    }
    return affine;
}

static bool contains(const lb_box *box, const lb_affine *affine, const float p[3])
{
    for (int r = 0; r < 3; r++) {
        const double *m = affine->m[r];
        double x = m[0] * (double)p[0] + m[1] * (double)p[1] + m[2] * (double)p[2] + m[3];
        if (!(x >= (double)box->lower[r] && x <= (double)box->upper[r]))
            return false;
    }
    return true;
}

static void boxes_hold_all_of_a_move(void **state)
{
    (void)state;
    struct random random = {7};
    double spare = 0;
    for (int round = 0; round < 5000; round++) {
        struct builder builder = {.random = &random};
        lb_scene_arrays_init(&builder.arrays);
        uint32_t move = add_move(&builder, round % 3 == 0);
        const lb_move *moves = builder.arrays.moves.data;
        lb_vec3 center = random_vector(&random, random_size(&random, 6));
        float half = random_size(&random, 4);
        lb_box box = {{center.x - half, center.y - half, center.z - half},
                      {center.x + half, center.y + half, center.z + half}};
        lb_box swept = lb_sweep_box(moves, move, &box);
        lb_box tight = lb_box_empty();
        for (int i = 0; i < 200; i++) {
            lb_affine affine = whole_move(moves, move, i < 3 ? 0.5 * i : (double)random_unit(&random));
            float p[3];
            for (int a = 0; a < 3; a++)
                p[a] = random_below(&random, 4) ? (random_below(&random, 2) ? box.lower[a] : box.upper[a])
                                                : random_between(&random, box.lower[a], box.upper[a]);
            assert_true(contains(&swept, &affine, p));
            for (int r = 0; r < 3; r++) {
                double x = affine.m[r][0] * (double)p[0] + affine.m[r][1] * (double)p[1] +
                           affine.m[r][2] * (double)p[2] + affine.m[r][3];
                tight.lower[r] = fminf(tight.lower[r], (float)x);
                tight.upper[r] = fmaxf(tight.upper[r], (float)x);
            }
        }
        for (int r = 0; r < 3 && round % 3 != 0; r++)
            spare += (double)(swept.upper[r] - swept.lower[r]) / (double)(tight.upper[r] - tight.lower[r]);
        lb_scene_arrays_free(&builder.arrays);
    }
    /* Not much more than the moves need, of which the points above miss a little. */
    assert_true(spare / (3 * 5000 * 2 / 3) < 1.2);
}

/* ---- scenes ---- */

#define TURNING "ActiveTransform EndTime Translate 2 0 1 Rotate 70 0 1 0 Scale 1 1.5 1 ActiveTransform All "
#define BENT                                                                                                 \
    "Shape \"trianglemesh\" \"integer indices\" [ 0 1 2 0 2 3 ] "                                            \
    "\"point3 P\" [ -1 -1 0 1 -1 .2 1 1 0 -1 1 .4 ] "

/* Both agree about hits, `b` standing still as `a` is at `time`. */
static void check_alike(const lb_scene *a, float time, const lb_scene *b)
{
    struct random random = {3};
    unsigned hits = 0;
    for (int i = 0; i < 2000; i++) {
        lb_vec3 target = random_vector(&random, 3.0f), from = random_vector(&random, 8.0f);
        lb_ray ray = {.origin = from, .direction = lb_normalize(lb_sub(target, from)), .t_max = LB_INFINITY};
        lb_hit hit_a, hit_b;
        lb_surface surface_a, surface_b;
        ray.time = time;
        bool found = lb_brute_closest(a, &ray, &hit_a);
        assert_int_equal(found, lb_brute_closest(b, &ray, &hit_b));
        if (!found)
            continue;
        hits++;
        assert_near((double)hit_a.t, (double)hit_b.t);
        lb_surface_make(a, LB_ARRAY(a, shapes, lb_shape) + hit_a.primitive.shape, &ray, &hit_a, &surface_a);
        lb_surface_make(b, LB_ARRAY(b, shapes, lb_shape) + hit_b.primitive.shape, &ray, &hit_b, &surface_b);
        assert_true(lb_length(lb_sub(surface_a.position, surface_b.position)) < 1e-4f);
        assert_true(lb_dot(surface_a.ng, surface_b.ng) > 0.9999f);
        /* What is hit is where the error bounds say that it is. */
        lb_vec3 seen = lb_add_scaled(ray.origin, ray.direction, hit_a.t);
        assert_true(lb_length(lb_sub(surface_a.position, seen)) < 1e-4f);
    }
    assert_true(hits > 100);
}

static void shapes_and_uses_move(void **state)
{
    (void)state;
    struct lb_loaded moving =
        scene_get("", "AttributeBegin Translate 0 1 0 " TURNING BENT
                      "Shape \"sphere\" \"float radius\" .5 AttributeEnd " BENT
                      "ObjectBegin \"o\" Translate -1 0 -1 " BENT "AttributeBegin " TURNING
                      "Shape \"sphere\" AttributeEnd ObjectEnd "
                      "AttributeBegin Scale -1 1 1 ObjectInstance \"o\" " TURNING "ObjectInstance \"o\" "
                      "AttributeEnd ");
    struct lb_loaded start = scene_get(
        "", "AttributeBegin Translate 0 1 0 " BENT "Shape \"sphere\" \"float radius\" .5 AttributeEnd " BENT
            "ObjectBegin \"o\" Translate -1 0 -1 " BENT "Shape \"sphere\" ObjectEnd "
            "AttributeBegin Scale -1 1 1 ObjectInstance \"o\" AttributeEnd ");
    struct lb_loaded end = scene_get(
        "", "AttributeBegin Translate 0 1 0 Translate 2 0 1 Rotate 70 0 1 0 Scale 1 1.5 1 " BENT
            "Shape \"sphere\" \"float radius\" .5 AttributeEnd " BENT
            "ObjectBegin \"o\" Translate -1 0 -1 " BENT "AttributeBegin Translate 2 0 1 Rotate 70 0 1 0 "
            "Scale 1 1.5 1 Shape \"sphere\" AttributeEnd ObjectEnd "
            "AttributeBegin Scale -1 1 1 ObjectInstance \"o\" Translate 2 0 1 Rotate 70 0 1 0 Scale 1 1.5 1 "
            "ObjectInstance \"o\" AttributeEnd ");
    /* The world's two, which move together, and of each use of the object what stands still in it and what moves. */
    assert_int_equal(moving.scene->instances.count, 5);
    assert_int_equal(moving.scene->any_motion, 1);
    assert_int_equal(start.scene->any_motion, 0);
    assert_int_equal(start.scene->moves.count, 0);
    check_alike(moving.scene, 0.0f, start.scene);
    check_alike(moving.scene, 1.0f, end.scene);
    lb_scene_free(&moving);
    lb_scene_free(&start);
    lb_scene_free(&end);
}

/* Where a ray along +z hits at a time. */
static double depth_at(const lb_scene *scene, float x, float y, float time)
{
    lb_ray ray = {.origin = lb_vec3_make(x, y, -50), .direction = lb_vec3_make(0, 0, 1)};
    lb_hit hit;
    ray.t_max = LB_INFINITY;
    ray.time = time;
    return lb_brute_closest(scene, &ray, &hit) ? (double)hit.t - 50 : INFINITY;
}

/* A shape turns around its own origin, the use of an object around the camera (pbrt). */
static void rotations_are_around_what_pbrt_has(void **state)
{
    (void)state;
    static const char camera[] = "LookAt 0 0 -10 0 0 0 0 1 0 Camera \"perspective\"";
    static const char quarter[] = "ActiveTransform EndTime Rotate 90 0 1 0 ActiveTransform All ";
    const double half = sqrt(0.5);
    char text[512];
    for (int use = 0; use < 2; use++) {
        snprintf(text, sizeof text,
                 use ? "ObjectBegin \"o\" Translate 4 0 0 Shape \"sphere\" ObjectEnd %s ObjectInstance \"o\""
                     : "%s Translate 4 0 0 Shape \"sphere\"",
                 quarter);
        struct lb_loaded loaded = scene_get(camera, text);
        /* The camera's point goes from (0, 0, -10) straight to (-10, 0, 0), and the sphere is at (4, 0, 10) from it,
         * turned by half the angle; or its own origin goes from (4, 0, 0) straight to (0, 0, -4). */
        double x = use ? -5 + 14 * half : 2, z = use ? -5 + 6 * half : -2;
        double depth = depth_at(loaded.scene, (float)x, 0, 0.5f);
        if (!(fabs(depth - (z - 1)) < 1e-4))
            fail_msg("use %d: %g, not %g", use, depth, z - 1);
        lb_scene_free(&loaded);
    }
}

static void samples_have_times_in_the_shutter(void **state)
{
    (void)state;
    static const char moves[] = "ActiveTransform EndTime Translate 1 0 0 ActiveTransform All ";
    char before[256], world[256];
    for (int frame = 0; frame < 3; frame++) {
        struct lb_scene_options options = {.frame = (uint32_t)frame, .frame_count = frame ? 4 : 0};
        struct lb_loaded loaded;
        struct lb_error error;
        snprintf(before, sizeof before,
                 "TransformTimes 10 12 Camera \"perspective\" \"float shutteropen\" 11 "
                 "\"float shutterclose\" 11.5");
        snprintf(world, sizeof world, "%s Shape \"sphere\"", moves);
        if (scene_try(before, world, &options, NULL, &loaded, &error) != LB_OK)
            fail_msg("%s", error.message);
        float low = 0.5f, high = 0.75f, least = 1, most = 0;
        if (frame) {
            low = 0.25f * ((float)frame + low);
            high = 0.25f * ((float)frame + high);
        }
        for (uint32_t sample = 0; sample < 256; sample++) {
            lb_path path;
            lb_filter_place place;
            lb_path_start(loaded.scene, 3, 4, sample, &path, &place);
            least = lb_min(least, path.ray.time);
            most = lb_max(most, path.ray.time);
        }
        assert_true(least >= low && least < low + 0.01f && most <= high && most > high - 0.01f);
        lb_scene_free(&loaded);
    }
}

static void cameras_move(void **state)
{
    (void)state;
    struct lb_loaded loaded = scene_get("ActiveTransform EndTime Translate -3 0 0 ActiveTransform All "
                                        "Camera \"perspective\"",
                                        "Shape \"sphere\"");
    float weight = 1;
    for (int i = 0; i <= 4; i++) {
        float time = 0.25f * (float)i;
        lb_ray ray =
            lb_camera_ray_at(loaded.scene, lb_vec2_make(10, 10), lb_vec2_make(.5f, .5f), time, &weight);
        assert_near((double)ray.origin.x, 3 * (double)time);
    }
    lb_scene_free(&loaded);
}

static void lights_stand_still(void **state)
{
    (void)state;
    static const char moves[] = "ActiveTransform EndTime Translate 1 0 0 ActiveTransform All ";
    struct scene_warnings warnings = {0};
    struct lb_loaded loaded;
    struct lb_error error;
    char world[512];
    snprintf(world, sizeof world, "%s LightSource \"point\"", moves);
    assert_int_equal(scene_try("", world, NULL, &warnings, &loaded, &error), LB_OK);
    assert_int_equal(warnings.count, 1);
    assert_non_null(strstr(warnings.last, "does not move"));
    assert_int_equal(loaded.scene->any_motion, 0);
    lb_scene_free(&loaded);
    snprintf(world, sizeof world, "AreaLightSource \"diffuse\" %s Shape \"sphere\"", moves);
    assert_int_equal(scene_try("", world, NULL, NULL, &loaded, &error), LB_ERROR);
    assert_non_null(strstr(error.message, "cannot be a light"));
    snprintf(world, sizeof world,
             "%s ActiveTransform EndTime Scale 0 1 1 ActiveTransform All Shape \"sphere\"", moves);
    assert_int_equal(scene_try("", world, NULL, NULL, &loaded, &error), LB_ERROR);
    assert_non_null(strstr(error.message, "no inverse"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes_hold_all_of_a_move),
        cmocka_unit_test(shapes_and_uses_move),
        cmocka_unit_test(rotations_are_around_what_pbrt_has),
        cmocka_unit_test(samples_have_times_in_the_shutter),
        cmocka_unit_test(cameras_move),
        cmocka_unit_test(lights_stand_still),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
