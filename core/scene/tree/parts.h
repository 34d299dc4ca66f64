/* Between the parts of lb_tree_build: the primitives (primitives.c), which are put in groups where they are many
 * (groups.c, split.c) and which Embree sorts; the call to it, and its calls back (embree.c), what is moved in the tree
 * that it returns (reinsert.c), and the nodes (layout.c) and leaves (leaf.c) that are made of it. */
#ifndef LB_CORE_SCENE_TREE_PARTS_H
#define LB_CORE_SCENE_TREE_PARTS_H

#include "core/kernel/shapes/box.h"
#include "core/scene/tree/tree.h"

#if LB_EMBREE == 3
#include <embree3/rtcore.h>
#else
#include <embree4/rtcore.h>
#endif

/* A leaf's first element has 26 bits of a child word. */
#define LB_TREE_MAX_ELEMENTS (1u << 26)
#define LB_TREE_MAX_LEAF     8
/* How many of the binary tree's leaves a group may fill, and how deep its tree may be: 16 levels as they come, and 8 of
 * halves, into which Embree splits what is left then. */
#define LB_TREE_GROUPED_LEAVES 256
#define LB_TREE_GROUP_DEPTH    24

/* What an RTCBuildPrimitive stands for: geomID is a shape, or this and primID an instance. Embree keeps the
 * uppermost five bits of geomID for itself when it splits. */
#define LB_TREE_INSTANCE   0x07ffffffu
#define LB_TREE_SHAPE_MASK 0x07ffffffu

/* One geometry while it is built. */
struct lb_tree_task {
    struct lb_scene_arrays *arrays;
    struct lb_geometry_source source;
    bool is_world; /* holds the instances too */
    struct lb_tree_options options;
    struct lb_vector primitives; /* RTCBuildPrimitive, in the builder's coordinates */
    /* The builder's coordinates are the scene's times this: a power of two, so that both ways are exact, and 1 unless
     * areas might overflow. Areas are calculated in the builder's. */
    float scale, back; /* back: 1 / scale */
    float extent[3];   /* of all primitives along the axes, in the builder's coordinates */
    RTCDevice device;
    RTCBVH bvh;
    struct lb_vector groups; /* lb_tree_group, if lb_tree_is_grouped() */
    void *root;              /* as lb_tree_part_* below; NULL: nothing in it */
};

/* Primitives that lie together, of task->primitives. */
struct lb_tree_group {
    lb_box box; /* in the builder's coordinates */
    size_t first, count;
    RTCBVH bvh; /* owns the nodes of its tree, once there is one */
    void *root;
};

/* A child as its parent has it. */
struct lb_tree_child {
    uint32_t word;
    lb_box box;
    float area;    /* half the surface of the box, as surfaces in the builder's coordinates */
    float surface; /* of what is in it: areas of triangles; of others, about what they hide */
    float steps;   /* expected of a ray that meets the box */
};

/* ---- the tree as Embree's calls back make it ---- */

/* An inner node of the binary tree, from which nodes of up to eight children are made (collapse.c). */
struct lb_tree_inner {
    void *child[2];
    lb_box box;      /* in the builder's coordinates */
    float area[2];   /* half the surface of the children's boxes */
    uint32_t count;  /* primitives below, as far as counted: LB_TREE_MAX_LEAF + 1 stands for more */
    float cost[8];   /* cost[i]: of the least dear forest of at most i wide nodes and leaves, i = 1 .. 7 */
    uint8_t left[8]; /* left[i]: how many of these i go to child 0; 0: the same as with i - 1 */
    uint8_t left_of_node; /* how many of a wide node's children go to child 0; 0: a leaf */
    uint8_t height;       /* nodes and leaf on the longest way down */
};

/* Nodes are aligned, so an odd address is a leaf: 1 to 8 elements of task->primitives. `alone`: no others may become
 * one leaf with them. */
