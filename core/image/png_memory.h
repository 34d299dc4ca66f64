/* PNG files in memory, for what holds pictures in itself. */
#ifndef LB_CORE_IMAGE_PNG_MEMORY_H
#define LB_CORE_IMAGE_PNG_MEMORY_H

#include <stddef.h>
#include <stdint.h>

/* The bytes of a PNG file of 8-bit RGB, `pixels` of width * height * 3 bytes, row 0 the top; released by free().
 * NULL: out of memory, or too large for a PNG. */
uint8_t *lb_png_in_memory(uint32_t width, uint32_t height, const uint8_t *pixels, size_t *size);

#endif
