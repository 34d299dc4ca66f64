/* The file's lights, or a soft sky with a key light; and the ground of --studio. */
#include "core/model/import_work.h"

#include <math.h>

/* ---- the file's ---- */

static double luminance(const struct aiColor3D *c)
{
    return 0.2126 * (double)c->r + 0.7152 * (double)c->g + 0.0722 * (double)c->b;
}

static void middle_of(const struct lb_model_work *work, double middle[3], double *radius)
{
    double squares = 0.0;
    for (int axis = 0; axis < 3; axis++) {
        double half = 0.5 * (work->high[axis] - work->low[axis]);
        middle[axis] = work->low[axis] + half;
        squares += half * half;
    }
    *radius = sqrt(squares);
}

struct placed_light {
    double at[3], to[3]; /* where it stands, and a point that it shines at */
};

static struct placed_light place(const struct lb_model_work *work, const struct aiLight *light)
{
    struct placed_light placed;
    lb_model_pose pose;
    double direction[3] = {(double)light->mDirection.x, (double)light->mDirection.y,
                           (double)light->mDirection.z};
    placed.at[0] = (double)light->mPosition.x;
    placed.at[1] = (double)light->mPosition.y;
    placed.at[2] = (double)light->mPosition.z;
    lb_model_find(work, light->mName.data, &pose);
    lb_model_pose_point(&pose, placed.at, placed.at);
    lb_model_pose_vector(&pose, direction, direction);
    lb_model_normalize(direction);
    if (!(fabs(direction[0]) + fabs(direction[1]) + fabs(direction[2]) > 0.5))
        direction[0] = 0.0, direction[1] = -1.0, direction[2] = 0.0;
    for (int axis = 0; axis < 3; axis++)
        placed.to[axis] = placed.at[axis] + direction[axis];
    return placed;
}

static bool is_sound(const struct aiLight *light, const struct placed_light *placed)
{
    double size = luminance(&light->mColorDiffuse);
    for (int axis = 0; axis < 3; axis++)
        size += fabs(placed->at[axis]) + fabs(placed->to[axis]);
    return luminance(&light->mColorDiffuse) > 0.0 && size < 1e18 && light->mColorDiffuse.r >= 0.0f &&
           light->mColorDiffuse.g >= 0.0f && light->mColorDiffuse.b >= 0.0f;
}

static bool is_everywhere(const struct aiLight *light)
{
    return light->mType == aiLightSource_DIRECTIONAL || light->mType == aiLightSource_AMBIENT;
}

/* The square of the light's distance from the middle of the model; of one inside, as if it were further out. */
static double squared_distance(const struct lb_model_work *work, const struct placed_light *placed)
{
    double middle[3], radius, squares = 0.0;
    middle_of(work, middle, &radius);
    for (int axis = 0; axis < 3; axis++)
        squares += (placed->at[axis] - middle[axis]) * (placed->at[axis] - middle[axis]);
    return fmax(squares, 0.0625 * radius * radius);
}

/* What a surface that faces the light gets of it, in the file's units. Files that are not glTF have a colour that does
 * not become less with the distance, or by a law of some renderer that the file does not name: it is what the middle
 * of the model gets. */
static double light_at(const struct lb_model_work *work, const struct aiLight *light,
                       const struct placed_light *placed)
{
    double color = luminance(&light->mColorDiffuse);
    return !work->gltf || is_everywhere(light) ? color : color / squared_distance(work, placed);
}

/* By what its colour is multiplied in the scene. */
static double scale_of(const struct lb_model_work *work, const struct aiLight *light,
                       const struct placed_light *placed)
{
    if (light->mType == aiLightSource_AMBIENT)
        return work->light_scale / 3.14159265358979;
    return work->light_scale * (work->gltf || is_everywhere(light) ? 1.0 : squared_distance(work, placed));
}

double lb_model_light(const struct lb_model_work *work)
{
    double sum = 0.0;
    for (unsigned i = 0; i < work->scene->mNumLights; i++) {
        struct placed_light placed = place(work, work->scene->mLights[i]);
        if (is_sound(work->scene->mLights[i], &placed))
            sum += light_at(work, work->scene->mLights[i], &placed);
    }
    return sum;
}

