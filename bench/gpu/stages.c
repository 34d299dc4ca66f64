/* What a GPU does with its time, by events around every kernel: renders a scene as `lbrender --devices cuda:I` does,
 * with one batch in flight, where the stages do not overlap, and with two, as always, where it looks for times in which
 * the device had nothing to do.
 * usage: gpu_stages [-g GPU] [-r WxH] [-p SPP] SCENE
 * Lines "goal NAME FIGURE" are for bench/gpu.sh. */
#include "core/run/frame.h"
#include "core/scene/load.h"
#include "cuda/cuda.h"
#include "cuda/measure.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const stage_names[LB_WAVE_STAGES] = {
    "begin", "trace", "trace rest", "count", "sort", "gather", "shade", "shadow", "shadow rest", "turn"};
static const double STALL = 1e-3; /* seconds that count as one */

struct job {
    struct lb_cuda_options gpu;
    struct lb_loaded loaded;
    struct lb_error error;
};

/* What a run was. */
struct course {
    struct lb_cuda_times times;
    struct lb_cuda_kernel kernels[LB_WAVE_STAGES];
    double t; /* seconds, by the host's clock */
    uint64_t rays, shaded, samples;
};

static bool render(struct job *job, struct lb_processor *processor, struct course *course)
{
    struct lb_run_options options = {.settings = {.strategy = lb_strategy_find("auto"), .seed = 1},
                                     .growth = {.passes = 1}};
    struct lb_member member = {.processor = processor, .kind = LB_PROCESSOR_GPU, .type = "cuda", .weight = 1};
    struct lb_run *run;
    struct lb_frame frame;
    if (lb_run_open(&options, &member, 1, 1, &run, &job->error) != LB_OK)
        return false;
    bool good = lb_run_frame(run, job->loaded.scene, 0, NULL, &frame, &job->error) == LB_OK;
    if (good) {
        course->t = frame.report.all.t;
        course->rays = frame.report.all.processors[0].counters.rays;
        course->shaded = frame.report.all.processors[0].counters.shaded;
        course->samples = frame.samples;
        if (!frame.complete)
            job->error = member.error;
        good = frame.complete;
        lb_frame_free(&frame);
    }
    lb_run_close(run);
    return good;
}

static bool measure(struct job *job, int lanes, struct course *course)
{
    struct lb_processor *processor;
    *course = (struct course){0};
    if (lb_cuda_processor_open(job->loaded.scene, &job->gpu, &processor, &job->error) != LB_OK)
        return false;
    bool good = lb_cuda_measure(processor, lanes, &course->times, &job->error) == LB_OK &&
                lb_cuda_kernels(processor, course->kernels, &job->error) == LB_OK &&
                render(job, processor, course);
    processor->table->close(processor);
    return good;
}

/* ---- spans ---- */

static int by_begin(const void *a, const void *b)
{
    const struct lb_cuda_span *x = a, *y = b;
    return (x->begin > y->begin) - (x->begin < y->begin);
}

struct gaps {
    double busy,
        longest; /* seconds with anything in hand; the longest time without, between the first and the last */
    uint32_t stalls;
};

/* Kernels, and copies where `copies`. */
static struct gaps find_gaps(struct lb_cuda_times *times, bool copies)
{
    struct gaps gaps = {0};
    double end = -1;
    qsort(times->spans, times->count, sizeof *times->spans, by_begin);
    for (size_t i = 0; i < times->count; i++) {
        const struct lb_cuda_span *span = &times->spans[i];
        if (span->copy && !copies)
            continue;
        double gap = end < 0 ? 0 : span->begin - end, from = gap > 0 || end < 0 ? span->begin : end;
        gaps.longest = gap > gaps.longest ? gap : gaps.longest;
        gaps.stalls += gap > STALL;
        gaps.busy += span->end > from ? span->end - from : 0;
        end = span->end > end ? span->end : end;
    }
    return gaps;
}

static double copy_seconds(const struct lb_cuda_times *times)
{
    double sum = 0;
    for (size_t i = 0; i < times->count; i++)
        sum += times->spans[i].copy ? times->spans[i].end - times->spans[i].begin : 0;
    return sum;
}

/* ---- tables ---- */

static void print_kernels(const struct course *course)
{
    puts("\n| kernel | registers | local bytes | shared bytes a block | threads that fit on a multiprocessor "
         "| occupancy |");
    puts("|---|---|---|---|---|---|");
    for (int i = 0; i < LB_WAVE_STAGES; i++) {
        const struct lb_cuda_kernel *k = &course->kernels[i];
        int threads = k->blocks * k->threads;
        if (k->threads == 0) /* the scene has no use for it */
            continue;
        printf("| %s | %d | %d | %d | %d of %d | %.0f %% |\n", stage_names[i], k->registers, k->local_bytes,
               k->shared_bytes, threads, k->most_threads, 100.0 * threads / k->most_threads);
    }
}

