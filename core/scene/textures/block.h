/* Looking a texture up while the scene is still being built. Private to core/scene. */
#ifndef LB_CORE_SCENE_TEXTURES_BLOCK_H
#define LB_CORE_SCENE_TEXTURES_BLOCK_H

#include "core/scene/builder/builder.h"

/* A block of its own with the textures that the input is made of, and nothing else, in which lb_texture_color
 * (core/kernel/textures/texture.h) gives the input's values; for lb_scene_block_free(). NULL: out of memory. */
lb_scene *lb_build_texture_block(const struct lb_builder *builder, const lb_input *input);

#endif
