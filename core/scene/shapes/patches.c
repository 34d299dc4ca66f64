/* Meshes of bilinear patches, as triangles: a patch that is a parallelogram is two, any other one a grid of them that
 * is fine enough for its twist. */
#include "core/scene/shapes/mesh.h"
#include "core/scene/builder/messages.h"
#include "core/scene/lights/lights.h"
#include "core/scene/shapes/shapes.h"

#include <stdlib.h>

/* The triangles' distance from the patch is at most this part of its longer diagonal, or this of the mesh's, whichever
 * is more; that of uv and normals, this of a unit. */
#define OWN_PART    0x1p-10
#define MESH_PART   0x1p-16
#define UV_PART     0x1p-10
#define NORMAL_PART 0x1p-8
#define STEPS_MAX   32

/* A mesh of patches and what becomes of it. Corners of a patch are in the order (u, v) = 00, 10, 01, 11. */
struct patches {
    struct lb_mesh source; /* its indices are four a patch */
    size_t count;
    uint8_t *steps; /* of each patch along an edge: a power of two, so that neighbours' points are the same */
    size_t *first_vertex; /* of each patch in `mesh`; one more than there are patches */
    bool flat;            /* no patch needs normals */
    struct lb_mesh mesh;  /* the triangles; owned */
    lb_vec3 *positions;   /* its arrays, to write */
    lb_vec3 *normals;
    lb_vec2 *uvs;
    uint32_t *indices;
};

static double larger(double a, double b)
{
    return a > b ? a : b;
}

static double length(const double *v, int n)
{
    double square = 0.0;
    for (int i = 0; i < n; i++)
        square += v[i] * v[i];
    return lb_sqrt_d(square);
}

/* How far n numbers a corner are from changing alike along opposite edges. */
static double twist(const float *values, const uint32_t corners[4], size_t n)
{
    double difference[3];
    for (size_t i = 0; i < n; i++)
        difference[i] = ((double)values[corners[0] * n + i] - (double)values[corners[1] * n + i]) -
                        ((double)values[corners[2] * n + i] - (double)values[corners[3] * n + i]);
    return length(difference, (int)n);
}

static double distance(const lb_vec3 *p, const lb_vec3 *q)
{
    double way[3] = {(double)p->x - (double)q->x, (double)p->y - (double)q->y, (double)p->z - (double)q->z};
    return length(way, 3);
}

static double diagonal(const struct lb_mesh *mesh)
{
    lb_vec3 low = mesh->positions[0], high = low;
    for (size_t i = 1; i < mesh->vertex_count; i++) {
        const lb_vec3 *p = &mesh->positions[i];
        low = lb_vec3_make(lb_min(low.x, p->x), lb_min(low.y, p->y), lb_min(low.z, p->z));
        high = lb_vec3_make(lb_max(high.x, p->x), lb_max(high.y, p->y), lb_max(high.z, p->z));
    }
    return distance(&low, &high);
}

/* In the middle of a cell of 1/n of the patch, whose corners are exact, the two triangles are off by the twist over
 * 4 n^2, and nowhere by more. */
static unsigned steps_for(double bend, double allowed, unsigned at_least)
{
    unsigned n = at_least;
    while (n < STEPS_MAX && bend > 4.0 * n * n * allowed)
        n *= 2;
    return n;
}

static unsigned count_steps(const struct lb_mesh *mesh, const uint32_t corners[4], double mesh_part)
{
    const lb_vec3 *p = mesh->positions;
    double own = larger(distance(&p[corners[0]], &p[corners[3]]), distance(&p[corners[1]], &p[corners[2]]));
    double bend = twist(&p->x, corners, 3);
    /* What rounding did to a parallelogram is no twist. */
    unsigned n = bend > 0x1p-20 * own ? steps_for(bend, larger(OWN_PART * own, mesh_part), 2) : 1;
    if (mesh->uvs)
        n = steps_for(twist(&mesh->uvs->x, corners, 2), UV_PART, n);
    if (mesh->normals)
        n = steps_for(twist(&mesh->normals->x, corners, 3), NORMAL_PART, n);
    return n;
}

