/* Samples that count for the pixels around their own as well. A sample's place is drawn from its pixel's filter, and
 * the filters of the pixels around reach it too: each of these might have drawn it. So each gets the sample by its own
 * filter's value there over the sum of all that might have drawn it, by which the picture is what it was and its noise
 * less (the balance heuristic: Veach, Guibas 1995). Where the filter is as narrow as a pixel nothing is shared. */
#ifndef LB_CORE_KERNEL_FILM_AROUND_H
#define LB_CORE_KERNEL_FILM_AROUND_H

#include "core/kernel/film/film.h"
#include "core/kernel/sampler.h"

/* The pixels that a sample may count for: those of a square, its own in the middle. */
#define LB_AROUND_SIDE   3
#define LB_AROUND_PIXELS (LB_AROUND_SIDE * LB_AROUND_SIDE)
#define LB_AROUND_OWN    (LB_AROUND_PIXELS / 2)
/* So many pixels a side might have drawn a sample that counts for one of these; the own one among them. */
#define LB_AROUND_REACH    (LB_AROUND_SIDE + 2)
#define LB_AROUND_OUTLINED (1u << LB_AROUND_REACH * LB_AROUND_REACH / 2)
/* How many sums a pixel has of what its samples are to others: red, green, blue and weight of each of them, row by row,
 * its own left out (LB_CHANNEL_AROUND). */
#define LB_AROUND_SUMS (4 * (LB_AROUND_PIXELS - 1))

/* By how much a sample counts for each of these pixels, row by row. */
typedef struct lb_around {
    float share[LB_AROUND_PIXELS];
} lb_around;

/* The first sum of those that are the pixel's of that number, which is not the own one. */
LB_INLINE uint32_t lb_around_sum(uint32_t number)
{
    return 4u * (number > LB_AROUND_OWN ? number - 1u : number);
}

/* Values of the filter at a place `offset` from pixel number `at` of `size` on an axis: of the pixels from two before
 * it to two behind. Those that are not there have none. */
LB_FUNCTION void lb_around_axis(const lb_filter *filter, float offset, float radius, int64_t at, int64_t size,
                                float values[LB_AROUND_REACH])
{
    LB_ROLLED
    for (int i = 0; i < LB_AROUND_REACH; i++) {
        int64_t place = at + i - 2;
        values[i] =
            place >= 0 && place < size ? lb_filter_axis(filter, offset - (float)(i - 2), radius) : 0.0f;
    }
}

/* The shares of a sample on one axis. */
LB_FUNCTION void lb_around_shares(const float values[LB_AROUND_REACH], float shares[LB_AROUND_SIDE])
{
    LB_ROLLED
    for (int i = 0; i < LB_AROUND_SIDE; i++) {
        float sum = lb_abs(values[i]) + lb_abs(values[i + 1]) + lb_abs(values[i + 2]);
        shares[i] = sum > 0.0f ? values[i + 1] / sum : 0.0f;
    }
}

/* Fills an axis' table of shares (lb_filter.columns, lb_filter.rows). What is drawn from a table has the same density
 * all over a cell, so that the shares of what lies in its middle are those of all of it. */
LB_FUNCTION void lb_around_table(const lb_filter *filter, float radius, uint32_t count, float *shares)
{
    for (uint32_t cell = 0; cell < count; cell++) {
        float values[LB_AROUND_REACH];
        lb_around_axis(filter, lb_filter_middle(cell, count, radius), radius, 2, LB_AROUND_REACH, values);
        lb_around_shares(values, shares + (uint64_t)cell * LB_AROUND_SIDE);
    }
}

/* Which pixels around the film's pixel (x, y), and whether itself, have a light's outline run through them: a bit for
 * each of a square of LB_AROUND_REACH pixels a side, row by row. Such pixels' samples do not count for others, nor
 * those of others for them, as light that is seen comes to them by scouts. */
LB_FUNCTION uint32_t lb_around_outlines(const lb_scene *scene, uint32_t x, uint32_t y)
{
    const lb_film *film = &scene->film;
    uint32_t outlines = 0;
    if (scene->outlines.count == 0)
        return 0;
    LB_ROLLED
    for (int32_t i = 0; i < LB_AROUND_REACH * LB_AROUND_REACH; i++) {
        int64_t column = (int64_t)(x - film->x0) + i % LB_AROUND_REACH - 2;
        int64_t row = (int64_t)(y - film->y0) + i / LB_AROUND_REACH - 2;
        if (column >= 0 && column < film->width && row >= 0 && row < film->height &&
            lb_outline_at(scene, (uint64_t)row * film->width + (uint64_t)column))
            outlines |= 1u << i;
    }
    return outlines;
}

