/* How a scene is looked at: camera, film, filter, sampler, integrator. Part of core/kernel/scene/scene.h. */
#ifndef LB_CORE_KERNEL_SCENE_VIEW_H
#define LB_CORE_KERNEL_SCENE_VIEW_H

#include "core/kernel/sampler.h"
#include "core/kernel/scene/array.h"

/* The kinds of cameras. Those that see all directions come last. */
enum lb_camera_kind {
    LB_CAMERA_PERSPECTIVE,
    LB_CAMERA_ORTHOGRAPHIC,
    LB_CAMERA_REALISTIC,       /* through the elements of a lens: core/kernel/camera/lens.h */
    LB_CAMERA_EQUIRECTANGULAR, /* all directions, by longitude and latitude */
    LB_CAMERA_EQUAL_AREA       /* all directions, on the square of core/kernel/lights/environment.h */
};

/* How many zones the film is divided into, by the distance from its centre; the rays of each go through one rectangle
 * behind the lens. */
#define LB_LENS_ZONES 64

/* A lens, in units of the scene. It lies along +z of camera space, whose plane z = 0 is the film. What is named
 * `first_...` counts elements from the start of lb_scene.tables. */
typedef struct lb_lens {
    uint32_t count;        /* how many elements it has; 0: there is no lens */
    uint32_t stop_size[2]; /* width and height of the image of its stop; 0: the stop is round */
    uint32_t unused;
    /* The elements, four floats for each, the one next to the film last: its radius of curvature, where 0 says that it
     * is the stop; the distance to what comes next towards the film; the index of refraction behind it, on that side,
     * at least 1; the radius of its opening. */
    uint64_t first_element;
    /* The zones, four floats for each of LB_LENS_ZONES: x0, x1, y0, y1 of the rectangle in the plane of the element
     * next to the film, for points of the film on its +x axis. Where x0 >= x1, no light gets there. */
    uint64_t first_zone;
    /* The stop's image, float[height][width], whose rows go up: how much light passes, over the square around the
     * stop. */
    uint64_t first_stop;
    float width, height; /* of the film */
} lb_lens;

/* A camera. */
typedef struct lb_camera {
    /* Camera space has x to the right, y up, and the camera looks along +z. Of a moving camera this is the transform in
     * the middle of the time in which the shutter is open. */
    lb_transform world_from_camera;
    /* X0, x1, y0, y1: the film's rectangle in the plane z = 1, or in any plane for an orthographic camera. x runs from
     * x0 at the left edge of the film to x1, y from y1 at its upper edge to y0. Of a camera for all directions it is a
     * rectangle, seen from a distance of 1, whose pixels are as large as the camera's are on average. */
    float screen[4];
    float lens_radius; /* 0: it is a pinhole; of a realistic camera: radius of the element next to the film */
    float focal_distance;
    uint32_t medium; /* the medium that the camera is in, or LB_NONE */
    uint32_t kind;   /* enum lb_camera_kind */
    uint32_t move; /* 1 + index of its lb_move, which leads from camera to world space; 0: it stands still */
    lb_lens lens;  /* for LB_CAMERA_REALISTIC */
} lb_camera;

/* The kinds of reconstruction filters. */
enum lb_filter_kind {
    LB_FILTER_BOX,
    LB_FILTER_TRIANGLE,
    LB_FILTER_GAUSSIAN,
    LB_FILTER_MITCHELL,
    LB_FILTER_SINC
};

/* A reconstruction filter f. Gaussian, Mitchell and sinc filters are sampled from a table of |f| over [-xradius,
 * xradius] x [-yradius, yradius]. The arrays' offsets count floats from the start of lb_scene.tables. `columns` and
 * `rows` say for each column and row of that table's cells what a sample there counts for the pixels around, on that
 * axis (core/kernel/film/around.h). */
typedef struct lb_filter {
    uint32_t kind;
    float xradius, yradius;
    float a, b;           /* gaussian: sigma in a; mitchell: B, C; sinc: tau in a */
    uint32_t nx, ny;      /* size of that table */
    lb_array values;      /* float[ny][nx]: f at the cells' centres, with its sign */
    lb_array marginal;    /* float[ny + 1]: cumulative distribution of the rows, 0 .. 1 */
    lb_array conditional; /* float[ny][nx + 1]: the same within each row */
    lb_array columns;     /* float[nx][LB_AROUND_SIDE] */
    lb_array rows;        /* float[ny][LB_AROUND_SIDE] */
    float integral;       /* the integral of |f| over the rectangle */
} lb_filter;

/* The film and the part of it that is the picture. */
typedef struct lb_film {
    uint32_t full_width, full_height; /* pixels that the camera's screen covers */
    uint32_t x0, y0;                  /* the first pixel of the picture in it, from the upper left */
    uint32_t width, height;           /* the picture */
    float imaging_ratio;              /* exposure x iso / 100 */
    float max_component; /* limit of a sample's components, after imaging_ratio; infinite: there is none */
    /* That of EXR files, by core/base/color_space.h; sums are of linear sRGB in any case. */
    uint32_t color_space;
    uint32_t has_sensor; /* 0: a sample's colour is the picture's */
    float sensor[3][3];  /* else it is multiplied by this, after the limit */
    lb_filter filter;
} lb_film;

/* The kinds of integrators. */
enum lb_integrator_kind { LB_INTEGRATOR_PATH, LB_INTEGRATOR_MANDELBROT, LB_INTEGRATOR_OCCLUSION };

/* How much of a surface a sample stands for, as textures see it: its part of the pixel, the whole pixel, or a point. */
enum lb_footprint_size { LB_FOOTPRINT_SAMPLE, LB_FOOTPRINT_PIXEL, LB_FOOTPRINT_POINT };

/* How light is computed, and the samples. */
typedef struct lb_integrator {
    uint32_t kind;
    uint32_t max_depth;     /* the most vertices that scatter; 1: direct light alone */
    uint32_t media;         /* 0: media are ignored, as by pbrt's path integrator */
    uint32_t regularize;    /* 1: surfaces are roughened for paths that have scattered diffusely before */
    double center[2], span; /* mandelbrot: the part of the plane */
    uint32_t max_iterations;
    float reach;     /* occlusion: what is further off leaves the sky open */
    uint32_t cosine; /* occlusion: directions are drawn by the cosine, else evenly */
    lb_rgb white;    /* occlusion: what an open sky is shown as */
    uint32_t seed;
    uint32_t samples;       /* samples in each pixel */
    uint32_t frame;         /* number of the frame, by which the sampler draws others in each frame */
    uint32_t footprint;     /* enum lb_footprint_size */
    uint32_t force_diffuse; /* 1: materials are diffuse and as bright as they would be */
} lb_integrator;

/* Starts sample number `sample` of the film's pixel (x, y) as the scene's description has it. Integrators begin here,
 * so that none of them need know what a sampler depends on. */
LB_INLINE void lb_sampler_begin(lb_sampler *sampler, const lb_integrator *integrator, uint32_t x, uint32_t y,
                                uint32_t sample)
{
    lb_sampler_start(sampler, integrator->seed, integrator->frame, x, y, sample);
}

#endif
