#include "core/guiding/trial.h"

#include <stdlib.h>

/* One of so many pixels, those with the most noise, is left out. */
enum { FAR_OFF = 200 };
/* A pixel's brightness is that of the pixels around it, so many in each direction, as its own is mostly noise; and no
 * less than this part of the picture's. */
enum { AROUND = 2 };
static const double DARKEST = 0.1;

/* The variance of a led pixel's samples, and by how much more that would be without the guide, over the square of the
 * pixel's brightness. */
struct pixel_noise {
    double variance, more;
};

static bool is_led(const lb_film *film, uint32_t x, uint32_t y)
{
    return lb_guide_leads(LB_GUIDE_LEADS_SOME, x + film->x0, y + film->y0);
}

/* The mean of what a pixel and those around it have got. */
static double light_around(const lb_film *film, const lb_guide_tally *tallies, uint32_t x, uint32_t y)
{
    uint32_t left = x > AROUND ? x - AROUND : 0, top = y > AROUND ? y - AROUND : 0;
    double sum = 0, count = 0;
    for (uint32_t j = top; j <= y + AROUND && j < film->height; j++)
        for (uint32_t i = left; i <= x + AROUND && i < film->width; i++, count++)
            sum += (double)tallies[(size_t)j * film->width + i].light;
    return sum / count;
}

static double mean_light(const lb_film *film, const lb_guide_tally *tallies)
{
    size_t count = (size_t)film->width * film->height;
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += (double)tallies[i].light;
    return count > 0 ? sum / (double)count : 0;
}

/* All in light of all samples together, whose unit cancels. */
static struct pixel_noise noise_of(const lb_guide_tally *tally, double samples, double light)
{
    double unit = 0x1p30 / (double)(1u << LB_GUIDE_SQUARE_BITS), sum = (double)tally->light;
    double each = samples * unit / (light * light);
    return (struct pixel_noise){(each * (double)tally->square - sum * sum / (light * light)) *
                                    (samples / (samples - 1)),
                                each * (double)tally->more};
}

static int ascending(const void *one, const void *other)
{
    double a = ((const struct pixel_noise *)one)->variance, b = ((const struct pixel_noise *)other)->variance;
    return (a > b) - (a < b);
}

/* Puts the noise of the pixels that count into `noise`; returns their number. */
static size_t collect(const lb_film *film, const lb_guide_tally *tallies, uint32_t samples,
                      struct pixel_noise *noise)
{
    double least = DARKEST * mean_light(film, tallies);
    size_t count = 0;
    for (uint32_t y = 0; least > 0 && y < film->height; y++)
        for (uint32_t x = 0; x < film->width; x++) {
            size_t i = (size_t)y * film->width + x;
            if (!is_led(film, x, y))
                continue;
            double light = light_around(film, tallies, x, y);
            noise[count++] = noise_of(&tallies[i], samples, light > least ? light : least);
        }
    return count;
}

static double gain_of(struct pixel_noise *noise, size_t count)
{
    double variance = 0, more = 0;
    qsort(noise, count, sizeof *noise, ascending);
    count -= count / FAR_OFF;
    for (size_t i = 0; i < count; i++) {
        variance += noise[i].variance;
        more += noise[i].more;
    }
    return variance > 0 ? (variance + more) / variance : 1;
}

static double cost_of(const lb_film *film, const lb_guide_tally *tallies)
{
    double steps[2] = {0, 0}, pixels[2] = {0, 0};
    for (uint32_t y = 0; y < film->height; y++)
        for (uint32_t x = 0; x < film->width; x++) {
            bool led = is_led(film, x, y);
            steps[led] += (double)tallies[(size_t)y * film->width + x].steps;
            pixels[led]++;
        }
    return steps[0] > 0 && pixels[1] > 0 ? steps[1] / pixels[1] / (steps[0] / pixels[0]) : 1;
}

enum lb_status lb_guiding_judge(const lb_film *film, const lb_guide_tally *tallies, uint32_t samples,
                                struct lb_guiding_found *found, struct lb_error *error)
{
    struct pixel_noise *noise = calloc((size_t)film->width * film->height + 1, sizeof *noise);
    if (!noise)
        return lb_error_memory(error, NULL);
    size_t count = collect(film, tallies, samples, noise);
    *found = (struct lb_guiding_found){gain_of(noise, count), cost_of(film, tallies)};
    free(noise);
    return LB_OK;
}
