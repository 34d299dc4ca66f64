/* Small scenes and rays that are hard on a traversal, made from a seed. */
#ifndef LB_TEST_RANDOM_SCENES_H
#define LB_TEST_RANDOM_SCENES_H

#include "core/kernel/tree/intersect.h"
#include "core/kernel/scene/move.h"
#include "core/scene/tree/tree.h"

#include <stdlib.h>

/* ---- numbers ---- */

struct random {
    uint64_t state;
};

static inline uint32_t random_bits(struct random *random)
{
    random->state = random->state * 6364136223846793005u + 1442695040888963407u;
    uint64_t x = random->state;
    x = (x ^ x >> 32) * 0x9e3779b97f4a7c15u;
    return (uint32_t)(x >> 32);
}

static inline uint32_t random_below(struct random *random, uint32_t n)
{
    return random_bits(random) % n;
}

/* In [0, 1). */
static inline float random_unit(struct random *random)
{
    return (float)(random_bits(random) >> 8) * 0x1p-24f;
}

static inline float random_between(struct random *random, float low, float high)
{
    return low + (high - low) * random_unit(random);
}

/* 2^-exponent .. 2^exponent, evenly by size. */
static inline float random_size(struct random *random, int exponent)
{
    float size = 1.0f + random_unit(random);
    int e = (int)random_below(random, 2 * (uint32_t)exponent) - exponent;
    return __builtin_ldexpf(size, e);
}

static inline lb_vec3 random_vector(struct random *random, float extent)
{
    return lb_vec3_make(random_between(random, -extent, extent), random_between(random, -extent, extent),
                        random_between(random, -extent, extent));
}

/* ---- meshes ---- */

struct builder {
    struct lb_scene_arrays arrays;
    struct random *random;
    uint32_t primitives; /* so far */
};

static inline lb_shape *add_shape(struct builder *builder, uint32_t kind, uint32_t triangles)
{
    lb_shape *shape = lb_vector_add(&builder->arrays.shapes, 1);
    shape->first_primitive = builder->primitives;
    builder->primitives += triangles;
    shape->kind = kind;
    shape->material = shape->medium_inside = shape->medium_outside = shape->first_light = LB_NONE;
    shape->alpha.texture = LB_NONE;
    shape->primitive_count = triangles;
    shape->first_index = builder->arrays.indices.count;
    shape->first_position = builder->arrays.positions.count;
    return shape;
}

static inline void add_triangle(struct builder *builder, uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t *index = lb_vector_add(&builder->arrays.indices, 3);
    index[0] = a;
    index[1] = b;
    index[2] = c;
}

static inline void add_position(struct builder *builder, lb_vec3 p)
{
    *(lb_vec3 *)lb_vector_add(&builder->arrays.positions, 1) = p;
}

/* Triangles anywhere, of sizes over 2^10; some coincide, some are slivers, points or not finite. */
static inline void add_soup(struct builder *builder, uint32_t count)
{
    struct random *random = builder->random;
    add_shape(builder, LB_SHAPE_MESH, count);
    lb_vec3 corner[3] = {{0}};
    for (uint32_t i = 0; i < count; i++) {
        uint32_t kind = random_below(random, 20);
        if (kind > 1 || i == 0) {
            lb_vec3 center = random_vector(random, 1.0f);
            float size = 0.5f * random_size(random, 5) / 32.0f;
            for (int c = 0; c < 3; c++)
                corner[c] = lb_add(center, random_vector(random, size));
        }
        if (kind == 2)
            corner[2] = corner[0];
        if (kind == 3)
            corner[2] = lb_scale(lb_add(corner[0], corner[1]), 0.5f);
        if (kind == 4)
            corner[1].x = corner[0].x = corner[2].x;
        if (kind == 5)
            corner[1].z = __builtin_nanf("");
        if (kind == 6)
            corner[1].y = LB_INFINITY;
        for (int c = 0; c < 3; c++)
            add_position(builder, corner[c]);
        add_triangle(builder, 3 * i, 3 * i + 1, 3 * i + 2);
    }
}

