/* Triangle meshes, and what other shapes that become triangles share with them. */
#include "core/kernel/shapes/box.h"
#include "core/language/matrix.h"
#include "core/scene/shapes/mesh.h"
#include "core/scene/builder/messages.h"
#include "core/scene/builder/parameters.h"
#include "core/scene/shapes/shapes.h"

#include <stdlib.h>
#include <string.h>

static void done_with(const struct lb_mesh *mesh, const void *array)
{
    if (mesh->owned)
        free((void *)(uintptr_t)array);
}

static lb_vec3 *add_vectors(struct lb_vector *vector, size_t count, uint64_t *first)
{
    *first = vector->count;
    return lb_vector_add(vector, count);
}

static lb_vec3 project(const struct lb_matrix *matrix, lb_vec3 p)
{
    double q[4];
    for (int i = 0; i < 4; i++)
        q[i] = matrix->m[i][0] * (double)p.x + matrix->m[i][1] * (double)p.y + matrix->m[i][2] * (double)p.z +
               matrix->m[i][3];
    return lb_vec3_make((float)(q[0] / q[3]), (float)(q[1] / q[3]), (float)(q[2] / q[3]));
}

static bool take_coordinates(struct lb_builder *builder, const struct lb_mesh *mesh, const lb_vec2 **from,
                             uint64_t *first)
{
    *first = builder->arrays.uvs.count;
    lb_vec2 *uvs = lb_vector_add(&builder->arrays.uvs, mesh->vertex_count);
    if (!uvs)
        return false;
    memcpy(uvs, *from, mesh->vertex_count * sizeof *uvs);
    done_with(mesh, *from);
    *from = NULL;
    return true;
}

static enum lb_status take_vertices(struct lb_builder *builder, struct lb_mesh *mesh, lb_shape *shape)
{
    const lb_transform transform = shape->world_from_object, inverse = shape->object_from_world;
    size_t n = mesh->vertex_count;
    lb_vec3 *positions = add_vectors(&builder->arrays.positions, n, &shape->first_position);
    if (!positions)
        return lb_build_no_memory(builder);
    for (size_t i = 0; !mesh->projective && i < n; i++)
        positions[i] = lb_transform_point(&transform, mesh->positions[i]);
    for (size_t i = 0; mesh->projective && i < n; i++)
        positions[i] = project(mesh->projective, mesh->positions[i]);
    done_with(mesh, mesh->positions);
    mesh->positions = NULL;
    if (mesh->normals) {
        lb_vec3 *normals = add_vectors(&builder->arrays.normals, n, &shape->first_normal);
        if (!normals)
            return lb_build_no_memory(builder);
        for (size_t i = 0; i < n; i++)
            normals[i] = lb_transform_normal(&inverse, mesh->normals[i]);
        shape->flags |= LB_SHAPE_HAS_NORMALS;
        done_with(mesh, mesh->normals);
        mesh->normals = NULL;
    }
    if (mesh->tangents) {
        lb_vec3 *tangents = add_vectors(&builder->arrays.tangents, n, &shape->first_tangent);
        if (!tangents)
            return lb_build_no_memory(builder);
        for (size_t i = 0; i < n; i++)
            tangents[i] = lb_transform_vector(&transform, mesh->tangents[i]);
        shape->flags |= LB_SHAPE_HAS_TANGENTS;
    }
    if (mesh->uvs) {
        if (!take_coordinates(builder, mesh, &mesh->uvs, &shape->first_uv))
            return lb_build_no_memory(builder);
        shape->flags |= LB_SHAPE_HAS_UV;
    }
    if (mesh->second_uvs) {
        if (!take_coordinates(builder, mesh, &mesh->second_uvs, &shape->first_second_uv))
            return lb_build_no_memory(builder);
        shape->flags |= LB_SHAPE_HAS_SECOND_UV;
    }
    return LB_OK;
}

/* Are the triangle's corners finite, and has it an area? */
static bool is_proper(const lb_vec3 *positions, const uint32_t corners[3])
{
    double e[2][3];
    const lb_vec3 *p = &positions[corners[0]];
    for (int i = 0; i < 2; i++) {
        const lb_vec3 *q = &positions[corners[i + 1]];
        e[i][0] = (double)q->x - (double)p->x;
        e[i][1] = (double)q->y - (double)p->y;
        e[i][2] = (double)q->z - (double)p->z;
    }
    double x = e[0][1] * e[1][2] - e[0][2] * e[1][1];
    double y = e[0][2] * e[1][0] - e[0][0] * e[1][2];
    double z = e[0][0] * e[1][1] - e[0][1] * e[1][0];
    double area = x * x + y * y + z * z;
    return area > 0.0 && area <= 1e300;
}

