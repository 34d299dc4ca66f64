/* Whether PNG and TGA files are whole. The decoder takes checksums that fail and reads zeros behind the end. */
#include "core/image/picture.h"

#include <libdeflate.h>
#include <string.h>

static uint32_t big_endian(const uint8_t *at)
{
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

static const uint8_t png_magic[8] = {137, 'P', 'N', 'G', 13, 10, 26, 10};

bool lb_png_is(const struct lb_image_file *file)
{
    return file->size >= 8 && memcmp(file->data, png_magic, 8) == 0;
}

static enum lb_status check_png_size(const struct lb_image_file *file, const uint8_t *header)
{
    static const uint8_t channels[7] = {1, 0, 3, 1, 2, 0, 4};
    uint32_t depth = header[8], kind = header[9];
    if (kind > 6 || !channels[kind] || !(depth == 1 || depth == 2 || depth == 4 || depth == 8 || depth == 16))
        return lb_image_fail(file, "unknown kind of PNG: colour type %u, %u bits", kind, depth);
    /* Deflate packs at most 1032 bytes into one. */
    return lb_image_check_size(file, big_endian(header), big_endian(header + 4),
                               (uint64_t)file->size * 1032 * 8 / (depth * channels[kind]));
}

enum lb_status lb_png_check(const struct lb_image_file *file)
{
    enum { AROUND = 12 }; /* bytes around the contents of a chunk: length, name, checksum */
    for (size_t at = 8;;) {
        size_t left = file->size - at;
        const uint8_t *chunk = file->data + at;
        uint32_t length = left >= AROUND ? big_endian(chunk) : 0;
        if (left < AROUND || length > left - AROUND)
            return lb_image_fail(file, "byte %zu: the PNG is cut short", at);
        if (libdeflate_crc32(0, chunk + 4, (size_t)length + 4) != big_endian(chunk + 8 + length))
            return lb_image_fail(file, "byte %zu: a checksum of the PNG is wrong", at);
        bool header = memcmp(chunk + 4, "IHDR", 4) == 0;
        if (header != (at == 8) || (header && length != 13))
            return lb_image_fail(file, "byte %zu: the PNG does not begin with one header", at);
        if (header && check_png_size(file, chunk + 8) != LB_OK)
            return LB_ERROR;
        if (memcmp(chunk + 4, "IEND", 4) == 0)
            return LB_OK;
        at += (size_t)length + AROUND;
    }
}

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
