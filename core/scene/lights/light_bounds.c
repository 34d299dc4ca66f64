#include "core/scene/lights/light_bounds.h"
#include "core/scene/lights/lights.h"

#include "core/kernel/math.h"
#include "core/kernel/shapes/box.h"
#include "core/kernel/shapes/quadric.h"

/* What rounding may take from an angle. */
#define SLACK 1e-4f

/* ---- of one light ---- */

static struct lb_light_bounds all_round(lb_vec3 position)
{
    struct lb_light_bounds bounds = lb_light_bounds_none();
    bounds.center = position;
    for (int a = 0; a < 3; a++)
        bounds.box.lower[a] = bounds.box.upper[a] = a == 0 ? position.x : a == 1 ? position.y : position.z;
    bounds.normals = LB_PI;
    return bounds;
}

static void bound_triangle(const struct lb_builder *builder, const lb_light *light,
                           struct lb_light_bounds *bounds)
{
    const lb_vec3 *p = light->corners;
    for (int i = 0; i < 3; i++) {
        struct lb_light_bounds corner = all_round(p[i]);
        lb_box_add_box(&bounds->box, &corner.box);
    }
    bounds->center = light->position;
    lb_vec3 n = lb_cross(lb_sub(p[1], p[0]), lb_sub(p[2], p[0]));
    float facing = lb_build_facing(builder, light, n);
    if (facing < 0.0f)
        n = lb_negate(n);
    /* Where corners disagree about the triangle's front, each place may have its own. */
    bounds->twosided = bounds->twosided || facing == 0.0f;
    float length = lb_length(n);
    bounds->axis = lb_scale(n, 1.0f / length);
    bounds->normals = 0.0f;
    bounds->cos_emission = 0.0f;
    if (!(length > 0.0f) || !lb_is_finite(length)) {
        bounds->axis = lb_vec3_make(0.0f, 0.0f, 1.0f);
        bounds->normals = LB_PI;
    }
}

float lb_light_bounds_middle(const struct lb_light_bounds *bounds, int axis)
{
    return 0.5f * bounds->box.lower[axis] + 0.5f * bounds->box.upper[axis];
}

static void bound_quadric(const lb_shape *shape, struct lb_light_bounds *bounds)
{
    bounds->box = lb_quadric_box(shape);
    bounds->center = lb_vec3_make(lb_light_bounds_middle(bounds, 0), lb_light_bounds_middle(bounds, 1),
                                  lb_light_bounds_middle(bounds, 2));
    bounds->normals = LB_PI;
    if (shape->kind != LB_SHAPE_DISK)
        return;
    lb_vec3 n = lb_transform_normal(&shape->object_from_world, lb_vec3_make(0.0f, 0.0f, 1.0f));
    float length = lb_length(n);
    if (!(length > 0.0f) || !lb_is_finite(length))
        return;
    /* Which side is its front is the kernel's matter: the disk counts as if it shone on both. */
    bounds->axis = lb_scale(n, 1.0f / length);
    bounds->normals = 0.0f;
    bounds->cos_emission = 0.0f;
    bounds->twosided = true;
}

/* From flux in all directions to intensity where that is greatest. */
static double intensity_of(const lb_light *light, const lb_shape *shapes)
{
    double pi = (double)LB_PI, power = (double)light->power;
    switch ((enum lb_light_kind)light->kind) {
    case LB_LIGHT_AREA:
        if (shapes[light->primitive.shape].kind == LB_SHAPE_MESH ||
            shapes[light->primitive.shape].kind == LB_SHAPE_DISK)
            return power / (light->twosided ? 2.0 * pi : pi);
        return power / (light->twosided ? 8.0 * pi : 4.0 * pi);
    case LB_LIGHT_SPOT:
        return (double)lb_rgb_luminance(light->emission);
    case LB_LIGHT_POINT:
    case LB_LIGHT_GONIOMETRIC:
        return power / (4.0 * pi);
    case LB_LIGHT_PROJECTION: /* as if it filled a steradian */
    case LB_LIGHT_DISTANT:    /* these have no bounds */
    case LB_LIGHT_INFINITE_CONSTANT:
    case LB_LIGHT_INFINITE_IMAGE:
    case LB_LIGHT_INFINITE_PORTAL:
    case LB_LIGHT_KIND_COUNT:
        break;
    }
    return power;
}

