/* The cameras. */
#include "core/scene/builder/messages.h"
#include "core/scene/builder/parameters.h"
#include "core/scene/builder/transforms.h"
#include "core/scene/camera/camera.h"
#include "core/scene/camera/steer.h"
#include "core/scene/media/media.h"

#include "core/language/matrix.h"
#include "core/scene/motion/motion.h"

#include <string.h>

/* Tangent of half the field of view, which is on the shorter axis. */
static enum lb_status build_field_of_view(const struct lb_builder *builder,
                                          const struct lb_parameters *parameters, float *tangent)
{
    float fov;
    enum lb_status status = lb_build_float(builder, parameters, "fov", 90.0f, 0.0f, 180.0f, &fov);
    if (builder->options->steering.fov > 0.0)
        fov = (float)builder->options->steering.fov;
    else if (status == LB_OK && (fov <= 0.0f || fov >= 180.0f))
        return lb_build_error(builder, lb_build_place(parameters, "fov"),
                              "\"fov\" is %g, not more than 0 and less than 180 degrees", (double)fov);
    *tangent = lb_tan(fov * (LB_PI / 360.0f));
    return status;
}

static enum lb_status build_screen(struct lb_builder *builder, const struct lb_parameters *parameters)
{
    const lb_film *film = &builder->head.film;
    float aspect, tangent = 1.0f;
    enum lb_status status;
    status = lb_build_float(builder, parameters, "frameaspectratio",
                            (float)film->full_width / (float)film->full_height, 1e-6f, 1e6f, &aspect);
    if (status == LB_OK && builder->head.camera.kind == LB_CAMERA_PERSPECTIVE)
        status = build_field_of_view(builder, parameters, &tangent);
    if (status != LB_OK)
        return status;
    float wide = aspect > 1.0f ? aspect : 1.0f, high = aspect > 1.0f ? 1.0f : 1.0f / aspect;
    float screen[4] = {-wide, wide, -high, high};
    const float *window;
    size_t count;
    status =
        lb_parameters_floats(parameters, "screenwindow", LB_PARAMETER_FLOAT, &window, &count, builder->error);
    if (status != LB_OK)
        return status;
    if (count && count != 4)
        return lb_build_error(builder, lb_build_place(parameters, "screenwindow"),
                              "\"screenwindow\" needs 4 values, not %zu", count);
    for (int i = 0; i < 4; i++) {
        float value = count ? window[i] : screen[i];
        if (!(lb_abs(value) < 1e9f))
            return lb_build_error(builder, lb_build_place(parameters, "screenwindow"),
                                  "\"screenwindow\" is not finite");
        builder->head.camera.screen[i] = value * tangent;
    }
    if (builder->head.camera.screen[0] == builder->head.camera.screen[1] ||
        builder->head.camera.screen[2] == builder->head.camera.screen[3])
        return lb_build_error(builder, lb_build_place(parameters, "screenwindow"),
                              "\"screenwindow\" is empty");
    return LB_OK;
}

/* Tells the time in which the shutter is open in parts of the time range. A frame of an animation has its part of the
 * range, and in that the shutter is open as it is in the whole. Where the range has no length, everything is at its
 * start up to then and at its end afterwards. */
static void set_shutter(struct lb_builder *builder, float open, float close)
{
    const struct lb_scene_options *options = builder->options;
    const double *times = builder->description->transform_times;
    double range = times[1] > times[0] ? times[1] - times[0] : 1e-30;
    const double ends[2] = {((double)open - times[0]) / range, ((double)close - times[0]) / range};
    bool frames = options->frame_count != 0 && options->frame_count != LB_FRAMES_UNKNOWN;
    for (int i = 0; i < 2; i++) {
        double at = frames ? (options->frame + ends[i]) / options->frame_count : ends[i];
        builder->head.shutter[i] = lb_clamp((float)at, -1e30f, 1e30f);
    }
}

static enum lb_status build_shutter(struct lb_builder *builder, const struct lb_parameters *parameters)
{
    float open, close;
    enum lb_status status;
    if ((status = lb_build_float(builder, parameters, "shutteropen", 0.0f, -1e30f, 1e30f, &open)) != LB_OK ||
        (status = lb_build_float(builder, parameters, "shutterclose", 1.0f, -1e30f, 1e30f, &close)) != LB_OK)
        return status;
    if (close < open)
        lb_build_warn(builder, lb_build_place(parameters, "shutterclose"),
                      "the shutter closes before it opens: the times are exchanged");
    if (close == open)
        lb_build_warn(builder, lb_build_place(parameters, "shutterclose"),
                      "the shutter is open for no time: the picture will be black");
    builder->shutter = close < open ? (double)open - (double)close : (double)close - (double)open;
    set_shutter(builder, close < open ? close : open, close < open ? open : close);
    return LB_OK;
}

