#include "core/run/look.h"

#include "core/run/pass_picture.h"
#include "core/run/wish.h"

#include <stdlib.h>
#include <string.h>

struct lb_look *lb_look_open(uint32_t count)
{
    struct lb_look *look = calloc(1, sizeof *look);
    if (!look)
        return NULL;
    look->count = count;
    look->writing = calloc(count, sizeof *look->writing);
    pthread_mutex_init(&look->lock, NULL);
    pthread_mutex_init(&look->writing_lock, NULL);
    if (look->writing)
        return look;
    lb_look_close(look);
    return NULL;
}

void lb_look_close(struct lb_look *look)
{
    if (!look)
        return;
    pthread_mutex_destroy(&look->lock);
    pthread_mutex_destroy(&look->writing_lock);
    free(look->writing);
    free(look);
}

void lb_look_frame(struct lb_look *look, lb_film_pixel *const *pixels, const struct lb_held *held)
{
    if (!look)
        return;
    pthread_mutex_lock(&look->lock);
    look->pixels = pixels;
    look->held = held;
    pthread_mutex_unlock(&look->lock);
}

void lb_look_begin(struct lb_look *look, const struct lb_look_pass *pass)
{
    if (!look)
        return;
    pthread_mutex_lock(&look->lock);
    memset(look->writing, 0, look->count * sizeof *look->writing);
    look->pass = *pass;
    pthread_mutex_unlock(&look->lock);
}

void lb_look_end(struct lb_look *look)
{
    if (!look)
        return;
    pthread_mutex_lock(&look->lock);
    look->pass = (struct lb_look_pass){.order = NULL};
}

void lb_look_added(struct lb_look *look)
{
    if (look)
        pthread_mutex_unlock(&look->lock);
}

void lb_look_write(struct lb_look *look, uint32_t processor, struct lb_range piece)
{
    if (!look)
        return;
    pthread_mutex_lock(&look->writing_lock);
    look->writing[processor] = piece;
    pthread_mutex_unlock(&look->writing_lock);
}

void lb_look_forbid(struct lb_look *look)
{
    if (look)
        pthread_mutex_lock(&look->writing_lock);
}

void lb_look_allow(struct lb_look *look)
{
    if (look)
        pthread_mutex_unlock(&look->writing_lock);
}

/* ---- taking ---- */

/* So many positions are read at a time, for which no processor may begin a piece. */
enum { CHUNK = 1 << 13 };

static bool is_empty(const lb_film_pixel *pixel)
{
    return (pixel->sum[0] | pixel->sum[1] | pixel->sum[2] | pixel->weight) == 0;
}

/* Which of the positions from `begin` on are being written: a byte each. */
static void find_written(const struct lb_look *look, uint64_t begin, uint64_t end, uint8_t *written)
{
    memset(written, 0, (size_t)(end - begin));
    for (uint32_t i = 0; i < look->count; i++) {
        struct lb_range piece = look->writing[i];
        uint64_t from = piece.begin > begin ? piece.begin : begin, to = piece.end < end ? piece.end : end;
        if (from < to)
            memset(written + (from - begin), 1, (size_t)(to - from));
    }
}

/* What the pass delivered by now, in the picture's order. */
static void gather(struct lb_look *look, lb_film_pixel *picture)
{
    const struct lb_look_pass *pass = &look->pass;
    uint8_t written[CHUNK];
    for (uint64_t begin = 0, end; begin < pass->order->count; begin = end) {
        end = pass->order->count - begin < CHUNK ? pass->order->count : begin + CHUNK;
        pthread_mutex_lock(&look->writing_lock);
        find_written(look, begin, end, written);
        for (uint64_t at = begin; at < end; at++)
            if (!written[at - begin] && !is_empty(&pass->pixels[at]))
                picture[lb_order_pixel(pass->order, at)] = pass->pixels[at];
        pthread_mutex_unlock(&look->writing_lock);
    }
}

static enum lb_status take_frame(struct lb_look *look, struct lb_part *part, struct lb_error *error)
{
    if (!look->held)
        return LB_OK;
    lb_held_free(&part->held);
    enum lb_status status = lb_held_copy(look->held, &part->held, error);
    if (status != LB_OK || !*look->pixels)
        return status;
    part->pixels = malloc(part->held.count * sizeof *part->pixels);
    if (!part->pixels)
        return lb_error_memory(error, NULL);
    memcpy(part->pixels, *look->pixels, part->held.count * sizeof *part->pixels);
    return LB_OK;
}

static enum lb_status take_pass(struct lb_look *look, struct lb_part *part, struct lb_error *error)
{
    if (!look->pass.order || !look->held)
        return LB_OK;
    lb_film_pixel *picture = calloc(part->held.count, sizeof *picture);
    if (!picture)
        return lb_error_memory(error, NULL);
    gather(look, picture);
    enum lb_status status =
        lb_wish_hold(&part->held, NULL, picture, look->pass.sample_begin, look->pass.sample_end, error);
    if (part->pixels) {
        lb_pixels_add(part->pixels, picture, part->held.count);
        free(picture);
    } else {
        part->pixels = picture;
    }
    return status;
}

enum lb_status lb_look_take(struct lb_look *look, const struct lb_part_subject *subject, struct lb_part *part,
                            struct lb_error *error)
{
    enum lb_status status = lb_part_open(subject, part, error);
    pthread_mutex_lock(&look->lock);
    if (status == LB_OK)
        status = take_frame(look, part, error);
    if (status == LB_OK)
        status = take_pass(look, part, error);
    pthread_mutex_unlock(&look->lock);
    if (status != LB_OK)
        lb_part_free(part);
    return status;
}
