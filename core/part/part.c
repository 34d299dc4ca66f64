#include "core/part/part.h"

#include "core/part/part_sums.h"
#include "core/scene/block/identity.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* More samples than these show no finer detail of textures (core/kernel/materials/footprint.h). */
enum { FINEST = 64 };

enum lb_status lb_part_subject_of(const lb_scene *scene, struct lb_part_subject *subject,
                                  struct lb_error *error)
{
    const lb_film *film = &scene->film;
    uint32_t samples = scene->integrator.samples;
    /* A single wavelength lies outside of the colours that red, green and blue make. */
    bool spectral = scene->quads.count != 0;
    bool negative = film->filter.kind == LB_FILTER_MITCHELL || film->filter.kind == LB_FILTER_SINC ||
                    film->has_sensor != 0 || spectral;
    bool any = scene->textures.count > 0 || (scene->channels.wanted >> LB_CHANNEL_DZ & 1) != 0;
    *subject = (struct lb_part_subject){.version = LB_VERSION,
                                        .width = film->width,
                                        .height = film->height,
                                        .x0 = film->x0,
                                        .y0 = film->y0,
                                        .full_width = film->full_width,
                                        .full_height = film->full_height,
                                        .samples = samples,
                                        .seed = scene->integrator.seed,
                                        .frame = scene->integrator.frame,
                                        .guided = scene->guide.paths,
                                        .detail = !any || samples > FINEST ? FINEST : samples,
                                        .plain = !negative,
                                        .spectral = spectral,
                                        .color_space = film->color_space,
                                        .channels = scene->channels,
                                        .reach = lb_sums_reach(scene)};
    const lb_array texts[LB_LISTS] = {scene->object_texts, scene->material_texts, scene->group_texts};
    for (uint32_t i = 0; i < LB_LISTS; i++) {
        subject->list_texts[i] = texts[i].count ? (const char *)scene + texts[i].offset : NULL;
        subject->list_bytes[i] = (size_t)texts[i].count;
    }
    return lb_scene_identity(scene, subject->identity, error);
}

enum lb_status lb_part_open(const struct lb_part_subject *subject, struct lb_part *part,
                            struct lb_error *error)
{
    *part = (struct lb_part){.subject = *subject};
    return lb_held_open(&part->held, (uint64_t)subject->width * subject->height, error);
}

void lb_part_free(struct lb_part *part)
{
    lb_held_free(&part->held);
    free(part->pixels);
    free(part->sums);
    free(part->target.squares);
    for (uint32_t i = 0; i < LB_LISTS; i++)
        free(part->own_texts[i]);
    *part = (struct lb_part){0};
}

/* ---- are they of one picture? ---- */

static enum lb_status differ(const char *name, const char *other_name, const char *what, const char *own,
                             const char *others, struct lb_error *error)
{
    return lb_error_set(error, LB_ERROR, "%.300s is not of the picture of %.300s: %s %s, not %s", name,
                        other_name, what, own, others);
}

/* Two numbers that may differ, each as WxH. */
static bool same_pair(const uint32_t own[2], const uint32_t others[2], const char *separator,
                      char text[2][32])
{
    snprintf(text[0], 32, "%u%s%u", own[0], separator, own[1]);
    snprintf(text[1], 32, "%u%s%u", others[0], separator, others[1]);
    return own[0] == others[0] && own[1] == others[1];
}

static bool same_number(uint32_t own, uint32_t other, char text[2][32])
{
    snprintf(text[0], 32, "%u", own);
    snprintf(text[1], 32, "%u", other);
    return own == other;
}

/* What a picture ends by: a noise, or its number of samples. */
static void say_end(const struct lb_part_subject *subject, char text[64])
{
    if (subject->noise > 0)
        snprintf(text, 64, "where the noise is %.9g %s", subject->noise,
                 subject->by_largest ? "in the noisiest pixel" : "in the mean");
    else
        snprintf(text, 64, "with its samples");
}

static bool same_end(const struct lb_part_subject *own, const struct lb_part_subject *other, char text[2][64])
{
    say_end(own, text[0]);
    say_end(other, text[1]);
    return !strcmp(text[0], text[1]);
}

static const char *lanes_of(const struct lb_part_subject *subject)
{
    return subject->spectral ? "wavelengths (--spectral)" : "red, green and blue";
}

enum lb_status lb_part_same(const struct lb_part_subject *subject, const char *name,
                            const struct lb_part_subject *other, const char *other_name,
                            struct lb_error *error)
{
    const struct lb_part_subject *a = subject, *b = other;
    char text[2][32], ends[2][64];
    if (strcmp(a->version, b->version) != 0)
        return differ(name, other_name, "it is of lbrender", a->version, b->version, error);
    if (!same_pair((uint32_t[]){a->width, a->height}, (uint32_t[]){b->width, b->height}, "x", text))
        return differ(name, other_name, "it is", text[0], text[1], error);
    if (!same_pair((uint32_t[]){a->full_width, a->full_height}, (uint32_t[]){b->full_width, b->full_height},
                   "x", text))
        return differ(name, other_name, "its film is", text[0], text[1], error);
    if (!same_pair((uint32_t[]){a->x0, a->y0}, (uint32_t[]){b->x0, b->y0}, ",", text))
        return differ(name, other_name, "its crop begins at", text[0], text[1], error);
    if (!same_number(a->seed, b->seed, text))
        return differ(name, other_name, "its seed is", text[0], text[1], error);
    if (!same_number(a->frame, b->frame, text))
        return differ(name, other_name, "it is of frame", text[0], text[1], error);
    if (a->spectral != b->spectral)
        return differ(name, other_name, "its light has", lanes_of(a), lanes_of(b), error);
    if (!same_number(a->guided, b->guided, text))
        return differ(name, other_name, "paths that its guide has learned from (--guiding) are", text[0],
                      text[1], error);
    if (strcmp(a->identity, b->identity) != 0)
        return differ(name, other_name, "its scene is", a->identity, b->identity, error);
    if (!a->mean != !b->mean)
        return lb_error_set(error, LB_ERROR, "%.300s is not of the picture of %.300s: it is %s", name,
                            other_name,
                            a->mean ? "adaptive, as that one is not" : "not adaptive, as that one is");
    if (!same_number(a->mean, b->mean, text))
        return differ(name, other_name, "its samples a pixel on average are", text[0], text[1], error);
    if (!same_end(a, b, ends))
        return differ(name, other_name, "it ends", ends[0], ends[1], error);
    if (!same_number(a->samples, b->samples, text))
        return differ(name, other_name, "its samples a pixel are", text[0], text[1], error);
    return lb_part_same_channels(a, name, b, other_name, error);
}

