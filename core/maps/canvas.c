#include "core/maps/canvas.h"

#include "core/maps/letters.h"

#include <stdlib.h>
#include <string.h>

static const uint8_t PAPER[3] = {250, 250, 247}, INK[3] = {24, 24, 22};

bool lb_canvas_make(struct lb_canvas *canvas, uint32_t width, uint32_t height)
{
    *canvas = (struct lb_canvas){width, height, malloc((size_t)width * height * 3)};
    if (canvas->bytes)
        lb_canvas_fill(canvas, 0, 0, width, height, PAPER);
    return canvas->bytes != NULL;
}

uint8_t *lb_canvas_at(const struct lb_canvas *canvas, uint32_t x, uint32_t y)
{
    return &canvas->bytes[3 * ((size_t)y * canvas->width + x)];
}

void lb_canvas_fill(struct lb_canvas *canvas, uint32_t x, uint32_t y, uint32_t width, uint32_t height,
                    const uint8_t color[3])
{
    for (uint32_t row = y; row < y + height && row < canvas->height; row++)
        for (uint32_t column = x; column < x + width && column < canvas->width; column++)
            memcpy(lb_canvas_at(canvas, column, row), color, 3);
}

void lb_canvas_write(struct lb_canvas *canvas, uint32_t x, uint32_t y, uint32_t scale, const char *text)
{
    for (; *text; text++, x += (LB_LETTER_WIDTH + 1) * scale)
        for (uint32_t row = 0; row < LB_LETTER_HEIGHT; row++)
            for (uint32_t column = 0; column < LB_LETTER_WIDTH; column++)
                if (lb_letter_dot(*text, column, row))
                    lb_canvas_fill(canvas, x + column * scale, y + row * scale, scale, scale, INK);
}

uint32_t lb_canvas_text_width(const char *text, uint32_t scale)
{
    return (uint32_t)strlen(text) * (LB_LETTER_WIDTH + 1) * scale;
}
