#include "core/display/inline_picture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- kitty ---- */

/* Base 64 goes in pieces of at most so many characters, of which all but the last are a multiple of 4. */
enum { PIECE = 4096, PIECE_BYTES = PIECE / 4 * 3, PIECE_HEAD = 64 };

static char *put_base64(char *at, const uint8_t *bytes, size_t count)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < count; i += 3) {
        size_t left = count - i;
        uint32_t three = (uint32_t)bytes[i] << 16 | (left > 1 ? (uint32_t)bytes[i + 1] << 8 : 0) |
                         (left > 2 ? bytes[i + 2] : 0u);
        *at++ = digits[three >> 18];
        *at++ = digits[three >> 12 & 63];
        *at++ = left > 1 ? digits[three >> 6 & 63] : '=';
        *at++ = left > 2 ? digits[three & 63] : '=';
    }
    return at;
}

/* Image 1, placed once, so that the next one of that number replaces it; the cursor stays, nothing is answered. */
static char *kitty(const struct lb_shown *picture, size_t *size)
{
    size_t bytes = (size_t)picture->width * picture->height * 3,
           pieces = (bytes + PIECE_BYTES - 1) / PIECE_BYTES;
    char *out = malloc(pieces * (PIECE + PIECE_HEAD)), *at = out;
    for (size_t i = 0; out && i < bytes; i += PIECE_BYTES) {
        size_t count = bytes - i < PIECE_BYTES ? bytes - i : PIECE_BYTES;
        int more = i + count < bytes;
        if (i == 0)
            at += snprintf(at, PIECE_HEAD, "\033_Ga=T,f=24,s=%u,v=%u,i=1,p=1,C=1,q=2,m=%d;", picture->width,
                           picture->height, more);
        else
            at += snprintf(at, PIECE_HEAD, "\033_Gm=%d;", more);
        at = put_base64(at, picture->rgb + i, count);
        memcpy(at, "\033\\", 2);
        at += 2;
    }
    *size = (size_t)(at - out);
    return out;
}

/* ---- sixel ---- */

enum { LEVELS = 6, COLORS = LEVELS * LEVELS * LEVELS, BAND = 6 };

/* Which of the levels a byte becomes: the nearest below or above, by the pixel's place in the pattern (Bayer 1973). */
static uint32_t level_of(uint8_t byte, uint32_t x, uint32_t y)
{
    static const uint8_t pattern[4][4] = {{0, 8, 2, 10}, {12, 4, 14, 6}, {3, 11, 1, 9}, {15, 7, 13, 5}};
    return ((uint32_t)byte * (LEVELS - 1) * 16 + 255 * pattern[y & 3][x & 3] + 127) / (255 * 16);
}

struct sixels {
    char *data;
    size_t size, capacity;
    bool failed;
};

static void put(struct sixels *out, const char *text, size_t size)
{
    if (out->size + size > out->capacity) {
        size_t capacity = 2 * out->capacity + size + 4096;
        char *data = realloc(out->data, capacity);
        out->failed |= !data;
        if (!data)
            return;
        out->data = data;
        out->capacity = capacity;
    }
    memcpy(out->data + out->size, text, size);
    out->size += size;
}

/* `count` times the same sixel, six pixels above each other of which bits say which have the colour. */
static void put_run(struct sixels *out, uint8_t bits, uint32_t count)
{
    char text[32], sixel = (char)('?' + bits);
    if (count > 3) {
        put(out, text, (size_t)snprintf(text, sizeof text, "!%u%c", count, sixel));
        return;
    }
    for (uint32_t i = 0; i < count; i++)
        put(out, &sixel, 1);
}

static void put_color(struct sixels *out, uint32_t color, const uint8_t *bits, uint32_t width)
{
    char text[16];
    uint32_t end = width;
    put(out, text, (size_t)snprintf(text, sizeof text, "#%u", color));
    while (end > 0 && bits[end - 1] == 0)
        end--;
    for (uint32_t x = 0, run; x < end; x += run) {
        for (run = 1; x + run < end && bits[x + run] == bits[x];)
            run++;
        put_run(out, bits[x], run);
    }
    put(out, "$", 1);
}

/* Six rows from y on: each of their colours in turn, all in one row of sixels. `bits` is COLORS x width, all zero
 * before and after. */
static void put_band(struct sixels *out, const struct lb_shown *picture, uint32_t y, uint8_t *bits)
{
    bool used[COLORS] = {false};
    uint32_t width = picture->width;
    for (uint32_t row = 0; row < BAND && y + row < picture->height; row++)
        for (uint32_t x = 0; x < width; x++) {
            const uint8_t *rgb = picture->rgb + 3 * ((size_t)(y + row) * width + x);
            uint32_t color = (level_of(rgb[0], x, y + row) * LEVELS + level_of(rgb[1], x, y + row)) * LEVELS +
                             level_of(rgb[2], x, y + row);
            used[color] = true;
            bits[(size_t)color * width + x] |= (uint8_t)(1u << row);
        }
    for (uint32_t color = 0; color < COLORS; color++)
        if (used[color]) {
            put_color(out, color, bits + (size_t)color * width, width);
            memset(bits + (size_t)color * width, 0, width);
        }
    put(out, "-", 1);
}

static char *sixel(const struct lb_shown *picture, size_t *size)
{
    struct sixels out = {.data = NULL};
    char text[64];
    uint8_t *bits = calloc(picture->width, COLORS);
    out.failed = !bits;
    put(&out, text,
        (size_t)snprintf(text, sizeof text, "\033P0;1;0q\"1;1;%u;%u", picture->width, picture->height));
    for (uint32_t i = 0; i < COLORS; i++)
        put(&out, text,
            (size_t)snprintf(text, sizeof text, "#%u;2;%u;%u;%u", i, i / (LEVELS * LEVELS) * 20,
                             i / LEVELS % LEVELS * 20, i % LEVELS * 20));
    for (uint32_t y = 0; y < picture->height && !out.failed; y += BAND)
        put_band(&out, picture, y, bits);
    put(&out, "\033\\", 2);
    free(bits);
    if (out.failed) {
        free(out.data);
        return NULL;
    }
    *size = out.size;
    return out.data;
}

char *lb_inline_picture(enum lb_inline_form form, const struct lb_shown *picture, size_t *size)
{
    return form == LB_INLINE_KITTY ? kitty(picture, size) : sixel(picture, size);
}
