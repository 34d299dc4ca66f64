/* Where the lens of a realistic camera stands before the film: by rays near the axis, traced in double precision. */
#include "core/scene/camera/lens.h"
#include "core/scene/builder/messages.h"
#include "core/scene/builder/parameters.h"

#include <math.h>

/* A ray near the axis, in a plane with it. */
struct beam {
    double x, z, dx, dz; /* the direction is a unit vector */
};

/* Takes the beam over an element whose vertex is at z, from one index into another. False: it does not pass. */
static bool cross_element(const float *element, double z, double from, double to, struct beam *beam)
{
    double radius = (double)element[0], t = (z - beam->z) / beam->dz;
    if (radius == 0)
        return fabs(beam->x + t * beam->dx) <= (double)element[3];
    double center = z - radius, oz = beam->z - center;
    double half = beam->x * beam->dx + oz * beam->dz;
    double root = half * half - (beam->x * beam->x + oz * oz - radius * radius);
    if (!(root >= 0))
        return false;
    /* Of the two crossings that next to the vertex. */
    double near = -half - sqrt(root), far = -half + sqrt(root);
    t = fabs(near - t) < fabs(far - t) ? near : far;
    beam->x += t * beam->dx;
    beam->z += t * beam->dz;
    if (!(fabs(beam->x) <= (double)element[3]))
        return false;
    double nx = beam->x / radius, nz = (beam->z - center) / radius;
    double cosine = nx * beam->dx + nz * beam->dz, sign = cosine < 0 ? 1 : -1, ratio = from / to;
    double sine2 = (1 - cosine * cosine) * ratio * ratio;
    if (!(sine2 < 1))
        return false;
    double along = sign * (fabs(cosine) * ratio - sqrt(1 - sine2));
    beam->dx = beam->dx * ratio + nx * along;
    beam->dz = beam->dz * ratio + nz * along;
    return true;
}

static double index_before(const struct lb_lens_build *lens, uint32_t i)
{
    return i > 0 ? (double)lens->elements[LB_LENS_COLUMNS * (i - 1) + 2] : 1.0;
}

static double front_of(const struct lb_lens_build *lens)
{
    double z = 0;
    for (uint32_t i = 0; i < lens->count; i++)
        z += (double)lens->elements[LB_LENS_COLUMNS * i + 1];
    return z;
}

static bool trace_from_scene(const struct lb_lens_build *lens, struct beam *beam)
{
    double z = front_of(lens);
    for (uint32_t i = 0; i < lens->count; i++) {
        const float *element = lens->elements + (size_t)LB_LENS_COLUMNS * i;
        if (!cross_element(element, z, index_before(lens, i), (double)element[2], beam))
            return false;
        z -= (double)element[1];
    }
    return true;
}

static bool trace_from_film(const struct lb_lens_build *lens, struct beam *beam)
{
    double z = 0;
    for (uint32_t i = lens->count; i-- > 0;) {
        const float *element = lens->elements + (size_t)LB_LENS_COLUMNS * i;
        z += (double)element[1];
        if (!cross_element(element, z, (double)element[2], index_before(lens, i), beam))
            return false;
    }
    return true;
}

/* Where, as -z, a beam that came in parallel to the axis at height x crosses that height again, as if it had not been
 * bent before (the principal plane), and where the axis (the focal point). */
static void cardinal_points(double x, const struct beam *out, double *plane, double *focus)
{
    *focus = -(out->z - out->x / out->dx * out->dz);
    *plane = -(out->z + (x - out->x) / out->dx * out->dz);
}

enum lb_status lb_build_lens_focus(const struct lb_builder *builder, const struct lb_parameters *parameters,
                                   struct lb_lens_build *lens)
{
    float distance;
    enum lb_status status =
        lb_build_float(builder, parameters, "focusdistance", 10.0f, 1e-6f, 1e9f, &distance);
    if (status != LB_OK)
        return status;
    float *last = &lens->elements[LB_LENS_COLUMNS * (lens->count - 1) + 1];
    double x = 0.001 * sqrt((double)(lens->width * lens->width + lens->height * lens->height));
    struct beam film = {x, front_of(lens) + 1, 0, -1}, scene = {x, (double)*last - 1, 0, 1};
    double plane[2], focus[2];
    if (!trace_from_scene(lens, &film) || !trace_from_film(lens, &scene) || film.dx == 0 || scene.dx == 0)
        return lb_build_error(builder, lb_build_place(parameters, "lensfile"),
                              "no rays near the axis pass the lens, or it does not bend them");
    cardinal_points(x, &film, &plane[0], &focus[0]);
    cardinal_points(x, &scene, &plane[1], &focus[1]);
    double length = focus[0] - plane[0], apart = plane[1] + (double)distance - plane[0];
    double discriminant = apart * (apart - 4 * length);
    if (!(discriminant > 0))
        return lb_build_error(builder, lb_build_place(parameters, "focusdistance"),
                              "\"focusdistance\" is too short for the lens, whose focal length is %g",
                              length);
    double shift = 0.5 * (plane[1] + (double)distance + plane[0] - sqrt(discriminant));
    *last = (float)((double)*last + shift);
    lens->image_distance = shift - plane[0];
    if (!(*last > 0.0f) || !(lens->image_distance > 0))
        return lb_build_error(builder, lb_build_place(parameters, "focusdistance"),
                              "in focus the film would be within the lens");
    return LB_OK;
}
