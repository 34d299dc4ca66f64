/* What goes into a tree: a box a triangle, quadric, piece of a curve and instance. */
#include "core/scene/tree/parts.h"

#include "core/kernel/tree/intersect.h"
#include "core/scene/motion/sweep.h"

/* Room for fragments: this share of the primitives, and some for small geometries. */
enum { SPLIT_SHARE = 3, SPLIT_LEAST = 64 };

void lb_tree_corners(const struct lb_scene_arrays *arrays, uint32_t shape, uint32_t primitive,
                     float corner[3][3])
{
    const lb_shape *mesh = (const lb_shape *)arrays->shapes.data + shape;
    const uint32_t *index =
        (const uint32_t *)arrays->indices.data + mesh->first_index + 3 * (uint64_t)primitive;
    const lb_vec3 *position = (const lb_vec3 *)arrays->positions.data + mesh->first_position;
    for (int i = 0; i < 3; i++) {
        lb_vec3 p = position[index[i]];
        corner[i][0] = p.x;
        corner[i][1] = p.y;
        corner[i][2] = p.z;
    }
}

/* The primitives so far. Passed by value, so that a loop over triangles has the box in registers. */
struct collection {
    struct RTCBuildPrimitive *end; /* where the next one goes */
    lb_box around;
};

static struct collection add_primitive(struct collection collection, const lb_box *box, uint32_t geometry,
                                       uint32_t primitive)
{
    *collection.end++ = lb_tree_build_primitive(box, geometry, primitive);
    lb_box_add_box(&collection.around, box);
    return collection;
}

static struct collection add_mesh(const struct lb_tree_task *task, uint32_t shape,
                                  struct collection collection)
{
    uint32_t count = ((const lb_shape *)task->arrays->shapes.data)[shape].primitive_count;
    for (uint32_t i = 0; i < count; i++) {
        float corner[3][3];
        lb_tree_corners(task->arrays, shape, i, corner);
        if (!lb_triangle_is_regular(corner))
            continue;
        lb_box box = lb_triangle_box(corner);
        collection = add_primitive(collection, &box, shape, i);
    }
    return collection;
}

static struct collection add_curves(const struct lb_tree_task *task, uint32_t number,
                                    struct collection collection)
{
    const lb_shape *shape = (const lb_shape *)task->arrays->shapes.data + number;
    const lb_strand *strands = (const lb_strand *)task->arrays->strands.data + shape->first_strand;
    for (uint32_t i = 0; i < shape->primitive_count; i++) {
        lb_box box = lb_strand_box(shape, &strands[i]);
        if (lb_box_is_regular(&box))
            collection = add_primitive(collection, &box, number, i);
    }
    return collection;
}

static struct collection add_quadric(const struct lb_tree_task *task, uint32_t number,
                                     struct collection collection)
{
    lb_box box = lb_quadric_box((const lb_shape *)task->arrays->shapes.data + number);
    return lb_box_is_regular(&box) ? add_primitive(collection, &box, number, 0) : collection;
}

/* Instances' own boxes are made on the way. */
static struct collection add_instances(const struct lb_tree_task *task, struct collection collection)
{
    lb_instance *instances = task->arrays->instances.data;
    const lb_geometry *geometries = task->arrays->geometries.data;
    for (uint32_t i = 0; i < task->arrays->instances.count; i++) {
        const lb_box *box = &geometries[instances[i].geometry].box;
        instances[i].box = instances[i].move != 0
                               ? lb_sweep_box(task->arrays->moves.data, instances[i].move, box)
                               : lb_box_transform(&instances[i].world_from_object, box);
        if (lb_box_is_regular(&instances[i].box))
            collection = add_primitive(collection, &instances[i].box, LB_TREE_INSTANCE, i);
    }
    return collection;
}

static uint64_t count_primitives(const struct lb_tree_task *task)
{
    const lb_shape *shapes = (const lb_shape *)task->arrays->shapes.data;
    uint64_t count = task->is_world ? task->arrays->instances.count : 0;
    for (uint32_t i = 0; i < task->source.shape_count; i++) {
        const lb_shape *shape = &shapes[task->source.first_shape + i];
        count += shape->primitive_count;
    }
    return count;
}

