#include "core/report/color.h"

#include "core/kernel/film/film.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Ottosson 2020, "A perceptual color space for image processing": linear sRGB of a lightness, a chroma and a hue in
 * turns. */
static void oklch(double lightness, double chroma, double hue, double rgb[3])
{
    double a = chroma * cos(2 * M_PI * hue), b = chroma * sin(2 * M_PI * hue);
    double l = lightness + 0.3963377774 * a + 0.2158037573 * b,
           m = lightness - 0.1055613458 * a - 0.0638541728 * b,
           s = lightness - 0.0894841775 * a - 1.2914855480 * b;
    l = l * l * l, m = m * m * m, s = s * s * s;
    rgb[0] = 4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s;
    rgb[1] = -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s;
    rgb[2] = -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s;
}

static bool is_shown(const double rgb[3])
{
    for (int c = 0; c < 3; c++)
        if (!(rgb[c] >= 0 && rgb[c] <= 1))
            return false;
    return true;
}

/* The most vivid colour of the lightness and hue that screens show. */
static void vivid(double lightness, double hue, uint8_t color[3])
{
    double rgb[3], chroma = 0.17;
    for (oklch(lightness, chroma, hue, rgb); !is_shown(rgb) && chroma > 0; oklch(lightness, chroma, hue, rgb))
        chroma -= 0.005;
    for (int c = 0; c < 3; c++)
        color[c] = lb_srgb_byte((float)rgb[c]);
}

/* The hues of groups lie a golden section apart, so that those of near numbers differ most. */
void lb_owner_color(uint32_t owner, uint8_t color[3])
{
    enum { GROUP = 16, OWN = 12 };
    /* Lightness and hue: blue, orange, green, magenta, yellow, cyan, red, violet, rose, olive, teal, lilac. */
    static const double own[OWN][2] = {{0.62, 0.70}, {0.74, 0.17}, {0.60, 0.40}, {0.58, 0.93},
                                       {0.88, 0.28}, {0.82, 0.56}, {0.54, 0.07}, {0.48, 0.81},
                                       {0.83, 0.99}, {0.55, 0.31}, {0.47, 0.52}, {0.80, 0.83}};
    uint32_t group = owner < OWN ? 0 : (owner - OWN) / GROUP, shade = owner < OWN ? 0 : (owner - OWN) % GROUP;
    if (owner < OWN)
        vivid(own[owner][0], own[owner][1], color);
    else
        vivid(0.40 + 0.50 * shade / (GROUP - 1), fmod(0.04 + group * 0.61803398874989485, 1.0), color);
}

void lb_owned_add(struct lb_owned *owned, const uint8_t color[3], float samples)
{
    for (int c = 0; c < 3; c++)
        owned->color[c] += samples * color[c];
    owned->samples += samples;
}

void lb_owned_color(const struct lb_owned *owned, uint8_t color[3])
{
    for (int c = 0; c < 3; c++)
        color[c] = owned->samples > 0 ? (uint8_t)(owned->color[c] / owned->samples + 0.5f) : 0;
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