/* Sets where the camera is in the world; of a moving one, in the middle of the time that the picture shows. */
static enum lb_status build_place(struct lb_builder *builder, const struct lb_location *location)
{
    static const double origin[3] = {0, 0, 0};
    lb_camera *camera = &builder->head.camera;
    struct lb_motion given = builder->description->camera_from_world;
    struct lb_matrix middle_matrix;
    enum lb_status steered = lb_build_steer(builder, &given);
    if (steered != LB_OK)
        return steered;
    struct lb_motion motion = given;
    /* As pbrt has it, the camera's place in the world moves, not the world's before the camera. */
    for (int i = 0; i < 2; i++) {
        motion.at[i] = lb_matrix_inverse(&given.at[i]);
        /* Of a projective one pbrt transforms origins and directions of rays each by itself; as all pinhole rays
         * begin at one point, that is an affine map. */
        motion.at[i] = lb_matrix_affine(&motion.at[i]);
    }
    if (motion.moves) {
        enum lb_status status = lb_build_move(builder, &motion, location, origin, 0, &camera->move);
        struct lb_motion moving = motion;
        float middle = lb_clamp(0.5f * (builder->head.shutter[0] + builder->head.shutter[1]), 0.0f, 1.0f);
        if (status != LB_OK)
            return status;
        if (!lb_motion_at(&moving, (double)middle, &motion.at[0]) ||
            !lb_motion_at(&moving, 0.5, &middle_matrix))
            return lb_build_error(builder, location, "the camera's moving transform has no inverse");
        motion.moves = false;
    } else {
        middle_matrix = motion.at[0];
    }
    for (int i = 0; i < 3; i++)
        builder->camera_middle[i] = middle_matrix.m[i][3];
    return lb_build_transform(builder, &motion, location, &camera->world_from_camera,
                              &builder->head.channels.camera_from_world);
}

static enum lb_status build_mapping(const struct lb_builder *builder, const struct lb_parameters *parameters,
                                    uint32_t *kind)
{
    static const char *const names[] = {"equalarea", "equirectangular"};
    static const uint32_t kinds[] = {LB_CAMERA_EQUAL_AREA, LB_CAMERA_EQUIRECTANGULAR};
    uint32_t which;
    enum lb_status status = lb_build_word(builder, parameters, "mapping", "mapping", names, 2, &which);
    if (status == LB_OK)
        *kind = kinds[which];
    return status;
}

static enum lb_status build_kind(struct lb_builder *builder)
{
    static const char *const kinds[] = {"perspective", "orthographic", "spherical", "realistic"};
    const struct lb_entity *camera = &builder->description->camera;
    const char *type = camera->type;
    uint32_t *kind = &builder->head.camera.kind;
    *kind = LB_CAMERA_PERSPECTIVE;
    if (builder->options->steering.fov > 0.0 && type && strcmp(type, kinds[0]) != 0)
        return lb_build_error(builder, &camera->parameters.location,
                              "--fov is for perspective cameras, and this one is \"%s\"", type);
    if (!type || strcmp(type, kinds[0]) == 0)
        return LB_OK;
    if (strcmp(type, kinds[1]) == 0)
        *kind = LB_CAMERA_ORTHOGRAPHIC;
    else if (strcmp(type, kinds[2]) == 0)
        return build_mapping(builder, &camera->parameters, kind);
    else if (strcmp(type, kinds[3]) == 0)
        *kind = LB_CAMERA_REALISTIC;
    else
        return lb_build_unknown(builder, &camera->parameters.location, "camera", type, LB_ROWS(kinds));
    return LB_OK;
}

/* The screen, and the thin lens before it. */
static enum lb_status build_view(struct lb_builder *builder, const struct lb_parameters *parameters)
{
    lb_camera *camera = &builder->head.camera;
    enum lb_status status;
    if ((status = build_screen(builder, parameters)) != LB_OK ||
        (status = lb_build_float(builder, parameters, "lensradius", 0.0f, 0.0f, 1e30f,
                                 &camera->lens_radius)) != LB_OK)
        return status;
    return lb_build_float(builder, parameters, "focaldistance", 1e6f, 1e-20f, 1e30f, &camera->focal_distance);
}

/* A camera for all directions has neither lens nor screen, whatever the file says. */
static void drop_lens(struct lb_builder *builder)
{
    const lb_film *film = &builder->head.film;
    lb_camera *camera = &builder->head.camera;
    float width = (float)film->full_width, height = (float)film->full_height;
    float angle = lb_sqrt(4.0f * LB_PI / (width * height));
    camera->lens_radius = 0.0f;
    camera->screen[0] = camera->screen[2] = 0.0f;
    camera->screen[1] = width * angle;
    camera->screen[3] = height * angle;
}

enum lb_status lb_build_camera(struct lb_builder *builder)
{
    const struct lb_description *description = builder->description;
    const struct lb_parameters *parameters = &description->camera.parameters;
    lb_camera *camera = &builder->head.camera;
    enum lb_status status;
    if ((status = build_kind(builder)) != LB_OK || (status = build_shutter(builder, parameters)) != LB_OK ||
        (status = camera->kind == LB_CAMERA_REALISTIC ? lb_build_lens(builder)
                                                      : build_view(builder, parameters)) != LB_OK ||
        (status = build_place(builder, &parameters->location)) != LB_OK ||
        (status = lb_build_find_medium(builder, &parameters->location, description->camera_medium,
                                       &camera->medium)) != LB_OK)
        return status;
    if (camera->kind == LB_CAMERA_EQUIRECTANGULAR || camera->kind == LB_CAMERA_EQUAL_AREA)
        drop_lens(builder);
    return lb_build_check_unused(builder, &description->camera);
}