/* ---- the builder's coordinates ---- */

/* Coordinates up to this are the builder's as they are: products of four of them are finite. */
#define SAFE_EXPONENT 30

/* Nothing is rounded: what is regular lies below 2^61, boxes are grown by 2^-64 or more, and so the least part of a
 * bound, scaled, is far above the least normal number. */
static void scale_primitives(struct lb_tree_task *task, const lb_box *around)
{
    struct RTCBuildPrimitive *primitives = task->primitives.data;
    float largest = 0.0f;
    int exponent = 0;
    for (int a = 0; a < 3; a++)
        largest = lb_max(largest, lb_max(lb_abs(around->lower[a]), lb_abs(around->upper[a])));
    while (largest > __builtin_ldexpf(1.0f, SAFE_EXPONENT + exponent))
        exponent++;
    task->scale = __builtin_ldexpf(1.0f, -exponent);
    task->back = __builtin_ldexpf(1.0f, exponent);
    for (int a = 0; a < 3; a++)
        task->extent[a] = task->scale * around->upper[a] - task->scale * around->lower[a];
    for (size_t i = 0; exponent > 0 && i < task->primitives.count; i++) {
        primitives[i].lower_x *= task->scale;
        primitives[i].lower_y *= task->scale;
        primitives[i].lower_z *= task->scale;
        primitives[i].upper_x *= task->scale;
        primitives[i].upper_y *= task->scale;
        primitives[i].upper_z *= task->scale;
    }
}

lb_box lb_tree_other_box(const struct lb_tree_task *task, const struct RTCBuildPrimitive *primitive)
{
    uint32_t number = primitive->geomID & LB_TREE_SHAPE_MASK;
    if (number == LB_TREE_INSTANCE)
        return ((const lb_instance *)task->arrays->instances.data)[primitive->primID].box;
    const lb_shape *shape = (const lb_shape *)task->arrays->shapes.data + number;
    if (shape->kind != LB_SHAPE_CURVES)
        return lb_quadric_box(shape);
    return lb_strand_box(shape, (const lb_strand *)task->arrays->strands.data + shape->first_strand +
                                    primitive->primID);
}

/* ---- the primitives ---- */

enum lb_status lb_tree_primitives(struct lb_tree_task *task, struct lb_error *error)
{
    const lb_shape *shapes = (const lb_shape *)task->arrays->shapes.data;
    uint64_t count = count_primitives(task);
    if (count + task->arrays->leaf_primitives.count > LB_TREE_MAX_ELEMENTS)
        return lb_error_set(error, LB_ERROR, "the scene has too many triangles for one tree: at most %u",
                            LB_TREE_MAX_ELEMENTS);
    task->primitives.element = sizeof(struct RTCBuildPrimitive);
    /* Embree puts fragments behind the primitives. What is not used is not touched and so takes no memory. */
    uint64_t room = task->options.high_quality ? count + count / SPLIT_SHARE + SPLIT_LEAST : count;
    struct RTCBuildPrimitive *first = lb_vector_add(&task->primitives, room);
    if (!first)
        return lb_error_set(error, LB_ERROR_MEMORY, "out of memory for a tree of %llu primitives, %.3g GB",
                            (unsigned long long)count,
                            (double)room * (double)sizeof(struct RTCBuildPrimitive) * 1e-9);
    struct collection collection = {first, lb_box_empty()};
    for (uint32_t i = 0; i < task->source.shape_count; i++) {
        uint32_t shape = task->source.first_shape + i;
        if (shapes[shape].kind == LB_SHAPE_MESH)
            collection = add_mesh(task, shape, collection);
        else if (shapes[shape].kind == LB_SHAPE_CURVES)
            collection = add_curves(task, shape, collection);
        else
            collection = add_quadric(task, shape, collection);
    }
    if (task->is_world)
        collection = add_instances(task, collection);
    task->primitives.count = (size_t)(collection.end - first);
    scale_primitives(task, &collection.around);
    return LB_OK;
}
