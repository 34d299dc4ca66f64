/* Whether TGA files are whole. The decoder (stb_image) reads zeros behind the end. */
#include "core/image/formats.h"

/* The packets of a run-length TGA up to the last pixel. */
static enum lb_status check_packets(const struct lb_image_file *file, size_t at, uint64_t pixels,
                                    size_t bytes)
{
    while (pixels) {
        if (at >= file->size)
            return lb_image_fail(file, "the TGA is cut short: %llu pixels are missing",
                                 (unsigned long long)pixels);
        uint64_t count = (file->data[at] & 127u) + 1;
        size_t data = file->data[at] & 128 ? bytes : (size_t)count * bytes;
        if (data > file->size - at - 1)
            return lb_image_fail(file, "the TGA is cut short: %llu pixels are missing",
                                 (unsigned long long)pixels);
        at += data + 1;
        pixels -= count < pixels ? count : pixels;
    }
    return LB_OK;
}

enum lb_status lb_tga_check(const struct lb_image_file *file)
{
    enum { HEADER = 18 };
    const uint8_t *h = file->data;
    if (file->size < HEADER)
        return lb_image_fail(file, "the TGA is cut short");
    uint32_t kind = h[2] & 7u, width = h[12] | h[13] * 256u, height = h[14] | h[15] * 256u;
    bool packed = h[2] & 8;
    if ((h[2] & ~11) || kind < 1 || kind > 3 || h[1] > 1 || h[16] < 8 || h[16] > 32)
        return lb_image_fail(file, "neither a PNG, JPEG, PFM, EXR nor a known kind of TGA picture");
    size_t at = HEADER + h[0];
    if (h[1])
        at += (size_t)(h[5] | h[6] * 256u) * ((h[7] + 7u) / 8);
    size_t bytes = (h[16] + 7u) / 8, left = at < file->size ? file->size - at : 0;
    if (lb_image_check_size(file, width, height, packed ? (uint64_t)left * 128 : left / bytes) != LB_OK)
        return LB_ERROR;
    return packed ? check_packets(file, at, (uint64_t)width * height, bytes) : LB_OK;
}
