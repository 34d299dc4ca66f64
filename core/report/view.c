#include "core/report/view.h"

#include "core/image/png_memory.h"
#include "core/kernel/film/around.h"
#include "core/report/color.h"

#include <stdlib.h>
#include <string.h>

/* The longest side of what is shown: a page is looked at, and not larger than it need be. */
enum { MOST_PIXELS = 1600 };

/* Gives the colour of a pixel of the frame. */
typedef void color_of(const struct lb_view_source *source, double white, size_t pixel, uint8_t color[3]);

static void color_picture(const struct lb_view_source *source, double white, size_t pixel, uint8_t color[3])
{
    (void)white;
    const float *instead = source->colors ? source->colors + 3 * pixel : NULL;
    lb_film_pixel whole = lb_around_gather(source->pixels, source->channels, source->sums, NULL,
                                           source->width, source->height, pixel);
    lb_rgb c = instead ? lb_rgb_make(instead[0], instead[1], instead[2]) : lb_film_rgb(&whole);
    color[0] = lb_srgb_byte(c.r);
    color[1] = lb_srgb_byte(c.g);
    color[2] = lb_srgb_byte(c.b);
}

static void color_owner(const struct lb_view_source *source, double white, size_t pixel, uint8_t color[3])
{
    (void)white;
    lb_owned_color(&source->owned[pixel], color);
}

static void color_cost(const struct lb_view_source *source, double white, size_t pixel, uint8_t color[3])
{
    lb_heat_color(white > 0 ? lb_heat_level((double)source->cost[pixel], white) : 0, color);
}

/* The mean of those pixels of a square that lie in the frame. */
static void mean_color(const struct lb_view_source *source, uint32_t square, uint32_t x, uint32_t y,
                       color_of *color, double white, uint8_t mean[3])
{
    uint32_t sum[3] = {0}, count = 0;
    for (uint32_t row = y * square; row < (y + 1) * square && row < source->height; row++)
        for (uint32_t column = x * square; column < (x + 1) * square && column < source->width; column++) {
            uint8_t one[3];
            color(source, white, (size_t)row * source->width + column, one);
            for (int c = 0; c < 3; c++)
                sum[c] += one[c];
            count++;
        }
    for (int c = 0; c < 3; c++)
        mean[c] = (uint8_t)((sum[c] + count / 2) / count);
}

static bool draw(const struct lb_view_source *source, const struct lb_view *view, color_of *color,
                 struct lb_view_png *png)
{
    uint8_t *bytes = malloc(3 * (size_t)view->width * view->height);
    for (uint32_t y = 0; bytes && y < view->height; y++)
        for (uint32_t x = 0; x < view->width; x++) {
            uint8_t *at = &bytes[3 * ((size_t)y * view->width + x)];
            mean_color(source, view->reduced, x, y, color, view->cost_white, at);
        }
    png->data = bytes ? lb_png_in_memory(view->width, view->height, bytes, &png->size) : NULL;
    free(bytes);
    return png->data != NULL;
}

static bool take_spans(const struct lb_view_source *source, struct lb_view *view)
{
    view->span_count = source->spans ? source->span_count : 0;
    view->spans = malloc((view->span_count + 1) * sizeof *view->spans);
    if (view->spans && view->span_count)
        memcpy(view->spans, source->spans, view->span_count * sizeof *view->spans);
    return view->spans != NULL;
}

struct lb_view *lb_view_make(const struct lb_view_source *source)
{
    struct lb_view *view = calloc(1, sizeof *view);
    if (!view)
        return NULL;
    uint32_t longest = source->width > source->height ? source->width : source->height;
    view->reduced = (longest + MOST_PIXELS - 1) / MOST_PIXELS;
    view->width = (source->width + view->reduced - 1) / view->reduced;
    view->height = (source->height + view->reduced - 1) / view->reduced;
    view->cost_in_seconds = source->cost_in_seconds;
    if (source->cost)
        view->cost_white = (double)lb_heat_white(source->cost, (size_t)source->width * source->height);
    if (take_spans(source, view) && (!source->pixels || draw(source, view, color_picture, &view->picture)) &&
        (!source->owned || draw(source, view, color_owner, &view->owners)) &&
        (!source->cost || draw(source, view, color_cost, &view->cost)))
        return view;
    lb_view_free(view);
    return NULL;
}

size_t lb_view_size(const struct lb_view *view)
{
    return view->picture.size + view->owners.size + view->cost.size;
}

void lb_view_free(struct lb_view *view)
{
    if (!view)
        return;
    free(view->picture.data);
    free(view->owners.data);
    free(view->cost.data);
    free(view->spans);
    free(view);
}
