#include "core/run/pass/pass_picture.h"

#include "core/assemble.h"
#include "core/base/pages.h"
#include "core/kernel/order/walk.h"
#include "core/run/pass/fold.h"

#include <stdlib.h>
#include <string.h>

/* Adds two sums. They may be of a damaged file and so have any values: an overflow must do no harm. */
static int64_t wrapped(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a + (uint64_t)b);
}

void lb_pixels_add(lb_film_pixel *sum, const lb_film_pixel *more, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++) {
        for (int c = 0; c < 3; c++)
            sum[i].sum[c] = wrapped(sum[i].sum[c], more[i].sum[c]);
        sum[i].weight = wrapped(sum[i].weight, more[i].weight);
    }
}

void lb_pixels_subtract(lb_film_pixel *from, const lb_film_pixel *what, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++) {
        for (int c = 0; c < 3; c++)
            from[i].sum[c] = (int64_t)((uint64_t)from[i].sum[c] - (uint64_t)what[i].sum[c]);
        from[i].weight = (int64_t)((uint64_t)from[i].weight - (uint64_t)what[i].weight);
    }
}

/* Means of samples with the weights a and b differ by a variance of s / a + s / b. */
double lb_pixels_differ(const lb_film_pixel *some, const lb_film_pixel *others)
{
    double a = (double)some->weight, b = (double)others->weight, squares = 0;
    if (!(a > 0 && b > 0))
        return 0;
    for (int c = 0; c < 3; c++) {
        double difference = (double)some->sum[c] / a - (double)others->sum[c] / b;
        squares += difference * difference;
    }
    return squares * (a * b / (a + b));
}

void lb_squares_learn(double *squares, const lb_film_pixel *before, const lb_film_pixel *pass,
                      uint32_t samples, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++)
        squares[i] += samples * lb_pixels_differ(&before[i], &pass[i]);
}

void lb_sums_add(int64_t *sum, const int64_t *more, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++)
        sum[i] = wrapped(sum[i], more[i]);
}

void lb_costs_add(float *sum, const float *more, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++)
        sum[i] += more[i];
}

/* Adds all blocks of samples to the first one. They go through the picture in the same order. */
static void add_blocks(struct lb_pass_result *result, uint64_t block, uint64_t count, uint32_t sums)
{
    for (uint64_t at = block; at < count; at += block) {
        lb_pixels_add(result->pixels, result->pixels + at, block);
        if (result->sums)
            lb_sums_add(result->sums, result->sums + at * sums, block * sums);
        if (result->cost)
            lb_costs_add(result->cost, result->cost + at, block);
    }
}

/* A pass that was cut short is put into the picture's order quickly, since the user who stopped it or the processors
 * that came wait for that: its few pixels are copied to new arrays, which takes more memory than the order's inverse in
 * place, but a fraction of its time. False: there is no such memory. */
static bool gather_stopped(const lb_scene *scene, const lb_order *order, struct lb_pass_result *result)
{
    size_t pixels = (size_t)scene->film.width * scene->film.height, each = scene->channels.count;
    lb_film_pixel *picture = lb_pages_calloc(pixels, sizeof *picture);
    int64_t *sums = result->sums ? lb_pages_calloc(pixels, each * sizeof *sums) : NULL;
    float *cost = result->cost ? lb_pages_calloc(pixels, sizeof *cost) : NULL;
    lb_order_walk walk;
    if (!picture || (result->sums && !sums) || (result->cost && !cost)) {
        free(picture);
        free(sums);
        free(cost);
        return false;
    }
    lb_order_walk_begin(order, &walk);
    for (uint64_t at = 0; at < order->count; at++) {
        if (lb_pixel_is_empty(&result->pixels[at]))
            continue;
        uint64_t pixel = lb_order_walk_pixel(&walk, at);
        picture[pixel] = result->pixels[at];
        if (sums)
            memcpy(sums + pixel * each, result->sums + at * each, each * sizeof *sums);
        if (cost)
            cost[pixel] = result->cost[at];
    }
    free(result->pixels);
    free(result->sums);
    free(result->cost);
    result->pixels = picture;
    result->sums = sums;
    result->cost = cost;
    return true;
}

/* What is known of pixels without samples is not kept: they will be rendered again. */
static void clear_unlit(struct lb_pass_result *result, uint64_t pixels, size_t each)
{
    for (uint64_t i = 0; i < pixels; i++)
        if (lb_pixel_is_empty(&result->pixels[i])) {
            if (result->sums)
                memset(result->sums + i * each, 0, each * sizeof *result->sums);
            if (result->cost)
                result->cost[i] = 0;
        }
}

/* The array in the picture's order, if there is one; where there is no memory for that, as it was, and `*status` says
 * so. */
static void *put_right(const lb_order *order, void *elements, size_t size, enum lb_status *status,
                       struct lb_error *error)
{
    void *picture = elements && *status == LB_OK ? lb_order_assemble(order, elements, size, error) : NULL;
    if (!picture && elements && *status == LB_OK)
        *status = LB_ERROR_MEMORY;
    return picture ? picture : elements;
}

/* What the samples are to the pixels around goes into these, and the costs into the picture's order. */
static enum lb_status fold(const struct lb_pass_job *job, const lb_order *order,
                           struct lb_pass_result *result, struct lb_error *error)
{
    if (!result->complete)
        clear_unlit(result, order->count, job->scene->channels.count);
    enum lb_status status = lb_pass_fold(order, &job->scene->channels, job->active_count, result, error);
    result->cost = put_right(order, result->cost, sizeof *result->cost, &status, error);
    return status;
}

enum lb_status lb_pass_assemble(const struct lb_pass_job *job, const lb_order *order,
                                struct lb_pass_result *result, struct lb_error *error)
{
    const struct lb_interrupt *interrupt = job->options->interrupt;
    lb_order whole = lb_order_block(*order);
    uint32_t channels = job->scene->channels.count;
    enum lb_status status = LB_OK;
    add_blocks(result, whole.count, order->count, channels);
    if (job->folds && (job->scene->channels.wanted >> LB_CHANNEL_AROUND & 1) != 0)
        return fold(job, &whole, result, error);
    if (!result->complete && interrupt && atomic_load(&interrupt->now) &&
        gather_stopped(job->scene, &whole, result))
        return LB_OK;
    result->pixels = put_right(&whole, result->pixels, sizeof *result->pixels, &status, error);
    result->sums = put_right(&whole, result->sums, channels * sizeof *result->sums, &status, error);
    result->cost = put_right(&whole, result->cost, sizeof *result->cost, &status, error);
    if (status == LB_OK && !result->complete)
        clear_unlit(result, (uint64_t)whole.width * whole.height, channels);
    return status;
}
