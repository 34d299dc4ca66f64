/* Which pixels the outlines of lights run through: there paths have scouts (core/kernel/integrators/path_start.h). It
 * decides nothing but noise and time, so outlines may be as rough as they are here: what hides a light does not count,
 * and of shapes that are cut the whole does. */
#include "core/scene/lights/lights.h"

#include "core/kernel/camera/camera.h"
#include "core/kernel/hash.h"
#include "core/kernel/math.h"
#include "core/scene/builder/messages.h"

#include <stdlib.h>
#include <string.h>

/* Round outlines are polygons with so many corners. */
enum { ROUND_CORNERS = 96, MOST_EDGES = 2 * ROUND_CORNERS };
/* A camera that moves is looked through at so many times. */
enum { MOVING_TIMES = 9 };
/* Light is spread by no more pixels than this to all sides: beyond that, where a lens is far from focus, a light is
 * large and faint. */
static const float MOST_REACH = 64;

/* An outline on the film: edges, each with how many pixels it reaches to all sides. */
struct outline {
    lb_vec2 from[MOST_EDGES], to[MOST_EDGES];
    float reach[MOST_EDGES];
    int edges;
    bool filled; /* all that is between its edges counts */
};

struct outlines {
    const lb_scene *head;
    uint32_t *bits;
    lb_transform world_from_camera, camera_from_world;
    float pixels; /* at a distance of 1, how many of them are as wide as a unit of camera space */
};

/* ---- on the film ---- */

/* Marks the pixels of a row of the film that lie between `from` and `to`, at least in part. */
static void mark(const struct outlines *outlines, int64_t row, float from, float to)
{
    const lb_film *film = &outlines->head->film;
    float left = (float)film->x0, right = left + (float)film->width;
    if (!(from < right && to > left))
        return;
    uint64_t begin = (uint64_t)(lb_max(from, left) - left), end = (uint64_t)(lb_min(to, right - 0.5f) - left);
    uint64_t first = ((uint64_t)row - film->y0) * film->width;
    for (uint64_t pixel = first + begin; pixel <= first + end; pixel++)
        outlines->bits[pixel >> 5] |= 1u << (pixel & 31u);
}

/* Where an edge with its reach is between the heights `low` and `high`. False: nowhere. */
static bool span(const struct outline *outline, int edge, float low, float high, float *from, float *to)
{
    lb_vec2 a = outline->from[edge], b = outline->to[edge];
    float reach = outline->reach[edge], slope = b.y - a.y;
    low -= reach;
    high += reach;
    if (lb_max(a.y, b.y) < low || lb_min(a.y, b.y) > high)
        return false;
    float at = 0.0f, until = 1.0f;
    if (lb_abs(slope) > 1e-6f) {
        float first = (low - a.y) / slope, second = (high - a.y) / slope;
        at = lb_clamp(lb_min(first, second), 0.0f, 1.0f);
        until = lb_clamp(lb_max(first, second), 0.0f, 1.0f);
    }
    float begin = lb_mix(at, a.x, b.x), end = lb_mix(until, a.x, b.x);
    *from = lb_min(begin, end) - reach;
    *to = lb_max(begin, end) + reach;
    return true;
}

static void draw_row(const struct outlines *outlines, const struct outline *outline, int64_t row)
{
    float left = LB_INFINITY, right = -LB_INFINITY, from, to;
    for (int i = 0; i < outline->edges; i++) {
        if (!span(outline, i, (float)row, (float)(row + 1), &from, &to))
            continue;
        if (!outline->filled)
            mark(outlines, row, from, to);
        left = lb_min(left, from);
        right = lb_max(right, to);
    }
    if (outline->filled)
        mark(outlines, row, left, right);
}

static void draw(const struct outlines *outlines, const struct outline *outline)
{
    const lb_film *film = &outlines->head->film;
    float top = LB_INFINITY, bottom = -LB_INFINITY;
    for (int i = 0; i < outline->edges; i++) {
        top = lb_min(top, lb_min(outline->from[i].y, outline->to[i].y) - outline->reach[i]);
        bottom = lb_max(bottom, lb_max(outline->from[i].y, outline->to[i].y) + outline->reach[i]);
    }
    float first = (float)film->y0, last = first + (float)film->height;
    if (!(top < last && bottom > first))
        return;
    int64_t end = (int64_t)lb_min(bottom, last - 0.5f);
    for (int64_t row = (int64_t)lb_max(top, first); row <= end; row++)
        draw_row(outlines, outline, row);
}

