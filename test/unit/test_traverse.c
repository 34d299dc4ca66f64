/* Tests every tree and every traversal against a loop over everything: the same hits, bit for bit, and the same
 * steps. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "core/cpu/tracer.h"
#include "core/kernel/tree/brute.h"
#include "core/kernel/tree/wide_trace.h"
#include "core/wave/wide_build.h"
#include "random_scenes.h"
#include "share_help.h"

#include <stdio.h>
#include <string.h>

/* Rays of each kind of scene. */
static uint64_t rays_wanted(void)
{
    return share_of(200000);
}

static bool same_hit(const lb_hit *a, const lb_hit *b)
{
    return memcmp(&a->t, &b->t, sizeof a->t) == 0 && memcmp(&a->b1, &b->b1, sizeof a->b1) == 0 &&
           memcmp(&a->b2, &b->b2, sizeof a->b2) == 0 && a->instance == b->instance &&
           a->primitive.shape == b->primitive.shape && a->primitive.primitive == b->primitive.primitive;
}

static void print_ray(const lb_ray *ray, const lb_hit *expected, const lb_hit *found)
{
    print_error("origin %a %a %a direction %a %a %a t_max %a\n", (double)ray->origin.x, (double)ray->origin.y,
                (double)ray->origin.z, (double)ray->direction.x, (double)ray->direction.y,
                (double)ray->direction.z, (double)ray->t_max);
    print_error("expected t %a b %a %a instance %u shape %u primitive %u\n", (double)expected->t,
                (double)expected->b1, (double)expected->b2, expected->instance, expected->primitive.shape,
                expected->primitive.primitive);
    print_error("found    t %a b %a %a instance %u shape %u primitive %u\n", (double)found->t,
                (double)found->b1, (double)found->b2, found->instance, found->primitive.shape,
                found->primitive.primitive);
}

/* All instruction sets on one ray. The number of differences. */
static unsigned check_ray(const lb_scene *scene, const lb_ray *ray, const lb_hit *expected, bool exists)
{
    lb_counters first_closest = {0}, first_any = {0};
    unsigned wrong = 0;
    for (unsigned i = 0; i < lb_tracer_count; i++) {
        lb_counters closest = {0}, any = {0};
        lb_hit hit;
        if (!lb_tracers[i]->runs_here())
            continue;
        bool found = lb_tracers[i]->closest(scene, ray, &hit, &closest);
        if (found != exists || !same_hit(&hit, expected)) {
            print_error("%s: closest hit differs\n", lb_tracers[i]->name);
            print_ray(ray, expected, &hit);
            wrong++;
        }
        if (lb_tracers[i]->any(scene, ray, &any) != exists) {
            print_error("%s: any hit differs\n", lb_tracers[i]->name);
            print_ray(ray, expected, &hit);
            wrong++;
        }
        if (i == 0) {
            first_closest = closest;
            first_any = any;
        }
        if (memcmp(&closest, &first_closest, sizeof closest) != 0 ||
            memcmp(&any, &first_any, sizeof any) != 0) {
            print_error("%s: steps differ\n", lb_tracers[i]->name);
            wrong++;
        }
    }
    return wrong;
}

/* Now and then the ray ends just at its hit, or just behind it. */
static void shorten_ray(const lb_scene *scene, struct random *random, lb_ray *ray, lb_hit *expected,
                        bool *exists)
{
    if (!*exists || random_below(random, 8) != 0)
        return;
    ray->t_max = random_below(random, 2) ? expected->t : lb_next_up(expected->t);
    *exists = lb_brute_closest(scene, ray, expected);
}

/* Now and then the ray leaves the triangle that it would hit, from where it would hit it or from before. */
static void leave_triangle(const lb_scene *scene, struct random *random, lb_ray *ray, lb_hit *expected,
                           bool *exists)
{
    if (!*exists || random_below(random, 8) != 0)
        return;
    const lb_shape *shape = LB_ARRAY(scene, shapes, lb_shape) + expected->primitive.shape;
    if (shape->kind != LB_SHAPE_MESH)
        return;
    ray->from = shape->first_primitive + expected->primitive.primitive + 1;
    ray->from_instance = expected->instance;
    if (random_below(random, 2))
        ray->origin = lb_add_scaled(ray->origin, ray->direction, expected->t);
    *exists = lb_brute_closest(scene, ray, expected);
}

/* The tree of GPUs on one ray. The number of differences. */
static unsigned check_wide(const lb_scene *scene, const lb_wide_tree *tree, const lb_ray *ray,
                           const lb_hit *expected, bool exists)
{
    lb_wide_entry fast[LB_WIDE_FAST];
    lb_wide_aside aside;
    lb_wide_stack stack = {.aside = &aside, .fast = fast, .stride = 1};
    lb_hit hit = {.t = 0.0f};
    unsigned wrong = 0;
    bool found = lb_wide_trace(scene, tree, ray, false, tree->asks, &stack, &hit);
    hit = lb_wide_name(scene, &hit);
    if (found != exists || (found && !same_hit(&hit, expected))) {
        print_error("the compressed tree: closest hit differs\n");
        print_ray(ray, expected, &hit);
        wrong++;
    }
    if (lb_wide_trace(scene, tree, ray, true, tree->asks, &stack, NULL) != exists) {
        print_error("the compressed tree: any hit differs\n");
        print_ray(ray, expected, &hit);
        wrong++;
    }
    return wrong;
}

