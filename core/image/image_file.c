#include "core/image/image_file.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

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