/* Does the film have all pixels on an axis that may have drawn what counts for pixel number `at` and its neighbours? */
LB_INLINE bool lb_around_within(uint32_t at, uint32_t size)
{
    return at >= 2 && at + 2 < size;
}

/* The shares of a sample where some of these pixels have outlines, and so none of it. */
LB_FUNCTION void lb_around_beside(uint32_t outlines, const float column[LB_AROUND_REACH],
                                  const float row[LB_AROUND_REACH], lb_around *around)
{
    float value[LB_AROUND_REACH][LB_AROUND_REACH], sums[LB_AROUND_REACH][LB_AROUND_SIDE];
    for (int j = 0; j < LB_AROUND_REACH; j++) {
        for (int i = 0; i < LB_AROUND_REACH; i++)
            value[j][i] = (outlines >> (j * LB_AROUND_REACH + i) & 1u) != 0 ? 0.0f : column[i] * row[j];
        for (int i = 0; i < LB_AROUND_SIDE; i++)
            sums[j][i] = lb_abs(value[j][i]) + lb_abs(value[j][i + 1]) + lb_abs(value[j][i + 2]);
    }
    for (int j = 0; j < LB_AROUND_SIDE; j++)
        for (int i = 0; i < LB_AROUND_SIDE; i++) {
            float sum = sums[j][i] + sums[j + 1][i] + sums[j + 2][i];
            around->share[j * LB_AROUND_SIDE + i] = sum > 0.0f ? value[j + 1][i + 1] / sum : 0.0f;
        }
}

LB_INLINE void lb_around_multiply(const float columns[LB_AROUND_SIDE], const float rows[LB_AROUND_SIDE],
                                  lb_around *around)
{
    LB_ROLLED
    for (int j = 0; j < LB_AROUND_SIDE; j++)
        for (int i = 0; i < LB_AROUND_SIDE; i++)
            around->share[j * LB_AROUND_SIDE + i] = columns[i] * rows[j];
}

/* The shares of a sample of these cells where not all pixels around have some of it: those do not that the film has
 * not, and those with outlines. Where they make no difference the shares are those of the tables, to the bit, so that a
 * crop is like the whole picture. */
LB_SELDOM void lb_around_some(const lb_film *film, uint32_t x, uint32_t y, const uint32_t cell[2],
                              uint32_t outlines, lb_around *around)
{
    const lb_filter *filter = &film->filter;
    float column[LB_AROUND_REACH], row[LB_AROUND_REACH], columns[LB_AROUND_SIDE], rows[LB_AROUND_SIDE];
    lb_around_axis(filter, lb_filter_middle(cell[0], filter->nx, filter->xradius), filter->xradius,
                   x - film->x0, film->width, column);
    lb_around_axis(filter, lb_filter_middle(cell[1], filter->ny, filter->yradius), filter->yradius,
                   y - film->y0, film->height, row);
    if (outlines != 0) {
        lb_around_beside(outlines, column, row, around);
        return;
    }
    lb_around_shares(column, columns);
    lb_around_shares(row, rows);
    lb_around_multiply(columns, rows, around);
}

/* Where sample number `sample` of the film's pixel (x, y) lies, drawn once more. */
LB_FUNCTION lb_filter_place lb_around_place(const lb_scene *scene, uint32_t x, uint32_t y, uint32_t sample)
{
    lb_sampler sampler;
    lb_sampler_begin(&sampler, &scene->integrator, x, y, sample);
    return lb_filter_sample(scene, lb_sampler_2d(&sampler));
}

/* The shares of a sample of the film's pixel (x, y) that lies at `place`, with the outlines around it. */
LB_FUNCTION void lb_around_share(const lb_scene *scene, uint32_t x, uint32_t y, const lb_filter_place *place,
                                 uint32_t outlines, lb_around *around)
{
    const lb_film *film = &scene->film;
    const lb_filter *filter = &film->filter;
    const float *tables = LB_ARRAY(scene, tables, float);
    uint32_t cell[2];
    if ((outlines & LB_AROUND_OUTLINED) != 0) {
        for (int i = 0; i < LB_AROUND_PIXELS; i++)
            around->share[i] = i == LB_AROUND_OWN ? place->weight : 0.0f;
        return;
    }
    cell[0] = lb_filter_cell(place->offset.x, filter->nx, filter->xradius);
    cell[1] = lb_filter_cell(place->offset.y, filter->ny, filter->yradius);
    if (outlines != 0 || !lb_around_within(x - film->x0, film->width) ||
        !lb_around_within(y - film->y0, film->height)) {
        lb_around_some(film, x, y, cell, outlines, around);
        return;
    }
    lb_around_multiply(tables + filter->columns.offset + (uint64_t)cell[0] * LB_AROUND_SIDE,
                       tables + filter->rows.offset + (uint64_t)cell[1] * LB_AROUND_SIDE, around);
}

