#include "core/maps/maps.h"

#include "core/base/ending.h"
#include "core/image/image.h"
#include "core/maps/legend.h"

#include <stdlib.h>
#include <string.h>

/* A map so large that it fills a PNG goes without its legend. `made`: the canvas was made, with it. False: out of
 * memory. */
static bool fit(const char *path, uint32_t width, uint32_t height, bool made, struct lb_canvas *canvas)
{
    struct lb_error ignored;
    if (!made || lb_png_fits(path, canvas->width, canvas->height, 8, &ignored) == LB_OK)
        return made;
    free(canvas->bytes);
    return lb_canvas_make(canvas, width, height);
}

static enum lb_status write_canvas(const char *path, struct lb_canvas *canvas, struct lb_error *error)
{
    enum lb_status status = lb_png_write(path, canvas->width, canvas->height, canvas->bytes, error);
    free(canvas->bytes);
    return status;
}

enum lb_status lb_partition_map_write(const char *path, uint32_t width, uint32_t height,
                                      const struct lb_owned *owned, const struct lb_report_balance *balance,
                                      struct lb_error *error)
{
    struct lb_canvas canvas;
    bool made = lb_legend_owners(&canvas, width, height, balance);
    if (!fit(path, width, height, made, &canvas))
        return lb_error_memory(error, NULL);
    for (uint32_t y = 0; y < height; y++)
        for (uint32_t x = 0; x < width; x++)
            lb_owned_color(&owned[(size_t)y * width + x], lb_canvas_at(&canvas, x, y));
    return write_canvas(path, &canvas, error);
}

/* ---- costs ---- */

static enum lb_status write_heat(const char *path, uint32_t width, uint32_t height, const float *cost,
                                 const char *unit, struct lb_error *error)
{
    double white = (double)lb_heat_white(cost, (size_t)width * height);
    struct lb_canvas canvas;
    bool made = lb_legend_costs(&canvas, width, height, white, unit);
    if (!fit(path, width, height, made, &canvas))
        return lb_error_memory(error, NULL);
    for (uint32_t y = 0; y < height; y++)
        for (uint32_t x = 0; x < width; x++) {
            double one = (double)cost[(size_t)y * width + x];
            lb_heat_color(white > 0 ? lb_heat_level(one, white) : 0, lb_canvas_at(&canvas, x, y));
        }
    return write_canvas(path, &canvas, error);
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
                                 const char *unit, struct lb_error *error)
{
    if (lb_ends_in(path, ".pfm"))
        return write_costs(path, width, height, cost, error);
    return write_heat(path, width, height, cost, unit, error);
}
