#include "core/simulate/simulate_work.h"

#include <math.h>
#include <stdlib.h>

static bool make_room(struct lb_sim_work *work)
{
    size_t count = (size_t)work->whole.count + 1;
    if (count <= work->capacity)
        return true;
    free(work->before);
    free(work->pixels);
    free(work->dearest);
    work->dearest = NULL;
    work->before = malloc(count * sizeof *work->before);
    work->pixels = malloc(count * sizeof *work->pixels);
    work->capacity = work->before == NULL || work->pixels == NULL ? 0 : count;
    return work->capacity > 0;
}

uint32_t *lb_sim_hilbert(uint32_t width, uint32_t height)
{
    lb_order order = lb_order_curve(width, height, LB_CURVE_HILBERT);
    uint32_t *pixels = malloc((size_t)order.count * sizeof *pixels);
    for (uint64_t place = 0; pixels != NULL && place < order.count; place++)
        pixels[place] = (uint32_t)lb_order_pixel(&order, place);
    return pixels;
}

static uint64_t pixel_at(const lb_order *order, const uint32_t *hilbert, uint64_t position)
{
    bool on_curve =
        order->kind == LB_ORDER_CURVE || order->kind == LB_ORDER_REVERSED || order->kind == LB_ORDER_DEALT;
    if (hilbert == NULL || !on_curve || order->curve != LB_CURVE_HILBERT || position >= order->count)
        return lb_order_pixel(order, position);
    uint64_t place = lb_curve_place(order, position);
    return place < (uint64_t)order->width * order->height ? hilbert[place] : LB_NO_PIXEL;
}

enum lb_status lb_sim_work_lay(struct lb_sim_work *work, const lb_order *order, uint32_t samples,
                               const uint32_t *hilbert, const struct lb_estimate *costs, double scale,
                               struct lb_error *error)
{
    work->order = *order;
    work->whole = lb_order_block(*order);
    work->samples = samples;
    if (!make_room(work))
        return lb_error_memory(error, NULL);
    double sum = 0;
    uint32_t pixels = 0;
    for (uint64_t i = 0; i < work->whole.count; i++) {
        uint64_t pixel = pixel_at(&work->whole, hilbert, i);
        work->before[i] = sum;
        work->pixels[i] = pixels;
        if (pixel != LB_NO_PIXEL) {
            sum += (double)costs->cost[pixel] * scale;
            pixels++;
        }
    }
    work->before[work->whole.count] = sum;
    work->pixels[work->whole.count] = pixels;
    work->mean = sum / pixels;
    return LB_OK;
}

/* The work of all positions before one. */
static double work_before(const struct lb_sim_work *work, uint64_t position)
{
    uint64_t count = work->whole.count, block = position / count, rest = position % count;
    uint32_t before = lb_order_block_sample(&work->order, work->samples, block);
    uint32_t after = rest > 0 ? lb_order_block_sample(&work->order, work->samples, block + 1) : before;
    return (work->before[count] * before + work->before[rest] * (after - before)) / work->samples;
}

double lb_sim_work_of(const struct lb_sim_work *work, struct lb_range range)
{
    if (range.begin >= work->order.count)
        return (double)(range.end - range.begin) * work->mean;
    return work_before(work, range.end) - work_before(work, range.begin);
}

double lb_sim_work_all(const struct lb_sim_work *work)
{
    return work->before[work->whole.count];
}

/* How many pixels lie before a position, one for each block of its samples. */
static uint64_t pixels_before(const struct lb_sim_work *work, uint64_t position)
{
    uint64_t count = work->whole.count;
    return position / count * work->pixels[count] + work->pixels[position % count];
}

/* A tree whose leaves, from `count` on, are the positions of whole pixels: node n has the larger of 2n and 2n + 1. */
bool lb_sim_work_index(struct lb_sim_work *work)
{
    uint64_t count = work->whole.count;
    if (!work->dearest)
        work->dearest = malloc(2 * work->capacity * sizeof *work->dearest);
    if (!work->dearest)
        return false;
    for (uint64_t i = 0; i < count; i++)
        work->dearest[count + i] = work->before[i + 1] - work->before[i];
    for (uint64_t node = count - 1; node > 0; node--)
        work->dearest[node] = fmax(work->dearest[2 * node], work->dearest[2 * node + 1]);
    return true;
}

/* The dearest of positions begin .. end of whole pixels. */
static double dearest_between(const struct lb_sim_work *work, uint64_t begin, uint64_t end)
{
    double most = 0;
    begin += work->whole.count;
    end += work->whole.count;
    for (; begin < end; begin /= 2, end /= 2) {
        if (begin % 2)
            most = fmax(most, work->dearest[begin++]);
        if (end % 2)
            most = fmax(most, work->dearest[--end]);
    }
    return most;
}

double lb_sim_work_dearest(const struct lb_sim_work *work, struct lb_range range)
{
    uint64_t count = work->whole.count, block = range.begin / count;
    if (range.begin >= work->order.count)
        return work->mean;
    /* Blocks of samples have about as many each; a range over several of them has all positions in one. */
    bool within = range.end <= (block + 1) * count;
    double pixel = within ? dearest_between(work, range.begin - block * count, range.end - block * count)
                          : dearest_between(work, 0, count);
    return fmin(pixel / work->order.blocks, lb_sim_work_of(work, range));
}

uint64_t lb_sim_work_pixels(const struct lb_sim_work *work, struct lb_range range)
{
    if (range.begin >= work->order.count)
        return (range.end - range.begin) * work->order.blocks;
    return pixels_before(work, range.end) - pixels_before(work, range.begin);
}

void lb_sim_work_free(struct lb_sim_work *work)
{
    free(work->before);
    free(work->pixels);
    free(work->dearest);
    *work = (struct lb_sim_work){0};
}
