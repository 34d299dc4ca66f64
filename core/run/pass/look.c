#include "core/run/pass/look.h"

#include "core/run/pass/pass_picture.h"
#include "core/run/pass/wish.h"

#include <stdlib.h>
#include <string.h>

struct lb_look *lb_look_open(uint32_t count)
{
    struct lb_look *look = calloc(1, sizeof *look);
    if (!look)
        return NULL;
    look->count = count * LB_PIECES_IN_HAND;
    look->writing = calloc(look->count, sizeof *look->writing);
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
    free(look->changed);
    free(look);
}

bool lb_look_grow(struct lb_look *look, uint32_t count)
{
    if (!look)
        return true;
    pthread_mutex_lock(&look->lock);
    pthread_mutex_lock(&look->writing_lock);
    struct lb_range *writing = reallocarray(look->writing, count, LB_PIECES_IN_HAND * sizeof *writing);
    if (writing) {
        look->writing = writing;
        look->count = count * LB_PIECES_IN_HAND;
        memset(writing, 0, look->count * sizeof *writing);
    }
    pthread_mutex_unlock(&look->writing_lock);
    pthread_mutex_unlock(&look->lock);
    return writing != NULL;
}

void lb_look_frame(struct lb_look *look, const struct lb_look_frame *frame)
{
    if (!look)
        return;
    pthread_mutex_lock(&look->lock);
    look->frame = frame ? *frame : (struct lb_look_frame){.held = NULL};
    pthread_mutex_unlock(&look->lock);
}

/* Positions of a stretch, which is shown at a time. */
enum { STRETCH = 1 << 11 };

/* Without the memory for it nothing is shown of the pass. */
static void begin_changes(struct lb_look *look)
{
    size_t count = (size_t)(lb_order_block(*look->pass.order).count / STRETCH + 1);
    uint8_t *changed = realloc(look->changed, count);
    look->changed = changed ? changed : look->changed;
    look->changed_count = changed ? count : 0;
    look->old_shown = 0;
    if (changed)
        memset(changed, 0, count);
    atomic_store(&look->leaving, false);
}

/* Pieces lie in one block of samples. */
static void note_change(struct lb_look *look, struct lb_range piece)
{
    if (piece.begin >= piece.end || !look->changed_count)
        return;
    uint64_t block = lb_order_block(*look->pass.order).count;
    uint64_t begin = piece.begin % block, end = begin + (piece.end - piece.begin);
    for (uint64_t at = begin / STRETCH; at <= (end - 1) / STRETCH && at < look->changed_count; at++)
        look->changed[at] = 1;
}

void lb_look_begin(struct lb_look *look, const struct lb_look_pass *pass)
{
    if (!look)
        return;
    pthread_mutex_lock(&look->lock);
    memset(look->writing, 0, look->count * sizeof *look->writing);
    look->pass = *pass;
    begin_changes(look);
    pthread_mutex_unlock(&look->lock);
}

void lb_look_end(struct lb_look *look)
{
    if (!look)
        return;
    atomic_store(&look->leaving, true);
    pthread_mutex_lock(&look->lock);
    look->pass = (struct lb_look_pass){.order = NULL};
}

void lb_look_added(struct lb_look *look)
{
    if (look)
        pthread_mutex_unlock(&look->lock);
}

