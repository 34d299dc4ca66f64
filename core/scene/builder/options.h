/* What the command line says of a scene, and how far its loading is. */
#ifndef LB_CORE_SCENE_BUILDER_OPTIONS_H
#define LB_CORE_SCENE_BUILDER_OPTIONS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* How far loading is, for who shows it meanwhile, from any thread. Zeroed at first. */
enum lb_load_stage { LB_LOAD_READS, LB_LOAD_SHAPES, LB_LOAD_TREE };
struct lb_load_progress {
    atomic_int stage;                  /* enum lb_load_stage */
    atomic_size_t shapes, shape_count; /* built, and in all */
};

/* The space of positions and normals among channels. */
enum lb_channel_space { LB_SPACE_OF_FILM, LB_SPACE_CAMERA, LB_SPACE_WORLD };

/* May samples count for the pixels around, too? They do where the filter is wider than a pixel and nothing is wanted
 * that tells of pixels' own samples; where nobody asked for it, in pictures of up to LB_AROUND_PIXELS_MOST pixels, as
 * it takes nine times the memory. */
enum lb_around_wish { LB_AROUND_NO, LB_AROUND_AUTO, LB_AROUND_ALWAYS };
enum { LB_AROUND_PIXELS_MOST = 1 << 21 };

/* Channels beside the picture's light (core/kernel/scene/scene.h); all zero: none. */
struct lb_scene_channels {
    uint32_t wanted;      /* bits of 1 << enum lb_channel_kind */
    uint32_t of_gbuffer;  /* more such bits, for a Film that is a "gbuffer" */
    uint32_t of_spectral; /* and for one that is "spectral" */
    bool by_film_name;    /* these count only where the Film's own file name ends in .exr */
    uint32_t of_surfaces; /* more such bits, for scenes that have surfaces */
    enum lb_around_wish around;
    enum lb_channel_space space;
    uint32_t matte_ranks; /* of mattes; 0: 6 */
};

/* Where the camera is to be instead of where the scene has it; all zero: there. */
struct lb_scene_steering {
    bool has_look,
        has_up; /* --look-at; without an up vector, that is the axis of the world next to the camera's */
    double eye[3], target[3], up[3];
    double fov; /* --fov: degrees over the shorter side; 0: the scene's */
    bool has_orbit;
    double orbit;    /* --orbit: degrees about the target; over all frames, where there are some */
    double sideways; /* --eye-offset: to the right, in the camera's units */
};

/* What the command line says over the scene file. A zeroed struct changes nothing. */
struct lb_scene_options {
    bool lenient;           /* what is known but not rendered yet warns instead of ending */
    bool spectral;          /* --spectral: colours are spectra */
    bool rgb;               /* --rgb: they are not, whatever the film asks for */
    bool regularize;        /* --regularize: as the integrator's parameter of that name */
    bool high_quality_tree; /* --bvh-quality=high: spatial splits */
    uint32_t threads;       /* for building; 0: 1 */
    uint32_t samples;       /* --spp; 0: the file's */
    uint32_t most_times;    /* some pixels may get so many times as many; 0: none gets more */
    bool has_seed;
    uint32_t seed;
    uint32_t width, height; /* --resolution; 0: the file's, */
    double scale;           /* times this; 0: as it is */
    bool has_crop;
    float crop[4]; /* --cropwindow x0,x1,y0,y1 */
    bool has_pixel_bounds;
    int32_t pixel_bounds[4]; /* --pixelbounds x0,x1,y0,y1 */
    struct lb_scene_channels channels;
    struct lb_scene_steering steering;
    struct lb_load_progress *progress; /* or NULL */
    /* Frame of count; 0: a still, at the start of the time range; LB_FRAMES_UNKNOWN: an error in a scene that moves. */
    uint32_t frame, frame_count;
    uint32_t first_frame, last_frame; /* of those that are asked for, for messages */
};

#define LB_FRAMES_UNKNOWN UINT32_MAX

#endif
