#include "core/run/adaptive.h"

#include "core/base/pages.h"
#include "core/run/noise_around.h"
#include "core/run/pass/pass_picture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Numbers of samples that pixels may get, in sixteenths of the mean: steps so small that rounding costs a hundredth of
 * what adaptive sampling gains, and not many more, as each is a pass. */
static const uint32_t LEVELS[LB_ADAPTIVE_LEVELS] = {4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128};
enum { SIXTEENTHS = 16 };
/* What every pixel's noise has added to it, as a part of the mean noise: so many samples are not spent on the noisiest
 * pixels alone, and where the rounds showed no noise there may be some. */
static const double DOUBT = 0.1;
/* Where the counts should bring less than this at equal cost, all pixels get the mean: many samples that are spread
 * evenly over a pixel err less beside few of them than the gain supposes, which takes them for unrelated. */
static const double LEAST_GAIN = 1.045;
/* The pixels that are furthest off, so many of all, do not count in gains. */
static const double TRIMMED = 0.001;

enum lb_status lb_adaptive_open(struct lb_adaptive *adaptive, uint32_t width, uint32_t height, uint32_t mean,
                                struct lb_error *error)
{
    *adaptive = (struct lb_adaptive){.width = width, .height = height, .mean = mean};
    adaptive->squares = lb_pages_calloc((size_t)width * height, sizeof *adaptive->squares);
    return adaptive->squares ? LB_OK : lb_error_memory(error, NULL);
}

void lb_adaptive_free(struct lb_adaptive *adaptive)
{
    free(adaptive->before);
    free(adaptive->squares);
    free(adaptive->counts);
    *adaptive = (struct lb_adaptive){.width = 0};
}

/* So many sixteenths of the mean. */
static uint32_t part_of(const struct lb_adaptive *adaptive, uint32_t sixteenths)
{
    return (uint32_t)((uint64_t)adaptive->mean * sixteenths / SIXTEENTHS);
}

uint32_t lb_adaptive_rounds_end(const struct lb_adaptive *adaptive)
{
    return part_of(adaptive, LEVELS[0]);
}

uint32_t lb_adaptive_next(const struct lb_adaptive *adaptive, uint32_t at)
{
    for (uint32_t i = 1; i <= LB_ADAPTIVE_ROUNDS; i++) {
        uint32_t end = part_of(adaptive, i * LEVELS[0] / LB_ADAPTIVE_ROUNDS);
        if (end > at)
            return end;
    }
    uint32_t next = UINT32_MAX;
    for (size_t i = 0; adaptive->counts && i < (size_t)adaptive->width * adaptive->height; i++)
        if (adaptive->counts[i] > at && adaptive->counts[i] < next)
            next = adaptive->counts[i];
    return next < UINT32_MAX ? next : at;
}

/* ---- what the rounds tell ---- */

enum lb_status lb_adaptive_begin_round(struct lb_adaptive *adaptive, const lb_film_pixel *pixels,
                                       struct lb_error *error)
{
    size_t size = (size_t)adaptive->width * adaptive->height * sizeof *pixels;
    if (!pixels)
        return LB_OK;
    if (!adaptive->before)
        adaptive->before = malloc(size);
    if (!adaptive->before)
        return lb_error_memory(error, NULL);
    memcpy(adaptive->before, pixels, size);
    return LB_OK;
}

void lb_adaptive_end_round(struct lb_adaptive *adaptive, const lb_film_pixel *pixels)
{
    uint64_t count = (uint64_t)adaptive->width * adaptive->height;
    for (uint64_t i = 0; adaptive->before && i < count; i++) {
        lb_film_pixel round = pixels[i];
        lb_pixels_subtract(&round, &adaptive->before[i], 1);
        adaptive->squares[i] += lb_pixels_differ(&adaptive->before[i], &round);
    }
}

/* ---- the budget ---- */

