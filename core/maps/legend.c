#include "core/maps/legend.h"

#include "core/report/color.h"
#include "core/maps/letters.h"

#include <stdio.h>

/* Lengths in dots, of which letters are made. */
enum {
    MARGIN = 6,
    LINE = 11,
    SWATCH = 7,
    ENTRY = SWATCH + 4 + 38 * (LB_LETTER_WIDTH + 1),
    HOST_NAME = 20, /* letters of it */
    HOST_ENTRY = ENTRY + (1 + HOST_NAME) * (LB_LETTER_WIDTH + 1),
    MOST_ENTRIES = 64
};

/* Pixels of a dot: letters grow with the picture, as who looks at a large one sees it smaller. */
static uint32_t dot_size(uint32_t width)
{
    uint32_t size = width / 640;
    return size < 1 ? 1 : size;
}

static uint32_t larger(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

/* "cpu0      weight 25.00%  share 24.61%", and behind it the name of another host. */
static void write_entry(struct lb_canvas *canvas, uint32_t x, uint32_t y, uint32_t dot, uint32_t owner,
                        const struct lb_report_processor *p)
{
    char text[96];
    uint8_t color[3];
    lb_owner_color(owner, color);
    lb_canvas_fill(canvas, x, y, SWATCH * dot, SWATCH * dot, color);
    snprintf(text, sizeof text, "%-8.12s weight %5.2f%% share %5.2f%% %.*s", p->name, 100 * p->weight,
             100 * p->share, HOST_NAME, p->host ? p->host->host_name : "");
    lb_canvas_write(canvas, x + (SWATCH + 4) * dot, y, dot, text);
}

bool lb_legend_owners(struct lb_canvas *canvas, uint32_t width, uint32_t height,
                      const struct lb_report_balance *b)
{
    uint32_t dot = dot_size(width),
             shown = b->processor_count < MOST_ENTRIES ? b->processor_count : MOST_ENTRIES;
    bool more = shown < b->processor_count;
    uint32_t entry = ENTRY;
    for (uint32_t i = 0; i < shown; i++)
        entry = b->processors[i].host ? HOST_ENTRY : entry;
    uint32_t full = larger(width, (entry + 2 * MARGIN) * dot);
    uint32_t columns = (full - 2 * MARGIN * dot) / (entry * dot);
    uint32_t lines = (shown + more + columns - 1) / columns;
    if (!lb_canvas_make(canvas, full, height + (lines * LINE + 2 * MARGIN) * dot))
        return false;
    for (uint32_t i = 0; i < shown + more; i++) {
        uint32_t x = (MARGIN + i / lines * entry) * dot, y = height + (MARGIN + i % lines * LINE) * dot;
        char text[32];
        snprintf(text, sizeof text, "and %u more", b->processor_count - shown);
        if (i < shown)
            write_entry(canvas, x, y, dot, i, &b->processors[i]);
        else
            lb_canvas_write(canvas, x, y, dot, text);
    }
    return true;
}

static void write_cost(char text[32], double cost, const char *unit)
{
    snprintf(text, 32, cost >= 1000 ? "%.0f %s" : "%.3g %s", cost, unit);
}

/* The scale goes by the square root, as the map: its middle is a quarter. */
bool lb_legend_costs(struct lb_canvas *canvas, uint32_t width, uint32_t height, double white,
                     const char *unit)
{
    enum { LEAST = 200 };
    uint32_t dot = dot_size(width), full = larger(width, (LEAST + 2 * MARGIN) * dot);
    uint32_t left = MARGIN * dot, length = full - 2 * left, top = height + left;
    char quarter[32], most[32];
    if (!lb_canvas_make(canvas, full, height + (2 * LINE + 2 * MARGIN) * dot))
        return false;
    static const uint8_t frame[3] = {120, 120, 116};
    lb_canvas_fill(canvas, left - 1, top - 1, length + 2, SWATCH * dot + 2, frame);
    for (uint32_t x = 0; x < length; x++) {
        uint8_t color[3];
        lb_heat_color((x + 0.5) / length, color);
        lb_canvas_fill(canvas, left + x, top, 1, SWATCH * dot, color);
    }
    write_cost(quarter, white / 4, unit);
    write_cost(most, white, unit);
    top += LINE * dot;
    lb_canvas_write(canvas, left, top, dot, "0");
    lb_canvas_write(canvas, left + length / 2 - lb_canvas_text_width(quarter, dot) / 2, top, dot, quarter);
    lb_canvas_write(canvas, left + length - lb_canvas_text_width(most, dot), top, dot, most);
    return true;
}
