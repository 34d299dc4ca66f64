/* Media. Part of core/kernel/scene/scene.h. */
#ifndef LB_CORE_KERNEL_SCENE_MEDIA_H
#define LB_CORE_KERNEL_SCENE_MEDIA_H

#include "core/kernel/scene/array.h"

/* The kinds of media. */
enum lb_medium_kind { LB_MEDIUM_HOMOGENEOUS, LB_MEDIUM_GRID, LB_MEDIUM_RGB_GRID, LB_MEDIUM_CLOUD };

/* Samples on a regular grid, between which values are trilinear, and beyond which they are 0. */
typedef struct lb_grid {
    lb_transform index_from_medium; /* sample (i, j, k) lies where this gives i, j, k */
    uint32_t size[3];
    /* 0: there is no grid; 1; 3; or, of colours where those are spectra, 4: the coefficients of a smooth reflectance
     * (core/scene/spectrum/uplift.h), and how many times that it is. */
    uint32_t channels;
    /* Its first float in lb_scene.tables: the channels of a sample together, x fastest, then y, then z. */
    uint64_t first;
} lb_grid;

/* What is no hotter than this, in kelvin, sends no light, as in pbrt. */
#define LB_MEDIUM_COLD 100.0f

/* Rows of a medium's table of black bodies. */
enum { LB_MEDIUM_HEAT_ROWS = 512 };

/* A medium. Members that a comment gives to some kinds mean nothing for the others. */
typedef struct lb_medium {
    uint32_t kind; /* enum lb_medium_kind */
    /* Absorption and scattering per unit of length of world space. Those of grids and clouds are multiplied by the
     * density, those of rgb grids by both grids. */
    lb_rgb sigma_a, sigma_s;
    /* sigma_a for core/kernel/integrators/path.h; 0 in scenes with any_volume, where core/kernel/integrators/volume.h
     * does all of it */
    lb_rgb beer;
    lb_rgb emission; /* per unit of length it sends its absorption times this radiance */
    float g;         /* of its phase function (core/kernel/media/phase.h): the mean cosine, from -1 to 1 */
    /* What varies lies within the box in the medium's own space, and nothing is beyond it. */
    lb_transform medium_from_world;
    lb_box box;
    /* How many cells of equal size the box has, and the first float in lb_scene.tables of their bounds, x fastest, then
     * y, then z. No density in a cell is above its bound, and in rgb grids no sum of absorption and scattering. */
    uint32_t cells[3];
    uint64_t bounds;
    lb_grid density;     /* rgb grids: of absorption; where there is no grid it is 1 */
    lb_grid scattering;  /* rgb grids: of scattering; where there is no grid it is 1 */
    lb_grid glow;        /* multiplies emission */
    lb_grid temperature; /* in kelvin: emission is multiplied by the radiance of a black body */
    /* A temperature is (value - heat_offset) * heat_scale. Where colours are no spectra, the radiance of black bodies
     * stands in lb_scene.tables from `heat` on, in rows of three floats, from LB_MEDIUM_COLD to heat_last kelvin in
     * equal steps. */
    float heat_offset, heat_scale, heat_last;
    uint64_t heat;
    /* Clouds. The permutation is as in lb_texture. */
    float amount, wispiness, frequency;
    uint64_t permutation;
} lb_medium;

#endif
