/* Whether PGM and PPM files of bytes are whole. The decoder (stb_image) does not look. */
#include "core/image/formats.h"

enum { MOST_DIGITS = 9 };

bool lb_pnm_is(const struct lb_image_file *file)
{
    return file->size >= 3 && file->data[0] == 'P' && (file->data[1] == '5' || file->data[1] == '6') &&
           (file->data[2] <= ' ' || file->data[2] == '#');
}

static bool is_blank(uint8_t c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/* A number behind blanks and comments. False: there is none, or it is too long. */
static bool take_number(const struct lb_image_file *file, size_t *at, uint32_t *number)
{
    while (*at < file->size && (is_blank(file->data[*at]) || file->data[*at] == '#')) {
        if (file->data[*at] == '#')
            while (*at < file->size && file->data[*at] != '\n')
                (*at)++;
        else
            (*at)++;
    }
    size_t first = *at;
    *number = 0;
    while (*at < file->size && file->data[*at] >= '0' && file->data[*at] <= '9' && *at - first < MOST_DIGITS)
        *number = *number * 10 + (uint32_t)(file->data[(*at)++] - '0');
    return *at > first && *at < file->size && is_blank(file->data[*at]);
}

enum lb_status lb_pnm_check(const struct lb_image_file *file)
{
    uint32_t width, height, largest;
    size_t at = 2;
    if (!take_number(file, &at, &width) || !take_number(file, &at, &height) ||
        !take_number(file, &at, &largest) || largest < 1 || largest > 65535)
        return lb_image_fail(file, "the head of the PGM or PPM is damaged");
    uint64_t bytes = (file->data[1] == '6' ? 3u : 1u) * (largest > 255 ? 2u : 1u);
    return lb_image_check_size(file, width, height, (file->size - at - 1) / bytes);
}
