/* The path tracer as a GPU runs it: many paths in step, stage by stage, over queues (Laine, Karras, Aila, "Megakernels
 * Considered Harmful", 2013). Each stage is a function of one index, so that a kernel, or a loop on the host, can run
 * it over a grid. The work is done by core/kernel/integrators/path.h, hence the bits are those of the CPU:
 *
 *     lb_wave_begin over the first slots (lb_wave_first);
 *     until no slot is active: lb_wave_trace by any number of threads, lb_wave_count, then lb_wave_sort and then
 *     lb_wave_shade over the active slots, lb_wave_shadow by any number of threads, lb_wave_turn over the active slots
 *     (a path that has ended goes to the film, and its slot takes the next sample) and lb_wave_reckon beside it; then
 *     the next turn has the next number.
 *
 * Where the picture has channels that first hits tell, lb_wave_gather comes between lb_wave_trace and lb_wave_shade.
 * Where few primitives ask something of rays (enum lb_wide_asks), lb_wave_trace and lb_wave_shadow are two walks each:
 * the first of all rays, which puts off those that met such, and the second of these. */
#ifndef LB_CORE_KERNEL_INTEGRATORS_WAVEFRONT_H
#define LB_CORE_KERNEL_INTEGRATORS_WAVEFRONT_H

#include "core/kernel/integrators/feature.h"
#include "core/kernel/film/film.h"
#include "core/kernel/integrators/mandelbrot.h"
#include "core/kernel/integrators/occlusion.h"
#include "core/kernel/order/order.h"
#include "core/kernel/integrators/path.h"
#include "core/kernel/integrators/volume.h"
#include "core/kernel/integrators/volume_shadow.h"
#include "core/kernel/tree/wide_trace.h"

/* Paths are shaded in groups of those that have hit the same, so that the threads of a warp, and the warps of a
 * multiprocessor, run the same code: first those that hit nothing, then for each kind of material those whose
 * reflectance is constant and those whose is a texture. */
#define LB_WAVE_GROUPS (1 + 2 * (LB_MATERIAL_MIX + 1))

/* The numbers that the stages share, and change atomically. */
typedef struct lb_wave_counts {
    uint64_t next; /* number of the batch's sample that the next free slot takes */
    /* How many slots are in a turn's queue `active`, by its number modulo 4 (3 would do): while lb_wave_turn empties
     * this turn's queue and fills the next one's, the number of the turn behind that is made zero. So nothing need come
     * between two turns. */
    uint32_t active[4];
    uint32_t shadows;  /* how many are in the queue of shadow rays */
    uint32_t traced;   /* how many of the turn's queue `active` threads have taken to trace their rays */
    uint32_t shadowed; /* the same of the queue of shadow rays */
    /* How many rays the first walk has put off, and how many of these threads have taken for the second: those of
     * active slots, and shadow rays. */
    uint32_t put_off[2], resumed[2];
    uint32_t stopped;                 /* not 0: no slot counts as active any more */
    uint32_t grouped[LB_WAVE_GROUPS]; /* how many of the turn's slots are in each group */
    uint32_t placed[LB_WAVE_GROUPS];  /* how many of these have their place in `sorted` */
    uint64_t rays, shaded, samples, bad_samples;
    uint64_t iterations; /* iterations of the Mandelbrot set */
} lb_wave_counts;

/* What a batch has counted, in the form in which all processors tell it. */
LB_INLINE lb_counters lb_wave_counters(const lb_wave_counts *counts)
{
    lb_counters counters;
    counters.nodes = counts->iterations;
    counters.groups = 0;
    counters.shaded = counts->shaded;
    counters.scattered = 0;
    counters.rays = counts->rays;
    counters.bad_samples = counts->bad_samples;
    return counters;
}

/* A wavefront with one batch: the samples [sample_begin, sample_end) of the positions [begin, end). Each sample is
 * followed in one slot. */
