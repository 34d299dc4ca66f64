/* Meshes of PLY files, which a texture may displace. */
#include "core/scene/shapes/mesh.h"
#include "core/scene/shapes/displace.h"
#include "core/scene/ply/ply.h"
#include "core/scene/textures/block.h"

#include "core/base/text.h"
#include "core/kernel/textures/texture.h"
#include "core/scene/builder/messages.h"
#include "core/scene/builder/parameters.h"
#include "core/scene/shapes/shapes.h"
#include "core/scene/textures/textures.h"

#include <stdlib.h>
#include <string.h>

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
    status =
        lb_build_float_input(builder, parameters, "displacement", 0.0f, -1e30f, 1e30f, &relief->height, NULL);
    return status == LB_OK ? lb_build_no_second_uv(builder, parameters, "displacement", &relief->height)
                           : status;
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

/* ---- meshes that are there already ---- */

/* Where the file is, and what the shape calls it. */
struct ply_source {
    const char *path, *name;
};

static enum lb_status find_source(const struct lb_builder *builder, const struct lb_parameters *parameters,
                                  struct ply_source *source)
{
    struct lb_error error;
    enum lb_status status = lb_build_file(builder, parameters, "filename", &source->path);
    if (status == LB_OK && !source->path)
        status = lb_build_error(builder, &parameters->location, "plymesh has no \"filename\"");
    if (status == LB_OK)
        lb_parameters_string(parameters, "filename", NULL, &source->name, &error);
    return status;
}

static void add_bytes(struct lb_text *text, const void *bytes, size_t size)
{
    const unsigned char *at = bytes;
    for (size_t i = 0; i < size; i++)
        lb_text_add(text, "%02x", at[i]);
}

/* All that the arrays of a mesh follow from, as text in the arena; NULL: out of memory. */
static char *name_mesh(const struct lb_builder *builder, const struct lb_shape_entity *entity,
                       const struct ply_source *source, const struct relief *relief, const lb_shape *shape)
{
    const struct lb_motion *motion = entity->world_from_object;
    struct lb_text text = {0};
    lb_text_add(&text, "%s ", source->path);
    add_bytes(&text, &shape->world_from_object, sizeof shape->world_from_object);
    add_bytes(&text, &shape->object_from_world, sizeof shape->object_from_world);
    if (!motion->moves && !lb_matrix_is_affine(&motion->at[0]))
        add_bytes(&text, &motion->at[0], sizeof motion->at[0]);
    if (relief->given) {
        lb_text_add(&text, " by ");
        add_bytes(&text, &relief->height, sizeof relief->height);
        add_bytes(&text, &relief->edge_length, sizeof relief->edge_length);
    }
    char *taken = lb_text_take(&text);
    char *name = taken ? lb_arena_text(builder->arena, taken, strlen(taken)) : NULL;
    free(taken);
    return name;
}

static enum lb_status share_mesh(struct lb_builder *builder, const struct lb_location *location,
                                 const struct lb_made_mesh *made, lb_shape *shape)
{
    enum lb_status status = lb_build_check_primitives(builder, location, made->triangle_count);
    if (status != LB_OK)
        return status;
    shape->kind = LB_SHAPE_MESH;
    shape->flags |= made->shape.flags;
    shape->primitive_count = made->shape.primitive_count;
    shape->first_index = made->shape.first_index;
    shape->first_position = made->shape.first_position;
    shape->first_normal = made->shape.first_normal;
    shape->first_uv = made->shape.first_uv;
    shape->first_second_uv = made->shape.first_second_uv;
    return lb_build_end_mesh(builder, location, &made->box, shape);
}

/* Lets later shapes have this mesh. `flags`: those that the shape had before, which are not of the mesh. */
static enum lb_status keep_mesh(struct lb_builder *builder, const char *name, const char *path,
                                const struct lb_mesh *mesh, const lb_shape *shape, uint32_t flags)
{
    uint32_t number = (uint32_t)builder->made_meshes.count;
    struct lb_made_mesh *made = lb_vector_add(&builder->made_meshes, 1);
    if (!made || !lb_names_set(&builder->meshes, builder->arena, name, number))
        return lb_build_no_memory(builder);
    *made = (struct lb_made_mesh){path, *shape, mesh->triangle_count, mesh->box};
    made->shape.flags &= ~flags;
    return LB_OK;
}

/* ---- the shape ---- */

static enum lb_status make_mesh(struct lb_builder *builder, const struct lb_shape_entity *entity,
                                const struct ply_source *source, const struct relief *relief,
                                const char *name, lb_shape *shape)
{
    uint32_t flags = shape->flags;
    struct lb_error error;
    struct lb_ply ply;
    if (lb_mesh_files_read(&builder->mesh_files, source->name, source->path, builder->log, &ply, &error) !=
        LB_OK)
        return lb_build_error(builder, lb_build_place(&entity->entity.parameters, "filename"), "%s",
                              error.message);
    enum lb_status status = relief->given ? displace(builder, relief, shape, &ply) : LB_OK;
    if (status != LB_OK) {
        lb_ply_free(&ply);
        return status;
    }
    struct lb_mesh mesh = {.positions = ply.positions,
                           .normals = ply.normals,
                           .uvs = ply.uvs,
                           .second_uvs = ply.second_uvs,
                           .indices = ply.indices,
                           .vertex_count = ply.vertex_count,
                           .triangle_count = ply.triangle_count,
                           .file = source->path,
                           .owned = true};
    status = lb_build_take_mesh(builder, entity, &mesh, shape);
    lb_build_drop_mesh(&mesh);
    return status == LB_OK ? keep_mesh(builder, name, source->path, &mesh, shape, flags) : status;
}

/* Shapes of one file, one transformation and one displacement have one mesh. */
enum lb_status lb_build_plymesh(struct lb_builder *builder, const struct lb_shape_entity *entity,
                                lb_shape *shape)
{
    const struct lb_parameters *parameters = &entity->entity.parameters;
    struct ply_source source;
    struct relief relief;
    memset(&relief, 0, sizeof relief);
    enum lb_status status = find_relief(builder, parameters, &relief);
    if (status == LB_OK)
        status = find_source(builder, parameters, &source);
    if (status != LB_OK)
        return status;
    char *name = name_mesh(builder, entity, &source, &relief, shape);
    if (!name)
        return lb_build_no_memory(builder);
    uint32_t number = lb_names_find(&builder->meshes, name);
    const struct lb_made_mesh *made = builder->made_meshes.data;
    /* Names that people take for the same may be files of different bytes. */
    if (number == UINT32_MAX || strcmp(made[number].path, source.path))
        return make_mesh(builder, entity, &source, &relief, name, shape);
    lb_mesh_files_skip(&builder->mesh_files, source.name);
    return share_mesh(builder, &parameters->location, &made[number], shape);
}
