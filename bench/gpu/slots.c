/* What rays cost a GPU in instructions, without one: the PTX of its kernels is run on this CPU in warps in lockstep
 * (bench/gpu/lockstep.h), over the rays of bench/gpu/rays.c where the scene is the dragon's mesh, and else over those
 * of a scene's first sample: camera rays, the rays that leave their hits, and the shadow rays from there. Every hit is
 * compared with the CPU renderer's.
 * usage: gpu_slots [-e EVERY] [-b BLOCKS] [-a] dragon.ply.gz | SCENE.pbrt ...
 *        gpu_slots_spectral [-e EVERY] [-b BLOCKS] SCENE.pbrt ...
 * EVERY (1): only every so many groups of 1024 rays that follow each other take part. BLOCKS (33) of 128 threads are
 * the grid. -a: the rays of scenes of opaque triangles also go through the kernels that others need. Prints CSV. Where
 * rays take two walks, those of one kernel are tried, too; the rows of the second walk's count the rays that were put
 * off.
 * gpu_slots_spectral, which is this file with LB_SPECTRAL defined, runs the kernels for light of four wavelengths.
 * "slots a ray" are instructions that warps issue, over rays; "lanes" is how many of a warp's 32 threads take part on
 * average; "Grays/s" is what an H100 of 132 multiprocessors at 1.755 GHz does if each of its four schedulers issues an
 * instruction a clock. Exit status 0: no hit differs. */
#include "bench/dragon.h"
#include "bench/gpu/lockstep.h"
#include "core/kernel/integrators/wavefront.h"
#include "core/scene/load.h"
#include "core/wave/wave_place.h"
#include "core/wave/wide_build.h"

#include <unistd.h>

enum { THREADS = 128, CHUNK = 1024 };

/* The names of kernels, and those that trace rays and shadow rays, by what a scene's hits ask (enum lb_wide_asks), and
 * those that follow shadow rays through media. For wavelengths there are fewer, and all shadow rays are followed as
 * through media. */
#ifdef LB_SPECTRAL
#define KERNEL(name) "spectral_" name
static const char *const kernels[2][LB_WIDE_MOVING + 1] = {{[LB_WIDE_OPAQUE] = KERNEL("trace"),
                                                            [LB_WIDE_ASKING] = KERNEL("trace_moving"),
                                                            [LB_WIDE_CURVES] = KERNEL("trace_moving"),
                                                            [LB_WIDE_MOVING] = KERNEL("trace_moving")}};
static const char *const through[] = {[LB_WIDE_OPAQUE] = KERNEL("shadow_volume"),
                                      [LB_WIDE_ASKING] = KERNEL("shadow_volume"),
                                      [LB_WIDE_CURVES] = KERNEL("shadow_volume"),
                                      [LB_WIDE_MOVING] = KERNEL("shadow_volume")};
#else
#define KERNEL(name) "wave_" name
static const char *const kernels[2][LB_WIDE_MOVING + 1] = {
    {KERNEL("trace"), KERNEL("trace_first"), KERNEL("trace_rest"), KERNEL("trace_asking"),
     KERNEL("trace_curves"), KERNEL("trace_moving")},
    {KERNEL("shadow"), KERNEL("shadow_first"), KERNEL("shadow_rest"), KERNEL("shadow_asking"),
     KERNEL("shadow_curves"), KERNEL("shadow_moving")}};
static const char *const through[] = {[LB_WIDE_OPAQUE] = KERNEL("shadow_volume"),
                                      [LB_WIDE_ASKING] = KERNEL("shadow_volume"),
                                      [LB_WIDE_CURVES] = KERNEL("shadow_volume"),
                                      [LB_WIDE_MOVING] = KERNEL("shadow_volume_moving")};
#endif

static const double ISSUES = 132 * 4 * 1.755e9; /* a second */

/* Rays of one kind. */
struct rays {
    const char *kind;
    const lb_ray *rays;
    uint32_t count;
    bool shadow;
};

struct job {
    uint32_t every, blocks;
    bool asking;
    const char *name;
    const lb_scene *scene;
    struct lb_wide_block wide;
    lb_wave wave;
    void *block; /* of the wave, and its bytes */
    size_t size;
    uint64_t differ;
};

static void *need(void *memory)
{
    if (!memory) {
        fputs("gpu_slots: out of memory\n", stderr);
        exit(1);
    }
    return memory;
}

