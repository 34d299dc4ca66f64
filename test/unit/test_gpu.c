/* Tests the GPU processor itself (cuda/) over devices that this host plays: it gives the CPU's bytes, leaves nothing
 * behind, and says what happened when any call of the runtime fails. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/cpu/cpu.h"
#include "core/scene/load.h"
#include "cuda/cuda.h"
#include "cuda/measure.h"
#include "test/fake_cuda/device.h"

static const struct fake_setup plain = {
    .devices = 1, .memory = 64u << 20, .driver = 13000, .lazy = true, .fail_device = -1};

static const struct lb_cuda_options first_gpu = {.slow = 1, .part = 1, .patience = 60};

static void load(const char *path, uint32_t width, uint32_t height, uint32_t samples,
                 struct lb_loaded *loaded)
{
    struct lb_scene_options options = {
        .width = width, .height = height, .samples = samples, .lenient = true, .threads = 1};
    struct lb_error error;
    if (lb_scene_load(path, &options, NULL, loaded, &error) != LB_OK)
        fail_msg("%s", error.message);
}

/* A picture by `processor`, in two ranges of unequal length. */
struct job {
    struct lb_processor *processor;
    const lb_scene *scene;
    const lb_order *order;
    lb_film_pixel *pixels;
    lb_counters counters;
    uint64_t samples;
    const int *stop;
    bool lost, stopped;
    enum lb_status status;
    struct lb_error error;
};

static void *render(void *argument)
{
    struct job *job = argument;
    uint64_t ends[] = {0, job->order->count / 3, job->order->count};
    memset(&job->counters, 0, sizeof job->counters);
    job->samples = 0;
    job->status = LB_OK;
    for (int i = 0; i < 2 && job->status == LB_OK; i++) {
        struct lb_range range = {ends[i], ends[i + 1]};
        struct lb_work work = {job->scene, job->order, range, range, 0, job->scene->integrator.samples,
                               job->stop,  false,      0,     NULL};
        struct lb_result result = {.pixels = job->pixels + range.begin};
        job->status = job->processor->table->render(job->processor, &work, &result, &job->lost, &job->error);
        job->samples += result.samples;
        job->stopped = result.stopped;
        job->counters.nodes += result.counters.nodes;
        job->counters.rays += result.counters.rays;
        job->counters.bad_samples += result.counters.bad_samples;
    }
    return NULL;
}

static struct job make_job(const lb_scene *scene, const lb_order *order)
{
    struct job job = {.scene = scene, .order = order};
    job.pixels = malloc(order->count * sizeof *job.pixels);
    assert_non_null(job.pixels);
    memset(job.pixels, 0x5a, order->count * sizeof *job.pixels);
    return job;
}

static struct job render_on_cpu(const lb_scene *scene, const lb_order *order)
{
    struct job job = make_job(scene, order);
    assert_int_equal(lb_cpu_processor_open(scene, 0, lb_isa_best(), &job.processor, &job.error), LB_OK);
    render(&job);
    assert_int_equal(job.status, LB_OK);
    job.processor->table->close(job.processor);
    return job;
}

static void expect_clean(const char *when)
{
    struct fake_seen seen;
    fake_cuda_seen(&seen);
    if (seen.live || seen.misuse)
        fail_msg("%s: %d not released, %d misuses (%s)", when, (int)seen.live, (int)seen.misuse, seen.what);
}

/* ---- without failures ---- */

static void compare_samples(const char *path, uint32_t samples, const struct fake_setup *setup,
                            uint32_t device, const lb_order *own)
{
    struct lb_loaded loaded;
    load(path, 37, 23, samples, &loaded);
    lb_order order = own ? *own : lb_order_reversed(37, 23, 8, LB_CURVE_HILBERT);
    struct job expected = render_on_cpu(loaded.scene, &order), got = make_job(loaded.scene, &order);
    fake_cuda_set(setup);
    struct lb_cuda_options options = first_gpu;
    options.index = device;
    if (lb_cuda_processor_open(loaded.scene, &options, &got.processor, &got.error) != LB_OK)
        fail_msg("%s: %s", path, got.error.message);
    pthread_t thread; /* which begins with device 0 as its current one */
    pthread_create(&thread, NULL, render, &got);
    pthread_join(thread, NULL);
    if (got.status != LB_OK)
        fail_msg("%s: %s", path, got.error.message);
    got.processor->table->close(got.processor);
    expect_clean(path);
    assert_memory_equal(expected.pixels, got.pixels, order.count * sizeof *got.pixels);
    assert_int_equal(expected.samples, got.samples);
    assert_int_equal(expected.counters.rays, got.counters.rays);
    if (loaded.scene->integrator.kind == LB_INTEGRATOR_MANDELBROT)
        assert_int_equal(expected.counters.nodes, got.counters.nodes);
    assert_int_equal(expected.counters.bad_samples, got.counters.bad_samples);
    free(expected.pixels);
    free(got.pixels);
    lb_scene_free(&loaded);
}

