/* Makes messages to the viewer tev, by the protocol that its README describes (https://github.com/Tom94/tev). A message
 * is its length in bytes, an operation, and what belongs to that operation. Whole numbers have their lowest byte first,
 * texts end with a 0. */
#ifndef LB_CORE_DISPLAY_TEV_H
#define LB_CORE_DISPLAY_TEV_H

#include <stddef.h>
#include <stdint.h>

/* The most bytes that a message has beside its texts and its values. */
enum { LB_TEV_HEAD = 32 };

/* Makes the message for a new, black image of these channels, which comes to the front in the viewer and replaces
 * one of the same name. Returns the message's bytes; `out` has room for LB_TEV_HEAD bytes and all texts with their
 * zeros. */
size_t lb_tev_create(uint8_t *out, const char *name, uint32_t width, uint32_t height,
                     const char *const *channels, uint32_t channel_count);

/* A rectangle of an image, in pixels from its upper left. */
struct lb_tev_tile {
    uint32_t x, y, width, height;
};

/* Makes the message that gives one channel new values in a rectangle. `values` is that channel of the whole image,
 * which is `image_width` pixels wide: the value of pixel (x, y) is values[y * image_width + x]. Returns the message's
 * bytes; `out` has room for LB_TEV_HEAD bytes, both texts with their zeros and 4 bytes for each value. */
size_t lb_tev_update(uint8_t *out, const char *name, const char *channel, const struct lb_tev_tile *tile,
                     const float *values, uint32_t image_width);

#endif
