/* What a scene knows of where its light comes from, by which paths choose their directions: core/kernel/guiding/guide.h
 * says how. Part of core/kernel/scene/scene.h. */
#ifndef LB_CORE_KERNEL_SCENE_GUIDE_H
#define LB_CORE_KERNEL_SCENE_GUIDE_H

#include "core/kernel/vec.h"

/* Bins on a side of the square of directions, and in all. */
#define LB_GUIDE_SIDE 16u
#define LB_GUIDE_BINS (LB_GUIDE_SIDE * LB_GUIDE_SIDE)
/* The classes of surfaces. The halves of the first nodes are the ways to their trees. */
#define LB_GUIDE_CLASSES 6u
/* A tree begins below a grid of so many steps in all, as a power of two. */
#define LB_GUIDE_GRID_BITS 12u
/* What a way has in place of an axis where it ends at a cell. */
#define LB_GUIDE_LEAF 3u
/* Cells and sums are whole cache lines of so many bytes, and begin with one. */
#define LB_GUIDE_LINE 64u

/* No guide has more cells. */
#define LB_GUIDE_MOST_CELLS 65536u

typedef struct lb_guide_node {
    float at; /* what lies below it along the axis is in the first half, all else in the second */
    /* The way on in each half: four times a node's number and the axis that it cuts, 0 to 2, or four times a cell's
     * number and LB_GUIDE_LEAF. So a way of one step looks at no node. */
    uint32_t ways[2];
} lb_guide_node;

/* By what a cell draws directions. The rows, of which everyone asks, share a line with the probability, and no row's
 * columns are in two. */
typedef struct lb_guide_cell {
    float chance; /* with this probability the material draws, and not the cell; 1: always */
    uint32_t unused[7];
    /* The probability of the rows before this one, in units of 2^-16, and within a row of the columns before. */
    uint16_t rows[LB_GUIDE_SIDE], columns[LB_GUIDE_BINS];
} lb_guide_cell;

/* A grid over the scene's box, for each class of surfaces: the ways on from its steps. */
typedef struct lb_guide_grid {
    lb_vec3 lower, inverse; /* of the box; one over what a grid's step is along each axis */
    uint32_t bits[3];       /* steps along each axis, as a power of two: LB_GUIDE_GRID_BITS in all */
    uint32_t paths;         /* that all was learned from; 0: there is no guide */
} lb_guide_grid;

#endif
