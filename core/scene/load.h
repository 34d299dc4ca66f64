/* Loading a scene: description, files and textures in, one read-only block (core/kernel/scene/scene.h) out. */
#ifndef LB_CORE_SCENE_LOAD_H
#define LB_CORE_SCENE_LOAD_H

#include "core/base/error.h"
#include "core/kernel/scene/scene.h"
#include "core/scene/builder/options.h"

#include <stdbool.h>

/* What the loader found out on the way; texts live as long as the loaded scene. */
struct lb_loaded {
    lb_scene *scene;          /* the block */
    const char *film_file;    /* the Film's "filename", or NULL */
    bool film_gbuffer;        /* it is a "gbuffer" */
    bool film_spectral;       /* it is "spectral" */
    bool film_floats;         /* its "savefp16" is false: EXR files are to have floats, no halves */
    const char *const *files; /* that the scene names, as they were opened */
    size_t file_count;
    bool dark;                           /* nothing in it shines: all of its picture is black */
    double parse_seconds, build_seconds; /* CLOCK_MONOTONIC */
    uint64_t triangles;
    void *own; /* the loader's */
};

/* `path` "-": standard input. Errors name file, line and column. */
enum lb_status lb_scene_load(const char *path, const struct lb_scene_options *options,
                             const struct lb_log *log, struct lb_loaded *loaded, struct lb_error *error);
void lb_scene_free(struct lb_loaded *loaded);

#endif
