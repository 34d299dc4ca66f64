/* The lens of a realistic camera: its file, its focus, the places behind it through which light gets to the film, and
 * the shape of its stop (pbrt-v4's RealisticCamera). */
#include "core/scene/build.h"

#include "core/kernel/lens.h"
#include "core/scene/number_file.h"

#include <math.h>
#include <string.h>

enum { ELEMENTS_MAX = 1000, COLUMNS = 4, STOP_SIDE = 256, PUPIL_SIDE = 256 };

#define MILLIMETRE 0.001f

/* What a lens is made of, while it is built. */
struct lens {
    float *elements; /* as lb_lens.first_element says */
    uint32_t count;
    float *stop; /* of stop_size; NULL: round */
    uint32_t stop_size[2];
    float width, height;   /* of the film */
    double image_distance; /* from the film to the principal plane on its side, in focus */
};

/* ---- the file ---- */

static enum lb_status check_row(const struct lb_builder *builder, const struct lb_location *location,
                                const char *path, size_t row, const float *given)
{
    static const char *const names[] = {"radius", "thickness", "index", "diameter"};
    static const float least[] = {-1e6f, 0.0f, 0.0f, 1e-6f}, most[] = {1e6f, 1e6f, 100.0f, 1e6f};
    for (size_t i = 0; i < COLUMNS; i++)
        if (!(given[i] >= least[i] && given[i] <= most[i]))
            return lb_build_error(builder, location, "%s: the %s of element %zu is %g, not between %g and %g",
                                  path, names[i], row + 1, (double)given[i], (double)least[i],
                                  (double)most[i]);
    return LB_OK;
}

/* Turns a row of the file, in millimetres, into an element; the stop gets `diameter`, if that is less than its own. */
static void make_element(const struct lb_builder *builder, const struct lb_parameters *parameters,
                         const float *given, float diameter, float *element)
{
    float opening = given[3];
    if (given[0] == 0.0f && diameter > opening)
        lb_build_warn(builder, lb_build_place(parameters, "aperturediameter"),
                      "\"aperturediameter\" is %g mm, more than the %g mm of the lens, which are taken",
                      (double)diameter, (double)opening);
    if (given[0] == 0.0f)
        opening = lb_min(opening, diameter);
    element[0] = given[0] * MILLIMETRE;
    element[1] = given[1] * MILLIMETRE;
    element[2] = given[2] == 0.0f ? 1.0f : given[2];
    element[3] = 0.5f * opening * MILLIMETRE;
}

static enum lb_status read_elements(const struct lb_builder *builder, const struct lb_parameters *parameters,
                                    struct lens *lens)
{
    const struct lb_location *location = lb_build_place(parameters, "lensfile");
    struct lb_number_file file;
    struct lb_error reason;
    const char *path;
    float diameter;
    enum lb_status status = lb_build_file(builder, parameters, "lensfile", &path);
    if (status == LB_OK)
        status = lb_build_float(builder, parameters, "aperturediameter", 1.0f, 1e-6f, 1e6f, &diameter);
    if (status != LB_OK)
        return status;
    if (!path)
        return lb_build_error(builder, location, "a realistic camera needs a \"lensfile\"");
    if (lb_number_file_read(path, builder->arena, &file, &reason) != LB_OK)
        return lb_build_error(builder, location, "%s", reason.message);
    if (file.count == 0 || file.count % COLUMNS != 0 || file.count > (size_t)ELEMENTS_MAX * COLUMNS)
        return lb_build_error(builder, location,
                              "%s: a lens has 1 to %d rows of four numbers, not %zu numbers in all", path,
                              ELEMENTS_MAX, file.count);
    lens->count = (uint32_t)(file.count / COLUMNS);
    lens->elements = lb_arena_alloc(builder->arena, file.count, sizeof *lens->elements);
    if (!lens->elements)
        return lb_build_no_memory(builder);
    for (size_t row = 0; row < lens->count; row++) {
        const float *given = file.numbers + COLUMNS * row;
        if ((status = check_row(builder, location, path, row, given)) != LB_OK)
            return status;
        make_element(builder, parameters, given, diameter, lens->elements + COLUMNS * row);
    }
    return LB_OK;
}

/* ---- focus ---- */

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

static double index_before(const struct lens *lens, uint32_t i)
{
    return i > 0 ? (double)lens->elements[COLUMNS * (i - 1) + 2] : 1.0;
}

static double front_of(const struct lens *lens)
{
    double z = 0;
    for (uint32_t i = 0; i < lens->count; i++)
        z += (double)lens->elements[COLUMNS * i + 1];
    return z;
}

