/* Rays a second of the GPU's own kernels on the dragon: the rays of bench/traverse.c, by the device's clock, and every
 * hit compared with the CPU's to the bit.
 * usage: gpu_rays [-g GPU] [-s SETS] [-r ROUNDS] [-e EVERY] [mesh.ply]
 * SETS (8) is how many times the 800 x 600 rays are drawn anew: a launch has that many of each kind, the first set
 * being exactly those of bench/traverse.c ("bounce+", "shadow+": naming the triangle that they leave, as a
 * picture's do; "asking": the same rays through the kernels of scenes that have disks, spheres or alpha, too; "two
 * walks": through those of scenes that have few of these, where the second finds nothing here). Of all rays, each
 * EVERY-th (1) is traced: played devices take long for them.
 * GB/s: of the nodes and triangles that the rays visit, counted on the host over the same tree; caches serve most
 * of it. Prints a line a kind of rays: median, least and most of ROUNDS (15) launches after 0.3 s of launches that
 * are not counted, so that the device's clocks have risen. Lines "goal NAME FIGURE" are for bench/gpu.sh. Exit
 * status 0: no hit differs. */
#include "bench/dragon.h"
#include "bench/gpu/rays_device.h"
#include "bench/gpu/rays_steps.h"
#include "core/kernel/tree/wide.h"
#include "cuda/cuda.h"

#include <unistd.h>

enum { MOST_ROUNDS = 101, MOST_SETS = 64, MOST_EVERY = 1000 };

static const double WARM_UP = 0.3; /* seconds */

struct job {
    const lb_scene *scene;
    struct lb_wide_block wide; /* the device's tree, on the host */
    struct rays_device *device;
    int rounds;
    lb_hit *hits;
    struct lb_error error;
};

/* Hits that are not the CPU's. */
static uint32_t mismatches(const struct job *job, const lb_ray *rays, uint32_t count, bool shadow)
{
    const struct lb_tracer *tracer = dragon_tracer();
    uint32_t differ = 0;
    for (uint32_t i = 0; i < count; i++) {
        lb_counters counters = {0};
        lb_hit hit, got;
        bool any = job->hits[i].primitive.shape != LB_NONE;
        if (shadow)
            differ += tracer->any(job->scene, &rays[i], &counters) != any;
        else if (tracer->closest(job->scene, &rays[i], &hit, &counters)) {
            got = lb_wide_name(job->scene, &job->hits[i]);
            differ += memcmp(&hit, &got, sizeof hit) != 0;
        } else
            differ += any;
    }
    return differ;
}

/* Traces for a while, as a device that had nothing to do runs at low clocks. */
static enum lb_status warm_up(struct job *job)
{
    double begun = seconds(CLOCK_MONOTONIC), once;
    enum lb_status status;
    do
        status = rays_device_trace(job->device, &once, &job->error);
    while (status == LB_OK && seconds(CLOCK_MONOTONIC) - begun < WARM_UP);
    return status;
}

/* True: measured, and no hit differs. */
static bool measure(struct job *job, const char *name, const lb_ray *rays, uint32_t count, bool shadow)
{
    double times[MOST_ROUNDS];
    if (rays_device_load(job->device, rays, count, shadow, &job->error) != LB_OK || warm_up(job) != LB_OK)
        return false;
    for (int i = 0; i < job->rounds; i++)
        if (rays_device_trace(job->device, &times[i], &job->error) != LB_OK)
            return false;
    if (rays_device_hits(job->device, job->hits, &job->error) != LB_OK)
        return false;
    uint32_t differ = mismatches(job, rays, count, shadow);
    double middle = median(times, job->rounds);
    uint32_t some = count < DRAGON_RAYS ? count : DRAGON_RAYS; /* one set tells for all */
    struct rays_steps steps = rays_steps(job->scene, &job->wide.tree, rays, some, shadow);
    printf("| %s | %u | %.3f | %.1f | %.1f .. %.1f | %.2f | %.2f | %.0f | %u |\n", name, count, 1e3 * middle,
           count / middle * 1e-6, count / times[job->rounds - 1] * 1e-6, count / times[0] * 1e-6,
           (double)steps.nodes / some, (double)steps.leaves / some,
           steps.bytes / some * count / middle * 1e-9, differ);
    if (!strchr(name, ','))
        printf("goal %s-rays %.1f\n", name, count / middle * 1e-6);
    fflush(stdout);
    if (differ > 0)
        lb_error_set(&job->error, LB_ERROR, "%u hits are not the CPU's", differ);
    return differ == 0;
}

