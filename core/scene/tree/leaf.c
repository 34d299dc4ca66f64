/* The leaves of a tree: what they hold, appended to the scene's arrays, and the word by which a node names one. */
#include "core/scene/tree/parts.h"

#include "core/kernel/tree/intersect.h"

#include <math.h>
#include <string.h>

bool lb_tree_is_before(const struct RTCBuildPrimitive *a, const struct RTCBuildPrimitive *b)
{
    uint32_t p = a->geomID & LB_TREE_SHAPE_MASK, q = b->geomID & LB_TREE_SHAPE_MASK;
    if (p != q)
        return p < q;
    if (a->primID != b->primID)
        return a->primID < b->primID;
    if (a->lower_x != b->lower_x)
        return a->lower_x < b->lower_x;
    if (a->lower_y != b->lower_y)
        return a->lower_y < b->lower_y;
    return a->lower_z < b->lower_z;
}

static void sort_primitives(struct RTCBuildPrimitive *primitives, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        struct RTCBuildPrimitive moved = primitives[i];
        size_t j = i;
        for (; j > 0 && lb_tree_is_before(&moved, &primitives[j - 1]); j--)
            primitives[j] = primitives[j - 1];
        primitives[j] = moved;
    }
}

static float triangle_area(const struct lb_tree_task *task, const float p[3][3])
{
    float u[3], v[3];
    for (int a = 0; a < 3; a++) {
        u[a] = task->scale * (p[1][a] - p[0][a]);
        v[a] = task->scale * (p[2][a] - p[0][a]);
    }
    float x = u[1] * v[2] - u[2] * v[1], y = u[2] * v[0] - u[0] * v[2], z = u[0] * v[1] - u[1] * v[0];
    return 0.5f * sqrtf(x * x + y * y + z * z);
}

/* Each of these appends the elements of a leaf to the scene's and sets the leaf's box and surface. `*first` is where
 * they begin. False: out of memory.
 * Triangles: corners by value, then triangle; names; boxes where triangles are split. */
static bool add_triangles(struct lb_tree_task *task, const struct RTCBuildPrimitive *primitives, size_t count,
                          uint64_t *first, struct lb_tree_child *leaf)
{
    struct lb_scene_arrays *arrays = task->arrays;
    *first = arrays->leaf_primitives.count;
    lb_primitive *names = lb_vector_add(&arrays->leaf_primitives, count);
    float *corners = lb_vector_add(&arrays->leaf_corners, 9 * count);
    lb_box *boxes = task->options.high_quality ? lb_vector_add(&arrays->leaf_boxes, count) : NULL;
    if (!names || !corners || (task->options.high_quality && !boxes))
        return false;
    lb_box around = lb_box_empty();
    leaf->surface = 0.0f;
    for (size_t i = 0; i < count; i++) {
        float corner[3][3], *to = corners + i;
        names[i].shape = primitives[i].geomID & LB_TREE_SHAPE_MASK;
        names[i].primitive = primitives[i].primID;
        lb_tree_corners(arrays, names[i].shape, names[i].primitive, corner);
        for (size_t value = 0; value < 9; value++, to += count)
            *to = corner[value / 3][value % 3];
        lb_box box = lb_tree_builder_box(&primitives[i]);
        lb_box_add_box(&around, &box);
        if (boxes)
            boxes[i] = lb_tree_scene_box(task, &box);
        leaf->surface += triangle_area(task, (const float(*)[3])corner);
    }
    leaf->box = lb_tree_scene_box(task, &around);
    return true;
}

/* The same for spheres and their like, and for instances, whose numbers are all that a leaf has. */
static bool add_others(struct lb_tree_task *task, const struct RTCBuildPrimitive *primitives, size_t count,
                       enum lb_leaf_kind kind, uint64_t *first, struct lb_tree_child *leaf)
{
    struct lb_vector *others = &task->arrays->leaf_others;
    *first = others->count;
    uint32_t *numbers = lb_vector_add(others, count);
    if (!numbers)
        return false;
    leaf->box = lb_box_empty();
    leaf->surface = 0.0f;
    for (size_t i = 0; i < count; i++) {
        numbers[i] =
            kind == LB_LEAF_INSTANCES ? primitives[i].primID : primitives[i].geomID & LB_TREE_SHAPE_MASK;
        lb_box box = lb_tree_other_box(task, &primitives[i]);
        lb_box_add_box(&leaf->box, &box);
        leaf->surface += lb_tree_half_area(task, &box);
    }
    return true;
}

