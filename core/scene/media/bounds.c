/* Bounds of the densities of media that vary: the largest density of each cell of a coarse grid over the medium. */
#include "core/scene/media/media.h"
#include "core/scene/builder/messages.h"

#include <string.h>

/* Cells of bounds along an axis: as many as samples where these are few, else a cell for four of them, at most so
 * many. */
enum { CELLS_FEW = 16, CELL_SAMPLES = 4, CELLS_MOST = 64 };

/* Along one axis, the samples first .. last that a point of cell number `cell` is interpolated from. The grid's axes
 * are the medium's. */
static void samples_of_cell(const lb_medium *medium, const lb_grid *grid, int axis, uint32_t cell,
                            uint32_t *first, uint32_t *last)
{
    const double slack = 1e-3;
    double lower = (double)medium->box.lower[axis], side = (double)medium->box.upper[axis] - lower;
    double scale = (double)grid->index_from_medium.m[axis][axis],
           offset = (double)grid->index_from_medium.m[axis][3];
    double a = (lower + side * cell / medium->cells[axis]) * scale + offset;
    double b = (lower + side * (cell + 1) / medium->cells[axis]) * scale + offset;
    double low = (a < b ? a : b) - slack, high = (a < b ? b : a) + slack, end = grid->size[axis] - 1;
    *first = low > 0.0 ? (uint32_t)(low < end ? low : end) : 0;
    *last = high > 0.0 ? (uint32_t)(high + 1.0 < end ? high + 1.0 : end) : 0;
}

/* Are the grid's axes the medium's? */
static bool is_aligned(const lb_grid *grid)
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            if (i != j && grid->index_from_medium.m[i][j] != 0.0f)
                return false;
    return true;
}

/* The largest channel of the samples in a cell. */
static float most_in_cell(const lb_medium *medium, const lb_grid *grid, const float *values,
                          const uint32_t cell[3])
{
    uint32_t first[3], last[3];
    float most = 0.0f;
    for (int i = 0; i < 3; i++) {
        first[i] = 0;
        last[i] = grid->size[i] - 1;
        if (is_aligned(grid))
            samples_of_cell(medium, grid, i, cell[i], &first[i], &last[i]);
    }
    for (uint32_t z = first[2]; z <= last[2]; z++)
        for (uint32_t y = first[1]; y <= last[1]; y++) {
            const float *row = values + ((size_t)z * grid->size[1] + y) * grid->size[0] * grid->channels;
            for (uint32_t x = first[0]; grid->channels == 4 && x <= last[0]; x++)
                most = lb_max(most, lb_build_most_of_spectrum(row + 4 * x));
            if (grid->channels == 4)
                continue;
            for (uint32_t i = first[0] * grid->channels; i < (last[0] + 1) * grid->channels; i++)
                most = row[i] > most ? row[i] : most;
        }
    return most;
}

void lb_build_medium_bound(const struct lb_builder *builder, const lb_medium *medium, const lb_grid *grid,
                           float scale)
{
    float *tables = builder->arrays.tables.data, *bounds = tables + medium->bounds;
    const uint32_t *cells = medium->cells;
    for (uint32_t z = 0; z < cells[2]; z++)
        for (uint32_t y = 0; y < cells[1]; y++)
            for (uint32_t x = 0; x < cells[0]; x++) {
                const uint32_t cell[3] = {x, y, z};
                float most = grid->channels ? most_in_cell(medium, grid, tables + grid->first, cell) : 1.0f;
                bounds[(z * cells[1] + y) * cells[0] + x] += scale * most;
            }
}

enum lb_status lb_build_medium_cells(struct lb_builder *builder, const uint32_t size[3], lb_medium *medium)
{
    size_t count = 1;
    for (int i = 0; i < 3; i++) {
        uint32_t n = size[i], fine = n / CELL_SAMPLES;
        medium->cells[i] = n <= CELLS_FEW      ? n
                           : fine <= CELLS_FEW ? CELLS_FEW
                           : fine < CELLS_MOST ? fine
                                               : CELLS_MOST;
        count *= medium->cells[i];
    }
    medium->bounds = builder->arrays.tables.count;
    float *bounds = lb_vector_add(&builder->arrays.tables, count);
    if (!bounds)
        return lb_build_no_memory(builder);
    memset(bounds, 0, count * sizeof *bounds);
    return LB_OK;
}

enum lb_status lb_build_grid_bounds(struct lb_builder *builder, lb_medium *medium)
{
    /* Of a turned grid all of it is one cell. */
    static const uint32_t single[3] = {1, 1, 1};
    enum lb_status status =
        lb_build_medium_cells(builder, is_aligned(&medium->density) ? medium->density.size : single, medium);
    if (status == LB_OK)
        lb_build_medium_bound(builder, medium, &medium->density, 1.0f);
    return status;
}
