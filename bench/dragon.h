/* What the benchmarks of traversal share: the dragon on its floor, the rays that are shot at it, times. */
#ifndef LB_BENCH_DRAGON_H
#define LB_BENCH_DRAGON_H

#include "core/cpu/tracer.h"
#include "core/scene/ply/ply.h"
#include "core/scene/tree/tree.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { DRAGON_WIDTH = 800, DRAGON_HEIGHT = 600, DRAGON_RAYS = DRAGON_WIDTH * DRAGON_HEIGHT };

/* CLOCK_THREAD_CPUTIME_ID: other programs on the machine do not count. */
static inline double seconds(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static inline int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Sorts them. */
static inline double median(double *values, int count)
{
    qsort(values, (size_t)count, sizeof *values, by_value);
    return values[count / 2];
}

/* The mesh and a floor beneath it, as in the dragon's scene file. */
static inline void dragon_add_mesh(struct lb_scene_arrays *arrays, const lb_vec3 *positions, size_t vertices,
                                   const uint32_t *indices, size_t triangles)
{
    lb_shape *shape = lb_vector_add(&arrays->shapes, 1);
    shape->kind = LB_SHAPE_MESH;
    shape->primitive_count = (uint32_t)triangles;
    shape->first_primitive = (uint32_t)(arrays->indices.count / 3);
    shape->first_position = arrays->positions.count;
    shape->first_index = arrays->indices.count;
    memcpy(lb_vector_add(&arrays->positions, vertices), positions, vertices * sizeof *positions);
    memcpy(lb_vector_add(&arrays->indices, 3 * triangles), indices, 3 * triangles * sizeof *indices);
}

static const lb_vec3 dragon_floor_positions[4] = {
    {-2, 0.0527295f, -2}, {-2, 0.0527295f, 2}, {2, 0.0527295f, 2}, {2, 0.0527295f, -2}};
static const uint32_t dragon_floor_indices[6] = {0, 1, 2, 0, 2, 3};

static inline lb_scene *dragon_scene(const struct lb_ply *ply, bool high)
{
    struct lb_scene_arrays arrays;
    struct lb_geometry_source world = {0, 2};
    struct lb_tree_options options = {.high_quality = high, .threads = 2};
    const char *leaf = getenv("LB_BENCH_LEAF");
    if (leaf)
        options.max_leaf = (uint32_t)atoi(leaf);
    struct lb_error error;
    lb_scene header = {0};
    lb_scene_arrays_init(&arrays);
    dragon_add_mesh(&arrays, ply->positions, ply->vertex_count, ply->indices, ply->triangle_count);
    dragon_add_mesh(&arrays, dragon_floor_positions, 4, dragon_floor_indices, 2);
    double start = seconds(CLOCK_MONOTONIC);
    if (lb_tree_build(&arrays, &world, 1, &options, &error) != LB_OK) {
        fprintf(stderr, "%s\n", error.message);
        exit(1);
    }
    double end = seconds(CLOCK_MONOTONIC);
    lb_scene *scene = lb_scene_pack(&header, &arrays);
    lb_scene_arrays_free(&arrays);
    printf("tree: %.3f s, %llu nodes, %llu leaf elements, depth %u\n", end - start,
           (unsigned long long)scene->nodes.count, (unsigned long long)scene->leaf_primitives.count,
           LB_ARRAY(scene, geometries, lb_geometry)[0].depth);
    return scene;
}

/* ---- rays ---- */

static uint64_t dragon_random_state = 1;

static inline float dragon_random(void)
{
    dragon_random_state = dragon_random_state * 6364136223846793005u + 1442695040888963407u;
    return (float)(dragon_random_state >> 40) * 0x1p-24f;
}

static inline void dragon_primary(lb_ray *rays)
{
    lb_vec3 eye = {0.02f, 0.175f, 0.27f}, at = {-0.006f, 0.1235f, 0.0f};
    lb_vec3 forward = lb_normalize(lb_sub(at, eye));
    lb_vec3 right = lb_normalize(lb_cross(lb_vec3_make(0, 1, 0), forward)), up = lb_cross(forward, right);
    float scale = tanf(35.0f * LB_PI / 360.0f);
    for (int i = 0; i < DRAGON_RAYS; i++) {
        float x = ((float)(i % DRAGON_WIDTH) + dragon_random()) / DRAGON_HEIGHT * 2.0f -
                  (float)DRAGON_WIDTH / DRAGON_HEIGHT;
        float y = 1.0f - ((float)(i / DRAGON_WIDTH) + dragon_random()) / DRAGON_HEIGHT * 2.0f;
        rays[i].origin = eye;
        rays[i].direction =
            lb_normalize(lb_add_scaled(lb_add_scaled(forward, right, x * scale), up, y * scale));
        rays[i].t_max = LB_INFINITY;
        rays[i].from = rays[i].from_instance = 0;
    }
}

/* The fastest that runs here; all find the same hits. */
static inline const struct lb_tracer *dragon_tracer(void)
{
    unsigned best = lb_tracer_count - 1;
    while (best > 0 && !lb_tracers[best]->runs_here())
        best--;
    return lb_tracers[best];
}

/* Cosine-distributed from where the primary rays hit, in their order; those that miss start anew from another hit. */
static inline int dragon_bounces(const lb_scene *scene, const lb_ray *primary, lb_ray *rays)
{
    int count = 0;
    const struct lb_tracer *tracer = dragon_tracer();
    for (int i = 0; i < DRAGON_RAYS; i++) {
        lb_counters counters = {0};
        lb_hit hit;
        if (!tracer->closest(scene, &primary[i], &hit, &counters))
            continue;
        const lb_shape *shape = LB_ARRAY(scene, shapes, lb_shape) + hit.primitive.shape;
        const uint32_t *index =
            LB_ARRAY(scene, indices, uint32_t) + shape->first_index + 3 * hit.primitive.primitive;
        const lb_vec3 *p = LB_ARRAY(scene, positions, lb_vec3) + shape->first_position;
        lb_vec3 n = lb_normalize(
                    lb_cross(lb_sub(p[index[1]], p[index[0]]), lb_sub(p[index[2]], p[index[0]]))),
                s, t;
        n = lb_face_forward(n, lb_negate(primary[i].direction));
        lb_basis(n, &s, &t);
        float u = dragon_random(), phi = 2.0f * LB_PI * dragon_random(), r = sqrtf(u);
        lb_vec3 d =
            lb_add_scaled(lb_add_scaled(lb_scale(n, sqrtf(1.0f - u)), s, r * cosf(phi)), t, r * sinf(phi));
        lb_vec3 at = lb_add_scaled(primary[i].origin, primary[i].direction, hit.t);
        rays[count].origin = lb_add_scaled(at, n, 1e-6f);
        rays[count].direction = d;
        rays[count].from = rays[count].from_instance = 0;
        rays[count++].t_max = LB_INFINITY;
    }
    return count;
}

/* The bounces, naming the triangles that they leave, as those of a picture do. */
static inline void dragon_leaving(const lb_scene *scene, const lb_ray *primary, const lb_ray *bounces,
                                  int count, lb_ray *leaving)
{
    for (int i = 0, made = 0; made < count; i++) {
        lb_counters counters = {0};
        lb_hit hit;
        if (!dragon_tracer()->closest(scene, &primary[i], &hit, &counters))
            continue;
        leaving[made] = bounces[made];
        leaving[made].from = 1 + LB_ARRAY(scene, shapes, lb_shape)[hit.primitive.shape].first_primitive +
                             hit.primitive.primitive;
        leaving[made++].from_instance = hit.instance;
    }
}

#endif
