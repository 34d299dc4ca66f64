/* A scene block that holds a film with a filter and nothing else. */
#ifndef LB_TEST_FILTER_SCENE_H
#define LB_TEST_FILTER_SCENE_H

#include "core/kernel/film/around.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* cdf[0 .. n] of the weights; returns their sum. */
static inline double filter_scene_cdf(const double *weights, uint32_t n, float *cdf)
{
    double total = 0.0, sum = 0.0;
    for (uint32_t i = 0; i < n; i++)
        total += weights[i];
    for (uint32_t i = 0; i < n; i++) {
        cdf[i] = (float)(sum / total);
        sum += weights[i];
    }
    cdf[n] = 1.0f;
    return total;
}

/* A film of 64 x 48 pixels with the filter, its tables of `nx` x `ny` cells filled from lb_filter_evaluate;
 * freed by free(). */
static inline lb_scene *filter_scene_make(uint32_t kind, float xradius, float yradius, float a, float b,
                                          uint32_t nx, uint32_t ny)
{
    size_t cells = (size_t)nx * ny, drawn = cells + ny + 1 + (size_t)ny * (nx + 1);
    size_t floats = drawn + LB_AROUND_SIDE * ((size_t)nx + ny);
    size_t start = (sizeof(lb_scene) + 63) / 64 * 64;
    lb_scene *scene = (lb_scene *)calloc(1, start + floats * sizeof(float));
    double *rows = (double *)calloc(ny, sizeof(double)), *row = (double *)calloc(nx, sizeof(double));
    if (scene == NULL || rows == NULL || row == NULL)
        abort();
    lb_filter *filter = &scene->film.filter;
    filter->kind = kind;
    filter->xradius = xradius;
    filter->yradius = yradius;
    filter->a = a;
    filter->b = b;
    filter->nx = nx;
    filter->ny = ny;
    filter->marginal.offset = cells;
    filter->conditional.offset = cells + ny + 1;
    filter->columns.offset = drawn;
    filter->rows.offset = drawn + LB_AROUND_SIDE * nx;
    scene->tables.offset = start;
    float *tables = (float *)((char *)scene + start);
    for (uint32_t y = 0; y < ny; y++) {
        for (uint32_t x = 0; x < nx; x++) {
            float fx = xradius * (2.0f * ((float)x + 0.5f) / (float)nx - 1.0f);
            float fy = yradius * (2.0f * ((float)y + 0.5f) / (float)ny - 1.0f);
            tables[y * nx + x] = lb_filter_evaluate(filter, fx, fy);
            row[x] = fabs((double)tables[y * nx + x]);
        }
        rows[y] = filter_scene_cdf(row, nx, tables + filter->conditional.offset + (size_t)y * (nx + 1));
    }
    filter_scene_cdf(rows, ny, tables + filter->marginal.offset);
    lb_around_table(filter, xradius, nx, tables + filter->columns.offset);
    lb_around_table(filter, yradius, ny, tables + filter->rows.offset);
    free(rows);
    free(row);
    scene->film.full_width = scene->film.width = 64;
    scene->film.full_height = scene->film.height = 48;
    scene->film.imaging_ratio = 1.0f;
    scene->film.max_component = LB_INFINITY;
    return scene;
}

#endif
