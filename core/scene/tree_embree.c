/* The builder: Embree's rtcBuildBVH, binned surface-area heuristic, or spatial splits. */
#include "core/scene/tree_parts.h"

#include "core/kernel/intersect.h"

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
    (void)user;
    struct lb_tree_inner *node = rtcThreadLocalAlloc(allocator, sizeof *node, 16);
    if (node)
        node->count = count;
    return node;
}

static void set_children(void *to, void **children, unsigned count, void *user)
{
    (void)user;
    struct lb_tree_inner *node = to;
    for (unsigned i = 0; i < count; i++)
        node->child[i] = children[i];
}

/* Boxes are made anew from the primitives'. */
static void set_bounds(void *node, const struct RTCBounds **bounds, unsigned count, void *user)
{
    (void)node, (void)bounds, (void)count, (void)user;
}

static void *create_leaf(RTCThreadLocalAllocator allocator, const struct RTCBuildPrimitive *primitives,
                         size_t count, void *user)
{
    (void)allocator;
    const struct lb_tree_task *task = user;
    return lb_tree_part_leaf((size_t)(primitives - (const struct RTCBuildPrimitive *)task->primitives.data),
                             count);
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

static void set_part(struct RTCBounds *to, const lb_box *part, const struct RTCBuildPrimitive *whole)
{
    to->lower_x = lb_max(whole->lower_x, lb_box_grow_lower(part->lower[0]));
    to->lower_y = lb_max(whole->lower_y, lb_box_grow_lower(part->lower[1]));
    to->lower_z = lb_max(whole->lower_z, lb_box_grow_lower(part->lower[2]));
    to->upper_x = lb_min(whole->upper_x, lb_box_grow_upper(part->upper[0]));
    to->upper_y = lb_min(whole->upper_y, lb_box_grow_upper(part->upper[1]));
    to->upper_z = lb_min(whole->upper_z, lb_box_grow_upper(part->upper[2]));
}

/* A quadric's or instance's box is cut as a box. */
static void split_box(const struct RTCBuildPrimitive *whole, unsigned axis, float position, lb_box part[2])
{
    part[0] = part[1] = (lb_box){{whole->lower_x, whole->lower_y, whole->lower_z},
                                 {whole->upper_x, whole->upper_y, whole->upper_z}};
    part[0].upper[axis] = position;
    part[1].lower[axis] = position;
}

static void split(const struct RTCBuildPrimitive *whole, unsigned axis, float position,
                  struct RTCBounds *left, struct RTCBounds *right, void *user)
{
    const struct lb_tree_task *task = user;
    const lb_shape *shapes = (const lb_shape *)task->arrays->shapes.data;
    uint32_t number = whole->geomID & LB_TREE_SHAPE_MASK;
    unsigned before = denormals_on();
    lb_box part[2];
    if (number != LB_TREE_INSTANCE && shapes[number].kind == LB_SHAPE_MESH) {
        float corner[3][3];
        lb_tree_corners(task->arrays, number, whole->primID, corner);
        split_triangle(corner, axis, position, part);
    } else {
        split_box(whole, axis, position, part);
    }
    set_part(left, &part[0], whole);
    set_part(right, &part[1], whole);
    denormals_restore(before);
}

/* ---- the call ---- */

static struct RTCBuildArguments arguments_of(struct lb_tree_task *task)
{
    struct RTCBuildArguments arguments = rtcDefaultBuildArguments();
    arguments.buildQuality = task->options.high_quality ? RTC_BUILD_QUALITY_HIGH : RTC_BUILD_QUALITY_MEDIUM;
    arguments.maxBranchingFactor = task->options.max_width;
    arguments.maxDepth = LB_TREE_DEPTH - 2;
    arguments.sahBlockSize = task->options.max_leaf; /* a leaf is tested at once */
    arguments.minLeafSize = 1;
    arguments.maxLeafSize = task->options.max_leaf;
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

enum lb_status lb_tree_embree(struct lb_tree_task *task, struct lb_error *error)
{
    if (task->primitives.count == 0)
        return LB_OK;
    task->bvh = rtcNewBVH(task->device);
    if (!task->bvh)
        return lb_error_set(error, LB_ERROR_MEMORY, "out of memory for a tree");
    struct RTCBuildArguments arguments = arguments_of(task);
    unsigned before = denormals_on();
    task->root = rtcBuildBVH(&arguments);
    denormals_restore(before);
    enum RTCError code = rtcGetDeviceError(task->device);
    if (code == RTC_ERROR_OUT_OF_MEMORY)
        return lb_error_set(error, LB_ERROR_MEMORY, "out of memory for a tree");
    if (code != RTC_ERROR_NONE || !task->root)
        return lb_error_set(error, LB_ERROR, "Embree could not build the tree (error %d)", (int)code);
    return LB_OK;
}
