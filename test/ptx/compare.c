/* Renders scenes by the CPU's code and by the PTX of the GPU's kernels, run on this CPU by test/ptx/machine.c, and
 * compares the bits.
 * usage: compare [-s SIZE] [-p SAMPLES] [-c] [-g] [-w] SCENE...
 * SIZE is the width and height of the pictures, SAMPLES those a pixel; -c: with all channels; -g: with guided paths;
 * -w: with wavelengths. Exit status 0: all equal. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/cpu/cpu.h"
#include "core/guiding/learn.h"
#include "core/kernel/integrators/wavefront.h"
#include "core/scene/load.h"
#include "core/wave/wave_place.h"
#include "core/wave/wide_build.h"
#include "test/ptx/machine.h"

enum { BLOCKS = 3, THREADS = 128, SLOTS = 1500 };

/* A kernel of cuda/kernels.cu by its name, which the compiler has mangled. */
static void launch(const char *name, uint32_t blocks, uint32_t threads, const lb_wave *wave)
{
    static uint32_t seed;
    char mangled[64];
    snprintf(mangled, sizeof mangled, "_Z%zu%s7lb_wave", strlen(name), name);
    const struct ptx_entry *entry = ptx_entries;
    while (entry->name && strcmp(entry->name, mangled) != 0)
        entry++;
    if (!entry->name)
        ptx_fail(name, 0);
    ptx_launch(entry->kernel, blocks, threads, wave, sizeof *wave, seed++);
}

/* What a batch launches (cuda/lane.cc). */
static void run_wave(lb_wave *wave)
{
    static const struct {
        const char *trace, *shadow, *passing, *volume;
    } kernels[] = {
        [LB_WIDE_OPAQUE] = {"wave_trace", "wave_shadow", "wave_shadow_passing", "wave_shadow_volume"},
        [LB_WIDE_ASKING] = {"wave_trace_asking", "wave_shadow_asking", "wave_shadow_passing",
                            "wave_shadow_volume"},
        [LB_WIDE_CURVES] = {"wave_trace_curves", "wave_shadow_curves", "wave_shadow_passing_curves",
                            "wave_shadow_volume"},
        [LB_WIDE_MOVING] = {"wave_trace_moving", "wave_shadow_moving", "wave_shadow_passing_moving",
                            "wave_shadow_volume_moving"}};
    const char *shadow = wave->volume       ? kernels[wave->tree.asks].volume
                         : wave->interfaces ? kernels[wave->tree.asks].passing
                                            : kernels[wave->tree.asks].shadow;
    const char *shade = wave->volume      ? "wave_shade_volume"
                        : wave->occlusion ? "wave_shade_occlusion"
                        : wave->led       ? "wave_shade_led"
                                          : "wave_shade";
    const char *begin = "wave_begin", *trace = kernels[wave->tree.asks].trace, *count = "wave_count",
               *sort = "wave_sort", *gather = "wave_gather", *turn = "wave_turn";
    bool two_shadows = lb_wave_puts_off_shadows(wave);
    if (wave->puts_off)
        trace = "wave_trace_first";
    if (two_shadows)
        shadow = "wave_shadow_first";
    if (wave->spectral) {
        begin = "spectral_begin";
        trace = wave->tree.asks == LB_WIDE_OPAQUE ? "spectral_trace" : "spectral_trace_moving";
        count = "spectral_count";
        sort = "spectral_sort";
        gather = "spectral_gather";
        shade = "spectral_shade_volume";
        shadow = "spectral_shadow_volume";
        turn = "spectral_turn";
    }
    launch(begin, BLOCKS, THREADS, wave);
    for (; lb_wave_active(wave) > 0; lb_wave_at(wave, wave->turn + 1)) {
        launch(trace, BLOCKS, THREADS, wave);
        if (wave->puts_off)
            launch("wave_trace_rest", BLOCKS, THREADS, wave);
        launch(count, BLOCKS, THREADS, wave);
        launch(sort, BLOCKS, THREADS, wave);
        if (wave->gathers)
            launch(gather, BLOCKS, THREADS, wave);
        launch(shade, BLOCKS, THREADS, wave);
        launch(shadow, BLOCKS, THREADS, wave);
        if (two_shadows)
            launch("wave_shadow_rest", BLOCKS, THREADS, wave);
        launch(turn, BLOCKS, THREADS, wave);
    }
}

static void *room(size_t count, size_t size)
{
    void *memory = aligned_alloc(LB_WAVE_ALIGNMENT, (count * size + LB_WAVE_ALIGNMENT - 1) /
                                                        LB_WAVE_ALIGNMENT * LB_WAVE_ALIGNMENT);
    if (!memory)
        ptx_fail("out of memory on the host", 0);
    memset(memory, 0xa5, count * size); /* as unset as a device's */
    return memory;
}

