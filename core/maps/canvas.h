/* A map with room below it, to draw a legend in. */
#ifndef LB_CORE_MAPS_CANVAS_H
#define LB_CORE_MAPS_CANVAS_H

#include "core/base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* 8-bit RGB, row 0 the top. */
struct lb_canvas {
    uint32_t width, height;
    uint8_t *bytes; /* released by free() */
};

/* All in the colour of paper. False: out of memory. */
bool lb_canvas_make(struct lb_canvas *canvas, uint32_t width, uint32_t height);
uint8_t *lb_canvas_at(const struct lb_canvas *canvas, uint32_t x, uint32_t y);
/* A rectangle; what is outside the canvas is left out, here and below. */
void lb_canvas_fill(struct lb_canvas *canvas, uint32_t x, uint32_t y, uint32_t width, uint32_t height,
                    const uint8_t color[3]);
/* In ink; each dot of a letter is `scale` pixels on a side. */
void lb_canvas_write(struct lb_canvas *canvas, uint32_t x, uint32_t y, uint32_t scale, const char *text);
/* The width in pixels of a text that lb_canvas_write writes. */
uint32_t lb_canvas_text_width(const char *text, uint32_t scale);

#endif
