/* What of a description reaches the picture. Private to core/scene. */
#ifndef LB_CORE_SCENE_USED_H
#define LB_CORE_SCENE_USED_H

#include "core/scene/builder/builder.h"

/* Finds what shapes and their materials use, into builder->used. Media are marked there later, whenever one is named.
 * */
enum lb_status lb_build_used(struct lb_builder *builder);

#endif
