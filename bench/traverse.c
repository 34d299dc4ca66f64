/* The traversal beside Embree's, single rays, one thread, in one process:
 *     make bench-traverse && build/bench/traverse [medium|high] [rounds] [mesh.ply]
 * Both trace the same rays in turn, a sixteenth at a time. Times are sums of the parts' medians over the rounds ("best": of their
 * least), so that what disturbs the machine disturbs both, and seldom counts. Hits are compared first: a benchmark of wrong answers is none. */
#include "core/cpu/tracer.h"
#include "core/scene/ply.h"
#include "core/scene/tree.h"

#include <embree3/rtcore.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { WIDTH = 800, HEIGHT = 600, RAYS = WIDTH * HEIGHT, MAX_ROUNDS = 101, PARTS = 16 };

/* Processor time: other programs on the machine do not count. */
static double seconds(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values, int count)
{
    qsort(values, (size_t)count, sizeof *values, by_value);
    return values[count / 2];
}

/* ---- the scene, twice ---- */

/* The mesh and a floor beneath it, as in the dragon's scene file. */
static void add_mesh(struct lb_scene_arrays *arrays, const lb_vec3 *positions, size_t vertices,
                     const uint32_t *indices, size_t triangles)
{
    lb_shape *shape = lb_vector_add(&arrays->shapes, 1);
    shape->kind = LB_SHAPE_MESH;
    shape->primitive_count = (uint32_t)triangles;
    shape->first_position = arrays->positions.count;
    shape->first_index = arrays->indices.count;
    memcpy(lb_vector_add(&arrays->positions, vertices), positions, vertices * sizeof *positions);
    memcpy(lb_vector_add(&arrays->indices, 3 * triangles), indices, 3 * triangles * sizeof *indices);
}

static const lb_vec3 floor_positions[4] = {
    {-2, 0.0527295f, -2}, {-2, 0.0527295f, 2}, {2, 0.0527295f, 2}, {2, 0.0527295f, -2}};
static const uint32_t floor_indices[6] = {0, 1, 2, 0, 2, 3};

static lb_scene *make_scene(const struct lb_ply *ply, bool high)
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
    add_mesh(&arrays, ply->positions, ply->vertex_count, ply->indices, ply->triangle_count);
    add_mesh(&arrays, floor_positions, 4, floor_indices, 2);
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

static void attach(RTCDevice device, RTCScene scene, const lb_vec3 *positions, size_t vertices,
                   const uint32_t *indices, size_t triangles, bool high)
{
    RTCGeometry mesh = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_TRIANGLE);
    memcpy(rtcSetNewGeometryBuffer(mesh, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, 12, vertices),
           positions, 12 * vertices);
    memcpy(rtcSetNewGeometryBuffer(mesh, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, 12, triangles), indices,
           12 * triangles);
    rtcSetGeometryBuildQuality(mesh, high ? RTC_BUILD_QUALITY_HIGH : RTC_BUILD_QUALITY_MEDIUM);
    rtcCommitGeometry(mesh);
    rtcAttachGeometry(scene, mesh);
    rtcReleaseGeometry(mesh);
}

static RTCScene make_embree(RTCDevice device, const struct lb_ply *ply)
{
    RTCScene scene = rtcNewScene(device);
    rtcSetSceneBuildQuality(scene, RTC_BUILD_QUALITY_HIGH);
    attach(device, scene, ply->positions, ply->vertex_count, ply->indices, ply->triangle_count, true);
    attach(device, scene, floor_positions, 4, floor_indices, 2, true);
    double start = seconds(CLOCK_MONOTONIC);
    rtcCommitScene(scene);
    printf("Embree's tree (HIGH, fast): %.3f s\n", seconds(CLOCK_MONOTONIC) - start);
    return scene;
}

/* ---- rays ---- */

static uint64_t random_state = 1;

static float random_unit(void)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (float)(random_state >> 40) * 0x1p-24f;
}