typedef struct lb_wave {
    const lb_scene *scene;
    lb_wide_tree tree;
    /* The scene's any_interface, here where the host can read it: it chooses the stage for shadow rays. */
    uint32_t interfaces;
    uint32_t volume;    /* media do more than absorb: it chooses both stages in which media take part */
    uint32_t occlusion; /* its integrator shows ambient occlusion: it chooses the stage that shades */
    uint32_t led;       /* a guide draws directions: it chooses the stage that shades, compiled with LB_LED */
    uint32_t spectral;  /* its light is of four wavelengths: it chooses how all stages are compiled */
    uint32_t puts_off;  /* rays are traced in two walks: it chooses the stages that trace */
    lb_order order;
    uint64_t begin, end;
    uint32_t sample_begin, sample_end;
    uint32_t slots;
    uint32_t turn; /* the number of the turn, from 0 */
    /* The turn's own queue, and how many slots are in it, as lb_wave_at says: kernels that have no register to spare
     * take them from here. */
    const uint32_t *queue, *left;
    /* These have `slots` elements each. */
    lb_path *paths;
    lb_hit *hits;
    lb_shadow *shadows;
    lb_volume *volumes; /* only where `volume` is set */
    float *weights;
    uint32_t *places;    /* position of a slot's pixel, counted from `begin` */
    uint32_t *goes_on;   /* does the slot's path have a next ray? Before it is shaded: the slot's group */
    uint32_t *active[2]; /* the two queues of slots whose paths go on, of turns of even and of odd numbers */
    uint32_t *sorted;    /* the slots of the turn's queue, group by group */
    uint32_t *shadow;
    uint32_t *put_off; /* the slots whose rays the first walk has put off: of paths, and later of shadows */
    lb_film_pixel *pixels; /* end - begin elements */
    int64_t *sums;         /* the channels' sums, `sum_count` for each pixel; NULL: they are not wanted */
    uint32_t sum_count;
    /* What lb_channels_gather and lb_channels_measure say of the channels, here where the host can read it. */
    uint32_t gathers, measures;
    uint32_t scattered; /* which of a pixel's sums is that of LB_CHANNEL_SCATTERED; LB_NONE: none is */
    uint32_t around;    /* which is the first of LB_CHANNEL_AROUND; LB_NONE: none is */
    lb_wave_counts *counts;
    /* In memory that host and device share: not 0 where lb_wave_reckon is to end all paths. NULL: it never is. */
    const volatile uint32_t *stop;
} lb_wave;

/* How many slots are active in the turn of that number? */
LB_INLINE uint32_t lb_wave_left(const lb_wave_counts *counts, uint32_t turn)
{
    return counts->stopped ? 0 : counts->active[turn & 3u];
}

/* The same of the turn in hand. */
LB_INLINE uint32_t lb_wave_active(const lb_wave *wave)
{
    return lb_wave_left(wave->counts, wave->turn);
}

/* The slot that is active at a place of the turn's queue. */
LB_INLINE uint32_t lb_wave_slot(const lb_wave *wave, uint32_t index)
{
    return wave->queue[index];
}

/* Goes to the turn of that number. The host does so between two turns, and need not read what is on the device. */
LB_INLINE void lb_wave_at(lb_wave *wave, uint32_t turn)
{
    wave->turn = turn;
    wave->queue = wave->active[turn & 1u];
    wave->left = &wave->counts->active[turn & 3u];
}

/* Adds to a number atomically, and returns what it was before. */
LB_INLINE uint64_t lb_wave_add(uint64_t *number, uint64_t value)
{
#ifdef __CUDA_ARCH__
    return atomicAdd((unsigned long long *)number, (unsigned long long)value);
#else
    return __atomic_fetch_add(number, value, __ATOMIC_RELAXED);
#endif
}

/* Returns the counter's value and adds one to it. On a GPU one atomic operation serves all threads of a warp that call
 * this together. */
LB_INLINE uint32_t lb_wave_take(uint32_t *number)
{
#ifdef __CUDA_ARCH__
    unsigned mask = __activemask(), lane = threadIdx.x & 31u;
    int leader = __ffs((int)mask) - 1;
    uint32_t first = 0;
    if ((int)lane == leader)
        first = atomicAdd(number, (uint32_t)__popc(mask));
    return __shfl_sync(mask, first, leader) + (uint32_t)__popc(mask & ((1u << lane) - 1u));
#else
    return __atomic_fetch_add(number, 1u, __ATOMIC_RELAXED);
#endif
}