/* ---- joining ---- */

static void add_pixel(lb_film_pixel *sum, const lb_film_pixel *more)
{
    for (int c = 0; c < 3; c++)
        sum->sum[c] = (int64_t)((uint64_t)sum->sum[c] + (uint64_t)more->sum[c]);
    sum->weight = (int64_t)((uint64_t)sum->weight + (uint64_t)more->weight);
}

/* The set of both pixels' samples. Neighbours mostly have the same sets: the last ones are remembered. */
struct joined_sets {
    uint32_t own, others, joined;
};

static enum lb_status join_sets(struct lb_part *part, const struct lb_part *more, uint64_t pixel,
                                struct joined_sets *last, const char *name, struct lb_error *error)
{
    struct lb_held *held = &part->held;
    uint32_t own = lb_held_set(held, pixel), others = lb_held_set(&more->held, pixel), overlap;
    if (own == last->own && others == last->others)
        return LB_OK;
    const struct lb_sample_set *a = &held->sets[own], *b = &more->held.sets[others];
    enum lb_status status = lb_held_join(held, held->spans + a->first, a->count, more->held.spans + b->first,
                                         b->count, &last->joined, &overlap, error);
    last->own = own;
    last->others = others;
    if (status == LB_OK && overlap != UINT32_MAX)
        return lb_error_set(error, LB_ERROR, "%.500s: sample %u of pixel %u,%u is in another part too", name,
                            overlap, (uint32_t)(pixel % part->subject.width),
                            (uint32_t)(pixel / part->subject.width));
    return status;
}

enum lb_status lb_part_add(struct lb_part *part, const struct lb_part *more, const char *name,
                           struct lb_error *error)
{
    struct joined_sets last = {UINT32_MAX, UINT32_MAX, 0};
    if (part->subject.noise > 0)
        return lb_error_set(
            error, LB_ERROR,
            "%.500s: parts of a picture that ends by its noise do not join: each is all of it", name);
    if (!more->pixels)
        return LB_OK;
    if (!part->pixels)
        part->pixels = calloc(part->held.count, sizeof *part->pixels);
    size_t each = part->subject.channels.count;
    if (!part->sums && each)
        part->sums = calloc(part->held.count, each * sizeof *part->sums);
    if (!part->pixels || (each && !part->sums) || lb_held_spread(&part->held, error) != LB_OK)
        return lb_error_memory(error, name);
    for (uint64_t i = 0; i < part->held.count; i++) {
        if (lb_held_set(&more->held, i) == 0)
            continue;
        enum lb_status status = join_sets(part, more, i, &last, name, error);
        if (status != LB_OK)
            return status;
        part->held.pixels[i] = last.joined;
        add_pixel(&part->pixels[i], &more->pixels[i]);
        if (each)
            lb_sums_join(part->sums + i * each, more->sums + i * each, each);
    }
    return LB_OK;
}

/* ---- more samples ---- */

/* Was no sample of the pixel limited less than `bound` would? None is larger than the sum of all where none is
 * negative; colours outside of sRGB may be, hence the quarter. */
static bool bounded(const lb_film_pixel *pixel, double bound)
{
    for (int c = 0; c < 3; c++)
        if (pixel->sum[c] < 0 || (double)pixel->sum[c] > 0.25 * bound)
            return false;
    return pixel->weight >= 0 && (double)pixel->weight <= bound;
}

enum lb_status lb_part_extend(struct lb_part *part, const struct lb_part_subject *whole, const char *name,
                              uint64_t *dropped, struct lb_error *error)
{
    uint32_t before = part->subject.samples;
    double bound = lb_film_bound(whole->samples);
    size_t each = part->subject.channels.count;
    *dropped = 0;
    if (before >= whole->samples)
        return LB_OK;
    if (part->subject.detail != whole->detail)
        return lb_error_set(error, LB_ERROR,
                            "%.300s: %u samples a pixel show more detail of textures, and in dz, than its "
                            "%u, which cannot be "
                            "among them; --spp %u with --samples 0:%u could",
                            name, whole->samples, before, whole->samples, before);
    part->subject.samples = whole->samples;
    if (!part->pixels)
        return LB_OK;
    enum lb_status status = lb_held_spread(&part->held, error);
    for (uint64_t i = 0; status == LB_OK && i < part->held.count; i++)
        if (part->held.pixels[i] != 0 && !(part->subject.plain && bounded(&part->pixels[i], bound) &&
                                           lb_sums_bounded(part, i, bound, whole->reach))) {
            memset(&part->pixels[i], 0, sizeof part->pixels[i]);
            if (each)
                memset(part->sums + i * each, 0, each * sizeof *part->sums);
            part->held.pixels[i] = 0;
            ++*dropped;
        }
    return status;
}