/* A height field over a grid of n x n squares, with coordinates on a coarse lattice, so that many boxes touch
 * and many are flat. */
static inline void add_grid(struct builder *builder, uint32_t n)
{
    struct random *random = builder->random;
    uint32_t flat = random_below(random, 2), turn = random_below(random, 3);
    add_shape(builder, LB_SHAPE_MESH, 2 * n * n);
    for (uint32_t y = 0; y <= n; y++)
        for (uint32_t x = 0; x <= n; x++) {
            float h = flat ? 0.25f : 0.125f * (float)random_below(random, 4);
            float p[3] = {(float)x / (float)n - 0.5f, (float)y / (float)n - 0.5f, h};
            add_position(builder, lb_vec3_make(p[turn], p[(turn + 1) % 3], p[(turn + 2) % 3]));
        }
    for (uint32_t y = 0; y < n; y++)
        for (uint32_t x = 0; x < n; x++) {
            uint32_t at = y * (n + 1) + x;
            add_triangle(builder, at, at + 1, at + n + 1);
            add_triangle(builder, at + 1, at + n + 2, at + n + 1);
        }
}

/* A closed surface around the origin: the sphere's longitudes and latitudes, pushed in and out, of radius
 * near `size`. */
static inline void add_closed(struct builder *builder, uint32_t n, float size, lb_vec3 center)
{
    struct random *random = builder->random;
    uint32_t around = 2 * n, rings = n - 1, first, i, j;
    add_shape(builder, LB_SHAPE_MESH, 2 * around * rings);
    for (i = 0; i < rings; i++)
        for (j = 0; j < around; j++) {
            float s, c, z, r, out = size * random_between(random, 0.7f, 1.3f);
            lb_sincos(2.0f * LB_PI * (float)j / (float)around, &s, &c);
            lb_sincos(LB_PI * (float)(i + 1) / (float)n, &r, &z);
            add_position(builder, lb_add(center, lb_vec3_make(out * r * c, out * r * s, out * z)));
        }
    add_position(builder, lb_add(center, lb_vec3_make(0, 0, size)));
    add_position(builder, lb_add(center, lb_vec3_make(0, 0, -size)));
    first = around * rings;
    for (j = 0; j < around; j++) {
        uint32_t next = (j + 1) % around;
        add_triangle(builder, first, j, next);
        add_triangle(builder, first + 1, around * (rings - 1) + next, around * (rings - 1) + j);
        for (i = 0; i + 1 < rings; i++) {
            add_triangle(builder, around * i + j, around * (i + 1) + j, around * i + next);
            add_triangle(builder, around * i + next, around * (i + 1) + j, around * (i + 1) + next);
        }
    }
}

/* ---- transforms, quadrics, instances ---- */

static inline bool invert(const lb_transform *m, lb_transform *inverse)
{
    double a[3][3], det;
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++) {
            int r1 = (r + 1) % 3, r2 = (r + 2) % 3, c1 = (c + 1) % 3, c2 = (c + 2) % 3;
            a[c][r] =
                (double)m->m[r1][c1] * (double)m->m[r2][c2] - (double)m->m[r1][c2] * (double)m->m[r2][c1];
        }
    det = (double)m->m[0][0] * a[0][0] + (double)m->m[0][1] * a[1][0] + (double)m->m[0][2] * a[2][0];
    for (int r = 0; r < 3; r++) {
        double sum = 0.0;
        for (int c = 0; c < 3; c++) {
            inverse->m[r][c] = (float)(a[r][c] / det);
            sum += a[r][c] / det * (double)m->m[c][3];
        }
        inverse->m[r][3] = (float)-sum;
    }
    return det > 1e-12 || det < -1e-12;
}

