/* Where pictures go that a display shows by itself, without a viewer of another program: the terminal, or a page. */
#ifndef LB_CORE_DISPLAY_VIEWER_H
#define LB_CORE_DISPLAY_VIEWER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A picture as a screen shows it: sRGB, three bytes a pixel, row by row from the upper left. */
struct lb_shown {
    uint32_t width, height;
    const uint8_t *rgb;
};

/* Both are called by one thread at a time. */
struct lb_viewer {
    /* Shows the picture, which is the same one as before, only further on, unless `is_new`. */
    void (*show)(struct lb_viewer *viewer, const struct lb_shown *picture, bool is_new);
    /* Frees the viewer. */
    void (*close)(struct lb_viewer *viewer);
};

#endif
