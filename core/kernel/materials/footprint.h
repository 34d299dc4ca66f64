/* The footprint of a pixel on a surface: how far apart the points lie that neighbouring pixels show. It filters
 * textures and shifts bump maps. It is that of the camera's own view of the point, whatever way the path took to it. */
#ifndef LB_CORE_KERNEL_MATERIALS_FOOTPRINT_H
#define LB_CORE_KERNEL_MATERIALS_FOOTPRINT_H

#include "core/kernel/scene/move.h"
#include "core/kernel/noise.h"
#include "core/kernel/scene/scene.h"

/* The way in a plane from `to` to where another ray of the camera meets the plane. The plane has the normal n, `to` is
 * seen from the camera, and the ray's direction is `to` + `step`. Where it does not meet the plane the way is 0. */
LB_FUNCTION lb_vec3 lb_footprint_step(lb_vec3 to, lb_vec3 n, lb_vec3 step)
{
    lb_vec3 direction = lb_add(to, step);
    float t = lb_dot(to, n) / lb_dot(direction, n);
    lb_vec3 way = lb_sub(lb_scale(direction, t), to);
    bool meets = lb_is_finite(way.x) && lb_is_finite(way.y) && lb_is_finite(way.z);
    return meets ? way : lb_vec3_make(0.0f, 0.0f, 0.0f);
}

/* The same for a parallel ray, whose origin is off by `step`. */
LB_SELDOM lb_vec3 lb_footprint_parallel(lb_vec3 direction, lb_vec3 n, lb_vec3 step)
{
    lb_vec3 way = lb_add_scaled(step, direction, -lb_dot(step, n) / lb_dot(direction, n));
    bool meets = lb_is_finite(way.x) && lb_is_finite(way.y) && lb_is_finite(way.z);
    return meets ? way : lb_vec3_make(0.0f, 0.0f, 0.0f);
}

/* The footprint at a point of world space with the geometric normal n, at a time (lb_ray.time). The more samples a
 * pixel has, the finer the detail that they can show, down to an eighth of a pixel, as in pbrt, unless the scene's
 * options say otherwise (lb_footprint_size). */
LB_FUNCTION lb_footprint lb_footprint_make(const lb_scene *scene, lb_vec3 point, lb_vec3 n, float time)
{
    const lb_camera *camera = &scene->camera;
    const float(*m)[4] = camera->world_from_camera.m;
    lb_pose pose;
    if (camera->move != 0) {
        lb_move_pose(scene, camera->move, time, &pose);
        m = pose.out.m;
    }
    lb_vec3 to = lb_sub(point, lb_vec3_make(m[0][3], m[1][3], m[2][3]));
    lb_vec3 right = lb_vec3_make(m[0][0], m[1][0], m[2][0]), up = lb_vec3_make(m[0][1], m[1][1], m[2][1]),
            ahead = lb_vec3_make(m[0][2], m[1][2], m[2][2]);
    float depth = lb_dot(to, ahead) / lb_dot(ahead, ahead), distance = lb_length(to);
    float x = lb_abs(camera->screen[1] - camera->screen[0]) / (float)scene->film.full_width;
    float y = lb_abs(camera->screen[3] - camera->screen[2]) / (float)scene->film.full_height;
    float spread = scene->integrator.footprint == LB_FOOTPRINT_POINT ? 0.0f : 1.0f;
    if (scene->integrator.footprint == LB_FOOTPRINT_SAMPLE)
        spread = lb_max(0.125f, 1.0f / lb_sqrt((float)scene->integrator.samples));
    lb_footprint footprint;
    if (camera->kind == LB_CAMERA_ORTHOGRAPHIC) {
        footprint.dpdx = lb_scale(lb_footprint_parallel(ahead, n, lb_scale(right, x)), spread);
        footprint.dpdy = lb_scale(lb_footprint_parallel(ahead, n, lb_scale(up, y)), spread);
        return footprint;
    }
    /* What lies behind the camera, or far to its side, is treated as if the camera had been turned there. */
    if (camera->kind >= LB_CAMERA_EQUIRECTANGULAR || !(depth * lb_length(ahead) > 0.1f * distance)) {
        depth = distance;
        lb_basis(distance > 0.0f ? lb_scale(to, 1.0f / distance) : lb_normalize(ahead), &right, &up);
    }
    footprint.dpdx = lb_scale(lb_footprint_step(to, n, lb_scale(right, x * depth)), spread);
    footprint.dpdy = lb_scale(lb_footprint_step(to, n, lb_scale(up, y * depth)), spread);
    return footprint;
}

#endif
