/* Parameters of the description, with the ranges that their values must keep. Private to core/scene. */
#ifndef LB_CORE_SCENE_BUILDER_PARAMETERS_H
#define LB_CORE_SCENE_BUILDER_PARAMETERS_H

#include "core/scene/builder/builder.h"

/* Where the parameter is, or its directive where the file does not give it. */
const struct lb_location *lb_build_place(const struct lb_parameters *parameters, const char *name);
/* One float in [low, high], which NaN is not. */
enum lb_status lb_build_float(const struct lb_builder *builder, const struct lb_parameters *parameters,
                              const char *name, float fallback, float low, float high, float *value);
enum lb_status lb_build_integer(const struct lb_builder *builder, const struct lb_parameters *parameters,
                                const char *name, int32_t fallback, int32_t low, int32_t high,
                                int32_t *value);
enum lb_status lb_build_bool(const struct lb_builder *builder, const struct lb_parameters *parameters,
                             const char *name, bool fallback, uint32_t *value);
/* Which of the words the text is, the first where the file gives none. Another one is an error that calls it `what`. */
enum lb_status lb_build_word(const struct lb_builder *builder, const struct lb_parameters *parameters,
                             const char *name, const char *what, const char *const *words, size_t count,
                             uint32_t *which);
/* A point of finite coordinates. */
enum lb_status lb_build_point(const struct lb_builder *builder, const struct lb_parameters *parameters,
                              const char *name, lb_vec3 fallback, lb_vec3 *value);
/* A colour that is not negative and not NaN; `fallback` where the file has none. */
enum lb_status lb_build_colour(const struct lb_builder *builder, const struct lb_parameters *parameters,
                               const char *name, bool illuminant, lb_rgb fallback, lb_rgb *value);
/* The white of the colour space at the directive: the colour of a light that has none of its own (pbrt). */
lb_rgb lb_build_white(const struct lb_parameters *parameters);
/* *resolved: where the file that parameter `name` gives is, NULL where it gives none. */
enum lb_status lb_build_file(const struct lb_builder *builder, const struct lb_parameters *parameters,
                             const char *name, const char **resolved);

#endif
