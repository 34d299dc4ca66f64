#include "core/run/noise_around.h"

#include <math.h>
#include <stdlib.h>

/* How far around a pixel others tell of its noise. */
enum { NEAR = 2, FAR = 4 };
/* Pixels darker than this part of the mean count as if they were as bright: nobody sees their noise. */
static const double DARK = 0.1;

/* By pixel, in arrays as large as the picture: */
struct maps {
    uint32_t width, height;
    const double *squares; /* its variance, */
    double *bright;        /* its brightness, */
    double *brights;       /* the sum of that over it and its neighbours */
    double *variance;      /* of a sample, beside the square of the brightness around it, */
    double *near;          /* and the sum of that over the pixels up to NEAR from it, */
    double *far;           /* up to FAR */
    double *rows;          /* for sums that are not ready */
    double floor;          /* the square of what counts as dark */
};

/* Pixels first to last - 1 of a line of `size` pixels are at most `reach` from pixel `at`. */
static uint32_t first_near(uint32_t at, uint32_t reach)
{
    return at < reach ? 0 : at - reach;
}

static uint32_t last_near(uint32_t at, uint32_t reach, uint32_t size)
{
    return size - at > reach ? at + reach + 1 : size;
}

/* How many pixels are at most `reach` from (x, y). */
static double count_near(const struct maps *m, uint32_t x, uint32_t y, uint32_t reach)
{
    return (double)(last_near(x, reach, m->width) - first_near(x, reach)) *
           (last_near(y, reach, m->height) - first_near(y, reach));
}

/* Sums over the pixels at most `reach` from each: along rows first, then along columns. */
static void sum_near(const struct maps *m, const double *map, uint32_t reach, double *sums)
{
    size_t width = m->width;
    for (uint32_t y = 0; y < m->height; y++)
        for (uint32_t x = 0; x < m->width; x++) {
            double sum = 0;
            for (uint32_t u = first_near(x, reach); u < last_near(x, reach, m->width); u++)
                sum += map[y * width + u];
            m->rows[y * width + x] = sum;
        }
    for (uint32_t y = 0; y < m->height; y++)
        for (uint32_t x = 0; x < m->width; x++) {
            double sum = 0;
            for (uint32_t v = first_near(y, reach); v < last_near(y, reach, m->height); v++)
                sum += m->rows[v * width + x];
            sums[y * width + x] = sum;
        }
}

static double brightness(const lb_film_pixel *pixel)
{
    double sum = (double)pixel->sum[0] + (double)pixel->sum[1] + (double)pixel->sum[2];
    return pixel->weight > 0 ? sum / (3 * (double)pixel->weight) : 0;
}

static double beside_bright(const struct maps *m, double squares, double brights, double count)
{
    double mean = brights / count, square = mean * mean + m->floor;
    return square > 0 ? squares / square : 0;
}

static void maps_fill(const lb_film_pixel *pixels, struct maps *m)
{
    size_t count = (size_t)m->width * m->height, i = 0;
    double sum = 0;
    for (i = 0; i < count; i++)
        sum += m->bright[i] = brightness(&pixels[i]);
    double dark = DARK * sum / (double)count;
    m->floor = dark * dark;
    sum_near(m, m->bright, 1, m->brights);
    i = 0;
    for (uint32_t y = 0; y < m->height; y++)
        for (uint32_t x = 0; x < m->width; x++, i++)
            m->variance[i] = beside_bright(m, m->squares[i], m->brights[i], count_near(m, x, y, 1));
    sum_near(m, m->variance, NEAR, m->near);
    sum_near(m, m->variance, FAR, m->far);
}

static bool maps_make(const lb_film_pixel *pixels, struct maps *m)
{
    size_t count = (size_t)m->width * m->height;
    double **const arrays[] = {&m->bright, &m->brights, &m->variance, &m->near, &m->far, &m->rows};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        if (!(*arrays[i] = malloc(count * sizeof **arrays[i])))
            return false;
    maps_fill(pixels, m);
    return true;
}

static void maps_free(struct maps *m)
{
    free(m->bright);
    free(m->brights);
    free(m->variance);
    free(m->near);
    free(m->far);
    free(m->rows);
}

/* What the pixel's own samples have added to the sums around it: its variance, and what its brightness changes of its
 * neighbours' variance beside the brightness around them. */
static double own_part(const struct maps *m, uint32_t x, uint32_t y)
{
    size_t at = (size_t)y * m->width + x;
    double own = m->variance[at];
    for (uint32_t v = first_near(y, 1); v < last_near(y, 1, m->height); v++)
        for (uint32_t u = first_near(x, 1); u < last_near(x, 1, m->width); u++) {
            size_t there = (size_t)v * m->width + u;
            if (there != at)
                own += m->variance[there] - beside_bright(m, m->squares[there],
                                                          m->brights[there] - m->bright[at],
                                                          count_near(m, u, v, 1) - 1);
        }
    return own;
}

/* How noisy the pixels around (x, y) are, without that one. Few pixels near it tell best what its own noise may be, as
 * long as they can tell it; more of them are surer of it. */
static double noise_around(const struct maps *m, uint32_t x, uint32_t y)
{
    size_t at = (size_t)y * m->width + x;
    double own = own_part(m, x, y), count = count_near(m, x, y, NEAR) - 1;
    double near = (m->near[at] - own) / count, far = (m->far[at] - own) / (count_near(m, x, y, FAR) - 1);
    return count > 0 ? (sqrt(near > 0 ? near : 0) + sqrt(far > 0 ? far : 0)) / 2 : 0;
}

static float bounded(double noise)
{
    return noise >= 0 && noise < (double)LB_NOISE_MOST ? (float)noise : LB_NOISE_MOST;
}

bool lb_noise_around(uint32_t width, uint32_t height, const lb_film_pixel *pixels, const double *squares,
                     float *noise, float *own)
{
    struct maps maps = {.width = width, .height = height, .squares = squares};
    bool made = maps_make(pixels, &maps);
    size_t i = 0;
    for (uint32_t y = 0; made && y < height; y++)
        for (uint32_t x = 0; x < width; x++, i++) {
            noise[i] = bounded(noise_around(&maps, x, y));
            if (own)
                own[i] = bounded(maps.variance[i]);
        }
    maps_free(&maps);
    return made;
}
