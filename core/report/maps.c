#include "core/report/maps.h"

#include "core/image/image.h"
#include "core/report/film_picture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Hues a golden section apart, so that neighbours in number differ most; a lighter and a darker turn. */
static void owner_color(uint32_t owner, uint8_t color[3])
{
    double hue = fmod(0.62 + owner * 0.61803398874989485, 1.0) * 6;
    double value = owner % 3 == 1 ? 190 : 240, dim = owner % 2 ? 0.30 : 0.15;
    for (int c = 0; c < 3; c++) {
        double distance = fabs(fmod(hue + 2.0 * c, 6.0) - 3);
        double level = distance - 1 < 0 ? 0 : distance - 1 > 1 ? 1 : distance - 1;
        color[c] = (uint8_t)(value * (dim + (1 - dim) * level));
    }
}

enum lb_status lb_partition_map_write(const char *path, uint32_t width, uint32_t height,
                                      const uint32_t *owners, struct lb_error *error)
{
    size_t count = (size_t)width * height;
    uint8_t *bytes = calloc(count, 3);
    if (!bytes)
        return lb_error_memory(error, NULL);
    for (size_t i = 0; i < count; i++)
        if (owners[i] != UINT32_MAX)
            owner_color(owners[i], &bytes[3 * i]);
    enum lb_status status = lb_png_write(path, width, height, bytes, error);
    free(bytes);
    return status;
}

/* ---- costs ---- */

static int compare_floats(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

/* The cost that only a thousandth of the pixels exceed; 0: out of memory or nothing costs anything. */
static float dearest(const float *cost, size_t count)
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

static uint8_t ramp(double level)
{
    return (uint8_t)(level <= 0 ? 0 : level >= 1 ? 255 : 255 * level);
}

static enum lb_status write_heat(const char *path, uint32_t width, uint32_t height, const float *cost,
                                 struct lb_error *error)
{
    size_t count = (size_t)width * height;
    float limit = dearest(cost, count);
    uint8_t *bytes = calloc(count, 3);
    if (!bytes)
        return lb_error_memory(error, NULL);
    for (size_t i = 0; i < count && limit > 0; i++) {
        double level = sqrt((double)cost[i] / (double)limit);
        bytes[3 * i] = ramp(2.5 * level);
        bytes[3 * i + 1] = ramp(2.5 * level - 1);
        bytes[3 * i + 2] = ramp(5 * level - 4);
    }
    enum lb_status status = lb_png_write(path, width, height, bytes, error);
    free(bytes);
    return status;
}

static enum lb_status write_costs(const char *path, uint32_t width, uint32_t height, const float *cost,
                                  struct lb_error *error)
{
    size_t count = (size_t)width * height;
    float *floats = malloc(3 * count * sizeof *floats);
    if (!floats)
        return lb_error_memory(error, NULL);
    for (size_t i = 0; i < 3 * count; i++)
        floats[i] = cost[i / 3];
    enum lb_status status = lb_pfm_write(path, width, height, floats, error);
    free(floats);
    return status;
}

enum lb_status lb_cost_map_write(const char *path, uint32_t width, uint32_t height, const float *cost,
                                 struct lb_error *error)
{
    size_t length = strlen(path);
    if (length > 4 && !strcasecmp(path + length - 4, ".pfm"))
        return write_costs(path, width, height, cost, error);
    return write_heat(path, width, height, cost, error);
}