static void open_wave(struct job *job, uint32_t slots)
{
    struct lb_error error;
    memset(&job->wave, 0, sizeof job->wave);
    if (lb_wide_build(job->scene, &job->wide, &error) != LB_OK)
        need(NULL);
    struct lb_wave_sizes sizes = lb_wave_sizes_of(job->scene);
    job->size = lb_wave_place(&job->wave, NULL, slots, slots, 0, &sizes);
    job->block = need(aligned_alloc(LB_WAVE_ALIGNMENT, job->size));
    memset(job->block, 0, job->size);
    lb_wave_place(&job->wave, job->block, slots, slots, 0, &sizes);
    job->wave.scene = job->scene;
    job->wave.tree = job->wide.tree;
    lb_wave_suit(&job->wave, job->scene);
}

static void close_wave(struct job *job)
{
    lb_wide_free(&job->wide);
    free(job->block);
}

static bool differs(const struct job *job, const lb_ray *ray, uint32_t slot, bool shadow)
{
    lb_counters counters = {0};
    lb_hit hit, got = lb_wide_name(job->scene, &job->wave.hits[slot]);
    if (shadow)
        return dragon_tracer()->any(job->scene, ray, &counters) != (job->wave.paths[slot].radiance.r == 0.0f);
    if (!dragon_tracer()->closest(job->scene, ray, &hit, &counters))
        return got.primitive.shape != LB_NONE;
    return memcmp(&hit, &got, sizeof hit) != 0;
}

/* Takes the rays that take part into the queue that `shadow` names. Returns their number. */
static uint32_t queue(struct job *job, const lb_ray *rays, uint32_t count, bool shadow)
{
    lb_wave *wave = &job->wave;
    uint32_t taken = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (i / CHUNK % job->every != 0)
            continue;
        memset(&wave->paths[taken], 0, sizeof *wave->paths);
        memset(&wave->shadows[taken], 0, sizeof *wave->shadows);
        wave->paths[taken].ray = wave->shadows[taken].ray = rays[i];
        wave->shadows[taken].contribution.r = 1.0f; /* arrives where nothing was hit */
        wave->shadows[taken].active = 1;
        (shadow ? wave->shadow : wave->active[0])[taken] = taken;
        taken++;
    }
    memset(wave->counts, 0, sizeof *wave->counts);
    *(shadow ? &wave->counts->shadows : &wave->counts->active[0]) = taken;
    return taken;
}

static void print(const struct job *job, const char *kind, const char *kernel, uint32_t taken,
                  const struct lockstep_count *sum)
{
    double slots = (double)sum->slots / taken, lanes = (double)sum->lanes / (double)sum->slots;
    printf("%s,%s,%s,%u,%.0f,%.1f,%.0f,%.2f,", job->name, kind, kernel, taken, slots, lanes, slots * lanes,
           ISSUES / slots * 1e-9);
}

static void print_differ(struct job *job, uint32_t differ)
{
    printf("%u\n", differ);
    fflush(stdout);
    job->differ += differ;
}

/* Runs a kernel on the first `count` rays of its queue, and prints its row but for what differs. */
static void launch(struct job *job, const struct rays *of, uint32_t asks, uint32_t count)
{
    struct lockstep_count sum = {0};
    const char *kernel = kernels[of->shadow][asks];
    lockstep_launch(kernel, job->blocks, THREADS, &job->wave, sizeof job->wave, &sum);
    print(job, of->kind, kernel, count, &sum);
}

/* How many of the slots that are listed have another hit than the CPU's? NULL: slots 0, 1 and so on. */
static uint32_t count_differing(const struct job *job, const struct rays *of, const uint32_t *slots,
                                uint32_t count)
{
    uint32_t differ = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t slot = slots ? slots[i] : i;
        const lb_ray *ray = of->shadow ? &job->wave.shadows[slot].ray : &job->wave.paths[slot].ray;
        differ += differs(job, ray, slot, of->shadow);
    }
    return differ;
}

static void measure(struct job *job, const struct rays *of, uint32_t asks)
{
    uint32_t taken = queue(job, of->rays, of->count, of->shadow);
    launch(job, of, asks, taken);
    print_differ(job, count_differing(job, of, NULL, taken));
}

/* The same by two walks. The first may leave other hits than the CPU's where it puts rays off. */
static void measure_two(struct job *job, const struct rays *of)
{
    const lb_wave *wave = &job->wave;
    uint32_t taken = queue(job, of->rays, of->count, of->shadow);
    launch(job, of, LB_WIDE_FIRST, taken);
    uint32_t rest = wave->counts->put_off[of->shadow];
    uint32_t differ = count_differing(job, of, NULL, taken);
    uint32_t unfinished = count_differing(job, of, wave->put_off, rest);
    print_differ(job, differ - unfinished);
    if (rest == 0)
        return;
    launch(job, of, LB_WIDE_REST, rest);
    print_differ(job, count_differing(job, of, wave->put_off, rest));
}

