/* The cameras, which make rays through points of the film. */
#ifndef LB_CORE_KERNEL_CAMERA_CAMERA_H
#define LB_CORE_KERNEL_CAMERA_CAMERA_H

#include "core/kernel/lights/environment.h"
#include "core/kernel/camera/lens.h"
#include "core/kernel/scene/move.h"
#include "core/kernel/sampling.h"
#include "core/kernel/scene/scene.h"
#include "core/kernel/scene/spectral.h"

/* The direction, in camera space, that a camera which sees all directions has at the point (x, y) of [0,1]^2. Filters
 * may reach a little beyond that square. */
LB_SELDOM lb_vec3 lb_camera_round_direction(const lb_camera *camera, float x, float y)
{
    switch ((enum lb_camera_kind)camera->kind) {
    case LB_CAMERA_EQUIRECTANGULAR: {
        float sine, cosine, s, c;
        lb_sincos(LB_PI * y, &sine, &cosine);
        lb_sincos(2.0f * LB_PI * x, &s, &c);
        return lb_vec3_make(sine * c, cosine, sine * s);
    }
    case LB_CAMERA_EQUAL_AREA:
    /* The others see one side of a plane alone. */
    case LB_CAMERA_PERSPECTIVE:
    case LB_CAMERA_ORTHOGRAPHIC:
    case LB_CAMERA_REALISTIC:
        break;
    }
    /* Beyond an edge of the octahedron's square the same edge continues, the other way round. */
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

/* The ray in camera space that sees the point (x, y) of the film, which is [0,1]^2 from its upper left corner. All
 * cameras but the realistic one are made so. The direction is of any length. */
LB_INLINE void lb_camera_local(const lb_camera *camera, float x, float y, lb_vec2 lens_u, lb_vec3 *origin,
                               lb_vec3 *direction)
{
    *origin = lb_vec3_make(0.0f, 0.0f, 0.0f);
    *direction = lb_vec3_make(camera->screen[0] + x * (camera->screen[1] - camera->screen[0]),
                              camera->screen[3] + y * (camera->screen[2] - camera->screen[3]), 1.0f);
    if (camera->kind >= LB_CAMERA_EQUIRECTANGULAR)
        *direction = lb_camera_round_direction(camera, x, y);
    if (camera->lens_radius > 0.0f) {
        /* What lies in the plane of focus is seen in the same place from every point of the lens. */
        lb_vec2 lens = lb_sample_disk(lens_u);
        *origin = lb_vec3_make(camera->lens_radius * lens.x, camera->lens_radius * lens.y, 0.0f);
        bool parallel = camera->kind == LB_CAMERA_ORTHOGRAPHIC;
        float focal = camera->focal_distance;
        /* pbrt's orthographic rays, too, begin on the lens, which stands around the camera's place. */
        lb_vec3 focus =
            parallel ? lb_vec3_make(direction->x, direction->y, focal) : lb_scale(*direction, focal);
        *direction = lb_sub(focus, *origin);
    } else if (camera->kind == LB_CAMERA_ORTHOGRAPHIC) {
        *origin = lb_vec3_make(direction->x, direction->y, 0.0f);
        *direction = lb_vec3_make(0.0f, 0.0f, 1.0f);
    }
}

/* Takes a ray from camera space to world space, with a direction of unit length. */
LB_INLINE lb_ray lb_camera_place(const lb_transform *world_from_camera, lb_vec3 origin, lb_vec3 direction)
{
    lb_ray ray;
    ray.origin = lb_transform_point(world_from_camera, origin);
    ray.direction = lb_normalize(lb_transform_vector(world_from_camera, direction));
    ray.t_max = LB_INFINITY;
    ray.from = 0;
    ray.from_instance = LB_NONE;
    ray.time = 0.0f;
    LB_QUAD_NONE(&ray);
    return ray;
}

/* The ray in world space through `film_position`, which is in pixels of the full film from its upper left corner, and
 * through the point of the lens that `lens_u` in [0,1)^2 stands for. The camera stands still and is not the realistic
 * one. The direction is of unit length, so that t is a distance. */
LB_FUNCTION lb_ray lb_camera_ray(const lb_scene *scene, lb_vec2 film_position, lb_vec2 lens_u)
{
    lb_vec3 origin, direction;
    float x = film_position.x / (float)scene->film.full_width;
    float y = film_position.y / (float)scene->film.full_height;
    lb_camera_local(&scene->camera, x, y, lens_u, &origin, &direction);
    return lb_camera_place(&scene->camera.world_from_camera, origin, direction);
}

/* The same for any camera, at a time (lb_ray.time). `*weight` is how much of the light that comes along the ray the
 * film gets, which is 1 for all but the realistic camera. */
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

/* Where a point of camera space is seen on the film, in pixels of the full film from its upper left corner: through the
 * middle of the lens, where there is one. False: nowhere, or it is not known, as for the realistic camera. */
LB_FUNCTION bool lb_camera_film(const lb_scene *scene, lb_vec3 point, lb_vec2 *position)
{
    const lb_camera *camera = &scene->camera;
    const float *screen = camera->screen;
    float length = lb_length(point), x = point.x, y = point.y;
    if (!(length > 0.0f) || camera->kind == LB_CAMERA_REALISTIC)
        return false;
    if (camera->kind == LB_CAMERA_EQUIRECTANGULAR) {
        x = lb_atan2(point.z, x) * (0.5f / LB_PI);
        y = lb_acos(lb_clamp(y / length, -1.0f, 1.0f)) * (1.0f / LB_PI);
    } else if (camera->kind == LB_CAMERA_EQUAL_AREA) {
        lb_vec3 d = lb_scale(lb_vec3_make(x, point.z, y), 1.0f / length);
        lb_vec2 square = lb_octahedral_point(d);
        x = square.x;
        y = square.y;
    } else {
        float ahead = camera->kind == LB_CAMERA_ORTHOGRAPHIC ? 1.0f : point.z;
        if (!(ahead > 0.0f))
            return false;
        x = (x / ahead - screen[0]) / (screen[1] - screen[0]);
        y = (y / ahead - screen[3]) / (screen[2] - screen[3]);
    }
    *position = lb_vec2_make(x * (float)scene->film.full_width, y * (float)scene->film.full_height);
    return lb_is_finite(position->x) && lb_is_finite(position->y);
}

#endif