/* A mesh has about half as many vertices as triangles, so each is looked at once, not with each of its triangles. */
static lb_box box_around(const lb_vec3 *positions, const unsigned char *used, size_t count)
{
    lb_box box = lb_box_empty();
    for (size_t i = 0; i < count; i++) {
        if (!used[i])
            continue;
        lb_vec3 p = positions[i];
        lb_box point = {{p.x, p.y, p.z}, {p.x, p.y, p.z}};
        lb_box_add_box(&box, &point);
    }
    return box;
}

static enum lb_status take_triangles(struct lb_builder *builder, struct lb_mesh *mesh, lb_shape *shape)
{
    const lb_vec3 *positions = (const lb_vec3 *)builder->arrays.positions.data + shape->first_position;
    struct lb_vector *vector = &builder->arrays.indices;
    size_t first = vector->count;
    uint32_t *indices = lb_vector_add(vector, 3 * mesh->triangle_count);
    unsigned char *used = calloc(mesh->vertex_count + 1, sizeof *used);
    if (!indices || !used) {
        free(used);
        return lb_build_no_memory(builder);
    }
    size_t kept = 0;
    for (size_t i = 0; i < mesh->triangle_count; i++) {
        const uint32_t *corners = mesh->indices + 3 * i;
        if (!is_proper(positions, corners))
            continue;
        for (size_t k = 0; k < 3; k++) {
            indices[3 * kept + k] = corners[k];
            used[corners[k]] = 1;
        }
        kept++;
    }
    mesh->box = box_around(positions, used, mesh->vertex_count);
    free(used);
    vector->count = first + 3 * kept;
    memset(indices + 3 * kept, 0, 3 * (mesh->triangle_count - kept) * sizeof *indices);
    done_with(mesh, mesh->indices);
    mesh->indices = NULL;
    shape->first_index = first;
    shape->primitive_count = (uint32_t)kept;
    builder->triangles += kept;
    return LB_OK;
}

enum lb_status lb_build_end_mesh(struct lb_builder *builder, const struct lb_location *location,
                                 const lb_box *box, lb_shape *shape)
{
    /* The transforms are in the vertices now. */
    memset(&shape->world_from_object, 0, sizeof shape->world_from_object);
    memset(&shape->object_from_world, 0, sizeof shape->object_from_world);
    return shape->primitive_count ? lb_build_reach(builder, location, box) : LB_OK;
}

enum lb_status lb_build_check_primitives(const struct lb_builder *builder, const struct lb_location *location,
                                         uint64_t count)
{
    if (count <= UINT32_MAX - builder->primitives)
        return LB_OK;
    return lb_build_error(builder, location, "the scene has more than 2^32 primitives");
}

/* A note, of each file once, on the triangles that were left out. */
static enum lb_status note_dropped(struct lb_builder *builder, const struct lb_location *location,
                                   const struct lb_mesh *mesh, const lb_shape *shape)
{
    size_t dropped = mesh->triangle_count - shape->primitive_count;
    if (dropped == 0 || (mesh->file && lb_names_find(&builder->noted_meshes, mesh->file) != UINT32_MAX))
        return LB_OK;
    lb_log_at(builder->log, LB_NOTE, location,
              "%zu of %zu triangles have no area or no finite corners: they are left out", dropped,
              mesh->triangle_count);
    if (mesh->file && !lb_names_set(&builder->noted_meshes, builder->arena, mesh->file, 0))
        return lb_build_no_memory(builder);
    return LB_OK;
}

enum lb_status lb_build_take_mesh(struct lb_builder *builder, const struct lb_shape_entity *entity,
                                  struct lb_mesh *mesh, lb_shape *shape)
{
    const struct lb_location *location = &entity->entity.parameters.location;
    enum lb_status status;
    if ((status = lb_build_check_primitives(builder, location, mesh->triangle_count)) != LB_OK)
        return status;
    const struct lb_motion *motion = entity->world_from_object;
    if (!motion->moves && !lb_matrix_is_affine(&motion->at[0]))
        mesh->projective = &motion->at[0];
    shape->kind = LB_SHAPE_MESH;
    if ((status = take_vertices(builder, mesh, shape)) != LB_OK ||
        (status = take_triangles(builder, mesh, shape)) != LB_OK)
        return status;
    if ((status = note_dropped(builder, location, mesh, shape)) != LB_OK)
        return status;
    return lb_build_end_mesh(builder, location, &mesh->box, shape);
}

void lb_build_drop_mesh(struct lb_mesh *mesh)
{
    done_with(mesh, mesh->positions);
    done_with(mesh, mesh->normals);
    done_with(mesh, mesh->uvs);
    done_with(mesh, mesh->second_uvs);
    done_with(mesh, mesh->indices);
}

/* ---- trianglemesh ---- */