struct lb_light_bounds lb_light_bounds_of(const struct lb_builder *builder, const lb_light *light)
{
    const lb_shape *shapes = builder->arrays.shapes.data;
    struct lb_light_bounds bounds = all_round(light->position);
    if (light->kind == LB_LIGHT_AREA) {
        const lb_shape *shape = shapes + light->primitive.shape;
        bounds = lb_light_bounds_none();
        bounds.twosided = light->twosided != 0;
        if (shape->kind == LB_SHAPE_MESH)
            bound_triangle(builder, light, &bounds);
        else
            bound_quadric(shape, &bounds);
    } else if (light->kind == LB_LIGHT_SPOT) {
        bounds.axis = light->direction;
        bounds.normals = lb_min(LB_PI, lb_acos(lb_clamp(light->cos_total, -1.0f, 1.0f)) + SLACK);
    }
    double intensity = intensity_of(light, shapes);
    bounds.intensity = intensity > 0.0 && intensity < 1e30 ? intensity : intensity > 0.0 ? 1e30 : 0.0;
    return bounds;
}

/* ---- of many ---- */

struct lb_light_bounds lb_light_bounds_none(void)
{
    struct lb_light_bounds bounds = {.axis = {0.0f, 0.0f, 1.0f}, .cos_emission = 1.0f};
    bounds.box = lb_box_empty();
    return bounds;
}

/* Makes the cone of a's normals that of both. */
static void join_cones(struct lb_light_bounds *a, const struct lb_light_bounds *b)
{
    if (a->normals >= LB_PI)
        return;
    lb_vec3 axis = a->axis, other = b->axis;
    float wide = a->normals, narrow = b->normals, cosine = lb_dot(axis, other);
    if (a->twosided && b->twosided && cosine < 0.0f) {
        other = lb_negate(other);
        cosine = -cosine;
    }
    if (narrow > wide) {
        lb_vec3 kept = axis;
        axis = other;
        other = kept;
        wide = b->normals;
        narrow = a->normals;
    }
    float between = cosine > 0.9999999f ? 0.0f : lb_acos(lb_clamp(cosine, -1.0f, 1.0f));
    a->axis = axis;
    a->normals = wide;
    if (lb_min(between + narrow, LB_PI) <= wide)
        return;
    float angle = 0.5f * (wide + between + narrow) + SLACK, s, c;
    lb_vec3 aside = lb_add_scaled(other, axis, -lb_dot(axis, other));
    float length = lb_length(aside);
    if (angle >= LB_PI || !(length > 1e-4f)) {
        a->normals = length > 1e-4f || cosine < 0.0f ? LB_PI : lb_min(LB_PI, wide + between + narrow + SLACK);
        return;
    }
    lb_sincos(angle - wide, &s, &c);
    a->axis = lb_normalize(lb_add_scaled(lb_scale(axis, c), aside, s / length));
    a->normals = angle;
}

void lb_light_bounds_add(struct lb_light_bounds *bounds, const struct lb_light_bounds *other)
{
    if (lb_box_is_empty(&other->box))
        return;
    if (lb_box_is_empty(&bounds->box)) {
        *bounds = *other;
        return;
    }
    join_cones(bounds, other);
    lb_box_add_box(&bounds->box, &other->box);
    bounds->cos_emission = lb_min(other->cos_emission, bounds->cos_emission);
    bounds->twosided = bounds->twosided || other->twosided;
    bounds->intensity += other->intensity;
}

double lb_light_bounds_directions(const struct lb_light_bounds *bounds)
{
    float normals = bounds->normals, s, c, unused, turned;
    float reach = lb_min(LB_PI, normals + lb_acos(bounds->cos_emission));
    lb_sincos(normals, &s, &c);
    lb_sincos(normals - 2.0f * reach, &unused, &turned);
    double cap = 2.0 * (double)LB_PI * (1.0 - (double)c);
    double rim =
        2.0 * (double)reach * (double)s - (double)turned - 2.0 * (double)normals * (double)s + (double)c;
    double both = cap + 0.5 * (double)LB_PI * rim;
    return bounds->twosided ? 2.0 * both : both;
}
