/* PFM: "PF" or "Pf", width, height, a scale whose sign is the byte order, then rows of floats from the bottom up. */
#include "core/base/number.h"
#include "core/base/text.h"
#include "core/image/formats.h"

#include <stdlib.h>
#include <string.h>

bool lb_pfm_is(const struct lb_image_file *file)
{
    return file->size >= 3 && file->data[0] == 'P' && (file->data[1] == 'F' || file->data[1] == 'f') &&
           lb_is_space(file->data[2]);
}

/* The next word of the header, and the one white space that ends it. */
static bool next_number(const struct lb_image_file *file, size_t *at, double *number)
{
    while (*at < file->size && lb_is_space(file->data[*at]))
        ++*at;
    size_t from = *at;
    while (*at < file->size && !lb_is_space(file->data[*at]))
        ++*at;
    if (*at == file->size || !lb_number_parse((const char *)file->data + from, *at - from, number))
        return false;
    ++*at;
    return true;
}

/* Outside of the range that sides can have: 0, which lb_image_check_size refuses. */
static int64_t to_side(double number)
{
    if (!(number >= -2e9 && number <= 2e9) || number != (double)(int64_t)number)
        return 0;
    return (int64_t)number;
}

static void copy_row(float *to, const uint8_t *from, size_t count, bool swap, float scale)
{
    for (size_t i = 0; i < count; i++) {
        uint32_t bits;
        memcpy(&bits, from + 4 * i, sizeof bits);
        if (swap)
            bits = __builtin_bswap32(bits);
        memcpy(&to[i], &bits, sizeof bits);
        to[i] *= scale;
    }
}

enum lb_status lb_pfm_parse(const struct lb_image_file *file, struct lb_picture *picture)
{
    size_t at = 2;
    double width, height, scale;
    if (!next_number(file, &at, &width) || !next_number(file, &at, &height) ||
        !next_number(file, &at, &scale))
        return lb_image_fail(file, "the header of a PFM is three numbers: width, height and scale");
    if (!(scale > 0 || scale < 0) || scale > 1e30 || scale < -1e30)
        return lb_image_fail(file, "impossible scale %g", scale);
    uint32_t channels = file->data[1] == 'F' ? 3 : 1;
    enum lb_status status =
        lb_image_check_size(file, to_side(width), to_side(height), (file->size - at) / (4 * channels));
    if (status != LB_OK)
        return status;
    *picture =
        (struct lb_picture){.width = (uint32_t)width, .height = (uint32_t)height, .channels = channels};
    size_t row = (size_t)picture->width * channels;
    picture->floats = malloc(row * picture->height * sizeof *picture->floats);
    if (!picture->floats)
        return lb_error_memory(file->error, file->name);
    bool big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
    bool swap = (scale > 0) != big;
    for (size_t y = picture->height; y-- > 0; at += row * 4)
        copy_row(picture->floats + y * row, file->data + at, row, swap, (float)(scale < 0 ? -scale : scale));
    return lb_image_check_floats(file, picture);
}