/* ---- through the camera ---- */

/* How many pixels around its own a pixel's filter reaches, but for the last of a tail that falls off. */
static float filter_reach(const lb_filter *filter)
{
    float radius = lb_max(filter->xradius, filter->yradius);
    if (filter->kind == LB_FILTER_GAUSSIAN)
        radius = lb_min(radius, 4.0f * filter->a);
    return lb_max(0.0f, radius - 0.5f);
}

/* How many pixels a point's light reaches beyond where it is seen through the middle of the lens: by the filter, and by
 * the lens that is focused elsewhere. */
static float reach_of(const struct outlines *outlines, lb_vec3 point)
{
    const lb_camera *camera = &outlines->head->camera;
    float blur = 0.0f;
    if (camera->lens_radius > 0.0f && camera->kind == LB_CAMERA_PERSPECTIVE)
        blur = camera->lens_radius * lb_abs(1.0f / point.z - 1.0f / camera->focal_distance);
    else if (camera->lens_radius > 0.0f)
        blur = camera->lens_radius * lb_abs(1.0f - point.z / camera->focal_distance);
    return lb_min(filter_reach(&outlines->head->film.filter) + blur * outlines->pixels, MOST_REACH);
}

/* Adds the edge between two points of world space, as far as it is seen. */
static void add_edge(const struct outlines *outlines, lb_vec3 a, lb_vec3 b, struct outline *outline)
{
    const lb_scene *head = outlines->head;
    bool perspective = head->camera.kind == LB_CAMERA_PERSPECTIVE;
    a = lb_transform_point(&outlines->camera_from_world, a);
    b = lb_transform_point(&outlines->camera_from_world, b);
    float near = 1e-4f * (lb_length(a) + lb_length(b));
    if (perspective) {
        if (!(a.z > near) && !(b.z > near))
            return;
        if (!(a.z > near))
            a = lb_add_scaled(a, lb_sub(b, a), (near - a.z) / (b.z - a.z));
        else if (!(b.z > near))
            b = lb_add_scaled(b, lb_sub(a, b), (near - b.z) / (a.z - b.z));
    }
    lb_vec2 from, to;
    int i = outline->edges;
    if (!lb_camera_film(head, a, &from) || !lb_camera_film(head, b, &to))
        return;
    /* Cameras that see all directions have a seam, and what lies across it is not seen all over the film. */
    if (!perspective && lb_abs(from.x - to.x) > 0.5f * (float)head->film.full_width)
        return;
    outline->from[i] = from;
    outline->to[i] = to;
    outline->reach[i] = lb_max(reach_of(outlines, a), reach_of(outlines, b));
    outline->edges++;
}

/* ---- of shapes ---- */

/* Adds a circle of an object's space, with two radii across each other. */
static void add_circle(const struct outlines *outlines, const lb_transform *world_from_object, lb_vec3 center,
                       lb_vec3 x, lb_vec3 y, struct outline *outline)
{
    lb_vec3 last = lb_transform_point(world_from_object, lb_add_scaled(center, x, 1.0f));
    for (int i = 1; i <= ROUND_CORNERS; i++) {
        float s, c;
        lb_sincos(2.0f * LB_PI * (float)(i % ROUND_CORNERS) / (float)ROUND_CORNERS, &s, &c);
        lb_vec3 next =
            lb_transform_point(world_from_object, lb_add_scaled(lb_add_scaled(center, x, c), y, s));
        add_edge(outlines, last, next, outline);
        last = next;
    }
}

static void add_flat_circle(const struct outlines *outlines, const lb_shape *shape, float z,
                            struct outline *outline)
{
    add_circle(outlines, &shape->world_from_object, lb_vec3_make(0.0f, 0.0f, z),
               lb_vec3_make(shape->radius, 0.0f, 0.0f), lb_vec3_make(0.0f, shape->radius, 0.0f), outline);
}

/* A sphere is seen as the circle across the way to it, a little nearer than its middle, beyond which it hides
 * itself. */
