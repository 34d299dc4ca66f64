#include "core/run/growth.h"

#include <math.h>

/* Less than this (some seconds of one CPU thread) is done in one pass. */
static const uint64_t MUCH = (uint64_t)1 << 22;
/* A pass begins only where so much of the time that is left is enough for it, by the last one's speed. */
static const double MARGIN = 0.95;

static uint32_t least_of(uint64_t a, uint64_t b)
{
    return (uint32_t)(a < b ? a : b);
}

/* A sixteenth, a quarter, all. A pass costs some hundred instructions a pixel, which must be less than a hundredth
 * of what its samples cost (bench/results/parts.md): of few samples, or cheap ones, there are fewer passes, or one. */
static uint32_t next_growing(const struct lb_grown *grown)
{
    uint64_t samples = grown->last - grown->first, done = grown->at - grown->first;
    uint64_t worth = grown->cheap ? samples / 4 : samples;
    if (samples * grown->pixels < MUCH || worth < 8)
        return grown->last;
    for (uint64_t part = worth < 16 ? 4 : 16; part > 1; part /= 4)
        if (samples / part > done)
            return grown->first + (uint32_t)(samples / part);
    return grown->last;
}

static uint32_t next_even(const struct lb_grown *grown, uint32_t passes)
{
    uint64_t samples = grown->last - grown->first, done = grown->at - grown->first;
    uint64_t count = passes == 0 ? 1 : passes < samples ? passes : samples, i = done * count / samples + 1;
    while (samples * i / count <= done)
        i++;
    return grown->first + (uint32_t)(samples * i / count);
}

/* As many samples again as there are: two halves to compare, and no long way to the next end. */
static uint32_t next_doubled(const struct lb_growth *growth, const struct lb_grown *grown)
{
    uint64_t done = grown->at - grown->first;
    if (done == 0)
        return least_of((uint64_t)grown->first + 1, grown->last);
    if (growth->noise > 0 && grown->noise >= 0 && grown->noise <= growth->noise)
        return grown->at;
    uint64_t more = done;
    if (growth->time_limit > 0) {
        double fit = MARGIN * (growth->time_limit - grown->seconds) / grown->a_sample;
        if (!(fit >= 1) || fit * 32 < (double)done) /* a pass of its own for hardly any is not worth while */
            return grown->at;
        more = fit < (double)done ? (uint64_t)fit : done;
    }
    return least_of(grown->at + more, grown->last);
}

uint32_t lb_growth_next(const struct lb_growth *growth, const struct lb_grown *grown)
{
    if (grown->at >= grown->last)
        return grown->at;
    if (growth->time_limit > 0 || growth->noise > 0)
        return next_doubled(growth, grown);
    return growth->growing ? next_growing(grown) : next_even(grown, growth->passes);
}

static double grey(const lb_film_pixel *pixel)
{
    double sum = (double)pixel->sum[0] + (double)pixel->sum[1] + (double)pixel->sum[2];
    return sum / (double)pixel->weight;
}

double lb_noise_between(const lb_film_pixel *one, const lb_film_pixel *other, uint64_t count)
{
    double squares = 0, mean = 0;
    uint64_t both = 0;
    for (uint64_t i = 0; i < count; i++) {
        double a = (double)one[i].weight, b = (double)other[i].weight;
        if (!(a > 0 && b > 0))
            continue;
        double x = grey(&one[i]), y = grey(&other[i]);
        /* The difference has the variance s/a + s/b, the mean of all samples s/(a + b). */
        squares += (x - y) * (x - y) * a * b / ((a + b) * (a + b));
        mean += (a * x + b * y) / (a + b);
        both++;
    }
    return both > 0 && mean > 0 ? sqrt(squares / (double)both) / (mean / (double)both) : -1;
}
