#include "core/run/cost_around.h"

#include <math.h>
#include <stdlib.h>

/* What being scattered once costs, beside what every sample does: its number, the camera's ray and the film. Of twelve
 * scenes this says best by how much other numbers of samples change the time, as empty pixels cost next to nothing; of
 * what they gain a fourth of it says the same. */
static const double SCATTERED_COST = 8;

struct lb_scattered lb_scattered_of(const lb_scene *scene, const int64_t *sums)
{
    uint32_t first = scene->channels.first[LB_CHANNEL_SCATTERED];
    bool told = sums && (scene->channels.wanted >> LB_CHANNEL_SCATTERED & 1) != 0;
    return (struct lb_scattered){told ? sums + first : NULL, scene->channels.count};
}

float lb_sample_cost(const struct lb_scattered *scattered, uint64_t pixel, uint32_t samples)
{
    int64_t times = scattered->sums ? scattered->sums[pixel * scattered->each] : 0;
    /* A damaged part may have any sums. */
    return times > 0 && samples > 0 ? (float)(1 + SCATTERED_COST * (double)times / samples) : 1;
}

void lb_cost_around(uint32_t width, uint32_t height, const float *costs, float *around)
{
    size_t i = 0;
    for (uint32_t y = 0; y < height; y++)
        for (uint32_t x = 0; x < width; x++, i++) {
            uint32_t left = x > 0 ? x - 1 : 0, right = x + 1 < width ? x + 1 : x, count = 0;
            uint32_t top = y > 0 ? y - 1 : 0, bottom = y + 1 < height ? y + 1 : y;
            double sum = 0;
            for (uint32_t v = top; v <= bottom; v++)
                for (uint32_t u = left; u <= right; u++)
                    if (u != x || v != y) {
                        sum += (double)costs[(size_t)v * width + u];
                        count++;
                    }
            around[i] = count > 0 ? (float)(sum / count) : 1;
        }
}

bool lb_worth_of_samples(uint32_t width, uint32_t height, const struct lb_scattered *scattered,
                         const uint32_t *counts, uint32_t samples, const float *noise, float *worth)
{
    size_t pixels = (size_t)width * height;
    float *cost = calloc(pixels, sizeof *cost), *around = malloc(pixels * sizeof *around);
    bool made = cost && around;
    if (made) {
        for (size_t i = 0; i < pixels; i++)
            cost[i] = lb_sample_cost(scattered, i, counts ? counts[i] : samples);
        lb_cost_around(width, height, cost, around);
        for (size_t i = 0; i < pixels; i++)
            worth[i] = noise[i] / sqrtf(around[i]);
    }
    free(cost);
    free(around);
    return made;
}