static void add_sphere(const struct outlines *outlines, const lb_shape *shape, struct outline *outline)
{
    const lb_transform *world_from_camera = &outlines->world_from_camera;
    bool parallel = outlines->head->camera.kind == LB_CAMERA_ORTHOGRAPHIC;
    lb_vec3 eye, x, y;
    if (parallel)
        eye = lb_transform_vector(world_from_camera, lb_vec3_make(0.0f, 0.0f, -1.0f));
    else
        eye = lb_transform_point(world_from_camera, lb_vec3_make(0.0f, 0.0f, 0.0f));
    eye = parallel ? lb_transform_vector(&shape->object_from_world, eye)
                   : lb_transform_point(&shape->object_from_world, eye);
    float distance = lb_length(eye), part = parallel ? 0.0f : shape->radius / distance;
    if (!(distance > 0.0f) || !(part < 1.0f))
        return; /* the camera is in it */
    lb_vec3 way = lb_scale(eye, 1.0f / distance);
    lb_basis(way, &x, &y);
    float seen = shape->radius * lb_sqrt(1.0f - part * part);
    add_circle(outlines, &shape->world_from_object, lb_scale(way, shape->radius * part), lb_scale(x, seen),
               lb_scale(y, seen), outline);
}

static void draw_quadric(const struct outlines *outlines, const lb_shape *shape)
{
    struct outline outline;
    outline.edges = 0;
    outline.filled = shape->kind == LB_SHAPE_CYLINDER; /* whose two ends do not make its outline */
    if (shape->kind == LB_SHAPE_SPHERE) {
        add_sphere(outlines, shape, &outline);
    } else if (shape->kind == LB_SHAPE_DISK) {
        add_flat_circle(outlines, shape, shape->height, &outline);
    } else {
        add_flat_circle(outlines, shape, shape->z_min, &outline);
        add_flat_circle(outlines, shape, shape->z_max, &outline);
    }
    draw(outlines, &outline);
}

/* ---- of meshes ---- */

/* An edge of a triangle that the camera sees the front of. Two of the same shape with the same key join two such
 * triangles, and light is the same on both sides. */
struct edge {
    uint64_t key;
    lb_vec3 from, to;
};

/* A number for a point: two keys are the same by chance as good as never, and then two edges have no scouts. */
static uint64_t point_number(lb_vec3 point)
{
    uint32_t bits[3];
    memcpy(bits, &point, sizeof bits);
    return lb_hash_combine((uint64_t)bits[0] << 32 | bits[1], bits[2]);
}

/* Does the triangle send its light away from the camera? */
static bool is_averted(const struct outlines *outlines, const lb_light *light)
{
    lb_vec3 eye = lb_transform_point(&outlines->world_from_camera, lb_vec3_make(0.0f, 0.0f, 0.0f));
    const lb_vec3 *p = light->corners;
    lb_vec3 n = lb_cross(lb_sub(p[1], p[0]), lb_sub(p[2], p[0]));
    return !light->twosided && light->facing * lb_dot(n, lb_sub(eye, p[0])) < 0.0f &&
           outlines->head->camera.kind != LB_CAMERA_ORTHOGRAPHIC;
}

/* False: out of memory. */
static bool add_edges(const struct outlines *outlines, const lb_light *light, struct lb_vector *edges)
{
    if (is_averted(outlines, light))
        return true;
    struct edge *edge = lb_vector_add(edges, 3);
    for (int i = 0; edge && i < 3; i++) {
        edge[i].from = light->corners[i];
        edge[i].to = light->corners[(i + 1) % 3];
        edge[i].key =
            lb_hash_combine(point_number(edge[i].from) + point_number(edge[i].to), light->primitive.shape);
    }
    return edge != NULL;
}

static int compare_edges(const void *a, const void *b)
{
    uint64_t one = ((const struct edge *)a)->key, other = ((const struct edge *)b)->key;
    return one < other ? -1 : one > other;
}

