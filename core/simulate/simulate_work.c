#include "core/simulate/simulate_work.h"

#include <stdlib.h>

static bool make_room(struct lb_sim_work *work)
{
    size_t count = (size_t)work->whole.count + 1;
    if (count <= work->capacity)
        return true;
    free(work->before);
    free(work->pixels);
    work->before = malloc(count * sizeof *work->before);
    work->pixels = malloc(count * sizeof *work->pixels);
    work->capacity = work->before == NULL || work->pixels == NULL ? 0 : count;
    return work->capacity > 0;
}

static uint64_t pixel_at(const lb_order *order, const uint32_t *hilbert, uint64_t position)
{
    if (hilbert == NULL || order->kind != LB_ORDER_REVERSED || order->curve != LB_CURVE_HILBERT)
        return lb_order_pixel(order, position);
    uint64_t place = lb_reversed_place(order, position);
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
    *work = (struct lb_sim_work){0};
}