static void make_primary(lb_ray *rays)
{
    lb_vec3 eye = {0.02f, 0.175f, 0.27f}, at = {-0.006f, 0.1235f, 0.0f};
    lb_vec3 forward = lb_normalize(lb_sub(at, eye));
    lb_vec3 right = lb_normalize(lb_cross(lb_vec3_make(0, 1, 0), forward)), up = lb_cross(forward, right);
    float scale = tanf(35.0f * LB_PI / 360.0f);
    for (int i = 0; i < RAYS; i++) {
        float x = ((float)(i % WIDTH) + random_unit()) / HEIGHT * 2.0f - (float)WIDTH / HEIGHT;
        float y = 1.0f - ((float)(i / WIDTH) + random_unit()) / HEIGHT * 2.0f;
        rays[i].origin = eye;
        rays[i].direction =
            lb_normalize(lb_add_scaled(lb_add_scaled(forward, right, x * scale), up, y * scale));
        rays[i].t_max = LB_INFINITY;
    }
}

/* Cosine-distributed from where the primary rays hit, in their order; those that miss start anew from another hit. */
static int make_bounces(const lb_scene *scene, const lb_ray *primary, lb_ray *rays)
{
    int count = 0;
    for (int i = 0; i < RAYS; i++) {
        lb_counters counters = {0};
        lb_hit hit;
        if (!lb_tracers[0]->closest(scene, &primary[i], &hit, &counters))
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
        float u = random_unit(), phi = 2.0f * LB_PI * random_unit(), r = sqrtf(u);
        lb_vec3 d =
            lb_add_scaled(lb_add_scaled(lb_scale(n, sqrtf(1.0f - u)), s, r * cosf(phi)), t, r * sinf(phi));
        lb_vec3 at = lb_add_scaled(primary[i].origin, primary[i].direction, hit.t);
        rays[count].origin = lb_add_scaled(at, n, 1e-6f);
        rays[count].direction = d;
        rays[count++].t_max = LB_INFINITY;
    }
    return count;
}

/* ---- tracing ---- */

static struct RTCRayHit embree_ray(const lb_ray *ray)
{
    struct RTCRayHit query;
    query.ray.org_x = ray->origin.x;
    query.ray.org_y = ray->origin.y;
    query.ray.org_z = ray->origin.z;
    query.ray.dir_x = ray->direction.x;
    query.ray.dir_y = ray->direction.y;
    query.ray.dir_z = ray->direction.z;
    query.ray.tnear = 0.0f;
    query.ray.tfar = ray->t_max;
    query.ray.time = 0.0f;
    query.ray.mask = 0xffffffffu;
    query.ray.flags = 0;
    query.hit.geomID = RTC_INVALID_GEOMETRY_ID;
    query.hit.instID[0] = RTC_INVALID_GEOMETRY_ID;
    return query;
}

/* Seconds; `sum` keeps the compiler from dropping anything. */
static double time_embree(RTCScene scene, const lb_ray *rays, int count, bool any, double *sum)
{
    struct RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    double start = seconds(CLOCK_THREAD_CPUTIME_ID);
    for (int i = 0; i < count; i++) {
        struct RTCRayHit query = embree_ray(&rays[i]);
        if (any)
            rtcOccluded1(scene, &context, &query.ray);
        else
            rtcIntersect1(scene, &context, &query);
        *sum += query.ray.tfar < 0.0f                         ? 1.0
                : query.hit.geomID != RTC_INVALID_GEOMETRY_ID ? (double)query.ray.tfar
                                                              : 0.0;
    }
    return seconds(CLOCK_THREAD_CPUTIME_ID) - start;
}

static double time_ours(const struct lb_tracer *tracer, const lb_scene *scene, const lb_ray *rays, int count,
                        bool any, double *sum, lb_counters *counters)
{
    double start = seconds(CLOCK_THREAD_CPUTIME_ID);
    for (int i = 0; i < count; i++) {
        lb_hit hit;
        if (any)
            *sum += tracer->any(scene, &rays[i], counters) ? 1.0 : 0.0;
        else
            *sum += tracer->closest(scene, &rays[i], &hit, counters) ? (double)hit.t : 0.0;
    }
    return seconds(CLOCK_THREAD_CPUTIME_ID) - start;
}

/* Hits that differ: another primitive at another distance. Embree (fast) is not watertight and rounds otherwise. */
static int count_differences(const struct lb_tracer *tracer, const lb_scene *scene, RTCScene embree,
                             const lb_ray *rays, int count)
{
    struct RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    int differ = 0;
    for (int i = 0; i < count; i++) {
        struct RTCRayHit query = embree_ray(&rays[i]);
        lb_counters counters = {0};
        lb_hit hit;
        rtcIntersect1(embree, &context, &query);
        bool ours = tracer->closest(scene, &rays[i], &hit, &counters);
        bool theirs = query.hit.geomID != RTC_INVALID_GEOMETRY_ID;
        if (ours != theirs || (ours && fabsf(hit.t - query.ray.tfar) > 1e-4f * hit.t + 1e-5f))
            differ++;
    }
    return differ;
}