/* Adds to a sum. `shared`: other threads may add to it at the same time. */
LB_INLINE void lb_sum_add(int64_t *sum, int64_t value, bool shared)
{
#ifdef __CUDA_ARCH__
    (void)shared;
    atomicAdd((unsigned long long *)sum, (unsigned long long)value);
#else
    if (shared)
        __atomic_fetch_add(sum, value, __ATOMIC_RELAXED);
    else
        *sum += value;
#endif
}

/* Adds a sample to its pixel, and to the pixel's sums for the pixels around (LB_AROUND_SUMS from `sums` on). False: the
 * radiance is NaN or infinite, and nothing was added. */
LB_FUNCTION bool lb_around_add(const lb_scene *scene, const lb_around *around, lb_rgb radiance,
                               lb_film_pixel *pixel, int64_t *sums, bool shared)
{
    double bound = lb_film_bound(scene->integrator.samples);
    lb_rgb c;
    if (!lb_film_take(&scene->film, radiance, &c))
        return false;
    /* What the bound limits is limited before it is shared out: a share is at most the whole. */
    double r = lb_film_limited((double)c.r, bound), g = lb_film_limited((double)c.g, bound);
    double b = lb_film_limited((double)c.b, bound), one = lb_film_limited(1.0, bound);
    LB_ROLLED
    for (uint32_t i = 0; i < LB_AROUND_PIXELS; i++) {
        double share = (double)around->share[i];
        if (share == 0.0)
            continue;
        int64_t *to = i == LB_AROUND_OWN ? pixel->sum : sums + lb_around_sum(i);
        lb_sum_add(to, lb_film_round(r * share), shared);
        lb_sum_add(to + 1, lb_film_round(g * share), shared);
        lb_sum_add(to + 2, lb_film_round(b * share), shared);
        lb_sum_add(i == LB_AROUND_OWN ? &pixel->weight : to + 3, lb_film_round(one * share), shared);
    }
    return true;
}

/* The sum of both, or of what does not fit the number nearest to it. */
LB_INLINE int64_t lb_around_join(int64_t a, int64_t b)
{
    if (b > 0 ? a > INT64_MAX - b : a < INT64_MIN - b)
        return b > 0 ? INT64_MAX : INT64_MIN;
    return a + b;
}

/* Pixel number `at`, row by row, of a picture of width x height `pixels`, whose `sums` of `channels` lie beside each
 * other: with what the samples of the pixels around are to it, where the channels have that; else, and where `sums` is
 * NULL, the pixel as it is. Both arrays have pixel number n at place positions[n], or at n where that is NULL. Among
 * those around each of the others it has the number that they have among those around it, counted from the other
 * end. */
LB_FUNCTION lb_film_pixel lb_around_gather(const lb_film_pixel *pixels, const lb_channels *channels,
                                           const int64_t *sums, const uint64_t *positions, uint32_t width,
                                           uint32_t height, uint64_t at)
{
    lb_film_pixel whole = pixels[positions ? positions[at] : at];
    int64_t x = (int64_t)(at % width), y = (int64_t)(at / width);
    if (!sums || (channels->wanted >> LB_CHANNEL_AROUND & 1) == 0)
        return whole;
    for (uint32_t i = 0; i < LB_AROUND_PIXELS; i++) {
        int64_t column = x + i % LB_AROUND_SIDE - 1, row = y + i / LB_AROUND_SIDE - 1;
        if (i == LB_AROUND_OWN || column < 0 || column >= width || row < 0 || row >= height)
            continue;
        uint64_t other = (uint64_t)(row * width + column);
        const int64_t *from = sums + (positions ? positions[other] : other) * channels->count +
                              channels->first[LB_CHANNEL_AROUND] + lb_around_sum(LB_AROUND_PIXELS - 1 - i);
        for (int c = 0; c < 3; c++)
            whole.sum[c] = lb_around_join(whole.sum[c], from[c]);
        whole.weight = lb_around_join(whole.weight, from[3]);
    }
    return whole;
}

#endif
