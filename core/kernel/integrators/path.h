/* The path tracer: light is followed backwards from the film, with light sampling at every vertex (next-event
 * estimation), multiple importance sampling and Russian roulette, as pbrt-v4's path integrator does and, for media that
 * only absorb, its volpath integrator. It is a state machine, so that a CPU may follow one path to its end and a GPU
 * many paths in step:
 *
 *     lb_path_prepare, lb_path_aim -> (closest hit of path.ray -> lb_path_shade -> shadow ray -> lb_path_light) ...
 *
 * All of it is a function of scene, pixel and sample. The radiance is summed in the order in which the path meets
 * light. */
#ifndef LB_CORE_KERNEL_INTEGRATORS_PATH_H
#define LB_CORE_KERNEL_INTEGRATORS_PATH_H

#include "core/kernel/beer.h"
#include "core/kernel/materials/dispersion.h"
#include "core/kernel/integrators/path_start.h"
#include "core/kernel/lights/light_tree.h"

/* What is left of light after a way through a medium that only absorbs, or through none (LB_NONE). The other media are
 * handled by core/kernel/integrators/volume.h. */
LB_OFTEN lb_color lb_medium_passes(const lb_scene *scene, uint32_t medium, float distance, lb_color light)
{
    if (medium == LB_NONE)
        return light;
    lb_color sigma = lb_color_of_plain(LB_ARRAY(scene, media, lb_medium)[medium].beer);
    return lb_color_mul(light, lb_beer_lanes(sigma, distance));
}

/* Adds the light that the path's ray has met, weighted against light sampling, which draws it with the density
 * `light_pdf`. */
LB_INLINE void lb_path_add(lb_path *path, lb_color light, float light_pdf LB_AND_GROUP(uint32_t group))
{
    float weight = path->pdf > 0.0f ? lb_power_heuristic(path->pdf, light_pdf) : 1.0f;
    lb_color brought = lb_color_scale(lb_color_mul(path->throughput, light), weight);
    path->radiance = lb_color_add(path->radiance, brought);
    LB_GROUP_ADD(path, group, brought);
}

/* Where the vertex is that sent the path's ray. */
LB_INLINE lb_vec3 lb_path_from(const lb_path *path)
{
    return lb_add_scaled(path->ray.origin, path->ray.direction, -path->travelled);
}

/* The probability with which the vertex that sent the path's ray chooses the light, where the scene has a tree. */
LB_FUNCTION float lb_path_chance_by_tree(const lb_scene *scene, const lb_path *path, uint32_t light)
{
    lb_light_place place;
    place.point = lb_path_from(path);
    place.normal = path->normal;
    place.sides = path->sides;
    return lb_light_chance_by_tree(scene, &place, light);
}

/* The same for every scene. */
LB_INLINE float lb_path_light_chance(const lb_scene *scene, const lb_path *path, uint32_t light)
{
    return scene->light_nodes.count == 0 ? lb_light_probability(scene, light)
                                         : lb_path_chance_by_tree(scene, path, light);
}

/* Adds the lights at infinity, for a ray that hit nothing. */
LB_JOINED void lb_path_escape(const lb_scene *scene, lb_path *path)
{
    const uint32_t *infinite = LB_ARRAY(scene, infinite_lights, uint32_t);
    if (!lb_path_sees_light(path))
        return;
    for (uint32_t i = 0; i < scene->infinite_lights.count; i++) {
        const lb_light *light = LB_ARRAY(scene, lights, lb_light) + infinite[i];
        float pdf;
        lb_color radiance = lb_infinite_radiance(scene, light, &path->ray, path->travelled, &pdf);
        lb_path_add(path, radiance,
                    pdf * lb_path_light_chance(scene, path, infinite[i])
                              LB_AND_GROUP(lb_light_group(scene, infinite[i])));
    }
}

/* The density by solid angle with which light sampling at the vertex that sent the path's ray would have drawn the
 * place on the light that the ray has hit. */
LB_FUNCTION float lb_path_area_pdf(const lb_scene *scene, const lb_path *path, const lb_shape *shape,
                                   const lb_surface *surface, const lb_hit *hit)
{
    uint32_t number = shape->first_light + hit->primitive.primitive;
    const lb_light *light = LB_ARRAY(scene, lights, lb_light) + number;
    float chance = lb_path_light_chance(scene, path, number);
    return chance * lb_area_pdf(light, shape, surface, lb_path_from(path), path->ray.direction,
                                path->travelled + hit->t);
}

