/* Tests what lb_tree_build makes of scenes that are large, empty, broken or all in one place. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "core/cpu/tracer.h"
#include "core/kernel/tree/brute.h"
#include "core/scene/tree/parts.h"
#include "random_scenes.h"
#include "test/unit/share_help.h"

#include <string.h>

/* The world of what `fill` adds, under a tree. */
static enum lb_status build(struct lb_scene_arrays *arrays, void (*fill)(struct builder *), uint64_t seed,
                            const struct lb_tree_options *options, struct lb_error *error)
{
    struct random random = {seed};
    struct builder builder = {.random = &random};
    lb_scene_arrays_init(&builder.arrays);
    fill(&builder);
    struct lb_geometry_source world = {0, (uint32_t)builder.arrays.shapes.count};
    enum lb_status status = lb_tree_build(&builder.arrays, &world, 1, options, error);
    *arrays = builder.arrays;
    return status;
}

static lb_scene *build_scene(void (*fill)(struct builder *), const struct lb_tree_options *options)
{
    struct lb_scene_arrays arrays;
    struct lb_error error;
    lb_scene header = {0};
    if (build(&arrays, fill, 1, options, &error) != LB_OK)
        fail_msg("%s", error.message);
    lb_scene *scene = lb_scene_pack(&header, &arrays);
    lb_scene_arrays_free(&arrays);
    assert_non_null(scene);
    return scene;
}

static bool trace(const lb_scene *scene, lb_vec3 origin, lb_vec3 direction, lb_hit *hit)
{
    lb_ray ray = {.origin = origin, .direction = direction, .t_max = LB_INFINITY};
    lb_counters counters = {0};
    bool found = false;
    for (unsigned i = 0; i < lb_tracer_count; i++)
        if (lb_tracers[i]->runs_here())
            found = lb_tracers[i]->closest(scene, &ray, hit, &counters);
    return found;
}

/* ---- scenes ---- */

static void fill_nothing(struct builder *builder)
{
    (void)builder;
}

static void fill_empty_mesh(struct builder *builder)
{
    add_shape(builder, LB_SHAPE_MESH, 0);
}

/* Two triangles that are no triangles. */
static void fill_broken(struct builder *builder)
{
    add_shape(builder, LB_SHAPE_MESH, 2);
    add_position(builder, lb_vec3_make(0, 0, 0));
    add_position(builder, lb_vec3_make(1, 0, 0));
    add_position(builder, lb_vec3_make(0, lb_nan(), 0));
    add_position(builder, lb_vec3_make(0, 1e30f, 0));
    add_triangle(builder, 0, 1, 2);
    add_triangle(builder, 0, 1, 3);
}

enum { COINCIDENT = 1000000 };

static void fill_coincident(struct builder *builder)
{
    add_shape(builder, LB_SHAPE_MESH, COINCIDENT);
    add_position(builder, lb_vec3_make(0, 0, 0));
    add_position(builder, lb_vec3_make(1, 0, 0));
    add_position(builder, lb_vec3_make(0, 1, 0));
    for (uint32_t i = 0; i < COINCIDENT; i++)
        add_triangle(builder, 0, 1, 2);
}

static void fill_too_many(struct builder *builder)
{
    add_shape(builder, LB_SHAPE_MESH, (1u << 26) + 1); /* refused before an index is read */
}

/* Triangles that halve in size and distance, which tempt a builder to go down one triangle a level. */
static void fill_shrinking(struct builder *builder)
{
    enum { COUNT = 3000 };
    add_shape(builder, LB_SHAPE_MESH, COUNT);
    for (uint32_t i = 0; i < COUNT; i++) {
        float at = __builtin_ldexpf(1.0f, -(int)(i % 120)), size = 0.25f * at;
        add_position(builder, lb_vec3_make(at, 0, 0));
        add_position(builder, lb_vec3_make(at + size, 0, (float)(i / 120) * size));
        add_position(builder, lb_vec3_make(at, size, 0));
        add_triangle(builder, 3 * i, 3 * i + 1, 3 * i + 2);
    }
}

