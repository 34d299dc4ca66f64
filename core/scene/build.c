#include "core/scene/build.h"

#include "core/base/guess.h"
#include "core/language/matrix.h"
#include "core/scene/color_space.h"
#include "core/scene/motion.h"
#include "core/scene/spectrum.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MESSAGE_SIZE = 640 };

#define FORMAT_MESSAGE(message, format)                                                                      \
    char message[MESSAGE_SIZE];                                                                              \
    do {                                                                                                     \
        va_list arguments;                                                                                   \
        va_start(arguments, format);                                                                         \
        vsnprintf(message, sizeof message, format, arguments);                                               \
        va_end(arguments);                                                                                   \
    } while (0)

enum lb_status lb_build_not_yet(const struct lb_builder *builder, const struct lb_location *location,
                                const char *format, ...)
{
    const char *instead = strstr(format, ": ");
    char missing[MESSAGE_SIZE];
    snprintf(missing, sizeof missing, "%.*s (--lenient goes on)", (int)(instead ? instead - format : 0),
             format);
    format = builder->options->lenient ? format : missing;
    FORMAT_MESSAGE(message, format);
    if (!builder->options->lenient)
        return lb_error_at(builder->error, location, "%s", message);
    lb_log_at(builder->log, LB_WARNING, location, "%s", message);
    return LB_OK;
}

enum lb_status lb_build_unknown(const struct lb_builder *builder, const struct lb_location *location,
                                const char *what, const char *word, const void *rows, size_t count,
                                size_t size)
{
    struct lb_guess guess;
    lb_guess_start(&guess, word, strlen(word));
    lb_guess_try_rows(&guess, rows, count, size);
    return lb_build_error(builder, location, "unknown %s \"%s\"%s", what, word, guess.text);
}

enum lb_status lb_build_no_name(const struct lb_builder *builder, const struct lb_location *location,
                                const char *what, const char *name, const struct lb_names *names)
{
    struct lb_guess guess;
    lb_guess_start(&guess, name, strlen(name));
    lb_guess_try_names(&guess, names);
    return lb_build_error(builder, location, "no %s is named \"%s\"%s", what, name, guess.text);
}

enum lb_status lb_build_error(const struct lb_builder *builder, const struct lb_location *location,
                              const char *format, ...)
{
    FORMAT_MESSAGE(message, format);
    return lb_error_at(builder->error, location, "%s", message);
}

void lb_build_warn(const struct lb_builder *builder, const struct lb_location *location, const char *format,
                   ...)
{
    FORMAT_MESSAGE(message, format);
    lb_log_at(builder->log, LB_WARNING, location, "%s", message);
}

enum lb_status lb_build_no_memory(const struct lb_builder *builder)
{
    return lb_error_memory(builder->error, builder->description->main_file);
}

enum lb_status lb_build_go_on(const struct lb_builder *builder, enum lb_status status)
{
    if (status == LB_OK || status == LB_ERROR_MEMORY)
        return status;
    lb_errors_keep(builder->errors, builder->error);
    return LB_OK;
}

static enum lb_status unknown_parameter(const struct lb_builder *builder, const struct lb_entity *entity,
                                        const struct lb_parameter *unused)
{
    struct lb_guess guess;
    lb_guess_start(&guess, unused->name, strlen(unused->name));
    lb_parameters_guess(&entity->parameters, &guess);
    return lb_build_error(builder, &unused->location, "unknown parameter \"%s\"%s%s%s", unused->name,
                          entity->type ? " of " : "", entity->type ? entity->type : "", guess.text);
}

enum lb_status lb_build_check_unused(const struct lb_builder *builder, const struct lb_entity *entity)
{
    enum lb_status status = LB_OK;
    for (size_t i = 0; i < entity->parameters.count; i++) {
        const struct lb_parameter *parameter = &entity->parameters.items[i];
        if (parameter->used)
            continue;
        lb_build_go_on(builder, status);
        status = unknown_parameter(builder, entity, parameter);
    }
    return status;
}

void lb_build_ignore(const struct lb_entity *entity, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        lb_parameters_find(&entity->parameters, names[i]);
}

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

static bool narrow(const double matrix[4][4], lb_transform *transform)
{
    bool finite = true;
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 4; column++) {
            transform->m[row][column] = (float)matrix[row][column];
            finite = finite && lb_is_finite(transform->m[row][column]);
        }
    return finite;
}

static enum lb_status check_frames(const struct lb_builder *builder, const struct lb_location *location)
{
    if (builder->options->frame_count != LB_FRAMES_UNKNOWN)
        return LB_OK;
    return lb_build_error(builder, location,
                          "the scene moves: of how many frames is the animation? (--frames=%u/N)",
                          builder->options->frame);
}

