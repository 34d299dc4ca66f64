#include "core/report/film_picture.h"

#include "core/image/image.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

uint8_t *lb_film_bytes(const lb_film_pixel *pixels, size_t count)
{
    uint8_t *bytes = malloc(count * 3);
    for (size_t i = 0; bytes && i < count; i++) {
        lb_rgb c = lb_film_rgb(&pixels[i]);
        bytes[3 * i] = lb_srgb_byte(c.r);
        bytes[3 * i + 1] = lb_srgb_byte(c.g);
        bytes[3 * i + 2] = lb_srgb_byte(c.b);
    }
    return bytes;
}

float *lb_film_floats(const lb_film_pixel *pixels, size_t count)
{
    float *floats = malloc(count * 3 * sizeof *floats);
    for (size_t i = 0; floats && i < count; i++) {
        lb_rgb c = lb_film_rgb(&pixels[i]);
        floats[3 * i] = c.r;
        floats[3 * i + 1] = c.g;
        floats[3 * i + 2] = c.b;
    }
    return floats;
}

static bool ends_in(const char *path, const char *ending)
{
    size_t length = strlen(path), tail = strlen(ending);
    return length > tail && !strcasecmp(path + length - tail, ending);
}

bool lb_film_writable(const char *path)
{
    return ends_in(path, ".png") || ends_in(path, ".pfm");
}

enum lb_status lb_film_check(const char *path, uint32_t width, uint32_t height, struct lb_error *error)
{
    return ends_in(path, ".pfm") ? LB_OK : lb_png_fits(path, width, height, error);
}

enum lb_status lb_film_write(const char *path, uint32_t width, uint32_t height, const lb_film_pixel *pixels,
                             uint32_t *checksum, struct lb_error *error)
{
    size_t count = (size_t)width * height;
    enum lb_status status;
    if (ends_in(path, ".pfm")) {
        float *floats = lb_film_floats(pixels, count);
        if (!floats)
            return lb_error_memory(error, NULL);
        *checksum = lb_crc32c(0, floats, count * 3 * sizeof *floats);
        status = lb_pfm_write(path, width, height, floats, error);
        free(floats);
        return status;
    }
    uint8_t *bytes = lb_film_bytes(pixels, count);
    if (!bytes)
        return lb_error_memory(error, NULL);
    *checksum = lb_crc32c(0, bytes, count * 3);
    status = lb_png_write(path, width, height, bytes, error);
    free(bytes);
    return status;
}