/* An array of one element a vertex; one of another length is left out with a warning, as in pbrt. */
static enum lb_status find_vertex_array(const struct lb_builder *builder,
                                        const struct lb_parameters *parameters, const char *name,
                                        enum lb_parameter_type type, size_t count, const void **values)
{
    const float *floats;
    size_t found;
    enum lb_status status = lb_parameters_floats(parameters, name, type, &floats, &found, builder->error);
    *values = status == LB_OK && found == count ? floats : NULL;
    if (status == LB_OK && found != 0 && found != count)
        lb_build_warn(builder, lb_build_place(parameters, name),
                      "\"%s\" has not as many values as \"P\": it is left out", name);
    return status;
}

enum lb_status lb_build_mesh_positions(const struct lb_builder *builder,
                                       const struct lb_parameters *parameters, struct lb_mesh *mesh)
{
    const float *floats;
    size_t count;
    enum lb_status status =
        lb_parameters_floats(parameters, "P", LB_PARAMETER_POINT3, &floats, &count, builder->error);
    if (status != LB_OK)
        return status;
    if (count == 0 || count % 3 != 0)
        return lb_build_error(builder, lb_build_place(parameters, "P"), "the mesh has no vertices \"P\"");
    mesh->positions = (const void *)floats;
    mesh->vertex_count = count / 3;
    return LB_OK;
}

enum lb_status lb_build_mesh_vertices(const struct lb_builder *builder,
                                      const struct lb_parameters *parameters, struct lb_mesh *mesh)
{
    const void *normals, *uvs;
    enum lb_status status;
    if ((status = lb_build_mesh_positions(builder, parameters, mesh)) != LB_OK ||
        (status = find_vertex_array(builder, parameters, "N", LB_PARAMETER_NORMAL3, 3 * mesh->vertex_count,
                                    &normals)) != LB_OK ||
        (status = find_vertex_array(builder, parameters, "uv", LB_PARAMETER_POINT2, 2 * mesh->vertex_count,
                                    &uvs)) != LB_OK)
        return status;
    mesh->normals = normals;
    mesh->uvs = uvs;
    return LB_OK;
}

enum lb_status lb_build_mesh_indices(const struct lb_builder *builder, const struct lb_parameters *parameters,
                                     size_t corners, const char *face, struct lb_mesh *mesh, size_t *faces)
{
    static const uint32_t single[4] = {0, 1, 2, 3};
    static const char *const numbers[] = {"three", "four"};
    const int32_t *indices;
    size_t count;
    enum lb_status status = lb_parameters_integers(parameters, "indices", &indices, &count, builder->error);
    if (status != LB_OK)
        return status;
    if (count == 0 && mesh->vertex_count != corners)
        return lb_build_error(builder, lb_build_place(parameters, "indices"), "the mesh has no \"indices\"");
    if (count % corners != 0)
        return lb_build_error(builder, lb_build_place(parameters, "indices"),
                              "\"indices\" has %zu values, not %s a %s", count, numbers[corners - 3], face);
    for (size_t i = 0; i < count; i++)
        if (indices[i] < 0 || (size_t)indices[i] >= mesh->vertex_count)
            return lb_build_error(builder, lb_build_place(parameters, "indices"),
                                  "index %d is out of range: there are %zu vertices", indices[i],
                                  mesh->vertex_count);
    mesh->indices = count ? (const uint32_t *)indices : single;
    *faces = count ? count / corners : 1;
    return LB_OK;
}

enum lb_status lb_build_trianglemesh(struct lb_builder *builder, const struct lb_shape_entity *entity,
                                     lb_shape *shape)
{
    static const char *const no_matter[] = {"faceIndices"};
    const struct lb_parameters *parameters = &entity->entity.parameters;
    struct lb_mesh mesh;
    memset(&mesh, 0, sizeof mesh);
    lb_build_ignore(&entity->entity, no_matter, 1);
    const void *tangents = NULL, *second_uvs = NULL;
    enum lb_status status = lb_build_mesh_vertices(builder, parameters, &mesh);
    if (status == LB_OK)
        status = find_vertex_array(builder, parameters, "S", LB_PARAMETER_VECTOR3, 3 * mesh.vertex_count,
                                   &tangents);
    if (status == LB_OK)
        status = find_vertex_array(builder, parameters, "uv1", LB_PARAMETER_POINT2, 2 * mesh.vertex_count,
                                   &second_uvs);
    mesh.tangents = tangents;
    mesh.second_uvs = second_uvs;
    if (status == LB_OK)
        status = lb_build_mesh_indices(builder, parameters, 3, "triangle", &mesh, &mesh.triangle_count);
    return status == LB_OK ? lb_build_take_mesh(builder, entity, &mesh, shape) : status;
}