/* Turned, stretched, mirrored and moved; or on the axes. */
static inline lb_transform random_transform(struct random *random, float size, lb_transform *inverse)
{
    lb_transform m;
    do {
        uint32_t plain = random_below(random, 3) == 0;
        for (int r = 0; r < 3; r++)
            for (int c = 0; c < 4; c++) {
                float v = random_between(random, -1.0f, 1.0f);
                m.m[r][c] = c == 3 ? 2.0f * v : plain ? (r == c ? size : 0.0f) : size * v;
            }
    } while (!invert(&m, inverse));
    return m;
}

static inline void add_quadric(struct builder *builder)
{
    struct random *random = builder->random;
    static const uint32_t kinds[] = {LB_SHAPE_SPHERE, LB_SHAPE_DISK, LB_SHAPE_CYLINDER};
    bool whole = random_below(random, 2) == 0;
    lb_shape *shape = add_shape(builder, kinds[random_below(random, 3)], 1);
    shape->world_from_object = random_transform(random, 0.3f, &shape->object_from_world);
    shape->radius = random_between(random, 0.2f, 1.0f);
    shape->z_min = whole ? -shape->radius : random_between(random, -1.0f, 0.0f) * shape->radius;
    shape->z_max = whole ? shape->radius : random_between(random, 0.0f, 1.0f) * shape->radius;
    shape->phi_max = whole ? 2.0f * LB_PI : random_between(random, 0.5f, 6.0f);
    shape->height = random_between(random, -1.0f, 1.0f);
    shape->inner_radius = whole ? 0.0f : 0.5f * shape->radius;
}

/* Curves of a type: bent, straight, thick, thin, as points or tapering to nothing. */
static inline void add_strands(struct builder *builder, uint32_t count)
{
    struct random *random = builder->random;
    lb_shape *shape = add_shape(builder, LB_SHAPE_CURVES, count);
    shape->strand_type = random_below(random, 3);
    shape->world_from_object = random_transform(random, 0.5f, &shape->object_from_world);
    shape->first_strand = builder->arrays.strands.count;
    shape->first_normal = builder->arrays.normals.count;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t kind = random_below(random, 12);
        lb_strand *strand = lb_vector_add(&builder->arrays.strands, 1);
        lb_vec3 from = random_vector(random, 1.0f), way = random_vector(random, 0.4f);
        for (int k = 0; k < 4; k++) {
            strand->point[k] = lb_add_scaled(from, way, (float)k / 3.0f);
            if (kind > 3)
                strand->point[k] = lb_add(strand->point[k], random_vector(random, 0.2f));
            if (kind == 3)
                strand->point[k] = from;
        }
        strand->width[0] = random_size(random, 4) / 64.0f;
        strand->width[1] = kind == 4 ? 0.0f : random_size(random, 4) / 64.0f;
        strand->u[0] = 0.25f * (float)random_below(random, 4);
        strand->u[1] = strand->u[0] + 0.25f;
        if (kind == 5 && i > 0)
            *strand = strand[-1];
        if (shape->strand_type == LB_STRAND_RIBBON)
            for (int k = 0; k < 2; k++)
                *(lb_vec3 *)lb_vector_add(&builder->arrays.normals, 1) =
                    lb_normalize(random_vector(random, 1.0f));
    }
}

static inline void add_instance(struct builder *builder, uint32_t geometry)
{
    lb_instance *instance = lb_vector_add(&builder->arrays.instances, 1);
    float size = 0.5f * random_size(builder->random, 2);
    instance->world_from_object = random_transform(builder->random, size, &instance->object_from_world);
    instance->geometry = geometry;
}

/* Turns, glides and grows by any amount around any point; now and then it is flat for a moment, or goes on by another
 * move. */
