/* The perspective camera: rays through points of the film. */
#ifndef LB_CORE_KERNEL_CAMERA_H
#define LB_CORE_KERNEL_CAMERA_H

#include "core/kernel/sampling.h"
#include "core/kernel/scene.h"

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
    if (camera->lens_radius > 0.0f) {
        /* What lies in the plane of focus is seen in the same place from all of the lens. */
        lb_vec2 lens = lb_sample_disk(lens_u);
        origin = lb_vec3_make(camera->lens_radius * lens.x, camera->lens_radius * lens.y, 0.0f);
        direction = lb_sub(lb_scale(direction, camera->focal_distance), origin);
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
