/* Loading a scene: description, files and textures in, one read-only block (core/kernel/scene.h) out. */
#ifndef LB_CORE_SCENE_LOAD_H
#define LB_CORE_SCENE_LOAD_H

#include "core/base/error.h"
#include "core/kernel/scene.h"

#include <stdatomic.h>
#include <stdbool.h>

/* How far loading is, for who shows it meanwhile, from any thread. Zeroed at first. */
enum lb_load_stage { LB_LOAD_READS, LB_LOAD_SHAPES, LB_LOAD_TREE };
struct lb_load_progress {
    atomic_int stage;                  /* enum lb_load_stage */
    atomic_size_t shapes, shape_count; /* built, and in all */
};

/* The space of positions and normals among channels. */
enum lb_channel_space { LB_SPACE_OF_FILM, LB_SPACE_CAMERA, LB_SPACE_WORLD };

/* Channels beside the picture's light (core/kernel/scene.h); all zero: none. */
struct lb_scene_channels {
    uint32_t wanted;      /* bits of 1 << enum lb_channel_kind */
    uint32_t of_gbuffer;  /* likewise, more of them where the Film is a "gbuffer", */
    bool by_film_name;    /* and, if this is set, its own file name ends in .exr */
    uint32_t of_surfaces; /* likewise, more of them where there are surfaces */
    enum lb_channel_space space;
};

/* What the command line says over the scene file. A zeroed struct changes nothing. */
struct lb_scene_options {
    bool lenient;           /* what is known but not rendered yet warns instead of ending */
    bool high_quality_tree; /* --bvh-quality=high: spatial splits */
    uint32_t threads;       /* for building; 0: 1 */
    uint32_t samples;       /* --spp; 0: the file's */
    bool has_seed;
    uint32_t seed;
    uint32_t width, height; /* --resolution; 0: the file's */
    bool has_crop;
    float crop[4]; /* --cropwindow x0,x1,y0,y1 */
    bool has_pixel_bounds;
    int32_t pixel_bounds[4]; /* --pixelbounds x0,x1,y0,y1 */
    struct lb_scene_channels channels;
    struct lb_load_progress *progress; /* or NULL */
    /* Frame of count; 0: a still, at the start of the time range; LB_FRAMES_UNKNOWN: an error in a scene that moves. */
    uint32_t frame, frame_count;
};

#define LB_FRAMES_UNKNOWN UINT32_MAX

/* What the loader found out on the way; texts live as long as the loaded scene. */
struct lb_loaded {
    lb_scene *scene;          /* the block */
    const char *film_file;    /* the Film's "filename", or NULL */
    bool film_gbuffer;        /* it is a "gbuffer" */
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
