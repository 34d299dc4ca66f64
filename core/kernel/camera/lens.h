/* Follows rays from the film through the elements of a camera's lens (Kolb, Mitchell, Hanrahan, "A Realistic Camera
 * Model for Computer Graphics", 1995), as pbrt-v4's realistic camera does. */
#ifndef LB_CORE_KERNEL_CAMERA_LENS_H
#define LB_CORE_KERNEL_CAMERA_LENS_H

#include "core/kernel/scene/scene.h"

/* What a lens is made of, with pointers in place of lb_lens's offsets. */
typedef struct lb_lens_parts {
    const float *elements, *zones, *stop;
    uint32_t count, stop_size[2];
} lb_lens_parts;

LB_INLINE lb_lens_parts lb_lens_of(const lb_scene *scene)
{
    const lb_lens *lens = &scene->camera.lens;
    const float *tables = LB_ARRAY(scene, tables, float);
    lb_lens_parts parts;
    parts.elements = tables + lens->first_element;
    parts.zones = tables + lens->first_zone;
    parts.stop = tables + lens->first_stop;
    parts.count = lens->count;
    parts.stop_size[0] = lens->stop_size[0];
    parts.stop_size[1] = lens->stop_size[1];
    return parts;
}

/* A pixel of the image of the aperture stop, 0 beyond the image. */
LB_FUNCTION float lb_lens_stop_pixel(const lb_lens_parts *parts, int32_t x, int32_t y)
{
    int64_t width = (int64_t)parts->stop_size[0], height = (int64_t)parts->stop_size[1];
    return x < 0 || y < 0 || x >= width || y >= height ? 0.0f : parts->stop[y * width + x];
}

/* How much light the stop lets through at a point of the square [-1, 1]^2 around it, bilinear between its pixels. */
LB_FUNCTION float lb_lens_stop(const lb_lens_parts *parts, float x, float y)
{
    float width = (float)parts->stop_size[0], height = (float)parts->stop_size[1];
    float u = lb_clamp(0.5f * (x + 1.0f) * width - 0.5f, -2.0f, width + 1.0f);
    float v = lb_clamp(0.5f * (y + 1.0f) * height - 0.5f, -2.0f, height + 1.0f);
    float left = lb_floor(u), below = lb_floor(v);
    int32_t i = (int32_t)left, j = (int32_t)below;
    float lower = lb_mix(u - left, lb_lens_stop_pixel(parts, i, j), lb_lens_stop_pixel(parts, i + 1, j));
    float upper =
        lb_mix(u - left, lb_lens_stop_pixel(parts, i, j + 1), lb_lens_stop_pixel(parts, i + 1, j + 1));
    return lb_mix(v - below, lower, upper);
}

/* The t at which the ray crosses an element's sphere, whose centre is at z = `center`, on the side that the radius's
 * sign tells. -1: it does not. */
LB_FUNCTION float lb_lens_sphere(float radius, float center, lb_vec3 origin, lb_vec3 direction)
{
    lb_vec3 o = lb_vec3_make(origin.x, origin.y, origin.z - center);
    float a = lb_dot(direction, direction), half = lb_dot(direction, o);
    /* The square of the way from the centre to the ray keeps digits that b b - 4 a c would lose. */
    lb_vec3 aside = lb_add_scaled(o, direction, -half / a);
    float root = a * (radius * radius - lb_dot(aside, aside));
    if (!(root >= 0.0f))
        return -1.0f;
    root = lb_sqrt(root);
    /* Towards +z, the nearer side is the one that bulges against the ray; the radius says which of them the element
     * has. */
    bool nearer = (direction.z > 0.0f) == (radius < 0.0f);
    float t = ((nearer ? -half - root : -half + root)) / a;
    return t >= 0.0f ? t : -1.0f;
}

/* Refracts a unit direction at a unit normal that looks against it. `ratio` is the index ahead over that behind. False:
 * it is reflected totally. */
LB_FUNCTION bool lb_lens_refract(lb_vec3 n, float ratio, lb_vec3 *direction)
{
    float cosine = -lb_dot(n, *direction);
    float sine2 = lb_max(0.0f, 1.0f - cosine * cosine) / (ratio * ratio);
    if (!(sine2 < 1.0f))
        return false;
    *direction = lb_add_scaled(lb_scale(*direction, 1.0f / ratio), n, cosine / ratio - lb_sqrt(1.0f - sine2));
    return true;
}

