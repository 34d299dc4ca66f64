/* The material mix: of two others, which it knows by name. Private to core/scene. */
#ifndef LB_CORE_SCENE_BUILD_MIX_H
#define LB_CORE_SCENE_BUILD_MIX_H

#include "core/scene/build.h"

/* Fills in a mix. The materials that it names may be made later in the file. */
enum lb_status lb_build_mix(struct lb_builder *builder, const struct lb_parameters *parameters,
                            lb_material *material);
/* Once all materials are there: an error where a mix contains itself, or an interface, as in pbrt. */
enum lb_status lb_build_check_mixes(const struct lb_builder *builder);

#endif
