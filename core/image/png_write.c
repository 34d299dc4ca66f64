/* PNG files of 8 bits: stb_image_write filters the rows and writes the container, libdeflate compresses and sums.
 * core/image/png_write16.c makes those of 16. */
#include "core/base/replace.h"
#include "core/image/png_chunks.h"

#include <libdeflate.h>
#include <limits.h>
#include <stdlib.h>

static unsigned char *compress_zlib(const unsigned char *data, int size, int *packed_size, int quality);
static unsigned int sum_crc(const unsigned char *data, int size);

#define STBIW_ZLIB_COMPRESS compress_zlib
#define STBIW_CRC32         sum_crc
#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STBI_WRITE_NO_STDIO
#include <stb_image_write.h>

/* By bench/png: higher levels take twice as long and make pictures with noise 6 % smaller. stb's choice of a filter for
 * each row costs 0.1 s of 0.5 s and is best or nearly so on every kind of picture. */
enum { LEVEL = 1 };

static unsigned char *compress_zlib(const unsigned char *data, int size, int *packed_size, int quality)
{
    (void)quality;
    struct libdeflate_compressor *machine = libdeflate_alloc_compressor(LEVEL);
    if (!machine)
        return NULL;
    size_t bound = libdeflate_zlib_compress_bound(machine, (size_t)size);
    unsigned char *packed = malloc(bound);
    size_t made = packed ? libdeflate_zlib_compress(machine, data, (size_t)size, packed, bound) : 0;
    libdeflate_free_compressor(machine);
    if (made == 0 || made > INT_MAX - 4096) {
        free(packed);
        return NULL;
    }
    *packed_size = (int)made;
    return packed;
}

static unsigned int sum_crc(const unsigned char *data, int size)
{
    return libdeflate_crc32(0, data, (size_t)size);
}

enum lb_status lb_png_fits(const char *path, uint32_t width, uint32_t height, uint32_t pixel_bits,
                           struct lb_error *error)
{
    /* stb counts bytes in int. */
    if (width && height && ((uint64_t)width * (pixel_bits / 8) + 1) * height < INT_MAX - (1 << 20))
        return LB_OK;
    return lb_error_set(error, LB_ERROR,
                        "%s: %u x %u pixels are too many for a PNG file; a .pfm or .exr file can hold them",
                        path, width, height);
}

static unsigned char *encode(const struct lb_png *png, size_t *size)
{
    if (png->bits == 16)
        return lb_png_encode16(png, size);
    int count;
    unsigned char *data =
        stbi_write_png_to_mem(png->pixels, 0, (int)png->width, (int)png->height, (int)png->channels, &count);
    *size = (size_t)count;
    return data;
}

/* The chunks come right behind the header. */
static enum lb_status write_file(const char *path, const unsigned char *data, size_t size,
                                 const struct lb_png_chunks *chunks, struct lb_error *error)
{
    enum { HEADER = 8 + 25 }; /* the signature and IHDR */
    struct lb_replacement r;
    enum lb_status status = lb_replace_start(&r, path, error);
    if (status == LB_OK)
        status = lb_replace_write(&r, data, HEADER, error);
    if (status == LB_OK)
        status = lb_replace_write(&r, chunks->data, chunks->size, error);
    if (status == LB_OK)
        status = lb_replace_write(&r, data + HEADER, size - HEADER, error);
    if (status == LB_OK)
        status = lb_replace_end(&r, error);
    return status;
}

enum lb_status lb_png_save(const char *path, const struct lb_png *png, struct lb_error *error)
{
    struct lb_png_chunks chunks = {0};
    enum lb_status status = lb_png_fits(path, png->width, png->height, png->channels * png->bits, error);
    if (status != LB_OK)
        return status;
    if (png->srgb && !lb_png_chunks_make(&chunks, png->notes, png->note_count))
        return lb_error_memory(error, path);
    size_t size;
    unsigned char *data = encode(png, &size);
    status = data ? write_file(path, data, size, &chunks, error) : lb_error_memory(error, path);
    free(data);
    free(chunks.data);
    return status;
}

enum lb_status lb_png_write(const char *path, uint32_t width, uint32_t height, const uint8_t *pixels,
                            struct lb_error *error)
{
    struct lb_png png = {.width = width, .height = height, .channels = 3, .bits = 8, .pixels = pixels};
    return lb_png_save(path, &png, error);
}
