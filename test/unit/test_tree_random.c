/* Trees of many small scenes that are hard on a builder: coordinates on lattices, coplanar, coincident, degenerate
 * and thin triangles, spheres and disks, tiny and huge, near the origin and far from it. Every tree must be built,
 * hold each thing where its boxes say, and give the hits of a loop over everything. LB_TREE_SCENES=N tries so many,
 * LB_TREE_SEED=S others. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "core/cpu/tracer.h"
#include "core/kernel/tree/brute.h"
#include "random_scenes.h"

enum { SCENES = 2500, RAYS = 6 };

/* ---- scenes ---- */

/* How the corners of one scene are drawn. */
struct manner {
    uint32_t lattice; /* steps of a lattice, or 0: anywhere */
    uint32_t flat; /* 0-2: all on one plane across that axis; 3: on planes across an axis each; else: not */
    float size;    /* half a side of the box that they lie in */
    lb_vec3 center;
};

static struct manner random_manner(struct random *random)
{
    static const uint32_t lattices[] = {0, 0, 2, 4, 5, 10, 16, 48};
    struct manner manner = {.lattice = lattices[random_below(random, 8)],
                            .flat = random_below(random, 12),
                            .size = 1.0f,
                            .center = {0.0f, 0.0f, 0.0f}};
    if (random_below(random, 3) == 0)
        manner.size = random_size(random, 58);
    if (random_below(random, 4) == 0)
        manner.center =
            random_vector(random, manner.size * __builtin_ldexpf(1.0f, (int)random_below(random, 20)));
    float far = 0x1p+59f - manner.size;
    manner.center = lb_vec3_make(lb_clamp(manner.center.x, -far, far), lb_clamp(manner.center.y, -far, far),
                                 lb_clamp(manner.center.z, -far, far));
    return manner;
}

static lb_vec3 random_corner(struct random *random, const struct manner *manner, uint32_t plane)
{
    float p[3];
    for (int a = 0; a < 3; a++) {
        p[a] = random_between(random, -1.0f, 1.0f);
        if (manner->lattice)
            p[a] = 2.0f * (float)random_below(random, manner->lattice + 1) / (float)manner->lattice - 1.0f;
    }
    if (manner->flat <= 2)
        p[manner->flat] = 0.25f;
    else if (manner->flat == 3)
        p[plane % 3] = 0.25f * (float)(plane % 9) - 1.0f;
    return lb_add_scaled(manner->center, lb_vec3_make(p[0], p[1], p[2]), manner->size);
}

static void add_triangles(struct builder *builder, const struct manner *manner, uint32_t count)
{
    struct random *random = builder->random;
    lb_vec3 corner[3] = {{0}};
    add_shape(builder, LB_SHAPE_MESH, count);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t kind = random_below(random, 16), plane = random_bits(random);
        if (kind > 1 || i == 0) /* else the one before, again */
            for (int c = 0; c < 3; c++)
                corner[c] = random_corner(random, manner, plane);
        if (kind == 2)
            corner[2] = corner[1]; /* an edge */
        if (kind == 3)
            corner[1] = corner[2] = corner[0]; /* a point */
        if (kind == 4)                         /* a sliver */
            corner[2] = lb_add(corner[1], random_vector(random, manner->size * 1e-6f));
        if (kind == 5) /* a small one */
            for (int c = 1; c < 3; c++)
                corner[c] = lb_add_scaled(corner[0], lb_sub(corner[c], corner[0]), 0.01f);
        if (kind == 6) /* one that is nowhere */
            corner[random_below(random, 3)].y = random_below(random, 2) ? LB_INFINITY : lb_nan();
        for (int c = 0; c < 3; c++)
            add_position(builder, corner[c]);
        add_triangle(builder, 3 * i, 3 * i + 1, 3 * i + 2);
    }
}

