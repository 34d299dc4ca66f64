#include "strategies/density.h"

#include <stdlib.h>

enum { MOST_CELLS = 1 << 19 };

static double *at(const struct lb_density *density, uint32_t column, uint32_t row)
{
    return &density->sums[(size_t)row * (density->columns + 1) + column];
}

enum lb_status lb_density_start(struct lb_density *density, uint32_t width, uint32_t height,
                                struct lb_error *error)
{
    uint32_t cell = 1;
    while ((uint64_t)((width + cell - 1) / cell) * ((height + cell - 1) / cell) > MOST_CELLS)
        cell++;
    density->width = width;
    density->height = height;
    density->cell = cell;
    density->columns = (width + cell - 1) / cell;
    density->rows = (height + cell - 1) / cell;
    size_t count = (size_t)(density->columns + 1) * (density->rows + 1);
    if (count > density->capacity) {
        free(density->sums);
        density->sums = malloc(count * sizeof *density->sums);
        density->capacity = density->sums == NULL ? 0 : count;
        if (density->sums == NULL)
            return lb_error_memory(error, NULL);
    }
    for (size_t i = 0; i < count; i++)
        density->sums[i] = 0;
    return LB_OK;
}

static double least(double a, double b)
{
    return a < b ? a : b;
}

static double most(double a, double b)
{
    return a > b ? a : b;
}

/* Spreads `cost` over [x0, x1) x [y0, y1) in units of cells. */
static void spread(struct lb_density *density, double x0, double y0, double x1, double y1, double cost)
{
    double each = cost / ((x1 - x0) * (y1 - y0));
    for (uint32_t row = (uint32_t)y0; row < density->rows && (double)row < y1; row++) {
        double high = least(y1, row + 1.0) - most(y0, row);
        for (uint32_t column = (uint32_t)x0; column < density->columns && (double)column < x1; column++)
            *at(density, column, row) += each * high * (least(x1, column + 1.0) - most(x0, column));
    }
}

void lb_density_add(struct lb_density *density, const lb_rectangle *r, double cost)
{
    double cell = density->cell;
    if (r->width == 0 || r->height == 0 || !(cost > 0))
        return;
    spread(density, r->x / cell, r->y / cell, (r->x + r->width) / cell, (r->y + r->height) / cell, cost);
}

void lb_density_add_map(struct lb_density *density, const struct lb_estimate *map, bool coverage)
{
    double across = (double)density->width / density->cell / map->width;
    double down = (double)density->height / density->cell / map->height;
    for (uint32_t y = 0; y < map->height; y++)
        for (uint32_t x = 0; x < map->width; x++) {
            double cost = (double)map->cost[(size_t)y * map->width + x];
            if (coverage)
                cost = cost > 0 ? 1 : 0;
            if (cost > 0 && cost < 1e30)
                spread(density, x * across, y * down, (x + 1) * across, (y + 1) * down, cost);
        }
}

void lb_density_finish(struct lb_density *density)
{
    double whole = 0, floor;
    for (uint32_t row = 0; row < density->rows; row++)
        for (uint32_t column = 0; column < density->columns; column++)
            whole += *at(density, column, row);
    floor = whole > 0 ? 1e-3 * whole / ((double)density->rows * density->columns) : 1;
    /* In place: from the last cell to the first, each moves one down and one right; then sums. */
    for (uint32_t row = density->rows + 1; row-- > 0;)
        for (uint32_t column = density->columns + 1; column-- > 0;)
            *at(density, column, row) =
                row == 0 || column == 0 ? 0 : *at(density, column - 1, row - 1) + floor;
    for (uint32_t row = 1; row <= density->rows; row++)
        for (uint32_t column = 1; column <= density->columns; column++)
            *at(density, column, row) += *at(density, column - 1, row) + *at(density, column, row - 1) -
                                         *at(density, column - 1, row - 1);
}

/* The cost of all above and left of a pixel's corner; within a cell it grows evenly. */
static double corner(const struct lb_density *density, uint32_t x, uint32_t y)
{
    uint32_t column = x / density->cell, row = y / density->cell;
    double u = (double)(x % density->cell) / density->cell, v = (double)(y % density->cell) / density->cell;
    /* The last cells may reach beyond the picture. */
    if (x == density->width && u > 0)
        column++, u = 0;
    if (y == density->height && v > 0)
        row++, v = 0;
    double sum = (1 - u) * (1 - v) * *at(density, column, row);
    if (u > 0)
        sum += u * (1 - v) * *at(density, column + 1, row);
    if (v > 0)
        sum += (1 - u) * v * *at(density, column, row + 1);
    if (u > 0 && v > 0)
        sum += u * v * *at(density, column + 1, row + 1);
    return sum;
}

double lb_density_of(const struct lb_density *density, uint32_t x0, uint32_t y0, uint32_t x1, uint32_t y1)
{
    return corner(density, x1, y1) - corner(density, x0, y1) - corner(density, x1, y0) +
           corner(density, x0, y0);
}

/* The cost of the first k columns, or rows, of a rectangle. */
static double part_of(const struct lb_density *density, const lb_rectangle *r, bool wide, uint32_t k)
{
    return wide ? lb_density_of(density, r->x, r->y, r->x + k, r->y + r->height)
                : lb_density_of(density, r->x, r->y, r->x + r->width, r->y + k);
}

/* The column or row before which a rectangle is cut so that `fraction` of its cost lies before the cut. */
static uint32_t cut_of(const struct lb_density *density, const lb_rectangle *r, bool wide, double fraction,
                       enum lb_cut rule)
{
    uint32_t length = wide ? r->width : r->height, low = 1, high = length - 1;
    if (length < 2)
        return length;
    double all = lb_density_of(density, r->x, r->y, r->x + r->width, r->y + r->height), due = fraction * all;
    while (low < high) {
        uint32_t k = low + (high - low) / 2;
        if (part_of(density, r, wide, k) >= due - 1e-12 * all) /* what rounding may have taken */
            high = k;
        else
            low = k + 1;
    }
    if (rule == LB_CUT_NEAREST && low > 1) {
        double above = part_of(density, r, wide, low) - due, below = due - part_of(density, r, wide, low - 1);
        low -= below < above;
    }
    return low;
}

void lb_density_split(const struct lb_density *density, const lb_rectangle *whole, double fraction,
                      enum lb_cut rule, lb_rectangle parts[2])
{
    bool wide = whole->width >= whole->height;
    uint32_t cut = cut_of(density, whole, wide, fraction, rule);
    parts[0] = parts[1] = *whole;
    if (wide) {
        parts[0].width = cut;
        parts[1].x += cut;
        parts[1].width -= cut;
    } else {
        parts[0].height = cut;
        parts[1].y += cut;
        parts[1].height -= cut;
    }
}

void lb_density_free(struct lb_density *density)
{
    free(density->sums);
    *density = (struct lb_density){0};
}
