/* Where a kernel that is compiled for path guiding differs from one that is not. Paths of kernels with LB_LED choose
 * directions by the scene's guide. Those of kernels with LB_GUIDED choose them by any guide, and keep a trail of what
 * they have chosen, of which it learns when the path has ended. Kernels with neither have not an instruction more. */
#ifndef LB_CORE_KERNEL_GUIDING_TRAIL_H
#define LB_CORE_KERNEL_GUIDING_TRAIL_H

#include "core/kernel/counters.h"
#include "core/kernel/film/film.h"
#include "core/kernel/guiding/led.h"

#ifdef LB_GUIDED

/* No more directions of a path are learned of. */
#define LB_TRAIL_MOST 24u
/* What a direction has brought is added in units of 2^8 (lb_film_fixed). */
#define LB_TRAIL_UNIT 0x1p-8f
/* More than this, of what the film keeps, is learned of no direction, so that rare bright paths do not lead many. */
#define LB_TRAIL_BRIGHTEST 10.0f

/* A direction that was drawn. */
typedef struct lb_trail_step {
    uint32_t cell;
    uint32_t bin;     /* LB_NONE: it was specular */
    float throughput; /* the path's before it was scattered, summed over its lanes */
    float before;     /* its radiance before it went that way, summed as well */
    /* The density with which the material draws it, and that of the cell, over that with which it was drawn. Both are 0
     * where the cell does not draw yet. */
    float scattering, guiding;
} lb_trail_step;

typedef struct lb_trail {
    const lb_guide *guide;
    uint32_t number;       /* of the cell of the path's present vertex, or LB_NONE */
    uint32_t count;        /* of steps */
    uint32_t drawn;        /* vertices that drew by their cell */
    float seen;            /* the radiance of lights that the camera sees, summed over its lanes */
    uint64_t steps_before; /* lb_counters_steps when the path began */
    bool led;              /* by the guide, which only learns of it otherwise */
    bool under_way;        /* to what the path meets in the direction of the last one */
    lb_trail_step steps[LB_TRAIL_MOST];
} lb_trail;

#define LB_TRAIL_MEMBER(declaration) declaration;

/* A path has seen nothing yet. */
LB_INLINE void lb_trail_forget(lb_trail *trail)
{
    trail->count = 0;
    trail->seen = 0.0f;
    trail->under_way = false;
}

/* A path begins in pixel (x, y) of the film. */
LB_INLINE void lb_trail_start(lb_trail *trail, const lb_guide *guide, uint32_t x, uint32_t y,
                              const lb_counters *counters)
{
    trail->guide = guide;
    trail->led = lb_guide_leads(guide->leads, x, y);
    trail->drawn = 0;
    trail->steps_before = lb_counters_steps(counters, 0);
    lb_trail_forget(trail);
}

/* The path has come to a vertex; so many have scattered it before. */
LB_INLINE void lb_trail_enter(lb_trail *trail, uint32_t depth, lb_color radiance, lb_bsdf *bsdf,
                              lb_vec3 point)
{
    if (depth == 0)
        trail->seen = lb_color_sum(radiance);
    trail->number = lb_led_number(trail->guide, bsdf, point);
    lb_led_set(trail->guide, trail->led ? trail->number : LB_NONE, bsdf);
    trail->drawn += lb_led_cell(bsdf) != NULL ? 1u : 0u;
}

/* Has the processor fetch what is added to once the path has ended. */
LB_INLINE void lb_trail_fetch(const lb_guide_sums *sums, uint32_t bin)
{
#ifdef __CUDA_ARCH__
    (void)sums, (void)bin;
#else
    __builtin_prefetch(sums, 1);
    if (bin != LB_NONE)
        __builtin_prefetch(&sums->bins[bin], 1);
#endif
}

/* Notes a direction, which counts once lb_trail_keep() was called. */
LB_INLINE void lb_trail_note(lb_trail *trail, const lb_scatter *scatter, lb_color throughput,
                             float scattering, float guiding)
{
    if (trail->number == LB_NONE || trail->count >= LB_TRAIL_MOST || trail->guide->sums == NULL)
        return;
    lb_trail_step *step = &trail->steps[trail->count];
    float stretch;
    lb_vec2 place = lb_guide_square(scatter->direction, &stretch);
    step->cell = trail->number;
    step->bin = scatter->pdf > 0.0f ? lb_guide_bin(place) : LB_NONE;
    lb_trail_fetch(trail->guide->sums + step->cell, step->bin);
    step->throughput = lb_color_sum(throughput);
    step->scattering = scattering;
    step->guiding = guiding;
}

