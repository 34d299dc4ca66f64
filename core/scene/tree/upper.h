/* The upper part of the binary tree, as an array in which it can be changed: its largest boxes, and what is below them
 * as it is. For core/scene/tree alone. */
#ifndef LB_CORE_SCENE_TREE_UPPER_H
#define LB_CORE_SCENE_TREE_UPPER_H

#include "core/scene/tree/parts.h"

struct lb_tree_upper_node {
    lb_box box;        /* in the builder's coordinates */
    float area;        /* half its surface */
    uint32_t parent;   /* LB_NONE: it is the root */
    uint32_t child[2]; /* LB_NONE: what is below stays as it is */
    /* Of the binary tree: what is below it or, where it has children, the node that is to have them. */
    void *part;
};

struct lb_tree_upper {
    const struct lb_tree_task *task;
    struct lb_tree_upper_node *nodes; /* the root first */
    uint32_t count;
};

/* Takes the largest nodes out of a tree that is no single leaf, `most` of them or all that are above the leaves.
 * Released by lb_tree_upper_free in any case. */
enum lb_status lb_tree_upper_take(struct lb_tree_upper *upper, const struct lb_tree_task *task, uint32_t most,
                                  struct lb_error *error);
void lb_tree_upper_free(struct lb_tree_upper *upper);

/* Would the tree be too deep with the nodes as they are now? */
bool lb_tree_upper_is_too_deep(const struct lb_tree_upper *upper);
/* Puts the nodes back as they are now, and collapses them anew. */
void lb_tree_upper_put(const struct lb_tree_upper *upper);

#endif
