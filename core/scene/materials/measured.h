/* Measured materials on their way into the scene. Private to core/scene. */
#ifndef LB_CORE_SCENE_MATERIALS_MEASURED_H
#define LB_CORE_SCENE_MATERIALS_MEASURED_H

#include "core/scene/builder/builder.h"

/* The number in lb_scene.measured of the tensor file's tables, which are read once. Errors stand at `location`. */
enum lb_status lb_build_measured(struct lb_builder *builder, const char *path,
                                 const struct lb_location *location, uint32_t *index);

#endif