/* Draws those edges that are there once. */
static void draw_edges(const struct outlines *outlines, struct lb_vector *edges)
{
    struct edge *edge = edges->data;
    size_t count = edges->count;
    if (count > 0)
        qsort(edge, count, sizeof *edge, compare_edges);
    for (size_t i = 0, next; i < count; i = next) {
        for (next = i + 1; next < count && edge[next].key == edge[i].key;)
            next++;
        if (next != i + 1)
            continue;
        struct outline outline;
        outline.edges = 0;
        outline.filled = false;
        add_edge(outlines, edge[i].from, edge[i].to, &outline);
        draw(outlines, &outline);
    }
}

/* ---- all of them ---- */

/* False: out of memory. */
static bool draw_lights(const struct lb_builder *builder, const struct outlines *outlines)
{
    const lb_light *lights = builder->arrays.lights.data;
    const lb_shape *shapes = builder->arrays.shapes.data;
    struct lb_vector edges = {.element = sizeof(struct edge)};
    bool done = true;
    for (size_t i = 0; done && i < builder->arrays.lights.count; i++) {
        if (lights[i].kind != LB_LIGHT_AREA || !(lights[i].power > 0.0f))
            continue;
        const lb_shape *shape = shapes + lights[i].primitive.shape;
        if (shape->kind == LB_SHAPE_MESH)
            done = add_edges(outlines, &lights[i], &edges);
        else
            draw_quadric(outlines, shape);
    }
    draw_edges(outlines, &edges);
    lb_vector_free(&edges);
    return done;
}

/* Sets where the camera is at a time. */
static void place_camera(const struct lb_builder *builder, float time, struct outlines *outlines)
{
    const lb_move *moves = builder->arrays.moves.data;
    lb_affine out, in;
    lb_move_at(moves + (builder->head.camera.move - 1), (double)time, &out);
    lb_affine_inverse(&out, &in);
    lb_affine_round(&out, &outlines->world_from_camera);
    lb_affine_round(&in, &outlines->camera_from_world);
}

/* False: out of memory. */
static bool draw_all_times(const struct lb_builder *builder, struct outlines *outlines)
{
    const float *shutter = builder->head.shutter;
    if (builder->head.camera.move == 0)
        return draw_lights(builder, outlines);
    for (int i = 0; i < MOVING_TIMES; i++) {
        float time = lb_mix((float)i / (float)(MOVING_TIMES - 1), shutter[0], shutter[1]);
        place_camera(builder, lb_clamp(time, 0.0f, 1.0f), outlines);
        if (!draw_lights(builder, outlines))
            return false;
    }
    return true;
}

/* Can scouts take the place of what the camera's rays meet? Media would scatter these. Where samples have a limit, the
 * scouts' mean would be limited, in place of each. Where a filter has weights below 0, those of scouts and of paths
 * would differ, and a light be noisy in its middle. Where the picture is cut out, what covers a pixel is to be what
 * brings its light. Of the realistic camera it is not known where it sees something. */
static bool may_scout(const struct lb_builder *builder)
{
    const lb_scene *head = &builder->head;
    return head->integrator.kind == LB_INTEGRATOR_PATH &&
           (!head->integrator.media || builder->arrays.media.count == 0) &&
           !(head->film.max_component < LB_INFINITY) && head->film.filter.kind != LB_FILTER_MITCHELL &&
           head->film.filter.kind != LB_FILTER_SINC && head->camera.kind != LB_CAMERA_REALISTIC &&
           (head->channels.wanted >> LB_CHANNEL_BACKGROUND & 1) == 0;
}

enum lb_status lb_build_outlines(struct lb_builder *builder)
{
    lb_scene *head = &builder->head;
    uint64_t words = (uint64_t)head->film.width * head->film.height / 32 + 1;
    if (!may_scout(builder))
        return LB_OK;
    struct outlines outlines = {.head = head,
                                .world_from_camera = head->camera.world_from_camera,
                                .camera_from_world = head->channels.camera_from_world};
    outlines.pixels = (float)head->film.full_width / lb_abs(head->camera.screen[1] - head->camera.screen[0]);
    outlines.bits = lb_vector_add(&builder->arrays.outlines, words);
    if (!outlines.bits || !draw_all_times(builder, &outlines))
        return lb_build_no_memory(builder);
    for (uint64_t i = 0; i < words; i++)
        if (outlines.bits[i] != 0)
            return LB_OK;
    lb_vector_free(&builder->arrays.outlines);
    return LB_OK;
}
