#include "core/scene/camera/steer.h"

#include "core/language/matrix.h"

#include <string.h>

/* The axis of the world that is the next to the camera's own upward direction. */
static void find_up(const struct lb_matrix *world_from_camera, double up[3])
{
    int most = 0;
    for (int axis = 1; axis < 3; axis++)
        if (lb_abs_d(world_from_camera->m[axis][1]) > lb_abs_d(world_from_camera->m[most][1]))
            most = axis;
    for (int axis = 0; axis < 3; axis++)
        up[axis] = axis != most ? 0.0 : world_from_camera->m[axis][1] < 0.0 ? -1.0 : 1.0;
}

static bool is_mirrored(const struct lb_matrix *matrix)
{
    const double(*m)[4] = matrix->m;
    return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
               m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
               m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]) <
           0.0;
}

/* Puts the camera to another place, where it stands still. A world that the scene's camera shows mirrored, as files
 * from right-handed programs have it, stays so. */
static enum lb_status look(const struct lb_builder *builder, const double up[3], struct lb_motion *motion)
{
    static const double mirror[3] = {-1.0, 1.0, 1.0};
    const struct lb_scene_steering *steering = &builder->options->steering;
    struct lb_matrix view, mirrored;
    bool right_handed = is_mirrored(&motion->at[0]);
    if (!lb_matrix_look_at(steering->eye, steering->target, up, &view))
        return lb_error_set(builder->error, LB_ERROR,
                            "--look-at needs a target apart from the eye, and an up vector across the view");
    lb_matrix_scale(mirror, &mirrored);
    view = right_handed ? lb_matrix_product(&mirrored, &view) : view;
    *motion = (struct lb_motion){.at = {view, view}};
    return LB_OK;
}

/* Of the whole way in a still, and of each frame's part of it. */
static double angle_of(const struct lb_scene_options *options)
{
    uint32_t count =
        options->frame_count == LB_FRAMES_UNKNOWN ? options->last_frame + 1 : options->frame_count;
    return count ? options->steering.orbit * options->frame / count : options->steering.orbit;
}

static enum lb_status orbit(const struct lb_builder *builder, const double up[3], struct lb_motion *motion)
{
    const struct lb_scene_steering *steering = &builder->options->steering;
    const struct lb_description *description = builder->description;
    double centre[3], back[3];
    struct lb_matrix there, turn, here;
    if (!steering->has_look && !description->has_target)
        return lb_error_set(builder->error, LB_ERROR,
                            "--orbit needs something to turn about: --look-at, or a LookAt in the scene");
    memcpy(centre, steering->target, sizeof centre);
    for (int row = 0; row < 3 && !steering->has_look; row++) {
        const double *m = motion->at[0].inverse[row], *p = description->target;
        centre[row] = m[0] * p[0] + m[1] * p[1] + m[2] * p[2] + m[3];
    }
    for (int axis = 0; axis < 3; axis++)
        back[axis] = -centre[axis];
    lb_matrix_translate(centre, &there);
    lb_matrix_rotate(-angle_of(builder->options), up, &turn);
    lb_matrix_translate(back, &here);
    turn = lb_matrix_product(&there, &turn);
    turn = lb_matrix_product(&turn, &here);
    for (int i = 0; i < 2; i++)
        motion->at[i] = lb_matrix_product(&motion->at[i], &turn);
    return LB_OK;
}

/* Along the camera's own x axis, which is to the right in the picture. */
static void move_sideways(double distance, struct lb_motion *motion)
{
    const double back[3] = {-distance, 0.0, 0.0};
    struct lb_matrix move;
    lb_matrix_translate(back, &move);
    for (int i = 0; i < 2; i++)
        motion->at[i] = lb_matrix_product(&move, &motion->at[i]);
}

enum lb_status lb_build_steer(const struct lb_builder *builder, struct lb_motion *camera_from_world)
{
    const struct lb_scene_steering *steering = &builder->options->steering;
    enum lb_status status = LB_OK;
    double up[3];
    struct lb_matrix world_from_camera = lb_matrix_inverse(&camera_from_world->at[0]);
    find_up(&world_from_camera, up);
    if (steering->has_up)
        memcpy(up, steering->up, sizeof up);
    if (steering->has_look)
        status = look(builder, up, camera_from_world);
    if (status == LB_OK && steering->has_orbit)
        status = orbit(builder, up, camera_from_world);
    if (status == LB_OK && steering->sideways != 0.0)
        move_sideways(steering->sideways, camera_from_world);
    return status;
}
