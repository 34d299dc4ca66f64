/* The traversal beside Embree's, single rays, one thread, in one process:
 *     make bench-traverse && build/bench/traverse [medium|high] [rounds] [mesh.ply]
 * Both trace the same rays in turn, a sixteenth at a time. Times are sums of the parts' medians over the rounds
 * ("best": of their least), so that what disturbs the machine disturbs both, and seldom counts. Hits are compared
 * first: a benchmark of wrong answers is none. bounce+ and occluded+ are bounce and occluded whose rays name the
 * triangle that they leave, as the renderer's do. */
#include "bench/dragon.h"

#if LB_EMBREE == 3
#include <embree3/rtcore.h>
#else
#include <embree4/rtcore.h>
#endif

enum { MAX_ROUNDS = 101, PARTS = 16 };

/* ---- Embree's scene ---- */

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
    attach(device, scene, dragon_floor_positions, 4, dragon_floor_indices, 2, true);
    double start = seconds(CLOCK_MONOTONIC);
    rtcCommitScene(scene);
    printf("Embree's tree (HIGH, fast): %.3f s\n", seconds(CLOCK_MONOTONIC) - start);
    return scene;
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

/* Embree 3's calls want a context, Embree 4's none. */
static void embree_closest(RTCScene scene, struct RTCRayHit *query)
{
#if LB_EMBREE == 3
    struct RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    rtcIntersect1(scene, &context, query);
#else
    rtcIntersect1(scene, query, NULL);
#endif
}

static void embree_any(RTCScene scene, struct RTCRay *ray)
{
#if LB_EMBREE == 3
    struct RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    rtcOccluded1(scene, &context, ray);
#else
    rtcOccluded1(scene, ray, NULL);
#endif
}

/* Seconds; `sum` keeps the compiler from dropping anything. */
static double time_embree(RTCScene scene, const lb_ray *rays, int count, bool any, double *sum)
{
    double start = seconds(CLOCK_THREAD_CPUTIME_ID);
    for (int i = 0; i < count; i++) {
        struct RTCRayHit query = embree_ray(&rays[i]);
        if (any)
            embree_any(scene, &query.ray);
        else
            embree_closest(scene, &query);
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
    int differ = 0;
    for (int i = 0; i < count; i++) {
        struct RTCRayHit query = embree_ray(&rays[i]);
        lb_counters counters = {0};
        lb_hit hit;
        embree_closest(embree, &query);
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
    lb_scene *scene = dragon_scene(&ply, high);
    RTCDevice device = rtcNewDevice("threads=2");
    RTCScene embree = make_embree(device, &ply);
    lb_ray *primary = calloc(DRAGON_RAYS, sizeof *primary), *bounces = calloc(DRAGON_RAYS, sizeof *bounces);
    dragon_primary(primary);
    int count = dragon_bounces(scene, primary, bounces);
    lb_ray *leaving = calloc(DRAGON_RAYS, sizeof *leaving);
    dragon_leaving(scene, primary, bounces, count, leaving);
    printf("%-9s %-8s %7s %7s   %5s   %5s   %6s %6s   %s\n", "rays", "", "Mrays/s", "Embree", "ratio", "best",
           "nodes", "leaves", "differ");
    const char *only = getenv("LB_BENCH_ISA");
    for (unsigned i = 0; i < lb_tracer_count; i++) {
        if (!lb_tracers[i]->runs_here() || (only && strcmp(only, lb_tracers[i]->name) != 0))
            continue;
        compare(lb_tracers[i], scene, embree, "primary", primary, DRAGON_RAYS, false, rounds);
        compare(lb_tracers[i], scene, embree, "bounce", bounces, count, false, rounds);
        compare(lb_tracers[i], scene, embree, "occluded", bounces, count, true, rounds);
        compare(lb_tracers[i], scene, embree, "bounce+", leaving, count, false, rounds);
        compare(lb_tracers[i], scene, embree, "occluded+", leaving, count, true, rounds);
    }
    free(primary);
    free(bounces);
    free(leaving);
    rtcReleaseScene(embree);
    rtcReleaseDevice(device);
    lb_scene_block_free(scene);
    lb_ply_free(&ply);
    return 0;
}