static float *weights(float u, float v, float w[4])
{
    w[0] = (1.0f - u) * (1.0f - v);
    w[1] = u * (1.0f - v);
    w[2] = (1.0f - u) * v;
    w[3] = u * v;
    return w;
}

static lb_vec3 blend(const lb_vec3 *values, const uint32_t corners[4], const float w[4])
{
    lb_vec3 a = lb_add(lb_scale(values[corners[0]], w[0]), lb_scale(values[corners[1]], w[1]));
    lb_vec3 b = lb_add(lb_scale(values[corners[2]], w[2]), lb_scale(values[corners[3]], w[3]));
    return lb_add(a, b);
}

/* The patch's own normal, of any length; 0 where an edge has shrunk to a point. */
static lb_vec3 patch_normal(const lb_vec3 *p, const uint32_t c[4], float u, float v)
{
    lb_vec3 along_u =
        lb_add(lb_scale(lb_sub(p[c[1]], p[c[0]]), 1.0f - v), lb_scale(lb_sub(p[c[3]], p[c[2]]), v));
    lb_vec3 along_v =
        lb_add(lb_scale(lb_sub(p[c[2]], p[c[0]]), 1.0f - u), lb_scale(lb_sub(p[c[3]], p[c[1]]), u));
    return lb_cross(along_u, along_v);
}

/* A unit normal: the file's, or else the patch's, a little way in where there is none on the edge. */
static lb_vec3 normal_at(const struct lb_mesh *mesh, const uint32_t corners[4], float u, float v)
{
    float w[4];
    lb_vec3 n;
    if (mesh->normals)
        n = blend(mesh->normals, corners, weights(u, v, w));
    else
        n = patch_normal(mesh->positions, corners, u, v);
    if (!(lb_dot(n, n) > 0.0f))
        n = patch_normal(mesh->positions, corners, u + (0.5f - u) * 0x1p-8f, v + (0.5f - v) * 0x1p-8f);
    return lb_dot(n, n) > 0.0f ? lb_normalize(n) : n;
}

static void add_vertices(struct patches *patches, size_t patch)
{
    const struct lb_mesh *source = &patches->source;
    const uint32_t *corners = source->indices + 4 * patch;
    size_t at = patches->first_vertex[patch];
    unsigned n = patches->steps[patch];
    for (unsigned row = 0; row <= n; row++)
        for (unsigned column = 0; column <= n; column++, at++) {
            float u = (float)column / (float)n, v = (float)row / (float)n, w[4];
            patches->positions[at] = blend(source->positions, corners, weights(u, v, w));
            if (patches->normals)
                patches->normals[at] = normal_at(source, corners, u, v);
            patches->uvs[at] = lb_vec2_make(u, v);
            if (source->uvs) {
                lb_vec2 sum = lb_vec2_make(0.0f, 0.0f);
                for (int i = 0; i < 4; i++) {
                    sum.x += w[i] * source->uvs[corners[i]].x;
                    sum.y += w[i] * source->uvs[corners[i]].y;
                }
                patches->uvs[at] = sum;
            }
        }
}

static uint32_t *add_triangles(const struct patches *patches, size_t patch, uint32_t *out)
{
    unsigned n = patches->steps[patch];
    for (unsigned row = 0; row < n; row++)
        for (unsigned column = 0; column < n; column++) {
            uint32_t a = (uint32_t)patches->first_vertex[patch] + row * (n + 1) + column, b = a + 1,
                     c = a + n + 1;
            const uint32_t two[6] = {a, b, c + 1, a, c + 1, c};
            for (int i = 0; i < 6; i++)
                *out++ = two[i];
        }
    return out;
}

