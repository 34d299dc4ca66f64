/* Finds hits by a loop over everything, without a tree: every traversal must agree with it, bit for bit. The tests use
 * it. */
#ifndef LB_CORE_KERNEL_TREE_BRUTE_H
#define LB_CORE_KERNEL_TREE_BRUTE_H

#include "core/kernel/tree/intersect.h"

LB_FUNCTION void lb_brute_mesh(lb_search *search, const lb_search_space *space, uint32_t number)
{
    const lb_shape *shape = LB_ARRAY(search->scene, shapes, lb_shape) + number;
    uint32_t i;
    for (i = 0; i < shape->primitive_count; i++) {
        float corner[3][3], t, b1, b2;
        lb_primitive primitive;
        lb_box box;
        primitive.shape = number;
        primitive.primitive = i;
        lb_triangle_corners(search->scene, shape, i, corner);
        if (!lb_triangle_is_regular(corner) || !lb_triangle_hit(&space->ray, corner, &t, &b1, &b2))
            continue;
        box = lb_triangle_box(corner);
        lb_search_offer(search, space, primitive, &box, t, b1, b2);
    }
}

LB_FUNCTION void lb_brute_strands(lb_search *search, const lb_search_space *space, uint32_t number)
{
    lb_primitive primitive;
    primitive.shape = number;
    for (primitive.primitive = 0;
         primitive.primitive < (LB_ARRAY(search->scene, shapes, lb_shape) + number)->primitive_count;
         primitive.primitive++)
        lb_search_strand(search, space, primitive);
}

/* Where triangles were split, the boxes of the fragments are part of the scene and stand in place of the triangle's
 * own. */
LB_FUNCTION void lb_brute_fragments(lb_search *search, const lb_search_space *space,
                                    const lb_geometry *geometry)
{
    const lb_primitive *primitives = LB_ARRAY(search->scene, leaf_primitives, lb_primitive);
    const lb_box *boxes = LB_ARRAY(search->scene, leaf_boxes, lb_box);
    uint32_t i;
    for (i = geometry->first_leaf; i < geometry->first_leaf + geometry->leaf_count; i++) {
        float corner[3][3], t, b1, b2;
        lb_triangle_corners(search->scene, LB_ARRAY(search->scene, shapes, lb_shape) + primitives[i].shape,
                            primitives[i].primitive, corner);
        if (lb_triangle_hit(&space->ray, corner, &t, &b1, &b2))
            lb_search_offer(search, space, primitives[i], &boxes[i], t, b1, b2);
    }
}

LB_FUNCTION void lb_brute_geometry(lb_search *search, const lb_search_space *space, uint32_t number)
{
    const lb_geometry *geometry = LB_ARRAY(search->scene, geometries, lb_geometry) + number;
    const lb_shape *shapes = LB_ARRAY(search->scene, shapes, lb_shape);
    bool split = search->scene->leaf_boxes.count > 0;
    uint32_t i;
    for (i = geometry->first_shape; i < geometry->first_shape + geometry->shape_count; i++) {
        if (shapes[i].kind == LB_SHAPE_CURVES)
            lb_brute_strands(search, space, i);
        else if (shapes[i].kind != LB_SHAPE_MESH)
            lb_search_quadric(search, space, i);
        else if (!split)
            lb_brute_mesh(search, space, i);
    }
    if (split)
        lb_brute_fragments(search, space, geometry);
}

/* Finds the closest hit with t in [0, t_max). False: there is none, and `hit` says so as well. */
LB_FUNCTION bool lb_brute_closest(const lb_scene *scene, const lb_ray *ray, lb_hit *hit)
{
    const lb_instance *instances = LB_ARRAY(scene, instances, lb_instance);
    lb_search search;
    lb_search_space world, space;
    uint32_t i;
    lb_search_start(&search, scene, ray);
    if (lb_search_enter_world(&search, &world)) {
        lb_brute_geometry(&search, &world, 0);
        for (i = 0; i < scene->instances.count; i++)
            if (lb_search_enter_instance(&search, &world, i, &space))
                lb_brute_geometry(&search, &space, instances[i].geometry);
    }
    return lb_search_end(&search, hit);
}

/* Is there a hit with t in [0, t_max)? */
LB_FUNCTION bool lb_brute_any(const lb_scene *scene, const lb_ray *ray)
{
    lb_hit hit;
    return lb_brute_closest(scene, ray, &hit);
}

#endif