/* Adds the light of the surface that was hit. */
LB_JOINED void lb_path_emission(const lb_scene *scene, lb_path *path, const lb_shape *shape,
                                const lb_surface *surface, const lb_hit *hit)
{
    uint32_t number = shape->first_light + hit->primitive.primitive;
    const lb_light *light = LB_ARRAY(scene, lights, lb_light) + number;
    float pdf = path->pdf > 0.0f ? lb_path_area_pdf(scene, path, shape, surface, hit) : 0.0f;
    lb_color radiance = lb_area_radiance(scene, light, shape, surface, &path->ray, hit);
    if (!lb_color_is_black(radiance))
        lb_path_add(path, radiance, pdf LB_AND_GROUP(lb_light_group(scene, number)));
}

/* Sends the path on from the surface, in this direction. */
LB_INLINE void lb_path_leave(const lb_scene *scene, lb_path *path, const lb_shape *shape,
                             const lb_surface *surface, const lb_hit *hit, lb_vec3 direction)
{
    lb_surface_leave(shape, surface, hit, direction, &path->ray);
    if (scene->integrator.media)
        path->medium = lb_surface_medium(shape, surface, direction, path->medium);
}

/* A shadow ray ends at this part of the way to its light, so that it does not hit the light itself, as in pbrt. */
#define LB_SHADOW_END (1.0f - 1e-4f)

/* Turns a shadow ray, which begins a little beside `from`, towards the same point of its light. A curve is so thick
 * that the ray could miss the light otherwise, or meet it too early. */
LB_SELDOM void lb_shadow_aim(lb_vec3 from, lb_vec3 direction, float distance, lb_ray *ray)
{
    lb_vec3 way = lb_sub(lb_add_scaled(from, direction, distance), ray->origin);
    float length = lb_length(way);
    if (!(length > 0.0f) || !lb_is_finite(length))
        return;
    ray->direction = lb_scale(way, 1.0f / length);
    ray->t_max = length * LB_SHADOW_END;
}

/* For scenes in which media do more than absorb. The weight of a light sample against scattering, which would have
 * drawn its direction with the density `pdf`, has to wait for what media do to both densities
 * (core/kernel/integrators/volume.h): it is 1 for now. */
LB_SELDOM float lb_path_weigh_later(const lb_light_sample *sample, float pdf, lb_shadow *shadow)
{
    shadow->ratio = sample->delta ? 0.0f : pdf / sample->pdf;
    return 1.0f;
}

/* Chooses a light for the surface where the scene has a tree, and notes for whom. */
LB_JOINED uint32_t lb_path_pick_by_tree(const lb_scene *scene, lb_path *path, const lb_surface *surface,
                                        const lb_bsdf *bsdf, lb_vec2 *u, float *probability)
{
    lb_light_place place;
    place.point = surface->position;
    place.normal = path->normal = bsdf->wo.z < 0.0f ? lb_negate(bsdf->n) : bsdf->n;
    place.sides = path->sides = lb_bsdf_sides(bsdf);
    return lb_light_pick_by_tree(scene, &place, u, probability);
}

/* Chooses a light and a direction towards it, and prepares the shadow ray. */
LB_FUNCTION void lb_path_sample_light(const lb_scene *scene, lb_path *path, const lb_shape *shape,
                                      const lb_surface *surface, const lb_hit *hit, const lb_bsdf *bsdf,
                                      lb_shadow *shadow)
{
    lb_light_sample sample;
    lb_vec2 u = lb_path_draw_2d(path, LB_DIMENSION_LIGHT);
    float probability, pdf;
    uint32_t number = scene->light_nodes.count == 0
                          ? lb_light_choose(scene, &u, &probability)
                          : lb_path_pick_by_tree(scene, path, surface, bsdf, &u, &probability);
    if (number == LB_NONE || !(probability > 0.0f))
        return;
    LB_QUAD_COPY(&sample, &path->ray);
    lb_light_draw(scene, number, surface->position, u, &sample);
    if (!(sample.pdf > 0.0f))
        return;
    sample.pdf *= probability;
    lb_color f = lb_bsdf_evaluate(bsdf, sample.direction, &pdf);
    if (lb_color_is_black(f))
        return;
    pdf = LB_TRAIL_DENSITY(bsdf, sample.direction, pdf);
    float weight = sample.delta ? 1.0f : lb_power_heuristic(sample.pdf, pdf);
    if (scene->any_volume)
        weight = lb_path_weigh_later(&sample, pdf, shadow);
    shadow->contribution =
        lb_color_scale(lb_color_mul(lb_color_mul(path->throughput, f), sample.radiance), weight / sample.pdf);
    lb_surface_leave(shape, surface, hit, sample.direction, &shadow->ray);
    shadow->ray.t_max = sample.distance * LB_SHADOW_END;
    shadow->ray.time = path->ray.time;
    LB_QUAD_COPY(&shadow->ray, &path->ray);
    if (shape->kind == LB_SHAPE_CURVES)
        lb_shadow_aim(surface->position, sample.direction, sample.distance, &shadow->ray);
    LB_GROUP_NOTE(shadow, scene, number);
    shadow->active = 1;
    shadow->surfaces = 0;
    shadow->medium = LB_NONE;
    if (scene->integrator.media) {
        shadow->medium = lb_surface_medium(shape, surface, sample.direction, path->medium);
        if (!scene->any_interface)
            shadow->contribution =
                lb_medium_passes(scene, shadow->medium, sample.distance, shadow->contribution);
    }
}

