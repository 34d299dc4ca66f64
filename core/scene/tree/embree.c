/* The builder: Embree's rtcBuildBVH, binned surface-area heuristic, or spatial splits. */
#include "core/scene/tree/parts.h"

#include "core/kernel/tree/intersect.h"

#if defined(__SSE__)
#include <xmmintrin.h>
#endif

/* Embree's tasks run with denormals off; what is calculated in calls back must not. */
static unsigned denormals_on(void)
{
#if defined(__SSE__)
    unsigned before = _mm_getcsr();
    _mm_setcsr(before & ~0x8040u); /* flush to zero, denormals are zero */
    return before;
#else
    return 0;
#endif
}

static void denormals_restore(unsigned before)
{
#if defined(__SSE__)
    _mm_setcsr(before);
#else
    (void)before;
#endif
}

static void *create_node(RTCThreadLocalAllocator allocator, unsigned count, void *user)
{
    (void)count, (void)user;
    return rtcThreadLocalAlloc(allocator, sizeof(struct lb_tree_inner), 16);
}

static lb_box box_of(const struct RTCBounds *bounds)
{
    return (lb_box){{bounds->lower_x, bounds->lower_y, bounds->lower_z},
                    {bounds->upper_x, bounds->upper_y, bounds->upper_z}};
}

static void set_boxes(struct lb_tree_inner *node, const lb_box child[2])
{
    node->box = lb_box_empty();
    for (int i = 0; i < 2; i++) {
        lb_box_add_box(&node->box, &child[i]);
        node->area[i] = lb_tree_area(&child[i]);
    }
}

static void set_bounds(void *to, const struct RTCBounds **bounds, unsigned count, void *user)
{
    (void)user;
    if (!to || count != 2)
        return;
    lb_box boxes[2] = {box_of(bounds[0]), box_of(bounds[1])};
    set_boxes(to, boxes);
}

/* Called when both children are done. */
static void set_children(void *to, void **children, unsigned count, void *user)
{
    const struct lb_tree_task *task = user;
    struct lb_tree_inner *node = to;
    if (!node || count != 2)
        return;
    node->child[0] = children[0];
    node->child[1] = children[1];
    unsigned before = denormals_on();
    if (children[0] && children[1])
        lb_tree_collapse(node, task->options.max_width, task->options.max_leaf);
    denormals_restore(before);
}

/* ---- leaves ---- */

/* Where there are more instances, each of which takes some 100 bytes more by itself, they share leaves. */
enum { MOST_ALONE = 1 << 15 };

/* Is the primitive to have a leaf for itself, unlike triangles, of which a leaf's are tested at once? The test of a
 * quadric takes longer than that of its box in a node, and an instance is a tree. */
static bool is_alone(const struct lb_tree_task *task, const struct RTCBuildPrimitive *primitive)
{
    enum lb_leaf_kind kind = lb_tree_kind(task, primitive);
    return kind == LB_LEAF_QUADRICS ||
           (kind == LB_LEAF_INSTANCES && task->arrays->instances.count <= MOST_ALONE);
}

/* A node as Embree would have made it, above two parts. */
static void *join(RTCThreadLocalAllocator allocator, const struct lb_tree_task *task, void *parts[2])
{
    struct lb_tree_inner *node = create_node(allocator, 2, NULL);
    if (!node || !parts[0] || !parts[1])
        return NULL;
    lb_box boxes[2] = {lb_tree_part_box(task, parts[0]), lb_tree_part_box(task, parts[1])};
    set_boxes(node, boxes);
    node->child[0] = parts[0];
    node->child[1] = parts[1];
    lb_tree_collapse(node, task->options.max_width, task->options.max_leaf);
    return node;
}

/* Leaves of one primitive each, in the order of lb_tree_is_before. */
static void *create_each(RTCThreadLocalAllocator allocator, const struct lb_tree_task *task,
                         const struct RTCBuildPrimitive *const sorted[], size_t count)
{
    if (count == 1) {
        const struct RTCBuildPrimitive *all = task->primitives.data;
        return lb_tree_part_leaf((size_t)(sorted[0] - all), 1, is_alone(task, sorted[0]));
    }
    void *parts[2] = {create_each(allocator, task, sorted, count / 2),
                      create_each(allocator, task, sorted + count / 2, count - count / 2)};
    return join(allocator, task, parts);
}