/* Takes a ray through the element that is at `z` on the axis. Returns how much of its light goes on. */
LB_FUNCTION float lb_lens_cross(const lb_lens_parts *parts, const float *element, float z, float ratio,
                                lb_vec3 *origin, lb_vec3 *direction)
{
    float radius = element[0], opening = element[3];
    float t = radius == 0.0f ? (z - origin->z) / direction->z
                             : lb_lens_sphere(radius, z - radius, *origin, *direction);
    if (!(t >= 0.0f))
        return 0.0f;
    *origin = lb_add_scaled(*origin, *direction, t);
    if (radius == 0.0f && parts->stop_size[0] != 0)
        return lb_lens_stop(parts, origin->x / opening, origin->y / opening);
    if (!(origin->x * origin->x + origin->y * origin->y <= opening * opening))
        return 0.0f;
    if (radius == 0.0f)
        return 1.0f;
    lb_vec3 n = lb_normalize(lb_vec3_make(origin->x, origin->y, origin->z - (z - radius)));
    *direction = lb_normalize(*direction);
    n = lb_dot(n, *direction) > 0.0f ? lb_negate(n) : n;
    return lb_lens_refract(n, ratio, direction) ? 1.0f : 0.0f;
}

/* Takes a ray from the film out of the lens. Returns how much of its light goes on; where that is 0 the ray has no
 * meaning. */
LB_FUNCTION float lb_lens_leave(const lb_lens_parts *parts, lb_vec3 *origin, lb_vec3 *direction)
{
    float z = 0.0f, passes = 1.0f;
    for (uint32_t i = parts->count; i-- > 0 && passes != 0.0f;) {
        const float *element = parts->elements + 4 * (uint64_t)i;
        float ahead = i > 0 ? parts->elements[4 * (uint64_t)(i - 1) + 2] : 1.0f;
        float through;
        z += element[1];
        through = lb_lens_cross(parts, element, z, ahead / element[2], origin, direction);
        passes = through == 1.0f ? passes : element[0] == 0.0f ? through : 0.0f;
    }
    return passes;
}

/* Makes a ray from the point (x, y) of the film, which is [0,1]^2 from its upper left corner, through the lens. It is
 * in camera space and begins at the outermost element. `lens_u` chooses a point of the rectangle through which light
 * comes to that point of the film. Returns how much of the light that comes along the ray the film gets; where that is
 * 0 the ray has no meaning. */
LB_SELDOM float lb_lens_ray(const lb_scene *scene, float x, float y, lb_vec2 lens_u, lb_vec3 *origin,
                            lb_vec3 *direction)
{
    const lb_lens *lens = &scene->camera.lens;
    lb_lens_parts parts = lb_lens_of(scene);
    float rear = parts.elements[4 * (uint64_t)(parts.count - 1) + 1];
    lb_vec3 film = lb_vec3_make((0.5f - x) * lens->width, (y - 0.5f) * lens->height, 0.0f), way;
    float from_center = lb_sqrt(film.x * film.x + film.y * film.y);
    float reach = 0.5f * lb_sqrt(lens->width * lens->width + lens->height * lens->height);
    float sine = from_center > 0.0f ? film.y / from_center : 0.0f;
    float cosine = from_center > 0.0f ? film.x / from_center : 1.0f;
    const float *zone = parts.zones + 4 * (uint64_t)lb_clamp(from_center / reach * (float)LB_LENS_ZONES, 0.0f,
                                                             (float)(LB_LENS_ZONES - 1));
    float px = lb_mix(lens_u.x, zone[0], zone[1]), py = lb_mix(lens_u.y, zone[2], zone[3]), passes;
    *origin = film;
    *direction = lb_vec3_make(0.0f, 0.0f, 1.0f);
    if (!(zone[0] < zone[1]))
        return 0.0f;
    way = lb_sub(lb_vec3_make(cosine * px - sine * py, sine * px + cosine * py, rear), film);
    *direction = way;
    passes = lb_lens_leave(&parts, origin, direction);
    cosine = way.z / lb_length(way);
    return passes * cosine * cosine * cosine * cosine * ((zone[1] - zone[0]) * (zone[3] - zone[2])) /
           (rear * rear);
}

#endif