static inline void *lb_tree_part_leaf(size_t first, size_t count, bool alone)
{
    return (void *)(uintptr_t)(first << 8 | (size_t)alone << 7 | count << 1 | 1);
}
static inline bool lb_tree_part_is_leaf(const void *part)
{
    return ((uintptr_t)part & 1) != 0;
}
static inline size_t lb_tree_part_first(const void *part)
{
    return (uintptr_t)part >> 8;
}
static inline size_t lb_tree_part_count(const void *part)
{
    return ((uintptr_t)part >> 1) & 63;
}
static inline bool lb_tree_part_is_alone(const void *part)
{
    return ((uintptr_t)part >> 7 & 1) != 0;
}

/* What a primitive stands for. */
static inline enum lb_leaf_kind lb_tree_kind(const struct lb_tree_task *task,
                                             const struct RTCBuildPrimitive *primitive)
{
    uint32_t number = primitive->geomID & LB_TREE_SHAPE_MASK;
    if (number == LB_TREE_INSTANCE)
        return LB_LEAF_INSTANCES;
    switch ((enum lb_shape_kind)((const lb_shape *)task->arrays->shapes.data)[number].kind) {
    case LB_SHAPE_MESH:
        return LB_LEAF_TRIANGLES;
    case LB_SHAPE_CURVES:
        return LB_LEAF_CURVES;
    case LB_SHAPE_SPHERE:
    case LB_SHAPE_DISK:
    case LB_SHAPE_CYLINDER:
        break;
    }
    return LB_LEAF_QUADRICS;
}

/* A box in the builder's coordinates, as Embree takes it, with two numbers. */
static inline struct RTCBuildPrimitive lb_tree_build_primitive(const lb_box *box, uint32_t geometry,
                                                               uint32_t primitive)
{
    return (struct RTCBuildPrimitive){box->lower[0], box->lower[1], box->lower[2], geometry,
                                      box->upper[0], box->upper[1], box->upper[2], primitive};
}

/* What Embree left of a primitive's box, in the builder's coordinates. */
static inline lb_box lb_tree_builder_box(const struct RTCBuildPrimitive *primitive)
{
    return (lb_box){{primitive->lower_x, primitive->lower_y, primitive->lower_z},
                    {primitive->upper_x, primitive->upper_y, primitive->upper_z}};
}

/* The box of a part in the builder's coordinates. */
static inline lb_box lb_tree_part_box(const struct lb_tree_task *task, const void *part)
{
    if (!lb_tree_part_is_leaf(part))
        return ((const struct lb_tree_inner *)part)->box;
    const struct RTCBuildPrimitive *primitives =
        (const struct RTCBuildPrimitive *)task->primitives.data + lb_tree_part_first(part);
    lb_box box = lb_tree_builder_box(&primitives[0]);
    for (size_t i = 1; i < lb_tree_part_count(part); i++) {
        lb_box more = lb_tree_builder_box(&primitives[i]);
        lb_box_add_box(&box, &more);
    }
    return box;
}

/* From the builder's coordinates to the scene's. */
static inline lb_box lb_tree_scene_box(const struct lb_tree_task *task, const lb_box *box)
{
    lb_box scaled;
    for (int a = 0; a < 3; a++) {
        scaled.lower[a] = task->back * box->lower[a];
        scaled.upper[a] = task->back * box->upper[a];
    }
    return scaled;
}

/* The box of a triangle or of a part of it, in the scene's coordinates. */
static inline lb_box lb_tree_triangle_box(const struct lb_tree_task *task,
                                          const struct RTCBuildPrimitive *primitive)
{
    lb_box box = lb_tree_builder_box(primitive);
    return lb_tree_scene_box(task, &box);
}

/* Half the surface of a box in the builder's coordinates. */
static inline float lb_tree_area(const lb_box *box)
{
    float x = box->upper[0] - box->lower[0], y = box->upper[1] - box->lower[1],
          z = box->upper[2] - box->lower[2];
    return x * y + y * z + z * x;
}

/* How deep the binary tree may be, so that the wide one is not too deep. */
static inline uint32_t lb_tree_most_depth(const struct lb_tree_options *options)
{
    return options->max_width < 4 ? LB_TREE_DEPTH - 2 : 2 * LB_TREE_DEPTH;
}