/* Paths with less throughput than this play Russian roulette. pbrt's do below 1: a vertex more costs less here than the
 * noise of ending paths so often (bench/results/quality.md). */
#define LB_ROULETTE_BEGINS 0.25f

/* Plays Russian roulette. False: the path ends. It goes on with the square root of its throughput over that at which
 * roulette begins. */
LB_FUNCTION bool lb_path_survives(lb_path *path)
{
    float largest = lb_color_max(path->throughput);
    if (!(largest > 0.0f))
        return false;
    largest *= path->eta_scale;
    if (largest >= LB_ROULETTE_BEGINS || path->depth < 2)
        return true;
    float chance = lb_sqrt(largest * (1.0f / LB_ROULETTE_BEGINS));
    path->depth--; /* the dimension is one of the vertex that has just scattered the path */
    float u = lb_path_draw_1d(path, LB_DIMENSION_ROULETTE);
    path->depth++;
    if (u >= chance)
        return false;
    path->throughput = lb_color_scale(path->throughput, 1.0f / chance);
    return true;
}

/* Draws the path's next direction. False: the path ends. */
LB_FUNCTION bool lb_path_scatter(const lb_scene *scene, lb_path *path, const lb_shape *shape,
                                 const lb_surface *surface, const lb_hit *hit, const lb_bsdf *bsdf)
{
    lb_scatter scatter;
    float lobe = 0.0f;
    if (bsdf->kind != LB_MATERIAL_DIFFUSE) /* it has but one lobe, and most vertices are of it */
        lobe = lb_path_draw_1d(path, LB_DIMENSION_LOBE);
    lb_vec2 u = lb_path_draw_2d(path, LB_DIMENSION_DIRECTION);
    if (!LB_TRAIL_SCATTER(path, bsdf, lobe, u, &scatter))
        return false;
    path->throughput = lb_color_mul(path->throughput, scatter.weight);
    path->pdf = scatter.pdf;
    path->travelled = 0.0f;
    if (scatter.pdf > 0.0f)
        path->flags |= LB_PATH_ROUGH;
    if (scatter.transmitted)
        path->eta_scale *= scatter.eta * scatter.eta;
    lb_path_leave(scene, path, shape, surface, hit, scatter.direction);
    path->depth++;
    if (!lb_path_survives(path))
        return false;
    LB_TRAIL_KEEP(path);
    return true;
}

/* Makes the scattering function diffuse, with the albedo that one sample of it estimates: on average it is as bright as
 * before, seen from where it is seen from (pbrt's option forcediffuse). */
LB_SELDOM_JOINED void lb_path_force_diffuse(const lb_path *path, lb_bsdf *bsdf)
{
    lb_sampler own = lb_sampler_of_albedo(&path->sampler, path->depth);
    lb_scatter scatter;
    float lobe = lb_sampler_1d(&own);
    bool sampled = lb_bsdf_sample(bsdf, lobe, lb_sampler_2d(&own), &scatter);
    bsdf->a = sampled ? scatter.weight : lb_color_grey(0.0f);
    bsdf->kind = LB_MATERIAL_DIFFUSE;
}

#ifdef LB_SPECTRAL

/* The number of the path's wavelength among all. Where it still has four, it goes on with one of them, as each of the
 * four would go another way (pbrt). */
