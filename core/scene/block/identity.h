/* What a scene is, in 128 bits: two loaded scenes with the same number have the same light in their pixels, sample for
 * sample. */
#ifndef LB_CORE_SCENE_BLOCK_IDENTITY_H
#define LB_CORE_SCENE_BLOCK_IDENTITY_H

#include "core/base/error.h"
#include "core/kernel/scene/scene.h"

/* 32 hexadecimal digits and a 0. Neither the number of samples nor the channels nor the tree is in it, but for the
 * fragments of triangles that it split. Errors: out of memory. */
enum lb_status lb_scene_identity(const lb_scene *scene, char digits[33], struct lb_error *error);

#endif
