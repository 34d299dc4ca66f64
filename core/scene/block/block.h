/* The arrays of a scene while it is built, and their packing into the one block that is rendered from. */
#ifndef LB_CORE_SCENE_BLOCK_BLOCK_H
#define LB_CORE_SCENE_BLOCK_BLOCK_H

#include "core/base/error.h"
#include "core/kernel/scene/scene.h"

#include <stddef.h>

/* A growing array in pages of its own, so that growing moves no memory and freeing gives it back at once. */
struct lb_vector {
    void *data;
    size_t count, capacity; /* elements */
    size_t element;         /* bytes of one; set before the first use */
};

/* Room for `extra` more elements, zeroed; returns the first of them and counts them in, or NULL (out of
 * memory). Pointers into the array may have moved. */
void *lb_vector_add(struct lb_vector *vector, size_t extra);
void lb_vector_free(struct lb_vector *vector);

/* One vector an array of lb_scene, of the same name. */
struct lb_scene_arrays {
    struct lb_vector positions, normals, tangents, uvs, indices, shapes, geometries, instances, moves, nodes,
        leaf_corners, leaf_primitives, leaf_boxes, leaf_others, strands, leaf_strands, materials, measured,
        wavelengths, quads, spectra, sigmoids, media, textures, images, lights, light_choice, light_nodes,
        lights_beside, light_trails, infinite_lights, outlines, texels, tables, shape_names, object_texts,
        material_names, material_texts, light_groups, group_texts, guide_ways, guide_nodes, guide_cells;
};

void lb_scene_arrays_init(struct lb_scene_arrays *arrays); /* sets the elements' sizes */
void lb_scene_arrays_free(struct lb_scene_arrays *arrays);

/* `header` (cameras, film and the like filled in) and the arrays, copied into one block, 64-byte aligned,
 * in huge pages where the system gives them; each array is freed as soon as it is copied. NULL: out of
 * memory. Released by lb_scene_block_free. */
lb_scene *lb_scene_pack(const lb_scene *header, struct lb_scene_arrays *arrays);
void lb_scene_block_free(lb_scene *scene);

/* What an array of a block, which is empty, is to hold. */
struct lb_scene_filling {
    size_t array; /* offsetof(lb_scene, ...) of the lb_array */
    const void *elements;
    uint64_t count;
    size_t element; /* bytes of one */
};

/* Fills `count` arrays of a block with copies. The block may move. LB_ERROR_MEMORY: there is no room, and it is as it
 * was. */
enum lb_status lb_scene_fill(lb_scene **scene, const struct lb_scene_filling *fillings, size_t count,
                             struct lb_error *error);

#endif