/* The kinds are camera rays, those that leave their hits, and shadow rays. */
static void measure_kinds(struct job *job, const struct rays kinds[3])
{
    uint32_t own = lb_wide_asks(job->scene), count = job->wave.volume ? 2 : 3;
    bool all = job->asking && own == LB_WIDE_OPAQUE;
    for (uint32_t i = 0; i < count; i++)
        measure(job, &kinds[i], own);
    for (uint32_t i = 0; i < count && all; i++)
        measure(job, &kinds[i], LB_WIDE_ASKING);
    for (uint32_t i = 0; i < count && (all || job->wave.puts_off); i++)
        measure_two(job, &kinds[i]);
}

static void measure_dragon(struct job *job, const char *path)
{
    struct lb_ply ply;
    struct lb_error error;
    if (lb_ply_read(path, NULL, &ply, &error) != LB_OK) {
        fprintf(stderr, "gpu_slots: %s\n", error.message);
        exit(1);
    }
    lb_scene *scene = dragon_scene(&ply, false);
    lb_ray *primary = need(malloc(DRAGON_RAYS * sizeof *primary));
    lb_ray *bounces = need(malloc(DRAGON_RAYS * sizeof *bounces));
    job->scene = scene;
    dragon_primary(primary);
    uint32_t bounced = (uint32_t)dragon_bounces(scene, primary, bounces);
    open_wave(job, DRAGON_RAYS);
    const struct rays kinds[] = {{"primary", primary, DRAGON_RAYS, false},
                                 {"bounce", bounces, bounced, false},
                                 {"shadow", bounces, bounced, true}};
    measure_kinds(job, kinds);
    close_wave(job);
    free(primary);
    free(bounces);
    lb_scene_block_free(scene);
    lb_ply_free(&ply);
}

/* Takes from a queue of so many what does not take part. Returns how many are left. */
static uint32_t thin(const struct job *job, uint32_t *waiting, uint32_t *count)
{
    uint32_t taken = 0;
    for (uint32_t i = 0; i < *count; i++)
        if (i / CHUNK % job->every == 0)
            waiting[taken++] = waiting[i];
    return *count = taken;
}

static void *copy_of(const struct job *job)
{
    return memcpy(need(malloc(job->size)), job->block, job->size);
}

/* Makes the wave what it was when `copy` was made of it, and frees that. */
static void put_back(struct job *job, void *copy)
{
    memcpy(job->block, copy, job->size);
    free(copy);
}

/* Counts what shading the hits of active slots costs, and leaves everything as it was before. */
static void measure_shading(struct job *job, const char *kind)
{
    lb_wave *wave = &job->wave;
    struct lockstep_count sum = {0};
    void *before = copy_of(job);
    uint32_t taken = thin(job, wave->active[wave->turn & 1u], &wave->counts->active[wave->turn & 3u]);
    const char *kernel = wave->volume ? KERNEL("shade_volume") : KERNEL("shade");
    lb_wave_sort_all(wave);
    lockstep_launch(kernel, job->blocks, THREADS, wave, sizeof *wave, &sum);
    put_back(job, before);
    print(job, kind, kernel, taken, &sum);
    printf("\n");
    fflush(stdout);
}

/* The same of shadow rays that are followed as where there are media. What they add to their paths is compared. */
static void measure_shadows_through(struct job *job, lb_wide_stack *stack)
{
    lb_wave *wave = &job->wave;
    struct lockstep_count sum = {0};
    void *before = copy_of(job);
    uint32_t taken = thin(job, wave->shadow, &wave->counts->shadows), differ = 0;
    void *thinned = copy_of(job);
    lockstep_launch(through[wave->tree.asks], job->blocks, THREADS, wave, sizeof *wave, &sum);
    lb_color *got = need(malloc(wave->slots * sizeof *got));
    for (uint32_t slot = 0; slot < wave->slots; slot++)
        got[slot] = wave->paths[slot].radiance;
    put_back(job, thinned);
    for (uint32_t i = 0; i < taken; i++) {
        uint32_t slot = wave->shadow[i];
        lb_wave_shadow_volume(wave, i, stack, wave->tree.asks);
        differ += memcmp(&got[slot], &wave->paths[slot].radiance, sizeof *got) != 0;
    }
    free(got);
    put_back(job, before);
    print(job, "shadow", through[wave->tree.asks], taken, &sum);
    print_differ(job, differ);
}