static void write_light(struct lb_model_work *work, const struct aiLight *light)
{
    const double degrees = 57.295779513082323;
    struct placed_light p = place(work, light);
    const struct aiColor3D *c = &light->mColorDiffuse;
    if (!is_sound(light, &p))
        return;
    /* Angles of glTF are those from the cone's axis to its edge; those of other files go from edge to edge. */
    double part = work->gltf ? degrees : 0.5 * degrees;
    double outer = part * (double)light->mAngleOuterCone, inner = part * (double)light->mAngleInnerCone;
    bool spot = light->mType == aiLightSource_SPOT && outer > 0.0 && outer <= 90.0;
    if (light->mType == aiLightSource_AMBIENT)
        lb_text_add(&work->text, "LightSource \"infinite\" \"rgb L\"");
    else if (light->mType == aiLightSource_DIRECTIONAL)
        lb_text_add(
            &work->text,
            "LightSource \"distant\" \"point3 from\" [ %.9g %.9g %.9g ] \"point3 to\" [ %.9g %.9g %.9g ] "
            "\"rgb L\"",
            p.at[0], p.at[1], p.at[2], p.to[0], p.to[1], p.to[2]);
    else if (spot)
        lb_text_add(
            &work->text,
            "LightSource \"spot\" \"point3 from\" [ %.9g %.9g %.9g ] \"point3 to\" [ %.9g %.9g %.9g ] "
            "\"float coneangle\" [ %.4f ] \"float conedeltaangle\" [ %.4f ] \"rgb I\"",
            p.at[0], p.at[1], p.at[2], p.to[0], p.to[1], p.to[2], outer, fmax(0.0, outer - fmax(0.0, inner)));
    else
        lb_text_add(&work->text, "LightSource \"point\" \"point3 from\" [ %.9g %.9g %.9g ] \"rgb I\"",
                    p.at[0], p.at[1], p.at[2]);
    lb_text_add(&work->text, " [ %.9g %.9g %.9g ] \"float scale\" [ %.6g ]\n", (double)c->r, (double)c->g,
                (double)c->b, scale_of(work, light, &p));
}

/* ---- ours ---- */

/* A disk that shines from the upper left of the front, behind the camera that frames the model: from half as far again
 * as that one stands, and so wide that shadows are soft. */
static void write_key(struct lb_model_work *work, const double middle[3], double radius)
{
    const double distance = 6.0 * radius, size = 1.8 * radius;
    double z[3] = {0.55, -0.75, -0.6}, x[3], y[3];
    lb_model_normalize(z);
    x[0] = -z[2], x[1] = 0.0, x[2] = z[0];
    lb_model_normalize(x);
    lb_model_cross(z, x, y);
    lb_model_pose pose;
    for (int row = 0; row < 3; row++) {
        pose.m[row][0] = x[row];
        pose.m[row][1] = y[row];
        pose.m[row][2] = z[row];
        pose.m[row][3] = middle[row] - distance * z[row];
    }
    lb_text_add(&work->text, "# a key light\nAttributeBegin\n");
    lb_model_pose_write(&work->text, "Transform", &pose);
    lb_text_add(
        &work->text,
        "AreaLightSource \"diffuse\" \"rgb L\" [ 9 8.6 8 ]\nShape \"disk\" \"float radius\" [ %.9g ]\n"
        "AttributeEnd\n",
        size);
}

/* White, and so wide that its edge is lost in the sky. */
static void write_ground(struct lb_model_work *work, const double middle[3], double radius)
{
    const double r = 40.0 * radius, y = work->low[1] - 1e-4 * radius;
    lb_text_add(
        &work->text,
        "# the ground\nMaterial \"diffuse\" \"rgb reflectance\" [ 0.5 0.5 0.5 ]\nShape \"trianglemesh\" "
        "\"integer indices\" [ 0 1 2  0 2 3 ] \"point3 P\" [ %.9g %.9g %.9g  %.9g %.9g %.9g  %.9g %.9g %.9g  "
        "%.9g %.9g %.9g ]\n",
        middle[0] - r, y, middle[2] - r, middle[0] - r, y, middle[2] + r, middle[0] + r, y, middle[2] + r,
        middle[0] + r, y, middle[2] - r);
}

enum lb_status lb_model_write_lights(struct lb_model_work *work)
{
    double middle[3], radius;
    middle_of(work, middle, &radius);
    bool lit = lb_model_light(work) > 0.0;
    for (unsigned i = 0; lit && i < work->scene->mNumLights; i++)
        write_light(work, work->scene->mLights[i]);
    if (!lit) {
        lb_text_add(&work->text, "# a soft sky\nLightSource \"infinite\" \"rgb L\" [ 0.28 0.3 0.335 ]\n");
        write_key(work, middle, radius);
    }
    if (work->options->studio)
        write_ground(work, middle, radius);
    return LB_OK;
}