/* The same for a counter of 64 bits. */
LB_INLINE uint64_t lb_wave_take_sample(uint64_t *number)
{
#ifdef __CUDA_ARCH__
    unsigned mask = __activemask(), lane = threadIdx.x & 31u;
    int leader = __ffs((int)mask) - 1;
    uint64_t first = 0;
    if ((int)lane == leader)
        first = lb_wave_add(number, (uint64_t)__popc(mask));
    return __shfl_sync(mask, first, leader) + (uint64_t)__popc(mask & ((1u << lane) - 1u));
#else
    return lb_wave_add(number, 1);
#endif
}

/* Adds a sample to its pixel, on which other slots may be at work at the same time: sums of integers do not depend on
 * the order. False: it is a bad one. */
LB_FUNCTION bool lb_wave_film(const lb_wave *wave, uint32_t place, lb_rgb radiance, float weight)
{
    lb_film_pixel sample;
    uint32_t i;
    for (i = 0; i < 3; i++)
        sample.sum[i] = 0;
    sample.weight = 0;
    if (!lb_film_add(&sample, &wave->scene->film, wave->scene->integrator.samples, radiance, weight)) {
        lb_wave_add(&wave->counts->bad_samples, 1);
        return false;
    }
    for (i = 0; i < 3; i++)
        lb_wave_add((uint64_t *)&wave->pixels[place].sum[i], (uint64_t)sample.sum[i]);
    lb_wave_add((uint64_t *)&wave->pixels[place].weight, (uint64_t)sample.weight);
    if (wave->measures)
        lb_feature_measure(wave->scene, &sample, wave->sums + (uint64_t)place * wave->sum_count, true);
    return true;
}

/* The same of the slot's sample, where samples count for the pixels around, too. */
LB_SELDOM bool lb_wave_around(const lb_wave *wave, uint32_t slot, lb_rgb radiance)
{
    const lb_film *film = &wave->scene->film;
    uint32_t place = wave->places[slot], sample = lb_reverse_bits(wave->paths[slot].sampler.sample);
    uint64_t pixel = lb_order_due(&wave->order, wave->begin + place);
    uint32_t x = film->x0 + (uint32_t)(pixel % wave->order.width);
    uint32_t y = film->y0 + (uint32_t)(pixel / wave->order.width);
    lb_filter_place at = lb_around_place(wave->scene, x, y, sample);
    lb_around around;
    lb_around_share(wave->scene, x, y, &at, lb_around_outlines(wave->scene, x, y), &around);
    if (lb_around_add(wave->scene, &around, radiance, &wave->pixels[place],
                      wave->sums + (uint64_t)place * wave->sum_count + wave->around, true))
        return true;
    lb_wave_add(&wave->counts->bad_samples, 1);
    return false;
}

/* Adds how often a sample's path was scattered to its pixel's sums, where they have room for that. */
LB_INLINE void lb_wave_tell_scattered(const lb_wave *wave, uint32_t place, uint32_t scattered)
{
    if (wave->scattered != LB_NONE)
        lb_wave_add((uint64_t *)&wave->sums[(uint64_t)place * wave->sum_count + wave->scattered], scattered);
}

/* Gives the slot the batch's next sample whose position holds a pixel, and prepares its path. False: there is none. */
LB_FUNCTION bool lb_wave_next(const lb_wave *wave, uint32_t slot)
{
    const lb_film *film = &wave->scene->film;
    uint64_t each = wave->sample_end - wave->sample_begin, all = (wave->end - wave->begin) * each;
    for (;;) {
        uint64_t item = lb_wave_take_sample(&wave->counts->next), pixel;
        uint32_t x, y, sample;
        if (item >= all)
            return false;
        pixel = lb_order_due(&wave->order, wave->begin + item / each);
        if (pixel == LB_NO_PIXEL)
            continue;
        x = film->x0 + (uint32_t)(pixel % wave->order.width);
        y = film->y0 + (uint32_t)(pixel / wave->order.width);
        sample = wave->sample_begin + (uint32_t)(item % each);
        lb_wave_take_sample(&wave->counts->samples);
        wave->places[slot] = (uint32_t)(item / each);
        if (wave->scene->integrator.kind == LB_INTEGRATOR_MANDELBROT) {
            lb_filter_place at;
            uint32_t iterations;
            lb_rgb radiance = lb_mandelbrot_radiance(wave->scene, x, y, sample, &at, &iterations);
            lb_wave_add(&wave->counts->iterations, iterations);
            lb_wave_tell_scattered(wave, wave->places[slot], iterations);
            lb_wave_film(wave, wave->places[slot], radiance, at.weight);
            continue;
        }
        lb_path_prepare(wave->scene, x, y, sample, &wave->paths[slot]);
        lb_path_send_scouts(wave->scene, &wave->paths[slot]);
        if (wave->volume)
            lb_volume_start(&wave->volumes[slot], &wave->paths[slot].sampler);
        return true;
    }
}

