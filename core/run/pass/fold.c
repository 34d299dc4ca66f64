#include "core/run/pass/fold.h"

#include "core/base/pages.h"
#include "core/kernel/film/around.h"
#include "core/kernel/order/walk.h"
#include "core/kernel/scene/channel_kinds.h"
#include "core/machine/threads.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_THREADS = 64 };

struct fold {
    const struct lb_pass_result *from;
    const lb_channels *channels; /* of what is folded */
    uint64_t *positions;         /* where the order has each pixel */
    uint32_t width, height;
    uint32_t left;         /* how many sums a pixel keeps */
    lb_film_pixel *pixels; /* what comes of it */
    int64_t *sums;
    atomic_uint row; /* the next one that nobody has begun */
};

lb_channels lb_channels_folded(const lb_channels *channels)
{
    lb_channels folded = *channels;
    folded.wanted &= ~(1u << LB_CHANNEL_AROUND);
    lb_channels_lay_out(&folded);
    return folded;
}

static void fold_row(struct fold *fold, uint32_t y)
{
    size_t each = fold->channels->count, left = fold->left;
    for (uint64_t at = (uint64_t)y * fold->width; at < (uint64_t)(y + 1) * fold->width; at++) {
        fold->pixels[at] = lb_around_gather(fold->from->pixels, fold->channels, fold->from->sums,
                                            fold->positions, fold->width, fold->height, at);
        if (fold->sums)
            memcpy(fold->sums + at * left, fold->from->sums + fold->positions[at] * each,
                   left * sizeof *fold->sums);
    }
}

static void *fold_rows(void *argument)
{
    struct fold *fold = argument;
    for (uint32_t y; (y = atomic_fetch_add(&fold->row, 1)) < fold->height;)
        fold_row(fold, y);
    return NULL;
}

/* By this thread and others, as far as there can be such. */
static void fold_all(struct fold *fold, uint32_t threads)
{
    pthread_t made[MOST_THREADS];
    uint32_t count = 0;
    while (count + 1 < threads && count < MOST_THREADS && !lb_thread_make(&made[count], fold_rows, fold))
        count++;
    fold_rows(fold);
    while (count > 0)
        pthread_join(made[--count], NULL);
}

static bool find_positions(const lb_order *order, struct fold *fold)
{
    lb_order_walk walk;
    fold->positions = malloc((size_t)order->width * order->height * sizeof *fold->positions);
    lb_order_walk_begin(order, &walk);
    for (uint64_t at = 0; fold->positions && at < order->count; at++) {
        uint64_t pixel = lb_order_walk_pixel(&walk, at);
        if (pixel != LB_NO_PIXEL)
            fold->positions[pixel] = at;
    }
    return fold->positions != NULL;
}

enum lb_status lb_pass_fold(const lb_order *order, const lb_channels *channels, uint32_t threads,
                            struct lb_pass_result *result, struct lb_error *error)
{
    size_t pixels = (size_t)order->width * order->height;
    struct fold fold = {.from = result,
                        .channels = channels,
                        .width = order->width,
                        .height = order->height,
                        .left = lb_channels_folded(channels).count,
                        .pixels = lb_pages_calloc(pixels, sizeof *fold.pixels)};
    fold.sums = fold.left ? lb_pages_calloc(pixels, fold.left * sizeof *fold.sums) : NULL;
    bool ready = fold.pixels && (fold.sums || !fold.left) && find_positions(order, &fold);
    if (ready)
        fold_all(&fold, threads);
    free(fold.positions);
    free(ready ? (void *)result->pixels : fold.pixels);
    free(ready ? result->sums : fold.sums);
    if (!ready)
        return lb_error_memory(error, NULL);
    result->pixels = fold.pixels;
    result->sums = fold.sums;
    return LB_OK;
}