void lb_look_write(struct lb_look *look, uint32_t processor, uint32_t slot, struct lb_range piece)
{
    if (!look)
        return;
    pthread_mutex_lock(&look->writing_lock);
    struct lb_range *writing = &look->writing[processor * LB_PIECES_IN_HAND + slot];
    note_change(look, *writing);
    *writing = piece;
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

/* So many positions are read at a time. Meanwhile no processor may begin a piece. */
enum { CHUNK = 1 << 13 };

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

/* What the pass delivered by now, in the picture's order; of channels, `each` sums a pixel. */
static void gather(struct lb_look *look, lb_film_pixel *picture, int64_t *sums, size_t each)
{
    const struct lb_look_pass *pass = &look->pass;
    uint8_t written[CHUNK];
    for (uint64_t begin = 0, end; begin < pass->order->count; begin = end) {
        end = pass->order->count - begin < CHUNK ? pass->order->count : begin + CHUNK;
        pthread_mutex_lock(&look->writing_lock);
        find_written(look, begin, end, written);
        for (uint64_t at = begin; at < end; at++)
            if (!written[at - begin] && !lb_pixel_is_empty(&pass->pixels[at])) {
                uint64_t pixel = lb_order_pixel(pass->order, at);
                picture[pixel] = pass->pixels[at];
                if (sums)
                    memcpy(sums + pixel * each, pass->sums + at * each, each * sizeof *sums);
            }
        pthread_mutex_unlock(&look->writing_lock);
    }
}

/* ---- showing ---- */

/* Adds what a block of samples delivered of the stretch from `begin` on of the order of whole pixels. */
static void add_block(struct lb_look *look, uint64_t offset, uint64_t begin, uint64_t end,
                      lb_film_pixel sums[STRETCH])
{
    uint8_t written[STRETCH];
    pthread_mutex_lock(&look->writing_lock);
    find_written(look, offset + begin, offset + end, written);
    const lb_film_pixel *pixels = look->pass.pixels + offset;
    for (uint64_t at = begin; at < end; at++)
        if (!written[at - begin])
            lb_pixels_add(&sums[at - begin], &pixels[at], 1);
    pthread_mutex_unlock(&look->writing_lock);
}

/* Of the pass, which the order's end may not know yet, only what was delivered. */
static void show_stretch(struct lb_look *look, const lb_order *whole, uint64_t begin, lb_look_show *show,
                         void *user)
{
    lb_film_pixel sums[STRETCH] = {0};
    uint64_t end = whole->count - begin < STRETCH ? whole->count : begin + STRETCH;
    for (uint64_t offset = 0; offset < look->pass.order->count; offset += whole->count)
        add_block(look, offset, begin, end, sums);
    for (uint64_t at = begin; at < end; at++) {
        lb_film_pixel *sum = &sums[at - begin];
        if (lb_pixel_is_empty(sum))
            continue;
        uint64_t pixel = lb_order_pixel(whole, at);
        if (*look->frame.pixels)
            lb_pixels_add(sum, &(*look->frame.pixels)[pixel], 1);
        if (sum->weight != 0)
            show(user, pixel, lb_film_rgb(sum));
    }
}

/* Shows some of what earlier passes left. False: that is shown already. */
static bool show_old(struct lb_look *look, lb_look_show *show, void *user)
{
    uint64_t count = (uint64_t)look->pass.order->width * look->pass.order->height;
    if (!*look->frame.pixels || look->old_shown >= count)
        return false;
    uint64_t end = count - look->old_shown < STRETCH ? count : look->old_shown + STRETCH;
    for (uint64_t pixel = look->old_shown; pixel < end; pixel++)
        if ((*look->frame.pixels)[pixel].weight != 0)
            show(user, pixel, lb_film_rgb(&(*look->frame.pixels)[pixel]));
    look->old_shown = end;
    return true;
}

/* What is delivered while a stretch is shown marks it anew. */
static bool take_change(struct lb_look *look, size_t stretch)
{
    pthread_mutex_lock(&look->writing_lock);
    bool changed = look->changed[stretch] != 0;
    look->changed[stretch] = 0;
    pthread_mutex_unlock(&look->writing_lock);
    return changed;
}

/* The next stretch from `*next` on that changed. False: there is none. */
static bool show_next(struct lb_look *look, size_t *next, lb_look_show *show, void *user)
{
    lb_order whole = lb_order_block(*look->pass.order);
    while (*next < look->changed_count && !take_change(look, *next))
        ++*next;
    if (*next * STRETCH >= whole.count || *next >= look->changed_count)
        return false;
    show_stretch(look, &whole, *next * STRETCH, show, user);
    ++*next;
    return true;
}

/* The lock is let go again and again, so that the pass's end waits for no more than a stretch. */
void lb_look_changes(struct lb_look *look, lb_look_show *show, void *user)
{
    bool more = true;
    for (size_t next = 0; more;) {
        pthread_mutex_lock(&look->lock);
        more = look->pass.order && look->frame.pixels && !atomic_load(&look->leaving) &&
               (show_old(look, show, user) || show_next(look, &next, show, user));
        pthread_mutex_unlock(&look->lock);
    }
}

/* ---- taking all of it ---- */

/* How far the frame is to its noise, which what the pass delivers will have told more of. */
static enum lb_status take_target(const struct lb_look *look, struct lb_part *part, struct lb_error *error)
{
    const struct lb_part_target *target = look->frame.target;
    size_t squares = part->held.count * sizeof *target->squares;
    if (!target || !target->squares)
        return LB_OK;
    part->target = *target;
    part->target.squares = malloc(squares);
    if (!part->target.squares)
        return lb_error_memory(error, NULL);
    memcpy(part->target.squares, target->squares, squares);
    return LB_OK;
}

static enum lb_status take_frame(struct lb_look *look, struct lb_part *part, struct lb_error *error)
{
    if (!look->frame.held)
        return LB_OK;
    lb_held_free(&part->held);
    enum lb_status status = lb_held_copy(look->frame.held, &part->held, error);
    if (status == LB_OK)
        status = take_target(look, part, error);
    if (status != LB_OK || !*look->frame.pixels)
        return status;
    size_t pixels = part->held.count * sizeof *part->pixels;
    size_t sums = part->held.count * part->subject.channels.count * sizeof *part->sums;
    part->pixels = malloc(pixels);
    part->sums = sums ? malloc(sums) : NULL;
    if (!part->pixels || (sums && !part->sums))
        return lb_error_memory(error, NULL);
    memcpy(part->pixels, *look->frame.pixels, pixels);
    if (sums)
        memcpy(part->sums, *look->frame.sums, sums);
    return LB_OK;
}

static enum lb_status take_pass(struct lb_look *look, struct lb_part *part, struct lb_error *error)
{
    if (!look->pass.order || !look->frame.held)
        return LB_OK;
    size_t each = part->subject.channels.count;
    lb_film_pixel *picture = calloc(part->held.count, sizeof *picture);
    int64_t *sums = each ? calloc(part->held.count, each * sizeof *sums) : NULL;
    if (!picture || (each && !sums)) {
        free(picture);
        free(sums);
        return lb_error_memory(error, NULL);
    }
    gather(look, picture, sums, each);
    enum lb_status status =
        lb_wish_hold(&part->held, NULL, picture, look->pass.sample_begin, look->pass.sample_end, error);
    if (part->target.squares && part->pixels)
        lb_squares_learn(part->target.squares, part->pixels, picture,
                         look->pass.sample_end - look->pass.sample_begin, part->held.count);
    if (part->pixels) {
        lb_pixels_add(part->pixels, picture, part->held.count);
        if (sums)
            lb_sums_add(part->sums, sums, part->held.count * each);
        free(picture);
        free(sums);
    } else {
        part->pixels = picture;
        part->sums = sums;
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
