/* Loop subdivision (Loop 1987), pushed to the limit surface with its normals. At boundaries pbrt takes a fifth of both
 * neighbours for the limit, where that of their curve, a cubic B-spline, has a sixth; so does this. */
#include "core/kernel/sampling.h"
#include "core/scene/shapes/mesh.h"
#include "core/scene/builder/messages.h"
#include "core/scene/builder/parameters.h"
#include "core/scene/shapes/shapes.h"

#include <stdlib.h>

/* A mesh under subdivision. Edge j of face f runs from its corner j to the next and is number 3 f + j, which stands for
 * that corner too. */
struct surface {
    size_t vertex_count, face_count;
    lb_vec3 *positions;
    uint32_t *corners; /* vertex of each corner */
    uint32_t *twins;   /* the neighbour's edge; LB_NONE at a boundary */
    uint32_t *starts;  /* of each vertex, a corner that it is; LB_NONE: no face has it */
};

static void free_surface(struct surface *surface)
{
    free(surface->positions);
    free(surface->corners);
    free(surface->twins);
    free(surface->starts);
}

static bool alloc_surface(struct surface *surface, size_t vertices, size_t faces)
{
    surface->vertex_count = vertices;
    surface->face_count = faces;
    surface->positions = reallocarray(NULL, vertices, sizeof *surface->positions);
    surface->starts = reallocarray(NULL, vertices, sizeof *surface->starts);
    surface->corners = reallocarray(NULL, faces, 3 * sizeof *surface->corners);
    surface->twins = reallocarray(NULL, faces, 3 * sizeof *surface->twins);
    return surface->positions && surface->starts && surface->corners && surface->twins;
}

static uint32_t next_of(uint32_t edge)
{
    return edge % 3 == 2 ? edge - 2 : edge + 1;
}

static uint32_t previous_of(uint32_t edge)
{
    return edge % 3 == 0 ? edge + 2 : edge - 1;
}

/* ---- the ring of vertices around one ---- */

struct ring {
    size_t valence;
    bool boundary;
    lb_vec3 *points; /* at a boundary from one of its ends to the other */
};

/* Into ring->points, which has room for one vertex more than there are faces. */
static void find_ring(const struct surface *surface, uint32_t vertex, struct ring *ring)
{
    uint32_t start = surface->starts[vertex], at = start;
    ring->valence = 0;
    for (;;) {
        uint32_t twin = surface->twins[at];
        ring->boundary = twin == LB_NONE;
        if (ring->boundary || next_of(twin) == start)
            break;
        at = next_of(twin);
    }
    if (ring->boundary)
        ring->points[ring->valence++] = surface->positions[surface->corners[next_of(at)]];
    start = at;
    do {
        ring->points[ring->valence++] = surface->positions[surface->corners[previous_of(at)]];
        at = surface->twins[previous_of(at)];
    } while (at != LB_NONE && at != start);
}

/* The vertex, of which the ring's points take `weight` each; at a boundary the two ends alone. */
static lb_vec3 weigh(lb_vec3 vertex, const struct ring *ring, float weight)
{
    size_t step = ring->boundary ? ring->valence - 1 : 1;
    float count = ring->boundary ? 2.0f : (float)ring->valence;
    lb_vec3 sum = lb_scale(vertex, 1.0f - count * weight);
    for (size_t i = 0; i < ring->valence; i += step)
        sum = lb_add_scaled(sum, ring->points[i], weight);
    return sum;
}

/* Warren's weights. */
static float beta(size_t valence)
{
    return valence == 3 ? 3.0f / 16.0f : 3.0f / (8.0f * (float)valence);
}

static lb_vec3 refine(lb_vec3 vertex, const struct ring *ring)
{
    return weigh(vertex, ring, ring->boundary ? 1.0f / 8.0f : beta(ring->valence));
}

static lb_vec3 limit(lb_vec3 vertex, const struct ring *ring)
{
    float n = (float)ring->valence;
    return weigh(vertex, ring,
                 ring->boundary ? 1.0f / 5.0f : 1.0f / (n + 3.0f / (8.0f * beta(ring->valence))));
}

/* ---- normals ---- */

