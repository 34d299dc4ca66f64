#include "core/picture/groups.h"

#include "core/base/color_space.h"
#include "core/picture/writer.h"

#include <math.h>
#include <string.h>

enum { MOST = 1 + LB_GROUPS_MOST };

/* Floats of this exponent (as frexp has it) and below are all multiples of their least one. */
enum { LEAST_EXPONENT = -125 };

void lb_groups_split(const double *parts, uint32_t count, float whole, float *values)
{
    int exponent;
    double sum = 0, told = 0;
    bool alone = !(whole > 0.0f) || isinf(whole); /* each is rounded for itself */
    uint32_t last = 0;
    for (uint32_t i = 0; i < count; i++) {
        alone = alone || parts[i] < 0;
        last = parts[i] > 0 ? i : last;
    }
    frexp((double)whole, &exponent);
    double unit = ldexp(1.0, (exponent > LEAST_EXPONENT ? exponent : LEAST_EXPONENT) - 24);
    for (uint32_t i = 0; i < count; i++) {
        values[i] = alone ? (float)parts[i] : 0.0f;
        if (alone || !(parts[i] > 0))
            continue;
        /* The sums so far are rounded, not the parts: so these add up, and none is below 0. */
        sum += parts[i];
        double until = (double)(int64_t)(sum / unit + 0.5) * unit;
        until = i == last || until > (double)whole ? (double)whole : until;
        values[i] = (float)(until - told);
        told = until;
    }
}

/* A pixel's parts as floats. `whole` is what they add up to. */
static void split_pixel(const struct lb_film_picture *picture, double matrix[3][3], size_t pixel,
                        const float whole[3], float *values)
{
    const lb_channels *channels = picture->channels;
    const int64_t *sums = picture->sums + pixel * channels->count + channels->first[LB_CHANNEL_GROUPS];
    double weight = (double)picture->pixels[pixel].weight, parts[3][MOST];
    float split[MOST];
    uint32_t count = 1 + channels->groups;
    for (uint32_t i = 0; i < count; i++) {
        double rgb[3];
        for (int c = 0; c < 3; c++)
            rgb[c] = weight != 0 ? (double)sums[3 * i + (uint32_t)c] / weight : 0;
        for (int c = 0; c < 3; c++)
            parts[c][i] =
                matrix ? matrix[c][0] * rgb[0] + matrix[c][1] * rgb[1] + matrix[c][2] * rgb[2] : rgb[c];
    }
    for (uint32_t c = 0; c < 3; c++) {
        lb_groups_split(parts[c], count, whole[c], split);
        for (uint32_t i = 0; i < count; i++)
            values[3 * i + c] = split[i];
    }
}

/* All pixels' parts; NULL: out of memory. */
static float *split_all(const struct lb_film_picture *picture, const struct lb_film_form *form,
                        struct lb_arena *own)
{
    struct lb_film_picture noisy = *picture;
    size_t count = lb_film_pixel_count(picture), each = 3 * (size_t)(1 + picture->channels->groups);
    double matrix[3][3];
    noisy.colors = NULL;
    bool other_space = picture->film->color_space != LB_COLOR_SRGB;
    float *values = lb_arena_alloc(own, count, each * sizeof *values);
    lb_color_space_from_srgb(picture->film->color_space, matrix);
    for (size_t i = 0; values && i < count; i++) {
        float alpha;
        lb_rgb c = lb_film_color(&noisy, form, i, &alpha);
        float whole[3] = {c.r, c.g, c.b};
        lb_film_take_to_space(picture->film->color_space, whole, 1);
        split_pixel(picture, other_space ? matrix : NULL, i, whole, values + i * each);
    }
    return values;
}

bool lb_groups_make(const struct lb_film_picture *picture, const struct lb_film_form *form,
                    struct lb_group_planes *planes)
{
    uint32_t count = 1 + picture->channels->groups;
    *planes = (struct lb_group_planes){.channel_count = 3 * (size_t)count};
    planes->channels = lb_arena_alloc(&planes->own, planes->channel_count, sizeof *planes->channels);
    const float *values = split_all(picture, form, &planes->own);
    const char *name = LB_GROUP_DEFAULT, *next = picture->list_texts[LB_LIST_GROUPS];
    if (!planes->channels || !values)
        return false;
    for (uint32_t i = 0; i < 3 * count; i++) {
        if (i > 0 && i % 3 == 0) {
            name = next;
            next += strlen(next) + 1;
        }
        char *text = lb_arena_format(&planes->own, "%s.%c", name, "RGB"[i % 3]);
        if (!text)
            return false;
        planes->channels[i] =
            (struct lb_exr_channel){text, LB_EXR_FLOAT, values + i, planes->channel_count * sizeof *values};
    }
    return true;
}

void lb_groups_free(struct lb_group_planes *planes)
{
    lb_arena_free(&planes->own);
    *planes = (struct lb_group_planes){.channels = NULL};
}