static void compare(const char *path, const struct fake_setup *setup, uint32_t device, const lb_order *own)
{
    compare_samples(path, 4, setup, device, own);
}

static uint64_t calls_of(const char *name)
{
    uint64_t count;
    const char *at;
    for (size_t i = 0; (at = fake_cuda_calls(i, &count)); i++)
        if (!strcmp(at, name))
            return count;
    return 0;
}

/* More samples than both lanes hold: many batches, which grow smaller. */
static void many_batches(void **state)
{
    (void)state;
    compare_samples("samples/room.pbrt", 400, &plain, 0, NULL);
    print_message("%d batches\n", (int)calls_of("cudaEventElapsedTime"));
    assert_in_range(calls_of("cudaEventElapsedTime"), 10, 40);
}

static void same_bytes(void **state)
{
    (void)state;
    struct fake_setup setup = plain;
    setup.devices = 2;
    for (int lazy = 0; lazy <= 1; lazy++) {
        setup.lazy = lazy;
        compare("samples/room.pbrt", &setup, 0, NULL);
        compare("test/scenes/instances.pbrt", &setup, 1, NULL);
    }
    compare("samples/mandelbrot.pbrt", &plain, 0, NULL);
}

/* A strategy's table of rectangles has to be where the device can read it. */
static void rectangles(void **state)
{
    (void)state;
    const lb_rectangle parts[] = {{0, 0, 0, 20, 23}, {460, 20, 0, 17, 10}, {630, 20, 10, 17, 13}};
    lb_order order = lb_order_rectangles(37, 23, parts, 3);
    compare("samples/room.pbrt", &plain, 0, &order);
}

/* ---- with failures ---- */

static bool releases(const char *call)
{
    return strstr(call, "Free") || strstr(call, "Destroy");
}

/* Opens, renders, closes with one failure. Whatever happens, bytes are right or an error says what; nothing stays
 * behind. */
static void survive(const lb_scene *scene, const lb_order *order, const struct job *expected,
                    const struct fake_setup *setup)
{
    char when[160];
    struct job job = make_job(scene, order);
    struct fake_seen seen;
    snprintf(when, sizeof when, "%s, call %d, error %d", setup->fail_call, (int)setup->fail_at,
             setup->fail_code);
    fake_cuda_set(setup);
    enum lb_status opened = lb_cuda_processor_open(scene, &first_gpu, &job.processor, &job.error);
    if (opened == LB_OK)
        render(&job);
    fake_cuda_seen(&seen); /* what fails in closing has no one left to tell */
    if (opened == LB_OK)
        job.processor->table->close(job.processor);
    bool ok = opened == LB_OK && job.status == LB_OK;
    if (seen.failed == ok && !releases(setup->fail_call))
        fail_msg("%s: the failure %s", when, ok ? "was not noticed" : "was not to be");
    if (ok && memcmp(expected->pixels, job.pixels, order->count * sizeof *job.pixels))
        fail_msg("%s: other bytes", when);
    if (!ok && !strstr(job.error.message, "CUDA") && !strstr(job.error.message, "cuda0: "))
        fail_msg("%s: the message is \"%s\"", when, job.error.message);
    expect_clean(when);
    free(job.pixels);
}