static inline uint32_t add_move(struct builder *builder, bool goes_on)
{
    struct random *random = builder->random;
    uint32_t outer = goes_on ? add_move(builder, false) : 0;
    lb_move *move = lb_vector_add(&builder->arrays.moves, 1);
    double dot = 0, length[2] = {0, 0};
    for (int i = 0; i < 4; i++) {
        move->rotation[0][i] = (double)random_between(random, -1.0f, 1.0f);
        length[0] += move->rotation[0][i] * move->rotation[0][i];
    }
    for (int i = 0; i < 4; i++) {
        move->rotation[0][i] /= lb_sqrt_d(length[0]);
        move->rotation[1][i] = (double)random_between(random, -1.0f, 1.0f);
        dot += move->rotation[0][i] * move->rotation[1][i];
    }
    for (int i = 0; i < 4; i++) {
        move->rotation[1][i] -= dot * move->rotation[0][i];
        length[1] += move->rotation[1][i] * move->rotation[1][i];
    }
    for (int i = 0; i < 4; i++)
        move->rotation[1][i] /= lb_sqrt_d(length[1]);
    move->angle = random_below(random, 4) ? (double)random_between(random, 0.0f, 1.57f) : 0.0;
    for (int end = 0; end < 2; end++)
        for (int i = 0; i < 3; i++) {
            for (int j = 0; j < 3; j++)
                move->rest[end][i][j] = (double)random_between(random, -0.2f, 0.2f) + (i == j ? 0.7 : 0.0);
            move->translation[end][i] = (double)random_between(random, -1.0f, 1.0f);
        }
    for (int i = 0; i < 3 && random_below(random, 8) == 0; i++)
        move->rest[1][i][0] = -move->rest[0][i][0];
    for (int i = 0; i < 3; i++)
        move->pivot[i] = random_below(random, 2) ? (double)random_between(random, -3.0f, 3.0f) : 0.0;
    move->outer = outer;
    return (uint32_t)builder->arrays.moves.count;
}

static inline void add_moving_instance(struct builder *builder, uint32_t geometry)
{
    uint32_t move = add_move(builder, random_below(builder->random, 3) == 0);
    lb_instance *instance = lb_vector_add(&builder->arrays.instances, 1);
    instance->geometry = geometry;
    instance->move = move;
}

/* ---- scenes ---- */

enum scene_kind {
    SCENE_SOUP,
    SCENE_GRID,
    SCENE_CLOSED,
    SCENE_INSTANCES,
    SCENE_MIXED,
    SCENE_CURVES, /* and all else that stands still */
    SCENE_MOVING, /* and all else */
    SCENE_ALPHA, /* meshes of which some have alpha, quadrics, and instances of both or of opaque triangles */
    SCENE_KINDS
};

/* Lets some of the shapes from `first` on have alpha, which is found out by a random number of the ray and the
 * primitive. */
static inline void make_some_alpha(struct builder *builder, size_t first)
{
    lb_shape *shapes = builder->arrays.shapes.data;
    for (size_t i = first; i < builder->arrays.shapes.count; i++) {
        if (random_below(builder->random, 3) != 0)
            continue;
        shapes[i].flags |= LB_SHAPE_HAS_ALPHA;
        shapes[i].alpha.value.r = 0.25f * (float)random_below(builder->random, 4);
    }
}

static inline void add_some_mesh(struct builder *builder)
{
    switch (random_below(builder->random, 3)) {
    case 0:
        add_soup(builder, 1 + random_below(builder->random, 60));
        break;
    case 1:
        add_grid(builder, 1 + random_below(builder->random, 5));
        break;
    default:
        add_closed(builder, 2 + random_below(builder->random, 4), 0.5f, lb_vec3_make(0, 0, 0));
    }
}

/* A scene of the kind under the tree of `options`, freed by lb_scene_block_free; NULL: the tree could not be
 * built. The same seed gives the same scene under every tree. */
