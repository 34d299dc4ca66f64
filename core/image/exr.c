/* OpenEXR files: the header, by the library's C core, which checks it without using much memory; what it claims is
 * bounded here before core/image/exr_pixels.cc has the C++ library read the pixels. */
#include "core/base/color_space.h"
#include "core/image/exr_pixels.h"
#include "core/image/formats.h"

#include <openexr.h>
#include <stdlib.h>
#include <string.h>

bool lb_exr_is(const struct lb_image_file *file)
{
    static const uint8_t magic[4] = {0x76, 0x2f, 0x31, 0x01};
    return file->size >= 4 && memcmp(file->data, magic, 4) == 0;
}

static int64_t read_memory(exr_const_context_t context, void *user, void *buffer, uint64_t size,
                           uint64_t offset, exr_stream_error_func_ptr_t report)
{
    (void)context;
    (void)report;
    const struct lb_image_file *file = user;
    if (offset > file->size)
        return 0;
    uint64_t left = file->size - offset, count = size < left ? size : left;
    memcpy(buffer, file->data + offset, count);
    return (int64_t)count;
}

static int64_t size_of_memory(exr_const_context_t context, void *user)
{
    (void)context;
    const struct lb_image_file *file = user;
    return (int64_t)file->size;
}

/* The library's own messages go nowhere; its result codes say enough. */
static void keep_quiet(exr_const_context_t context, exr_result_t code, const char *message)
{
    (void)context;
    (void)code;
    (void)message;
}

static enum lb_status fail(const struct lb_image_file *file, exr_result_t code)
{
    if (code == EXR_ERR_OUT_OF_MEMORY)
        return lb_error_memory(file->error, file->name);
    return lb_image_fail(file, "cannot be decoded: %s", exr_get_default_error_message(code));
}

struct exr_reader {
    const struct lb_image_file *file;
    struct lb_picture *picture;
    exr_context_t context;
    struct lb_exr_wanted wanted;
};

static const exr_attr_chlist_entry_t *find_channel(const exr_attr_chlist_t *list, const char *name)
{
    for (int i = 0; i < list->num_channels; i++)
        if (strcmp(list->entries[i].name.str, name) == 0)
            return &list->entries[i];
    return NULL;
}

/* R, G, B with or without A; luminance and chroma with or without A; Y alone, or the only channel that there is. 0:
 * none of these. */
static uint32_t choose_channels(struct lb_exr_wanted *wanted, const exr_attr_chlist_t *list)
{
    static const char *const rgba[4] = {"R", "G", "B", "A"};
    bool rgb = find_channel(list, "R") && find_channel(list, "G") && find_channel(list, "B");
    wanted->chroma = !rgb && find_channel(list, "Y") && find_channel(list, "RY") && find_channel(list, "BY");
    if (rgb || wanted->chroma) {
        memcpy(wanted->names, rgba, sizeof rgba);
        return find_channel(list, "A") ? 4 : 3;
    }
    wanted->names[0] = list->num_channels == 1 ? list->entries[0].name.str : "Y";
    return find_channel(list, wanted->names[0]) ? 1 : 0;
}

static bool full_resolution(const struct lb_exr_wanted *wanted, const exr_attr_chlist_t *list, uint32_t count)
{
    for (uint32_t i = 0; i < count && !wanted->chroma; i++) {
        const exr_attr_chlist_entry_t *channel = find_channel(list, wanted->names[i]);
        if (channel->x_sampling != 1 || channel->y_sampling != 1)
            return false;
    }
    return true;
}

/* What the library allocates before it reads a pixel must be possible for a file of this size: a table of the chunks,
 * 8 bytes each, which the file has too, and a chunk as it is unpacked. */
static enum lb_status check_part(const struct exr_reader *r, int part)
{
    /* Bytes that one may unpack to: deflate 1032 at most, of which PXR24 makes a third more; DWA does so with
     * coefficients of up to 64 pixels. */
    enum { UNPACKED = 1032 * 4 / 3, UNPACKED_DWA = 1032 * 64 };
    exr_compression_t compression;
    exr_attr_box2i_t window;
    int32_t chunks;
    uint64_t unpacked;
    exr_result_t code = exr_get_data_window(r->context, part, &window);
    if (code == EXR_ERR_SUCCESS)
        code = exr_get_compression(r->context, part, &compression);
    if (code == EXR_ERR_SUCCESS)
        code = exr_get_chunk_count(r->context, part, &chunks);
    if (code == EXR_ERR_SUCCESS)
        code = exr_get_chunk_unpacked_size(r->context, part, &unpacked);
    if (code != EXR_ERR_SUCCESS)
        return fail(r->file, code);
    bool dwa = compression == EXR_COMPRESSION_DWAA || compression == EXR_COMPRESSION_DWAB;
    uint64_t most = (uint64_t)r->file->size * (dwa ? UNPACKED_DWA : UNPACKED);
    if (chunks < 0 || (uint64_t)chunks > r->file->size / 8)
        return lb_image_fail(r->file, "%d chunks of pixels cannot be in %zu bytes", chunks, r->file->size);
    /* A chunk may be larger than the picture. */
    if (unpacked > most && unpacked > 1 << 26)
        return lb_image_fail(r->file, "chunks of %llu bytes cannot be in %zu bytes",
                             (unsigned long long)unpacked, r->file->size);
    return lb_image_check_size(r->file, (int64_t)window.max.x - window.min.x + 1,
                               (int64_t)window.max.y - window.min.y + 1, most);
}

