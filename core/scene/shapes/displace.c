#include "core/scene/shapes/displace.h"

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
    size_t position_room, normal_room, uv_room, second_uv_room;
    struct triangle *triangles; /* with room for all that there will be */
    size_t triangle_count;
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

static lb_vec2 middle_of(lb_vec2 a, lb_vec2 b)
{
    return lb_vec2_make((a.x + b.x) * 0.5f, (a.y + b.y) * 0.5f);
}

/* Adds a vertex at `place` between two others. */
static enum lb_status add_vertex(struct refiner *refiner, lb_vec3 place, uint32_t a, uint32_t b)
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
    lb_vec2 *second = mesh->second_uvs;
    if (second)
        second = lb_grow(second, &refiner->second_uv_room, least, sizeof *second);
    mesh->second_uvs = second ? second : mesh->second_uvs;
    if (!positions || !normals || !uvs || (mesh->second_uvs && !second))
        return no_memory(refiner);
    positions[count] = place;
    normals[count] = unit_or_zero(lb_add(normals[a], normals[b]));
    uvs[count] = middle_of(uvs[a], uvs[b]);
    if (second)
        second[count] = middle_of(second[a], second[b]);
    mesh->vertex_count = (uint32_t)least;
    return LB_OK;
}

static enum lb_status cut_edge(struct refiner *refiner, lb_vec3 place, uint32_t a, uint32_t b,
                               uint32_t *middle)
{
    struct edges *edges = &refiner->edges;
    uint64_t ends = edge_of(a, b);
    if (!make_room(edges))
        return no_memory(refiner);
    size_t at = find_edge(edges, ends);
    if (edges->ends[at] == 0) {
        enum lb_status status = add_vertex(refiner, place, a, b);
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

/* A triangle by its corners, as they are and as they are measured, and by the lengths of its edges: number i goes from
 * corner i to the one after it. */
struct piece {
    lb_vec3 corner[3], measured[3];
    float edge[3];
};

static struct piece piece_of(const struct refiner *refiner, const uint32_t v[3])
{
    struct piece piece;
    for (int k = 0; k < 3; k++) {
        piece.corner[k] = refiner->mesh->positions[v[k]];
        piece.measured[k] = lb_transform_point(refiner->measured, piece.corner[k]);
    }
    for (int k = 0; k < 3; k++)
        piece.edge[k] = lb_length(lb_sub(piece.measured[(k + 1) % 3], piece.measured[k]));
    return piece;
}

static bool same(lb_vec3 a, lb_vec3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

/* Where the longest edge is too long, cuts it in the middle: half 0 has corner *first, half 1 the one after it. */
static bool halve(const struct refiner *refiner, const struct piece *whole, int *first, struct piece half[2])
{
    const float *edge = whole->edge;
    int i = edge[0] > edge[1] ? (edge[0] > edge[2] ? 0 : 2) : (edge[1] > edge[2] ? 1 : 2);
    int j = (i + 1) % 3, k = (i + 2) % 3;
    if (!(edge[i] >= refiner->length) || !lb_is_finite(edge[0] + edge[1] + edge[2]))
        return false;
    const lb_vec3 *p = whole->corner, *q = whole->measured;
    lb_vec3 middle = lb_scale(lb_add(p[i], p[j]), 0.5f);
    if (same(middle, p[i]) || same(middle, p[j]))
        return false;
    lb_vec3 seen = lb_transform_point(refiner->measured, middle);
    float across = lb_length(lb_sub(q[k], seen));
    half[0] = (struct piece){
        {p[i], middle, p[k]}, {q[i], seen, q[k]}, {lb_length(lb_sub(seen, q[i])), across, edge[k]}};
    half[1] = (struct piece){
        {middle, p[j], p[k]}, {seen, q[j], q[k]}, {lb_length(lb_sub(q[j], seen)), edge[j], across}};
    *first = i;
    return true;
}

/* Adds to *count how many triangles this one becomes, or stops where there are too many. */
static void count_pieces(const struct refiner *refiner, const struct piece *piece, uint64_t *count)
{
    struct piece half[2];
    int first;
    if (*count > LB_DISPLACE_MOST)
        return;
    if (!halve(refiner, piece, &first, half)) {
        ++*count;
        return;
    }
    count_pieces(refiner, &half[0], count);
    count_pieces(refiner, &half[1], count);
}

/* `v`: the numbers of the piece's corners. */
static enum lb_status cut(struct refiner *refiner, const struct piece *piece, const uint32_t v[3])
{
    struct piece half[2];
    uint32_t middle = 0;
    int first;
    if (!halve(refiner, piece, &first, half)) {
        refiner->triangles[refiner->triangle_count++] = (struct triangle){{v[0], v[1], v[2]}};
        return LB_OK;
    }
    uint32_t a = v[first], b = v[(first + 1) % 3], c = v[(first + 2) % 3];
    enum lb_status status = cut_edge(refiner, half[0].corner[1], a, b, &middle);
    if (status == LB_OK)
        status = cut(refiner, &half[0], (const uint32_t[]){a, middle, c});
    if (status == LB_OK)
        status = cut(refiner, &half[1], (const uint32_t[]){middle, b, c});
    return status;
}

/* ---- the whole ---- */

/* A triangle without an edge as long as `length` is at most that of three such edges. So a length that is wrong by a
 * factor of thousands is told at once. */
static double least_triangles(const struct refiner *refiner)
{
    double area = 0.0, one = 0.4330127 * (double)refiner->length * (double)refiner->length;
    for (uint64_t i = 0; i < refiner->mesh->triangle_count; i++) {
        const struct piece piece = piece_of(refiner, refiner->mesh->indices + 3 * i);
        const lb_vec3 *p = piece.measured;
        float twice = lb_length(lb_cross(lb_sub(p[1], p[0]), lb_sub(p[2], p[0])));
        area += lb_is_finite(twice) ? 0.5 * (double)twice : 0.0;
    }
    return area / one;
}

/* How many triangles there will be, or more than there may be. Nothing is made for it. */
static uint64_t count_triangles(const struct refiner *refiner)
{
    uint64_t count = 0;
    if (!(least_triangles(refiner) <= (double)LB_DISPLACE_MOST))
        return LB_DISPLACE_MOST + 1;
    for (uint64_t i = 0; i < refiner->mesh->triangle_count; i++) {
        const struct piece piece = piece_of(refiner, refiner->mesh->indices + 3 * i);
        count_pieces(refiner, &piece, &count);
    }
    return count;
}

enum lb_status lb_displace_refine(struct lb_ply *mesh, const lb_transform *measured, float length,
                                  struct lb_error *error)
{
    struct refiner refiner = {.mesh = mesh, .measured = measured, .length = length, .error = error};
    enum lb_status status = LB_OK;
    uint64_t count = count_triangles(&refiner);
    if (count > LB_DISPLACE_MOST)
        return too_many(&refiner);
    refiner.position_room = refiner.normal_room = refiner.uv_room = refiner.second_uv_room =
        mesh->vertex_count;
    refiner.triangles = malloc(count * sizeof *refiner.triangles + 1);
    if (!refiner.triangles)
        return no_memory(&refiner);
    for (uint64_t i = 0; status == LB_OK && i < mesh->triangle_count; i++) {
        const struct piece piece = piece_of(&refiner, mesh->indices + 3 * i);
        status = cut(&refiner, &piece, mesh->indices + 3 * i);
    }
    free(refiner.edges.ends);
    free(refiner.edges.middles);
    if (status != LB_OK) {
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
