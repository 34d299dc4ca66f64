#include "core/report/color.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The colour of processor number i: its hue lies a golden section beyond that of number i - 1, so that neighbours in
 * number differ most, and lighter and darker ones alternate. */
void lb_owner_color(uint32_t owner, uint8_t color[3])
{
    double hue = fmod(0.62 + owner * 0.61803398874989485, 1.0) * 6;
    double value = owner % 3 == 1 ? 190 : 240, dim = owner % 2 ? 0.30 : 0.15;
    for (int c = 0; c < 3; c++) {
        double distance = fabs(fmod(hue + 2.0 * c, 6.0) - 3);
        double level = distance - 1 < 0 ? 0 : distance - 1 > 1 ? 1 : distance - 1;
        color[c] = (uint8_t)(value * (dim + (1 - dim) * level));
    }
}

static uint8_t ramp(double level)
{
    return (uint8_t)(level <= 0 ? 0 : level >= 1 ? 255 : 255 * level);
}

void lb_heat_color(double level, uint8_t color[3])
{
    color[0] = ramp(2.5 * level);
    color[1] = ramp(2.5 * level - 1);
    color[2] = ramp(5 * level - 4);
}

double lb_heat_level(double cost, double white)
{
    return sqrt(cost / white);
}

static int compare_floats(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

float lb_heat_white(const float *cost, size_t count)
{
    float *sorted = malloc(count * sizeof *sorted);
    if (!sorted)
        return 0;
    memcpy(sorted, cost, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, compare_floats);
    float limit = sorted[count - 1 - count / 1000];
    limit = limit > 0 ? limit : sorted[count - 1];
    free(sorted);
    return limit;
}
