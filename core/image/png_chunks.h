/* Chunks between a PNG file's header and its pixels; for the writers of this folder. */
#ifndef LB_CORE_IMAGE_PNG_CHUNKS_H
#define LB_CORE_IMAGE_PNG_CHUNKS_H

#include "core/image/image.h"

/* Whole chunks, one behind the other; `data` is the owner's to free. */
struct lb_png_chunks {
    uint8_t *data;
    size_t size;
};

/* sRGB, and a text for each note. False: out of memory, and nothing to free. */
bool lb_png_chunks_make(struct lb_png_chunks *chunks, const struct lb_image_note *notes, size_t count);

/* A file of 16 bits in memory, without such chunks, the caller's to free; NULL: out of memory. */
unsigned char *lb_png_encode16(const struct lb_png *png, size_t *size);

#endif
