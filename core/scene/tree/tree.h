/* The two-level tree of a scene, built by Embree's rtcBuildBVH on all threads and then made better
 * where that pays (core/scene/tree/reinsert.c). */
#ifndef LB_CORE_SCENE_TREE_TREE_H
#define LB_CORE_SCENE_TREE_TREE_H

#include "core/scene/block/block.h"

#include <stdbool.h>

/* The shapes first_shape .. first_shape + shape_count - 1 make one geometry. */
struct lb_geometry_source {
    uint32_t first_shape, shape_count;
};

struct lb_tree_options {
    bool high_quality;  /* spatial splits */
    uint32_t threads;   /* >= 1 */
    uint32_t max_leaf;  /* triangles a leaf, 1 .. 8; 0: the default */
    uint32_t max_width; /* children a node, 2 .. 8; 0: 8 (tests build other trees) */
    /* The most primitives of a group, in trees of any size (groups.c); 0: the default (tests build others). */
    uint32_t group;
};

/* From shapes, positions, indices and instances (whose transforms and geometry are set; their boxes are made
 * here) fills geometries (one a source, in that order; number 0 is the world, which holds all instances as
 * well), nodes, leaf_corners, leaf_primitives, leaf_boxes and leaf_others, and instances[].box. */
enum lb_status lb_tree_build(struct lb_scene_arrays *arrays, const struct lb_geometry_source *sources,
                             size_t source_count, const struct lb_tree_options *options,
                             struct lb_error *error);

#endif
