/* Textures, images, and the inputs that are made of them. Private to core/scene. */
#ifndef LB_CORE_SCENE_TEXTURES_TEXTURES_H
#define LB_CORE_SCENE_TEXTURES_TEXTURES_H

#include "core/scene/builder/builder.h"

/* The textures that are used. */
enum lb_status lb_build_textures(struct lb_builder *builder);
/* A parameter that may be a value or a texture; `fallback` where the file has none. `given`, which may be
 * NULL, tells whether it has. Values are finite and not negative, those of `albedo` at most 1. */
enum lb_status lb_build_rgb_input(struct lb_builder *builder, const struct lb_parameters *parameters,
                                  const char *name, bool albedo, lb_rgb fallback, lb_input *input,
                                  bool *given);
enum lb_status lb_build_float_input(const struct lb_builder *builder, const struct lb_parameters *parameters,
                                    const char *name, float fallback, float low, float high, lb_input *input,
                                    bool *given);
/* LB_MATERIAL_FOOTPRINT and LB_MATERIAL_FILTERED where the input's value depends on how far apart pixels lie on the
 * surface; with them LB_MATERIAL_SECOND_UV where it depends on second coordinates. */
uint32_t lb_build_spread(const struct lb_builder *builder, const lb_input *input);
/* An error, or a warning, where the parameter's input is mapped by second coordinates, which it cannot be. */
enum lb_status lb_build_no_second_uv(const struct lb_builder *builder, const struct lb_parameters *parameters,
                                     const char *name, const lb_input *input);
/* What the values of another colour space are to be: left as they are, reflectances, whose white is white, or light,
 * which keeps its colour. */
enum lb_image_use { LB_IMAGE_NUMBERS, LB_IMAGE_REFLECTANCES, LB_IMAGE_LIGHT, LB_IMAGE_USES };
/* How values are to be taken: those of 8 bits by pbrt's "encoding" (NULL: sRGB), which only PNG files follow. */
struct lb_encoding {
    const char *text;
    const struct lb_location *location;
    enum lb_image_use use;
};
/* Reads a file into the texels, once for each way to take it. */
enum lb_status lb_build_image(struct lb_builder *builder, const char *path,
                              const struct lb_encoding *encoding, uint32_t *image);
/* Makes the smaller versions of image number `image`, once: each texel is the mean over the area that it covers. */
enum lb_status lb_build_smaller(struct lb_builder *builder, uint32_t image);
/* Fills lb_scene.srgb. */
void lb_build_srgb(struct lb_builder *builder);
/* A texel as floats: count = channels of the image. */
void lb_build_texel(const struct lb_builder *builder, const lb_image *image, uint32_t x, uint32_t y,
                    float *values);
/* The first byte in the texels of the permutation that noise is made with, which is put there once. */
enum lb_status lb_build_permutation(struct lb_builder *builder, uint64_t *first);

/* ---- between the files of this folder ---- */

/* Textures are built in turns, as in pbrt: images first, which refer to no others, then all other float textures, then
 * those of spectra. Within a turn they come in the order of the description. So a texture can refer to those of earlier
 * turns wherever they are defined, and to those of its own turn that are defined before it. */
enum { LB_TEXTURE_TURNS = 3 };
/* From 0 to LB_TEXTURE_TURNS - 1. */
int lb_build_texture_turn(const struct lb_texture_entity *entity);

/* A parameter of the texture's own type, float or spectrum; `fallback` where the scene does not give it. */
enum lb_status lb_build_own_input(const struct lb_builder *builder, const struct lb_texture_entity *entity,
                                  const char *name, float fallback, lb_input *input);

/* Where colours are spectra, makes an input that has been read as a reflectance one of what is none: of the same
 * colors, but other spectra. */
enum lb_status lb_build_unbounded(struct lb_builder *builder, lb_input *input);

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
