/* Where the parts of a scene lie in its block. Part of core/kernel/scene/scene.h. */
#ifndef LB_CORE_KERNEL_SCENE_ARRAY_H
#define LB_CORE_KERNEL_SCENE_ARRAY_H

#include "core/kernel/base.h"
#include "core/kernel/vec.h"

/* Where an array of the scene is. */
typedef struct lb_array {
    uint64_t offset; /* bytes from the start of the block, a multiple of 64 */
    uint64_t count;  /* elements */
} lb_array;

/* The first element of an array of a scene. */
#define LB_ARRAY(scene, field, type)                                                                         \
    ((const type *)(const void *)((const char *)(scene) + (scene)->field.offset))

/* A box with its sides along the axes. */
typedef struct lb_box {
    float lower[3], upper[3];
} lb_box;

#endif
