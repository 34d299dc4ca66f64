#include "core/wave/wide_build.h"

#include <math.h>

/* A second walk goes once more to all that asks on its way, so it pays only where few rays need one: where at most
 * this part of the primitives ask, and at most this part of the rays that cross the scene would meet one that does. A
 * quarter is an estimate. LB_ONE_WALK leaves none, for a program that bench/gpu_asking.sh compares with. */
#ifdef LB_ONE_WALK
static const double FEW = -1;
#else
static const double FEW = 0.25;
#endif

bool lb_wide_shape_asks(const lb_shape *shape)
{
    return shape->kind != LB_SHAPE_MESH || (shape->flags & LB_SHAPE_HAS_ALPHA) != 0;
}

uint32_t lb_wide_asks(const lb_scene *scene)
{
    const lb_shape *shapes = LB_ARRAY(scene, shapes, lb_shape);
    const lb_instance *instances = LB_ARRAY(scene, instances, lb_instance);
    uint32_t asks = LB_WIDE_OPAQUE;
    for (size_t i = 0; i < scene->instances.count; i++)
        if (instances[i].move != 0)
            return LB_WIDE_MOVING;
    for (size_t i = 0; i < scene->shapes.count; i++)
        if (shapes[i].kind == LB_SHAPE_CURVES)
            return LB_WIDE_CURVES;
        else if (lb_wide_shape_asks(&shapes[i]))
            asks = LB_WIDE_ASKING;
    return asks;
}

static double box_area(const lb_box *box)
{
    double x = box->upper[0] - box->lower[0], y = box->upper[1] - box->lower[1],
           z = box->upper[2] - box->lower[2];
    return 2 * (x * y + y * z + z * x);
}

/* The area of both sides of a triangle. */
static double triangle_area(float corner[3][3])
{
    double a[3], b[3];
    for (int i = 0; i < 3; i++) {
        a[i] = (double)corner[1][i] - corner[0][i];
        b[i] = (double)corner[2][i] - corner[0][i];
    }
    double x = a[1] * b[2] - a[2] * b[1], y = a[2] * b[0] - a[0] * b[2], z = a[0] * b[1] - a[1] * b[0];
    return sqrt(x * x + y * y + z * z);
}

/* How large is what makes rays take a second walk: triangles that are hit, and the boxes of all else. */
static double asking_area(const lb_scene *scene, const lb_shape *shape)
{
    double area = 0;
    if (shape->kind != LB_SHAPE_MESH) {
        lb_box box = lb_quadric_box(shape);
        return box_area(&box);
    }
    for (uint32_t i = 0; i < shape->primitive_count; i++) {
        float corner[3][3];
        lb_triangle_corners(scene, shape, i, corner);
        area += triangle_area(corner);
    }
    return area;
}

/* Which part of the rays that cross the scene would meet what asks, if it stood free? Of rays through a box the part
 * that goes through a smaller one within is that of their surfaces. What is instanced has sizes of its own, and is not
 * looked at. */
static double asking_part(const lb_scene *scene)
{
    const lb_geometry *world = LB_ARRAY(scene, geometries, lb_geometry);
    const lb_shape *shapes = LB_ARRAY(scene, shapes, lb_shape) + world->first_shape;
    double area = 0, all = box_area(&scene->bounds);
    for (uint32_t i = 0; i < world->shape_count; i++)
        if (lb_wide_shape_asks(&shapes[i]))
            area += asking_area(scene, &shapes[i]);
    return all > 0 ? area / all : 0;
}

bool lb_wide_few_ask(const lb_scene *scene)
{
    const lb_shape *shapes = LB_ARRAY(scene, shapes, lb_shape);
    double all = 0, asking = 0;
    for (size_t i = 0; i < scene->shapes.count; i++) {
        all += (double)shapes[i].primitive_count;
        asking += lb_wide_shape_asks(&shapes[i]) ? (double)shapes[i].primitive_count : 0;
    }
    return lb_wide_asks(scene) == LB_WIDE_ASKING && asking <= FEW * all && asking_part(scene) <= FEW;
}
