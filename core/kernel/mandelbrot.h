/* The Mandelbrot set as a scene: its cost is exactly its iterations, a test case of balancing. */
#ifndef LB_CORE_KERNEL_MANDELBROT_H
#define LB_CORE_KERNEL_MANDELBROT_H

#include "core/kernel/filter.h"
#include "core/kernel/sampler.h"

/* A smooth colour for a smooth count of iterations: three cosines a third of a period apart. */
LB_FUNCTION lb_rgb lb_mandelbrot_color(float count)
{
    float angle = 0.25f * count;
    return lb_rgb_make(0.5f - 0.5f * lb_cos(angle), 0.5f - 0.5f * lb_cos(angle - 0.6f),
                       0.5f - 0.5f * lb_cos(angle - 1.2f));
}

/* The colour of c at a point of the film (in pixels of the full film, y down): black where z = z^2 + c, from
 * 0, stays within |z|^2 <= 4 for max_iterations iterations. `*iterations` is how many were done, the cost. */
LB_FUNCTION lb_rgb lb_mandelbrot(const lb_scene *scene, lb_vec2 film_position, uint32_t *iterations)
{
    const lb_integrator *plane = &scene->integrator;
    double step = plane->span / (double)scene->film.full_width;
    double cx = plane->center[0] + ((double)film_position.x - 0.5 * (double)scene->film.full_width) * step;
    double cy = plane->center[1] - ((double)film_position.y - 0.5 * (double)scene->film.full_height) * step;
    double x = 0.0, y = 0.0, xx = 0.0, yy = 0.0;
    uint32_t count = 0;
    while (count < plane->max_iterations && xx + yy <= 4.0) {
        y = 2.0 * (x * y) + cy;
        x = xx - yy + cx;
        xx = x * x;
        yy = y * y;
        count++;
    }
    *iterations = count;
    if (xx + yy <= 4.0)
        return lb_rgb_grey(0.0f);
    /* Two more steps, not counted, bring |z| to where count - log2(log |z|) is smooth in c. */
    for (int extra = 0; extra < 2; extra++) {
        y = 2.0 * (x * y) + cy;
        x = xx - yy + cx;
        xx = x * x;
        yy = y * y;
    }
    float log_size = 0.5f * lb_log((float)(xx + yy));
    float smooth = (float)(count + 2) - 1.44269504f * lb_log(log_size);
    return lb_mandelbrot_color(lb_max(smooth, 0.0f));
}

/* Sample number `sample` of the film's pixel (x, y), as lb_path_radiance gives it of other scenes. */
LB_FUNCTION lb_rgb lb_mandelbrot_radiance(const lb_scene *scene, uint32_t x, uint32_t y, uint32_t sample,
                                          float *filter_weight, uint32_t *iterations)
{
    lb_sampler sampler;
    lb_vec2 offset;
    lb_sampler_start(&sampler, scene->integrator.seed, scene->integrator.frame, x, y, sample);
    lb_filter_sample(scene, lb_sampler_2d(&sampler), &offset, filter_weight);
    lb_vec2 position = lb_vec2_make((float)x + 0.5f + offset.x, (float)y + 0.5f + offset.y);
    return lb_mandelbrot(scene, position, iterations);
}

#endif
