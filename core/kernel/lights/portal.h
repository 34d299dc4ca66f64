/* Environments that are seen only through a portal: a rectangle of world space, such as a window of a room, through
 * which all of their light comes (pbrt-v4's portal lights; Bitterli and others 2015).
 *
 * A direction is a point of a square, by the two angles that it makes with the portal's normal: alpha = atan(x / z) and
 * beta = atan(y / z) in the portal's frame, each over half a turn. In these angles a rectangle is seen as a rectangle,
 * from everywhere. What is drawn from is therefore a window of one table. */
#ifndef LB_CORE_KERNEL_LIGHTS_PORTAL_H
#define LB_CORE_KERNEL_LIGHTS_PORTAL_H

#include "core/kernel/sampling.h"
#include "core/kernel/textures/texture.h"

/* A rectangle of the square. */
typedef struct lb_portal_window {
    lb_vec2 low, high;
} lb_portal_window;

/* The point of the square for a direction in the portal's frame, of any length, whose z is above 0. */
LB_SELDOM lb_vec2 lb_portal_point(lb_vec3 d)
{
    return lb_vec2_make(lb_clamp(lb_atan2(d.x, d.z) * LB_1_PI + 0.5f, 0.0f, 1.0f),
                        lb_clamp(lb_atan2(d.y, d.z) * LB_1_PI + 0.5f, 0.0f, 1.0f));
}

/* The inverse: a unit vector. `*stretch` is the solid angle of a small part of the square there, over its area. It is 0
 * at the square's rim, where there is no direction. */
LB_SELDOM lb_vec3 lb_portal_direction(lb_vec2 p, float *stretch)
{
    float sine_a, cosine_a, sine_b, cosine_b;
    lb_sincos((p.x - 0.5f) * LB_PI, &sine_a, &cosine_a);
    lb_sincos((p.y - 0.5f) * LB_PI, &sine_b, &cosine_b);
    lb_vec3 d = lb_normalize(lb_vec3_make(sine_a * cosine_b, cosine_a * sine_b, cosine_a * cosine_b));
    *stretch = d.z > 0.0f ? LB_PI * LB_PI * (d.y * d.y + d.z * d.z) * (d.x * d.x + d.z * d.z) / d.z : 0.0f;
    return d;
}

/* The rectangle of the square that the portal takes as seen from a point of world space. False: it is not seen, as the
 * point lies beyond it. */
LB_SELDOM bool lb_portal_see(const lb_light *light, lb_vec3 from, lb_portal_window *window)
{
    lb_vec3 a = lb_transform_vector(&light->light_from_world, lb_sub(light->position, from));
    lb_vec3 b = lb_transform_vector(&light->light_from_world, lb_sub(light->direction, from));
    if (!(a.z > 0.0f && b.z > 0.0f))
        return false;
    window->low = lb_portal_point(a);
    window->high = lb_portal_point(b);
    return window->low.x < window->high.x && window->low.y < window->high.y;
}

/* The number of the cell in which a coordinate from 0 to n lies. */
LB_INLINE uint32_t lb_portal_cell(double at, uint32_t n)
{
    int32_t cell = lb_to_int((float)at);
    if ((double)cell > at) /* rounded to float it may be the next integer */
        cell--;
    return cell < 0 ? 0 : (uint32_t)cell >= n ? n - 1u : (uint32_t)cell;
}

/* The importance of all cells left of x and above y, which are in cells, bilinear between the cells' corners. Each
 * corner's sum is kept in two floats, as differences of large sums must tell small cells. */
LB_SELDOM double lb_portal_sum(const float *sums, uint32_t n, double x, double y)
{
    uint32_t column = lb_portal_cell(x, n), row = lb_portal_cell(y, n);
    double fx = x - (double)column, fy = y - (double)row;
    const float *upper = sums + 2 * ((uint64_t)row * (n + 1u) + column),
                *lower = upper + 2 * ((uint64_t)n + 1u);
    double a = (double)upper[0] + (double)upper[1], b = (double)upper[2] + (double)upper[3];
    double c = (double)lower[0] + (double)lower[1], d = (double)lower[2] + (double)lower[3];
    double above = a + (b - a) * fx, below = c + (d - c) * fx;
    return above + (below - above) * fy;
}

/* A stripe of the square, in units of cells: from low to high in rows where it is `upright`, else in columns. */
typedef struct lb_portal_stripe {
    const float *sums;
    uint32_t n;
    bool upright; /* is it followed from left to right, not from the top down? */
    double low, high;
} lb_portal_stripe;

/* The importance of the part of the stripe that lies before `at`. */
LB_SELDOM double lb_portal_before(const lb_portal_stripe *s, double at)
{
    if (s->upright)
        return lb_portal_sum(s->sums, s->n, at, s->high) - lb_portal_sum(s->sums, s->n, at, s->low);
    return lb_portal_sum(s->sums, s->n, s->high, at) - lb_portal_sum(s->sums, s->n, s->low, at);
}

/* The place in the stripe, between `from` and `to`, before which lies the part u of the importance between these, and
 * that place's cell. */
