/* Tests whether the directions that a scattering function samples follow the density that it states. cmocka's headers
 * must be included before. */
#ifndef LB_TEST_UNIT_DENSITY_TEST_H
#define LB_TEST_UNIT_DENSITY_TEST_H

#include "core/kernel/materials/bsdf.h"

#include <math.h>

static float unit(lb_random *random)
{
    return lb_random_1d(random);
}

enum { COLUMNS = 16, ROWS = 16, CELLS = COLUMNS * ROWS };

static int cell_of(lb_vec3 w)
{
    int row = (int)((w.z + 1.0f) * 0.5f * ROWS);
    int column = (int)((atan2(w.y, w.x) / (2.0 * M_PI) + 0.5) * COLUMNS);
    return (row < ROWS ? row : ROWS - 1) * COLUMNS + (column < COLUMNS ? column : COLUMNS - 1);
}

/* Point i of fine * fine in a cell, each in a part of the same size. */
static lb_vec3 cell_point(int cell, int i, int fine)
{
    double z = -1.0 + 2.0 * (cell / COLUMNS + (i / fine + 0.5) / fine) / ROWS;
    double turn = (cell % COLUMNS + (i % fine + 0.5) / fine) / COLUMNS - 0.5;
    return lb_vector_around((float)z, (float)(turn < 0.0 ? turn + 1.0 : turn));
}

/* The stated density, summed up over each cell of the sphere. */
static void expected_cells(const lb_bsdf *bsdf, double cells[CELLS])
{
    enum { FINE = 24 };
    for (int cell = 0; cell < CELLS; cell++) {
        double sum = 0.0;
        for (int i = 0; i < FINE * FINE; i++) {
            float pdf;
            lb_bsdf_evaluate(bsdf, cell_point(cell, i, FINE), &pdf);
            sum += (double)pdf;
        }
        cells[cell] = sum / (FINE * FINE) * 4.0 * M_PI / CELLS;
    }
}

/* The samples fall into the cells of the sphere as the density says (chi-square), and it sums to the part of the
 * samples that succeed. */
static void check_density(const lb_bsdf *bsdf, int round, lb_random *random)
{
    double expected[CELLS], counted[CELLS] = {0}, chi = 0.0, sum = 0.0;
    int count = 20000, succeeded = 0, used = 0;
    expected_cells(bsdf, expected);
    for (int i = 0; i < count; i++) {
        lb_scatter scatter;
        float lobe = unit(random);
        lb_vec2 u = lb_random_2d(random);
        if (!lb_bsdf_sample(bsdf, lobe, u, &scatter))
            continue;
        succeeded++;
        counted[cell_of(scatter.direction)] += 1.0;
    }
    for (int cell = 0; cell < CELLS; cell++) {
        double due = expected[cell] * count;
        sum += expected[cell];
        if (due < 8.0)
            continue;
        chi += (counted[cell] - due) * (counted[cell] - due) / due;
        used++;
    }
    assert_true(fabs(sum - (double)succeeded / count) < 0.02);
    /* Six standard deviations of chi-square, and what the cells' midpoints are off. */
    assert_true(used > 0);
    if (chi > used + 6.0 * sqrt(2.0 * used) + 0.1 * used)
        fail_msg("round %d kind %u: chi-square %g of %d cells", round, bsdf->kind, chi, used);
}

#endif
