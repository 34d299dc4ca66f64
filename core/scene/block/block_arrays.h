/* Every array of a scene, a line each: its name, which the vector and the lb_array share; its element; PIXELS where its
 * bytes decide pixels; and the function of core/scene/check/parts.h that checks an element of a block that came from
 * elsewhere, or NULL where any bytes will do. The arrays of the tree, marked TREE, differ from one builder to the next
 * and decide nothing but time; what little of them counts is in core/scene/block/identity.c. Those marked NAMES are
 * there or not, by which channels a picture has, and decide no light. */
#ifndef LB_CORE_SCENE_BLOCK_BLOCK_ARRAYS_H
#define LB_CORE_SCENE_BLOCK_BLOCK_ARRAYS_H

/* clang-format off */
#define LB_SCENE_ARRAYS(DO) \
    DO(positions, lb_vec3, PIXELS, NULL) \
    DO(normals, lb_vec3, PIXELS, NULL) \
    DO(tangents, lb_vec3, PIXELS, NULL) \
    DO(uvs, lb_vec2, PIXELS, NULL) \
    DO(indices, uint32_t, PIXELS, NULL) \
    DO(shapes, lb_shape, PIXELS, lb_check_shape) \
    DO(geometries, lb_geometry, TREE, lb_check_geometry) \
    DO(instances, lb_instance, TREE, lb_check_instance) \
    DO(moves, lb_move, PIXELS, lb_check_move) \
    DO(nodes, lb_node, TREE, lb_check_node) \
    DO(leaf_corners, float, TREE, NULL) \
    DO(leaf_primitives, lb_primitive, TREE, lb_check_leaf_primitive) \
    DO(leaf_boxes, lb_box, TREE, NULL) \
    DO(leaf_others, uint32_t, TREE, NULL) \
    DO(strands, lb_strand, PIXELS, NULL) \
    DO(leaf_strands, lb_primitive, TREE, lb_check_leaf_strand) \
    DO(materials, lb_material, PIXELS, lb_check_material) \
    DO(measured, lb_measurement, PIXELS, lb_check_measurement) \
    DO(wavelengths, lb_wavelength, PIXELS, NULL) \
    DO(quads, lb_quad, PIXELS, NULL) \
    DO(spectra, lb_lanes, PIXELS, NULL) \
    DO(sigmoids, lb_vec3, PIXELS, NULL) \
    DO(media, lb_medium, PIXELS, lb_check_medium) \
    DO(textures, lb_texture, PIXELS, lb_check_texture) \
    DO(images, lb_image, PIXELS, lb_check_image) \
    DO(lights, lb_light, PIXELS, lb_check_light) \
    DO(light_choice, lb_alias, PIXELS, lb_check_alias) \
    DO(light_nodes, lb_light_node, PIXELS, lb_check_light_node) \
    DO(lights_beside, lb_light_beside, PIXELS, lb_check_light_beside) \
    DO(light_trails, uint32_t, PIXELS, lb_check_light_trail) \
    DO(infinite_lights, uint32_t, PIXELS, lb_check_infinite_light) \
    DO(outlines, uint32_t, PIXELS, NULL) \
    DO(texels, uint8_t, PIXELS, NULL) \
    DO(tables, float, PIXELS, NULL) \
    DO(shape_names, uint32_t, NAMES, lb_check_shape_name) \
    DO(object_texts, uint8_t, NAMES, NULL) \
    DO(material_names, uint32_t, NAMES, lb_check_material_name) \
    DO(material_texts, uint8_t, NAMES, NULL) \
    DO(light_groups, uint32_t, NAMES, lb_check_light_group) \
    DO(group_texts, uint8_t, NAMES, NULL) \
    DO(guide_ways, uint32_t, PIXELS, lb_check_guide_way) \
    DO(guide_nodes, lb_guide_node, PIXELS, lb_check_guide_node) \
    DO(guide_cells, lb_guide_cell, PIXELS, lb_check_guide_cell)
/* clang-format on */

#endif