/* What a straight one hides: it faces all rays alike. */
static float strand_area(const struct lb_tree_task *task, const lb_shape *shape, const lb_strand *strand)
{
    lb_vec3 way = lb_transform_vector(&shape->world_from_object, lb_sub(strand->point[3], strand->point[0]));
    return task->scale * lb_length(way) * task->scale * 0.5f * (strand->width[0] + strand->width[1]);
}

/* The same for curves. */
static bool add_strands(struct lb_tree_task *task, const struct RTCBuildPrimitive *primitives, size_t count,
                        uint64_t *first, struct lb_tree_child *leaf)
{
    const struct lb_scene_arrays *arrays = task->arrays;
    struct lb_vector *leaf_strands = &task->arrays->leaf_strands;
    *first = leaf_strands->count;
    lb_primitive *names = lb_vector_add(leaf_strands, count);
    if (!names)
        return false;
    leaf->box = lb_box_empty();
    leaf->surface = 0.0f;
    for (size_t i = 0; i < count; i++) {
        names[i].shape = primitives[i].geomID & LB_TREE_SHAPE_MASK;
        names[i].primitive = primitives[i].primID;
        const lb_shape *shape = (const lb_shape *)arrays->shapes.data + names[i].shape;
        const lb_strand *strand =
            (const lb_strand *)arrays->strands.data + shape->first_strand + names[i].primitive;
        lb_box box = lb_strand_box(shape, strand);
        lb_box_add_box(&leaf->box, &box);
        leaf->surface += strand_area(task, shape, strand);
    }
    return true;
}

static bool add_elements(struct lb_tree_task *task, const struct RTCBuildPrimitive *primitives, size_t count,
                         enum lb_leaf_kind kind, uint64_t *first, struct lb_tree_child *leaf)
{
    if (kind == LB_LEAF_TRIANGLES)
        return add_triangles(task, primitives, count, first, leaf);
    if (kind == LB_LEAF_CURVES)
        return add_strands(task, primitives, count, first, leaf);
    return add_others(task, primitives, count, kind, first, leaf);
}

enum lb_status lb_tree_leaf(struct lb_tree_task *task, const struct RTCBuildPrimitive *primitives,
                            size_t count, struct lb_tree_child *out, struct lb_error *error)
{
    /* An instance is a tree of its own. A guess: only by it does the order depend in which rays that look for any hit
     * take a node's children, and bench/results/traverse.md, which has the gain of that order, has no instances. */
    const float instance_steps = 10.0f;
    enum lb_leaf_kind kind = lb_tree_kind(task, primitives);
    uint64_t first;
    if (!add_elements(task, primitives, count, kind, &first, out))
        return lb_error_memory(error, "the tree");
    if (first + count > LB_TREE_MAX_ELEMENTS)
        return lb_error_set(error, LB_ERROR,
                            "the scene has too many triangles for one tree: at most 67108864");
    out->word = LB_CHILD_LEAF | (uint32_t)kind << 29 | (uint32_t)(count - 1) << 26 | (uint32_t)first;
    out->area = lb_tree_half_area(task, &out->box);
    out->steps = kind == LB_LEAF_INSTANCES ? instance_steps * (float)count : 1.0f;
    return LB_OK;
}

void lb_tree_leaf_sort(const struct lb_tree_task *task, struct RTCBuildPrimitive *primitives, size_t count,
                       size_t counts[LB_LEAF_KINDS])
{
    struct RTCBuildPrimitive grouped[LB_TREE_MAX_LEAF];
    enum lb_leaf_kind kinds[LB_TREE_MAX_LEAF] = {0};
    size_t to = 0;
    sort_primitives(primitives, count);
    for (uint32_t kind = 0; kind < LB_LEAF_KINDS; kind++)
        counts[kind] = 0;
    for (size_t i = 0; i < count; i++) {
        kinds[i] = lb_tree_kind(task, &primitives[i]);
        counts[kinds[i]]++;
    }
    if (counts[kinds[0]] == count)
        return;
    for (uint32_t kind = 0; kind < LB_LEAF_KINDS; kind++)
        for (size_t i = 0; i < count; i++)
            if (kinds[i] == kind)
                grouped[to++] = primitives[i];
    memcpy(primitives, grouped, count * sizeof *primitives);
}
