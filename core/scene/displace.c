#include "core/scene/displace.h"

#include "core/base/grow.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct triangle {
    uint32_t corner[3];
};

/* A hash table: the middle of an edge by the numbers of its ends, the smaller one in the upper half. */
struct edges {
    uint64_t *ends; /* 0, which is no edge: free */
    uint32_t *middles;
    size_t room, count; /* a power of two, or 0 */
};

struct refiner {
    struct lb_ply *mesh;
    const lb_transform *measured;
    float length;
    size_t position_room, normal_room, uv_room;
    struct triangle *triangles, *waiting;
    size_t triangle_count, triangle_room, waiting_count, waiting_room;
    struct edges edges;
    struct lb_error *error;
};

static enum lb_status no_memory(const struct refiner *refiner)
{
    return lb_error_memory(refiner->error, "displacement");
}

static enum lb_status too_many(const struct refiner *refiner)
{
    return lb_error_set(refiner->error, LB_ERROR,
                        "\"edgelength\" %g cuts the mesh into more than %llu triangles",
                        (double)refiner->length, (unsigned long long)LB_DISPLACE_MOST);
}

/* ---- edges that were cut ---- */

static uint64_t edge_of(uint32_t a, uint32_t b)
{
    return a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
}

/* Where the edge is, or the free place where it belongs. */
static size_t find_edge(const struct edges *edges, uint64_t ends)
{
    size_t at = (size_t)((ends * 0x9e3779b97f4a7c15u) >> 20) & (edges->room - 1);
    while (edges->ends[at] != 0 && edges->ends[at] != ends)
        at = (at + 1) & (edges->room - 1);
    return at;
}

/* Keeps half of the table free. */
static bool make_room(struct edges *edges)
{
    if (2 * (edges->count + 1) <= edges->room)
        return true;
    struct edges larger = {.room = edges->room ? 2 * edges->room : 1024, .count = edges->count};
    larger.ends = calloc(larger.room, sizeof *larger.ends);
    larger.middles = malloc(larger.room * sizeof *larger.middles);
    if (!larger.ends || !larger.middles) {
        free(larger.ends);
        free(larger.middles);
        return false;
    }
    for (size_t i = 0; i < edges->room; i++) {
        if (edges->ends[i] == 0)
            continue;
        size_t at = find_edge(&larger, edges->ends[i]);
        larger.ends[at] = edges->ends[i];
        larger.middles[at] = edges->middles[i];
    }
    free(edges->ends);
    free(edges->middles);
    *edges = larger;
    return true;
}

/* ---- vertices ---- */

static lb_vec3 unit_or_zero(lb_vec3 n)
{
    float square = lb_dot(n, n);
    return square > 0.0f ? lb_scale(n, 1.0f / lb_sqrt(square)) : n;
}

static lb_vec3 middle_of(const struct refiner *refiner, uint32_t a, uint32_t b)
{
    const lb_vec3 *p = refiner->mesh->positions;
    return lb_scale(lb_add(p[a], p[b]), 0.5f);
}

static enum lb_status add_vertex(struct refiner *refiner, uint32_t a, uint32_t b)
{
    struct lb_ply *mesh = refiner->mesh;
    size_t count = mesh->vertex_count, least = count + 1;
    if (count >= UINT32_MAX - 1)
        return too_many(refiner);
    lb_vec3 *positions = lb_grow(mesh->positions, &refiner->position_room, least, sizeof *positions);
    mesh->positions = positions ? positions : mesh->positions;
    lb_vec3 *normals = lb_grow(mesh->normals, &refiner->normal_room, least, sizeof *normals);
    mesh->normals = normals ? normals : mesh->normals;
    lb_vec2 *uvs = lb_grow(mesh->uvs, &refiner->uv_room, least, sizeof *uvs);
    mesh->uvs = uvs ? uvs : mesh->uvs;
    if (!positions || !normals || !uvs)
        return no_memory(refiner);
    positions[count] = middle_of(refiner, a, b);
    normals[count] = unit_or_zero(lb_add(normals[a], normals[b]));
    uvs[count] = lb_vec2_make((uvs[a].x + uvs[b].x) * 0.5f, (uvs[a].y + uvs[b].y) * 0.5f);
    mesh->vertex_count = (uint32_t)least;
    return LB_OK;
}

static enum lb_status cut_edge(struct refiner *refiner, uint32_t a, uint32_t b, uint32_t *middle)
{
    struct edges *edges = &refiner->edges;
    uint64_t ends = edge_of(a, b);
    if (!make_room(edges))
        return no_memory(refiner);
    size_t at = find_edge(edges, ends);
    if (edges->ends[at] == 0) {
        enum lb_status status = add_vertex(refiner, a, b);
        if (status != LB_OK)
            return status;
        edges->ends[at] = ends;
        edges->middles[at] = refiner->mesh->vertex_count - 1;
        edges->count++;
    }
    *middle = edges->middles[at];
    return LB_OK;
}

/* ---- triangles ---- */

static float distance(const struct refiner *refiner, uint32_t a, uint32_t b)
{
    const lb_vec3 *p = refiner->mesh->positions;
    lb_vec3 from = lb_transform_point(refiner->measured, p[a]);
    lb_vec3 to = lb_transform_point(refiner->measured, p[b]);
    return lb_length(lb_sub(to, from));
}

