/* What a primary, and another worker that gives the scene, may say to a worker: any messages. The worker renders only
 * what fits the scene that it has, samples/room.pbrt; jobs of few samples are rendered in truth. */
#include "core/cpu/cpu.h"
#include "core/scene/check/check.h"
#include "core/scene/load.h"
#include "hosts/worker/fetch.h"
#include "hosts/worker/labour.h"
#include "hosts/worker/worker.h"
#include "messages.h"

#include <sched.h>
#include <stdio.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A work may be larger than memory: then calloc says so. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "allocator_may_return_null=1";
}

enum { WIDTH = 20, HEIGHT = 10, FEW = 16 };

static struct lb_processor *cpu;

/* Opens what renders the scene, as the program does. */
static enum lb_status open_scene(void *user, const lb_scene *scene, struct lb_error *error)
{
    (void)user;
    if (cpu)
        cpu->table->close(cpu);
    cpu = NULL;
    if (!scene)
        return LB_OK;
    enum lb_status status = lb_scene_check(scene, scene->size, error);
    return status == LB_OK ? lb_cpu_processor_open(scene, 0, LB_ISA_PORTABLE, &cpu, error) : status;
}

/* Asks for the pixel of each position, and writes all that is wanted of it, as a processor does. */
static void pretend(const struct lb_work *work, struct lb_result *result)
{
    for (uint64_t i = 0; i < work->range.end - work->range.begin && i < 1000; i++) {
        uint64_t pixel = lb_order_due(work->order, work->range.begin + i);
        if (pixel != LB_NO_PIXEL && pixel >= WIDTH * HEIGHT)
            abort();
        result->pixels[i].weight = 1;
        if (work->coverage || result->cost)
            result->cost[i] = 1;
        for (uint32_t k = 0; result->sums && k < result->sum_count; k++)
            result->sums[i * result->sum_count + k] = 1;
    }
}

static enum lb_status render(void *user, const struct lb_work *work, const struct lb_listener *listener,
                             struct lb_result *result, struct lb_remote_did *did, struct lb_error *error)
{
    (void)user;
    bool lost;
    uint64_t count = work->range.end - work->range.begin;
    did->samples = 1;
    if (count <= FEW && work->sample_end - work->sample_begin <= FEW / (count ? count : 1)) {
        if (cpu->table->render(cpu, work, result, &lost, error) != LB_OK)
            abort();
    } else {
        pretend(work, result);
    }
    for (uint64_t i = 0; i < count && i < 1000; i++)
        listener->rendered(listener->user, (struct lb_range){i, i + 1});
    return LB_OK;
}

/* Where fuzzers run, the repository's own folder is two above. */
static const lb_scene *load_scene(void)
{
    static struct lb_loaded loaded;
    struct lb_scene_options options = {.width = WIDTH, .height = HEIGHT, .samples = 4};
    struct lb_error error;
    options.channels.wanted = 1u << LB_CHANNEL_ALBEDO;
    if (!loaded.scene && lb_scene_load("../../samples/room.pbrt", &options, NULL, &loaded, &error) != LB_OK) {
        fprintf(stderr, "fuzz_worker: %s\n", error.message);
        abort();
    }
    return loaded.scene;
}

static lb_scene *make_scene(void)
{
    const lb_scene *loaded = load_scene();
    lb_scene *scene = aligned_alloc(64, loaded->size);
    if (!scene)
        abort();
    return memcpy(scene, loaded, loaded->size);
}

/* How many positions an order of these numbers has. */
static uint64_t positions(const lb_order *order)
{
    uint64_t pixels = WIDTH * HEIGHT, side = order->side;
    uint64_t tiles = (WIDTH + side - 1) / side * ((HEIGHT + side - 1) / side);
    switch (order->kind) {
    case LB_ORDER_REVERSED:
        return order->region << order->bits;
    case LB_ORDER_DEALT:
        return (pixels + order->region - 1) / order->region * order->region;
    case LB_ORDER_SHUFFLED:
    case LB_ORDER_HANDED:
        return tiles * side * side;
    default:
        return pixels;
    }
}

