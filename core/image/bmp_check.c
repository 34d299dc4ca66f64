/* Whether BMP files are whole. The decoder (stb_image) reads zeros behind the end. */
#include "core/image/formats.h"

enum { FILE_HEAD = 14, SHORT_HEAD = 12, LONG_HEAD = 40 };

static uint32_t little_endian(const uint8_t *bytes, unsigned count)
{
    uint32_t number = 0;
    for (unsigned i = 0; i < count; i++)
        number |= (uint32_t)bytes[i] << (8 * i);
    return number;
}

bool lb_bmp_is(const struct lb_image_file *file)
{
    return file->size >= 2 && file->data[0] == 'B' && file->data[1] == 'M';
}

enum lb_status lb_bmp_check(const struct lb_image_file *file)
{
    const uint8_t *data = file->data;
    if (file->size < FILE_HEAD + LONG_HEAD)
        return lb_image_fail(file, "the BMP is cut short");
    uint32_t offset = little_endian(data + 10, 4), head = little_endian(data + 14, 4);
    bool is_short = head == SHORT_HEAD;
    int64_t width, height; /* negative: rows from the top down */
    if (is_short) {
        width = little_endian(data + 18, 2);
        height = little_endian(data + 20, 2);
    } else {
        width = (int32_t)little_endian(data + 18, 4);
        height = (int32_t)little_endian(data + 22, 4);
    }
    uint64_t bits = little_endian(data + (is_short ? 24 : 28), 2);
    height = height < 0 ? -height : height;
    if (offset < FILE_HEAD + head || head > file->size || bits < 1 || bits > 32)
        return lb_image_fail(file, "the BMP is damaged");
    uint64_t left = offset < file->size ? file->size - offset : 0;
    enum lb_status status = lb_image_check_size(file, width, height, left * 8 / bits);
    /* Rows are multiples of four bytes. */
    if (status == LB_OK && ((uint64_t)width * bits + 31) / 32 * 4 * (uint64_t)height > left)
        return lb_image_fail(file, "the BMP is cut short");
    return status;
}