static inline lb_scene *random_scene(enum scene_kind kind, uint64_t seed,
                                     const struct lb_tree_options *options, struct lb_error *error)
{
    struct random random = {seed};
    struct builder builder = {.random = &random};
    struct lb_geometry_source sources[4] = {{0, 0}};
    uint32_t geometries = kind >= SCENE_INSTANCES ? 2 + random_below(&random, 2) : 1;
    lb_scene header = {.any_alpha = kind == SCENE_ALPHA}, *scene = NULL;
    lb_scene_arrays_init(&builder.arrays);
    for (uint32_t g = 0; g < geometries; g++) {
        sources[g].first_shape = (uint32_t)builder.arrays.shapes.count;
        if (kind == SCENE_SOUP)
            add_soup(&builder, 1 + random_below(&random, 150));
        else if (kind == SCENE_GRID)
            add_grid(&builder, 1 + random_below(&random, 8));
        else if (kind == SCENE_CLOSED)
            add_closed(&builder, 2 + random_below(&random, 7), 1.0f, lb_vec3_make(0, 0, 0));
        else if (g > 0 || kind == SCENE_MIXED || kind == SCENE_MOVING || kind == SCENE_ALPHA)
            add_some_mesh(&builder);
        for (uint32_t i = 0; kind == SCENE_MIXED && i < 4; i++)
            add_quadric(&builder);
        if (kind == SCENE_MOVING && random_below(&random, 2))
            add_quadric(&builder);
        for (uint32_t i = 0; (kind == SCENE_CURVES || (kind == SCENE_MOVING && g == 1)) && i < 3; i++)
            add_strands(&builder, 1 + random_below(&random, 20));
        if (kind == SCENE_ALPHA && random_below(&random, 2)) {
            add_some_mesh(&builder);
            add_quadric(&builder);
            make_some_alpha(&builder, sources[g].first_shape);
        }
        sources[g].shape_count = (uint32_t)builder.arrays.shapes.count - sources[g].first_shape;
    }
    for (uint32_t i = 0; geometries > 1 && i < 6; i++) {
        uint32_t geometry = 1 + random_below(&random, geometries - 1);
        if (kind == SCENE_MOVING && i > 0)
            add_moving_instance(&builder, geometry);
        else
            add_instance(&builder, geometry);
    }
    if (lb_tree_build(&builder.arrays, sources, geometries, options, error) == LB_OK)
        scene = lb_scene_pack(&header, &builder.arrays);
    lb_scene_arrays_free(&builder.arrays);
    return scene;
}

/* ---- rays ---- */

/* A point in a curve, in the space of its geometry. */
static inline lb_vec3 random_strand_target(const lb_scene *scene, const lb_shape *shape,
                                           struct random *random)
{
    const lb_strand *strand = lb_strand_of(scene, shape, random_below(random, shape->primitive_count));
    lb_vec3 along,
        p = lb_strand_point(strand->point, random_below(random, 2) ? random_unit(random) : 1.0f, &along);
    return lb_transform_point(&shape->world_from_object,
                              lb_add(p, random_vector(random, 0.5f * strand->width[0])));
}

/* The point of an instance's geometry in the world at a time. */
static inline lb_vec3 instance_point(const lb_scene *scene, uint32_t number, float time, lb_vec3 p)
{
    const lb_instance *instance = &LB_ARRAY(scene, instances, lb_instance)[number];
    if (instance->move == 0)
        return lb_transform_point(&instance->world_from_object, p);
    lb_pose pose;
    lb_move_pose(scene, instance->move, time, &pose);
    return lb_transform_point(&pose.out, p);
}

/* A point on some triangle of the scene, in the space of its geometry or, at a time, of an instance: a corner, on an
 * edge, or inside. */
static inline lb_vec3 random_target(const lb_scene *scene, float time, struct random *random)
{
    const lb_shape *shapes = LB_ARRAY(scene, shapes, lb_shape);
    const lb_shape *shape = &shapes[random_below(random, (uint32_t)scene->shapes.count)];
    float corner[3][3], weight[3] = {1.0f, 0.0f, 0.0f}, p[3] = {0.0f, 0.0f, 0.0f};
    uint32_t kind = random_below(random, 3);
    if (shape->kind == LB_SHAPE_CURVES)
        return random_strand_target(scene, shape, random);
    if (shape->kind != LB_SHAPE_MESH)
        return random_vector(random, 1.0f);
    lb_triangle_corners(scene, shape, random_below(random, shape->primitive_count), corner);
    if (!lb_triangle_is_regular(corner))
        return random_vector(random, 1.0f);
    if (kind > 0) {
        weight[1] = random_unit(random);
        weight[2] = kind > 1 ? random_unit(random) * (1.0f - weight[1]) : 0.0f;
        weight[0] = 1.0f - weight[1] - weight[2];
    }
    for (int i = 0; i < 3; i++)
        for (int a = 0; a < 3; a++)
            p[a] += weight[i] * corner[i][a];
    lb_vec3 target = lb_vec3_make(p[0], p[1], p[2]);
    if (scene->instances.count > 0 && random_below(random, 4) > 0)
        target = instance_point(scene, random_below(random, (uint32_t)scene->instances.count), time, target);
    return target;
}

