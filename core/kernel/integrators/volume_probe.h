/* Paths below the surfaces of subsurface materials: from where they go in to where they come out again. */
#ifndef LB_CORE_KERNEL_INTEGRATORS_VOLUME_PROBE_H
#define LB_CORE_KERNEL_INTEGRATORS_VOLUME_PROBE_H

#include "core/kernel/integrators/volume_state.h"

/* After a hit of `ray` from which the path goes on: where it went into a subsurface material, the search for where it
 * comes out begins. Before the hit it was in `medium`, and its eta_scale was `scale`. False: it ends. */
LB_SELDOM bool lb_volume_enter(const lb_scene *scene, const lb_ray *ray, const lb_hit *hit, uint32_t medium,
                               float scale, lb_path *path, lb_volume *volume)
{
    const lb_shape *shape = lb_hit_shape(scene, hit);
    const lb_material *materials = LB_ARRAY(scene, materials, lb_material),
                      *material = materials + shape->material;
    if (material->kind != LB_MATERIAL_SUBSURFACE && (material->flags & LB_MATERIAL_HOLDS_SUBSURFACE) == 0)
        return true;
    lb_bssrdf_probe *probe = &volume->probe;
    lb_surface surface;
    lb_surface_make(scene, shape, ray, hit, &surface);
    if (material->kind == LB_MATERIAL_MIX) {
        lb_footprint footprint;
        lb_material_footprint(scene, material, shape, &surface, ray, hit, &footprint);
        material = lb_material_choose(scene, material, shape, &surface, ray, hit, &footprint);
    }
    if (material->kind != LB_MATERIAL_SUBSURFACE ||
        (path->eta_scale == scale && material->eta.value.r != 1.0f)) /* reflected */
        return true;
    lb_texture_place place = lb_material_place(scene, material, shape, &surface, ray, hit);
    probe->active = 1;
    probe->material = (uint32_t)(material - materials);
    probe->exits = 0;
    probe->from = surface.position;
    probe->n = surface.ns;
    probe->bssrdf = lb_bssrdf_make(scene, material, &place);
    path->medium = medium;
    path->eta_scale = scale;
    lb_sampler_to_way(&path->sampler, volume->ways);
    volume->ways += 2;
    lb_vec2 choice = lb_sampler_2d(&path->sampler), point = lb_sampler_2d(&path->sampler);
    return lb_bssrdf_probe_aim(probe, lb_color_choose(volume->chances, choice.y), choice.x, point,
                               &path->ray);
}

/* The path comes out where the search has ended, at a vertex whose light is sampled. False: it ends. */
LB_FUNCTION bool lb_volume_exit(const lb_scene *scene, lb_path *path, lb_volume *volume, lb_shadow *shadow,
                                lb_counters *counters)
{
    const lb_bssrdf_probe *probe = &volume->probe;
    const lb_shape *shape = lb_hit_shape(scene, &probe->hit);
    lb_surface surface;
    lb_color spread, density;
    lb_bsdf bsdf;
    counters->shaded++;
    lb_surface_make(scene, shape, &probe->ray, &probe->hit, &surface);
    lb_bssrdf_probe_weigh(probe, &surface, &spread, &density);
    path->pdf = 0.0f;
    if (!lb_volume_advance(path, volume, lb_color_scale(spread, (float)probe->exits), density,
                           lb_color_grey(1.0f)))
        return false;
    volume->chances = volume->lights = lb_volume_balance(path->throughput);
    volume->shadow_chances = volume->shadow_lights = volume->chances;
    lb_leaving_make(LB_ARRAY(scene, materials, lb_material) + probe->material, surface.ns, &bsdf);
    /* In and out count as one vertex, but must not draw the same numbers. */
    path->depth--;
    lb_sampler_branch(&path->sampler, volume->ways);
    LB_NUMBERS_DRAW(path);
    path->ray.t_max = LB_INFINITY;
    LB_TRAIL_ENTER(scene, path, &bsdf, surface.position);
    lb_path_sample_light(scene, path, shape, &surface, &probe->hit, &bsdf, shadow);
    return lb_path_scatter(scene, path, shape, &surface, &probe->hit, &bsdf);
}

/* Takes the search for an exit over the hit of the path's ray. False: the path ends. */
LB_SELDOM bool lb_volume_probe(const lb_scene *scene, const lb_hit *hit, lb_path *path, lb_volume *volume,
                               lb_shadow *shadow, lb_counters *counters)
{
    if (lb_bssrdf_probe_pass(scene, hit, &volume->random, &volume->probe, &path->ray))
        return ++path->surfaces < LB_PATH_SURFACES;
    volume->probe.active = 0;
    return volume->probe.exits != 0 && lb_volume_exit(scene, path, volume, shadow, counters);
}

#endif