/* Every call of every function fails once, with an error that passes and with one that spoils the device. */
static void every_call_fails(void **state)
{
    (void)state;
    enum { EACH = 5 };
    struct lb_loaded loaded;
    struct fake_setup setup = plain;
    const int codes[] = {cudaErrorMemoryAllocation, cudaErrorIllegalAddress};
    struct {
        const char *name;
        uint64_t count;
    } calls[FAKE_MOST_CALLS];
    size_t names = 0, runs = 0;
    load("samples/room.pbrt", 12, 9, 2, &loaded);
    lb_order order = lb_order_reversed(12, 9, 8, LB_CURVE_HILBERT);
    struct job expected = render_on_cpu(loaded.scene, &order);
    setup.fail_call = "nothing";
    survive(loaded.scene, &order, &expected, &setup);
    while ((calls[names].name = fake_cuda_calls(names, &calls[names].count)))
        names++;
    assert_true(names > 10);
    for (size_t i = 0; i < names; i++)
        for (uint64_t n = 1; n <= calls[i].count; n += n <= EACH ? 1 : calls[i].count / EACH + 1)
            for (size_t c = 0; c < 2; c++, runs++) {
                setup.fail_call = calls[i].name;
                setup.fail_at = n;
                setup.fail_code = codes[c];
                survive(loaded.scene, &order, &expected, &setup);
            }
    print_message("%d failures of %d functions\n", (int)runs, (int)names);
    free(expected.pixels);
    lb_scene_free(&loaded);
}

static void refuse(const struct fake_setup *setup, uint32_t device, const char *says)
{
    struct lb_cuda_options options = first_gpu;
    options.index = device;
    struct lb_loaded loaded;
    struct lb_processor *processor;
    struct lb_error error;
    load("samples/room.pbrt", 12, 9, 2, &loaded);
    fake_cuda_set(setup);
    assert_int_not_equal(lb_cuda_processor_open(loaded.scene, &options, &processor, &error), LB_OK);
    if (!strstr(error.message, says))
        fail_msg("\"%s\" does not say \"%s\"", error.message, says);
    expect_clean(says);
    lb_scene_free(&loaded);
}

static void reasons(void **state)
{
    (void)state;
    struct fake_setup setup = plain;
    refuse(&setup, 1, "no CUDA device 1");
    setup.memory = 1 << 20;
    refuse(&setup, 0, "GiB are free there");
    setup = plain;
    setup.devices = 0;
    refuse(&setup, 0, "no CUDA device: ");
    setup.driver = 0;
    refuse(&setup, 0, "no CUDA device: there is no NVIDIA driver");
    setup.driver = 12040;
    refuse(&setup, 0, "the driver, for CUDA 12.4, is too old for this lbrender's CUDA 13.0");
}

/* The runtime remembers the last error: that of one GPU must not be taken for one of the next. */
static void second_survives_first(void **state)
{
    (void)state;
    struct lb_loaded loaded;
    struct lb_processor *first, *second;
    struct lb_error error;
    struct fake_setup setup = plain;
    setup.devices = 2;
    setup.fail_call = "cudaMalloc";
    setup.fail_at = 2;
    setup.fail_code = cudaErrorMemoryAllocation;
    setup.fail_device = 0;
    load("samples/room.pbrt", 12, 9, 2, &loaded);
    fake_cuda_set(&setup);
    assert_int_equal(lb_cuda_processor_open(loaded.scene, &first_gpu, &first, &error), LB_ERROR_MEMORY);
    struct lb_cuda_options options = first_gpu;
    options.index = 1;
    if (lb_cuda_processor_open(loaded.scene, &options, &second, &error) != LB_OK)
        fail_msg("%s", error.message);
    second->table->close(second);
    expect_clean("two devices");
    lb_scene_free(&loaded);
}

/* A GPU whose kernel never ends is given up after its time limit, and nothing is called that would wait for it. */
static void hangs(void **state)
{
    (void)state;
    struct lb_loaded loaded;
    struct fake_setup setup = plain;
    struct fake_seen seen;
    struct lb_cuda_options options = {.slow = 1, .part = 1, .patience = 0.05};
    setup.fail_call = "kernel";
    setup.fail_code = FAKE_HANGS;
    load("samples/room.pbrt", 12, 9, 2, &loaded);
    lb_order order = lb_order_reversed(12, 9, 8, LB_CURVE_HILBERT);
    for (setup.fail_at = LB_WAVE_STAGES + 1; setup.fail_at < 40; setup.fail_at += 5) {
        struct job job = make_job(loaded.scene, &order);
        fake_cuda_set(&setup);
        assert_int_equal(lb_cuda_processor_open(loaded.scene, &options, &job.processor, &job.error), LB_OK);
        render(&job);
        assert_int_equal(job.status, LB_ERROR);
        assert_true(job.lost);
        assert_true(job.processor->hangs);
        assert_string_equal(job.error.message, "cuda0: rendering: no answer for 0.05 s");
        job.processor->table->close(job.processor);
        fake_cuda_seen(&seen);
        assert_true(seen.hangs);
        assert_int_equal(seen.misuse, 0);
        free(job.pixels);
    }
    fake_cuda_set(&plain);
    lb_scene_free(&loaded);
}

