/* How a path begins: with the camera's ray of its sample or, where the outline of a light runs through its pixel, with
 * scouts, which are rays of the camera that meet lights alone. A pixel with a small bright light has noise by which of
 * its samples happen to hit that, often more than by all else, and a ray costs little beside a whole path. So in such a
 * pixel the lights that the camera sees, the sky among them, count by what LB_SCOUTS rays meet on average, and not by
 * what the path's own ray meets. */
#ifndef LB_CORE_KERNEL_INTEGRATORS_PATH_START_H
#define LB_CORE_KERNEL_INTEGRATORS_PATH_START_H

#include "core/kernel/camera/camera.h"
#include "core/kernel/film/film.h"
#include "core/kernel/integrators/path_state.h"

/* When the path's sample is taken, while the shutter is open (lb_ray.time). */
LB_SELDOM float lb_path_time(const lb_scene *scene, const lb_path *path)
{
    lb_sampler own = lb_sampler_of_time(&path->sampler);
    return lb_clamp(lb_mix(lb_sampler_1d(&own), scene->shutter[0], scene->shutter[1]), 0.0f, 1.0f);
}

/* Sets the camera's ray, and how much of its light the film gets, where something moves or the camera is realistic. */
LB_SELDOM void lb_path_aim_seldom(const lb_scene *scene, lb_vec2 film, lb_vec2 lens, lb_path *path)
{
    float weight, time = scene->any_motion ? lb_path_time(scene, path) : 0.0f;
    path->ray = lb_camera_ray_at(scene, film, lens, time, &weight);
    path->throughput = lb_color_grey(weight);
}

/* ---- scouts ---- */

/* How many scouts come before each path of such a pixel. It is a power of two, so that those of all of a pixel's
 * samples together are spread as evenly as so many samples would be. */
#define LB_SCOUT_BITS 3u
#define LB_SCOUTS     (1u << LB_SCOUT_BITS)

/* How many scouts are still to come before the path, with the one that is its ray now. */
LB_INLINE uint32_t lb_path_scouts(const lb_path *path)
{
    return path->flags / LB_PATH_SCOUT & LB_PATH_SCOUTS_MOST;
}

/* Does the light count that the path's ray meets? Not where scouts have met it already. */
LB_INLINE bool lb_path_sees_light(const lb_path *path)
{
    return path->depth != 0 || path->flags % LB_PATH_WAVELENGTH != LB_PATH_SCOUTED;
}

/* Does the outline of a light run through the path's pixel? */
LB_INLINE bool lb_path_on_outline(const lb_scene *scene, const lb_path *path)
{
    return lb_outline_at(scene,
                         lb_film_place(&scene->film, (uint32_t)path->normal.x, (uint32_t)path->normal.y));
}

/* Sets the camera's ray through the path's pixel, by the sampler's next dimensions. Returns where that is. */
LB_OFTEN lb_filter_place lb_path_aim(const lb_scene *scene, lb_path *path)
{
    lb_filter_place place = lb_filter_sample(scene, lb_sampler_2d(&path->sampler));
    lb_vec2 lens = lb_vec2_make(0.5f, 0.5f);
    if (scene->camera.lens_radius > 0.0f)
        lens = lb_sampler_2d(&path->sampler);
    lb_vec2 film =
        lb_vec2_make(path->normal.x + 0.5f + place.offset.x, path->normal.y + 0.5f + place.offset.y);
    path->throughput = lb_color_grey(1.0f);
    path->pdf = 0.0f;
    path->travelled = 0.0f;
    path->surfaces = 0;
    if (scene->any_motion || scene->camera.kind == LB_CAMERA_REALISTIC)
        lb_path_aim_seldom(scene, film, lens, path);
    else
        path->ray = lb_camera_ray(scene, film, lens);
    if (lb_path_scouts(path) != 0)
        path->throughput = lb_color_scale(path->throughput, 1.0f / (float)LB_SCOUTS);
#ifdef LB_SPECTRAL
    /* The upper bits of the number choose the quad, so that a pixel's samples spread over all of them; the next two are
     * left for lb_path_wavelength. */
    lb_sampler own = lb_sampler_of_wavelength(&path->sampler);
    if (lb_path_scouts(path) != 0)
        own.sample <<= LB_SCOUT_BITS;
    path->ray.quad = (uint32_t)lb_to_int(lb_sampler_1d(&own) * (float)LB_QUADS);
#endif
    return place;
}