static struct lb_motion affine_motion(const struct lb_motion *motion)
{
    struct lb_motion affine = *motion;
    for (int i = 0; i < 2; i++)
        affine.at[i] = lb_matrix_affine(&motion->at[i]);
    return affine;
}

/* What a moving transform is for what stands still in a picture. */
static enum lb_status stop_motion(const struct lb_builder *builder, const struct lb_motion *motion,
                                  const struct lb_location *location, struct lb_matrix *matrix)
{
    const struct lb_scene_options *options = builder->options;
    *matrix = motion->at[0];
    if (!motion->moves)
        return LB_OK;
    if (options->frame_count == 0) {
        lb_build_warn(builder, location,
                      "this does not move in a picture: the start of the time range is taken (as in pbrt)");
        return LB_OK;
    }
    enum lb_status status = check_frames(builder, location);
    if (status != LB_OK)
        return status;
    struct lb_motion affine = affine_motion(motion);
    if (!lb_motion_at(&affine, (options->frame + 0.5) / options->frame_count, matrix))
        return lb_build_error(builder, location, "the moving transform has no inverse");
    return LB_OK;
}

static enum lb_status no_inverse(const struct lb_builder *builder, const struct lb_motion *motion,
                                 const struct lb_location *location)
{
    static const char what[] = "the transformation has no inverse, or numbers that are too large";
    if (!motion->flaw)
        return lb_build_error(builder, location, "%s", what);
    return lb_build_error(builder, location, "%s (since %s:%u:%u)", what, motion->flaw->file,
                          motion->flaw->line, motion->flaw->column);
}

enum lb_status lb_build_transform(const struct lb_builder *builder, const struct lb_motion *motion,
                                  const struct lb_location *location, lb_transform *transform,
                                  lb_transform *inverse)
{
    struct lb_matrix matrix;
    enum lb_status status = stop_motion(builder, motion, location, &matrix);
    if (status != LB_OK)
        return status;
    if (!lb_matrix_is_affine(&matrix) && isfinite(matrix.m[3][3]))
        lb_build_warn(builder, location,
                      "the transformation is projective: what it does near its origin is taken");
    matrix = lb_matrix_affine(&matrix);
    lb_transform both[2];
    if (!narrow(matrix.m, &both[0]) || !narrow(matrix.inverse, &both[1]) ||
        !(lb_build_determinant(&both[0]) != 0.0) || !(lb_build_determinant(&both[1]) != 0.0))
        return no_inverse(builder, motion, location);
    if (transform)
        *transform = both[0];
    if (inverse)
        *inverse = both[1];
    return LB_OK;
}

enum lb_status lb_build_move(struct lb_builder *builder, const struct lb_motion *motion,
                             const struct lb_location *location, const double pivot[3], uint32_t outer,
                             uint32_t *move)
{
    struct lb_motion affine = affine_motion(motion);
    enum lb_status status = motion->moves ? check_frames(builder, location) : LB_OK;
    lb_move *added = lb_vector_add(&builder->arrays.moves, 1);
    if (!added)
        return lb_build_no_memory(builder);
    if (status == LB_OK && !motion->moves)
        lb_motion_still(&affine.at[0], added);
    else if (status == LB_OK && !lb_motion_move(&affine, pivot, added))
        return lb_build_error(builder, location, "the moving transform has no inverse");
    added->outer = outer;
    builder->head.any_motion = 1;
    *move = (uint32_t)builder->arrays.moves.count;
    return status;
}

bool lb_build_is_flat(const struct lb_motion *motion)
{
    lb_transform rows;
    return motion->flaw && !motion->moves && narrow(motion->at[0].m, &rows);
}

enum lb_status lb_build_rows(const struct lb_builder *builder, const struct lb_motion *motion,
                             const struct lb_location *location, lb_transform *transform,
                             lb_transform *inverse)
{
    if (!narrow(motion->at[0].inverse, inverse))
        memset(inverse, 0, sizeof *inverse);
    return narrow(motion->at[0].m, transform) ? LB_OK : no_inverse(builder, motion, location);
}

double lb_build_determinant(const lb_transform *transform)
{
    double m[3][3];
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 3; column++)
            m[row][column] = (double)transform->m[row][column];
    return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
           m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
           m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
}

enum lb_status lb_build_find_medium(const struct lb_builder *builder, const struct lb_location *location,
                                    const char *name, uint32_t *medium)
{
    *medium = LB_NONE;
    if (!name || !*name)
        return LB_OK;
    const struct lb_description *description = builder->description;
    *medium = lb_names_find(&description->medium_names, name);
    if (*medium != LB_NONE && builder->used.media[*medium])
        return LB_OK;
    if (*medium != LB_NONE)
        location = &description->media[*medium].entity.parameters.location;
    if (*medium == LB_NONE || !description->media[*medium].entity.type)
        return lb_build_no_name(builder, location, "medium", name, &description->medium_names);
    builder->used.media[*medium] = true;
    return LB_OK;
}
