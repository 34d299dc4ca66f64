/* Ambient occlusion, as pbrt-v4's integrator of that name: how much of the hemisphere over what a sample sees is open
 * up to a distance. The state machine is that of a path, which ends at its first surface. Its shadow ray is stopped by
 * whatever has a surface, interfaces and glass too, and there are no lights. */
#ifndef LB_CORE_KERNEL_INTEGRATORS_OCCLUSION_H
#define LB_CORE_KERNEL_INTEGRATORS_OCCLUSION_H

#include "core/kernel/integrators/path.h"

/* A direction of the hemisphere around n; *weight: what the sky brings from there, so that an open one brings 1. */
LB_INLINE lb_vec3 lb_occlusion_direction(const lb_integrator *integrator, lb_vec3 n, lb_vec2 u, float *weight)
{
    lb_vec3 s, t, local = integrator->cosine ? lb_sample_cosine(u) : lb_vector_around(1.0f - u.x, u.y);
    lb_basis(n, &s, &t);
    *weight = integrator->cosine ? 1.0f : 2.0f * local.z;
    return lb_normalize(lb_add_scaled(lb_add_scaled(lb_scale(s, local.x), t, local.y), n, local.z));
}

/* What lb_path_shade is to a path. True: an interface, behind which it goes on. */
LB_FUNCTION bool lb_occlusion_shade(const lb_scene *scene, lb_path *path, const lb_hit *hit,
                                    lb_shadow *shadow, lb_counters *counters)
{
    shadow->active = 0;
    if (hit->primitive.shape == LB_NONE)
        return false;
    const lb_shape *shape = lb_hit_shape(scene, hit);
    lb_surface surface;
    counters->shaded++;
    lb_surface_make(scene, shape, &path->ray, hit, &surface);
    if (LB_ARRAY(scene, materials, lb_material)[shape->material].kind == LB_MATERIAL_INTERFACE) {
        lb_surface_leave(shape, &surface, hit, path->ray.direction, &path->ray);
        return ++path->surfaces < LB_PATH_SURFACES;
    }
    lb_vec3 n = lb_dot(surface.ng, path->ray.direction) > 0.0f ? lb_negate(surface.ng) : surface.ng;
    float weight;
    lb_vec2 u = lb_path_draw_2d(path, LB_DIMENSION_DIRECTION);
    lb_vec3 direction = lb_occlusion_direction(&scene->integrator, n, u, &weight);
    lb_surface_leave(shape, &surface, hit, direction, &shadow->ray);
    shadow->ray.t_max = scene->integrator.reach;
    shadow->ray.time = path->ray.time;
    shadow->contribution =
        lb_color_scale(lb_color_mul(path->throughput, lb_color_of_plain(scene->integrator.white)), weight);
    shadow->medium = LB_NONE;
    shadow->surfaces = 0;
    shadow->ratio = 0.0f;
    shadow->active = 1;
    return false;
}

#endif