/* How many slots may get a sample at the beginning: of a small batch not all. */
LB_INLINE uint32_t lb_wave_first(const lb_wave *wave)
{
    uint64_t samples = (wave->end - wave->begin) * (wave->sample_end - wave->sample_begin);
    return samples < wave->slots ? (uint32_t)samples : wave->slots;
}

/* Gives the slot its first sample and queues it. The counts, the pixels and the turn must be zero before. */
LB_INLINE void lb_wave_begin(const lb_wave *wave, uint32_t slot)
{
    if (!lb_wave_next(wave, slot))
        return;
    wave->weights[slot] = lb_path_aim(wave->scene, &wave->paths[slot]).weight;
    wave->active[0][lb_wave_take(&wave->counts->active[0])] = slot;
}

/* With fewer threads of a warp that go on than this, the others take new rays. */
#define LB_WAVE_FEW 24

/* Takes the next ray that is to be traced, as lb_wave_follow says. Returns its slot; LB_NONE: all are taken. */
LB_INLINE uint32_t lb_wave_take_ray(const lb_wave *wave, bool any, uint32_t asks)
{
    lb_wave_counts *counts = wave->counts;
    if (asks == LB_WIDE_REST) {
        uint32_t index = lb_wave_take(&counts->resumed[any]);
        return index < counts->put_off[any] ? wave->put_off[index] : LB_NONE;
    }
    uint32_t index = lb_wave_take(any ? &counts->shadowed : &counts->traced);
    if (index >= (any ? counts->shadows : counts->active[wave->turn & 3u]))
        return LB_NONE;
    return any ? wave->shadow[index] : lb_wave_slot(wave, index);
}

/* Ends the walk of a ray that is traced. The first of two walks puts the ray off if it met what asks, unless it knows
 * already that a shadow ray is blocked: whatever asks could only block it, too. */
LB_INLINE void lb_wave_end_ray(const lb_wave *wave, const lb_wide_walk *walk, bool any, uint32_t asks)
{
    uint32_t slot = walk->aside->slot;
    bool hit = lb_wide_end(walk);
    if (asks == LB_WIDE_FIRST && (slot & LB_WIDE_MET)) {
        if (!any || !hit)
            wave->put_off[lb_wave_take(&wave->counts->put_off[any])] = slot & ~LB_WIDE_MET;
    } else if (any && !hit)
        lb_path_light(&wave->paths[slot], &wave->shadows[slot]);
}

/* Traces rays of a queue until all are taken: those of active slots or, when `any`, shadow rays, whose light is added
 * where it arrives; for the second of two walks, those of either kind that the first has put off. Every thread takes
 * the next ray when it has done with one, so that no thread of a warp waits for the longest of 32 rays. Threads stay as
 * long as any of their warp walks: if one could leave, the compiler would let the others wait for each other just
 * there. The hit's primitive is numbered as lb_wide_trace does it, and `asks` is, here and below, as for that
 * function. */
LB_INLINE void lb_wave_follow(const lb_wave *wave, bool any, lb_wide_stack *stack, uint32_t asks)
{
    lb_wide_walk walk;
    bool walks = false;
    stack->aside->slot = wave->counts->stopped ? LB_NONE : 0;
    do {
        if (!walks && stack->aside->slot != LB_NONE) {
            uint32_t slot = lb_wave_take_ray(wave, any, asks);
            walks = slot != LB_NONE;
            if (walks)
                lb_wide_start(&walk, wave->scene, &wave->tree,
                              any ? &wave->shadows[slot].ray : &wave->paths[slot].ray, any, asks, stack,
                              any ? NULL : &wave->hits[slot]);
            stack->aside->slot = slot;
        }
        if (walks && lb_wide_go(&walk, wave->scene, &wave->tree, any, asks, stack, LB_WAVE_FEW)) {
            lb_wave_end_ray(wave, &walk, any, asks);
            walks = false;
        }
    } while (lb_wide_vote(walks || stack->aside->slot != LB_NONE));
}