/* How many rays took one walk and how many two, where there are two. */
static uint64_t walks_taken[2];

/* One or two walks over the tree of GPUs, as lb_wave_end_ray has it. */
static bool trace_in_two(const lb_scene *scene, const lb_wide_tree *tree, const lb_ray *ray, bool any,
                         lb_hit *hit)
{
    lb_wide_entry fast[LB_WIDE_FAST];
    lb_wide_aside aside = {.slot = 0};
    lb_wide_stack stack = {.aside = &aside, .fast = fast, .stride = 1};
    bool found = lb_wide_trace(scene, tree, ray, any, LB_WIDE_FIRST, &stack, hit);
    bool again = aside.slot != 0 && !(any && found);
    walks_taken[again]++;
    return again ? lb_wide_trace(scene, tree, ray, any, LB_WIDE_REST, &stack, hit) : found;
}

/* The same of both walks that may take the place of one. */
static unsigned check_two_walks(const lb_scene *scene, const lb_wide_tree *tree, const lb_ray *ray,
                                const lb_hit *expected, bool exists)
{
    lb_hit hit;
    unsigned wrong = 0;
    if (tree->asks > LB_WIDE_ASKING)
        return 0;
    bool found = trace_in_two(scene, tree, ray, false, &hit);
    hit = lb_wide_name(scene, &hit);
    if (found != exists || (found && !same_hit(&hit, expected)) ||
        (!found && hit.primitive.shape != LB_NONE)) {
        print_error("two walks: closest hit differs\n");
        print_ray(ray, expected, &hit);
        wrong++;
    }
    if (trace_in_two(scene, tree, ray, true, NULL) != exists) {
        print_error("two walks: any hit differs\n");
        print_ray(ray, expected, &hit);
        wrong++;
    }
    return wrong;
}

static unsigned check_scene(const lb_scene *scene, uint64_t seed, uint64_t rays)
{
    struct random random = {seed ^ 0x5851f42d4c957f2du};
    struct lb_wide_block wide;
    unsigned wrong = 0;
    assert_int_equal(lb_wide_build(scene, &wide, NULL), LB_OK);
    for (uint64_t i = 0; i < rays && wrong < 10; i++) {
        lb_ray ray = random_ray(scene, &random);
        lb_hit expected;
        bool exists = lb_brute_closest(scene, &ray, &expected);
        leave_triangle(scene, &random, &ray, &expected, &exists);
        shorten_ray(scene, &random, &ray, &expected, &exists);
        wrong += check_ray(scene, &ray, &expected, exists);
        wrong += check_wide(scene, &wide.tree, &ray, &expected, exists);
        wrong += check_two_walks(scene, &wide.tree, &ray, &expected, exists);
    }
    lb_wide_free(&wide);
    return wrong;
}

static void check_kind(enum scene_kind kind)
{
    const uint64_t rays_a_scene = 250;
    uint64_t scenes = (rays_wanted() + rays_a_scene - 1) / rays_a_scene;
    for (uint64_t i = 0; i < scenes; i++) {
        uint64_t seed = (uint64_t)kind << 32 | i;
        struct random random = {seed};
        struct lb_tree_options options = {.high_quality = random_below(&random, 2) == 1,
                                          .threads = 1,
                                          .max_leaf = 1 + random_below(&random, 8),
                                          .max_width = 2 + random_below(&random, 7)};
        struct lb_error error;
        lb_scene *scene = random_scene(kind, seed, &options, &error);
        if (!scene)
            fail_msg("%s", error.message);
        unsigned wrong = check_scene(scene, seed, rays_a_scene);
        lb_scene_block_free(scene);
        if (wrong > 0)
            fail_msg("kind %d seed %llu high %d leaf %u width %u: %u differences", (int)kind,
                     (unsigned long long)i, options.high_quality, options.max_leaf, options.max_width, wrong);
    }
}

static void test_soup(void **state)
{
    (void)state;
    check_kind(SCENE_SOUP);
}

static void test_grid(void **state)
{
    (void)state;
    check_kind(SCENE_GRID);
}

static void test_closed(void **state)
{
    (void)state;
    check_kind(SCENE_CLOSED);
}

static void test_instances(void **state)
{
    (void)state;
    check_kind(SCENE_INSTANCES);
}

static void test_mixed(void **state)
{
    (void)state;
    check_kind(SCENE_MIXED);
}

static void test_curves(void **state)
{
    (void)state;
    check_kind(SCENE_CURVES);
}

