/* The camera. Private to core/scene. */
#ifndef LB_CORE_SCENE_CAMERA_CAMERA_H
#define LB_CORE_SCENE_CAMERA_CAMERA_H

#include "core/scene/builder/builder.h"

/* Comes after the film, whose size it needs; sets builder->shutter. */
enum lb_status lb_build_camera(struct lb_builder *builder);
/* The lens of a realistic camera. */
enum lb_status lb_build_lens(struct lb_builder *builder);

#endif
