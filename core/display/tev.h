/* Messages to the viewer tev, by the protocol that its README describes (https://github.com/Tom94/tev): a length, an
 * operation, and what belongs to it; whole numbers lowest byte first, texts with a 0 at their end. */
#ifndef LB_CORE_DISPLAY_TEV_H
#define LB_CORE_DISPLAY_TEV_H

#include <stddef.h>
#include <stdint.h>

/* Bytes of a message, beside its texts and values, at most. */
enum { LB_TEV_HEAD = 32 };

/* A new, black image of these channels, which comes to the front; one of the same name goes. Returns the message's
 * bytes; `out` has room for LB_TEV_HEAD and all texts with their zeros. */
size_t lb_tev_create(uint8_t *out, const char *name, uint32_t width, uint32_t height,
                     const char *const *channels, uint32_t channel_count);

/* A rectangle of an image. */
struct lb_tev_tile {
    uint32_t x, y, width, height;
};

/* New values of one channel in a rectangle: the row of pixel (x, y) begins at values[y * image_width], an image that
 * wide. Returns the message's bytes; `out` has room for LB_TEV_HEAD, both texts with their zeros and 4 bytes a value.
 */
size_t lb_tev_update(uint8_t *out, const char *name, const char *channel, const struct lb_tev_tile *tile,
                     const float *values, uint32_t image_width);

#endif