static void *create_leaf(RTCThreadLocalAllocator allocator, const struct RTCBuildPrimitive *primitives,
                         size_t count, void *user)
{
    const struct lb_tree_task *task = user;
    const struct RTCBuildPrimitive *all = task->primitives.data, *sorted[LB_TREE_MAX_LEAF];
    bool alone = false;
    for (size_t i = 0; i < count; i++) {
        size_t j = i;
        for (; j > 0 && lb_tree_is_before(&primitives[i], sorted[j - 1]); j--)
            sorted[j] = sorted[j - 1];
        sorted[j] = &primitives[i];
        alone = alone || is_alone(task, &primitives[i]);
    }
    if (!alone)
        return lb_tree_part_leaf((size_t)(primitives - all), count, false);
    unsigned before = denormals_on();
    void *part = create_each(allocator, task, sorted, count);
    denormals_restore(before);
    return part;
}

/* ---- spatial splits ---- */

static void bounds_add(struct lb_box *box, const double p[3])
{
    for (int a = 0; a < 3; a++) {
        box->lower[a] = lb_min((float)p[a], box->lower[a]);
        box->upper[a] = lb_max((float)p[a], box->upper[a]);
    }
}

/* The boxes of a triangle's two parts, below and above `position` on an axis, not yet grown. Points on edges
 * are found in double, so that they are off by no more than their rounding, for which growing makes up. */
static void split_triangle(const float corner[3][3], unsigned axis, float position, lb_box part[2])
{
    part[0] = part[1] = lb_box_empty();
    for (int i = 0; i < 3; i++) {
        const float *from = corner[i], *to = corner[i == 2 ? 0 : i + 1];
        double p[3] = {(double)from[0], (double)from[1], (double)from[2]};
        if (from[axis] <= position)
            bounds_add(&part[0], p);
        if (from[axis] >= position)
            bounds_add(&part[1], p);
        if ((from[axis] < position && to[axis] > position) ||
            (from[axis] > position && to[axis] < position)) {
            double along = ((double)position - p[axis]) / ((double)to[axis] - p[axis]);
            for (int a = 0; a < 3; a++)
                p[a] += along * ((double)to[a] - p[a]);
            p[axis] = (double)position;
            bounds_add(&part[0], p);
            bounds_add(&part[1], p);
        }
    }
}

/* A box's part below or above `position`. */
static lb_box cut_box(const lb_box *whole, unsigned axis, float position, bool above)
{
    lb_box part = *whole;
    position = lb_clamp(position, whole->lower[axis], whole->upper[axis]);
    if (above)
        part.lower[axis] = position;
    else
        part.upper[axis] = position;
    return part;
}

/* A part, grown, within the whole. Where nothing of the triangle seems to be left there (it touches the whole by no
 * more than what boxes are grown by), the whole's own part: Embree wants no empty boxes. */
static lb_box grown_part(lb_box part, const lb_box *whole, const lb_box *cut)
{
    bool empty = false;
    for (int a = 0; a < 3; a++) {
        part.lower[a] = lb_max(whole->lower[a], lb_box_grow_lower(part.lower[a]));
        part.upper[a] = lb_min(whole->upper[a], lb_box_grow_upper(part.upper[a]));
        empty = empty || !(part.lower[a] <= part.upper[a]);
    }
    return empty ? *cut : part;
}

static void set_part(struct RTCBounds *to, const lb_box *part, float scale)
{
    to->lower_x = scale * part->lower[0];
    to->lower_y = scale * part->lower[1];
    to->lower_z = scale * part->lower[2];
    to->upper_x = scale * part->upper[0];
    to->upper_y = scale * part->upper[1];
    to->upper_z = scale * part->upper[2];
}

/* Embree splits a primitive in two and then sends each part to a side by its box's centre, in its own arithmetic of
 * bins. Were a part so thin that rounding could send it to the other side, a side might be left with nothing, at
 * which Embree ends the program. So such a part's box is widened, away from the plane, until its centre is beyond it
 * by more than all that rounding can take: of bins, 2^-22 of the extent; of the plane and the centre, an ulp each.
 * Twice that is allowed for. */