static double seconds_now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* ---- works that are begun ahead ---- */

enum { AHEAD = 5 };

struct ahead {
    struct lb_processor *cpu, *gpu;
    lb_order orders[2];
    struct lb_work works[AHEAD];
    lb_film_pixel *got[AHEAD];
    uint32_t ended,
        early; /* how many have ended; and how often all that was in hand had been started before it ended */
};

static void await_one(struct ahead *ahead, bool may_begin)
{
    struct lb_outcome outcome;
    struct lb_error error;
    if (!ahead->gpu->table->await(ahead->gpu, may_begin, &outcome)) {
        assert_true(may_begin);
        ahead->early++;
        return;
    }
    const struct lb_work *work = &ahead->works[ahead->ended];
    size_t count = (size_t)(work->range.end - work->range.begin);
    struct lb_result expected = {.pixels = malloc((count + 1) * sizeof *expected.pixels)};
    bool lost;
    assert_int_equal(outcome.status, LB_OK);
    assert_ptr_equal(outcome.result.pixels, ahead->got[ahead->ended++]);
    assert_true(outcome.result.render_seconds >= 0);
    assert_int_equal(ahead->cpu->table->render(ahead->cpu, work, &expected, &lost, &error), LB_OK);
    assert_int_equal(outcome.result.samples, expected.samples);
    assert_memory_equal(outcome.result.pixels, expected.pixels, count * sizeof *expected.pixels);
    free(expected.pixels);
    free(outcome.result.pixels);
}

/* Begins works of unlike lengths and samples, of which one is empty and one may be in another order. */
static void begin_some(struct ahead *ahead, const lb_scene *scene, uint64_t turn)
{
    static const uint32_t samples[AHEAD + 1] = {0, 1, 9, 9, 10, 16};
    ahead->ended = ahead->early = 0;
    for (uint64_t i = 0; i < AHEAD; i++) {
        const lb_order *order = &ahead->orders[turn % 3 == 0 && i == 3];
        uint64_t from = turn * 17 + i, end = i == 2 ? from : from + 1 + (turn * turn + 40) * (i + 1);
        struct lb_range range = {from, end < order->count ? end : order->count};
        ahead->works[i] = (struct lb_work){.scene = scene,
                                           .order = order,
                                           .range = range,
                                           .whole = range,
                                           .sample_begin = samples[i],
                                           .sample_end = samples[i + 1]};
        struct lb_result result = {.pixels = calloc(order->count, sizeof *result.pixels)};
        ahead->got[i] = result.pixels;
        ahead->gpu->table->begin(ahead->gpu, &ahead->works[i], &result);
        await_one(ahead, true);
    }
}

/* They end in order, and each has the right bytes, whichever of their batches overlap. While the first is still traced,
 * more may be begun as soon as all that is in hand has been started. */
static void works_ahead(void **state)
{
    (void)state;
    struct lb_loaded loaded;
    struct lb_error error;
    load("samples/room.pbrt", 37, 23, 16, &loaded);
    for (uint32_t turn = 0; turn < 24; turn++) {
        struct fake_setup setup = plain;
        struct ahead ahead = {.orders = {lb_order_reversed(37, 23, 8, LB_CURVE_HILBERT),
                                         lb_order_curve(37, 23, LB_CURVE_ROWS)}};
        setup.lazy = turn % 2 == 0;
        fake_cuda_set(&setup);
        assert_int_equal(lb_cpu_processor_open(loaded.scene, 0, lb_isa_best(), &ahead.cpu, &error), LB_OK);
        assert_int_equal(lb_cuda_processor_open(loaded.scene, &first_gpu, &ahead.gpu, &error), LB_OK);
        begin_some(&ahead, loaded.scene, turn);
        assert_true(ahead.early >= 2);
        while (ahead.ended < AHEAD)
            await_one(&ahead, false);
        ahead.gpu->table->close(ahead.gpu);
        ahead.cpu->table->close(ahead.cpu);
        expect_clean("works ahead");
    }
    lb_scene_free(&loaded);
}

