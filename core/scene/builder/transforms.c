#include "core/scene/builder/transforms.h"

#include "core/language/matrix.h"
#include "core/scene/builder/messages.h"
#include "core/scene/motion/motion.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

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

/* The error has no line, so that it is the same, and told once, wherever something moves. */
static enum lb_status check_frames(const struct lb_builder *builder)
{
    const struct lb_scene_options *options = builder->options;
    char frames[32];
    if (options->frame_count != LB_FRAMES_UNKNOWN)
        return LB_OK;
    if (options->first_frame == options->last_frame)
        snprintf(frames, sizeof frames, "%u", options->first_frame);
    else
        snprintf(frames, sizeof frames, "%u-%u", options->first_frame, options->last_frame);
    return lb_error_set(builder->error, LB_ERROR,
                        "%s: the scene moves: of how many frames is the animation? (--frames=%s/N)",
                        builder->description->main_file, frames);
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
    enum lb_status status = check_frames(builder);
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
    if (!motion || !motion->flaw)
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

enum lb_status lb_build_use_rows(const struct lb_builder *builder, const struct lb_object_use *use,
                                 lb_transform *transform, lb_transform *inverse)
{
    memcpy(transform->m, use->rows[0], sizeof transform->m);
    memcpy(inverse->m, use->rows[1], sizeof inverse->m);
    if (!(lb_build_determinant(transform) != 0.0) || !(lb_build_determinant(inverse) != 0.0))
        return no_inverse(builder, NULL, &use->location);
    return LB_OK;
}

enum lb_status lb_build_move(struct lb_builder *builder, const struct lb_motion *motion,
                             const struct lb_location *location, const double pivot[3], uint32_t outer,
                             uint32_t *move)
{
    struct lb_motion affine = affine_motion(motion);
    enum lb_status status = motion->moves ? check_frames(builder) : LB_OK;
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