LB_SELDOM double lb_portal_find(const lb_portal_stripe *stripe, double from, double to, float u,
                                uint32_t *cell)
{
    double start = lb_portal_before(stripe, from), end = lb_portal_before(stripe, to);
    double wanted = start + (double)u * (end - start);
    uint32_t low = lb_portal_cell(from, stripe->n), high = lb_portal_cell(to, stripe->n);
    /* Finds the last of these cells before whose beginning there is no more importance than wanted. */
    while (low < high) {
        uint32_t middle = low + (high - low + 1u) / 2u;
        if (lb_portal_before(stripe, (double)middle) <= wanted)
            low = middle;
        else
            high = middle - 1u;
    }
    double a = (double)low > from ? (double)low : from, b = (double)low + 1.0 < to ? (double)low + 1.0 : to;
    double before = lb_portal_before(stripe, a), part = lb_portal_before(stripe, b) - before;
    double place = part > 0.0 ? (wanted - before) / part : 0.5;
    *cell = low;
    return a + (b - a) * (place > 0.0 ? place < 1.0 ? place : 1.0 : 0.0);
}

/* The density by area, over the unit square, with which points of a cell are drawn from the window: the cell's part of
 * the window's importance, over its area. */
LB_SELDOM float lb_portal_density(const lb_light *light, const float *sums, const lb_portal_window *window,
                                  uint32_t column, uint32_t row)
{
    double n = (double)light->map_size;
    lb_portal_stripe all = {sums, light->map_size, true, (double)window->low.y * n,
                            (double)window->high.y * n};
    lb_portal_stripe own = {sums, light->map_size, true, (double)row, (double)row + 1.0};
    double whole = lb_portal_before(&all, (double)window->high.x * n) -
                   lb_portal_before(&all, (double)window->low.x * n);
    double cell = lb_portal_before(&own, (double)column + 1.0) - lb_portal_before(&own, (double)column);
    return whole > 0.0 && cell > 0.0 ? (float)(cell * n * n / whole) : 0.0f;
}

LB_SELDOM lb_color lb_portal_texel(const lb_scene *scene, const lb_light *light, uint32_t column,
                                   uint32_t row LB_AND_QUAD(uint32_t quad))
{
#ifdef LB_SPECTRAL
    if (light->emission.b != light->emission.b) /* a spectrum, whose image is of one texel that is 1 */
        return lb_color_of(scene, quad, light->emission);
#endif
    const lb_image *image = LB_ARRAY(scene, images, lb_image) + light->image;
    return lb_color_mul(
        lb_color_of_plain(light->emission),
        lb_color_of_shining(
            scene, quad, lb_image_texel(scene, image, LB_WRAP_CLAMP, false, (int32_t)column, (int32_t)row)));
}

/* The radiance that comes to the point `from` from the direction d of world space, and the density by solid angle with
 * which lb_portal_sample draws d there. */
LB_SELDOM lb_color lb_portal_radiance(const lb_scene *scene, const lb_light *light, lb_vec3 from, lb_vec3 d,
                                      float *pdf LB_AND_QUAD(uint32_t quad))
{
    lb_portal_window window;
    float stretch;
    lb_vec3 local = lb_transform_vector(&light->light_from_world, d);
    *pdf = 0.0f;
    if (!(local.z > 0.0f) || !lb_portal_see(light, from, &window))
        return lb_color_grey(0.0f);
    lb_vec2 p = lb_portal_point(local);
    if (!(p.x >= window.low.x && p.x <= window.high.x && p.y >= window.low.y && p.y <= window.high.y))
        return lb_color_grey(0.0f);
    uint32_t n = light->map_size;
    uint32_t column = lb_portal_cell((double)p.x * (double)n, n);
    uint32_t row = lb_portal_cell((double)p.y * (double)n, n);
    lb_portal_direction(p, &stretch);
    if (stretch > 0.0f)
        *pdf = lb_portal_density(light, LB_ARRAY(scene, tables, float) + light->density.offset, &window,
                                 column, row) /
               stretch;
    return lb_portal_texel(scene, light, column, row LB_AND_QUAD(quad));
}

/* Draws a direction of world space through the portal, as seen from `from`, by importance. Returns its radiance and
 * sets its density by solid angle. */
LB_SELDOM lb_color lb_portal_sample(const lb_scene *scene, const lb_light *light, lb_vec3 from, lb_vec2 u,
                                    lb_vec3 *direction, float *pdf LB_AND_QUAD(uint32_t quad))
{
    lb_portal_window window;
    float stretch;
    *pdf = 0.0f;
    if (!lb_portal_see(light, from, &window))
        return lb_color_grey(0.0f);
    const float *sums = LB_ARRAY(scene, tables, float) + light->density.offset;
    uint32_t n = light->map_size, column, row;
    double side = (double)n;
    double y0 = (double)window.low.y * side, y1 = (double)window.high.y * side;
    lb_portal_stripe stripe = {sums, n, true, y0, y1};
    double x =
        lb_portal_find(&stripe, (double)window.low.x * side, (double)window.high.x * side, u.x, &column);
    stripe.upright = false;
    stripe.low = (double)column;
    stripe.high = (double)column + 1.0;
    double y = lb_portal_find(&stripe, y0, y1, u.y, &row);
    lb_vec3 local = lb_portal_direction(lb_vec2_make((float)(x / side), (float)(y / side)), &stretch);
    if (!(stretch > 0.0f))
        return lb_color_grey(0.0f);
    *pdf = lb_portal_density(light, sums, &window, column, row) / stretch;
    *direction = lb_normalize(lb_transform_vector(&light->world_from_light, local));
    return lb_portal_texel(scene, light, column, row LB_AND_QUAD(quad));
}

#endif
