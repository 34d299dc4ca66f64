/* Lights: those of surfaces, those that are none, and the table by which they are chosen. Private to core/scene. */
#ifndef LB_CORE_SCENE_LIGHTS_LIGHTS_H
#define LB_CORE_SCENE_LIGHTS_LIGHTS_H

#include "core/scene/builder/builder.h"

/* The lights that are no surfaces. */
enum lb_status lb_build_lights(struct lb_builder *builder);
/* After the tree: bounds, lights' powers, the table by which they are chosen, and which are infinite. */
enum lb_status lb_build_light_choice(struct lb_builder *builder);
/* After that, and after channels: which pixels the outlines of lights run through (lb_scene.outlines). */
enum lb_status lb_build_outlines(struct lb_builder *builder);
/* The power of a distant or infinite light: what falls on the scene's bounding sphere, as pbrt has it. The other kinds
 * have theirs since they were made. */
void lb_build_far_power(const struct lb_builder *builder, lb_light *light);
/* The tree of the lights that have bounds, whose powers are known, and the ways to them; the trails of the others are
 * LB_NONE. */
enum lb_status lb_build_light_tree(struct lb_builder *builder);
/* Does it pay to choose among so few lights that all are children of the tree's root by where they are? */
bool lb_build_lights_stand_apart(const struct lb_builder *builder);
/* An error where the kind is not in the language. */
enum lb_status lb_build_check_area_light(const struct lb_builder *builder, const struct lb_entity *entity);
/* Lights of all primitives of a shape. */
enum lb_status lb_build_area_light(struct lb_builder *builder, const struct lb_shape_entity *entity,
                                   uint32_t shape_index);
/* Which way the normals of all points of an area light's triangle show, by those of its corners: 1 to the side of
 * `cross`, the product of its edges from the first corner, -1 to the other. 0: not all to one side, or one shows so
 * nearly along the triangle that rounding could decide. */
float lb_build_facing(const struct lb_builder *builder, const lb_light *light, lb_vec3 cross);
/* An error where scales and powers made a light's emission infinite. */
enum lb_status lb_build_check_emission(const struct lb_builder *builder, const struct lb_location *location,
                                       const lb_light *light);
/* Area of a primitive in the space of its geometry. */
double lb_build_primitive_area(const struct lb_builder *builder, const lb_shape *shape, uint32_t primitive);
/* The image of a light, whose values below 0 are made 0. An error where it lacks colours, unless it may be `grey`. */
enum lb_status lb_build_light_image(struct lb_builder *builder, const char *path,
                                    const struct lb_location *location, bool grey, uint32_t *index);
/* A texel's colour. */
lb_rgb lb_build_texel_rgb(const struct lb_builder *builder, const lb_image *image, uint32_t x, uint32_t y);
/* The marginal, conditional and density arrays of a light's importance map of n x n `values` (not negative;
 * all 0: uniform) into the tables. */
enum lb_status lb_build_importance(struct lb_builder *builder, const float *values, uint32_t n,
                                   lb_light *light);
/* What of n x n values (not negative) lies left of and above each corner of the cells, over the sum of all:
 * float[n + 1][n + 1][2] into the tables, in two parts that add up to it. */
enum lb_status lb_build_sums(struct lb_builder *builder, const double *values, uint32_t n, lb_array *sums);
/* Emission and image of an infinite light with an image. */
enum lb_status lb_build_map(struct lb_builder *builder, const char *path, const struct lb_location *location,
                            float scale, float illuminance, lb_light *light);
/* Emission, image, importance map and (as mean luminance) power of an infinite light with an image. */
enum lb_status lb_build_environment(struct lb_builder *builder, const char *path,
                                    const struct lb_location *location, float scale, float illuminance,
                                    lb_light *light);
/* Makes the light, whose emission and image (LB_NONE: it is 1) are known, shine through the parameter "portal" only. */
enum lb_status lb_build_portal(struct lb_builder *builder, const struct lb_parameters *parameters,
                               const lb_transform *map_from_world, lb_light *light);

#endif