static void widen_part(const struct lb_tree_task *task, lb_box *part, unsigned axis, float position,
                       bool above)
{
    float margin = task->back * task->extent[axis] * 0x1p-21f + lb_abs(position) * 0x1p-21f + 0x1p-64f;
    if (above)
        part->upper[axis] = lb_max(part->upper[axis], 2.0f * (position + margin) - part->lower[axis]);
    else
        part->lower[axis] = lb_min(part->lower[axis], 2.0f * (position - margin) - part->upper[axis]);
}

/* Does Embree split for good? Else it only asks what splits would give, and the primitive is a copy. */
static bool is_final(const struct lb_tree_task *task, const struct RTCBuildPrimitive *primitive)
{
    uintptr_t first = (uintptr_t)task->primitives.data;
    return (uintptr_t)primitive - first < task->primitives.capacity * sizeof *primitive;
}

/* Quadrics, curves and instances gain nothing by being split, as their own boxes stay whole, whatever nodes are around
 * them: both sides are said to get all of it. Where Embree splits them nevertheless, each side gets one, which is
 * whole in the tree (lb_tree_other_box). */
static void split(const struct RTCBuildPrimitive *primitive, unsigned axis, float position,
                  struct RTCBounds *left, struct RTCBounds *right, void *user)
{
    const struct lb_tree_task *task = user;
    unsigned before = denormals_on();
    bool final = is_final(task, primitive);
    lb_box whole = lb_tree_triangle_box(task, primitive);
    lb_box part[2] = {whole, whole};
    position *= task->back;
    lb_box below = cut_box(&whole, axis, position, false), above = cut_box(&whole, axis, position, true);
    if (lb_tree_kind(task, primitive) == LB_LEAF_TRIANGLES) {
        float corner[3][3];
        lb_tree_corners(task->arrays, primitive->geomID & LB_TREE_SHAPE_MASK, primitive->primID, corner);
        split_triangle((const float(*)[3])corner, axis, position, part);
        part[0] = grown_part(part[0], &whole, &below);
        part[1] = grown_part(part[1], &whole, &above);
    } else if (final) {
        part[0] = below;
        part[1] = above;
    }
    if (final) {
        widen_part(task, &part[0], axis, position, false);
        widen_part(task, &part[1], axis, position, true);
    }
    set_part(left, &part[0], task->scale);
    set_part(right, &part[1], task->scale);
    denormals_restore(before);
}

/* ---- the call ---- */

struct RTCBuildArguments lb_tree_arguments(struct lb_tree_task *task)
{
    struct RTCBuildArguments arguments = rtcDefaultBuildArguments();
    unsigned leaf = lb_tree_binary_leaf(&task->options);
    arguments.buildQuality = task->options.high_quality ? RTC_BUILD_QUALITY_HIGH : RTC_BUILD_QUALITY_MEDIUM;
    arguments.maxBranchingFactor = 2;
    arguments.maxDepth = lb_tree_most_depth(&task->options);
    arguments.sahBlockSize = leaf; /* what is merged into leaves afterwards need not be split to the last */
    arguments.minLeafSize = 1;
    arguments.maxLeafSize = leaf;
    arguments.traversalCost = 1.0f;
    arguments.intersectionCost = 1.0f;
    arguments.bvh = task->bvh;
    arguments.primitives = task->primitives.data;
    arguments.primitiveCount = task->primitives.count;
    arguments.primitiveArrayCapacity = task->primitives.capacity;
    arguments.createNode = create_node;
    arguments.setNodeChildren = set_children;
    arguments.setNodeBounds = set_bounds;
    arguments.createLeaf = create_leaf;
    arguments.splitPrimitive = task->options.high_quality ? split : NULL;
    arguments.userPtr = task;
    return arguments;
}

void *lb_tree_call(const struct RTCBuildArguments *arguments)
{
    unsigned before = denormals_on();
    void *root = rtcBuildBVH(arguments);
    denormals_restore(before);
    return root;
}

void *lb_tree_of_all(struct lb_tree_task *task)
{
    struct RTCBuildArguments arguments = lb_tree_arguments(task);
    return lb_tree_call(&arguments);
}
