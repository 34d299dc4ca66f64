/* The arrays of a wavefront in one block of memory, a device's or the host's. */
#ifndef LB_CORE_WAVE_WAVE_PLACE_H
#define LB_CORE_WAVE_WAVE_PLACE_H

#include "core/kernel/wavefront.h"

enum { LB_WAVE_ALIGNMENT = 256 }; /* of the block and of each array, as cudaMalloc has it */

/* The next `count` elements of a block that begins at `block`; NULL: only their size is asked for. */
static inline void *lb_wave_carve(char *block, size_t *used, size_t count, size_t size)
{
    char *array = block ? block + *used : NULL;
    *used += (count * size + LB_WAVE_ALIGNMENT - 1) / LB_WAVE_ALIGNMENT * LB_WAVE_ALIGNMENT;
    return array;
}

/* Gives the arrays for `slots` paths and `pixels` pixels (0: these are elsewhere), with `sums` sums of channels each,
 * their places in the block; `volume` is the scene's any_volume. Returns the block's size. */
static inline size_t lb_wave_place(lb_wave *wave, void *block, uint32_t slots, uint64_t pixels, uint32_t sums,
                                   bool volume)
{
    char *at = (char *)block;
    size_t used = 0;
    wave->slots = slots;
    wave->volume = volume ? 1 : 0;
    wave->counts = (lb_wave_counts *)lb_wave_carve(at, &used, 1, sizeof *wave->counts);
    wave->paths = (lb_path *)lb_wave_carve(at, &used, slots, sizeof *wave->paths);
    wave->hits = (lb_hit *)lb_wave_carve(at, &used, slots, sizeof *wave->hits);
    wave->shadows = (lb_shadow *)lb_wave_carve(at, &used, slots, sizeof *wave->shadows);
    wave->volumes = (lb_volume *)lb_wave_carve(at, &used, volume ? slots : 0, sizeof *wave->volumes);
    wave->weights = (float *)lb_wave_carve(at, &used, slots, sizeof *wave->weights);
    wave->places = (uint32_t *)lb_wave_carve(at, &used, slots, sizeof *wave->places);
    wave->goes_on = (uint32_t *)lb_wave_carve(at, &used, slots, sizeof *wave->goes_on);
    wave->active[0] = (uint32_t *)lb_wave_carve(at, &used, slots, sizeof *wave->active[0]);
    wave->active[1] = (uint32_t *)lb_wave_carve(at, &used, slots, sizeof *wave->active[1]);
    wave->shadow = (uint32_t *)lb_wave_carve(at, &used, slots, sizeof *wave->shadow);
    wave->pixels = (lb_film_pixel *)lb_wave_carve(at, &used, pixels, sizeof *wave->pixels);
    wave->sums = (int64_t *)lb_wave_carve(at, &used, (size_t)pixels * sums, sizeof *wave->sums);
    return used;
}

#endif
