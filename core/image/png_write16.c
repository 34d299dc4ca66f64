/* PNG files of 16 bits, through libpng. */
#include "core/image/png_chunks.h"

#include <png.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

struct png_writer {
    unsigned char *data;
    size_t size, room;
};

/* The same level as for 8 bits, and for its reasons (core/image/png_write.c). */
enum { LEVEL = 1 };

static void add(png_structp png, png_bytep from, size_t size)
{
    struct png_writer *w = png_get_io_ptr(png);
    if (size > w->room - w->size) {
        size_t room = 2 * w->room + size + 4096;
        unsigned char *grown = realloc(w->data, room);
        if (!grown)
            png_error(png, "out of memory");
        w->data = grown;
        w->room = room;
    }
    memcpy(w->data + w->size, from, size);
    w->size += size;
}

static void flush(png_structp png)
{
    (void)png;
}

static void give_up(png_structp png, png_const_charp reason)
{
    (void)reason; /* nothing but memory can be missing */
    png_longjmp(png, 1);
}

static void keep_quiet(png_structp png, png_const_charp warning)
{
    (void)png;
    (void)warning;
}

/* False: out of memory. */
static bool write_rows(png_structp png, png_infop info, const struct lb_png *from)
{
    const png_byte *pixels = from->pixels;
    size_t row = (size_t)from->width * from->channels * 2;
    if (setjmp(png_jmpbuf(png)))
        return false;
    png_set_IHDR(png, info, from->width, from->height, 16,
                 from->channels == 4 ? PNG_COLOR_TYPE_RGB_ALPHA : PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_set_compression_level(png, LEVEL);
    png_write_info(png, info);
    if (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__)
        png_set_swap(png);
    for (uint32_t y = 0; y < from->height; y++)
        png_write_row(png, pixels + y * row);
    png_write_end(png, info);
    return true;
}

unsigned char *lb_png_encode16(const struct lb_png *from, size_t *size)
{
    struct png_writer w = {0};
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, give_up, keep_quiet);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    if (info)
        png_set_write_fn(png, &w, add, flush);
    bool done = info && write_rows(png, info, from);
    png_destroy_write_struct(&png, &info);
    if (!done) {
        free(w.data);
        return NULL;
    }
    *size = w.size;
    return w.data;
}
