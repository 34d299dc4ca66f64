/* Lays the arrays of a wavefront (core/kernel/integrators/wavefront.h) out in one block of memory, which is a device's
 * or the host's. */
#ifndef LB_CORE_WAVE_WAVE_PLACE_H
#define LB_CORE_WAVE_WAVE_PLACE_H

#include "core/kernel/integrators/wavefront.h"
#include "core/wave/wave_sizes.h"

/* The block, and each array in it, is aligned to so many bytes, as cudaMalloc aligns. */
enum { LB_WAVE_ALIGNMENT = 256 };

/* Takes the next `count` elements of `size` bytes from the block that begins at `block`, of which `*used` bytes are
 * taken. Where `block` is NULL it only counts the bytes, and returns NULL. */
static inline void *lb_wave_carve(char *block, size_t *used, size_t count, size_t size)
{
    char *array = block ? block + *used : NULL;
    *used += (count * size + LB_WAVE_ALIGNMENT - 1) / LB_WAVE_ALIGNMENT * LB_WAVE_ALIGNMENT;
    return array;
}

/* Gives the wavefront's arrays their places in the block, or only counts bytes where `block` is NULL. They have room
 * for `slots` paths and for `pixels` pixels with `sums` sums of channels each; `pixels` is 0 where pixels and sums
 * stand elsewhere. `sizes` are the scene's (lb_wave_sizes_of). Returns the block's size in bytes. */
static inline size_t lb_wave_place(lb_wave *wave, void *block, uint32_t slots, uint64_t pixels, uint32_t sums,
                                   const struct lb_wave_sizes *sizes)
{
    char *at = (char *)block;
    size_t used = 0;
    wave->slots = slots;
    wave->volume = sizes->volume != 0 ? 1 : 0;
    wave->counts = (lb_wave_counts *)lb_wave_carve(at, &used, 1, sizeof *wave->counts);
    wave->paths = (lb_path *)lb_wave_carve(at, &used, slots, sizes->path);
    wave->hits = (lb_hit *)lb_wave_carve(at, &used, slots, sizeof *wave->hits);
    wave->shadows = (lb_shadow *)lb_wave_carve(at, &used, slots, sizes->shadow);
    wave->volumes = (lb_volume *)lb_wave_carve(at, &used, slots, sizes->volume);
    wave->weights = (float *)lb_wave_carve(at, &used, slots, sizeof *wave->weights);
    wave->places = (uint32_t *)lb_wave_carve(at, &used, slots, sizeof *wave->places);
    wave->goes_on = (uint32_t *)lb_wave_carve(at, &used, slots, sizeof *wave->goes_on);
    wave->active[0] = (uint32_t *)lb_wave_carve(at, &used, slots, sizeof *wave->active[0]);
    wave->active[1] = (uint32_t *)lb_wave_carve(at, &used, slots, sizeof *wave->active[1]);
    wave->sorted = (uint32_t *)lb_wave_carve(at, &used, slots, sizeof *wave->sorted);
    wave->shadow = (uint32_t *)lb_wave_carve(at, &used, slots, sizeof *wave->shadow);
    wave->put_off = (uint32_t *)lb_wave_carve(at, &used, slots, sizeof *wave->put_off);
    wave->pixels = (lb_film_pixel *)lb_wave_carve(at, &used, pixels, sizeof *wave->pixels);
    wave->sums = (int64_t *)lb_wave_carve(at, &used, (size_t)pixels * sums, sizeof *wave->sums);
    if (block)
        lb_wave_at(wave, 0);
    return used;
}

#endif
