#include "core/image/picture.h"

#include "core/base/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum lb_status lb_image_fail(const struct lb_image_file *file, const char *format, ...)
{
    char what[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    return lb_error_set(file->error, LB_ERROR, "%s: %s", file->name, what);
}

enum lb_status lb_image_check_size(const struct lb_image_file *file, int64_t width, int64_t height,
                                   uint64_t most)
{
    if (width < 1 || height < 1 || width > LB_IMAGE_SIDE || height > LB_IMAGE_SIDE)
        return lb_image_fail(file, "%lld x %lld pixels; sides of 1 to %d are possible", (long long)width,
                             (long long)height, LB_IMAGE_SIDE);
    if ((uint64_t)width * (uint64_t)height > most)
        return lb_image_fail(file, "%lld x %lld pixels cannot be in %zu bytes", (long long)width,
                             (long long)height, file->size);
    return LB_OK;
}

/* All bits of the exponent set. */
static size_t first_bad(const float *values, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint32_t bits;
        memcpy(&bits, &values[i], sizeof bits);
        if ((bits & 0x7f800000) == 0x7f800000)
            return i;
    }
    return count;
}

enum lb_status lb_image_check_floats(const struct lb_image_file *file, const struct lb_picture *picture)
{
    size_t count = (size_t)picture->width * picture->height * picture->channels;
    size_t bad = first_bad(picture->floats, count);
    if (bad == count)
        return LB_OK;
    size_t pixel = bad / picture->channels;
    return lb_image_fail(file, "pixel (%zu, %zu) is not finite: %g", pixel % picture->width,
                         pixel / picture->width, (double)picture->floats[bad]);
}

static bool has_ending(const char *name, const char *ending)
{
    size_t length = strlen(name), part = strlen(ending);
    return length >= part && strcasecmp(name + length - part, ending) == 0;
}

/* What pbrt reads and lbrender does not: the format that the file begins as, or NULL. */
static const char *unread_format(const struct lb_image_file *file)
{
    static const struct {
        const char *start, *name;
    } formats[] = {
        {"#?RADIANCE", "Radiance HDR"},
        {"#?RGBE", "Radiance HDR"},
        {"qoif", "QOI"},
        {"GIF8", "GIF"},
        {"8BPS", "Photoshop"},
        {"P5", "PGM"},
        {"P6", "PPM"},
        {"BM", "BMP"},
    };
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        size_t length = strlen(formats[i].start);
        if (file->size > length && memcmp(file->data, formats[i].start, length) == 0)
            return formats[i].name;
    }
    return NULL;
}

static enum lb_status parse(const struct lb_image_file *file, struct lb_picture *picture)
{
    enum lb_status status;
    if (file->size == 0)
        return lb_image_fail(file, "the file is empty");
    if (lb_pfm_is(file))
        return lb_pfm_parse(file, picture);
    if (lb_exr_is(file))
        return lb_exr_parse(file, picture);
    if (lb_png_is(file))
        return lb_png_parse(file, picture);
    if (lb_jpeg_is(file))
        return lb_jpeg_parse(file, picture);
    if (!has_ending(file->name, ".tga")) {
        const char *format = unread_format(file);
        if (format)
            return lb_image_fail(file, "%s pictures are not read; PNG, JPEG, TGA, PFM and EXR are", format);
        return lb_image_fail(file, "neither a PNG, JPEG, TGA, PFM nor an EXR picture");
    }
    status = lb_tga_check(file);
    return status == LB_OK ? lb_stb_parse(file, picture) : status;
}

enum lb_status lb_picture_parse(const char *name, const uint8_t *data, size_t size,
                                struct lb_picture *picture, struct lb_error *error)
{
    struct lb_image_file file = {.name = name, .data = data, .size = size, .error = error};
    *picture = (struct lb_picture){0};
    enum lb_status status = parse(&file, picture);
    if (status != LB_OK)
        lb_picture_free(picture);
    return status;
}

enum lb_status lb_picture_read(const char *path, struct lb_picture *picture, struct lb_error *error)
{
    static const size_t most = (size_t)16 << 30;
    struct lb_file file;
    *picture = (struct lb_picture){0};
    enum lb_status status = lb_file_read(path, most, &file, error);
    if (status != LB_OK)
        return status;
    status = lb_picture_parse(path, file.data, file.size, picture, error);
    lb_file_free(&file);
    return status;
}

void lb_picture_free(struct lb_picture *picture)
{
    free(picture->bytes);
    free(picture->floats);
    *picture = (struct lb_picture){0};
}