/* A sphere, a disk or a cylinder; where `center` is given, around it. */
static void add_round(struct builder *builder, const struct manner *manner, const lb_vec3 *center)
{
    struct random *random = builder->random;
    lb_vec3 at = center ? *center : random_corner(random, manner, random_bits(random));
    static const uint32_t kinds[] = {LB_SHAPE_SPHERE, LB_SHAPE_SPHERE, LB_SHAPE_DISK, LB_SHAPE_CYLINDER};
    lb_shape *shape = add_shape(builder, kinds[random_below(random, 4)], 1);
    lb_transform world = {{{1, 0, 0, at.x}, {0, 1, 0, at.y}, {0, 0, 1, at.z}}};
    lb_transform object = {{{1, 0, 0, -at.x}, {0, 1, 0, -at.y}, {0, 0, 1, -at.z}}};
    shape->world_from_object = world;
    shape->object_from_world = object;
    shape->radius = manner->size * (random_below(random, 2) ? 0.25f : random_unit(random) + 0x1p-20f);
    shape->z_min = -shape->radius;
    shape->z_max = shape->radius;
    shape->phi_max = 2.0f * LB_PI;
}

static void fill(struct builder *builder)
{
    struct random *random = builder->random;
    struct manner manner = random_manner(random);
    uint32_t meshes = random_below(random, 4),
             rounds = random_below(random, 3) ? 0 : random_below(random, 12);
    lb_vec3 center = random_corner(random, &manner, 0);
    bool same = random_below(random, 2) == 0;
    for (uint32_t i = 0; i < meshes; i++)
        add_triangles(builder, &manner, 1 + random_below(random, 24));
    for (uint32_t i = 0; i < rounds; i++)
        add_round(builder, &manner, same ? &center : NULL);
    if (random_below(random, 4) == 0)
        add_strands(builder, 1 + random_below(random, 30));
}

static lb_scene *make_scene(uint64_t seed, bool high)
{
    struct random random = {seed}, other = {seed ^ 0x5555};
    struct builder builder = {.random = &random};
    struct lb_tree_options options = {.high_quality = high,
                                      .threads = 1,
                                      .max_leaf = random_below(&other, 3) ? 0 : 1 + random_below(&other, 8),
                                      .max_width = random_below(&other, 3) ? 0 : 2 + random_below(&other, 7),
                                      .group = random_below(&other, 2) ? 0 : 1 + random_below(&other, 12)};
    struct lb_error error;
    lb_scene header = {0};
    lb_scene_arrays_init(&builder.arrays);
    fill(&builder);
    struct lb_geometry_source world = {0, (uint32_t)builder.arrays.shapes.count};
    if (lb_tree_build(&builder.arrays, &world, 1, &options, &error) != LB_OK)
        fail_msg("scene %llu, %s: %s", (unsigned long long)seed, high ? "high" : "fast", error.message);
    lb_scene *scene = lb_scene_pack(&header, &builder.arrays);
    lb_scene_arrays_free(&builder.arrays);
    assert_non_null(scene);
    return scene;
}

/* ---- what must hold ---- */

struct walk {
    const lb_scene *scene;
    uint64_t seed;
    uint32_t elements;
};

static void check_within(const struct walk *walk, const lb_box *inner, const lb_box *outer)
{
    for (int a = 0; a < 3; a++)
        if (!(inner->lower[a] >= outer->lower[a] && inner->upper[a] <= outer->upper[a]))
            fail_msg("scene %llu: a box is not within the one above", (unsigned long long)walk->seed);
}

static void walk_leaf(struct walk *walk, uint32_t word, const lb_box *box)
{
    const lb_scene *scene = walk->scene;
    uint32_t first = word & 0x3ffffffu, n = (word >> 26 & 7) + 1;
    uint32_t kind = word >> 29 & 3;
    bool triangles = kind == LB_LEAF_TRIANGLES;
    assert_in_range(first + n, n,
                    triangles                ? scene->leaf_primitives.count
                    : kind == LB_LEAF_CURVES ? scene->leaf_strands.count
                                             : scene->leaf_others.count);
    for (uint32_t i = first; i < first + n; i++, walk->elements++) {
        lb_box own;
        if (kind == LB_LEAF_CURVES) {
            lb_primitive name = LB_ARRAY(scene, leaf_strands, lb_primitive)[i];
            assert_in_range(name.shape, 0, scene->shapes.count - 1);
            const lb_shape *shape = LB_ARRAY(scene, shapes, lb_shape) + name.shape;
            assert_in_range(name.primitive, 0, shape->primitive_count - 1);
            own = lb_strand_box(shape, lb_strand_of(scene, shape, name.primitive));
        } else if (!triangles) {
            uint32_t number = LB_ARRAY(scene, leaf_others, uint32_t)[i];
            assert_in_range(number, 0, scene->shapes.count - 1);
            own = lb_quadric_box(LB_ARRAY(scene, shapes, lb_shape) + number);
        } else if (scene->leaf_boxes.count) {
            own = LB_ARRAY(scene, leaf_boxes, lb_box)[i];
        } else {
            lb_primitive name = LB_ARRAY(scene, leaf_primitives, lb_primitive)[i];
            float corner[3][3];
            assert_in_range(name.shape, 0, scene->shapes.count - 1);
            lb_triangle_corners(scene, LB_ARRAY(scene, shapes, lb_shape) + name.shape, name.primitive,
                                corner);
            own = lb_triangle_box((const float(*)[3])corner);
        }
        check_within(walk, &own, box);
    }
}

