#include "core/run/pass/growth.h"

#include <math.h>

/* Pictures of fewer samples than these, some seconds of one CPU thread, are rendered in one pass. */
static const uint64_t MUCH = (uint64_t)1 << 22;
/* A pass gets no more samples than take this part of the time that is left, at the speed of the last pass. */
static const double MARGIN = 0.95;

static uint32_t least_of(uint64_t a, uint64_t b)
{
    return (uint32_t)(a < b ? a : b);
}

/* Of many samples a sixteenth, a quarter and all; of fewer an eighth and all. Coming to a pixel once more costs a few
 * hundred nanoseconds, most of them because its neighbourhood's part of the scene is no longer in the caches, which
 * must be less than a hundredth of what its samples cost (bench/results/parts.md). */
static uint32_t next_growing(const struct lb_grown *grown)
{
    uint64_t samples = grown->last - grown->first, done = grown->at - grown->first;
    uint64_t worth = grown->cheap ? samples / 4 : samples;
    if (samples * grown->pixels < MUCH || worth < 48)
        return grown->last;
    static const uint32_t three_passes[] = {16, 4, 1}, two_passes[] = {8, 1};
    const uint32_t *part = worth < 128 ? two_passes : three_passes;
    while (*part > 1 && samples / *part <= done)
        part++;
    return grown->first + (uint32_t)(samples / *part);
}

static uint32_t next_even(const struct lb_grown *grown, uint32_t passes)
{
    uint64_t samples = grown->last - grown->first, done = grown->at - grown->first;
    uint64_t count = passes == 0 ? 1 : passes < samples ? passes : samples, i = done * count / samples + 1;
    while (samples * i / count <= done)
        i++;
    return grown->first + (uint32_t)(samples * i / count);
}

/* How many samples more than `done` a noise needs, which falls by the root of their number, with a twentieth to
 * spare, as it is estimated; no fewer than a quarter, since a small pass tells little of the noise. */
static uint64_t lacking(double noise, double wanted, uint64_t done)
{
    double times = 1.05 * (noise / wanted) * (noise / wanted) - 1;
    return (uint64_t)((double)done * (times < 0.25 ? 0.25 : times < 1 ? times : 1)) + 1;
}

/* As many samples again as there are, or what is lacking: two halves to compare, and no long way to the next end. */
static uint32_t next_doubled(const struct lb_growth *growth, const struct lb_grown *grown)
{
    uint64_t done = grown->at - grown->first;
    if (done == 0)
        return least_of((uint64_t)grown->first + 1, grown->last);
    if (growth->noise > 0 && grown->noise >= 0 && grown->noise <= growth->noise)
        return grown->at;
    uint64_t more = done;
    if (growth->noise > 0 && grown->noise >= 0 && lacking(grown->noise, growth->noise, done) < more)
        more = lacking(grown->noise, growth->noise, done);
    if (growth->time_limit > 0) {
        double fit = MARGIN * (growth->time_limit - grown->seconds) / grown->a_sample;
        if (!(fit >= 1) || fit * 32 < (double)done) /* so few samples more are not worth a pass */
            return grown->at;
        more = fit < (double)more ? (uint64_t)fit : more;
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
