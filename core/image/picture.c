#include "core/base/file.h"
#include "core/image/formats.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

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