static void fill_large(struct builder *builder)
{
    add_closed(builder, 100, 1.0f, lb_vec3_make(0, 0, 0));
    for (int i = 0; i < 20; i++)
        add_soup(builder, 1000);
    for (int i = 0; i < 50; i++)
        add_quadric(builder);
}

/* ---- tests ---- */

static void test_empty(void **state)
{
    (void)state;
    void (*const fills[])(struct builder *) = {fill_nothing, fill_empty_mesh, fill_broken};
    for (size_t i = 0; i < sizeof fills / sizeof fills[0]; i++)
        for (int high = 0; high < 2; high++) {
            struct lb_tree_options options = {.threads = 2, .high_quality = high};
            lb_scene *scene = build_scene(fills[i], &options);
            lb_hit hit;
            assert_int_equal(LB_ARRAY(scene, geometries, lb_geometry)[0].root, LB_NONE);
            assert_false(trace(scene, lb_vec3_make(0.1f, 0.1f, 1), lb_vec3_make(0, 0, -1), &hit));
            assert_int_equal(hit.primitive.shape, LB_NONE);
            lb_scene_block_free(scene);
        }
}

static void test_coincident(void **state)
{
    (void)state;
    struct lb_tree_options options = {.threads = 2};
    lb_scene *scene = build_scene(fill_coincident, &options);
    lb_hit hit;
    assert_int_equal(scene->leaf_primitives.count, COINCIDENT);
    assert_true(trace(scene, lb_vec3_make(0.25f, 0.25f, 1), lb_vec3_make(0, 0, -1), &hit));
    assert_int_equal(hit.primitive.primitive, 0); /* the least of all at the same t */
    lb_scene_block_free(scene);
}

static void test_too_many(void **state)
{
    (void)state;
    struct lb_tree_options options = {.threads = 1};
    struct lb_scene_arrays arrays;
    struct lb_error error;
    assert_int_equal(build(&arrays, fill_too_many, 1, &options, &error), LB_ERROR);
    assert_non_null(strstr(error.message, "at most 67108864"));
    lb_scene_arrays_free(&arrays);
}

static void test_depth(void **state)
{
    (void)state;
    for (uint32_t leaf = 1; leaf <= 8; leaf += 7)
        for (uint32_t width = 2; width <= 8; width += 6)
            for (uint32_t kind = 0; kind < 4; kind++) {
                struct lb_tree_options options = {.threads = 1,
                                                  .max_leaf = leaf,
                                                  .max_width = width,
                                                  .high_quality = kind == 1,
                                                  .group = kind < 2    ? 0
                                                           : kind == 2 ? 3
                                                                       : LB_TREE_GROUPED_LEAVES};
                lb_scene *scene = build_scene(fill_shrinking, &options);
                assert_in_range(LB_ARRAY(scene, geometries, lb_geometry)[0].depth, 1, LB_TREE_DEPTH);
                lb_scene_block_free(scene);
            }
}

static bool same_vector(const struct lb_vector *a, const struct lb_vector *b)
{
    return a->count == b->count && memcmp(a->data, b->data, a->count * a->element) == 0;
}

/* Of 0: as it is by default, 1: with spatial splits, 2: in groups. */
static struct lb_tree_options options_of(uint32_t kind, uint32_t threads)
{
    return (struct lb_tree_options){
        .threads = threads, .high_quality = kind == 1, .group = kind == 2 ? 100 : 0};
}

/* Costs in steps must be the same on every run: so must the tree. */
static void test_same_tree(void **state)
{
    (void)state;
    for (uint32_t kind = 0; kind < 3; kind++) {
        struct lb_scene_arrays first, again;
        struct lb_error error;
        for (uint32_t run = 0, runs = 1 + share_of(3); run < runs; run++) {
            struct lb_tree_options options = options_of(kind, 1 + run % 4);
            assert_int_equal(build(run == 0 ? &first : &again, fill_large, 7, &options, &error), LB_OK);
            if (run == 0)
                continue;
            assert_true(same_vector(&first.nodes, &again.nodes));
            assert_true(same_vector(&first.leaf_primitives, &again.leaf_primitives));
            assert_true(same_vector(&first.leaf_corners, &again.leaf_corners));
            assert_true(same_vector(&first.leaf_others, &again.leaf_others));
            assert_true(kind == 1 ? same_vector(&first.leaf_boxes, &again.leaf_boxes)
                                  : again.leaf_boxes.count == 0);
            lb_scene_arrays_free(&again);
        }
        if (kind == 1) /* or nothing was tested */
            assert_true(first.leaf_primitives.count > 22000);
        lb_scene_arrays_free(&first);
    }
}

