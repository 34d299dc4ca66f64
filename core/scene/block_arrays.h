/* Every array of a scene, a line each: its name, which the vector and the lb_array share, its element, and PIXELS
 * where its bytes decide pixels. Those of the tree, marked TREE, differ from one builder to the next and decide
 * nothing but time; what little of them counts is in core/scene/identity.c. */
#ifndef LB_CORE_SCENE_BLOCK_ARRAYS_H
#define LB_CORE_SCENE_BLOCK_ARRAYS_H

/* clang-format off */
#define LB_SCENE_ARRAYS(DO) \
    DO(positions, lb_vec3, PIXELS) \
    DO(normals, lb_vec3, PIXELS) \
    DO(tangents, lb_vec3, PIXELS) \
    DO(uvs, lb_vec2, PIXELS) \
    DO(indices, uint32_t, PIXELS) \
    DO(shapes, lb_shape, PIXELS) \
    DO(geometries, lb_geometry, TREE) \
    DO(instances, lb_instance, TREE) \
    DO(moves, lb_move, PIXELS) \
    DO(nodes, lb_node, TREE) \
    DO(leaf_corners, float, TREE) \
    DO(leaf_primitives, lb_primitive, TREE) \
    DO(leaf_boxes, lb_box, TREE) \
    DO(leaf_others, uint32_t, TREE) \
    DO(strands, lb_strand, PIXELS) \
    DO(leaf_strands, lb_primitive, TREE) \
    DO(materials, lb_material, PIXELS) \
    DO(measured, lb_measurement, PIXELS) \
    DO(wavelengths, lb_wavelength, PIXELS) \
    DO(media, lb_medium, PIXELS) \
    DO(textures, lb_texture, PIXELS) \
    DO(images, lb_image, PIXELS) \
    DO(lights, lb_light, PIXELS) \
    DO(light_choice, lb_alias, PIXELS) \
    DO(infinite_lights, uint32_t, PIXELS) \
    DO(texels, uint8_t, PIXELS) \
    DO(tables, float, PIXELS)
/* clang-format on */

#endif
