/* What the files that check a scene's block share. For core/scene/check alone. */
#ifndef LB_CORE_SCENE_CHECK_PARTS_H
#define LB_CORE_SCENE_CHECK_PARTS_H

#include "core/kernel/scene/scene.h"

#include <stdbool.h>
#include <stddef.h>

/* Where a node stands. */
struct lb_check_place {
    uint32_t geometry; /* the one whose tree it is in */
    uint32_t depth;    /* how many nodes there are from the root down to it; 0: nothing has led to it */
};

/* A check on its way. Where its functions are called, every array lies in the block. */
struct lb_check {
    const lb_scene *scene;
    struct lb_check_place *nodes; /* for each node */
    uint8_t *mixes;               /* for each material, what is known of the mixes in it (check/material.c) */
    /* For each shape: 1 + the geometry whose shapes were compared with those from this one on, or 0. */
    uint32_t *twins;
    uint64_t in_leaves[LB_LEAF_KINDS]; /* elements of all leaves so far */
    uint64_t triangles;                /* in the leaves of all geometries so far */
    uint64_t primitives;               /* of all shapes so far */
    uint64_t compared;                 /* shapes so far that were compared with their twins */
};

/* Each returns what is wrong with the element of this number, as words that go after "has a wrong", or NULL: nothing
 * is. Elements may refer to others that have not been checked themselves. */
typedef const char *lb_check_element(struct lb_check *check, uint64_t number);
lb_check_element lb_check_shape, lb_check_leaf_primitive, lb_check_leaf_strand;
lb_check_element lb_check_geometry, lb_check_instance, lb_check_move, lb_check_node;
lb_check_element lb_check_material, lb_check_measurement, lb_check_texture, lb_check_image;
lb_check_element lb_check_medium, lb_check_light, lb_check_alias, lb_check_infinite_light;
lb_check_element lb_check_light_node, lb_check_light_beside, lb_check_light_trail;
lb_check_element lb_check_guide_way, lb_check_guide_node, lb_check_guide_cell;
lb_check_element lb_check_shape_name, lb_check_material_name, lb_check_light_group;
/* For materials whose elements are sound: whether the mixes from this one on come to an end. */
lb_check_element lb_check_mix;

/* Fails to compile where a struct has got another size: whoever adds a member to it is to see here whether that member
 * must be checked, and then to set the size anew. */
#define LB_CHECK_SIZE(type, size) _Static_assert(sizeof(type) == (size), "is a new member of it checked?")

/* Do `wanted` elements from `first` on lie within `count`? */
static inline bool lb_check_within(uint64_t first, uint64_t wanted, uint64_t count)
{
    return first <= count && wanted <= count - first;
}

/* Is a colour one of the block's spectra, where those are what colours are? */
static inline bool lb_check_color(const lb_scene *scene, lb_rgb color)
{
    return scene->quads.count == 0 || color.b == color.b ||
           (color.g >= 0.0f && color.g < (float)(scene->spectra.count / LB_QUADS));
}

/* Do a * b * c elements from `first` on lie within `count`? */
static inline bool lb_check_holds(uint64_t first, uint64_t a, uint64_t b, uint64_t c, uint64_t count)
{
    uint64_t wanted;
    return !__builtin_mul_overflow(a, b, &wanted) && !__builtin_mul_overflow(wanted, c, &wanted) &&
           lb_check_within(first, wanted, count);
}

/* Do a * b floats from `first` on lie in the scene's tables? */
static inline bool lb_check_floats(const lb_scene *scene, uint64_t first, uint64_t a, uint64_t b)
{
    return lb_check_holds(first, a, b, 1, scene->tables.count);
}

/* Is the index LB_NONE, or below `count`? */
static inline bool lb_check_index(uint32_t index, uint64_t count)
{
    return index == LB_NONE || index < count;
}

#endif
