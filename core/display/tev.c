#include "core/display/tev.h"

#include <stdbool.h>
#include <string.h>

/* tev's numbers for the operations, which its versions since 2019 know. */
enum { UPDATE_IMAGE = 3, CREATE_IMAGE = 4 };

/* Both write at `at` and return the place behind what they wrote. */
static uint8_t *put_number(uint8_t *at, uint32_t number)
{
    for (int i = 0; i < 4; i++)
        at[i] = (uint8_t)(number >> 8 * i);
    return at + 4;
}

static uint8_t *put_text(uint8_t *at, const char *text)
{
    size_t size = strlen(text) + 1;
    memcpy(at, text, size);
    return at + size;
}

/* Writes the beginning of a message, all but its length, which comes first and is known last. */
static uint8_t *begin(uint8_t *out, uint8_t operation, bool comes_to_front, const char *name)
{
    out[4] = operation;
    out[5] = comes_to_front;
    return put_text(out + 6, name);
}

/* Writes the length of the message that ends at `at`, and returns it. */
static size_t end(uint8_t *out, const uint8_t *at)
{
    size_t size = (size_t)(at - out);
    put_number(out, (uint32_t)size);
    return size;
}

size_t lb_tev_create(uint8_t *out, const char *name, uint32_t width, uint32_t height,
                     const char *const *channels, uint32_t channel_count)
{
    uint8_t *at = begin(out, CREATE_IMAGE, true, name);
    at = put_number(at, width);
    at = put_number(at, height);
    at = put_number(at, channel_count);
    for (uint32_t i = 0; i < channel_count; i++)
        at = put_text(at, channels[i]);
    return end(out, at);
}

size_t lb_tev_update(uint8_t *out, const char *name, const char *channel, const struct lb_tev_tile *tile,
                     const float *values, uint32_t image_width)
{
    uint8_t *at = put_text(begin(out, UPDATE_IMAGE, false, name), channel);
    at = put_number(at, tile->x);
    at = put_number(at, tile->y);
    at = put_number(at, tile->width);
    at = put_number(at, tile->height);
    for (uint32_t y = tile->y; y < tile->y + tile->height; y++)
        for (uint32_t x = tile->x; x < tile->x + tile->width; x++) {
            uint32_t bits;
            memcpy(&bits, &values[(size_t)y * image_width + x], sizeof bits);
            at = put_number(at, bits);
        }
    return end(out, at);
}
