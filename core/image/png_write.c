/* PNG files: stb_image_write filters the rows and writes the container, libdeflate compresses and sums. */
#include "core/image/image.h"

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

enum lb_status lb_png_fits(const char *path, uint32_t width, uint32_t height, struct lb_error *error)
{
    /* stb counts bytes in int. */
    if (width && height && ((uint64_t)width * 3 + 1) * height < INT_MAX - (1 << 20))
        return LB_OK;
    return lb_error_set(error, LB_ERROR,
                        "%s: %u x %u pixels are too many for a PNG file; a .pfm file can hold them", path,
                        width, height);
}

enum lb_status lb_png_write(const char *path, uint32_t width, uint32_t height, const uint8_t *pixels,
                            struct lb_error *error)
{
    enum lb_status status = lb_png_fits(path, width, height, error);
    if (status != LB_OK)
        return status;
    int size;
    unsigned char *png = stbi_write_png_to_mem(pixels, 0, (int)width, (int)height, 3, &size);
    if (!png)
        return lb_error_memory(error, path);
    status = lb_file_replace(path, png, (size_t)size, error);
    free(png);
    return status;
}