LB_SELDOM uint32_t lb_path_wavelength(const lb_scene *scene, lb_path *path)
{
    (void)scene;
    if (path->flags < LB_PATH_WAVELENGTH) {
        lb_sampler own = lb_sampler_of_wavelength(&path->sampler);
        uint32_t lane = (uint32_t)lb_to_int(lb_sampler_1d(&own) * (float)(LB_QUADS * 4)) & 3u;
        float kept[4] = {0.0f, 0.0f, 0.0f, 0.0f};
        kept[lane] = 4.0f * lb_color_lane(path->throughput, lane);
        path->flags += (lane + 1) * LB_PATH_WAVELENGTH;
        path->throughput = lb_color_of_lanes(kept);
    }
    return path->ray.quad * 4 + path->flags / LB_PATH_WAVELENGTH - 1;
}

#else

/* The number of the path's wavelength. Where it has none yet it gets one. */
LB_SELDOM_JOINED uint32_t lb_path_wavelength(const lb_scene *scene, lb_path *path)
{
    if (path->flags < LB_PATH_WAVELENGTH) {
        lb_sampler own = lb_sampler_of_wavelength(&path->sampler);
        uint32_t number = lb_wavelength_draw(lb_sampler_1d(&own));
        path->flags += (number + 1) * LB_PATH_WAVELENGTH;
        path->throughput =
            lb_color_mul(path->throughput, LB_ARRAY(scene, wavelengths, lb_wavelength)[number].brings);
        path->before = path->radiance;
        path->radiance = lb_color_grey(0.0f);
        LB_GROUPS_SET_ASIDE(scene, path);
        LB_TRAIL_FORGET(path);
    }
    return path->flags / LB_PATH_WAVELENGTH - 1;
}

#endif

/* Changes the scattering function where the path's wavelength or an option wants it (lb_scene.any_adjusted). */
LB_SELDOM_JOINED void lb_path_adjust(const lb_scene *scene, lb_path *path, lb_bsdf *bsdf)
{
    if (bsdf->kind != LB_MATERIAL_MEASURED && bsdf->material->indices.count != 0) {
        const float *indices = LB_ARRAY(scene, tables, float) + bsdf->material->indices.offset;
        lb_bsdf_set_index(bsdf, indices[lb_path_wavelength(scene, path)]);
    }
    if (scene->integrator.force_diffuse)
        lb_path_force_diffuse(path, bsdf);
}

#ifdef LB_SPECTRAL

/* The light of a path that has ended, as the film gets it. */
LB_INLINE lb_rgb lb_path_result(const lb_scene *scene, const lb_path *path)
{
    return lb_color_seen(scene, path->ray.quad, path->radiance);
}

#else

/* The light of a path with a wavelength, as the film gets it. */
LB_SELDOM lb_rgb lb_path_shown(const lb_scene *scene, const lb_path *path)
{
    uint32_t number = path->flags / LB_PATH_WAVELENGTH - 1;
    float light = lb_color_sum(path->radiance);
    lb_rgb shows = LB_ARRAY(scene, wavelengths, lb_wavelength)[number].shows;
    return lb_rgb_add(path->before, lb_rgb_scale(shows, light));
}

/* The light of a path that has ended, as the film gets it. */
LB_INLINE lb_rgb lb_path_result(const lb_scene *scene, const lb_path *path)
{
    return path->flags < LB_PATH_WAVELENGTH ? path->radiance : lb_path_shown(scene, path);
}

#endif

/* Goes on behind an interface, in the same direction. False: the path has been through too many. */
LB_FUNCTION bool lb_path_pass(const lb_scene *scene, lb_path *path, const lb_shape *shape,
                              const lb_surface *surface, const lb_hit *hit)
{
    path->travelled += hit->t;
    lb_path_leave(scene, path, shape, surface, hit, path->ray.direction);
    return ++path->surfaces < LB_PATH_SURFACES;
}

/* Does the shape emit light that counts where the path has hit it? */
LB_INLINE bool lb_path_meets_light(const lb_path *path, const lb_shape *shape, const lb_hit *hit)
{
    return shape->first_light != LB_NONE && hit->instance == LB_NONE && lb_path_sees_light(path);
}

/* Is the path's ray to meet light alone, as it is a scout or the path has as many vertices as it may have? */
LB_INLINE bool lb_path_ends(const lb_scene *scene, const lb_path *path)
{
    return path->depth >= scene->integrator.max_depth || lb_path_scouts(path) != 0;
}

