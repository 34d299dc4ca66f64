/* Turns a scene's tree into the compressed one that GPUs walk (core/kernel/tree/wide.h). */
#ifndef LB_CORE_WAVE_WIDE_BUILD_H
#define LB_CORE_WAVE_WIDE_BUILD_H

#include "core/base/error.h"
#include "core/kernel/tree/wide.h"

#include <stddef.h>

/* A tree in one allocation, which holds all three arrays, so that one copy brings it to a device. */
struct lb_wide_block {
    lb_wide_tree tree; /* whose pointers point into `data` */
    void *data;
    size_t size; /* bytes of `data` */
    size_t node_count, leaf_count, root_count;
    uint32_t asks, few_ask; /* as in lb_wide_tree */
};

/* Does any hit of the shape ask something (enum lb_wide_asks)? */
bool lb_wide_shape_asks(const lb_shape *shape);
/* Tells, without building the tree, what lb_wide_tree.asks will be: which kind of tracing the scene needs. */
uint32_t lb_wide_asks(const lb_scene *scene);
/* The same of lb_wide_tree.few_ask. */
bool lb_wide_few_ask(const lb_scene *scene);
/* The most bytes that lb_wide_build may allocate for this scene. */
size_t lb_wide_size(const lb_scene *scene);
/* Builds the tree; `scene` is only read. The only error is LB_ERROR_MEMORY, after which there is nothing to free. */
enum lb_status lb_wide_build(const lb_scene *scene, struct lb_wide_block *block, struct lb_error *error);
void lb_wide_free(struct lb_wide_block *block);

/* The same tree as seen where its block has been copied to `data`, on a device for instance. */
lb_wide_tree lb_wide_at(const struct lb_wide_block *block, const void *data);

#endif