static bool measure_all(struct job *job, const lb_ray *primary, uint32_t count, const lb_ray *bounces,
                        const lb_ray *leaving, uint32_t bounced)
{
    puts(
        "\n| rays | a launch | ms | Mrays/s | least .. most | nodes a ray | triangles a ray | GB/s visited | "
        "hits that are not the CPU's |\n|---|---|---|---|---|---|---|---|---|");
    rays_device_ask(job->device, LB_WIDE_OPAQUE);
    bool good =
        measure(job, "primary", primary, count, false) && measure(job, "bounce", bounces, bounced, false) &&
        measure(job, "bounce+", leaving, bounced, false) && measure(job, "shadow", bounces, bounced, true) &&
        measure(job, "shadow+", leaving, bounced, true);
    rays_device_ask(job->device, LB_WIDE_ASKING);
    good = good && measure(job, "primary, asking", primary, count, false) &&
           measure(job, "bounce, asking", bounces, bounced, false) &&
           measure(job, "shadow, asking", bounces, bounced, true);
    rays_device_ask(job->device, LB_WIDE_FIRST);
    return good && measure(job, "primary, two walks", primary, count, false) &&
           measure(job, "bounce, two walks", bounces, bounced, false) &&
           measure(job, "shadow, two walks", bounces, bounced, true);
}

/* Keeps each `every`-th ray, and returns how many these are. */
static uint32_t thin(lb_ray *rays, uint32_t count, uint32_t every)
{
    uint32_t kept = count / every;
    for (uint32_t i = 0; i < kept; i++)
        rays[i] = rays[(size_t)i * every];
    return kept;
}

static bool run(struct job *job, int gpu, int sets, uint32_t every)
{
    size_t room = (size_t)sets * DRAGON_RAYS;
    lb_ray *primary = malloc(room * sizeof *primary), *bounces = malloc(room * sizeof *bounces);
    lb_ray *leaving = malloc(room * sizeof *leaving);
    job->hits = malloc(room * sizeof *job->hits);
    if (!primary || !bounces || !leaving || !job->hits)
        return lb_error_set(&job->error, LB_ERROR_MEMORY, "out of memory") == LB_OK;
    uint32_t count = 0;
    for (int i = 0; i < sets; i++) {
        const lb_ray *set = primary + (size_t)i * DRAGON_RAYS;
        dragon_primary(primary + (size_t)i * DRAGON_RAYS);
        int more = dragon_bounces(job->scene, set, bounces + count);
        dragon_leaving(job->scene, set, bounces + count, more, leaving + count);
        count += (uint32_t)more;
    }
    uint32_t shot = thin(primary, (uint32_t)room, every), bounced = thin(bounces, count, every);
    thin(leaving, count, every);
    bool good = lb_wide_build(job->scene, &job->wide, &job->error) == LB_OK &&
                rays_device_open(job->scene, &job->wide, gpu, shot, &job->device, &job->error) == LB_OK &&
                measure_all(job, primary, shot, bounces, leaving, bounced);
    rays_device_close(job->device);
    lb_wide_free(&job->wide);
    free(primary);
    free(bounces);
    free(leaving);
    free(job->hits);
    return good;
}

int main(int argc, char **argv)
{
    struct job job = {.rounds = 15};
    int gpu = 0, sets = 8, every = 1, option;
    char text[256];
    while ((option = getopt(argc, argv, "g:s:r:e:")) != -1) {
        int *number = option == 'g'   ? &gpu
                      : option == 's' ? &sets
                      : option == 'r' ? &job.rounds
                      : option == 'e' ? &every
                                      : NULL;
        if (!number)
            return 2;
        *number = (int)strtol(optarg, NULL, 10);
    }
    const char *path = optind < argc ? argv[optind] : "../shared/data/scenes/dragon/geometry/dragon.ply.gz";
    if (gpu < 0 || sets < 1 || sets > MOST_SETS || job.rounds < 1 || job.rounds > MOST_ROUNDS || every < 1 ||
        every > MOST_EVERY) {
        fprintf(stderr, "gpu_rays: SETS is 1 to %d, ROUNDS 1 to %d, EVERY 1 to %d\n", MOST_SETS, MOST_ROUNDS,
                MOST_EVERY);
        return 2;
    }
    uint32_t visible = lb_cuda_count(text, sizeof text);
    if (visible == 0) {
        printf("skipped: no CUDA device: %s\n", text);
        return 1;
    }
    lb_cuda_describe((uint32_t)gpu, text, sizeof text);
    printf("cuda:%d: %s\n", gpu, text);
    struct lb_ply ply;
    if (lb_ply_read(path, NULL, &ply, &job.error) != LB_OK) {
        fprintf(stderr, "gpu_rays: %s\n", job.error.message);
        return 1;
    }
    printf("%s: %llu triangles\n", path, (unsigned long long)ply.triangle_count);
    lb_scene *scene = dragon_scene(&ply, false);
    job.scene = scene;
    bool good = run(&job, gpu, sets, (uint32_t)every);
    if (!good)
        fprintf(stderr, "gpu_rays: %s\n", job.error.message);
    lb_scene_block_free(scene);
    lb_ply_free(&ply);
    return good ? 0 : 1;
}