/* ---- what a tree must be ---- */

struct walk {
    const lb_scene *scene;
    uint8_t *seen; /* leaf elements */
    uint32_t nodes;
};

static void check_within(const lb_box *inner, const lb_box *outer)
{
    for (int a = 0; a < 3; a++) {
        assert_true(inner->lower[a] >= outer->lower[a]);
        assert_true(inner->upper[a] <= outer->upper[a]);
    }
}

static void walk_child(struct walk *walk, uint32_t word, const lb_box *box)
{
    if ((word & LB_CHILD_LEAF) == 0) {
        const lb_node *node = LB_ARRAY(walk->scene, nodes, lb_node) + word;
        walk->nodes++;
        for (uint32_t octant = 0; octant < 8; octant++) {
            uint32_t places = 0;
            for (uint32_t i = 0; i < 8; i++)
                places |= 1u << (node->order[octant] >> 4 * i & 15);
            assert_int_equal(places, 255);
        }
        for (uint32_t i = 0; i < 8; i++) {
            lb_box child;
            for (int a = 0; a < 3; a++) {
                child.lower[a] = node->lower[a][i];
                child.upper[a] = node->upper[a][i];
            }
            if (node->child[i] == LB_NONE) {
                assert_true(child.lower[0] > child.upper[0]);
                continue;
            }
            check_within(&child, box);
            walk_child(walk, node->child[i], &child);
        }
        return;
    }
    if ((word >> 29 & 3) != LB_LEAF_TRIANGLES)
        return;
    uint32_t first = word & 0x3ffffffu, n = (word >> 26 & 7) + 1;
    const float *corners = LB_ARRAY(walk->scene, leaf_corners, float) + 9 * (uint64_t)first;
    for (uint32_t i = 0; i < n; i++) {
        lb_primitive name = LB_ARRAY(walk->scene, leaf_primitives, lb_primitive)[first + i];
        float corner[3][3];
        lb_triangle_corners(walk->scene, LB_ARRAY(walk->scene, shapes, lb_shape) + name.shape, name.primitive,
                            corner);
        for (uint32_t value = 0; value < 9; value++)
            assert_true(corners[value * n + i] == corner[value / 3][value % 3]);
        lb_box own = walk->scene->leaf_boxes.count ? LB_ARRAY(walk->scene, leaf_boxes, lb_box)[first + i]
                                                   : lb_triangle_box((const float(*)[3])corner);
        check_within(&own, box);
        assert_int_equal(walk->seen[first + i]++, 0);
    }
}

static void test_structure(void **state)
{
    (void)state;
    for (uint32_t kind = 0; kind < 3; kind++) {
        struct lb_tree_options options = options_of(kind, 2);
        lb_scene *scene = build_scene(fill_large, &options);
        const lb_geometry *world = LB_ARRAY(scene, geometries, lb_geometry);
        struct walk walk = {.scene = scene, .seen = calloc(scene->leaf_primitives.count, 1)};
        walk_child(&walk, world->root, &world->box);
        assert_int_equal(walk.nodes, scene->nodes.count);
        assert_int_equal(world->leaf_count, scene->leaf_primitives.count);
        for (uint64_t i = 0; i < scene->leaf_primitives.count; i++)
            assert_int_equal(walk.seen[i], 1);
        free(walk.seen);
        lb_scene_block_free(scene);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_empty), cmocka_unit_test(test_coincident), cmocka_unit_test(test_too_many),
        cmocka_unit_test(test_depth), cmocka_unit_test(test_same_tree),  cmocka_unit_test(test_structure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
