/* Shapes, and the geometries that they make. Private to core/scene. */
#ifndef LB_CORE_SCENE_SHAPES_SHAPES_H
#define LB_CORE_SCENE_SHAPES_SHAPES_H

#include "core/scene/builder/builder.h"

/* All shapes, with their area lights; objects and their instances. */
enum lb_status lb_build_shapes(struct lb_builder *builder);
/* Does the shape move while the shutter is open, and so is a geometry's of its own? A light stands still in each frame
 * of an animation. */
bool lb_build_does_move(const struct lb_builder *builder, const struct lb_shape_entity *entity,
                        bool in_object);
/* As in pbrt, nothing is seen of what rays cannot be transformed to. A warning says so. */
bool lb_build_is_hidden(const struct lb_builder *builder, const struct lb_motion *motion,
                        const struct lb_location *location, const char *what);
/* An error where the shape's kind is not in the language. */
enum lb_status lb_build_check_shape(const struct lb_builder *builder, const struct lb_entity *entity);
/* Finds an earlier geometry, of an object or of what moves, whose shapes rays are tested against in the same way: sets
 * *geometry and *shift as lb_build_geometry() does, and the shapes take the numbers of its primitives. Else remembers
 * this one, which is number *geometry. */
enum lb_status lb_build_find_same(struct lb_builder *builder, const struct lb_geometry_source *source,
                                  uint32_t *geometry, uint32_t *shift);
/* The shapes of one geometry; *geometry is its number, LB_NONE when nothing is in it. `moving`: those that move, else
 * the others. Shapes that are an earlier geometry's but for their materials and media stand in that one, by numbers
 * that are less by *shift. */
enum lb_status lb_build_geometry(struct lb_builder *builder, const struct lb_shape_entity *shapes,
                                 size_t count, bool is_object, bool moving, uint32_t *geometry,
                                 uint32_t *shift);
/* An error where the box, of what the word `what` names, is further from the origin than can be calculated with. */
enum lb_status lb_build_check_reach(const struct lb_builder *builder, const struct lb_location *location,
                                    const char *what, const lb_box *box);
/* Does so for a shape, whose box is added to builder->reach. */
enum lb_status lb_build_reach(struct lb_builder *builder, const struct lb_location *location,
                              const lb_box *box);
/* Geometry of each kind; transforms, flags, material and media are set. */
enum lb_status lb_build_trianglemesh(struct lb_builder *builder, const struct lb_shape_entity *entity,
                                     lb_shape *shape);
enum lb_status lb_build_plymesh(struct lb_builder *builder, const struct lb_shape_entity *entity,
                                lb_shape *shape);
enum lb_status lb_build_bilinearmesh(struct lb_builder *builder, const struct lb_shape_entity *entity,
                                     lb_shape *shape);
enum lb_status lb_build_loopsubdiv(struct lb_builder *builder, const struct lb_shape_entity *entity,
                                   lb_shape *shape);
enum lb_status lb_build_sphere(struct lb_builder *builder, const struct lb_shape_entity *entity,
                               lb_shape *shape);
enum lb_status lb_build_cylinder(struct lb_builder *builder, const struct lb_shape_entity *entity,
                                 lb_shape *shape);
enum lb_status lb_build_disk(struct lb_builder *builder, const struct lb_shape_entity *entity,
                             lb_shape *shape);
enum lb_status lb_build_curve(struct lb_builder *builder, const struct lb_shape_entity *entity,
                              lb_shape *shape);
/* Are both of curves, alike but for their pieces, so that `before`, the last one built, may take the other's? */
bool lb_build_joins(const lb_shape *before, const lb_shape *shape);

#endif