/* Brings the numbers of a job near to those of one that fits the scene, or hardly any would be rendered. */
static void fit_job(struct said *said)
{
    struct lb_message_job job;
    if (said->length < sizeof said->head + sizeof job)
        return;
    memcpy(&job, said->text + sizeof said->head, sizeof job);
    lb_order *order = &job.order;
    order->width = WIDTH;
    order->height = HEIGHT;
    order->kind = (enum lb_order_kind)((uint32_t)order->kind % (LB_ORDER_RECTANGLES + 1));
    order->curve = (enum lb_curve)((uint32_t)order->curve % 2);
    order->bits %= 8;
    order->hands = order->hands % 5 + 1;
    order->side = order->side % 9 + 1;
    order->region =
        order->kind == LB_ORDER_HANDED ? (uint64_t)order->side * order->side : order->region % 50 + 1;
    order->tail %= 300;
    order->blocks %= 2;
    order->count = positions(order);
    order->rectangle_count =
        (uint32_t)((said->length - sizeof said->head - sizeof job) / sizeof(lb_rectangle));
    job.range.begin %= order->count;
    job.range.end = job.range.begin + 1 + job.range.end % (order->count - job.range.begin);
    job.sample_begin %= 4;
    job.sample_end = job.sample_begin + job.sample_end % (5 - job.sample_begin);
    job.leaves_out = 0;
    memcpy(said->text + sizeof said->head, &job, sizeof job);
}

/* Lets the worker end what it has in hand, and send it. One processor renders one job at a time. */
static void finish(struct lb_worker *w)
{
    bool done;
    while (!w->leaves && lb_renderer_task(&w->renderer, 0, &done)) {
        if (!done)
            sched_yield();
        lb_worker_deliver(w);
    }
}

/* Every second message is of the scene that is open or on its way, or no work and no bytes would ever fit. Another
 * worker says those with an odd reserved number. */
static void say_all(struct lb_worker *w, const uint8_t *data, size_t size)
{
    struct said said;
    while (!w->leaves && said_next(&data, &size, &said)) {
        if (said.odd)
            said.head.scene = w->block.mark;
        if (said.head.kind == LB_MESSAGE_SCENE)
            said.head.count %= 1 << 20;
        if (said.head.kind == LB_MESSAGE_JOB && said.odd)
            fit_job(&said);
        said_put_head(&said);
        if (said.head.reserved % 2)
            lb_worker_hear_other(w, said.text, said.length);
        else
            lb_worker_hear(w, said.text, said.length);
        finish(w);
        free(said.text);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct lb_log log = {.write = NULL};
    struct lb_remote_processor own = {.name = "cpu0", .kind = "cpu"};
    struct lb_worker_options options = {
        .address = "tcp://nobody", .name = "one", .own = &own, .processors = 1, .silence = 1, .patience = 1};
    struct lb_worker_site site = {.open = open_scene, .render = render};
    struct lb_worker w = {.options = &options,
                          .site = &site,
                          .log = &log,
                          .joined = true,
                          .open = true,
                          .peers.link.wake = -1,
                          .source.wake = -1};
    struct lb_error error;
    lb_scene *scene = make_scene();
    w.block = (struct lb_block){.bytes = (char *)scene, .size = scene->size, .received = scene->size};
    w.block.mark = lb_scene_mark_make(scene, scene->size);
    static void *socket;
    if (!socket)
        socket = nobody();
    w.link.socket = socket;
    w.link.wake = -1;
    /* Some begin with a scene that another worker gives. */
    if (size % 2) {
        w.open = false;
        w.block.received = 0;
        w.block.asked = w.block.size;
        w.source.socket = nobody();
    }
    if (open_scene(NULL, scene, &error) != LB_OK ||
        lb_renderer_open(&w.renderer, &site, &w.link, &error) != LB_OK)
        abort();
    say_all(&w, data, size);
    lb_renderer_close(&w.renderer);
    lb_worker_forget_block(&w);
    open_scene(NULL, NULL, &error);
    return 0;
}