/* The first part of pixels that are not deep and have channels that make a picture. */
static enum lb_status choose_part(struct exr_reader *r)
{
    int parts;
    bool deep = false, coarse = false;
    exr_result_t code = exr_get_count(r->context, &parts);
    for (int part = 0; code == EXR_ERR_SUCCESS && part < parts; part++) {
        exr_storage_t storage;
        const exr_attr_chlist_t *list;
        enum lb_status status = check_part(r, part);
        if (status != LB_OK)
            return status;
        code = exr_get_storage(r->context, part, &storage);
        if (code == EXR_ERR_SUCCESS)
            code = exr_get_channels(r->context, part, &list);
        if (code != EXR_ERR_SUCCESS || r->picture->channels)
            continue;
        bool flat = storage == EXR_STORAGE_SCANLINE || storage == EXR_STORAGE_TILED;
        uint32_t count = flat ? choose_channels(&r->wanted, list) : 0;
        /* The library reads luminance and chroma in the first part alone. */
        bool full = full_resolution(&r->wanted, list, count) && !(part && r->wanted.chroma);
        deep |= !flat;
        coarse |= !full;
        r->wanted.part = part;
        r->picture->channels = full ? count : 0;
    }
    if (code != EXR_ERR_SUCCESS)
        return fail(r->file, code);
    if (r->picture->channels)
        return LB_OK;
    if (coarse)
        return lb_image_fail(r->file, "EXR channels at less than full resolution are not supported");
    return lb_image_fail(r->file, deep ? "EXR files of deep pixels are not supported"
                                       : "the EXR has neither channels R, G, B nor Y");
}

static bool is_close(float a, double b)
{
    double off = (double)a - b;
    return off * off <= 1e-6 * b * b;
}

/* The space whose chromaticities the part says it has; sRGB where it says nothing, or those of none (pbrt). */
static uint32_t find_color_space(const struct exr_reader *r)
{
    exr_attr_chromaticities_t c;
    if (exr_attr_get_chromaticities(r->context, r->wanted.part, "chromaticities", &c) != EXR_ERR_SUCCESS)
        return LB_COLOR_SRGB;
    for (uint32_t i = 0; i < LB_COLOR_SPACES; i++) {
        const double(*p)[2] = lb_color_spaces[i].primaries;
        if (is_close(c.red_x, p[0][0]) && is_close(c.red_y, p[0][1]) && is_close(c.green_x, p[1][0]) &&
            is_close(c.green_y, p[1][1]) && is_close(c.blue_x, p[2][0]) && is_close(c.blue_y, p[2][1]) &&
            is_close(c.white_x, p[3][0]) && is_close(c.white_y, p[3][1]))
            return i;
    }
    return LB_COLOR_SRGB;
}

static enum lb_status read_pixels(struct exr_reader *r)
{
    struct lb_picture *picture = r->picture;
    exr_attr_box2i_t window;
    enum lb_status status = choose_part(r);
    if (status != LB_OK)
        return status;
    exr_result_t code = exr_get_data_window(r->context, r->wanted.part, &window);
    if (code != EXR_ERR_SUCCESS)
        return fail(r->file, code);
    picture->color_space = find_color_space(r);
    picture->width = (uint32_t)(window.max.x - window.min.x + 1);
    picture->height = (uint32_t)(window.max.y - window.min.y + 1);
    /* calloc'd pages are not there before something is decoded into them. */
    picture->floats = calloc((size_t)picture->width * picture->height, picture->channels * sizeof(float));
    if (!picture->floats)
        return lb_error_memory(r->file->error, r->file->name);
    char reason[512];
    switch (lb_exr_read_pixels(&r->wanted, picture->channels, picture->floats, reason, sizeof reason)) {
    case LB_EXR_OK:
        return lb_image_check_floats(r->file, picture);
    case LB_EXR_MEMORY:
        return lb_error_memory(r->file->error, r->file->name);
    default:
        return lb_image_fail(r->file, "cannot be decoded: %s", reason);
    }
}

enum lb_status lb_exr_parse(const struct lb_image_file *file, struct lb_picture *picture)
{
    struct exr_reader r = {
        .file = file, .picture = picture, .wanted = {.data = file->data, .size = file->size}};
    exr_context_initializer_t setup = EXR_DEFAULT_CONTEXT_INITIALIZER;
    setup.error_handler_fn = keep_quiet;
    setup.user_data = (void *)(uintptr_t)file;
    setup.read_fn = read_memory;
    setup.size_fn = size_of_memory;
    setup.max_image_width = setup.max_image_height = LB_IMAGE_SIDE;
    setup.max_tile_width = setup.max_tile_height = LB_IMAGE_SIDE;
    setup.flags = EXR_CONTEXT_FLAG_SILENT_HEADER_PARSE | EXR_CONTEXT_FLAG_DISABLE_CHUNK_RECONSTRUCTION;
    exr_result_t code = exr_start_read(&r.context, file->name, &setup);
    if (code != EXR_ERR_SUCCESS)
        return fail(file, code);
    enum lb_status status = read_pixels(&r);
    exr_finish(&r.context);
    return status;
}
