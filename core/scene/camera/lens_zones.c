/* The places behind a lens through which light gets to the film: nothing else of the rear element is sampled. */
#include "core/scene/camera/lens.h"

#include "core/kernel/camera/lens.h"
#include "core/scene/builder/messages.h"
#include "core/scene/builder/parameters.h"

#include <string.h>

enum { PUPIL_SIDE = 256 };

/* The digits of i in the base, behind the point in reverse order: numbers of [0, 1) that fill it evenly. */
static float radical_inverse(uint32_t base, uint32_t i)
{
    double sum = 0, digit = 1;
    for (; i > 0; i /= base) {
        digit /= base;
        sum += digit * (i % base);
    }
    return (float)sum;
}

/* The rectangle, in the plane of the rear element, around all points through which light gets to points of the film
 * between `from` and `to` from its centre along +x. */
static void find_zone(const lb_lens_parts *parts, float from, float to, const float (*points)[2], float *zone)
{
    const float *rear = parts->elements + (size_t)LB_LENS_COLUMNS * (parts->count - 1);
    const uint32_t count = PUPIL_SIDE * PUPIL_SIDE;
    const float reach = 1.5f * rear[3], spacing = 2.0f * reach * lb_sqrt(2.0f) / PUPIL_SIDE;
    float bounds[4] = {1.0f, -1.0f, 1.0f, -1.0f};
    bool any = false;
    for (uint32_t i = 0; i < count; i++) {
        lb_vec3 film = lb_vec3_make(lb_mix(((float)i + 0.5f) / (float)count, from, to), 0.0f, 0.0f);
        lb_vec3 point =
            lb_vec3_make((2.0f * points[i][0] - 1.0f) * reach, (2.0f * points[i][1] - 1.0f) * reach, rear[1]);
        lb_vec3 direction = lb_sub(point, film);
        if (any && point.x >= bounds[0] && point.x <= bounds[1] && point.y >= bounds[2] &&
            point.y <= bounds[3])
            continue;
        if (lb_lens_leave(parts, &film, &direction) == 0.0f)
            continue;
        bounds[0] = any ? lb_min(bounds[0], point.x) : point.x;
        bounds[1] = any ? lb_max(bounds[1], point.x) : point.x;
        bounds[2] = any ? lb_min(bounds[2], point.y) : point.y;
        bounds[3] = any ? lb_max(bounds[3], point.y) : point.y;
        any = true;
    }
    for (int i = 0; i < 4; i++) /* and what lies between the points */
        zone[i] = !any ? 0.0f : i % 2 ? bounds[i] + 2.0f * spacing : bounds[i] - 2.0f * spacing;
}

enum lb_status lb_build_lens_zones(const struct lb_builder *builder, const struct lb_parameters *parameters,
                                   const struct lb_lens_build *lens, float *zones)
{
    const uint32_t count = PUPIL_SIDE * PUPIL_SIDE;
    lb_lens_parts parts;
    float(*points)[2] = lb_arena_alloc(builder->arena, count, sizeof *points);
    float reach = 0.5f * lb_sqrt(lens->width * lens->width + lens->height * lens->height);
    bool any = false;
    if (!points)
        return lb_build_no_memory(builder);
    for (uint32_t i = 0; i < count; i++) {
        points[i][0] = radical_inverse(2, i);
        points[i][1] = radical_inverse(3, i);
    }
    memset(&parts, 0, sizeof parts);
    parts.elements = lens->elements;
    parts.count = lens->count;
    parts.stop = lens->stop;
    memcpy(parts.stop_size, lens->stop_size, sizeof parts.stop_size);
    for (int i = 0; i < LB_LENS_ZONES; i++) {
        float *zone = zones + (size_t)4 * (size_t)i;
        find_zone(&parts, reach * (float)i / LB_LENS_ZONES, reach * (float)(i + 1) / LB_LENS_ZONES,
                  (const float(*)[2])points, zone);
        any = any || zone[0] < zone[1];
    }
    if (!any)
        return lb_build_error(builder, lb_build_place(parameters, "lensfile"),
                              "no light gets through the lens to the film");
    return LB_OK;
}