static lb_vec3 inner_normal(const struct ring *ring)
{
    lb_vec3 s = lb_vec3_make(0.0f, 0.0f, 0.0f), t = s;
    for (size_t i = 0; i < ring->valence; i++) {
        float sine, cosine;
        lb_sincos_turn((float)i / (float)ring->valence, &sine, &cosine);
        s = lb_add_scaled(s, ring->points[i], cosine);
        t = lb_add_scaled(t, ring->points[i], sine);
    }
    return lb_cross(t, s);
}

/* The tangent across the boundary. */
static lb_vec3 tangent_across(lb_vec3 vertex, const struct ring *ring)
{
    const lb_vec3 *p = ring->points;
    size_t last = ring->valence - 1;
    if (ring->valence == 2)
        return lb_sub(lb_add(p[0], p[1]), lb_scale(vertex, 2.0f));
    if (ring->valence == 3)
        return lb_sub(p[1], vertex);
    if (ring->valence == 4)
        return lb_sub(lb_sub(lb_scale(lb_add(p[1], p[2]), 2.0f), lb_add(p[0], p[3])), lb_scale(vertex, 2.0f));
    float sine, cosine, step;
    lb_sincos(LB_PI / (float)last, &step, &cosine);
    lb_vec3 t = lb_scale(lb_add(p[0], p[last]), step);
    for (size_t i = 1; i < last; i++) {
        float unused;
        lb_sincos((float)i * (LB_PI / (float)last), &sine, &unused);
        t = lb_add_scaled(t, p[i], (2.0f * cosine - 2.0f) * sine);
    }
    return lb_negate(t);
}

/* Of any length. It is on the other side than the winding says, as in pbrt: the side on which the surface shines. */
static lb_vec3 normal_at(lb_vec3 vertex, const struct ring *ring)
{
    if (!ring->boundary)
        return inner_normal(ring);
    lb_vec3 along = lb_sub(ring->points[ring->valence - 1], ring->points[0]);
    return lb_cross(along, tangent_across(vertex, ring));
}

/* ---- the mesh of the file ---- */

/* An edge of a face by its two vertices, the smaller number first. */
struct pair {
    uint32_t low, high, edge;
};

static int compare_pairs(const void *left, const void *right)
{
    const struct pair *a = left, *b = right;
    if (a->low != b->low)
        return a->low < b->low ? -1 : 1;
    if (a->high != b->high)
        return a->high < b->high ? -1 : 1;
    return a->edge < b->edge ? -1 : a->edge > b->edge;
}

static enum lb_status join_pairs(const struct lb_builder *builder, const struct lb_location *location,
                                 struct surface *surface, const struct pair *pairs)
{
    size_t count = 3 * surface->face_count;
    for (size_t i = 0; i < count; i++) {
        const struct pair *a = &pairs[i], *b = a + 1;
        if (i + 1 == count || a->low != b->low || a->high != b->high) {
            surface->twins[a->edge] = LB_NONE;
            continue;
        }
        if (surface->corners[a->edge] == surface->corners[b->edge])
            return lb_build_error(
                builder, location,
                "triangles %u and %u have both an edge from vertex %u to vertex %u: one of them is "
                "wound the wrong way",
                a->edge / 3, b->edge / 3, surface->corners[a->edge], surface->corners[next_of(a->edge)]);
        surface->twins[a->edge] = b->edge;
        surface->twins[b->edge] = a->edge;
        i++;
    }
    return LB_OK;
}

static enum lb_status find_twins(const struct lb_builder *builder, const struct lb_location *location,
                                 struct surface *surface)
{
    size_t count = 3 * surface->face_count;
    struct pair *pairs = reallocarray(NULL, count, sizeof *pairs);
    if (!pairs)
        return lb_build_no_memory(builder);
    for (uint32_t edge = 0; edge < count; edge++) {
        uint32_t a = surface->corners[edge], b = surface->corners[next_of(edge)];
        pairs[edge] = (struct pair){a < b ? a : b, a < b ? b : a, edge};
    }
    qsort(pairs, count, sizeof *pairs, compare_pairs);
    enum lb_status status = join_pairs(builder, location, surface, pairs);
    free(pairs);
    return status;
}

