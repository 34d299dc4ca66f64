#include "core/guiding/sketch.h"

#include "core/kernel/order/make.h"
#include "core/machine/threads.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* Positions that a thread takes at once. */
enum { PIECE = 32 };
/* The sampler draws other numbers than for the picture, lest those be the ones that the guide has learned from. */
static const uint32_t OTHER_SEED = 0x9e3779b9u;

/* ---- the small film ---- */

static uint32_t side_of(uint32_t full, double scale)
{
    double side = floor(full * scale + 0.5);
    return side < 1 ? 1 : (uint32_t)side;
}

static void size_film(struct lb_sketch *sketch, uint32_t pixels)
{
    lb_film *film = &sketch->film;
    double full = (double)film->full_width * film->full_height,
           scale = full > pixels ? sqrt(pixels / full) : 1;
    film->full_width = film->width = side_of(film->full_width, scale);
    film->full_height = film->height = side_of(film->full_height, scale);
    film->x0 = film->y0 = 0;
    sketch->pixels = film->width * film->height;
}

void lb_sketch_open(struct lb_sketch *sketch, lb_scene *scene, uint32_t pixels, uint32_t threads,
                    enum lb_isa isa)
{
    *sketch =
        (struct lb_sketch){.scene = scene, .film = scene->film, .threads = threads ? threads : 1, .isa = isa};
    size_film(sketch, pixels);
}

void lb_sketch_begin(struct lb_sketch *sketch, uint32_t samples)
{
    lb_scene *scene = sketch->scene;
    /* With its padding, which the scene's identity has in it. */
    memcpy(&sketch->head, scene, sizeof sketch->head);
    scene->film = sketch->film;
    scene->integrator.samples = samples;
    scene->integrator.seed ^= OTHER_SEED;
    scene->outlines.count = 0;
}

void lb_sketch_end(struct lb_sketch *sketch)
{
    memcpy(sketch->scene, &sketch->head, sizeof sketch->head);
}

/* ---- rendering ---- */

/* What the threads share. */
struct rendering {
    const struct lb_sketch *sketch;
    const lb_guide *guide;
    lb_order order;
    uint32_t begin, end; /* samples */
    _Atomic uint64_t next;
};

/* What one of them has for itself. */
struct hand {
    struct rendering *rendering;
    struct lb_processor *processor;
    pthread_t thread;
    enum lb_status status;
    struct lb_error error;
};

static enum lb_status render_piece(struct hand *hand, uint64_t begin)
{
    const struct rendering *r = hand->rendering;
    lb_film_pixel pixels[PIECE];
    bool lost;
    struct lb_range range = {begin, begin + PIECE < r->order.count ? begin + PIECE : r->order.count};
    struct lb_work work = {.scene = r->sketch->scene,
                           .order = &r->order,
                           .range = range,
                           .whole = range,
                           .sample_begin = r->begin,
                           .sample_end = r->end,
                           .guide = r->guide};
    struct lb_result result = {.pixels = pixels};
    return hand->processor->table->render(hand->processor, &work, &result, &lost, &hand->error);
}

static void *render(void *argument)
{
    struct hand *hand = argument;
    uint64_t begin;
    while (hand->status == LB_OK &&
           (begin = atomic_fetch_add(&hand->rendering->next, PIECE)) < hand->rendering->order.count)
        hand->status = render_piece(hand, begin);
    return NULL;
}

/* Makes a hand's thread; the first hand is the caller's own. */
static enum lb_status lend(struct hand *hand, struct rendering *rendering, bool own, struct lb_error *error)
{
    *hand = (struct hand){.rendering = rendering};
    enum lb_status status =
        lb_cpu_processor_open(rendering->sketch->scene, 0, rendering->sketch->isa, &hand->processor, error);
    if (status != LB_OK || own)
        return status;
    int failure = lb_thread_make(&hand->thread, render, hand);
    if (failure == 0)
        return LB_OK;
    hand->processor->table->close(hand->processor);
    return lb_error_set(error, LB_ERROR, "a thread could not be made: %s", strerror(failure));
}

/* All that could be made render; the first error counts. */
static enum lb_status render_by(struct hand *hands, struct rendering *rendering, struct lb_error *error)
{
    enum lb_status status = LB_OK;
    uint32_t made = 0;
    while (made < rendering->sketch->threads && status == LB_OK) {
        status = lend(&hands[made], rendering, made == 0, error);
        made += status == LB_OK ? 1 : 0;
    }
    if (made > 0)
        render(&hands[0]);
    for (uint32_t i = 0; i < made; i++) {
        if (i > 0)
            pthread_join(hands[i].thread, NULL);
        if (status == LB_OK && hands[i].status != LB_OK) {
            status = hands[i].status;
            *error = hands[i].error;
        }
        hands[i].processor->table->close(hands[i].processor);
    }
    return status;
}

enum lb_status lb_sketch_render(const struct lb_sketch *sketch, const lb_guide *guide, uint32_t begin,
                                uint32_t end, struct lb_error *error)
{
    const lb_film *film = &sketch->film;
    struct rendering rendering = {.sketch = sketch,
                                  .guide = guide,
                                  .order = lb_order_curve(film->width, film->height, LB_CURVE_HILBERT),
                                  .begin = begin,
                                  .end = end};
    struct hand *hands = calloc(sketch->threads, sizeof *hands);
    if (!hands)
        return lb_error_memory(error, NULL);
    enum lb_status status = render_by(hands, &rendering, error);
    free(hands);
    return status;
}
