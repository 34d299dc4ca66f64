/* Nodes and leaves as traversals want them, from the tree that Embree's calls back made. */
#include "core/scene/tree_parts.h"

#include "core/kernel/intersect.h"

#include <math.h>
#include <string.h>

struct layout {
    struct lb_tree_task *task;
    struct lb_error *error;
    enum lb_status status;
    uint32_t depth;
};

/* A child as its parent has it. */
struct child {
    uint32_t word;
    lb_box box;
    float area;    /* half the surface of the box, as surfaces in the builder's coordinates */
    float surface; /* of what is in it: areas of triangles; of others, about what they hide */
    float steps;   /* expected of a ray that meets the box */
};

static bool fail(struct layout *layout, const char *message)
{
    layout->status = lb_error_set(layout->error, LB_ERROR, "%s", message);
    return false;
}

static bool no_memory(struct layout *layout)
{
    layout->status = lb_error_memory(layout->error, "the tree");
    return false;
}

/* ---- inner nodes ---- */

/* Twice the distance of a box's centre along an octant's diagonal. */
static float distance_in_octant(const lb_box *box, uint32_t octant)
{
    float sum = 0.0f;
    for (uint32_t a = 0; a < 3; a++) {
        float centre = box->lower[a] + box->upper[a];
        sum += octant >> a & 1 ? -centre : centre;
    }
    return sum;
}

/* The children near to far for rays of an octant; ties by number; children that are missing last. */
static uint32_t order_in_octant(const struct child *children, uint32_t count, uint32_t octant)
{
    uint32_t sorted[8], order = 0;
    float distance[8];
    for (uint32_t i = 0; i < count; i++) {
        float d = distance_in_octant(&children[i].box, octant);
        uint32_t j = i;
        for (; j > 0 && d < distance[j - 1]; j--) {
            distance[j] = distance[j - 1];
            sorted[j] = sorted[j - 1];
        }
        distance[j] = d;
        sorted[j] = i;
    }
    for (uint32_t i = 0; i < 8; i++)
        order |= (i < count ? sorted[i] : i) << 4 * i;
    return order;
}

/* The order for the opposite octant. */
static uint32_t reversed_order(uint32_t order, uint32_t count)
{
    uint32_t reversed = order;
    for (uint32_t i = 0; i < count; i++) {
        reversed &= ~(15u << 4 * i);
        reversed |= (order >> 4 * (count - 1 - i) & 15) << 4 * i;
    }
    return reversed;
}

static void fill_node(lb_node *node, const struct child *children, uint32_t count)
{
    lb_box none = lb_box_empty();
    for (uint32_t i = 0; i < 8; i++) {
        const lb_box *box = i < count ? &children[i].box : &none;
        for (int a = 0; a < 3; a++) {
            node->lower[a][i] = box->lower[a];
            node->upper[a][i] = box->upper[a];
        }
        node->child[i] = i < count ? children[i].word : LB_NONE;
    }
    for (uint32_t octant = 0; octant < 4; octant++) {
        node->order[octant] = order_in_octant(children, count, octant);
        node->order[7 - octant] = reversed_order(node->order[octant], count);
    }
}

static float half_area(const struct lb_tree_task *task, const lb_box *box)
{
    float side[3];
    for (int a = 0; a < 3; a++)
        side[a] = task->scale * (box->upper[a] - box->lower[a]);
    return side[0] * side[1] + side[1] * side[2] + side[2] * side[0];
}

/* How soon a ray that meets the child is likely to end in it: chance of a hit over expected steps. A line through a
 * convex box of half surface h meets a surface s within s / h times on average. */
static float occlusion(const struct child *child)
{
    return child->surface / ((child->surface + child->area) * child->steps);
}

/* Rays that look for any hit take children by number. Equal ones keep their order. */
static void sort_children(struct child *children, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++) {
        struct child moved = children[i];
        uint32_t j = i;
        for (; j > 0 && occlusion(&moved) > occlusion(&children[j - 1]); j--)
            children[j] = children[j - 1];
        children[j] = moved;
    }
}

static bool reserve_node(struct layout *layout, uint32_t *number)
{
    struct lb_vector *nodes = &layout->task->arrays->nodes;
    if (nodes->count >= LB_CHILD_LEAF)
        return fail(layout, "the scene's tree has too many nodes");
    *number = (uint32_t)nodes->count;
    return lb_vector_add(nodes, 1) || no_memory(layout);
}

