/* Meshes of PLY files, which a texture may displace. */
#include "core/scene/build_mesh.h"
#include "core/scene/displace.h"
#include "core/scene/ply.h"
#include "core/scene/texture_block.h"

#include "core/kernel/texture.h"

#include <stdlib.h>

/* Whether, by what, and how finely the mesh is cut. */
struct relief {
    const struct lb_parameter *given; /* NULL: it stays as it is */
    lb_input height;
    float edge_length;
};

static enum lb_status find_relief(const struct lb_builder *builder, const struct lb_parameters *parameters,
                                  struct relief *relief)
{
    float factor = 1.0f;
    relief->given = lb_parameters_find(parameters, "displacement");
    enum lb_status status =
        lb_build_float(builder, parameters, "edgelength", 1.0f, 1e-30f, 1e30f, &relief->edge_length);
    if (status != LB_OK || !relief->given)
        return status;
    if (relief->given->type != LB_PARAMETER_TEXTURE)
        return lb_build_error(builder, &relief->given->location,
                              "\"displacement\" of a plymesh is a texture");
    status = lb_build_float(builder, &builder->description->options.parameters, "displacementedgescale", 1.0f,
                            1e-30f, 1e30f, &factor);
    relief->edge_length *= factor;
    if (status == LB_OK && !(relief->edge_length > 0.0f))
        return lb_build_error(builder, lb_build_place(parameters, "edgelength"),
                              "\"edgelength\" is too small");
    if (status != LB_OK)
        return status;
    return lb_build_float_input(builder, parameters, "displacement", 0.0f, -1e30f, 1e30f, &relief->height,
                                NULL);
}

/* Moves each vertex along its normal, by the texture's value at its uv and its point in the object's space (pbrt). */
static bool move_vertices(const struct lb_builder *builder, const lb_input *height, struct lb_ply *ply)
{
    lb_scene *block = lb_build_texture_block(builder, height);
    if (!block)
        return false;
    for (uint32_t i = 0; i < ply->vertex_count; i++) {
        const lb_texture_place place = {.uv = ply->uvs[i], .position = ply->positions[i]};
        ply->positions[i] =
            lb_add_scaled(ply->positions[i], ply->normals[i], lb_texture_float(block, height, &place));
    }
    lb_scene_block_free(block);
    return true;
}

static enum lb_status displace(const struct lb_builder *builder, const struct relief *relief,
                               const lb_shape *shape, struct lb_ply *ply)
{
    const struct lb_location *location = &relief->given->location;
    struct lb_error error;
    if (!ply->uvs)
        return lb_build_error(builder, location, "a mesh without uv cannot be displaced");
    if (!ply->normals) {
        ply->normals = malloc((size_t)ply->vertex_count * sizeof *ply->normals + 1);
        if (!ply->normals)
            return lb_build_no_memory(builder);
        lb_displace_normals(ply);
    }
    enum lb_status status = lb_displace_refine(ply, &shape->world_from_object, relief->edge_length, &error);
    if (status == LB_ERROR_MEMORY)
        return lb_build_no_memory(builder);
    if (status != LB_OK)
        return lb_build_error(builder, location, "%s", error.message);
    if (!move_vertices(builder, &relief->height, ply))
        return lb_build_no_memory(builder);
    lb_displace_normals(ply);
    return LB_OK;
}

static enum lb_status read_mesh(struct lb_builder *builder, const struct lb_parameters *parameters,
                                struct lb_ply *ply)
{
    struct lb_error error;
    const char *path, *name = NULL;
    enum lb_status status = lb_build_file(builder, parameters, "filename", &path);
    if (status == LB_OK && !path)
        status = lb_build_error(builder, &parameters->location, "plymesh has no \"filename\"");
    if (status != LB_OK)
        return status;
    lb_parameters_string(parameters, "filename", NULL, &name, &error);
    if (lb_mesh_files_read(&builder->mesh_files, name, path, builder->log, ply, &error) != LB_OK)
        return lb_build_error(builder, lb_build_place(parameters, "filename"), "%s", error.message);
    return LB_OK;
}

enum lb_status lb_build_plymesh(struct lb_builder *builder, const struct lb_shape_entity *entity,
                                lb_shape *shape)
{
    const struct lb_parameters *parameters = &entity->entity.parameters;
    struct relief relief;
    struct lb_ply ply;
    enum lb_status status = find_relief(builder, parameters, &relief);
    if (status == LB_OK)
        status = read_mesh(builder, parameters, &ply);
    if (status != LB_OK)
        return status;
    if (relief.given && (status = displace(builder, &relief, shape, &ply)) != LB_OK) {
        lb_ply_free(&ply);
        return status;
    }
    struct lb_mesh mesh = {.positions = ply.positions,
                           .normals = ply.normals,
                           .uvs = ply.uvs,
                           .indices = ply.indices,
                           .vertex_count = ply.vertex_count,
                           .triangle_count = ply.triangle_count,
                           .owned = true};
    status = lb_build_take_mesh(builder, entity, &mesh, shape);
    lb_build_drop_mesh(&mesh);
    return status;
}
