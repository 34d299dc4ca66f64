#include "core/base/ending.h"
#include "core/base/file.h"
#include "core/image/formats.h"

#include <stdlib.h>
#include <string.h>

/* What pbrt reads and lbrender does not: the format that the file begins as, or NULL. */
static const char *unread_format(const struct lb_image_file *file)
{
    static const struct {
        const char *start, *name;
    } formats[] = {
        {"GIF8", "GIF"},
        {"8BPS", "Photoshop"},
    };
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        size_t length = strlen(formats[i].start);
        if (file->size > length && memcmp(file->data, formats[i].start, length) == 0)
            return formats[i].name;
    }
    return NULL;
}

/* What stb_image decodes, once it is known to be whole. */
static enum lb_status parse_by_stb(const struct lb_image_file *file, struct lb_picture *picture)
{
    enum lb_status status;
    if (lb_hdr_is(file))
        status = lb_hdr_check(file);
    else if (lb_bmp_is(file))
        status = lb_bmp_check(file);
    else if (lb_pnm_is(file))
        status = lb_pnm_check(file);
    else
        status = lb_tga_check(file);
    return status == LB_OK ? lb_stb_parse(file, picture) : status;
}

static enum lb_status parse(const struct lb_image_file *file, struct lb_picture *picture)
{
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
    if (lb_qoi_is(file))
        return lb_qoi_parse(file, picture);
    if (lb_ends_in(file->name, ".tga") || lb_hdr_is(file) || lb_bmp_is(file) || lb_pnm_is(file))
        return parse_by_stb(file, picture);
    const char *format = unread_format(file);
    if (format)
        return lb_image_fail(
            file, "%s pictures are not read; PNG, JPEG, TGA, BMP, PGM, PPM, QOI, HDR, PFM and EXR are",
            format);
    return lb_image_fail(file, "neither a PNG, JPEG, TGA, BMP, PGM, PPM, QOI, HDR, PFM nor an EXR picture");
}

static enum lb_status parse_whole(const struct lb_image_file *file, struct lb_picture *picture)
{
    *picture = (struct lb_picture){0};
    enum lb_status status = parse(file, picture);
    if (status != LB_OK)
        lb_picture_free(picture);
    return status;
}

enum lb_status lb_picture_parse(const char *name, const uint8_t *data, size_t size,
                                struct lb_picture *picture, struct lb_error *error)
{
    struct lb_image_file file = {.name = name, .data = data, .size = size, .error = error};
    return parse_whole(&file, picture);
}

enum lb_status lb_picture_parse_alpha(const char *name, const uint8_t *data, size_t size,
                                      struct lb_picture *picture, struct lb_error *error)
{
    struct lb_image_file file = {.name = name, .data = data, .size = size, .any_alpha = true, .error = error};
    return parse_whole(&file, picture);
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
