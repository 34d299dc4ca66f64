/* The camera, and what else stands before WorldBegin. */
#include "core/model/import_work.h"

#include <math.h>
#include <string.h>

/* What the picture is seen from. */
struct view {
    double eye[3], target[3], up[3];
    double fov; /* degrees, over the shorter side */
    uint32_t width, height;
};

enum { SIDE = 1280, SAMPLES = 64, DEPTH = 10 };

/* ---- one of the file's ---- */

static const struct aiCamera *choose(const struct lb_model_work *work)
{
    const struct aiScene *scene = work->scene;
    for (unsigned i = 0; work->options->camera && i < scene->mNumCameras; i++)
        if (!strcmp(scene->mCameras[i]->mName.data, work->options->camera))
            return scene->mCameras[i];
    return !work->options->camera && scene->mNumCameras > 0 ? scene->mCameras[0] : NULL;
}

static enum lb_status refuse_camera(const struct lb_model_work *work)
{
    struct lb_text names = {.data = NULL};
    for (unsigned i = 0; i < work->scene->mNumCameras && names.length < 300; i++) {
        lb_text_add(&names, "%s\"", i ? ", " : ": ");
        lb_text_add_printable(&names, work->scene->mCameras[i]->mName.data, 40);
        lb_text_add(&names, "\"");
    }
    return lb_error_set(
        work->error, LB_ERROR, "%s: no camera is called \"%s\"%s%s", work->path, work->options->camera,
        work->scene->mNumCameras ? "; there are" : ", nor is there any other", names.data ? names.data : "");
}

static void to_doubles(const struct aiVector3D *v, double to[3])
{
    to[0] = (double)v->x, to[1] = (double)v->y, to[2] = (double)v->z;
}

/* The file's angle is that of the width, whose ratio to the height the file may leave open: then it is 16 to 9. Cameras
 * of glTF are where their nodes are; Assimp says the nodes' places in theirs again. */
static void look_by(const struct lb_model_work *work, const struct aiCamera *camera, struct view *view)
{
    const double degrees = 57.295779513082323;
    lb_model_pose pose;
    double aspect = (double)camera->mAspect;
    aspect = aspect > 0.05 && aspect < 20.0 ? aspect : 16.0 / 9.0;
    lb_model_find(work, camera->mName.data, &pose);
    if (!work->gltf)
        to_doubles(&camera->mPosition, view->eye);
    to_doubles(&camera->mLookAt, view->target);
    to_doubles(&camera->mUp, view->up);
    lb_model_pose_point(&pose, view->eye, view->eye);
    lb_model_pose_vector(&pose, view->target, view->target);
    lb_model_pose_vector(&pose, view->up, view->up);
    lb_model_normalize(view->target);
    lb_model_normalize(view->up);
    for (int axis = 0; axis < 3; axis++)
        view->target[axis] += view->eye[axis];
    double half = tan(0.5 * (double)camera->mHorizontalFOV);
    view->fov = 2.0 * degrees * atan(aspect > 1.0 ? half / aspect : half);
    view->width = aspect >= 1.0 ? SIDE : (uint32_t)(SIDE * aspect + 0.5);
    view->height = aspect >= 1.0 ? (uint32_t)(SIDE / aspect + 0.5) : SIDE;
}

static bool is_sound(const struct view *view)
{
    double forward[3], crossed = 0.0;
    for (int axis = 0; axis < 3; axis++)
        forward[axis] = view->target[axis] - view->eye[axis];
    for (int a = 0, b = 1, c = 2; a < 3; b = c, c = a++) {
        double part = forward[b] * view->up[c] - forward[c] * view->up[b];
        crossed += part * part;
    }
    return view->fov > 0.1 && view->fov < 179.0 && crossed > 1e-6 && fabs(view->eye[0]) < 1e18 &&
           fabs(view->eye[1]) < 1e18 && fabs(view->eye[2]) < 1e18;
}

/* ---- does it see the model? ---- */

/* Of the box around it all corners lie beyond one and the same side of what the camera sees. */
static bool misses(const struct lb_model_work *work, const struct view *view)
{
    double forward[3], right[3], up[3];
    unsigned beyond = 31;
    double half = tan(0.5 * view->fov / 57.295779513082323), aspect = (double)view->width / view->height;
    double across = aspect > 1.0 ? half * aspect : half, along = aspect > 1.0 ? half : half / aspect;
    for (int axis = 0; axis < 3; axis++)
        forward[axis] = view->target[axis] - view->eye[axis];
    lb_model_normalize(forward);
    lb_model_cross(forward, view->up, right);
    lb_model_normalize(right);
    lb_model_cross(right, forward, up);
    for (int corner = 0; corner < 8; corner++) {
        double x = 0.0, y = 0.0, z = 0.0;
        for (int axis = 0; axis < 3; axis++) {
            double at = (corner >> axis & 1 ? work->high[axis] : work->low[axis]) - view->eye[axis];
            x += at * right[axis], y += at * up[axis], z += at * forward[axis];
        }
        beyond &= (z < 0.0 ? 1u : 0u) | (x > z * across ? 2u : 0u) | (-x > z * across ? 4u : 0u) |
                  (y > z * along ? 8u : 0u) | (-y > z * along ? 16u : 0u);
    }
    return beyond != 0;
}

