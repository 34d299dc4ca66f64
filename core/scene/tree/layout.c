/* Nodes as traversals want them, from the tree that Embree's calls back made. */
#include "core/scene/tree/parts.h"

#include "core/kernel/shapes/box.h"

#include <string.h>

struct tree_layout {
    struct lb_tree_task *task;
    struct lb_error *error;
    enum lb_status status;
    uint32_t depth;
};

static bool fail(struct tree_layout *layout, const char *message)
{
    layout->status = lb_error_set(layout->error, LB_ERROR, "%s", message);
    return false;
}

static bool no_memory(struct tree_layout *layout)
{
    layout->status = lb_error_memory(layout->error, "the tree");
    return false;
}

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
static uint32_t order_in_octant(const struct lb_tree_child *children, uint32_t count, uint32_t octant)
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

/* The order of the children for the opposite octant: that of this one, reversed. */
static uint32_t reversed_order(uint32_t order, uint32_t count)
{
    uint32_t reversed = order;
    for (uint32_t i = 0; i < count; i++) {
        reversed &= ~(15u << 4 * i);
        reversed |= (order >> 4 * (count - 1 - i) & 15) << 4 * i;
    }
    return reversed;
}

static void fill_node(lb_node *node, const struct lb_tree_child *children, uint32_t count)
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

/* How soon a ray that meets the child is likely to end in it: chance of a hit over expected steps. A line through a
 * convex box of half surface h meets a surface s within s / h times on average. */
static float occlusion(const struct lb_tree_child *child)
{
    return child->surface / ((child->surface + child->area) * child->steps);
}

/* Sorts children by how soon a ray is likely to end in them, since rays that look for any hit visit them by number.
 * Equal ones keep their order. */
static void sort_children(struct lb_tree_child *children, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++) {
        struct lb_tree_child moved = children[i];
        uint32_t j = i;
        for (; j > 0 && occlusion(&moved) > occlusion(&children[j - 1]); j--)
            children[j] = children[j - 1];
        children[j] = moved;
    }
}

static bool reserve_node(struct tree_layout *layout, uint32_t *number)
{
    struct lb_vector *nodes = &layout->task->arrays->nodes;
    if (nodes->count >= LB_CHILD_LEAF)
        return fail(layout, "the scene's tree has too many nodes");
    *number = (uint32_t)nodes->count;
    return lb_vector_add(nodes, 1) || no_memory(layout);
}

static void set_node(struct tree_layout *layout, uint32_t number, struct lb_tree_child *children,
                     uint32_t count, struct lb_tree_child *out)
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
    out->area = lb_tree_half_area(layout->task, &out->box);
    for (uint32_t i = 0; out->area > 0.0f && i < count; i++)
        out->steps += children[i].steps * (children[i].area / out->area);
}

static bool lay_leaf(struct tree_layout *layout, const struct RTCBuildPrimitive *primitives, size_t count,
                     struct lb_tree_child *out)
{
    layout->status = lb_tree_leaf(layout->task, primitives, count, out, layout->error);
    return layout->status == LB_OK;
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

/* Reserves a node below `depth` others. */
static bool open_node(struct tree_layout *layout, uint32_t depth, uint32_t *number)
{
    if (depth >= LB_TREE_DEPTH)
        return fail(layout, "the scene's tree is too deep");
    if (depth + 1 > layout->depth)
        layout->depth = depth + 1;
    return reserve_node(layout, number);
}

/* Lays a leaf. Where it mixes kinds of primitives, that is a node with a leaf for each kind. */
static bool lay_mixed_leaf(struct tree_layout *layout, const void *part, uint32_t depth,
                           struct lb_tree_child *out)
{
    struct RTCBuildPrimitive primitives[LB_TREE_MAX_LEAF];
    size_t count = collect(layout->task, part, primitives, 0), counts[LB_LEAF_KINDS], at = 0;
    struct lb_tree_child children[LB_LEAF_KINDS];
    uint32_t number, kinds = 0;
    if (count == 0 || count > LB_TREE_MAX_LEAF)
        return fail(layout, "Embree made a leaf of the wrong size");
    lb_tree_leaf_sort(layout->task, primitives, count, counts);
    for (int kind = 0; kind < LB_LEAF_KINDS; kind++)
        if (counts[kind] == count)
            return lay_leaf(layout, primitives, count, out);
    if (!open_node(layout, depth, &number))
        return false;
    for (int kind = 0; kind < LB_LEAF_KINDS; kind++) {
        if (counts[kind] > 0 && !lay_leaf(layout, primitives + at, counts[kind], &children[kinds++]))
            return false;
        at += counts[kind];
    }
    set_node(layout, number, children, kinds, out);
    return true;
}

/* Depth first, so that what lies below a node lies together. `depth`: nodes above. */
static bool lay_part(struct tree_layout *layout, const void *part, uint32_t depth, struct lb_tree_child *out)
{
    void *parts[8];
    struct lb_tree_child children[8];
    uint32_t number;
    if (!part)
        return no_memory(layout);
    if (lb_tree_is_leaf(part))
        return lay_mixed_leaf(layout, part, depth, out);
    uint32_t count = lb_tree_children(part, layout->task->options.max_width, parts);
    if (!open_node(layout, depth, &number))
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (!lay_part(layout, parts[i], depth + 1, &children[i]))
            return false;
    set_node(layout, number, children, count, out);
    return true;
}

enum lb_status lb_tree_layout(struct lb_tree_task *task, lb_geometry *geometry, struct lb_error *error)
{
    struct tree_layout layout = {.task = task, .error = error, .status = LB_OK};
    struct lb_tree_child top = {.word = LB_NONE, .box = lb_box_empty()};
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