static bool trace_from_scene(const struct lens *lens, struct beam *beam)
{
    double z = front_of(lens);
    for (uint32_t i = 0; i < lens->count; i++) {
        const float *element = lens->elements + (size_t)COLUMNS * i;
        if (!cross_element(element, z, index_before(lens, i), (double)element[2], beam))
            return false;
        z -= (double)element[1];
    }
    return true;
}

static bool trace_from_film(const struct lens *lens, struct beam *beam)
{
    double z = 0;
    for (uint32_t i = lens->count; i-- > 0;) {
        const float *element = lens->elements + (size_t)COLUMNS * i;
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

/* Moves the lens along the axis so that what is `distance` from the film is sharp on it, by the thick lens that stands
 * for it near the axis. */
static enum lb_status focus_lens(const struct lb_builder *builder, const struct lb_parameters *parameters,
                                 struct lens *lens)
{
    float distance;
    enum lb_status status =
        lb_build_float(builder, parameters, "focusdistance", 10.0f, 1e-6f, 1e9f, &distance);
    if (status != LB_OK)
        return status;
    float *last = &lens->elements[COLUMNS * (lens->count - 1) + 1];
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

/* ---- the stop ---- */

/* How often a polygon goes around the point: 0, it is outside. */
static int windings(const float (*corner)[2], int count, float x, float y)
{
    int around = 0;
    for (int i = 0; i < count; i++) {
        const float *a = corner[i], *b = corner[(i + 1) % count];
        float side = (x - a[0]) * (b[1] - a[1]) - (y - a[1]) * (b[0] - a[0]);
        if (a[1] <= y && b[1] > y && side > 0.0f)
            around++;
        else if (a[1] > y && b[1] <= y && side < 0.0f)
            around--;
    }
    return around;
}

static float pentagon(float x, float y)
{
    const float five = lb_sqrt(5.0f), c1 = 0.2f * (five - 1.0f), c2 = 0.2f * (five + 1.0f);
    const float s1 = 0.2f * lb_sqrt(10.0f + 2.0f * five), s2 = 0.2f * lb_sqrt(10.0f - 2.0f * five);
    const float corner[5][2] = {{0.0f, 0.8f}, {s1, c1}, {s2, -c2}, {-s2, -c2}, {-s1, c1}};
    return windings(corner, 5, x, y) != 0 ? 1.0f : 0.0f;
}

static float star(float x, float y)
{
    const float inner = lb_cos(0.4f * LB_PI) / lb_cos(0.2f * LB_PI);
    float corner[10][2];
    for (int i = 0; i < 10; i++) {
        float radius = i % 2 ? 1.0f : inner, angle = LB_PI * (float)i / 5.0f;
        corner[9 - i][0] = radius * lb_cos(angle);
        corner[9 - i][1] = radius * lb_sin(angle);
    }
    return windings((const float(*)[2])corner, 10, x, y) != 0 ? 1.0f : 0.0f;
}

static float gaussian(float x, float y)
{
    return lb_max(0.0f, lb_exp(-(x * x + y * y)) - lb_exp(-1.0f));
}

static float square(float x, float y)
{
    return lb_abs(x) < 0.5f && lb_abs(y) < 0.5f ? 1.0f : 0.0f;
}

/* Shapes of [-1, 1]^2, y up in the picture that the camera takes. */
static const struct {
    const char *name;
    float (*passes)(float x, float y);
} shapes[] = {{"gaussian", gaussian}, {"square", square}, {"pentagon", pentagon}, {"star", star}};

static enum lb_status make_stop(const struct lb_builder *builder, uint32_t width, uint32_t height,
                                struct lens *lens)
{
    lens->stop = lb_arena_alloc(builder->arena, (size_t)width * height, sizeof *lens->stop);
    lens->stop_size[0] = width;
    lens->stop_size[1] = height;
    return lens->stop ? LB_OK : lb_build_no_memory(builder);
}

/* Rows of stops go up, those of pictures down; pbrt turns both over, and lets shapes begin at the lower end too. */
static enum lb_status draw_stop(const struct lb_builder *builder, float (*passes)(float, float),
                                struct lens *lens)
{
    enum lb_status status = make_stop(builder, STOP_SIDE, STOP_SIDE, lens);
    for (uint32_t i = 0; i < STOP_SIDE * STOP_SIDE && status == LB_OK; i++) {
        float x = ((float)(i % STOP_SIDE) + 0.5f) * (2.0f / STOP_SIDE) - 1.0f;
        float y = ((float)(i / STOP_SIDE) + 0.5f) * (2.0f / STOP_SIDE) - 1.0f;
        lens->stop[i] = passes(x, -y);
    }
    return status;
}

static enum lb_status read_stop(struct lb_builder *builder, const struct lb_location *location,
                                const char *name, struct lens *lens)
{
    const char *path =
        lb_description_path(builder->description, location, name, builder->arena, builder->log);
    struct lb_encoding encoding = {NULL, location, LB_IMAGE_NUMBERS};
    uint32_t index;
    if (!path)
        return lb_build_no_memory(builder);
    enum lb_status status = lb_build_image(builder, path, &encoding, &index);
    if (status != LB_OK)
        return status;
    const lb_image *image = (const lb_image *)builder->arrays.images.data + index;
    if ((status = make_stop(builder, image->width, image->height, lens)) != LB_OK)
        return status;
    for (uint32_t y = 0; y < image->height; y++)
        for (uint32_t x = 0; x < image->width; x++) {
            float values[4];
            lb_build_texel(builder, image, x, image->height - 1 - y, values);
            float value = image->channels == 1 ? values[0] : (values[0] + values[1] + values[2]) / 3.0f;
            lens->stop[(size_t)y * image->width + x] = lb_max(value, 0.0f);
        }
    return LB_OK;
}

/* As much light is to pass as through a round stop. */
static enum lb_status scale_stop(const struct lb_builder *builder, const struct lb_location *location,
                                 struct lens *lens)
{
    size_t count = (size_t)lens->stop_size[0] * lens->stop_size[1];
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += (double)lens->stop[i];
    if (!(sum > 0))
        return lb_build_error(builder, location, "no light passes the aperture");
    for (size_t i = 0; i < count; i++)
        lens->stop[i] = (float)((double)lens->stop[i] * (0.78539816339744831 * (double)count / sum));
    return LB_OK;
}

static enum lb_status build_stop(struct lb_builder *builder, const struct lb_parameters *parameters,
                                 struct lens *lens)
{
    const struct lb_location *location = lb_build_place(parameters, "aperture");
    const char *name;
    enum lb_status status = lb_parameters_string(parameters, "aperture", "", &name, builder->error);
    if (status != LB_OK || !*name)
        return status;
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++)
        if (strcmp(shapes[i].name, name) == 0) {
            status = draw_stop(builder, shapes[i].passes, lens);
            return status == LB_OK ? scale_stop(builder, location, lens) : status;
        }
    status = read_stop(builder, location, name, lens);
    return status == LB_OK ? scale_stop(builder, location, lens) : status;
}

/* ---- where light gets through ---- */

/* The digits of i in the base, behind the point in reverse order: numbers of [0, 1) that fill it evenly. */
static float radical_inverse(uint32_t base, uint32_t i)
{
    double sum = 0, digit = 1;
    for (; i > 0; i /= base) {
        digit /= base;
        sum += digit * (i % base);
    }
    return (float)sum;
}

/* The rectangle, in the plane of the rear element, around all points through which light gets to points of the film
 * between `from` and `to` from its centre along +x. */
static void find_zone(const lb_lens_parts *parts, float from, float to, const float (*points)[2], float *zone)
{
    const float *rear = parts->elements + (size_t)COLUMNS * (parts->count - 1);
    const uint32_t count = PUPIL_SIDE * PUPIL_SIDE;
    const float reach = 1.5f * rear[3], spacing = 2.0f * reach * lb_sqrt(2.0f) / PUPIL_SIDE;
    float bounds[4] = {1.0f, -1.0f, 1.0f, -1.0f};
    bool any = false;
    for (uint32_t i = 0; i < count; i++) {
        lb_vec3 film = lb_vec3_make(lb_mix(((float)i + 0.5f) / (float)count, from, to), 0.0f, 0.0f);
        lb_vec3 point =
            lb_vec3_make((2.0f * points[i][0] - 1.0f) * reach, (2.0f * points[i][1] - 1.0f) * reach, rear[1]);
        lb_vec3 direction = lb_sub(point, film);
        if (any && point.x >= bounds[0] && point.x <= bounds[1] && point.y >= bounds[2] &&
            point.y <= bounds[3])
            continue;
        if (lb_lens_leave(parts, &film, &direction) == 0.0f)
            continue;
        bounds[0] = any ? lb_min(bounds[0], point.x) : point.x;
        bounds[1] = any ? lb_max(bounds[1], point.x) : point.x;
        bounds[2] = any ? lb_min(bounds[2], point.y) : point.y;
        bounds[3] = any ? lb_max(bounds[3], point.y) : point.y;
        any = true;
    }
    for (int i = 0; i < 4; i++) /* and what lies between the points */
        zone[i] = !any ? 0.0f : i % 2 ? bounds[i] + 2.0f * spacing : bounds[i] - 2.0f * spacing;
}

static enum lb_status find_zones(const struct lb_builder *builder, const struct lb_parameters *parameters,
                                 const struct lens *lens, float *zones)
{
    const uint32_t count = PUPIL_SIDE * PUPIL_SIDE;
    lb_lens_parts parts;
    float(*points)[2] = lb_arena_alloc(builder->arena, count, sizeof *points);
    float reach = 0.5f * lb_sqrt(lens->width * lens->width + lens->height * lens->height);
    bool any = false;
    if (!points)
        return lb_build_no_memory(builder);
    for (uint32_t i = 0; i < count; i++) {
        points[i][0] = radical_inverse(2, i);
        points[i][1] = radical_inverse(3, i);
    }
    memset(&parts, 0, sizeof parts);
    parts.elements = lens->elements;
    parts.count = lens->count;
    parts.stop = lens->stop;
    memcpy(parts.stop_size, lens->stop_size, sizeof parts.stop_size);
    for (int i = 0; i < LB_LENS_ZONES; i++) {
        float *zone = zones + (size_t)4 * (size_t)i;
        find_zone(&parts, reach * (float)i / LB_LENS_ZONES, reach * (float)(i + 1) / LB_LENS_ZONES,
                  (const float(*)[2])points, zone);
        any = any || zone[0] < zone[1];
    }
    if (!any)
        return lb_build_error(builder, lb_build_place(parameters, "lensfile"),
                              "no light gets through the lens to the film");
    return LB_OK;
}

/* ---- the whole ---- */

static enum lb_status build_extent(const struct lb_builder *builder, struct lens *lens)
{
    const lb_film *film = &builder->head.film;
    float diagonal, aspect = (float)film->full_height / (float)film->full_width;
    enum lb_status status = lb_build_float(builder, &builder->description->film.parameters, "diagonal", 35.0f,
                                           1e-3f, 1e6f, &diagonal);
    diagonal *= MILLIMETRE;
    lens->width = lb_sqrt(diagonal * diagonal / (1.0f + aspect * aspect));
    lens->height = aspect * lens->width;
    return status;
}

static enum lb_status keep(struct lb_builder *builder, const float *values, size_t count, uint64_t *first)
{
    *first = builder->arrays.tables.count;
    float *to = lb_vector_add(&builder->arrays.tables, count);
    if (!to)
        return lb_build_no_memory(builder);
    memcpy(to, values, count * sizeof *to);
    return LB_OK;
}

/* The plane z = 1 as the lens shows it near the axis. */
static void set_screen(const struct lens *lens, lb_camera *camera)
{
    float half[2] = {(float)(0.5 * (double)lens->width / lens->image_distance),
                     (float)(0.5 * (double)lens->height / lens->image_distance)};
    for (int i = 0; i < 4; i++)
        camera->screen[i] = i % 2 ? half[i / 2] : -half[i / 2];
}

enum lb_status lb_build_lens(struct lb_builder *builder)
{
    const struct lb_parameters *parameters = &builder->description->camera.parameters;
    lb_camera *camera = &builder->head.camera;
    float zones[4 * LB_LENS_ZONES];
    struct lens lens;
    enum lb_status status;
    memset(&lens, 0, sizeof lens);
    if ((status = build_extent(builder, &lens)) != LB_OK ||
        (status = read_elements(builder, parameters, &lens)) != LB_OK ||
        (status = focus_lens(builder, parameters, &lens)) != LB_OK ||
        (status = build_stop(builder, parameters, &lens)) != LB_OK ||
        (status = find_zones(builder, parameters, &lens, zones)) != LB_OK ||
        (status = keep(builder, lens.elements, (size_t)COLUMNS * lens.count, &camera->lens.first_element)) !=
            LB_OK ||
        (status = keep(builder, zones, sizeof zones / sizeof zones[0], &camera->lens.first_zone)) != LB_OK)
        return status;
    if (lens.stop)
        status =
            keep(builder, lens.stop, (size_t)lens.stop_size[0] * lens.stop_size[1], &camera->lens.first_stop);
    camera->lens.count = lens.count;
    memcpy(camera->lens.stop_size, lens.stop_size, sizeof lens.stop_size);
    camera->lens.width = lens.width;
    camera->lens.height = lens.height;
    camera->lens_radius = lens.elements[COLUMNS * (lens.count - 1) + 3];
    set_screen(&lens, camera);
    return status;
}