static void compare(const struct lb_tracer *tracer, const lb_scene *scene, RTCScene embree, const char *name,
                    const lb_ray *rays, int count, bool any, int rounds)
{
    const char *kind = getenv("LB_BENCH_KIND");
    if (kind && strcmp(kind, name) != 0)
        return;
    static double ours[PARTS][MAX_ROUNDS], theirs[PARTS][MAX_ROUNDS];
    double sum[2] = {0.0, 0.0}, middle[2] = {0.0, 0.0}, best[2] = {0.0, 0.0};
    lb_counters counters = {0};
    for (int i = 0; i < rounds; i++) {
        counters = (lb_counters){0};
        for (int part = 0; part < PARTS; part++) {
            int from = (int)((long)count * part / PARTS), to = (int)((long)count * (part + 1) / PARTS);
            theirs[part][i] = time_embree(embree, rays + from, to - from, any, &sum[0]);
            ours[part][i] = time_ours(tracer, scene, rays + from, to - from, any, &sum[1], &counters);
        }
    }
    for (int part = 0; part < PARTS; part++) {
        middle[0] += median(ours[part], rounds);
        middle[1] += median(theirs[part], rounds);
        best[0] += ours[part][0];
        best[1] += theirs[part][0];
    }
    printf("%-9s %-8s %7.3f %7.3f   %5.3f   %5.3f   %6.2f %6.2f   %d\n", name, tracer->name,
           count / middle[0] * 1e-6, count / middle[1] * 1e-6, middle[1] / middle[0], best[1] / best[0],
           (double)counters.nodes / count, (double)counters.groups / count,
           count_differences(tracer, scene, embree, rays, count));
    fflush(stdout);
    if (fabs(sum[0] - sum[1]) > 1e-3 * fabs(sum[0]) + 1.0)
        printf("          sums differ: %g %g\n", sum[0], sum[1]);
}

int main(int argc, char **argv)
{
    bool high = argc > 1 && strcmp(argv[1], "high") == 0;
    int rounds = argc > 2 ? atoi(argv[2]) : 15;
    const char *path = argc > 3 ? argv[3] : "../shared/data/scenes/dragon/geometry/dragon.ply.gz";
    struct lb_error error;
    struct lb_ply ply;
    if (rounds < 1 || rounds > MAX_ROUNDS || lb_ply_read(path, NULL, &ply, &error) != LB_OK) {
        fprintf(stderr, "%s\n", rounds < 1 || rounds > MAX_ROUNDS ? "rounds: 1 to 101" : error.message);
        return 1;
    }
    printf("%s: %llu triangles, tree %s\n", path, (unsigned long long)ply.triangle_count,
           high ? "high" : "medium");
    lb_scene *scene = make_scene(&ply, high);
    RTCDevice device = rtcNewDevice("threads=2");
    RTCScene embree = make_embree(device, &ply);
    lb_ray *primary = calloc(RAYS, sizeof *primary), *bounces = calloc(RAYS, sizeof *bounces);
    make_primary(primary);
    int count = make_bounces(scene, primary, bounces);
    printf("%-9s %-8s %7s %7s   %5s   %5s   %6s %6s   %s\n", "rays", "", "Mrays/s", "Embree", "ratio", "best",
           "nodes", "leaves", "differ");
    const char *only = getenv("LB_BENCH_ISA");
    for (unsigned i = 0; i < lb_tracer_count; i++) {
        if (!lb_tracers[i]->runs_here() || (only && strcmp(only, lb_tracers[i]->name) != 0))
            continue;
        compare(lb_tracers[i], scene, embree, "primary", primary, RAYS, false, rounds);
        compare(lb_tracers[i], scene, embree, "bounce", bounces, count, false, rounds);
        compare(lb_tracers[i], scene, embree, "occluded", bounces, count, true, rounds);
    }
    free(primary);
    free(bounces);
    rtcReleaseScene(embree);
    rtcReleaseDevice(device);
    lb_scene_block_free(scene);
    lb_ply_free(&ply);
    return 0;
}