static void set_node(struct layout *layout, uint32_t number, struct child *children, uint32_t count,
                     struct child *out)
{
    sort_children(children, count);
    fill_node((lb_node *)layout->task->arrays->nodes.data + number, children, count);
    out->word = number;
    out->box = lb_box_empty();
    out->surface = 0.0f;
    out->steps = 1.0f;
    for (uint32_t i = 0; i < count; i++) {
        lb_box_add_box(&out->box, &children[i].box);
        out->surface += children[i].surface;
    }
    out->area = half_area(layout->task, &out->box);
    for (uint32_t i = 0; out->area > 0.0f && i < count; i++)
        out->steps += children[i].steps * (children[i].area / out->area);
}

/* ---- leaves ---- */

/* A total order, as threads leave a leaf's primitives in any. */
static bool is_before(const struct RTCBuildPrimitive *a, const struct RTCBuildPrimitive *b)
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
        for (; j > 0 && is_before(&moved, &primitives[j - 1]); j--)
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

/* Triangles: corners by value, then triangle; names; boxes where triangles are split. Sets the leaf's box and
 * surface. */
static bool add_triangles(struct layout *layout, const struct RTCBuildPrimitive *primitives, size_t count,
                          uint64_t *first, struct child *leaf)
{
    const struct lb_tree_task *task = layout->task;
    struct lb_scene_arrays *arrays = task->arrays;
    *first = arrays->leaf_primitives.count;
    lb_primitive *names = lb_vector_add(&arrays->leaf_primitives, count);
    float *corners = lb_vector_add(&arrays->leaf_corners, 9 * count);
    lb_box *boxes = task->options.high_quality ? lb_vector_add(&arrays->leaf_boxes, count) : NULL;
    if (!names || !corners || (task->options.high_quality && !boxes))
        return no_memory(layout);
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
static bool add_others(struct layout *layout, const struct RTCBuildPrimitive *primitives, size_t count,
                       enum lb_leaf_kind kind, uint64_t *first, struct child *leaf)
{
    struct lb_vector *others = &layout->task->arrays->leaf_others;
    *first = others->count;
    uint32_t *numbers = lb_vector_add(others, count);
    if (!numbers)
        return no_memory(layout);
    leaf->box = lb_box_empty();
    leaf->surface = 0.0f;
    for (size_t i = 0; i < count; i++) {
        numbers[i] =
            kind == LB_LEAF_INSTANCES ? primitives[i].primID : primitives[i].geomID & LB_TREE_SHAPE_MASK;
        lb_box box = lb_tree_other_box(layout->task, &primitives[i]);
        lb_box_add_box(&leaf->box, &box);
        leaf->surface += half_area(layout->task, &box);
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
static bool add_strands(struct layout *layout, const struct RTCBuildPrimitive *primitives, size_t count,
                        uint64_t *first, struct child *leaf)
{
    const struct lb_scene_arrays *arrays = layout->task->arrays;
    struct lb_vector *leaf_strands = &layout->task->arrays->leaf_strands;
    *first = leaf_strands->count;
    lb_primitive *names = lb_vector_add(leaf_strands, count);
    if (!names)
        return no_memory(layout);
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
        leaf->surface += strand_area(layout->task, shape, strand);
    }
    return true;
}

static bool add_elements(struct layout *layout, const struct RTCBuildPrimitive *primitives, size_t count,
                         enum lb_leaf_kind kind, uint64_t *first, struct child *leaf)
{
    if (kind == LB_LEAF_TRIANGLES)
        return add_triangles(layout, primitives, count, first, leaf);
    if (kind == LB_LEAF_CURVES)
        return add_strands(layout, primitives, count, first, leaf);
    return add_others(layout, primitives, count, kind, first, leaf);
}

/* A leaf of primitives of one kind. */
static bool lay_leaf(struct layout *layout, const struct RTCBuildPrimitive *primitives, size_t count,
                     struct child *out)
{
    /* An instance is a tree of its own. A guess: only by it does the order depend in which rays that look for any hit
     * take a node's children, and bench/results/traverse.md, which has the gain of that order, has no instances. */
    const float instance_steps = 10.0f;
    enum lb_leaf_kind kind = lb_tree_kind(layout->task, primitives);
    uint64_t first;
    if (!add_elements(layout, primitives, count, kind, &first, out))
        return false;
    if (first + count > LB_TREE_MAX_ELEMENTS)
        return fail(layout, "the scene has too many triangles for one tree: at most 67108864");
    out->word = LB_CHILD_LEAF | (uint32_t)kind << 29 | (uint32_t)(count - 1) << 26 | (uint32_t)first;
    out->area = half_area(layout->task, &out->box);
    out->steps = kind == LB_LEAF_INSTANCES ? instance_steps * (float)count : 1.0f;
    return true;
}

/* Moves primitives of the same kind together; returns how many there are of each. */
static void group_kinds(const struct lb_tree_task *task, struct RTCBuildPrimitive *primitives, size_t count,
                        size_t counts[LB_LEAF_KINDS])
{
    struct RTCBuildPrimitive grouped[LB_TREE_MAX_LEAF];
    enum lb_leaf_kind kinds[LB_TREE_MAX_LEAF];
    size_t to = 0;
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

/* Collects what is below a part that becomes a leaf. */
static size_t collect(const struct lb_tree_task *task, const void *part, struct RTCBuildPrimitive *to,
                      size_t count)
{
    if (!lb_tree_part_is_leaf(part)) {
        const struct lb_tree_inner *inner = part;
        count = collect(task, inner->child[0], to, count);
        return collect(task, inner->child[1], to, count);
    }
    size_t more = lb_tree_part_count(part);
    if (count + more <= LB_TREE_MAX_LEAF)
        memcpy(to + count, (struct RTCBuildPrimitive *)task->primitives.data + lb_tree_part_first(part),
               more * sizeof *to);
    return count + more;
}

/* A leaf; where it mixes kinds, a node with a leaf a kind. */
static bool lay_mixed_leaf(struct layout *layout, const void *part, uint32_t depth, struct child *out)
{
    struct RTCBuildPrimitive primitives[LB_TREE_MAX_LEAF];
    size_t count = collect(layout->task, part, primitives, 0), counts[LB_LEAF_KINDS], at = 0;
    struct child children[LB_LEAF_KINDS];
    uint32_t number, kinds = 0;
    if (count == 0 || count > LB_TREE_MAX_LEAF)
        return fail(layout, "Embree made a leaf of the wrong size");
    sort_primitives(primitives, count);
    group_kinds(layout->task, primitives, count, counts);
    for (int kind = 0; kind < LB_LEAF_KINDS; kind++)
        if (counts[kind] == count)
            return lay_leaf(layout, primitives, count, out);
    if (depth >= LB_TREE_DEPTH)
        return fail(layout, "the scene's tree is too deep");
    if (depth + 1 > layout->depth)
        layout->depth = depth + 1;
    if (!reserve_node(layout, &number))
        return false;
    for (int kind = 0; kind < LB_LEAF_KINDS; kind++) {
        if (counts[kind] > 0 && !lay_leaf(layout, primitives + at, counts[kind], &children[kinds++]))
            return false;
        at += counts[kind];
    }
    set_node(layout, number, children, kinds, out);
    return true;
}

/* ---- the whole ---- */

/* Depth first, so that what lies below a node lies together. `depth`: nodes above. */
static bool lay_part(struct layout *layout, const void *part, uint32_t depth, struct child *out)
{
    void *parts[8];
    struct child children[8];
    uint32_t number;
    if (!part)
        return no_memory(layout);
    if (lb_tree_is_leaf(part))
        return lay_mixed_leaf(layout, part, depth, out);
    uint32_t count = lb_tree_children(part, layout->task->options.max_width, parts);
    if (depth >= LB_TREE_DEPTH)
        return fail(layout, "the scene's tree is too deep");
    if (depth + 1 > layout->depth)
        layout->depth = depth + 1;
    if (!reserve_node(layout, &number))
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (!lay_part(layout, parts[i], depth + 1, &children[i]))
            return false;
    set_node(layout, number, children, count, out);
    return true;
}

enum lb_status lb_tree_layout(struct lb_tree_task *task, lb_geometry *geometry, struct lb_error *error)
{
    struct layout layout = {.task = task, .error = error, .status = LB_OK};
    struct child top = {.word = LB_NONE, .box = lb_box_empty()};
    size_t first = task->arrays->leaf_primitives.count;
    if (task->root && !lay_part(&layout, task->root, 0, &top))
        return layout.status;
    *geometry = (lb_geometry){.root = top.word,
                              .first_shape = task->source.first_shape,
                              .shape_count = task->source.shape_count,
                              .first_leaf = (uint32_t)first,
                              .leaf_count = (uint32_t)(task->arrays->leaf_primitives.count - first),
                              .depth = layout.depth,
                              .box = top.box};
    return LB_OK;
}