/* Of two equal works that overlap each is said to have taken its part of the time, whichever ends first. */
static void works_share_the_time(void **state)
{
    (void)state;
    struct lb_loaded loaded;
    struct lb_error error;
    load("samples/room.pbrt", 64, 36, 16, &loaded);
    lb_order order = lb_order_reversed(64, 36, 8, LB_CURVE_HILBERT);
    for (int lazy = 0; lazy < 2; lazy++) {
        struct fake_setup setup = plain;
        struct lb_processor *gpu;
        double seconds[2], began;
        setup.lazy = lazy != 0;
        fake_cuda_set(&setup);
        assert_int_equal(lb_cuda_processor_open(loaded.scene, &first_gpu, &gpu, &error), LB_OK);
        lb_film_pixel *pixels = calloc(order.count, sizeof *pixels);
        began = seconds_now();
        for (uint64_t i = 0; i < 2; i++) {
            struct lb_range range = {1000 * i, 1000 * i + 1000};
            struct lb_work work = {
                .scene = loaded.scene, .order = &order, .range = range, .whole = range, .sample_end = 16};
            struct lb_result result = {.pixels = pixels + range.begin};
            gpu->table->begin(gpu, &work, &result);
        }
        for (int i = 0; i < 2; i++) {
            struct lb_outcome outcome;
            assert_true(gpu->table->await(gpu, false, &outcome));
            seconds[i] = outcome.result.render_seconds;
        }
        double sum = seconds[0] + seconds[1];
        assert_true(sum > 0 && sum <= seconds_now() - began);
        assert_true(seconds[0] > 0.1 * sum && seconds[1] > 0.1 * sum);
        gpu->table->close(gpu);
        free(pixels);
    }
    lb_scene_free(&loaded);
}

/* ---- stops ---- */

static void *stop_soon(void *stop)
{
    struct timespec wait = {0, 20 * 1000 * 1000};
    nanosleep(&wait, NULL);
    __atomic_store_n((int *)stop, 15, __ATOMIC_RELAXED);
    return NULL;
}

/* A range that was stopped in the middle has the batches that were done, and zeros; nothing stays behind on the
 * device. */
static void stops(void **state)
{
    (void)state;
    struct lb_loaded loaded;
    load("samples/room.pbrt", 160, 120, 64, &loaded);
    lb_order order = lb_order_reversed(160, 120, 8, LB_CURVE_HILBERT);
    for (int early = 0; early < 2; early++) {
        struct job job = make_job(loaded.scene, &order);
        pthread_t thread;
        int stop = early;
        fake_cuda_set(&plain);
        assert_int_equal(lb_cuda_processor_open(loaded.scene, &first_gpu, &job.processor, &job.error), LB_OK);
        job.stop = &stop;
        assert_int_equal(pthread_create(&thread, NULL, stop_soon, &stop), 0);
        render(&job);
        pthread_join(thread, NULL);
        assert_int_equal(job.status, LB_OK);
        assert_true(job.stopped);
        assert_true(early ? job.samples == 0 : job.samples < 160 * 120 * 64);
        uint64_t held = 0;
        for (uint64_t i = 0; i < order.count; i++)
            held += job.pixels[i].weight != 0;
        assert_int_equal(held * 64, job.samples);
        job.processor->table->close(job.processor);
        expect_clean("stopped");
        free(job.pixels);
    }
    lb_scene_free(&loaded);
}

