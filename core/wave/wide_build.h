/* Turns a scene's nodes into the compressed tree of core/kernel/wide.h. */
#ifndef LB_CORE_WAVE_WIDE_BUILD_H
#define LB_CORE_WAVE_WIDE_BUILD_H

#include "core/base/error.h"
#include "core/kernel/wide.h"

#include <stddef.h>

/* One allocation that holds all three arrays of `tree`, so that it goes to a device in one copy. */
struct lb_wide_block {
    lb_wide_tree tree; /* pointers into `data` */
    void *data;
    size_t size; /* bytes */
    size_t node_count, leaf_count, root_count;
    uint32_t asks; /* as in lb_wide_tree */
};

/* lb_wide_tree.asks of the tree that lb_wide_build makes of a scene. */
uint32_t lb_wide_asks(const lb_scene *scene);
/* An upper bound of the bytes that lb_wide_build will need for a scene. */
size_t lb_wide_size(const lb_scene *scene);
enum lb_status lb_wide_build(const lb_scene *scene, struct lb_wide_block *block, struct lb_error *error);
void lb_wide_free(struct lb_wide_block *block);

/* The same tree as if its block lay at `data` (on a device). */
lb_wide_tree lb_wide_at(const struct lb_wide_block *block, const void *data);

#endif
