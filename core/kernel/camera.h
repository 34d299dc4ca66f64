/* The cameras: rays through points of the film. */
#ifndef LB_CORE_KERNEL_CAMERA_H
#define LB_CORE_KERNEL_CAMERA_H

#include "core/kernel/environment.h"
#include "core/kernel/lens.h"
#include "core/kernel/move.h"
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

/* A ray of camera space that sees the point (x, y) of the film, [0,1]^2 from its upper left corner; for all cameras but
 * the realistic one. Its direction is of any length. */
LB_INLINE void lb_camera_local(const lb_camera *camera, float x, float y, lb_vec2 lens_u, lb_vec3 *origin,
                               lb_vec3 *direction)
{
    *origin = lb_vec3_make(0.0f, 0.0f, 0.0f);
    *direction = lb_vec3_make(camera->screen[0] + x * (camera->screen[1] - camera->screen[0]),
                              camera->screen[3] + y * (camera->screen[2] - camera->screen[3]), 1.0f);
    if (camera->kind >= LB_CAMERA_EQUIRECTANGULAR)
        *direction = lb_camera_round_direction(camera, x, y);
    if (camera->lens_radius > 0.0f) {
        /* What lies in the plane of focus is seen in the same place from all of the lens. */
        lb_vec2 lens = lb_sample_disk(lens_u);
        *origin = lb_vec3_make(camera->lens_radius * lens.x, camera->lens_radius * lens.y, 0.0f);
        bool parallel = camera->kind == LB_CAMERA_ORTHOGRAPHIC;
        float focal = camera->focal_distance;
        /* pbrt's orthographic rays begin on the lens too, which stands around the camera's place. */
        lb_vec3 focus =
            parallel ? lb_vec3_make(direction->x, direction->y, focal) : lb_scale(*direction, focal);
        *direction = lb_sub(focus, *origin);
    } else if (camera->kind == LB_CAMERA_ORTHOGRAPHIC) {
        *origin = lb_vec3_make(direction->x, direction->y, 0.0f);
        *direction = lb_vec3_make(0.0f, 0.0f, 1.0f);
    }
}

LB_INLINE lb_ray lb_camera_place(const lb_transform *world_from_camera, lb_vec3 origin, lb_vec3 direction)
{
    lb_ray ray;
    ray.origin = lb_transform_point(world_from_camera, origin);
    ray.direction = lb_normalize(lb_transform_vector(world_from_camera, direction));
    ray.t_max = LB_INFINITY;
    ray.from = 0;
    ray.from_instance = LB_NONE;
    ray.time = 0.0f;
    return ray;
}

/* The ray through `film_position`, in pixels of the full film from its upper left corner, and the point of the lens
 * that lens_u in [0,1)^2 stands for, of a camera that stands still and is not realistic. Its direction is a unit
 * vector, so that t is a distance. */
LB_FUNCTION lb_ray lb_camera_ray(const lb_scene *scene, lb_vec2 film_position, lb_vec2 lens_u)
{
    lb_vec3 origin, direction;
    float x = film_position.x / (float)scene->film.full_width;
    float y = film_position.y / (float)scene->film.full_height;
    lb_camera_local(&scene->camera, x, y, lens_u, &origin, &direction);
    return lb_camera_place(&scene->camera.world_from_camera, origin, direction);
}

/* The same of any camera, at a time (lb_ray.time), and in *weight how much of the light that comes along the ray the
 * film gets: 1 unless it is realistic. */
LB_SELDOM lb_ray lb_camera_ray_at(const lb_scene *scene, lb_vec2 film_position, lb_vec2 lens_u, float time,
                                  float *weight)
{
    const lb_camera *camera = &scene->camera;
    lb_vec3 origin, direction;
    float x = film_position.x / (float)scene->film.full_width;
    float y = film_position.y / (float)scene->film.full_height;
    lb_ray ray;
    lb_pose pose;
    *weight = 1.0f;
    pose.out = camera->world_from_camera;
    if (camera->kind == LB_CAMERA_REALISTIC)
        *weight = lb_lens_ray(scene, x, y, lens_u, &origin, &direction);
    else
        lb_camera_local(camera, x, y, lens_u, &origin, &direction);
    if (camera->move != 0)
        lb_move_pose(scene, camera->move, time, &pose);
    ray = lb_camera_place(&pose.out, origin, direction);
    ray.t_max = *weight == 0.0f ? 0.0f : LB_INFINITY;
    ray.time = time;
    return ray;
}

#endif
