/* The Mandelbrot set as a scene. The cost of a pixel is exactly its iterations, which makes it a test case for
 * balancing. */
#ifndef LB_CORE_KERNEL_INTEGRATORS_MANDELBROT_H
#define LB_CORE_KERNEL_INTEGRATORS_MANDELBROT_H

#include "core/kernel/film/filter.h"
#include "core/kernel/sampler.h"
#include "core/kernel/stop.h"

/* A smooth colour for a smooth count of iterations, by a cosine for each component, shifted against each other. */
LB_FUNCTION lb_rgb lb_mandelbrot_color(float count)
{
    float angle = 0.25f * count;
    return lb_rgb_make(0.5f - 0.5f * lb_cos(angle), 0.5f - 0.5f * lb_cos(angle - 0.6f),
                       0.5f - 0.5f * lb_cos(angle - 1.2f));
}

/* A point on its way: c, z, the squares of z's parts, and how often it was iterated. */
typedef struct lb_mandelbrot_point {
    double cx, cy, x, y, xx, yy;
    uint32_t count;
} lb_mandelbrot_point;

/* Begins with z = 0 at a point of the film, which is in pixels of the full film, y downwards. */
LB_INLINE lb_mandelbrot_point lb_mandelbrot_start(const lb_scene *scene, lb_vec2 film_position)
{
    const lb_integrator *plane = &scene->integrator;
    double step = plane->span / (double)scene->film.full_width;
    lb_mandelbrot_point p;
    p.cx = plane->center[0] + ((double)film_position.x - 0.5 * (double)scene->film.full_width) * step;
    p.cy = plane->center[1] - ((double)film_position.y - 0.5 * (double)scene->film.full_height) * step;
    p.x = p.y = p.xx = p.yy = 0.0;
    p.count = 0;
    return p;
}

LB_INLINE void lb_mandelbrot_step(lb_mandelbrot_point *p)
{
    p->y = 2.0 * (p->x * p->y) + p->cy;
    p->x = p->xx - p->yy + p->cx;
    p->xx = p->x * p->x;
    p->yy = p->y * p->y;
}

/* Iterates z = z^2 + c until |z|^2 > 4 or the count has reached `until`. */
LB_INLINE void lb_mandelbrot_iterate(lb_mandelbrot_point *p, uint32_t until)
{
    while (p->count < until && p->xx + p->yy <= 4.0) {
        lb_mandelbrot_step(p);
        p->count++;
    }
}

/* The colour of a point, black where z has stayed within the circle. */
LB_INLINE lb_rgb lb_mandelbrot_finish(lb_mandelbrot_point *p)
{
    if (p->xx + p->yy <= 4.0)
        return lb_rgb_grey(0.0f);
    /* After two more steps, which are not counted, |z| is where count - log2(log |z|) is smooth in c. */
    for (int extra = 0; extra < 2; extra++)
        lb_mandelbrot_step(p);
    float log_size = 0.5f * lb_log((float)(p->xx + p->yy));
    float smooth = (float)(p->count + 2) - 1.44269504f * lb_log(log_size);
    return lb_mandelbrot_color(lb_max(smooth, 0.0f));
}

/* The colour at a point of the film. `*iterations` becomes the number of iterations, which is the cost. */
LB_FUNCTION lb_rgb lb_mandelbrot(const lb_scene *scene, lb_vec2 film_position, uint32_t *iterations)
{
    lb_mandelbrot_point point = lb_mandelbrot_start(scene, film_position);
    lb_mandelbrot_iterate(&point, scene->integrator.max_iterations);
    *iterations = point.count;
    return lb_mandelbrot_finish(&point);
}

/* A number of iterations that takes some hundredths of a second. */
#define LB_MANDELBROT_LOOK (1u << 22)

/* The same for scenes with more iterations than that. It looks in between whether it has been told to stop, and then
 * the result has no meaning. */
LB_FUNCTION lb_rgb lb_mandelbrot_long(const lb_scene *scene, lb_vec2 film_position, const int *stop,
                                      uint32_t *iterations)
{
    uint32_t most = scene->integrator.max_iterations, until = 0;
    lb_mandelbrot_point point = lb_mandelbrot_start(scene, film_position);
    while (point.count == until && until < most && !lb_stopped(stop)) {
        until = most - until < LB_MANDELBROT_LOOK ? most : until + LB_MANDELBROT_LOOK;
        lb_mandelbrot_iterate(&point, until);
    }
    *iterations = point.count;
    return lb_mandelbrot_finish(&point);
}

/* The place on the film of sample number `sample` of the film's pixel (x, y); `*place` becomes where it is in that
 * pixel. */
LB_INLINE lb_vec2 lb_mandelbrot_place(const lb_scene *scene, uint32_t x, uint32_t y, uint32_t sample,
                                      lb_filter_place *place)
{
    lb_sampler sampler;
    lb_sampler_begin(&sampler, &scene->integrator, x, y, sample);
    *place = lb_filter_sample(scene, lb_sampler_2d(&sampler));
    return lb_vec2_make((float)x + 0.5f + place->offset.x, (float)y + 0.5f + place->offset.y);
}

/* The radiance of that sample, as lb_path_radiance gives it for other scenes. */
LB_FUNCTION lb_rgb lb_mandelbrot_radiance(const lb_scene *scene, uint32_t x, uint32_t y, uint32_t sample,
                                          lb_filter_place *place, uint32_t *iterations)
{
    return lb_mandelbrot(scene, lb_mandelbrot_place(scene, x, y, sample, place), iterations);
}

#endif