/* The rays of a scene's first sample, by the wavefront's own stages on the host. */
static void measure_scene(struct job *job, const char *path)
{
    struct lb_scene_options options = {
        .lenient = true, .threads = 2, .samples = 1, .width = DRAGON_WIDTH, .height = DRAGON_HEIGHT};
#ifdef LB_SPECTRAL
    options.spectral = true;
#endif
    struct lb_loaded loaded;
    struct lb_error error;
    if (lb_scene_load(path, &options, NULL, &loaded, &error) != LB_OK) {
        fprintf(stderr, "gpu_slots: %s\n", error.message);
        exit(1);
    }
    lb_wide_entry fast[LB_WIDE_FAST];
    lb_wide_aside aside;
    lb_wide_stack stack = {.aside = &aside, .fast = fast, .stride = 1};
    uint32_t count = DRAGON_RAYS, bounced = 0, shadowed = 0;
    lb_ray *rays[3];
    job->scene = loaded.scene;
    open_wave(job, count);
    lb_wave *wave = &job->wave;
    if (wave->interfaces && !wave->volume) {
        fprintf(stderr, "gpu_slots: %s: scenes with interfaces alone are not counted\n", path);
        exit(1);
    }
    for (int i = 0; i < 3; i++)
        rays[i] = need(malloc(count * sizeof *rays[i]));
    wave->order = (lb_order){.width = DRAGON_WIDTH, .height = DRAGON_HEIGHT, .count = count};
    wave->end = count;
    wave->sample_end = 1;
    for (uint32_t slot = 0; slot < count; slot++)
        lb_wave_begin(wave, slot);
    lb_wave_trace(wave, &stack, wave->tree.asks);
    measure_shading(job, "primary");
    for (uint32_t i = 0; i < count; i++) {
        rays[0][i] = wave->paths[i].ray;
        wave->shadows[i].active = 0;
    }
    lb_wave_sort_all(wave);
    for (uint32_t i = 0; i < count; i++) {
        if (wave->volume)
            lb_wave_shade_volume(wave, i);
        else
            lb_wave_shade(wave, i);
        uint32_t slot = wave->sorted[i];
        if (wave->goes_on[slot])
            rays[1][bounced++] = wave->paths[slot].ray;
    }
    if (wave->volume)
        measure_shadows_through(job, &stack);
    lb_wave_counts first = *wave->counts;
    for (uint32_t i = 0; i < count; i++)
        lb_wave_turn(wave, i);
    lb_wave_reckon(wave);
    lb_wave_at(wave, 1);
    lb_wave_trace(wave, &stack, wave->tree.asks);
    measure_shading(job, "bounce");
    *wave->counts = first;
    lb_wave_at(wave, 0);
    for (uint32_t i = 0; i < wave->counts->shadows; i++)
        rays[2][shadowed++] = wave->shadows[wave->shadow[i]].ray;
    const struct rays kinds[] = {{"primary", rays[0], count, false},
                                 {"bounce", rays[1], bounced, false},
                                 {"shadow", rays[2], shadowed, true}};
    measure_kinds(job, kinds);
    close_wave(job);
    for (int i = 0; i < 3; i++)
        free(rays[i]);
    lb_scene_free(&loaded);
}

/* A file's name without folders and endings. */
static char *name_of(const char *path)
{
    const char *last = strrchr(path, '/');
    char *name = need(strdup(last ? last + 1 : path));
    name[strcspn(name, ".")] = '\0';
    return name;
}

int main(int argc, char **argv)
{
    struct job job = {.every = 1, .blocks = 33};
    int option;
    while ((option = getopt(argc, argv, "e:b:a")) != -1) {
        if (option == 'e')
            job.every = (uint32_t)strtoul(optarg, NULL, 10);
        else if (option == 'b')
            job.blocks = (uint32_t)strtoul(optarg, NULL, 10);
        else if (option == 'a')
            job.asking = true;
        else
            return 2;
    }
    if (optind == argc || job.every < 1 || job.blocks < 1 || job.blocks > 256) {
        fputs("usage: gpu_slots [-e EVERY] [-b BLOCKS, 1 to 256] [-a] dragon.ply.gz | SCENE.pbrt ...\n",
              stderr);
        return 2;
    }
    puts("scene,rays,kernel,count,slots a ray,lanes,instructions a ray,Grays/s,differ");
    for (int i = optind; i < argc; i++) {
        char *name = name_of(argv[i]);
        job.name = name;
        if (strstr(argv[i], ".pbrt"))
            measure_scene(&job, argv[i]);
        else if (kernels[1][LB_WIDE_OPAQUE])
            measure_dragon(&job, argv[i]);
        else
            fprintf(stderr, "gpu_slots_spectral: %s: only scenes have spectra\n", argv[i]);
        free(name);
    }
    return job.differ ? 1 : 0;
}