/* Of a run with one batch in flight. */
static void print_stages(const struct course *course)
{
    const struct lb_cuda_times *times = &course->times;
    double sum = times->empty, tracing = times->stage[LB_WAVE_TRACE] + times->stage[LB_WAVE_TRACE_REST] +
                                         times->stage[LB_WAVE_SHADOW] + times->stage[LB_WAVE_SHADOW_REST];
    printf("\none batch in flight: T %.3f s, %.1f Mrays/s, %.1f Mrays/s in trace and shadow\n\n", course->t,
           (double)course->rays / course->t * 1e-6, (double)course->rays / tracing * 1e-6);
    printf("counts: %llu samples, %llu rays of paths, %llu shadow rays\n\n",
           (unsigned long long)course->samples, (unsigned long long)course->shaded,
           (unsigned long long)(course->rays - course->shaded));
    puts("| stage | s | share of T |\n|---|---|---|");
    for (int i = 0; i < LB_WAVE_STAGES; i++) {
        printf("| %s | %.4f | %.1f %% |\n", stage_names[i], times->stage[i],
               100 * times->stage[i] / course->t);
        sum += times->stage[i];
    }
    printf("| launches that found nothing | %.4f | %.1f %% |\n", times->empty,
           100 * times->empty / course->t);
    printf("| none: copies back, the host | %.4f | %.1f %% |\n", course->t - sum,
           100 * (1 - sum / course->t));
}

/* Of a run with two. What a copy adds to the times with anything in hand no kernel hid. `pixels`: of the picture, each
 * of which is copied once. */
static void print_gaps(struct course *course, uint64_t pixels)
{
    struct gaps kernels = find_gaps(&course->times, false), all = find_gaps(&course->times, true);
    double copies = copy_seconds(&course->times), bare = all.busy - kernels.busy;
    printf("\ntwo batches in flight: T %.3f s, %.1f Mrays/s, %.2f Msamples/s; kernels in hand %.1f %% of T\n",
           course->t, (double)course->rays / course->t * 1e-6, (double)course->samples / course->t * 1e-6,
           100 * kernels.busy / course->t);
    printf("stalls over 1 ms without a kernel: %u; the longest time without one: %.3f ms\n", kernels.stalls,
           1e3 * kernels.longest);
    printf("copies back: %.4f s, of which beside kernels %.1f %%, at %.2f GB/s\n", copies,
           copies > 0 ? 100 * (1 - bare / copies) : 100.0,
           copies > 0 ? (double)(pixels * sizeof(lb_film_pixel)) / copies * 1e-9 : 0.0);
    printf("goal stall %.3f\n", 1e3 * kernels.longest);
}

static bool run(struct job *job)
{
    struct course one, two = {0};
    bool good = measure(job, 1, &one);
    if (good) {
        print_kernels(&one);
        print_stages(&one);
        good = measure(job, 2, &two);
    }
    if (good)
        print_gaps(&two, (uint64_t)job->loaded.scene->film.width * job->loaded.scene->film.height);
    lb_cuda_times_free(&one.times);
    lb_cuda_times_free(&two.times);
    return good;
}

int main(int argc, char **argv)
{
    struct job job = {.gpu = {.slow = 1, .part = 1, .patience = 60}};
    struct lb_scene_options options = {.lenient = true,
                                       .threads = (uint32_t)sysconf(_SC_NPROCESSORS_ONLN),
                                       .width = 1920,
                                       .height = 1080,
                                       .samples = 64};
    int option;
    while ((option = getopt(argc, argv, "g:r:p:")) != -1) {
        if (option == 'g')
            job.gpu.index = (uint32_t)strtoul(optarg, NULL, 10);
        else if (option == 'p')
            options.samples = (uint32_t)strtoul(optarg, NULL, 10);
        else if (option != 'r' || sscanf(optarg, "%ux%u", &options.width, &options.height) != 2)
            return 2;
    }
    if (optind + 1 != argc) {
        fputs("usage: gpu_stages [-g GPU] [-r WxH] [-p SPP] SCENE\n", stderr);
        return 2;
    }
    if (lb_scene_load(argv[optind], &options, NULL, &job.loaded, &job.error) != LB_OK) {
        fprintf(stderr, "gpu_stages: %s\n", job.error.message);
        return 1;
    }
    char text[256];
    lb_cuda_describe(job.gpu.index, text, sizeof text);
    printf("%s, %ux%u, %u samples, cuda:%u: %s\n", argv[optind], options.width, options.height,
           options.samples, job.gpu.index, text);
    bool good = run(&job);
    if (!good)
        fprintf(stderr, "gpu_stages: %s\n", job.error.message);
    lb_scene_free(&job.loaded);
    return good ? 0 : 1;
}