/* How many pixels have a worth of each size, or a noise: by its upper bits as a float, which are in its order. */
enum { BIN_BITS = 20, BINS = 1 << BIN_BITS };

static uint32_t bin_of(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits >> (31 - BIN_BITS);
}

/* The level of a pixel is the number of thresholds that its worth reaches. In the middle between two numbers of
 * samples, as their ratio counts, is the root of their product; `scale` is sixteenths per worth. */
static void set_thresholds(double scale, float thresholds[LB_ADAPTIVE_LEVELS - 1])
{
    for (int i = 0; i + 1 < LB_ADAPTIVE_LEVELS; i++)
        thresholds[i] = (float)(sqrt((double)LEVELS[i] * LEVELS[i + 1]) / scale);
}

/* The samples of all pixels; `above` has for each bin the number of pixels in it and in those above. */
static uint64_t samples_of(const struct lb_adaptive *adaptive, const uint32_t *above,
                           const float thresholds[LB_ADAPTIVE_LEVELS - 1])
{
    uint64_t samples = (uint64_t)above[0] * part_of(adaptive, LEVELS[0]);
    for (int i = 0; i + 1 < LB_ADAPTIVE_LEVELS; i++)
        samples += (uint64_t)above[bin_of(thresholds[i])] *
                   (part_of(adaptive, LEVELS[i + 1]) - part_of(adaptive, LEVELS[i]));
    return samples;
}

/* Finds the largest scale, to a thousandth of a thousandth, at which the samples are no more than there are. Thresholds
 * beyond all floats are cut off, as bins would be. */
static void find_thresholds(const struct lb_adaptive *adaptive, const uint32_t *above,
                            float thresholds[LB_ADAPTIVE_LEVELS - 1])
{
    uint64_t budget = (uint64_t)adaptive->width * adaptive->height * adaptive->mean;
    double low = 1e-30, high = 1e30;
    while (high > low * 1.000001) {
        double middle = sqrt(low * high);
        set_thresholds(middle, thresholds);
        if (samples_of(adaptive, above, thresholds) > budget)
            high = middle;
        else
            low = middle;
    }
    set_thresholds(low, thresholds);
}

/* By pixel, what samples are worth: noise over the root of what they cost. */
static bool give_counts(struct lb_adaptive *adaptive, const float *worth)
{
    size_t pixels = (size_t)adaptive->width * adaptive->height;
    uint32_t *above = calloc(BINS + 1, sizeof *above);
    float thresholds[LB_ADAPTIVE_LEVELS - 1];
    adaptive->counts = malloc(pixels * sizeof *adaptive->counts);
    if (!above || !adaptive->counts) {
        free(above);
        return false;
    }
    for (size_t i = 0; i < pixels; i++)
        above[bin_of(worth[i])]++;
    for (uint32_t i = BINS; i > 0; i--)
        above[i - 1] += above[i];
    find_thresholds(adaptive, above, thresholds);
    for (size_t i = 0; i < pixels; i++) {
        uint32_t level = 0;
        while (level + 1 < LB_ADAPTIVE_LEVELS && bin_of(worth[i]) >= bin_of(thresholds[level]))
            level++;
        adaptive->counts[i] = part_of(adaptive, LEVELS[level]);
    }
    free(above);
    return true;
}

/* A number in 0 .. 1 that is a pixel's own, the same in every run. */
static double own_number(uint64_t pixel)
{
    uint64_t x = (pixel + 1) * 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 32)) * 0xd6e8feb86659fd93u;
    return (double)((x ^ (x >> 32)) & 0xffffffffu) * 0x1p-32;
}

/* Adds to each noise a part of their mean. Each is changed by up to a tenth, so that no two are the same: of pixels
 * that are all alike some then get more samples and some fewer, in place of all too few. */
static void doubt(float *noise, size_t pixels)
{
    double sum = 0;
    for (size_t i = 0; i < pixels; i++)
        sum += (double)noise[i];
    float more = (float)(DOUBT * sum / (double)pixels + 1e-15);
    for (size_t i = 0; i < pixels; i++)
        noise[i] = (noise[i] + more) * (float)(0.9 + 0.2 * own_number(i));
}

