/* Transforms of the description as the kernel has them. Private to core/scene. */
#ifndef LB_CORE_SCENE_BUILDER_TRANSFORMS_H
#define LB_CORE_SCENE_BUILDER_TRANSFORMS_H

#include "core/scene/builder/builder.h"

/* The transform, with its inverse, of what stands still: a moving one as it is at the start of the time range (with a
 * warning), or in the middle of the frame that is asked for. An error where it is not finite or has no inverse. Of a
 * projective one it is what that does near the origin, with a warning. Either result may be NULL. */
enum lb_status lb_build_transform(const struct lb_builder *builder, const struct lb_motion *motion,
                                  const struct lb_location *location, lb_transform *transform,
                                  lb_transform *inverse);
/* The same of a use of an object without a world_from_instance. */
enum lb_status lb_build_use_rows(const struct lb_builder *builder, const struct lb_object_use *use,
                                 lb_transform *transform, lb_transform *inverse);
/* The same of what moves on: *move is 1 + the number of its lb_move in the arrays, after which comes `outer`. Rotations
 * are around `pivot`. */
enum lb_status lb_build_move(struct lb_builder *builder, const struct lb_motion *motion,
                             const struct lb_location *location, const double pivot[3], uint32_t outer,
                             uint32_t *move);
/* Is it finite, but without an inverse at all times, as Scale 0 1 1 makes it? */
bool lb_build_is_flat(const struct lb_motion *motion);
/* The first three rows as they are, of an inverse that there is not 0; an error where they are not finite. */
enum lb_status lb_build_rows(const struct lb_builder *builder, const struct lb_motion *motion,
                             const struct lb_location *location, lb_transform *transform,
                             lb_transform *inverse);
/* The determinant of the linear part. */
double lb_build_determinant(const lb_transform *transform);

#endif