/* A device that never ends what it has in flight is lost when it is stopped, too. */
static void hangs_when_stopped(void **state)
{
    (void)state;
    struct lb_loaded loaded;
    struct fake_setup setup = plain;
    struct fake_seen seen;
    struct lb_cuda_options options = {.slow = 1, .part = 1, .patience = 0.2};
    pthread_t thread;
    int stop = 0;
    setup.fail_call = "kernel";
    setup.fail_code = FAKE_HANGS;
    setup.fail_at = 40;
    load("samples/room.pbrt", 40, 30, 400, &loaded);
    lb_order order = lb_order_reversed(40, 30, 8, LB_CURVE_HILBERT);
    struct job job = make_job(loaded.scene, &order);
    fake_cuda_set(&setup);
    assert_int_equal(lb_cuda_processor_open(loaded.scene, &options, &job.processor, &job.error), LB_OK);
    job.stop = &stop;
    assert_int_equal(pthread_create(&thread, NULL, stop_soon, &stop), 0);
    render(&job);
    pthread_join(thread, NULL);
    assert_int_equal(job.status, LB_ERROR);
    assert_true(job.stopped);
    assert_true(job.lost);
    assert_true(job.processor->hangs);
    assert_string_equal(job.error.message, "cuda0: rendering: no answer for 0.2 s");
    job.processor->table->close(job.processor);
    fake_cuda_seen(&seen);
    assert_int_equal(seen.misuse, 0);
    free(job.pixels);
    fake_cuda_set(&plain);
    lb_scene_free(&loaded);
}

/* What the processor renders of the order's first positions, with four samples each. */
static void render_few(struct lb_processor *processor, const struct job *job, lb_film_pixel *pixels)
{
    struct lb_range few = {0, 16};
    struct lb_work work = {job->scene, job->order, few, few, 0, 4, NULL, false, 0, NULL};
    struct lb_result result = {.pixels = pixels};
    struct lb_error error;
    bool lost;
    if (processor->table->render(processor, &work, &result, &lost, &error) != LB_OK)
        fail_msg("%s", error.message);
}

/* A device that takes 2 s for each of the launches that are queued, 1/4 s a turn, is not lost by a stop: the turns that
 * it has not begun are skipped. It renders on afterwards, with the right bytes. */
static void busy_when_stopped(void **state)
{
    (void)state;
    struct lb_loaded loaded;
    struct fake_setup slow = plain;
    struct lb_processor *cpu;
    lb_film_pixel expected[16], got[16];
    int stop = 0;
    pthread_t thread;
    load("samples/room.pbrt", 40, 30, 400, &loaded);
    lb_order order = lb_order_reversed(40, 30, 8, LB_CURVE_HILBERT);
    struct job job = make_job(loaded.scene, &order);
    assert_int_equal(lb_cpu_processor_open(loaded.scene, 0, lb_isa_best(), &cpu, &job.error), LB_OK);
    render_few(cpu, &job, expected);
    cpu->table->close(cpu);
    slow.turn = 0.25;
    fake_cuda_set(&slow);
    assert_int_equal(lb_cuda_processor_open(loaded.scene, &first_gpu, &job.processor, &job.error), LB_OK);
    job.stop = &stop;
    double begun = seconds_now();
    assert_int_equal(pthread_create(&thread, NULL, stop_soon, &stop), 0);
    render(&job);
    pthread_join(thread, NULL);
    double took = seconds_now() - begun;
    print_message("stopped after %.2f s\n", took);
    if (job.status != LB_OK)
        fail_msg("%s", job.error.message);
    assert_true(job.stopped);
    assert_false(job.lost);
    assert_true(took < 8 * slow.turn); /* one launch of four would take as long */
    render_few(job.processor, &job, got);
    assert_memory_equal(expected, got, sizeof got);
    job.processor->table->close(job.processor);
    expect_clean("busy when stopped");
    free(job.pixels);
    lb_scene_free(&loaded);
}

/* Where a sample may take many iterations, a batch of mandelbrot is short, so that stops are looked at in between. */
static void mandelbrot_in_short_batches(void **state)
{
    (void)state;
    struct lb_loaded loaded;
    load("samples/mandelbrot.pbrt", 16, 9, 4, &loaded);
    /* Each sample is outside at once, whatever it might take. */
    loaded.scene->integrator.center[0] = 5;
    loaded.scene->integrator.max_iterations = 1u << 30;
    lb_order order = lb_order_reversed(16, 9, 8, LB_CURVE_HILBERT);
    struct job expected = render_on_cpu(loaded.scene, &order), job = make_job(loaded.scene, &order);
    fake_cuda_set(&plain);
    assert_int_equal(lb_cuda_processor_open(loaded.scene, &first_gpu, &job.processor, &job.error), LB_OK);
    render(&job);
    assert_int_equal(job.status, LB_OK);
    job.processor->table->close(job.processor);
    expect_clean("mandelbrot");
    assert_memory_equal(expected.pixels, job.pixels, order.count * sizeof *job.pixels);
    /* Four positions of four samples a batch. */
    assert_in_range(calls_of("cudaEventElapsedTime"), order.count / 4, order.count / 4 + 2);
    free(expected.pixels);
    free(job.pixels);
    lb_scene_free(&loaded);
}

