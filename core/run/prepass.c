#include "core/run/prepass.h"

#include "core/interrupt.h"
#include "core/machine/clock.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

uint32_t lb_prepass_cell(uint32_t width, uint32_t height, uint32_t samples)
{
    double pixels = (double)width * height, all = pixels * samples;
    double most = fmin(cbrt(all * all), all / 64);
    return (uint32_t)ceil(sqrt(pixels / most));
}

/* The cells are dealt a few at a time to whoever asks; given back ones come first. A strategy like any other, but for
 * its order, which is no bijection. */
struct deal {
    uint64_t next, count, outstanding;
    uint64_t cells; /* that are dealt at once */
    struct lb_range *back;
    size_t back_count;
    struct lb_processor *const *processors;
};

/* So many cells are dealt at once, and where there are few of them only this part of an equal share, lest all wait for
 * a slow processor. */
enum { MOST_CELLS = 32, PARTS = 8 };

static uint64_t cells_at_once(uint64_t count, uint32_t processors)
{
    uint64_t part = count / PARTS / processors;
    return part < 1 ? 1 : part < MOST_CELLS ? part : MOST_CELLS;
}

static enum lb_next deal_next(void *state, uint32_t processor, struct lb_range *range)
{
    struct deal *deal = state;
    if (deal->processors[processor]->uncounted)
        return LB_NEXT_END;
    if (deal->back_count) {
        *range = deal->back[--deal->back_count];
        return LB_NEXT_RANGE;
    }
    if (deal->next == deal->count)
        return deal->outstanding ? LB_NEXT_WAIT : LB_NEXT_END;
    uint64_t end = deal->next + deal->cells < deal->count ? deal->next + deal->cells : deal->count;
    *range = (struct lb_range){deal->next, end};
    deal->next = end;
    return LB_NEXT_RANGE;
}

static void deal_done(void *state, uint32_t processor, struct lb_range range, double seconds)
{
    (void)processor, (void)seconds;
    ((struct deal *)state)->outstanding -= range.end - range.begin;
}

/* Ranges are given back as they were dealt, so that there is room for all of them. */
static void deal_failed(void *state, uint32_t processor, struct lb_range range, bool lost)
{
    struct deal *deal = state;
    (void)processor, (void)lost;
    if (range.begin < range.end)
        deal->back[deal->back_count++] = range;
}

static const struct lb_strategy dealer = {
    .name = "prepass", .next = deal_next, .done = deal_done, .failed = deal_failed};

/* The pixel in the middle of each cell. */
static lb_rectangle *make_cells(const lb_scene *scene, uint32_t cell, uint32_t across, uint32_t down)
{
    lb_rectangle *cells = malloc((size_t)across * down * sizeof *cells);
    uint32_t width = scene->film.width, height = scene->film.height;
    for (uint32_t y = 0; cells && y < down; y++)
        for (uint32_t x = 0; x < across; x++) {
            uint32_t middle_x = x * cell + cell / 2, middle_y = y * cell + cell / 2;
            uint64_t i = (uint64_t)y * across + x;
            cells[i] = (lb_rectangle){i, middle_x < width ? middle_x : width - 1,
                                      middle_y < height ? middle_y : height - 1, 1, 1};
        }
    return cells;
}

struct buffers {
    lb_rectangle *cells;
    lb_film_pixel *pixels;
    float *cost;
    struct lb_tally *tallies;
    struct lb_progress *progress;
    struct lb_range *back;
};

static bool alloc_buffers(struct buffers *b, const lb_scene *scene, uint32_t cell, uint32_t across,
                          uint32_t down, uint32_t count)
{
    size_t size = (size_t)across * down, cells = cells_at_once(size, count);
    b->cells = make_cells(scene, cell, across, down);
    b->pixels = calloc(size, sizeof *b->pixels);
    b->cost = calloc(size, sizeof *b->cost);
    b->tallies = aligned_alloc(_Alignof(struct lb_tally), count * sizeof *b->tallies);
    b->progress = aligned_alloc(_Alignof(struct lb_progress), count * sizeof *b->progress);
    b->back = calloc((size + cells - 1) / cells, sizeof *b->back);
    if (b->tallies)
        memset(b->tallies, 0, count * sizeof *b->tallies);
    if (b->progress)
        memset(b->progress, 0, count * sizeof *b->progress);
    return b->cells && b->pixels && b->cost && b->tallies && b->progress && b->back;
}

static void free_buffers(struct buffers *b)
{
    free(b->cells);
    free(b->pixels);
    free(b->cost);
    free(b->tallies);
    free(b->progress);
    free(b->back);
}

static bool any_counted(struct lb_processor *const *processors, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (!processors[i]->uncounted)
            return true;
    return false;
}

enum lb_status lb_prepass(const lb_scene *scene, enum lb_probe probe, uint32_t cell,
                          struct lb_processor *const *processors, uint32_t count, const atomic_int *signal,
                          struct lb_estimate *estimate, bool *lost, struct lb_error *error)
{
    uint32_t across = (scene->film.width + cell - 1) / cell, down = (scene->film.height + cell - 1) / cell;
    uint64_t size = (uint64_t)across * down;
    struct buffers b = {0};
    if (!any_counted(processors, count)) {
        *estimate = (struct lb_estimate){0};
        return LB_OK;
    }
    if (!alloc_buffers(&b, scene, cell, across, down, count)) {
        free_buffers(&b);
        return lb_error_memory(error, NULL);
    }
    struct deal deal = {.count = size,
                        .outstanding = size,
                        .cells = cells_at_once(size, count),
                        .back = b.back,
                        .processors = processors};
    lb_order order = lb_order_rectangles(scene->film.width, scene->film.height, b.cells, (uint32_t)size);
    order.count = size;
    struct lb_schedule schedule = {.strategy = &dealer,
                                   .state = &deal,
                                   .processors = processors,
                                   .count = count,
                                   .scene = scene,
                                   .order = &order,
                                   .sample_end = 1,
                                   .part = {0, size},
                                   .dealt = size,
                                   .pixels = b.pixels,
                                   .cost = b.cost,
                                   .coverage = probe == LB_PROBE_COVERAGE,
                                   .stop = lb_interrupt_number(signal),
                                   .begin = lb_clock_now(),
                                   .tallies = b.tallies,
                                   .progress = b.progress};
    enum lb_status status = lb_schedule_run(&schedule, error);
    for (uint32_t i = 0; lost && i < count; i++)
        lost[i] = b.tallies[i].did.lost;
    *estimate = (struct lb_estimate){across, down, b.cost};
    b.cost = NULL;
    if (status != LB_OK || deal.outstanding > 0) { /* of a part of the cells nothing is known */
        free(estimate->cost);
        estimate->cost = NULL;
    }
    free_buffers(&b);
    return status;
}
