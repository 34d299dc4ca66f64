/* What the command line says of where the camera is. Private to core/scene. */
#ifndef LB_CORE_SCENE_CAMERA_STEER_H
#define LB_CORE_SCENE_CAMERA_STEER_H

#include "core/scene/builder/builder.h"

/* Changes `camera_from_world`, which is the scene's, as builder->options->steering says. */
enum lb_status lb_build_steer(const struct lb_builder *builder, struct lb_motion *camera_from_world);

#endif
