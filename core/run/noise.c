#include "core/run/noise.h"

#include <math.h>

static double grey(const lb_film_pixel *pixel)
{
    double sum = (double)pixel->sum[0] + (double)pixel->sum[1] + (double)pixel->sum[2];
    return sum / (double)pixel->weight;
}

double lb_noise_between(const lb_film_pixel *one, const lb_film_pixel *other, uint64_t count)
{
    double squares = 0, mean = 0;
    uint64_t both = 0;
    for (uint64_t i = 0; i < count; i++) {
        double a = (double)one[i].weight, b = (double)other[i].weight;
        if (!(a > 0 && b > 0))
            continue;
        double x = grey(&one[i]), y = grey(&other[i]);
        /* The difference has the variance s/a + s/b, the mean of all samples s/(a + b). */
        squares += (x - y) * (x - y) * a * b / ((a + b) * (a + b));
        mean += (a * x + b * y) / (a + b);
        both++;
    }
    return both > 0 && mean > 0 ? sqrt(squares / (double)both) / (mean / (double)both) : -1;
}
