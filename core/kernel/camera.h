/* The cameras: rays through points of the film. */
#ifndef LB_CORE_KERNEL_CAMERA_H
#define LB_CORE_KERNEL_CAMERA_H

#include "core/kernel/environment.h"
#include "core/kernel/sampling.h"
#include "core/kernel/scene.h"

/* The direction, in camera space, that a camera for all directions sees at (x, y) of [0,1]^2, a little beyond which
 * filters may reach. */
LB_SELDOM lb_vec3 lb_camera_round_direction(const lb_camera *camera, float x, float y)
{
    if (camera->kind == LB_CAMERA_EQUIRECTANGULAR) {
        float sine, cosine, s, c;
        lb_sincos(LB_PI * y, &sine, &cosine);
        lb_sincos(2.0f * LB_PI * x, &s, &c);
        return lb_vec3_make(sine * c, cosine, sine * s);
    }
    /* Over an edge of the octahedron's square lies the same edge, the other way round. */
    if (x < 0.0f || x > 1.0f) {
        x = x < 0.0f ? -x : 2.0f - x;
        y = 1.0f - y;
    }
    if (y < 0.0f || y > 1.0f) {
        x = 1.0f - x;
        y = y < 0.0f ? -y : 2.0f - y;
    }
    lb_vec3 direction = lb_octahedral_direction(lb_vec2_make(x, y));
    return lb_vec3_make(direction.x, direction.z, direction.y);
}

/* The ray through `film_position`, in pixels of the full film from its upper left corner, and the point of the
 * lens that lens_u in [0,1)^2 stands for. Its direction is a unit vector, so that t is a distance. */
LB_FUNCTION lb_ray lb_camera_ray(const lb_scene *scene, lb_vec2 film_position, lb_vec2 lens_u)
{
    const lb_camera *camera = &scene->camera;
    float x = film_position.x / (float)scene->film.full_width;
    float y = film_position.y / (float)scene->film.full_height;
    lb_vec3 origin = lb_vec3_make(0.0f, 0.0f, 0.0f);
    lb_vec3 direction = lb_vec3_make(camera->screen[0] + x * (camera->screen[1] - camera->screen[0]),
                                     camera->screen[3] + y * (camera->screen[2] - camera->screen[3]), 1.0f);
    if (camera->kind >= LB_CAMERA_EQUIRECTANGULAR)
        direction = lb_camera_round_direction(camera, x, y);
    if (camera->lens_radius > 0.0f) {
        /* What lies in the plane of focus is seen in the same place from all of the lens. */
        lb_vec2 lens = lb_sample_disk(lens_u);
        origin = lb_vec3_make(camera->lens_radius * lens.x, camera->lens_radius * lens.y, 0.0f);
        bool parallel = camera->kind == LB_CAMERA_ORTHOGRAPHIC;
        float focal = camera->focal_distance;
        /* pbrt's orthographic rays begin on the lens too, which stands around the camera's place. */
        lb_vec3 focus = parallel ? lb_vec3_make(direction.x, direction.y, focal) : lb_scale(direction, focal);
        direction = lb_sub(focus, origin);
    } else if (camera->kind == LB_CAMERA_ORTHOGRAPHIC) {
        origin = lb_vec3_make(direction.x, direction.y, 0.0f);
        direction = lb_vec3_make(0.0f, 0.0f, 1.0f);
    }
    lb_ray ray;
    ray.origin = lb_transform_point(&camera->world_from_camera, origin);
    ray.direction = lb_normalize(lb_transform_vector(&camera->world_from_camera, direction));
    ray.t_max = LB_INFINITY;
    ray.from = 0;
    ray.from_instance = LB_NONE;
    return ray;
}

#endif