/* Traces the rays of active slots. */
LB_INLINE void lb_wave_trace(const lb_wave *wave, lb_wide_stack *stack, uint32_t asks)
{
    lb_wave_follow(wave, false, stack, asks);
}

/* Follows the queued shadow rays and adds their light if that arrives, in scenes without interfaces. */
LB_INLINE void lb_wave_shadow(const lb_wave *wave, lb_wide_stack *stack, uint32_t asks)
{
    lb_wave_follow(wave, true, stack, asks);
}

/* Do shadow rays take two walks? Those through interfaces or media do not, as each may be several rays. */
LB_INLINE bool lb_wave_puts_off_shadows(const lb_wave *wave)
{
    return wave->puts_off && !wave->volume && !wave->interfaces;
}

/* In which group is a slot, by what its ray has hit? */
LB_INLINE uint32_t lb_wave_group(const lb_wave *wave, uint32_t slot)
{
    const lb_hit *hit = &wave->hits[slot];
    if (hit->primitive.shape == LB_NONE)
        return 0;
    const lb_material *material =
        LB_ARRAY(wave->scene, materials, lb_material) + lb_hit_shape(wave->scene, hit)->material;
    return 1 + 2 * material->kind + (material->reflectance.texture != LB_NONE ? 1u : 0u);
}

/* Takes the next number of a group. On a GPU one atomic operation serves all threads of a warp that are of one group;
 * lb_wave_take() would not do, as compilers may let threads of several groups call it together. */
LB_INLINE uint32_t lb_wave_take_of(uint32_t *numbers, uint32_t group)
{
#ifdef __CUDA_ARCH__
    unsigned same = __match_any_sync(__activemask(), group), lane = threadIdx.x & 31u;
    int leader = __ffs((int)same) - 1;
    uint32_t first = 0;
    if ((int)lane == leader)
        first = atomicAdd(&numbers[group], (uint32_t)__popc(same));
    return __shfl_sync(same, first, leader) + (uint32_t)__popc(same & ((1u << lane) - 1u));
#else
    return lb_wave_take(&numbers[group]);
#endif
}

/* Counts an active slot in its group. */
LB_INLINE void lb_wave_count(const lb_wave *wave, uint32_t index)
{
    uint32_t slot = lb_wave_slot(wave, index), group = lb_wave_group(wave, slot);
    wave->goes_on[slot] = group;
    lb_wave_take_of(wave->counts->grouped, group);
}

/* Gives an active slot its place among the sorted ones, when all are counted. */
LB_INLINE void lb_wave_sort(const lb_wave *wave, uint32_t index)
{
    uint32_t slot = lb_wave_slot(wave, index), group = wave->goes_on[slot], before, place;
    place = lb_wave_take_of(wave->counts->placed, group);
    for (before = 0; before < group; before++)
        place += wave->counts->grouped[before];
    wave->sorted[place] = slot;
}

/* Does both for all active slots, by one thread of the host. */
LB_INLINE void lb_wave_sort_all(const lb_wave *wave)
{
    uint32_t index, active = lb_wave_active(wave);
    for (index = 0; index < active; index++)
        lb_wave_count(wave, index);
    for (index = 0; index < active; index++)
        lb_wave_sort(wave, index);
}

/* Adds what an active slot's sample sees to its pixel's sums, at the first of its hits that is no interface. */
LB_INLINE void lb_wave_gather(const lb_wave *wave, uint32_t index)
{
    uint32_t slot = lb_wave_slot(wave, index);
    if (wave->paths[slot].depth != 0 || lb_path_scouts(&wave->paths[slot]) != 0)
        return;
    lb_hit hit = lb_wide_name(wave->scene, &wave->hits[slot]);
    lb_feature_gather(wave->scene, &wave->paths[slot], &hit, wave->weights[slot],
                      wave->sums + (uint64_t)wave->places[slot] * wave->sum_count, true);
}

