/* Cost maps that are computed, simulations of them, and the hooks that strategies made for tests share. */
#ifndef LB_TEST_UNIT_SIMULATE_HELP_H
#define LB_TEST_UNIT_SIMULATE_HELP_H

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/simulate/simulate.h"
#include "core/simulate/simulate_work.h"

static uint64_t state = 0xa4093822299f31d0u;

static inline double draw(void)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (double)(state >> 11) * 0x1p-53;
}

/* ---- maps ---- */

static inline float *mandelbrot(uint32_t width, uint32_t height)
{
    float *cost = malloc((size_t)width * height * sizeof *cost);
    for (uint32_t y = 0; y < height; y++)
        for (uint32_t x = 0; x < width; x++) {
            double a = -0.5 + 3.0 * (x + 0.5 - width / 2.0) / width;
            double b = 3.0 * (y + 0.5 - height / 2.0) / width, u = 0, v = 0;
            int i = 0;
            for (; i < 256 && u * u + v * v <= 4; i++) {
                double next = u * u - v * v + a;
                v = 2 * u * v + b;
                u = next;
            }
            cost[(size_t)y * width + x] = (float)(i + 1);
        }
    return cost;
}

/* A spot of a hundredth of the picture, `dear` times as dear as the rest: the book's headlight. */
static inline float *hot_spot(uint32_t width, uint32_t height, double dear)
{
    float *cost = malloc((size_t)width * height * sizeof *cost);
    double radius = sqrt(0.01 * width * height / 3.14159265);
    for (uint32_t y = 0; y < height; y++)
        for (uint32_t x = 0; x < width; x++) {
            double d = hypot(x - 0.25 * width, y - 0.75 * height) / radius;
            double base = d < 1 ? dear * (1.2 - 0.4 * d) : 1 + 0.1 * dear / (1 + 20 * d * d);
            cost[(size_t)y * width + x] = (float)(base * (0.8 + 0.4 * draw()));
        }
    return cost;
}

/* The pixel at each place of the Hilbert curve of a picture of that size, made once for each of the first few sizes;
 * NULL: not made. */
static inline const uint32_t *hilbert_of(uint32_t width, uint32_t height)
{
    static struct {
        uint32_t width, height, *pixels;
    } made[8];
    for (size_t i = 0; i < sizeof made / sizeof *made; i++) {
        if (made[i].pixels == NULL) {
            made[i].width = width;
            made[i].height = height;
            made[i].pixels = lb_sim_hilbert(width, height);
        }
        if (made[i].width == width && made[i].height == height)
            return made[i].pixels;
    }
    return NULL;
}

static inline struct lb_simulation make_job(const char *strategy, const struct lb_sim_spec *spec,
                                            const struct lb_estimate *map)
{
    return (struct lb_simulation){.spec = spec,
                                  .settings.strategy = lb_strategy_find(strategy),
                                  .width = map->width,
                                  .height = map->height,
                                  .costs = map,
                                  .hilbert = hilbert_of(map->width, map->height),
                                  .frame_count = 1};
}

static inline double efficiency_of(const struct lb_simulation *job, uint32_t frame)
{
    struct lb_report_frame *frames = calloc(job->frame_count, sizeof *frames);
    struct lb_error error = {0};
    if (lb_simulate(job, frames, NULL, 0, &error) != LB_OK)
        fail_msg("%s", error.message);
    double efficiency = frames[frame].all.efficiency;
    for (uint32_t i = 0; i < job->frame_count; i++)
        lb_report_frame_free(&frames[i]);
    free(frames);
    return efficiency;
}

/* ---- hooks of strategies ---- */

static inline enum lb_status plan_rows(void *own, const struct lb_plan *plan, struct lb_order *order,
                                       struct lb_error *error)
{
    (void)own;
    (void)error;
    *order = lb_order_curve(plan->width, plan->height, LB_CURVE_ROWS);
    return LB_OK;
}

static inline size_t small_state(uint32_t processors)
{
    (void)processors;
    return 8;
}

static inline void ignore_done(void *own, uint32_t processor, struct lb_range range, double seconds)
{
    (void)own;
    (void)processor;
    (void)range;
    (void)seconds;
}

#endif
