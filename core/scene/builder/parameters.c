#include "core/scene/builder/parameters.h"

#include "core/scene/builder/messages.h"
#include "core/scene/spectrum/color_space.h"
#include "core/scene/spectrum/spectrum.h"

const struct lb_location *lb_build_place(const struct lb_parameters *parameters, const char *name)
{
    const struct lb_parameter *parameter = lb_parameters_find(parameters, name);
    return parameter ? &parameter->location : &parameters->location;
}

enum lb_status lb_build_float(const struct lb_builder *builder, const struct lb_parameters *parameters,
                              const char *name, float fallback, float low, float high, float *value)
{
    enum lb_status status = lb_parameters_float(parameters, name, fallback, value, builder->error);
    if (status != LB_OK || (*value >= low && *value <= high))
        return status;
    return lb_build_error(builder, lb_build_place(parameters, name), "\"%s\" is %g, not between %g and %g",
                          name, (double)*value, (double)low, (double)high);
}

enum lb_status lb_build_integer(const struct lb_builder *builder, const struct lb_parameters *parameters,
                                const char *name, int32_t fallback, int32_t low, int32_t high, int32_t *value)
{
    enum lb_status status = lb_parameters_integer(parameters, name, fallback, value, builder->error);
    if (status != LB_OK || (*value >= low && *value <= high))
        return status;
    return lb_build_error(builder, lb_build_place(parameters, name), "\"%s\" is %d, not between %d and %d",
                          name, *value, low, high);
}

enum lb_status lb_build_bool(const struct lb_builder *builder, const struct lb_parameters *parameters,
                             const char *name, bool fallback, uint32_t *value)
{
    bool flag = fallback;
    enum lb_status status = lb_parameters_bool(parameters, name, fallback, &flag, builder->error);
    *value = flag;
    return status;
}

enum lb_status lb_build_word(const struct lb_builder *builder, const struct lb_parameters *parameters,
                             const char *name, const char *what, const char *const *words, size_t count,
                             uint32_t *which)
{
    const char *text;
    enum lb_status status = lb_parameters_string(parameters, name, words[0], &text, builder->error);
    if (status != LB_OK)
        return status;
    const char *const *word = lb_build_row(text, words, count, sizeof *words);
    if (!word)
        return lb_build_unknown(builder, lb_build_place(parameters, name), what, text, words, count,
                                sizeof *words);
    *which = (uint32_t)(word - words);
    return LB_OK;
}

enum lb_status lb_build_point(const struct lb_builder *builder, const struct lb_parameters *parameters,
                              const char *name, lb_vec3 fallback, lb_vec3 *value)
{
    const float standard[3] = {fallback.x, fallback.y, fallback.z};
    float p[3];
    enum lb_status status =
        lb_parameters_triple(parameters, name, LB_PARAMETER_POINT3, standard, p, builder->error);
    if (status != LB_OK)
        return status;
    if (!lb_is_finite(p[0]) || !lb_is_finite(p[1]) || !lb_is_finite(p[2]))
        return lb_build_error(builder, lb_build_place(parameters, name), "\"%s\" is not finite", name);
    *value = lb_vec3_make(p[0], p[1], p[2]);
    return LB_OK;
}

enum lb_status lb_build_colour(const struct lb_builder *builder, const struct lb_parameters *parameters,
                               const char *name, bool illuminant, lb_rgb fallback, lb_rgb *value)
{
    *value = fallback;
    const struct lb_parameter *parameter = lb_parameters_find(parameters, name);
    if (!parameter)
        return LB_OK;
    enum lb_status status = lb_spectrum_rgb(builder->description, parameter,
                                            illuminant ? LB_SPECTRUM_ILLUMINANT : LB_SPECTRUM_UNBOUNDED,
                                            builder->arena, builder->log, value, builder->error);
    if (status != LB_OK)
        return status;
    if (!lb_is_finite(value->r) || !lb_is_finite(value->g) || !lb_is_finite(value->b))
        return lb_build_error(builder, &parameter->location, "\"%s\" is not finite", name);
    return LB_OK;
}

lb_rgb lb_build_white(const struct lb_parameters *parameters)
{
    lb_rgb white;
    lb_rgb_to_srgb(parameters->color_space, true, lb_rgb_grey(1.0f), &white);
    return white;
}

enum lb_status lb_build_file(const struct lb_builder *builder, const struct lb_parameters *parameters,
                             const char *name, const char **resolved)
{
    const char *text = NULL;
    *resolved = NULL;
    enum lb_status status = lb_parameters_string(parameters, name, NULL, &text, builder->error);
    if (status != LB_OK || !text || !*text)
        return status;
    *resolved = lb_description_path(builder->description, lb_build_place(parameters, name), text,
                                    builder->arena, builder->log);
    return *resolved ? LB_OK : lb_build_no_memory(builder);
}
