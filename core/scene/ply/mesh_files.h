/* Mesh files that several shapes name, read once. */
#ifndef LB_CORE_SCENE_PLY_MESH_FILES_H
#define LB_CORE_SCENE_PLY_MESH_FILES_H

#include "core/base/names.h"
#include "core/language/description.h"
#include "core/scene/ply/ply.h"

/* A file, by what scenes call it. */
struct lb_mesh_file {
    size_t mentions;  /* by shapes that have not read it */
    const char *path; /* of `ply`; NULL: it is not kept */
    struct lb_ply ply;
};

/* Zeroed there are none. */
struct lb_mesh_files {
    struct lb_names names;
    struct lb_mesh_file *items; /* in the arena */
    size_t count;
};

/* Counts what shapes name, of the objects that are `used`. False: out of memory. */
bool lb_mesh_files_count(struct lb_mesh_files *files, const struct lb_description *description,
                         const bool *used_objects, struct lb_arena *arena);
/* Reads the file at `path`, which a shape calls `name`, or copies what another shape read; `ply` is the caller's. It
 * is kept as long as shapes to come mention it. */
enum lb_status lb_mesh_files_read(struct lb_mesh_files *files, const char *name, const char *path,
                                  const struct lb_log *log, struct lb_ply *ply, struct lb_error *error);
/* Counts a shape that mentions the file and needs nothing of it. */
void lb_mesh_files_skip(struct lb_mesh_files *files, const char *name);
void lb_mesh_files_free(struct lb_mesh_files *files);

#endif