/* How many primitives the binary tree's leaves may have. */
static inline uint32_t lb_tree_binary_leaf(const struct lb_tree_options *options)
{
    return options->max_leaf < 4 ? options->max_leaf : 4;
}

/* Half the surface of a box of the scene, as surfaces in the builder's coordinates. */
static inline float lb_tree_half_area(const struct lb_tree_task *task, const lb_box *box)
{
    float side[3];
    for (int a = 0; a < 3; a++)
        side[a] = task->scale * (box->upper[a] - box->lower[a]);
    return side[0] * side[1] + side[1] * side[2] + side[2] * side[0];
}

/* The box of any other, of which there are no parts. */
lb_box lb_tree_other_box(const struct lb_tree_task *task, const struct RTCBuildPrimitive *primitive);
/* The corners of a triangle that is named by shape and primitive. */
void lb_tree_corners(const struct lb_scene_arrays *arrays, uint32_t shape, uint32_t primitive,
                     float corner[3][3]);

/* Fills task->primitives, with room for fragments where triangles are to be split. */
enum lb_status lb_tree_primitives(struct lb_tree_task *task, struct lb_error *error);
/* Moves primitives, two or more, so that those before the returned number are one side and the others the other, as
 * the surface-area heuristic finds it best for leaves of `leaf`; neither side is empty. It looks at `most_seen` of them
 * or fewer. */
size_t lb_tree_split(struct RTCBuildPrimitive *primitives, size_t count, size_t most_seen, uint32_t leaf);
/* Is the tree to be built above groups of primitives? */
bool lb_tree_is_grouped(const struct lb_tree_task *task);
/* Sorts task->primitives by groups, and fills task->groups; false where there is no memory. */
bool lb_tree_groups(struct lb_tree_task *task);
/* With their trees. */
void lb_tree_groups_free(struct lb_tree_task *task);

/* What Embree is to be called with for the tree of all of task->primitives, in task->bvh. */
struct RTCBuildArguments lb_tree_arguments(struct lb_tree_task *task);
/* Embree's call, after which the thread handles denormals as before: a tree's root, or NULL, of which Embree's error
 * tells why. */
void *lb_tree_call(const struct RTCBuildArguments *arguments);
/* The tree of all primitives, by one call. */
void *lb_tree_of_all(struct lb_tree_task *task);
/* The same by a tree of each group and one above them; NULL also where there is no memory. */
void *lb_tree_of_groups(struct lb_tree_task *task);
/* How the two children of an inner node whose box and areas are set, and whose children are done, are best put into
 * nodes of up to `width` and leaves of up to `max_leaf`. */
void lb_tree_collapse(struct lb_tree_inner *inner, uint32_t width, uint32_t max_leaf);
/* The parts that become the children of a wide node made of `inner`; returns their number, 2 .. width. */
uint32_t lb_tree_children(const struct lb_tree_inner *inner, uint32_t width, void *parts[8]);
/* Is all of a part to be one leaf? */
bool lb_tree_is_leaf(const void *part);
/* A total order of primitives, which Embree's threads leave in any. */
bool lb_tree_is_before(const struct RTCBuildPrimitive *a, const struct RTCBuildPrimitive *b);
/* Sorts the primitives of a leaf, one to eight, by kind and then in an order that does not depend on threads. counts[]
 * tells how many there are of each kind. */
void lb_tree_leaf_sort(const struct lb_tree_task *task, struct RTCBuildPrimitive *primitives, size_t count,
                       size_t counts[LB_LEAF_KINDS]);
/* Appends a leaf of primitives of one kind to the scene's. */
enum lb_status lb_tree_leaf(struct lb_tree_task *task, const struct RTCBuildPrimitive *primitives,
                            size_t count, struct lb_tree_child *out, struct lb_error *error);
/* Moves parts of task->root to where their boxes are smaller in sum, if that saves steps. */
enum lb_status lb_tree_reinsert(struct lb_tree_task *task, struct lb_error *error);
/* From task->root: the geometry's nodes and leaves, appended to the scene's, and the geometry's entry. */
enum lb_status lb_tree_layout(struct lb_tree_task *task, lb_geometry *geometry, struct lb_error *error);

#endif