/* ---- one that frames the model ---- */

/* A lens of 50 mm before film of 24 mm, whose width is 16 to 9: fov is 2 atan(12 / 50). A tenth of the room is left. */
static const double fifty_mm_fov = 26.9915, fifty_mm_tangent = 12.0 / 50.0, wide = 16.0 / 9.0, room = 1.1;

/* The axes of the camera that looks from three quarters of the front, which is +z, and from a little above, after
 * `turn` of LB_MODEL_TURNS steps around the model. */
static void axes_of(unsigned turn, double right[3], double up[3], double forward[3])
{
    double angle = 6.28318530717959 * turn / LB_MODEL_TURNS, x = -0.55, z = -0.76;
    forward[0] = cos(angle) * x + sin(angle) * z;
    forward[1] = -0.35;
    forward[2] = cos(angle) * z - sin(angle) * x;
    lb_model_normalize(forward);
    right[0] = -forward[2], right[1] = 0.0, right[2] = forward[0];
    lb_model_normalize(right);
    lb_model_cross(right, forward, up);
}

/* A camera that looks along `forward` sees a point p from as far behind the middle m as (p - m) n is at most, where n
 * are the normals of the four sides of what it sees, as long as they are with -1 along `forward`. */
void lb_model_start_framing(struct lb_model_work *work)
{
    double right[3], up[3], forward[3];
    work->side_count = 0;
    for (unsigned turn = 0; turn < (work->options->turned ? LB_MODEL_TURNS : 1); turn++) {
        axes_of(turn, right, up, forward);
        for (int side = 0; side < 4; side++) {
            struct lb_model_side *to = &work->sides[work->side_count++];
            double sign = side & 1 ? -room : room;
            to->most = -INFINITY;
            for (int axis = 0; axis < 3; axis++)
                to->normal[axis] =
                    (side & 2 ? sign * up[axis] : sign * right[axis] / wide) / fifty_mm_tangent -
                    forward[axis];
        }
    }
}

static double product(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

void lb_model_frame(struct lb_model_work *work, const double at[3])
{
    for (unsigned i = 0; i < work->side_count; i++) {
        double here = product(work->sides[i].normal, at);
        work->sides[i].most = here > work->sides[i].most ? here : work->sides[i].most;
    }
}

/* Its middle is that of the box, about which --orbit turns. What is seen end on, and so takes no room, keeps its
 * distance too. */
static void frame(const struct lb_model_work *work, struct view *view)
{
    double right[3], up[3], forward[3], squares = 0.0;
    *view = (struct view){.up = {0.0, 1.0, 0.0}, .fov = fifty_mm_fov, .width = SIDE, .height = SIDE * 9 / 16};
    for (int axis = 0; axis < 3; axis++) {
        double half = 0.5 * (work->high[axis] - work->low[axis]);
        view->target[axis] = work->low[axis] + half;
        squares += half * half;
    }
    double back = 1.2 * sqrt(squares);
    for (unsigned i = 0; i < work->side_count; i++)
        back = fmax(back, work->sides[i].most - product(work->sides[i].normal, view->target));
    axes_of(0, right, up, forward);
    for (int axis = 0; axis < 3; axis++)
        view->eye[axis] = view->target[axis] - back * forward[axis];
}

/* ---- the lines ---- */

/* The world of models is right-handed, that of pbrt's LookAt left-handed. */
enum lb_status lb_model_write_view(struct lb_model_work *work)
{
    const struct aiCamera *camera = choose(work);
    struct view view = {.width = 0};
    if (work->options->camera && !camera)
        return refuse_camera(work);
    if (camera)
        look_by(work, camera, &view);
    bool sound = camera && is_sound(&view), asked = work->gltf || work->options->camera;
    bool lost = sound && !asked && misses(work, &view);
    if (lost && !work->frame[0])
        lb_log_write(work->log, LB_WARNING, "%s: its first camera does not see it, and is left out",
                     work->path);
    if (!sound || lost)
        frame(work, &view);
    lb_text_add(&work->text, "Scale -1 1 1\nLookAt %.9g %.9g %.9g  %.9g %.9g %.9g  %.9g %.9g %.9g\n",
                view.eye[0], view.eye[1], view.eye[2], view.target[0], view.target[1], view.target[2],
                view.up[0], view.up[1], view.up[2]);
    lb_text_add(&work->text, "Camera \"perspective\" \"float fov\" [ %.4f ]\n", view.fov);
    lb_text_add(&work->text, "Film \"rgb\" \"integer xresolution\" [ %u ] \"integer yresolution\" [ %u ]\n",
                view.width, view.height);
    lb_text_add(&work->text, "Sampler \"zsobol\" \"integer pixelsamples\" [ %d ]\n", SAMPLES);
    lb_text_add(&work->text, "Integrator \"volpath\" \"integer maxdepth\" [ %d ]\nWorldBegin\n", DEPTH);
    return LB_OK;
}