static void walk_child(struct walk *walk, uint32_t word, const lb_box *box)
{
    if (word & LB_CHILD_LEAF) {
        walk_leaf(walk, word, box);
        return;
    }
    assert_in_range(word, 0, walk->scene->nodes.count - 1);
    const lb_node *node = LB_ARRAY(walk->scene, nodes, lb_node) + word;
    for (uint32_t i = 0; i < 8; i++) {
        lb_box child;
        if (node->child[i] == LB_NONE)
            continue;
        for (int a = 0; a < 3; a++) {
            child.lower[a] = node->lower[a][i];
            child.upper[a] = node->upper[a][i];
        }
        check_within(walk, &child, box);
        walk_child(walk, node->child[i], &child);
    }
}

/* Each triangle and quadric that can be hit is there, and once where nothing is split. */
static void check_elements(const struct walk *walk, bool high)
{
    const lb_shape *shapes = LB_ARRAY(walk->scene, shapes, lb_shape);
    uint32_t expected = 0;
    for (uint32_t s = 0; s < walk->scene->shapes.count; s++)
        for (uint32_t i = 0; i < shapes[s].primitive_count; i++) {
            float corner[3][3];
            if (shapes[s].kind == LB_SHAPE_MESH) {
                lb_triangle_corners(walk->scene, &shapes[s], i, corner);
                expected += lb_triangle_is_regular((const float(*)[3])corner);
            } else {
                lb_box box = shapes[s].kind == LB_SHAPE_CURVES
                                 ? lb_strand_box(&shapes[s], lb_strand_of(walk->scene, &shapes[s], i))
                                 : lb_quadric_box(&shapes[s]);
                expected += lb_box_is_regular(&box);
            }
        }
    if (high)
        assert_true(walk->elements >= expected);
    else
        assert_int_equal(walk->elements, expected);
}

static void check_rays(const lb_scene *scene, uint64_t seed)
{
    struct random random = {seed + 77};
    for (int r = 0; r < RAYS; r++) {
        lb_ray ray = random_ray(scene, &random);
        lb_hit expected, hit;
        bool found = lb_brute_closest(scene, &ray, &expected);
        for (unsigned i = 0; i < lb_tracer_count; i++) {
            lb_counters counters = {0};
            if (!lb_tracers[i]->runs_here())
                continue;
            if (lb_tracers[i]->closest(scene, &ray, &hit, &counters) != found ||
                (found && memcmp(&hit, &expected, sizeof hit) != 0))
                fail_msg("scene %llu, ray %d: not the hit of a loop over everything",
                         (unsigned long long)seed, r);
        }
    }
}

static uint64_t from_environment(const char *name, uint64_t otherwise)
{
    const char *text = getenv(name);
    return text && *text ? strtoull(text, NULL, 10) : otherwise;
}

static void check_scenes(bool high)
{
    uint64_t count = from_environment("LB_TREE_SCENES", SCENES), first = from_environment("LB_TREE_SEED", 1);
    for (uint64_t seed = first; seed < first + count; seed++) {
        lb_scene *scene = make_scene(seed, high);
        const lb_geometry *world = LB_ARRAY(scene, geometries, lb_geometry);
        struct walk walk = {.scene = scene, .seed = seed};
        if (world->root != LB_NONE)
            walk_child(&walk, world->root, &world->box);
        check_elements(&walk, high);
        if (scene->shapes.count > 0)
            check_rays(scene, seed);
        lb_scene_block_free(scene);
    }
}

static void test_fast(void **state)
{
    (void)state;
    check_scenes(false);
}

static void test_high(void **state)
{
    (void)state;
    check_scenes(true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_fast), cmocka_unit_test(test_high)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
