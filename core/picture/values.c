/* What the film holds of each pixel, as files want it. */
#include "core/picture/picture.h"

#include "core/base/color_space.h"
#include "core/base/crc32c.h"
#include "core/kernel/film/around.h"
#include "core/picture/writer.h"

#include <stdlib.h>
#include <string.h>

size_t lb_film_pixel_count(const struct lb_film_picture *picture)
{
    return (size_t)picture->film->width * picture->film->height;
}

static const int64_t *sums_of(const struct lb_film_picture *picture, size_t pixel)
{
    return picture->sums ? picture->sums + pixel * picture->channels->count : NULL;
}

/* The pixel's own light and what it has of the samples around. */
static lb_film_pixel pixel_of(const struct lb_film_picture *picture, size_t pixel)
{
    return lb_around_gather(picture->pixels, picture->channels, picture->sums, NULL, picture->film->width,
                            picture->film->height, pixel);
}

lb_rgb lb_film_color(const struct lb_film_picture *picture, const struct lb_film_form *form, size_t pixel,
                     float *alpha)
{
    *alpha = 1.0f;
    lb_film_pixel whole = pixel_of(picture, pixel);
    lb_rgb c = form->transparent && picture->sums
                   ? lb_output_cut_out(picture->channels, &whole, sums_of(picture, pixel), alpha)
                   : lb_film_rgb(&whole);
    const float *instead = picture->colors ? picture->colors + 3 * pixel : NULL;
    return instead && *alpha > 0.0f ? lb_rgb_make(instead[0], instead[1], instead[2]) : c;
}

float *lb_film_colors(const struct lb_film_picture *picture, const struct lb_film_form *form)
{
    size_t count = lb_film_pixel_count(picture);
    float *floats = malloc(count * 3 * sizeof *floats), alpha;
    for (size_t i = 0; floats && i < count; i++) {
        lb_rgb c = lb_film_color(picture, form, i, &alpha);
        floats[3 * i] = c.r;
        floats[3 * i + 1] = c.g;
        floats[3 * i + 2] = c.b;
    }
    return floats;
}

void lb_film_take_to_space(uint32_t space, float *rgb, size_t count)
{
    double m[3][3];
    if (space == LB_COLOR_SRGB)
        return;
    lb_color_space_from_srgb(space, m);
    for (size_t i = 0; i < 3 * count; i += 3) {
        double r = (double)rgb[i], g = (double)rgb[i + 1], b = (double)rgb[i + 2];
        for (size_t c = 0; c < 3; c++)
            rgb[i + c] = (float)(m[c][0] * r + m[c][1] * g + m[c][2] * b);
    }
}

void *lb_film_values(const struct lb_film_picture *picture, enum lb_output output)
{
    size_t count = lb_film_pixel_count(picture), each = lb_output_count(output, picture->channels);
    void *values = malloc(count * each * sizeof(float));
    float *floats = values, none[3];
    uint32_t *numbers = values;
    for (size_t i = 0; values && i < count; i++) {
        bool whole = lb_outputs[output].whole;
        uint32_t number = 0;
        lb_output_values(output, picture->channels, &picture->pixels[i], sums_of(picture, i),
                         whole ? none : floats + i * each, &number);
        if (whole)
            numbers[i] = number;
    }
    return values;
}

uint32_t lb_film_sum_floats(const struct lb_film_picture *picture, const float *rgb)
{
    return lb_crc32c(0, rgb, lb_film_pixel_count(picture) * 3 * sizeof *rgb);
}