/* Sets the sampler to that of a scout: of sample number LB_SCOUTS times the path's, and on. */
LB_INLINE void lb_path_sample_scout(lb_path *path, uint32_t number)
{
    path->sampler.sample = path->sampler.sample >> LB_SCOUT_BITS | lb_reverse_bits(number);
    path->sampler.dimension = LB_DIMENSION_SCOUT;
}

/* Of a path that lb_path_shade has ended: was its ray a scout? Then that has met all that it could, and the path goes
 * on when it is aimed again: with the next one or, after the last, with the camera's ray of the sample. */
LB_INLINE bool lb_path_scout_on(lb_path *path)
{
    if (lb_path_scouts(path) == 0)
        return false;
    path->flags -= LB_PATH_SCOUT;
    path->sampler.sample <<= LB_SCOUT_BITS;
    path->sampler.dimension = LB_DIMENSION_FILM;
    if (lb_path_scouts(path) != 0)
        lb_path_sample_scout(path, LB_SCOUTS - lb_path_scouts(path));
    return true;
}

/* ---- the beginning ---- */

/* Prepares the path of sample number `sample` of the pixel (x, y), which is in pixels from the full film's upper left
 * corner. Its ray is set by lb_path_aim then. */
LB_INLINE void lb_path_prepare(const lb_scene *scene, uint32_t x, uint32_t y, uint32_t sample, lb_path *path)
{
    lb_sampler_begin(&path->sampler, &scene->integrator, x, y, sample);
    path->radiance = lb_color_grey(0.0f);
    path->eta_scale = 1.0f;
    path->medium = scene->integrator.media ? scene->camera.medium : LB_NONE;
    path->depth = 0;
    path->flags = 0;
    path->normal = lb_vec3_make((float)x, (float)y, 0.0f);
    LB_GROUPS_START(scene, path);
}

/* Has a path that is prepared begin with scouts where its pixel is to have some. */
LB_INLINE void lb_path_send_scouts(const lb_scene *scene, lb_path *path)
{
    if (!lb_path_on_outline(scene, path))
        return;
    path->flags = LB_PATH_SCOUTED + LB_SCOUTS * LB_PATH_SCOUT;
    lb_path_sample_scout(path, 0);
}

/* Starts a path with the camera's ray of its sample, and tells where that lies. */
LB_OFTEN void lb_path_start(const lb_scene *scene, uint32_t x, uint32_t y, uint32_t sample, lb_path *path,
                            lb_filter_place *place)
{
    lb_path_prepare(scene, x, y, sample, path);
    *place = lb_path_aim(scene, path);
}

/* The same, but with the first scout where its pixel is to have some. */
LB_INLINE void lb_path_begin(const lb_scene *scene, uint32_t x, uint32_t y, uint32_t sample, lb_path *path,
                             lb_filter_place *place)
{
    lb_path_prepare(scene, x, y, sample, path);
    lb_path_send_scouts(scene, path);
    *place = lb_path_aim(scene, path);
}

/* Draws all numbers of the vertex that the path's ray leads to, where they are drawn at once. A scout leads to none. */
LB_INLINE void lb_path_draw_all(lb_path *path)
{
    if (lb_path_scouts(path) == 0)
        LB_NUMBERS_DRAW(path);
}

/* Takes a path that has ended on where its ray was a scout. False: it has ended indeed. */
LB_INLINE bool lb_path_next_scout(const lb_scene *scene, lb_path *path)
{
    if (!lb_path_scout_on(path))
        return false;
    lb_path_aim(scene, path);
    return true;
}

#endif