/* How fine the patches are cut, and from that the sizes of all arrays. */
static enum lb_status plan(const struct lb_builder *builder, const struct lb_location *location,
                           struct patches *patches)
{
    double mesh_part = MESH_PART * diagonal(&patches->source);
    size_t vertices = 0, triangles = 0;
    patches->steps = malloc(patches->count);
    patches->first_vertex = reallocarray(NULL, patches->count + 1, sizeof *patches->first_vertex);
    if (!patches->steps || !patches->first_vertex)
        return lb_build_no_memory(builder);
    patches->flat = !patches->source.normals;
    for (size_t i = 0; i < patches->count; i++) {
        size_t n = count_steps(&patches->source, patches->source.indices + 4 * i, mesh_part);
        patches->flat = patches->flat && n == 1;
        patches->steps[i] = (uint8_t)n;
        patches->first_vertex[i] = vertices;
        vertices += (n + 1) * (n + 1);
        triangles += 2 * n * n;
    }
    patches->first_vertex[patches->count] = vertices;
    patches->mesh.vertex_count = vertices;
    patches->mesh.triangle_count = triangles;
    if (vertices >= UINT32_MAX)
        return lb_build_error(builder, location, "the patches are more than can be cut into 2^32 triangles");
    return LB_OK;
}

static enum lb_status cut(const struct lb_builder *builder, struct patches *patches)
{
    struct lb_mesh *mesh = &patches->mesh;
    mesh->owned = true;
    mesh->positions = patches->positions = reallocarray(NULL, mesh->vertex_count, sizeof *patches->positions);
    mesh->uvs = patches->uvs = reallocarray(NULL, mesh->vertex_count, sizeof *patches->uvs);
    if (!patches->flat)
        mesh->normals = patches->normals = reallocarray(NULL, mesh->vertex_count, sizeof *patches->normals);
    mesh->indices = patches->indices = reallocarray(NULL, mesh->triangle_count, 3 * sizeof *patches->indices);
    if (!mesh->positions || !mesh->uvs || !mesh->indices || (!patches->flat && !mesh->normals))
        return lb_build_no_memory(builder);
    uint32_t *out = patches->indices;
    for (size_t i = 0; i < patches->count; i++) {
        add_vertices(patches, i);
        out = add_triangles(patches, i, out);
    }
    return LB_OK;
}

/* builder->patch_areas: of the patch of each triangle that the shape has kept. */
static enum lb_status add_areas(struct lb_builder *builder, const struct patches *patches,
                                const lb_shape *shape)
{
    const uint32_t *indices = (const uint32_t *)builder->arrays.indices.data + shape->first_index;
    float *areas = lb_vector_add(&builder->patch_areas, shape->primitive_count);
    if (!areas)
        return lb_build_no_memory(builder);
    for (uint32_t from = 0, to, patch = 0; from < shape->primitive_count; from = to, patch++) {
        double area = 0.0;
        for (to = from;
             to < shape->primitive_count && indices[3 * (size_t)to] < patches->first_vertex[patch + 1]; to++)
            area += lb_build_primitive_area(builder, shape, to);
        for (uint32_t i = from; i < to; i++)
            areas[i] = (float)area;
    }
    return LB_OK;
}

enum lb_status lb_build_bilinearmesh(struct lb_builder *builder, const struct lb_shape_entity *entity,
                                     lb_shape *shape)
{
    /* emissionfilename: how pbrt samples an image that shines; the light is the same without. */
    static const char *const no_matter[] = {"faceIndices", "emissionfilename"};
    const struct lb_parameters *parameters = &entity->entity.parameters;
    struct patches patches = {.count = 0};
    lb_build_ignore(&entity->entity, no_matter, 2);
    enum lb_status status = lb_build_mesh_vertices(builder, parameters, &patches.source);
    if (status == LB_OK)
        status = lb_build_mesh_indices(builder, parameters, 4, "patch", &patches.source, &patches.count);
    if (status != LB_OK)
        return status;
    if ((status = plan(builder, &parameters->location, &patches)) == LB_OK &&
        (status = cut(builder, &patches)) == LB_OK &&
        (status = lb_build_take_mesh(builder, entity, &patches.mesh, shape)) == LB_OK &&
        entity->area_light != UINT32_MAX && shape->primitive_count)
        status = add_areas(builder, &patches, shape);
    lb_build_drop_mesh(&patches.mesh);
    free(patches.steps);
    free(patches.first_vertex);
    return status;
}