/* The variance above which so many of the pixels have theirs. */
static float find_trim(const float *variance, size_t pixels, uint32_t *above)
{
    uint32_t bin = BINS;
    memset(above, 0, (BINS + 1) * sizeof *above);
    for (size_t i = 0; i < pixels; i++)
        above[bin_of(variance[i])]++;
    for (size_t sum = 0; bin > 0 && (double)(sum + above[bin - 1]) <= TRIMMED * (double)pixels; bin--)
        sum += above[bin - 1];
    uint32_t bits = bin << (31 - BIN_BITS);
    float trim;
    memcpy(&trim, &bits, sizeof trim);
    return bin < BINS ? trim : INFINITY;
}

/* How many times the cost even samples take to leave the noise that the counts leave, by the variance and cost of
 * each pixel's own samples. A pixel's count does not depend on these, so that this is not what the noisy ones seem to
 * gain by chance. */
static double find_gain(const struct lb_adaptive *adaptive, const float *variance,
                        const struct lb_scattered *scattered, float trim)
{
    double even = 0, ours = 0, even_cost = 0, our_cost = 0;
    for (size_t i = 0; i < (size_t)adaptive->width * adaptive->height; i++) {
        double cost = (double)lb_sample_cost(scattered, i, lb_adaptive_rounds_end(adaptive));
        even_cost += cost * adaptive->mean;
        our_cost += cost * adaptive->counts[i];
        if (variance[i] < trim) {
            even += (double)variance[i] / adaptive->mean;
            ours += (double)variance[i] / adaptive->counts[i];
        }
    }
    return ours > 0 ? even * even_cost / (ours * our_cost) : 1;
}

static bool give_mean_where_better(struct lb_adaptive *adaptive, const float *variance,
                                   const struct lb_scattered *scattered)
{
    size_t pixels = (size_t)adaptive->width * adaptive->height;
    uint32_t *above = calloc(BINS + 1, sizeof *above);
    if (!above)
        return false;
    double gain = find_gain(adaptive, variance, scattered, find_trim(variance, pixels, above));
    free(above);
    for (size_t i = 0; i < pixels && gain < LEAST_GAIN; i++)
        adaptive->counts[i] = adaptive->mean;
    return true;
}

enum lb_status lb_adaptive_decide(struct lb_adaptive *adaptive, const lb_film_pixel *pixels,
                                  const struct lb_scattered *scattered, struct lb_error *error)
{
    uint32_t width = adaptive->width, height = adaptive->height;
    size_t count = (size_t)width * height;
    float *noise = malloc(count * sizeof *noise), *own = malloc(count * sizeof *own);
    bool made = noise && own && lb_noise_around(width, height, pixels, adaptive->squares, noise, own);
    if (made) {
        doubt(noise, count);
        float *worth = noise;
        made = lb_worth_of_samples(width, height, scattered, NULL, lb_adaptive_rounds_end(adaptive), noise,
                                   worth) &&
               give_counts(adaptive, worth) && give_mean_where_better(adaptive, own, scattered);
    }
    free(noise);
    free(own);
    free(adaptive->before);
    adaptive->before = NULL;
    return made ? LB_OK : lb_error_memory(error, NULL);
}

uint64_t *lb_adaptive_left_out(const struct lb_adaptive *adaptive, uint32_t end, uint64_t *due)
{
    uint64_t count = (uint64_t)adaptive->width * adaptive->height;
    uint64_t *bits = calloc((count + 63) / 64, sizeof *bits);
    *due = count;
    for (uint64_t i = 0; bits && i < count; i++)
        if (adaptive->counts[i] < end) {
            bits[i / 64] |= (uint64_t)1 << i % 64;
            --*due;
        }
    return bits;
}
