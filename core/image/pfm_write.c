#include "core/base/replace.h"
#include "core/image/image.h"

#include <stdio.h>

enum lb_status lb_pfm_write(const char *path, uint32_t width, uint32_t height, const float *pixels,
                            struct lb_error *error)
{
    struct lb_replacement r;
    char header[64];
    bool big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
    int length = snprintf(header, sizeof header, "PF\n%u %u\n%s\n", width, height, big ? "1.0" : "-1.0");
    enum lb_status status = lb_replace_start(&r, path, error);
    if (status == LB_OK)
        status = lb_replace_write(&r, header, (size_t)length, error);
    for (uint32_t y = height; y > 0 && status == LB_OK; y--)
        status = lb_replace_write(&r, pixels + (size_t)(y - 1) * width * 3,
                                  (size_t)width * 3 * sizeof *pixels, error);
    if (status == LB_OK)
        status = lb_replace_end(&r, error);
    return status;
}
