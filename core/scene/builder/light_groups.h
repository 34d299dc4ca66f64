/* Groups of lights, by name. Private to core/scene. */
#ifndef LB_CORE_SCENE_BUILDER_LIGHT_GROUPS_H
#define LB_CORE_SCENE_BUILDER_LIGHT_GROUPS_H

#include "core/scene/builder/builder.h"

/* The longest name of a group. */
enum { LB_GROUP_NAME = 63 };

/* Reads the parameter "lightgroup": 1 + the number of the group's name, or 0 where there is none, where that is
 * "default", or where the picture has no groups. An error where the name cannot be one of a layer of an EXR. */
enum lb_status lb_build_light_group(struct lb_builder *builder, const struct lb_parameters *parameters,
                                    uint32_t *group);
/* Notes the group of the next `count` elements of the array of lights, where the picture has groups. */
enum lb_status lb_build_note_group(struct lb_builder *builder, uint32_t group, size_t count);

#endif
