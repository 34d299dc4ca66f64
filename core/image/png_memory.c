#include "core/image/png_memory.h"

#include <png.h>
#include <stdlib.h>

uint8_t *lb_png_in_memory(uint32_t width, uint32_t height, const uint8_t *pixels, size_t *size)
{
    png_image image = {
        .version = PNG_IMAGE_VERSION, .width = width, .height = height, .format = PNG_FORMAT_RGB};
    if (width == 0 || height == 0 || (uint64_t)width * height > INT32_MAX / 4)
        return NULL;
    png_alloc_size_t bound = PNG_IMAGE_PNG_SIZE_MAX(image);
    uint8_t *data = malloc(bound);
    if (!data || !png_image_write_to_memory(&image, data, &bound, 0, pixels, 0, NULL)) {
        free(data);
        return NULL;
    }
    *size = bound;
    uint8_t *fitted = realloc(data, bound);
    return fitted ? fitted : data;
}
