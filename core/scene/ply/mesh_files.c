#include "core/scene/ply/mesh_files.h"

#include "core/language/parameters.h"

#include <stdlib.h>
#include <string.h>

/* What a shape calls its mesh file; NULL: it has none. */
static const char *file_name(const struct lb_shape_entity *shape)
{
    struct lb_error ignored;
    const char *name = NULL;
    if (strcmp(shape->entity.type, "plymesh") ||
        lb_parameters_string(&shape->entity.parameters, "filename", NULL, &name, &ignored) != LB_OK)
        return NULL;
    return name;
}

static bool count_shapes(struct lb_mesh_files *files, const struct lb_shape_entity *shapes, size_t count,
                         struct lb_arena *arena)
{
    for (size_t i = 0; i < count; i++) {
        const char *name = file_name(&shapes[i]);
        uint32_t number = name ? lb_names_find(&files->names, name) : 0;
        if (name && number == UINT32_MAX) {
            number = (uint32_t)files->count++;
            if (!lb_names_set(&files->names, arena, name, number))
                return false;
        }
        if (name)
            files->items[number].mentions++;
    }
    return true;
}

bool lb_mesh_files_count(struct lb_mesh_files *files, const struct lb_description *description,
                         const bool *used_objects, struct lb_arena *arena)
{
    size_t most = description->shape_count;
    for (size_t i = 0; i < description->object_count; i++)
        most += used_objects[i] ? description->objects[i].shape_count : 0;
    files->items = lb_arena_alloc(arena, most + 1, sizeof *files->items);
    if (!files->items || !count_shapes(files, description->shapes, description->shape_count, arena))
        return false;
    for (size_t i = 0; i < description->object_count; i++) {
        const struct lb_object_definition *object = &description->objects[i];
        if (used_objects[i] && !count_shapes(files, object->shapes, object->shape_count, arena))
            return false;
    }
    return true;
}

/* Sets `*failed` and returns NULL where there is no memory. */
static void *copy(const void *data, size_t count, size_t size, bool *failed)
{
    void *made = data ? malloc(count * size + 1) : NULL;
    if (made)
        memcpy(made, data, count * size);
    *failed = *failed || (data && !made);
    return made;
}

static enum lb_status copy_ply(const struct lb_ply *from, const char *path, struct lb_ply *to,
                               struct lb_error *error)
{
    bool failed = false;
    *to = *from;
    to->positions = copy(from->positions, from->vertex_count, sizeof *from->positions, &failed);
    to->normals = copy(from->normals, from->vertex_count, sizeof *from->normals, &failed);
    to->uvs = copy(from->uvs, from->vertex_count, sizeof *from->uvs, &failed);
    to->second_uvs = copy(from->second_uvs, from->vertex_count, sizeof *from->second_uvs, &failed);
    to->indices = copy(from->indices, 3 * from->triangle_count, sizeof *from->indices, &failed);
    if (!failed)
        return LB_OK;
    lb_ply_free(to);
    return lb_error_memory(error, path);
}

static void forget(struct lb_mesh_file *file)
{
    if (file->path)
        lb_ply_free(&file->ply);
    file->path = NULL;
}

/* Files of different folders may have one name, and names that people take for the same different bytes: the path
 * tells. */
enum lb_status lb_mesh_files_read(struct lb_mesh_files *files, const char *name, const char *path,
                                  const struct lb_log *log, struct lb_ply *ply, struct lb_error *error)
{
    uint32_t number = lb_names_find(&files->names, name);
    struct lb_mesh_file *file = number == UINT32_MAX ? NULL : &files->items[number];
    if (file && file->mentions > 0)
        file->mentions--;
    if (!file || (file->mentions == 0 && !file->path))
        return lb_ply_read(path, log, ply, error);
    if (!file->path || strcmp(file->path, path)) {
        forget(file);
        enum lb_status status = lb_ply_read(path, log, &file->ply, error);
        if (status != LB_OK)
            return status;
        file->path = path;
    }
    if (file->mentions > 0)
        return copy_ply(&file->ply, path, ply, error);
    *ply = file->ply;
    file->path = NULL;
    return LB_OK;
}

void lb_mesh_files_skip(struct lb_mesh_files *files, const char *name)
{
    uint32_t number = lb_names_find(&files->names, name);
    struct lb_mesh_file *file = number == UINT32_MAX ? NULL : &files->items[number];
    if (file && file->mentions > 0 && --file->mentions == 0)
        forget(file);
}

void lb_mesh_files_free(struct lb_mesh_files *files)
{
    for (size_t i = 0; i < files->count; i++)
        forget(&files->items[i]);
}