static void test_moving(void **state)
{
    (void)state;
    check_kind(SCENE_MOVING);
}

/* Triangles of which some have alpha, and quadrics, in the world and in instances. */
static void test_alpha(void **state)
{
    (void)state;
    memset(walks_taken, 0, sizeof walks_taken);
    check_kind(SCENE_ALPHA);
    print_message("%llu rays took one walk, %llu two\n", (unsigned long long)walks_taken[0],
                  (unsigned long long)walks_taken[1]);
    assert_true(walks_taken[0] > rays_wanted() / 10 && walks_taken[1] > rays_wanted() / 10);
}

/* From inside a closed surface no ray gets out, whatever it is aimed at. */
static void test_watertight(void **state)
{
    (void)state;
    unsigned leaks = 0;
    for (uint64_t seed = 0; seed < 200; seed++) {
        struct random random = {seed + 1000};
        struct lb_tree_options options = {.high_quality = random_below(&random, 2) == 1, .threads = 1};
        struct lb_error error;
        lb_scene *scene = random_scene(SCENE_CLOSED, seed, &options, &error);
        assert_non_null(scene);
        for (unsigned i = 0; i < rays_wanted() / 200; i++) {
            lb_vec3 target = random_target(scene, 0.0f, &random);
            lb_ray ray = {.t_max = LB_INFINITY};
            ray.origin = random_below(&random, 4) ? random_vector(&random, 0.05f) : lb_vec3_make(0, 0, 0);
            ray.direction = random_below(&random, 4) ? lb_sub(target, ray.origin) : random_direction(&random);
            lb_slab_ray valid;
            if (!lb_slab_prepare(ray.origin, ray.direction, &valid))
                continue;
            lb_hit hit;
            leaks += !lb_brute_closest(scene, &ray, &hit);
        }
        lb_scene_block_free(scene);
    }
    assert_int_equal(leaks, 0);
}

/* A square from 0 to 1 across an axis, at 0.25 on it. */
static lb_scene *make_square(uint32_t axis)
{
    static const float corners[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
    struct builder builder = {.random = NULL};
    struct lb_geometry_source world = {0, 1};
    struct lb_tree_options options = {.threads = 1};
    lb_scene header = {0}, *scene;
    lb_scene_arrays_init(&builder.arrays);
    add_shape(&builder, LB_SHAPE_MESH, 2);
    for (int i = 0; i < 4; i++) {
        float p[3];
        p[axis] = 0.25f;
        p[(axis + 1) % 3] = corners[i][0];
        p[(axis + 2) % 3] = corners[i][1];
        add_position(&builder, lb_vec3_make(p[0], p[1], p[2]));
    }
    add_triangle(&builder, 0, 1, 2);
    add_triangle(&builder, 0, 2, 3);
    assert_int_equal(lb_tree_build(&builder.arrays, &world, 1, &options, NULL), LB_OK);
    scene = lb_scene_pack(&header, &builder.arrays);
    lb_scene_arrays_free(&builder.arrays);
    return scene;
}

/* A ray that lies in the faces of boxes passes them, whichever way it leans (rule 4): a square's sides belong to it. */
static void test_faces(void **state)
{
    (void)state;
    static const float lean[] = {0.0f, -0.0f}, at[] = {0.0f, 0.375f, 0.5f, 1.0f};
    for (uint32_t axis = 0; axis < 3; axis++) {
        lb_scene *scene = make_square(axis);
        for (uint32_t i = 0; i < 128; i++) {
            float p[3], d[3];
            p[axis] = i & 1 ? 1.25f : -0.75f;
            d[axis] = i & 1 ? -1.0f : 1.0f;
            p[(axis + 1) % 3] = at[i >> 1 & 3];
            d[(axis + 1) % 3] = lean[i >> 3 & 1];
            p[(axis + 2) % 3] = at[i >> 4 & 3];
            d[(axis + 2) % 3] = lean[i >> 6 & 1];
            lb_ray ray = {.t_max = LB_INFINITY};
            ray.origin = lb_vec3_make(p[0], p[1], p[2]);
            ray.direction = lb_vec3_make(d[0], d[1], d[2]);
            lb_hit hit;
            if (!lb_brute_closest(scene, &ray, &hit))
                fail_msg("axis %u case %u passes through the square", axis, i);
            assert_in_range((uint64_t)(hit.t * 1e6f), 999999, 1000001);
            assert_int_equal(check_ray(scene, &ray, &hit, true), 0);
        }
        lb_scene_block_free(scene);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_soup),      cmocka_unit_test(test_grid),       cmocka_unit_test(test_closed),
        cmocka_unit_test(test_instances), cmocka_unit_test(test_mixed),      cmocka_unit_test(test_curves),
        cmocka_unit_test(test_moving),    cmocka_unit_test(test_watertight), cmocka_unit_test(test_faces),
        cmocka_unit_test(test_alpha),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