static bool same(lb_vec3 a, lb_vec3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

/* The edge from corner number *first to the one after it is to be cut. */
static bool is_long(const struct refiner *refiner, const struct triangle *triangle, int *first)
{
    const uint32_t *v = triangle->corner;
    float d01 = distance(refiner, v[0], v[1]), d12 = distance(refiner, v[1], v[2]);
    float d20 = distance(refiner, v[2], v[0]);
    if (d01 > d12)
        *first = d01 > d20 ? 0 : 2;
    else
        *first = d12 > d20 ? 1 : 2;
    float longest = *first == 0 ? d01 : *first == 1 ? d12 : d20;
    if (!(longest >= refiner->length) || !lb_is_finite(d01 + d12 + d20))
        return false;
    uint32_t a = v[*first], b = v[(*first + 1) % 3];
    lb_vec3 middle = middle_of(refiner, a, b);
    return !same(middle, refiner->mesh->positions[a]) && !same(middle, refiner->mesh->positions[b]);
}

static enum lb_status add_triangle(struct refiner *refiner, const struct triangle *triangle)
{
    if (refiner->triangle_count >= LB_DISPLACE_MOST)
        return too_many(refiner);
    struct triangle *triangles =
        lb_grow(refiner->triangles, &refiner->triangle_room, refiner->triangle_count + 1, sizeof *triangles);
    if (!triangles)
        return no_memory(refiner);
    refiner->triangles = triangles;
    triangles[refiner->triangle_count++] = *triangle;
    return LB_OK;
}

static enum lb_status let_wait(struct refiner *refiner, uint32_t a, uint32_t b, uint32_t c)
{
    struct triangle *waiting =
        lb_grow(refiner->waiting, &refiner->waiting_room, refiner->waiting_count + 1, sizeof *waiting);
    if (!waiting)
        return no_memory(refiner);
    refiner->waiting = waiting;
    waiting[refiner->waiting_count++] = (struct triangle){{a, b, c}};
    return LB_OK;
}

/* Depth first, so that few triangles wait at a time. */
static enum lb_status refine_triangle(struct refiner *refiner, const uint32_t corners[3])
{
    enum lb_status status = let_wait(refiner, corners[0], corners[1], corners[2]);
    while (status == LB_OK && refiner->waiting_count > 0) {
        struct triangle now = refiner->waiting[--refiner->waiting_count];
        uint32_t middle = 0;
        int first;
        if (!is_long(refiner, &now, &first)) {
            status = add_triangle(refiner, &now);
            continue;
        }
        uint32_t a = now.corner[first], b = now.corner[(first + 1) % 3], c = now.corner[(first + 2) % 3];
        if ((status = cut_edge(refiner, a, b, &middle)) == LB_OK &&
            (status = let_wait(refiner, middle, b, c)) == LB_OK)
            status = let_wait(refiner, a, middle, c);
    }
    return status;
}

/* ---- the whole ---- */

/* A triangle without an edge as long as `length` is at most that of three such edges. So a length that is wrong by a
 * factor of thousands is told at once. */
static double least_triangles(const struct refiner *refiner)
{
    const struct lb_ply *mesh = refiner->mesh;
    double area = 0.0, one = 0.4330127 * (double)refiner->length * (double)refiner->length;
    for (uint64_t i = 0; i < mesh->triangle_count; i++) {
        lb_vec3 p[3];
        for (int k = 0; k < 3; k++)
            p[k] = lb_transform_point(refiner->measured, mesh->positions[mesh->indices[3 * i + (uint64_t)k]]);
        float twice = lb_length(lb_cross(lb_sub(p[1], p[0]), lb_sub(p[2], p[0])));
        area += lb_is_finite(twice) ? 0.5 * (double)twice : 0.0;
    }
    return area / one;
}

enum lb_status lb_displace_refine(struct lb_ply *mesh, const lb_transform *measured, float length,
                                  struct lb_error *error)
{
    struct refiner refiner = {.mesh = mesh, .measured = measured, .length = length, .error = error};
    enum lb_status status = LB_OK;
    refiner.position_room = refiner.normal_room = refiner.uv_room = mesh->vertex_count;
    if (!(least_triangles(&refiner) <= (double)LB_DISPLACE_MOST))
        return too_many(&refiner);
    for (uint64_t i = 0; status == LB_OK && i < mesh->triangle_count; i++)
        status = refine_triangle(&refiner, mesh->indices + 3 * i);
    free(refiner.edges.ends);
    free(refiner.edges.middles);
    free(refiner.waiting);
    if (status != LB_OK || refiner.triangle_count == 0) {
        free(refiner.triangles);
        return status;
    }
    free(mesh->indices);
    mesh->indices = (uint32_t *)(void *)refiner.triangles;
    mesh->triangle_count = refiner.triangle_count;
    return LB_OK;
}

void lb_displace_normals(struct lb_ply *mesh)
{
    const lb_vec3 *p = mesh->positions;
    memset(mesh->normals, 0, mesh->vertex_count * sizeof *mesh->normals);
    for (uint64_t i = 0; i < mesh->triangle_count; i++) {
        const uint32_t *v = mesh->indices + 3 * i;
        lb_vec3 n = unit_or_zero(lb_cross(lb_sub(p[v[1]], p[v[0]]), lb_sub(p[v[2]], p[v[1]])));
        if (!(lb_dot(n, n) > 0.0f))
            continue;
        for (int k = 0; k < 3; k++)
            mesh->normals[v[k]] = lb_add(mesh->normals[v[k]], n);
    }
    for (uint32_t i = 0; i < mesh->vertex_count; i++)
        mesh->normals[i] = unit_or_zero(mesh->normals[i]);
}
