/* QOI pictures, by the format's own library; the only file that includes it. */
#include "core/image/formats.h"

#include <stdlib.h>
#include <string.h>

#define QOI_NO_STDIO
#define QOI_IMPLEMENTATION
#include <qoi.h>

/* The file's head and its last bytes; the most pixels that a byte between them stands for. */
enum { HEAD = 14, END = 8, PIXELS_A_BYTE = 62 };

static uint32_t big_endian(const uint8_t *bytes)
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

bool lb_qoi_is(const struct lb_image_file *file)
{
    return file->size >= 4 && memcmp(file->data, "qoif", 4) == 0;
}

enum lb_status lb_qoi_parse(const struct lb_image_file *file, struct lb_picture *picture)
{
    static const uint8_t end[END] = {0, 0, 0, 0, 0, 0, 0, 1};
    qoi_desc description;
    if (file->size < HEAD + END || memcmp(file->data + file->size - END, end, END) != 0)
        return lb_image_fail(file, "the QOI is cut short");
    if (file->size > INT32_MAX)
        return lb_image_fail(file, "files of 2 GiB and more cannot be decoded");
    uint32_t width = big_endian(file->data + 4), height = big_endian(file->data + 8);
    enum lb_status status =
        lb_image_check_size(file, width, height, (uint64_t)(file->size - HEAD - END) * PIXELS_A_BYTE);
    if (status != LB_OK)
        return status;
    void *pixels = qoi_decode(file->data, (int)file->size, &description, 0);
    if (!pixels)
        return lb_image_fail(file,
                             "the QOI is damaged, larger than 400 million pixels, or needs too much memory");
    picture->width = description.width;
    picture->height = description.height;
    picture->channels = description.channels;
    picture->linear = description.colorspace == QOI_LINEAR;
    picture->bytes = pixels;
    return LB_OK;
}
