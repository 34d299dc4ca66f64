#include "core/report/maps.h"

#include "core/image/image.h"
#include "core/report/color.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum lb_status lb_partition_map_write(const char *path, uint32_t width, uint32_t height,
                                      const uint32_t *owners, struct lb_error *error)
{
    size_t count = (size_t)width * height;
    uint8_t *bytes = calloc(count, 3);
    if (!bytes)
        return lb_error_memory(error, NULL);
    for (size_t i = 0; i < count; i++)
        if (owners[i] != UINT32_MAX)
            lb_owner_color(owners[i], &bytes[3 * i]);
    enum lb_status status = lb_png_write(path, width, height, bytes, error);
    free(bytes);
    return status;
}

/* ---- costs ---- */

static enum lb_status write_heat(const char *path, uint32_t width, uint32_t height, const float *cost,
                                 struct lb_error *error)
{
    size_t count = (size_t)width * height;
    float white = lb_heat_white(cost, count);
    uint8_t *bytes = calloc(count, 3);
    if (!bytes)
        return lb_error_memory(error, NULL);
    for (size_t i = 0; i < count && white > 0; i++)
        lb_heat_color(lb_heat_level((double)cost[i], (double)white), &bytes[3 * i]);
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