static void *wave_open(lb_wave *wave, const lb_scene *scene, const struct lb_wide_block *wide,
                       uint64_t pixels)
{
    memset(wave, 0, sizeof *wave);
    struct lb_wave_sizes sizes = lb_wave_sizes_of(scene);
    void *block = room(1, lb_wave_place(wave, NULL, SLOTS, pixels, scene->channels.count, &sizes));
    lb_wave_place(wave, block, SLOTS, pixels, scene->channels.count, &sizes);
    wave->scene = scene;
    wave->tree = wide->tree;
    lb_wave_suit(wave, scene);
    memset(wave->counts, 0, sizeof *wave->counts);
    memset(wave->pixels, 0, pixels * sizeof *wave->pixels);
    memset(wave->sums, 0, pixels * scene->channels.count * sizeof *wave->sums);
    lb_wave_channels(wave, &scene->channels, wave->sums);
    return block;
}

/* Renders the whole picture both ways; returns the number of pixels and counters that differ. */
static size_t differences(const lb_scene *scene, const struct lb_wide_block *wide,
                          struct lb_processor *processor)
{
    struct lb_error error;
    lb_order order = {.width = scene->film.width, .height = scene->film.height};
    order.count = (uint64_t)order.width * order.height;
    struct lb_work work = {.scene = scene, .order = &order, .sample_end = scene->integrator.samples};
    work.range.end = order.count;
    uint32_t sums = scene->channels.count;
    struct lb_result result = {.pixels = room(order.count, sizeof *result.pixels),
                               .sums = room(order.count * sums, sizeof *result.sums),
                               .sum_count = sums};
    bool lost;
    if (processor->table->render(processor, &work, &result, &lost, &error) != LB_OK)
        ptx_fail(error.message, 0);

    lb_wave wave;
    void *block = wave_open(&wave, scene, wide, order.count);
    wave.order = order;
    wave.end = order.count;
    wave.sample_end = work.sample_end;
    run_wave(&wave);
    size_t differ = wave.counts->samples != result.samples;
    differ += wave.counts->rays != result.counters.rays;
    differ += wave.counts->bad_samples != result.counters.bad_samples;
    for (size_t i = 0; i < order.count; i++)
        differ += memcmp(&wave.pixels[i], &result.pixels[i], sizeof *wave.pixels) != 0 ||
                  memcmp(&wave.sums[i * sums], &result.sums[i * sums], sums * sizeof *wave.sums) != 0;
    free(block);
    free(result.pixels);
    free(result.sums);
    return differ;
}

static bool same(const char *path, const struct lb_scene_options *options, bool guided)
{
    struct lb_learning learning = {.wish = guided ? LB_GUIDING_ALWAYS : LB_GUIDING_NEVER};
    struct lb_learned learned;
    struct lb_loaded loaded;
    struct lb_wide_block wide;
    struct lb_processor *processor;
    struct lb_error error;
    if (lb_scene_load(path, options, NULL, &loaded, &error) != LB_OK ||
        lb_guiding_learn(&loaded.scene, &learning, &learned, &error) != LB_OK ||
        lb_wide_build(loaded.scene, &wide, &error) != LB_OK ||
        lb_cpu_processor_open(loaded.scene, 0, lb_isa_best(), &processor, &error) != LB_OK) {
        fprintf(stderr, "%s: %s\n", path, error.message);
        return false;
    }
    size_t differ = differences(loaded.scene, &wide, processor);
    if (differ > 0)
        printf("%s: %zu pixels or counts differ\n", path, differ);
    processor->table->close(processor);
    lb_wide_free(&wide);
    lb_scene_free(&loaded);
    return differ == 0;
}

int main(int argc, char **argv)
{
    struct lb_scene_options options = {.lenient = true, .rgb = true, .threads = 1, .samples = 3};
    uint32_t size = 24;
    bool guided = false;
    int option, wrong = 0;
    while ((option = getopt(argc, argv, "s:p:cgw")) != -1) {
        if (option == 's')
            size = (uint32_t)strtoul(optarg, NULL, 10);
        else if (option == 'p')
            options.samples = (uint32_t)strtoul(optarg, NULL, 10);
        else if (option == 'c')
            options.channels.wanted = (1u << LB_CHANNEL_BUCKETS) - 1; /* these only spectra have */
        else if (option == 'g')
            guided = true;
        else if (option == 'w')
            options.rgb = false, options.spectral = true;
        else
            return 2;
    }
    for (int i = optind; i < argc; i++) {
        struct lb_scene_options own = options;
        if (strstr(argv[i], "mandelbrot")) /* shows no surfaces */
            own.channels.wanted &=
                1u << LB_CHANNEL_SAMPLES | 1u << LB_CHANNEL_SQUARES | 1u << LB_CHANNEL_SCATTERED;
        if (strstr(argv[i], "camera-realistic")) /* whose motion is not known */
            own.channels.wanted &= ~(1u << LB_CHANNEL_MOTION);
        bool names_pixels = strstr(argv[i], "pixelbounds") != NULL; /* of the file's own film */
        own.width = own.height = names_pixels ? 0 : size;
        wrong += !same(argv[i], &own, guided);
    }
    printf("%d scenes, %d differ\n", argc - optind, wrong);
    return wrong ? 1 : 0;
}
