/* Pictures in files: reading PNG, JPG, TGA, BMP, PNM, QOI, Radiance HDR, PFM and EXR, writing PNG, JPG, TIFF, PFM and
 * EXR. */
#ifndef LB_CORE_IMAGE_IMAGE_H
#define LB_CORE_IMAGE_IMAGE_H

#include "core/base/error.h"
#include "core/image/exr_write.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Row 0 is the top. One of bytes (8-bit files) and floats (PFM, EXR, HDR, 16-bit PNG, the latter scaled to 0 .. 1 and
 * not decoded) is not NULL; width * height * channels elements, released by lb_picture_free. */
struct lb_picture {
    uint32_t width, height, channels; /* 1: y, 3: rgb, 4: rgba (PNG of colours, QOI, EXR) */
    bool png;                         /* only PNG follows pbrt's "encoding" parameter */
    bool grey;                        /* three channels or four of a file whose colours are grey */
    bool linear;                      /* bytes that are no sRGB: the file says so */
    uint32_t color_space;             /* that floats are in (core/base/color_space.h); only EXR files say */
    uint8_t *bytes;
    float *floats;
};

/* The kind is taken from the content, the ending decides only for TGA (which has no magic). `path` starts each message.
 * Damaged files are errors; nothing is allocated by the size that a file claims before its length makes that size
 * possible. */
/* Floats are finite; they may be negative. As in pbrt the alpha of grey, of TGA and of BMP is left out. */
enum lb_status lb_picture_read(const char *path, struct lb_picture *picture, struct lb_error *error);
/* The same from memory; `name` stands for the path in messages. */
enum lb_status lb_picture_parse(const char *name, const uint8_t *data, size_t size,
                                struct lb_picture *picture, struct lb_error *error);
/* The same with any alpha that a PNG file has, of grey and of single colours, too: then it has four channels. */
enum lb_status lb_picture_parse_alpha(const char *name, const uint8_t *data, size_t size,
                                      struct lb_picture *picture, struct lb_error *error);
void lb_picture_free(struct lb_picture *picture);

/* For all that write the path "-" is standard output (core/base/replace.h). */

/* What a PNG file is made of. */
struct lb_png {
    uint32_t width, height;
    /* 3: RGB, 4: and alpha, by which the colours are not multiplied. Of 8 bits also 1: grey. */
    uint32_t channels;
    uint32_t bits;                     /* of a value: 8, or 16 in the order of this machine's bytes */
    const void *pixels;                /* row 0 the top */
    bool srgb;                         /* the file says that it is encoded so, and has the notes */
    const struct lb_image_note *notes; /* names of 1 to 79 letters; texts of UTF-8 */
    size_t note_count;
};
enum lb_status lb_png_save(const char *path, const struct lb_png *png, struct lb_error *error);

/* 8-bit RGB without a word more, `pixels` of width * height * 3 bytes, row 0 the top. */
enum lb_status lb_png_write(const char *path, uint32_t width, uint32_t height, const uint8_t *pixels,
                            struct lb_error *error);
/* Whether pixels of so many bits, all channels together, can be written in that size: of 24 bits not from some 26,000
 * x 26,000 pixels on. */
enum lb_status lb_png_fits(const char *path, uint32_t width, uint32_t height, uint32_t pixel_bits,
                           struct lb_error *error);
/* What a JPEG file is made of: 8-bit RGB, as screens show it. */
struct lb_jpeg {
    uint32_t width, height;            /* at most 65500 each */
    uint32_t quality;                  /* 1 to 100 */
    const uint8_t *pixels;             /* row 0 the top */
    const struct lb_image_note *notes; /* that it says as comments */
    size_t note_count;
};
enum { LB_JPEG_MOST_SIDE = 65500 };
enum lb_status lb_jpeg_write(const char *path, const struct lb_jpeg *picture, struct lb_error *error);

/* What a TIFF file is made of. */
struct lb_tiff {
    uint32_t width, height;
    uint32_t channels;                 /* 3: RGB, 4: and alpha, by which the colours are not multiplied */
    uint32_t bits;                     /* of a value: 8, or 16 in the order of this machine's bytes */
    const void *pixels;                /* row 0 the top */
    const struct lb_image_note *notes; /* its software, and lines of its description */
    size_t note_count;
};
enum lb_status lb_tiff_write(const char *path, const struct lb_tiff *picture, struct lb_error *error);
/* An OpenEXR file of the channels that the picture names. */
enum lb_status lb_exr_write(const char *path, const struct lb_exr_picture *picture, struct lb_error *error);
/* Linear RGB floats, row 0 the top in `pixels` (the file has the bottom row first). */
enum lb_status lb_pfm_write(const char *path, uint32_t width, uint32_t height, const float *pixels,
                            struct lb_error *error);

#endif