/* A turn that cannot be cut short takes 2 s: that is no reason to lose the device, either. */
static void long_turn_when_stopped(void **state)
{
    (void)state;
    struct lb_loaded loaded;
    struct fake_setup slow = plain;
    int stop = 0;
    pthread_t thread;
    load("samples/room.pbrt", 40, 30, 400, &loaded);
    lb_order order = lb_order_reversed(40, 30, 8, LB_CURVE_HILBERT);
    struct job job = make_job(loaded.scene, &order);
    slow.turn = 2;
    fake_cuda_set(&slow);
    assert_int_equal(lb_cuda_processor_open(loaded.scene, &first_gpu, &job.processor, &job.error), LB_OK);
    job.stop = &stop;
    assert_int_equal(pthread_create(&thread, NULL, stop_soon, &stop), 0);
    render(&job);
    pthread_join(thread, NULL);
    if (job.status != LB_OK)
        fail_msg("%s", job.error.message);
    assert_true(job.stopped);
    job.processor->table->close(job.processor);
    expect_clean("a long turn when stopped");
    free(job.pixels);
    lb_scene_free(&loaded);
}

/* Measuring changes no pixel, and every part of the time is accounted for. */
static void measured(void **state)
{
    (void)state;
    struct lb_loaded loaded;
    load("samples/room.pbrt", 37, 23, 4, &loaded);
    lb_order order = lb_order_reversed(37, 23, 8, LB_CURVE_HILBERT);
    struct job expected = render_on_cpu(loaded.scene, &order);
    for (int lanes = 1; lanes <= 2; lanes++) {
        struct job job = make_job(loaded.scene, &order);
        struct lb_cuda_times times = {0};
        struct lb_cuda_kernel kernels[LB_WAVE_STAGES];
        double stages = 0, launches = 0;
        fake_cuda_set(&plain);
        assert_int_equal(lb_cuda_processor_open(loaded.scene, &first_gpu, &job.processor, &job.error), LB_OK);
        assert_int_equal(lb_cuda_measure(job.processor, lanes, &times, &job.error), LB_OK);
        assert_int_equal(lb_cuda_kernels(job.processor, kernels, &job.error), LB_OK);
        render(&job);
        assert_int_equal(job.status, LB_OK);
        job.processor->table->close(job.processor);
        expect_clean("measured");
        assert_memory_equal(expected.pixels, job.pixels, order.count * sizeof *job.pixels);
        for (size_t i = 0; i < times.count; i++)
            launches += times.spans[i].copy ? 0 : times.spans[i].end - times.spans[i].begin;
        for (int i = 0; i < LB_WAVE_STAGES; i++) {
            assert_true(times.stage[i] > 0);
            stages += times.stage[i];
        }
        stages += times.empty;
        assert_true(launches > 0 && stages > 0.99 * launches && stages < 1.01 * launches);
        lb_cuda_times_free(&times);
        free(job.pixels);
    }
    free(expected.pixels);
    lb_scene_free(&loaded);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_bytes),
        cmocka_unit_test(many_batches),
        cmocka_unit_test(rectangles),
        cmocka_unit_test(every_call_fails),
        cmocka_unit_test(reasons),
        cmocka_unit_test(second_survives_first),
        cmocka_unit_test(hangs),
        cmocka_unit_test(measured),
        cmocka_unit_test(stops),
        cmocka_unit_test(busy_when_stopped),
        cmocka_unit_test(works_ahead),
        cmocka_unit_test(works_share_the_time),
        cmocka_unit_test(hangs_when_stopped),
        cmocka_unit_test(long_turn_when_stopped),
        cmocka_unit_test(mandelbrot_in_short_batches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