/* Zeros of both signs, denormals and the tiniest normals take the place of components. */
static inline float spoilt(struct random *random, float x)
{
    switch (random_below(random, 6)) {
    case 0:
        return 0.0f;
    case 1:
        return -0.0f;
    case 2:
        return __builtin_copysignf(lb_bits_float(1 + random_below(random, 1u << 23)), x);
    case 3:
        return __builtin_ldexpf(x, -(int)random_below(random, 126));
    default:
        return x;
    }
}

static inline lb_vec3 random_direction(struct random *random)
{
    lb_vec3 d = random_vector(random, 1.0f);
    if (random_below(random, 3) == 0) {
        d = lb_vec3_make(spoilt(random, d.x), spoilt(random, d.y), spoilt(random, d.z));
        if (random_below(random, 2) == 0)
            d = lb_scale(d, random_size(random, 10));
    }
    return d;
}

/* Rays at corners, edges and faces, through two of them (so that they graze), along the axes in faces of
 * boxes, from within and from distances over 2^10, now and then of any size, or broken. */
static inline lb_ray random_ray(const lb_scene *scene, struct random *random)
{
    lb_ray ray = {.t_max = LB_INFINITY};
    if (scene->moves.count > 0)
        ray.time =
            0.25f * (float)random_below(random, 5) + (random_below(random, 2) ? random_unit(random) : 0.0f);
    ray.time = lb_min(ray.time, 1.0f);
    lb_vec3 a = random_target(scene, ray.time, random), b = random_target(scene, ray.time, random);
    uint32_t kind = random_below(random, 16);
    float back = random_size(random, 10);
    if (kind < 4) {
        ray.direction = random_direction(random);
        ray.origin = lb_add_scaled(a, ray.direction, -back);
    } else if (kind < 7) {
        ray.origin = random_vector(random, 2.0f);
        ray.direction = lb_sub(a, ray.origin);
    } else if (kind < 10) {
        ray.direction = lb_sub(b, a);
        ray.origin = lb_add_scaled(a, ray.direction, random_below(random, 2) ? 0.0f : -back);
    } else if (kind < 13) {
        float d[3] = {0.0f, 0.0f, 0.0f};
        uint32_t axis = random_below(random, 3);
        d[random_below(random, 3)] = random_below(random, 2) ? -0.0f : 0x1p-140f;
        d[axis] = random_below(random, 2) ? -1.0f : 1.0f;
        ray.direction = lb_vec3_make(d[0], d[1], d[2]);
        ray.origin = lb_add_scaled(a, lb_vec3_make(axis == 0, axis == 1, axis == 2), -back * d[axis]);
    } else if (kind < 15) {
        ray.direction = random_direction(random);
        ray.origin = lb_vec3_make(a.x, b.y, random_below(random, 2) ? a.z : 0.0f);
    } else {
        ray.direction = lb_vec3_make(lb_bits_float(random_bits(random)), lb_bits_float(random_bits(random)),
                                     spoilt(random, 1.0f));
        ray.origin =
            random_below(random, 2) ? a : lb_vec3_make(lb_bits_float(random_bits(random)), 0.0f, 0.0f);
    }
    if (random_below(random, 4) == 0)
        ray.t_max = random_below(random, 8) ? random_size(random, 4) : 0.0f;
    return ray;
}

#endif
