/* What samples cost, which decides with their noise how many of them a pixel gets. It is counted by how often their
 * paths were scattered: the same on every processor, and it tells the time of a pixel about as well as all steps of its
 * paths do, which GPUs do not count (bench/results/quality.md). */
#ifndef LB_CORE_RUN_COST_AROUND_H
#define LB_CORE_RUN_COST_AROUND_H

#include "core/kernel/scene/scene.h"

#include <stdbool.h>

/* How often the paths of a pixel's samples were scattered: sums[pixel * each], where `sums` is not NULL. */
struct lb_scattered {
    const int64_t *sums;
    size_t each;
};

/* Of a picture of the scene with these sums of channels. */
struct lb_scattered lb_scattered_of(const lb_scene *scene, const int64_t *sums);

/* What a sample of the pixel costs, of which there are so many, in a unit of its own. 1: nothing tells. */
float lb_sample_cost(const struct lb_scattered *scattered, uint64_t pixel, uint32_t samples);

/* By pixel: what a sample of the pixels beside it costs in the mean, by the costs of all. What follows does not depend
 * on the pixel's own samples. A picture of one pixel: 1. */
void lb_cost_around(uint32_t width, uint32_t height, const float *costs, float *around);

/* By pixel, what samples are worth: their noise over the root of what those of the pixels beside it cost. `counts`: how
 * many samples each pixel has; NULL: `samples`. `worth` may be `noise`. False: out of memory. */
bool lb_worth_of_samples(uint32_t width, uint32_t height, const struct lb_scattered *scattered,
                         const uint32_t *counts, uint32_t samples, const float *noise, float *worth);

#endif