/* As lb_led_scatter, which is noted. */
LB_INLINE bool lb_trail_scatter(lb_trail *trail, const lb_bsdf *bsdf, float lobe, lb_vec2 u,
                                lb_color throughput, lb_scatter *scatter)
{
    float scattering, guiding;
    if (!lb_led_scatter(bsdf, lobe, u, scatter, &scattering, &guiding))
        return false;
    lb_trail_note(trail, scatter, throughput, scattering, guiding);
    return true;
}

/* The path goes on in the direction that was noted last. */
LB_INLINE void lb_trail_keep(lb_trail *trail)
{
    trail->under_way = trail->number != LB_NONE && trail->count < LB_TRAIL_MOST && trail->guide->sums != NULL;
    if (trail->under_way)
        trail->count++;
}

/* The path comes to what it meets in the direction that was noted last: all the light that it gets from here on comes
 * from there. */
LB_INLINE void lb_trail_arrive(lb_trail *trail, lb_color radiance)
{
    if (trail->under_way)
        trail->steps[trail->count - 1].before = lb_color_sum(radiance);
    trail->under_way = false;
}

LB_INLINE void lb_trail_add(int64_t *sum, int64_t value)
{
#ifdef __CUDA_ARCH__
    atomicAdd((unsigned long long *)sum, (unsigned long long)value);
#else
    __atomic_fetch_add(sum, value, __ATOMIC_RELAXED);
#endif
}

/* What a guided direction has brought tells how noisy a probability, number i, would be. */
LB_INLINE void lb_trail_weigh(const lb_trail_step *step, const lb_guide *guide, lb_guide_sums *sums,
                              float square, uint32_t i)
{
    float chance = lb_guide_chance(i), with = chance * step->scattering + (1.0f - chance) * step->guiding;
    if (with > 0.0f)
        lb_trail_add(&sums->chances[i], lb_film_fixed((double)(square / with), guide->bound));
}

/* By how much more the square of a path's light would be on average, had the guide not led it: the sum of what it would
 * be more had one of its directions been drawn by the material alone. Of that direction g comes, and it was drawn w
 * times as often as the material draws it. Then the material alone gets g w in place of g, 1 / w times as often: g^2 w
 * in place of g^2, and as much of the product with all other light. */
LB_INLINE float lb_trail_more(const lb_trail *trail, float end, float scale)
{
    float more = 0.0f;
    for (uint32_t i = 0; i < trail->count; i++) {
        const lb_trail_step *step = &trail->steps[i];
        float brought = (end - step->before) * scale;
        if (step->scattering > 0.0f && brought > 0.0f)
            more += (1.0f / step->scattering - 1.0f) * brought * brought;
    }
    return more;
}

/* Adds a path that has ended to the tally of its pixel, where there is a trial. Lights that the camera sees do not
 * count, as no guide changes their noise. */
LB_FUNCTION void lb_trail_tally(const lb_trail *trail, uint32_t depth, lb_color radiance, uint64_t pixel,
                                const lb_counters *counters)
{
    const lb_guide *guide = trail->guide;
    if (guide->tallies == NULL)
        return;
    lb_guide_tally *tally = guide->tallies + pixel;
    float end = lb_color_sum(radiance), light = (end - trail->seen) * guide->scale, scale = guide->scale;
    const float unit = (float)(1u << LB_GUIDE_SQUARE_BITS);
    uint64_t steps = lb_counters_steps(counters, 1) - trail->steps_before;
    lb_trail_add(&tally->steps, (int64_t)(steps + LB_GUIDE_STEPS * trail->drawn));
    if (depth == 0 || !(light > 0.0f))
        return;
    if (light > guide->brightest) {
        scale *= guide->brightest / light;
        light = guide->brightest;
    }
    lb_trail_add(&tally->light, lb_film_fixed((double)light, guide->tallied));
    lb_trail_add(&tally->square, lb_film_fixed((double)(light * light * unit), guide->tallied));
    lb_trail_add(&tally->more,
                 lb_film_fixed((double)(lb_trail_more(trail, end, scale) * unit), guide->tallied));
}