static enum lb_status read_surface(const struct lb_builder *builder, const struct lb_location *location,
                                   const struct lb_mesh *mesh, struct surface *surface)
{
    if (!alloc_surface(surface, mesh->vertex_count, mesh->triangle_count))
        return lb_build_no_memory(builder);
    for (size_t i = 0; i < surface->vertex_count; i++) {
        surface->positions[i] = mesh->positions[i];
        surface->starts[i] = LB_NONE;
    }
    for (size_t i = 0; i < 3 * surface->face_count; i++) {
        surface->corners[i] = mesh->indices[i];
        surface->starts[mesh->indices[i]] = (uint32_t)i;
    }
    for (uint32_t edge = 0; edge < 3 * surface->face_count; edge++)
        if (surface->corners[edge] == surface->corners[next_of(edge)])
            return lb_build_error(builder, location, "triangle %u has vertex %u twice", edge / 3,
                                  surface->corners[edge]);
    return find_twins(builder, location, surface);
}

/* ---- one level ---- */

/* Each face becomes four: number 4 f + j at its corner j, 4 f + 3 in its middle, whose corner j is the new vertex of
 * edge j. */
static uint32_t child_edge(uint32_t edge, uint32_t child, uint32_t corner)
{
    return 3 * (4 * (edge / 3) + child) + corner;
}

static void place_edge_vertex(const struct surface *old, uint32_t edge, lb_vec3 *position)
{
    lb_vec3 a = old->positions[old->corners[edge]], b = old->positions[old->corners[next_of(edge)]];
    uint32_t twin = old->twins[edge];
    if (twin == LB_NONE) {
        *position = lb_scale(lb_add(a, b), 0.5f);
        return;
    }
    lb_vec3 c = old->positions[old->corners[previous_of(edge)]];
    lb_vec3 d = old->positions[old->corners[previous_of(twin)]];
    *position = lb_add(lb_scale(lb_add(a, b), 3.0f / 8.0f), lb_scale(lb_add(c, d), 1.0f / 8.0f));
}

/* The new vertex of each edge into the middle faces' corners; returns how many vertices there are. */
static size_t number_edge_vertices(const struct surface *old, struct surface *new)
{
    size_t count = old->vertex_count;
    for (uint32_t edge = 0; edge < 3 * old->face_count; edge++) {
        uint32_t twin = old->twins[edge];
        uint32_t vertex = (uint32_t)count;
        if (twin != LB_NONE && twin < edge)
            vertex = new->corners[child_edge(twin, 3, twin % 3)];
        else
            count++;
        new->corners[child_edge(edge, 3, edge % 3)] = vertex;
    }
    return count;
}

static void join_children(const struct surface *old, struct surface *new, uint32_t edge)
{
    uint32_t j = edge % 3, next = next_of(edge) % 3, previous = previous_of(edge) % 3;
    uint32_t twin = old->twins[edge], before = old->twins[previous_of(edge)];
    uint32_t middle = child_edge(edge, 3, j), corner = child_edge(edge, j, j);
    new->corners[corner] = old->corners[edge];
    new->corners[child_edge(edge, j, next)] = new->corners[middle];
    new->corners[child_edge(edge, j, previous)] = new->corners[child_edge(edge, 3, previous)];
    new->twins[middle] = child_edge(edge, next, previous);
    new->twins[child_edge(edge, next, previous)] = middle;
    new->twins[corner] = twin == LB_NONE ? LB_NONE : child_edge(twin, next_of(twin) % 3, twin % 3);
    new->twins[child_edge(edge, j, previous)] =
        before == LB_NONE ? LB_NONE : child_edge(before, before % 3, before % 3);
}

