/* What a primary, and another worker that gives the scene, may say to a worker: any messages. The worker renders only
 * what fits the scene that it has. */
#include "hosts/worker.h"
#include "messages.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A work may be larger than memory: then calloc says so. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "allocator_may_return_null=1";
}

enum { WIDTH = 20, HEIGHT = 10 };

static enum lb_status open_scene(void *user, const lb_scene *scene, struct lb_error *error)
{
    (void)user, (void)scene, (void)error;
    return LB_OK;
}

/* Asks for the pixel of each position, as a processor does. */
static enum lb_status render(void *user, const struct lb_work *work, const struct lb_listener *listener,
                             struct lb_result *result, struct lb_remote_did *did, struct lb_error *error)
{
    (void)user, (void)error;
    did->samples = 1;
    for (uint64_t at = work->range.begin; at < work->range.end && at < work->range.begin + 1000; at++) {
        uint64_t pixel = lb_order_due(work->order, at);
        if (pixel != LB_NO_PIXEL && pixel >= WIDTH * HEIGHT)
            abort();
        result->pixels[at - work->range.begin].weight = 1;
        listener->rendered(listener->user,
                           (struct lb_range){at - work->range.begin, at - work->range.begin + 1});
    }
    return LB_OK;
}

static lb_scene *make_scene(void)
{
    lb_scene *scene = aligned_alloc(64, (sizeof *scene + 63) / 64 * 64);
    if (!scene)
        abort();
    memset(scene, 0, sizeof *scene);
    scene->magic = LB_SCENE_MAGIC;
    scene->size = sizeof *scene;
    scene->film.width = WIDTH;
    scene->film.height = HEIGHT;
    scene->integrator.samples = 4;
    return scene;
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
        said_put_head(&said);
        if (said.head.reserved % 2)
            lb_worker_hear_other(w, said.text, said.length);
        else
            lb_worker_hear(w, said.text, said.length);
        lb_worker_deliver(w);
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
    w.block = (struct lb_block){.bytes = (char *)scene, .size = sizeof *scene, .received = sizeof *scene};
    w.block.mark = lb_scene_mark_make(scene, sizeof *scene);
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
    if (lb_renderer_open(&w.renderer, &site, &w.link, &error) != LB_OK)
        abort();
    say_all(&w, data, size);
    lb_renderer_close(&w.renderer);
    lb_worker_forget_block(&w);
    return 0;
}