/* Does what follows from the hit of path->ray: adds light that was met to path->radiance, sets `shadow`, and makes
 * path->ray the next ray. False: the path ends, but `shadow` counts all the same. Some questions are asked twice, as on
 * GPUs an answer that is kept across calls takes a register. */
LB_FUNCTION bool lb_path_shade(const lb_scene *scene, lb_path *path, const lb_hit *hit, lb_shadow *shadow,
                               lb_counters *counters)
{
    shadow->active = 0;
    LB_TRAIL_ARRIVE(path);
    bool escapes = hit->primitive.shape == LB_NONE;
    path->throughput =
        lb_medium_passes(scene, path->medium, escapes ? LB_INFINITY : hit->t, path->throughput);
    if (escapes) {
        lb_path_escape(scene, path);
        return false;
    }
    const lb_shape *shape = lb_hit_shape(scene, hit);
    bool passes = LB_ARRAY(scene, materials, lb_material)[shape->material].kind == LB_MATERIAL_INTERFACE;
    if (lb_path_ends(scene, path) && !lb_path_meets_light(path, shape, hit) && !passes)
        return false;
    counters->shaded++;
    lb_surface surface;
    lb_surface_make(scene, shape, &path->ray, hit, &surface);
    if (passes)
        return lb_path_pass(scene, path, shape, &surface, hit);
    if (lb_path_meets_light(path, shape, hit))
        lb_path_emission(scene, path, shape, &surface, hit);
    if (lb_path_ends(scene, path))
        return false;
    lb_bsdf bsdf;
    if (!lb_bsdf_make(scene, shape, &surface, &path->ray, hit, &path->flags, &bsdf))
        return false;
    if (scene->any_adjusted)
        lb_path_adjust(scene, path, &bsdf);
    LB_TRAIL_ENTER(scene, path, &bsdf, surface.position);
    if (!lb_bsdf_is_specular(&bsdf))
        lb_path_sample_light(scene, path, shape, &surface, hit, &bsdf, shadow);
    return lb_path_scatter(scene, path, shape, &surface, hit, &bsdf);
}

/* ---- shadow rays through interfaces ---- */

/* How far the shadow ray goes to its closest hit, or to its light. */
LB_INLINE float lb_shadow_distance(const lb_shadow *shadow, const lb_hit *hit)
{
    bool clear = hit->primitive.shape == LB_NONE;
    return clear ? shadow->ray.t_max * (1.0f / LB_SHADOW_END) : hit->t;
}

/* Takes the shadow ray past its closest hit. True: that was an interface, and the ray must be traced on. False: it is
 * decided, and `active` says whether its contribution counts. */
LB_JOINED bool lb_shadow_cross(const lb_scene *scene, lb_shadow *shadow, const lb_hit *hit)
{
    if (hit->primitive.shape == LB_NONE)
        return false;
    const lb_shape *shape = lb_hit_shape(scene, hit);
    if (LB_ARRAY(scene, materials, lb_material)[shape->material].kind != LB_MATERIAL_INTERFACE ||
        ++shadow->surfaces >= LB_PATH_SURFACES) {
        shadow->active = 0;
        return false;
    }
    lb_surface surface;
    lb_surface_make(scene, shape, &shadow->ray, hit, &surface);
    lb_surface_leave(shape, &surface, hit, shadow->ray.direction, &shadow->ray);
    shadow->ray.t_max -= hit->t;
    if (scene->integrator.media)
        shadow->medium = lb_surface_medium(shape, &surface, shadow->ray.direction, shadow->medium);
    return shadow->ray.t_max > 0.0f;
}

/* The same with what the medium on the way leaves of its light, for scenes with interfaces (lb_scene.any_interface). */
LB_FUNCTION bool lb_shadow_step(const lb_scene *scene, lb_shadow *shadow, const lb_hit *hit)
{
    shadow->contribution =
        lb_medium_passes(scene, shadow->medium, lb_shadow_distance(shadow, hit), shadow->contribution);
    return lb_shadow_cross(scene, shadow, hit);
}

/* Adds the contribution of a shadow ray that has reached its light. */
LB_INLINE void lb_path_light(lb_path *path, const lb_shadow *shadow)
{
    path->radiance = lb_color_add(path->radiance, shadow->contribution);
    LB_GROUP_ADD(path, shadow->group, shadow->contribution);
}

#endif