/* Sets where the sums of channels go (`sums`; NULL: nowhere), and which stages they need. `channels` are the scene's,
 * in memory that the host can read. */
LB_INLINE void lb_wave_channels(lb_wave *wave, const lb_channels *channels, int64_t *sums)
{
    wave->sums = sums;
    wave->sum_count = channels->count;
    wave->gathers = sums != NULL && lb_channels_gather(channels) ? 1u : 0u;
    wave->measures = sums != NULL && lb_channels_measure(channels) ? 1u : 0u;
    wave->scattered = sums != NULL ? channels->first[LB_CHANNEL_SCATTERED] : LB_NONE;
    wave->around = sums != NULL ? channels->first[LB_CHANNEL_AROUND] : LB_NONE;
}

/* Takes from the scene, which the host can read, and from the wave's tree what chooses among stages, besides media. For
 * wavelengths no rays are put off, as there are no kernels for that. */
LB_INLINE void lb_wave_suit(lb_wave *wave, const lb_scene *scene)
{
    bool occlusion = scene->integrator.kind == LB_INTEGRATOR_OCCLUSION; /* interfaces occlude */
    wave->interfaces = occlusion ? 0u : scene->any_interface;
    wave->occlusion = occlusion ? 1u : 0u;
    wave->led = scene->guide.paths != 0 ? 1u : 0u;
    wave->spectral = scene->quads.count != 0 ? 1u : 0u;
    wave->puts_off = wave->spectral ? 0u : wave->tree.few_ask;
}

/* Shades the hit of the slot at a place of `sorted`, and queues its shadow ray. */
LB_INLINE void lb_wave_shade(const lb_wave *wave, uint32_t index)
{
    uint32_t slot = wave->sorted[index];
    lb_counters counters;
    lb_shadow shadow;
    lb_hit hit = lb_wide_name(wave->scene, &wave->hits[slot]);
    counters.shaded = 0;
    wave->goes_on[slot] = lb_path_shade(wave->scene, &wave->paths[slot], &hit, &shadow, &counters) ? 1u : 0u;
    if (shadow.active) {
        wave->shadows[slot] = shadow;
        wave->shadow[lb_wave_take(&wave->counts->shadows)] = slot;
    }
}

/* The same where media do more than absorb. */
LB_INLINE void lb_wave_shade_volume(const lb_wave *wave, uint32_t index)
{
    uint32_t slot = wave->sorted[index];
    lb_counters counters;
    lb_shadow shadow;
    lb_hit hit = lb_wide_name(wave->scene, &wave->hits[slot]);
    counters.shaded = counters.nodes = 0;
    wave->goes_on[slot] =
        lb_volume_shade(wave->scene, &wave->paths[slot], &wave->volumes[slot], &hit, &shadow, &counters) ? 1u
                                                                                                         : 0u;
    if (shadow.active) {
        wave->shadows[slot] = shadow;
        wave->shadow[lb_wave_take(&wave->counts->shadows)] = slot;
    }
}

/* lb_wave_shade for ambient occlusion. */
LB_INLINE void lb_wave_shade_occlusion(const lb_wave *wave, uint32_t index)
{
    uint32_t slot = wave->sorted[index];
    lb_counters counters;
    lb_shadow shadow;
    lb_hit hit = lb_wide_name(wave->scene, &wave->hits[slot]);
    counters.shaded = 0;
    wave->goes_on[slot] =
        lb_occlusion_shade(wave->scene, &wave->paths[slot], &hit, &shadow, &counters) ? 1u : 0u;
    if (shadow.active) {
        wave->shadows[slot] = shadow;
        wave->shadow[lb_wave_take(&wave->counts->shadows)] = slot;
    }
}

/* Follows a queued shadow ray through interfaces, and where `volume` is set through media that do more than absorb. The
 * slot's hit has been shaded before, so its place is free for the shadow ray's. */