static bool subdivide(const struct surface *old, struct ring *ring, struct surface *new)
{
    /* A surface has at most as many edges as its faces have. */
    if (!alloc_surface(new, old->vertex_count + 3 * old->face_count, 4 * old->face_count))
        return false;
    new->vertex_count = number_edge_vertices(old, new);
    for (uint32_t edge = 0; edge < 3 * old->face_count; edge++) {
        uint32_t middle = child_edge(edge, 3, edge % 3);
        join_children(old, new, edge);
        place_edge_vertex(old, edge, &new->positions[new->corners[middle]]);
        new->starts[new->corners[middle]] = middle;
    }
    for (uint32_t vertex = 0; vertex < old->vertex_count; vertex++) {
        uint32_t start = old->starts[vertex];
        new->positions[vertex] = old->positions[vertex];
        new->starts[vertex] = start == LB_NONE ? LB_NONE : child_edge(start, start % 3, start % 3);
        if (start == LB_NONE)
            continue;
        find_ring(old, vertex, ring);
        new->positions[vertex] = refine(old->positions[vertex], ring);
    }
    return true;
}

/* ---- the limit ---- */

/* Positions and normals of the limit surface. */
static bool push_to_limit(const struct surface *surface, struct ring *ring, struct lb_mesh *mesh)
{
    size_t n = surface->vertex_count;
    struct surface limits = *surface; /* of the positions pushed, from which the tangents are */
    lb_vec3 *positions = reallocarray(NULL, n, sizeof *positions),
            *normals = reallocarray(NULL, n, sizeof *normals);
    mesh->positions = positions;
    mesh->normals = normals;
    mesh->vertex_count = n;
    if (!positions || !normals)
        return false;
    for (uint32_t vertex = 0; vertex < n; vertex++) {
        positions[vertex] = surface->positions[vertex];
        if (surface->starts[vertex] == LB_NONE)
            continue;
        find_ring(surface, vertex, ring);
        positions[vertex] = limit(surface->positions[vertex], ring);
    }
    limits.positions = positions;
    for (uint32_t vertex = 0; vertex < n; vertex++) {
        normals[vertex] = lb_vec3_make(0.0f, 0.0f, 0.0f);
        if (surface->starts[vertex] == LB_NONE)
            continue;
        find_ring(&limits, vertex, ring);
        normals[vertex] = normal_at(positions[vertex], ring);
    }
    return true;
}

static enum lb_status subdivide_to(const struct lb_builder *builder, struct surface *surface, int32_t levels,
                                   struct lb_mesh *mesh)
{
    struct ring ring = {.points = reallocarray(NULL, surface->face_count + 8, sizeof *ring.points)};
    bool fits = ring.points != NULL;
    for (int32_t level = 0; level < levels && fits; level++) {
        struct surface finer = {.vertex_count = 0};
        fits = subdivide(surface, &ring, &finer);
        free_surface(surface);
        *surface = finer;
    }
    fits = fits && push_to_limit(surface, &ring, mesh);
    free(ring.points);
    mesh->indices = surface->corners;
    mesh->triangle_count = surface->face_count;
    surface->corners = NULL;
    return fits ? LB_OK : lb_build_no_memory(builder);
}

enum lb_status lb_build_loopsubdiv(struct lb_builder *builder, const struct lb_shape_entity *entity,
                                   lb_shape *shape)
{
    static const char *const no_matter[] = {"scheme"};
    const struct lb_parameters *parameters = &entity->entity.parameters;
    struct lb_mesh source = {.owned = false}, mesh = {.owned = true};
    struct surface surface = {.vertex_count = 0};
    int32_t levels;
    lb_build_ignore(&entity->entity, no_matter, 1);
    enum lb_status status = lb_build_mesh_positions(builder, parameters, &source);
    if (status != LB_OK ||
        (status = lb_build_mesh_indices(builder, parameters, 3, "triangle", &source,
                                        &source.triangle_count)) != LB_OK ||
        (status = lb_build_integer(builder, parameters, "levels", 3, 0, 15, &levels)) != LB_OK)
        return status;
    if (source.triangle_count > (UINT32_MAX / 3) >> (2 * levels))
        return lb_build_error(builder, lb_build_place(parameters, "levels"),
                              "%d levels of %zu triangles make more than can be counted", levels,
                              source.triangle_count);
    status = read_surface(builder, &parameters->location, &source, &surface);
    if (status == LB_OK)
        status = subdivide_to(builder, &surface, levels, &mesh);
    free_surface(&surface);
    if (status == LB_OK)
        status = lb_build_take_mesh(builder, entity, &mesh, shape);
    lb_build_drop_mesh(&mesh);
    return status;
}
