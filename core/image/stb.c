/* stb_image, the only file that includes it. */
#include "core/image/formats.h"

#include <limits.h>
#include <stdlib.h>

#define STB_IMAGE_IMPLEMENTATION
#define STBI_ONLY_TGA
#define STBI_ONLY_BMP
#define STBI_ONLY_PNM
#define STBI_ONLY_HDR
#define STBI_NO_STDIO
#define STBI_MAX_DIMENSIONS 65535
#define STBI_ASSERT(x)      ((void)0) /* files are no reason to stop */
/* Zeroed, since damaged files make the decoder use tables that they left out. */
#define STBI_MALLOC(size)           calloc(1, size)
#define STBI_REALLOC(pointer, size) realloc(pointer, size)
#define STBI_FREE(pointer)          free(pointer)
#include <stb_image.h>

static enum lb_status fail(const struct lb_image_file *file)
{
    const char *reason = stbi_failure_reason();
    if (reason && strcmp(reason, "outofmem") == 0)
        return lb_error_memory(file->error, file->name);
    return lb_image_fail(file, "cannot be decoded: %s", reason ? reason : "damaged");
}

/* Leaves the last of so many channels out. */
static void drop_alpha(uint8_t *bytes, size_t pixels, size_t channels)
{
    for (size_t i = 0; i < pixels; i++)
        memmove(bytes + i * (channels - 1), bytes + i * channels, channels - 1);
}

static enum lb_status parse_bytes(const struct lb_image_file *file, struct lb_picture *picture)
{
    int width, height, channels;
    uint8_t *bytes = stbi_load_from_memory(file->data, (int)file->size, &width, &height, &channels, 0);
    if (!bytes)
        return fail(file);
    if (channels % 2 == 0) { /* pbrt takes no alpha from files of these kinds */
        drop_alpha(bytes, (size_t)width * (size_t)height, (size_t)channels);
        channels--;
    }
    picture->width = (uint32_t)width;
    picture->height = (uint32_t)height;
    picture->channels = (uint32_t)channels;
    picture->bytes = bytes;
    return LB_OK;
}

static enum lb_status parse_floats(const struct lb_image_file *file, struct lb_picture *picture)
{
    enum { CHANNELS = 3 };
    int width, height, channels;
    float *floats = stbi_loadf_from_memory(file->data, (int)file->size, &width, &height, &channels, CHANNELS);
    if (!floats)
        return fail(file);
    picture->width = (uint32_t)width;
    picture->height = (uint32_t)height;
    picture->channels = CHANNELS;
    picture->floats = floats;
    return LB_OK;
}

enum lb_status lb_stb_parse(const struct lb_image_file *file, struct lb_picture *picture)
{
    if (file->size > INT_MAX)
        return lb_image_fail(file, "files of 2 GiB and more cannot be decoded");
    return lb_hdr_is(file) ? parse_floats(file, picture) : parse_bytes(file, picture);
}
