/* Models, as other programs write them (glTF, OBJ, FBX and so on), made scenes in pbrt's language: the library Assimp
 * reads a model in a process of its own, which writes a scene's text with its meshes and textures; these go through
 * the same readers, and the same checks, as any other scene. */
#ifndef LB_CORE_MODEL_MODEL_H
#define LB_CORE_MODEL_MODEL_H

#include "core/base/error.h"
#include "core/model/folder.h"

#include <stdbool.h>
#include <stdint.h>

/* Frames first, first + step, .. last of `count` that the animation lasts, or of an unknown number, 0. */
struct lb_model_frames {
    bool given;
    uint32_t first, last, step, count;
    double rate; /* frames a second; 0: as many as make `count`, or 24 */
};

struct lb_model_options {
    const char *camera; /* the name of one of the model's, or NULL: its first, or one that frames the model */
    bool studio;        /* a ground under it */
    bool turned;        /* the camera turns about it, and is to see it from all sides */
    const char *animation; /* the name of one of the model's, or NULL: its first */
    struct lb_model_frames frames;
};

/* A scene that was made of a model, for a while. */
struct lb_model_scene {
    char *file; /* of an animation one a frame, whose number takes the place of #### */
    struct lb_folder folder;
};

/* How the names of models end, ".glb" and so on, with NULL behind the last. */
const char *const *lb_model_endings(void);
/* Does the name end so? */
bool lb_model_named(const char *path);

/* Makes a scene for as long as it is open. Errors begin with the model's name. To be called while the program has one
 * thread. */
enum lb_status lb_model_open(const char *path, const struct lb_model_options *options,
                             struct lb_model_scene *scene, const struct lb_log *log, struct lb_error *error);
/* A zeroed struct is nothing to do. */
void lb_model_close(struct lb_model_scene *scene);

/* Writes the scene to `file`, and its meshes and textures into the folder NAME-parts beside it, where NAME is the
 * file's name without its ending. Where frames of an animation are asked for there is a scene for each, NAME-0000.pbrt
 * and so on, and `file` is not written. `*scenes`: their number; 0: one, in `file`. */
enum lb_status lb_model_write(const char *path, const struct lb_model_options *options, const char *file,
                              uint32_t *scenes, const struct lb_log *log, struct lb_error *error);

#endif
