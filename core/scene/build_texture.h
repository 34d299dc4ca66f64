/* What the files that build textures share. Private to core/scene. */
#ifndef LB_CORE_SCENE_BUILD_TEXTURE_H
#define LB_CORE_SCENE_BUILD_TEXTURE_H

#include "core/scene/build.h"

/* Textures are built in turns, as in pbrt: images first, which refer to no others, then all other float textures, then
 * those of spectra. Within a turn they come in the order of the description. So a texture can refer to those of earlier
 * turns wherever they are defined, and to those of its own turn that are defined before it. */
enum { LB_TEXTURE_TURNS = 3 };
/* From 0 to LB_TEXTURE_TURNS - 1. */
int lb_build_texture_turn(const struct lb_texture_entity *entity);

/* A parameter of the texture's own type, float or spectrum; `fallback` where the scene does not give it. */
enum lb_status lb_build_own_input(const struct lb_builder *builder, const struct lb_texture_entity *entity,
                                  const char *name, float fallback, lb_input *input);

/* A parameter of type vector3. */
enum lb_status lb_build_texture_vector(const struct lb_builder *builder,
                                       const struct lb_parameters *parameters, const char *name,
                                       lb_vec3 fallback, lb_vec3 *value);
/* Sets texture_from_world: the inverse of the transformation at the Texture directive. */
enum lb_status lb_build_texture_space(const struct lb_builder *builder,
                                      const struct lb_texture_entity *entity, lb_texture *texture);
/* The parameter "mapping" and those of the mapping that it names. */
enum lb_status lb_build_mapping(const struct lb_builder *builder, const struct lb_texture_entity *entity,
                                lb_texture *texture);

/* Kinds of textures that are made of noise. */
typedef enum lb_status lb_build_texture_kind(struct lb_builder *builder,
                                             const struct lb_texture_entity *entity, lb_texture *texture);
lb_build_texture_kind lb_build_dots, lb_build_fbm, lb_build_wrinkled, lb_build_windy, lb_build_marble;

#endif
