/* Where in a picture the cost lies: a grid of cells, and the cost of any rectangle of pixels in constant time. */
#ifndef LB_STRATEGIES_DENSITY_H
#define LB_STRATEGIES_DENSITY_H

#include "core/strategy.h"

enum lb_cut {
    LB_CUT_FIRST,  /* the first part is the least with so much or more: paper, equations 5 and 6, half-open */
    LB_CUT_NEAREST /* the nearest: half a column better on average */
};

struct lb_density {
    uint32_t width, height; /* of the picture */
    uint32_t cell;          /* side of a cell in pixels */
    uint32_t columns, rows; /* of cells */
    size_t capacity;
    double *sums; /* (columns + 1) x (rows + 1): first each cell's cost, then that of all above and left */
};

/* A grid with no cost; cells of a pixel up to half a million of them. All zero before the first time. */
enum lb_status lb_density_start(struct lb_density *density, uint32_t width, uint32_t height,
                                struct lb_error *error);
/* Spreads `cost` evenly over a rectangle of pixels, which may be empty. Before lb_density_finish. */
void lb_density_add(struct lb_density *density, const lb_rectangle *rectangle, double cost);
/* Adds a map of any size, stretched over the picture: costs, of which negative and no numbers count as 0, or 1 for
 * each cell that is covered. Before lb_density_finish. */
void lb_density_add_map(struct lb_density *density, const struct lb_estimate *map, bool coverage);
/* Gives every cell a thousandth of the mean, so that nothing is free, and sums up. */
void lb_density_finish(struct lb_density *density);
/* The cost of the pixels [x0, x1) x [y0, y1). After lb_density_finish. */
double lb_density_of(const struct lb_density *density, uint32_t x0, uint32_t y0, uint32_t x1, uint32_t y1);
/* Splits a rectangle across its longer side where the first part has `fraction` of the cost, as far as whole columns
 * or rows have it; both parts have a pixel where there are two. */
void lb_density_split(const struct lb_density *density, const lb_rectangle *whole, double fraction,
                      enum lb_cut rule, lb_rectangle parts[2]);
void lb_density_free(struct lb_density *density);

#endif