/* Has the guide learn of a path that has ended with this radiance. What a direction has brought, over the density with
 * which it was drawn, is on average the integral over the bin. Each step tells of one of the probabilities alone, as
 * adding to sums takes most of the time of learning; `number` is to differ from path to path. */
LB_FUNCTION void lb_trail_learn(const lb_trail *trail, lb_color radiance, uint32_t number)
{
    const lb_guide *guide = trail->guide;
    float end = lb_color_sum(radiance);
    for (uint32_t i = 0; i < trail->count; i++) {
        const lb_trail_step *step = &trail->steps[i];
        lb_guide_sums *sums = guide->sums + step->cell;
        /* In this order, what is no number is learned of no more than what is dark. */
        float brought = lb_min(LB_TRAIL_BRIGHTEST, (end - step->before) / step->throughput * guide->scale);
        lb_trail_add(&sums->count, 1);
        if (!(brought > 0.0f))
            continue;
        if (step->bin != LB_NONE)
            lb_trail_add(&sums->bins[step->bin],
                         lb_film_fixed((double)(brought * LB_TRAIL_UNIT), guide->bound));
        if (step->scattering > 0.0f || step->guiding > 0.0f)
            lb_trail_weigh(step, guide, sums, brought * brought * LB_TRAIL_UNIT,
                           (number + i) % LB_GUIDE_CHANCES);
    }
}

#define LB_TRAIL_START(path, guide_, x, y, counters) lb_trail_start(&(path)->trail, guide_, x, y, counters)
#define LB_TRAIL_ENTER(scene, path, bsdf, point)                                                             \
    lb_trail_enter(&(path)->trail, (path)->depth, (path)->radiance, bsdf, point)
#define LB_TRAIL_SCATTER(path, bsdf, lobe, u, scatter)                                                       \
    lb_trail_scatter(&(path)->trail, bsdf, lobe, u, (path)->throughput, scatter)
#define LB_TRAIL_KEEP(path)          lb_trail_keep(&(path)->trail)
#define LB_TRAIL_ARRIVE(path)        lb_trail_arrive(&(path)->trail, (path)->radiance)
#define LB_TRAIL_FORGET(path)        lb_trail_forget(&(path)->trail)
#define LB_TRAIL_LEARN(path, number) lb_trail_learn(&(path)->trail, (path)->radiance, number)
#define LB_TRAIL_TALLY(path, pixel, counters)                                                                \
    lb_trail_tally(&(path)->trail, (path)->depth, (path)->radiance, pixel, counters)

#else

#ifdef LB_LED
#define LB_TRAIL_ENTER(scene, path, bsdf, point)       lb_led_enter(scene, bsdf, point)
#define LB_TRAIL_SCATTER(path, bsdf, lobe, u, scatter) lb_led_scatter(bsdf, lobe, u, scatter, NULL, NULL)
#else
#define LB_TRAIL_ENTER(scene, path, bsdf, point)       ((void)0)
#define LB_TRAIL_SCATTER(path, bsdf, lobe, u, scatter) lb_bsdf_sample(bsdf, lobe, u, scatter)
#endif
#define LB_TRAIL_MEMBER(declaration)
#define LB_TRAIL_START(path, guide_, x, y, counters) ((void)0)
#define LB_TRAIL_KEEP(path)                          ((void)0)
#define LB_TRAIL_ARRIVE(path)                        ((void)0)
#define LB_TRAIL_FORGET(path)                        ((void)0)
#define LB_TRAIL_LEARN(path, number)                 ((void)0)
#define LB_TRAIL_TALLY(path, pixel, counters)        ((void)0)

#endif

#if defined(LB_GUIDED) || defined(LB_LED)
#define LB_TRAIL_DENSITY(bsdf, direction, p) lb_led_density(bsdf, direction, p)
#else
#define LB_TRAIL_DENSITY(bsdf, direction, p) (p)
#endif

#endif
