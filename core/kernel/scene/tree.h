/* Acceleration: a tree for each geometry, whose nodes have eight children; geometry 0 is the world, which alone
 * may hold instances. Part of core/kernel/scene/scene.h. */
#ifndef LB_CORE_KERNEL_SCENE_TREE_H
#define LB_CORE_KERNEL_SCENE_TREE_H

#include "core/kernel/scene/array.h"

/* A child is a word. Where bit 31 is clear it is the number of a node. Where bit 31 is set it is a leaf: bits 30-29 are
 * its kind, bits 28-26 its number of elements less one, and bits 25-0 its first element, in lb_scene.leaf_primitives
 * with the triangles' corners beside it, in leaf_others or in leaf_strands. LB_NONE is no child: as a leaf it would go
 * beyond the 2^26 elements that there may be. */
#define LB_CHILD_LEAF 0x80000000u
enum lb_leaf_kind { LB_LEAF_TRIANGLES, LB_LEAF_QUADRICS, LB_LEAF_INSTANCES, LB_LEAF_CURVES, LB_LEAF_KINDS };

/* A node with the boxes of its children. */
typedef struct lb_node {
    float lower[3][8], upper[3][8]; /* by axis, then child; a missing child has lower > upper */
    uint32_t child[8];
    uint32_t order[8]; /* for each octant of rays: 8 numbers of children of 4 bits, from near to far */
} lb_node;

/* The name of a primitive. */
typedef struct lb_primitive {
    uint32_t shape;     /* index into lb_scene.shapes */
    uint32_t primitive; /* number of the primitive within its shape */
} lb_primitive;

/* The most nodes on any way down a tree. */
#define LB_TREE_DEPTH 48

/* The world, or what stands between ObjectBegin and ObjectEnd, with its tree. */
typedef struct lb_geometry {
    uint32_t root;                     /* a child as in lb_node; LB_NONE: the geometry is empty */
    uint32_t first_shape, shape_count; /* its part of lb_scene.shapes */
    /* Its part of lb_scene.leaf_primitives: all its triangles, or their fragments where they were split. */
    uint32_t first_leaf, leaf_count;
    uint32_t depth; /* nodes on its longest way down, at most LB_TREE_DEPTH */
    lb_box box;     /* around all of it, grown outward (core/kernel/shapes/box.h) */
} lb_geometry;

/* A use of a geometry. */
typedef struct lb_instance {
    lb_transform world_from_object, object_from_world;
    lb_box box; /* in world space, grown */
    uint32_t geometry;
    /* 1 + index of its lb_move, which then stands in place of both transforms; 0: it stands still. */
    uint32_t move;
    /* What is added to the numbers of the geometry's shapes: objects that are the same but for materials and media have
     * one geometry, and shapes of their own. */
    uint32_t shape_shift;
} lb_instance;

/* How a transform changes from the start of the time range to its end: core/kernel/scene/move.h. */
typedef struct lb_move {
    double translation[2][3];
    /* Two perpendicular unit quaternions x, y, z, w: the one that is `angle` further than the first is first *
     * cosine(angle) + second * sine(angle). */
    double rotation[2][4];
    double angle; /* that of the whole way, 0 .. pi / 2; the rotation turns by twice this */
    double rest[2][3][3];
    double pivot[3]; /* the point about which rotation and rest are taken */
    /* 1 + index of the move in whose space this one takes place; 0: that space is the world. */
    uint32_t outer;
    uint32_t unused;
} lb_move;

#endif