LB_INLINE void lb_wave_shadow_through(const lb_wave *wave, uint32_t index, lb_wide_stack *stack,
                                      uint32_t asks, bool volume)
{
    /* How many rays there are beyond the one that lb_wave_reckon counts. */
    uint32_t slot = wave->shadow[index], more = 0;
    lb_shadow *shadow = &wave->shadows[slot];
    lb_counters counters; /* counts nodes, which only CPUs report */
    counters.nodes = 0;
    for (;; more++) {
        lb_hit hit;
        lb_wide_trace(wave->scene, &wave->tree, &shadow->ray, false, asks, stack, &wave->hits[slot]);
        hit = lb_wide_name(wave->scene, &wave->hits[slot]);
        if (!(volume ? lb_volume_shadow_step(wave->scene, &wave->volumes[slot], shadow, &hit, &counters)
                     : lb_shadow_step(wave->scene, shadow, &hit)))
            break;
    }
    if (more > 0)
        lb_wave_add(&wave->counts->rays, more);
    if (shadow->active)
        lb_path_light(&wave->paths[slot], shadow);
}

LB_INLINE void lb_wave_shadow_passing(const lb_wave *wave, uint32_t index, lb_wide_stack *stack,
                                      uint32_t asks)
{
    lb_wave_shadow_through(wave, index, stack, asks, false);
}

LB_INLINE void lb_wave_shadow_volume(const lb_wave *wave, uint32_t index, lb_wide_stack *stack, uint32_t asks)
{
    lb_wave_shadow_through(wave, index, stack, asks, true);
}

/* Adds the light of a slot's path, which has ended, to its pixel, and to the pixel's sums where these hold parts of
 * it. */
LB_INLINE void lb_wave_finish(const lb_wave *wave, uint32_t slot)
{
    const lb_path *path = &wave->paths[slot];
    lb_rgb radiance = lb_path_result(wave->scene, path);
    bool counts = wave->around != LB_NONE
                      ? lb_wave_around(wave, slot, radiance)
                      : lb_wave_film(wave, wave->places[slot], radiance, wave->weights[slot]);
    (void)counts;
    lb_wave_tell_scattered(wave, wave->places[slot], path->depth);
#ifdef LB_SPECTRAL
    if (counts && wave->sums != NULL && lb_channel_wanted(&wave->scene->channels, LB_CHANNEL_BUCKETS))
        lb_buckets_add(wave->scene, path, wave->weights[slot],
                       wave->sums + (uint64_t)wave->places[slot] * wave->sum_count, true);
#endif
}

/* Queues the slot at a place of `sorted` for its path's next ray, so that rays which have left the same are traced
 * together. When the path has ended it goes to the film, and the slot takes the next sample. */
LB_INLINE void lb_wave_turn(const lb_wave *wave, uint32_t index)
{
    uint32_t slot = wave->sorted[index], place;
    if (!wave->goes_on[slot]) {
        if (!lb_path_scout_on(&wave->paths[slot])) {
            lb_wave_finish(wave, slot);
            if (!lb_wave_next(wave, slot))
                return;
        }
        wave->weights[slot] = lb_path_aim(wave->scene, &wave->paths[slot]).weight;
    }
    place = lb_wave_take(&wave->counts->active[(wave->turn + 1) & 3u]);
    wave->active[(wave->turn + 1) & 1u][place] = slot;
}

/* Adds up what the turn had, and makes numbers zero for what comes, or ends all paths after a stop, so that turns which
 * were queued ahead find nothing to do. One thread alone runs this, before, beside or after lb_wave_turn, which uses
 * none of these numbers. It adds as others do, as the kernel has no registers for what it would keep in between. */
LB_INLINE void lb_wave_reckon(const lb_wave *wave)
{
    lb_wave_counts *counts = wave->counts;
    uint32_t group;
    lb_wave_add(&counts->rays, (uint64_t)lb_wave_active(wave) + counts->shadows);
    lb_wave_add(&counts->shaded, (uint64_t)lb_wave_active(wave));
    counts->active[(wave->turn + 2) & 3u] = 0;
    counts->shadows = counts->traced = counts->shadowed = 0;
    counts->put_off[0] = counts->put_off[1] = counts->resumed[0] = counts->resumed[1] = 0;
    for (group = 0; group < LB_WAVE_GROUPS; group++)
        counts->grouped[group] = counts->placed[group] = 0;
    if (wave->stop && *wave->stop)
        counts->stopped = 1;
}

#endif
