/* Writing OpenEXR files by OpenEXR's C++ library, for C: no exception leaves these functions. */
#ifndef LB_CORE_IMAGE_EXR_WRITE_H
#define LB_CORE_IMAGE_EXR_WRITE_H

#ifdef __cplusplus
#include <cstddef>
#include <cstdint>
extern "C" {
#else
#include <stddef.h>
#include <stdint.h>
#endif

enum lb_exr_type {
    LB_EXR_HALF,  /* of floats; what is beyond the largest half, 65504, becomes that */
    LB_EXR_FLOAT, /* of floats */
    LB_EXR_WHOLE  /* of uint32_t */
};

/* The ways of packing pixels. All but DWAA and DWAB lose nothing of them. */
enum lb_exr_compression {
    LB_EXR_UNCOMPRESSED,
    LB_EXR_RLE,
    LB_EXR_ZIPS, /* a row at a time */
    LB_EXR_ZIP,  /* 16 rows */
    LB_EXR_PIZ,  /* wavelets of 32 rows: small where there is noise */
    /* Cosines as in JPEG, of 32 rows, for channels whose name is R, G, B or Y, or is that after a dot; others lose
     * nothing. */
    LB_EXR_DWAA,
    LB_EXR_DWAB /* of 256 rows */
};

struct lb_exr_channel {
    const char *name;
    enum lb_exr_type type;
    const void *values; /* of the upper left pixel */
    size_t step;        /* bytes from a pixel's value to the next one's; rows follow each other */
};

/* What a file says of its pixels: a text by name. */
struct lb_image_note {
    const char *name, *text;
};

/* The data window: `width` x `height` pixels from (x0, y0) of a display window of full_width x full_height on. */
struct lb_exr_picture {
    uint32_t x0, y0, width, height, full_width, full_height;
    enum lb_exr_compression compression;
    const struct lb_exr_channel *channels;
    size_t channel_count;
    const struct lb_image_note *notes;
    size_t note_count;
    const double (*primaries)[2]; /* chromaticities x, y of red, green, blue and white; NULL: sRGB's */
};

/* The whole file in memory, the caller's to free. NULL: `reason` says in one line of less than `room` bytes why, or is
 * empty where there was no memory. */
uint8_t *lb_exr_encode(const struct lb_exr_picture *picture, size_t *size, char *reason, size_t room);

#ifdef __cplusplus
}
#endif

#endif
