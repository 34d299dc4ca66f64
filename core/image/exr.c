/* OpenEXR through its C core: scan lines or tiles of the first part, as floats. */
#include "core/image/picture.h"

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
        return lb_error_set(file->error, LB_ERROR_MEMORY, "%s: out of memory", file->name);
    return lb_image_fail(file, "cannot be decoded: %s", exr_get_default_error_message(code));
}

struct reader {
    const struct lb_image_file *file;
    struct lb_picture *picture;
    exr_context_t context;
    exr_attr_box2i_t window;
    const char *names[4]; /* of the picture's channels */
};

static bool has_channel(const exr_attr_chlist_t *list, const char *name)
{
    for (int i = 0; i < list->num_channels; i++)
        if (strcmp(list->entries[i].name.str, name) == 0)
            return true;
    return false;
}

/* R, G, B with or without A; or Y, or the only channel that there is. */
static enum lb_status choose_channels(struct reader *r, const exr_attr_chlist_t *list)
{
    static const char *const rgba[4] = {"R", "G", "B", "A"};
    uint32_t count = 0;
    for (int i = 0; i < list->num_channels; i++)
        if (list->entries[i].x_sampling != 1 || list->entries[i].y_sampling != 1)
            return lb_image_fail(r->file, "EXR channels at less than full resolution are not supported");
    if (has_channel(list, "R") && has_channel(list, "G") && has_channel(list, "B")) {
        count = has_channel(list, "A") ? 4 : 3;
        memcpy(r->names, rgba, sizeof rgba);
    } else if (has_channel(list, "Y") || list->num_channels == 1) {
        count = 1;
        r->names[0] = has_channel(list, "Y") ? "Y" : list->entries[0].name.str;
    } else {
        return lb_image_fail(r->file, "the EXR has neither channels R, G, B nor Y");
    }
    r->picture->channels = count;
    return LB_OK;
}

/* Pixels that a file of that length can hold. All but DWA end in codes for at least every 1032nd byte; black blocks of 8 x 8
 * pixels take DWA two bytes, packed again. */
static uint64_t most_pixels(const struct lb_image_file *file, exr_compression_t compression)
{
    bool dwa = compression == EXR_COMPRESSION_DWAA || compression == EXR_COMPRESSION_DWAB;
    return (uint64_t)file->size * (dwa ? 32 * 1032 : 1032);
}

static enum lb_status read_header(struct reader *r, exr_storage_t *storage)
{
    const exr_attr_chlist_t *list;
    exr_compression_t compression;
    exr_result_t code = exr_get_storage(r->context, 0, storage);
    if (code == EXR_ERR_SUCCESS)
        code = exr_get_data_window(r->context, 0, &r->window);
    if (code == EXR_ERR_SUCCESS)
        code = exr_get_compression(r->context, 0, &compression);
    if (code == EXR_ERR_SUCCESS)
        code = exr_get_channels(r->context, 0, &list);
    if (code != EXR_ERR_SUCCESS)
        return fail(r->file, code);
    if (*storage != EXR_STORAGE_SCANLINE && *storage != EXR_STORAGE_TILED)
        return lb_image_fail(r->file, "EXR files of deep pixels are not supported");
    int64_t width = (int64_t)r->window.max.x - r->window.min.x + 1;
    int64_t height = (int64_t)r->window.max.y - r->window.min.y + 1;
    enum lb_status status = lb_image_check_size(r->file, width, height, most_pixels(r->file, compression));
    if (status == LB_OK)
        status = choose_channels(r, list);
    if (status != LB_OK)
        return status;
    r->picture->width = (uint32_t)width;
    r->picture->height = (uint32_t)height;
    /* calloc'd pages are not there before something is decoded into them. */
    r->picture->floats = calloc((size_t)width * (size_t)height, r->picture->channels * sizeof(float));
    return r->picture->floats ? LB_OK : fail(r->file, EXR_ERR_OUT_OF_MEMORY);
}

/* Where the values of a chunk go, whose first pixel is (x, y) of the picture. */
static void aim(struct reader *r, exr_decode_pipeline_t *pipeline, size_t x, size_t y)
{
    const struct lb_picture *picture = r->picture;
    for (int i = 0; i < pipeline->channel_count; i++) {
        exr_coding_channel_info_t *channel = &pipeline->channels[i];
        channel->decode_to_ptr = NULL;
        for (uint32_t c = 0; c < picture->channels; c++) {
            if (strcmp(channel->channel_name, r->names[c]) != 0)
                continue;
            float *to = picture->floats + (y * picture->width + x) * picture->channels + c;
            channel->decode_to_ptr = (uint8_t *)to;
            channel->user_data_type = EXR_PIXEL_FLOAT;
            channel->user_bytes_per_element = sizeof(float);
            channel->user_pixel_stride = (int32_t)(picture->channels * sizeof(float));
            channel->user_line_stride = (int32_t)(picture->width * picture->channels * sizeof(float));
        }
    }
}

/* Decodes `chunk` to (x, y); `pipeline` is made by the first one. */
static exr_result_t decode(struct reader *r, const exr_chunk_info_t *chunk, size_t x, size_t y, bool first,
                           exr_decode_pipeline_t *pipeline)
{
    const struct lb_picture *picture = r->picture;
    if (chunk->width < 0 || chunk->height < 0 || x + (size_t)chunk->width > picture->width ||
        y + (size_t)chunk->height > picture->height)
        return EXR_ERR_CORRUPT_CHUNK;
    exr_result_t code = first ? exr_decoding_initialize(r->context, 0, chunk, pipeline)
                              : exr_decoding_update(r->context, 0, chunk, pipeline);
    if (code != EXR_ERR_SUCCESS)
        return code;
    aim(r, pipeline, x, y);
    if (first)
        code = exr_decoding_choose_default_routines(r->context, 0, pipeline);
    return code == EXR_ERR_SUCCESS ? exr_decoding_run(r->context, 0, pipeline) : code;
}

static exr_result_t read_lines(struct reader *r, exr_decode_pipeline_t *pipeline)
{
    int32_t lines;
    exr_result_t code = exr_get_scanlines_per_chunk(r->context, 0, &lines);
    if (code == EXR_ERR_SUCCESS && lines < 1)
        code = EXR_ERR_INVALID_ATTR;
    for (int64_t y = 0; code == EXR_ERR_SUCCESS && y < r->picture->height; y += lines) {
        exr_chunk_info_t chunk;
        code = exr_read_scanline_chunk_info(r->context, 0, (int)(r->window.min.y + y), &chunk);
        if (code == EXR_ERR_SUCCESS)
            code = decode(r, &chunk, 0, (size_t)y, y == 0, pipeline);
    }
    return code;
}

static exr_result_t read_tiles(struct reader *r, exr_decode_pipeline_t *pipeline)
{
    int32_t width, height;
    exr_result_t code = exr_get_tile_sizes(r->context, 0, 0, 0, &width, &height);
    if (code == EXR_ERR_SUCCESS && (width < 1 || height < 1))
        code = EXR_ERR_INVALID_ATTR;
    for (int64_t y = 0; code == EXR_ERR_SUCCESS && y < r->picture->height; y += height) {
        for (int64_t x = 0; code == EXR_ERR_SUCCESS && x < r->picture->width; x += width) {
            exr_chunk_info_t chunk;
            code = exr_read_tile_chunk_info(r->context, 0, (int)(x / width), (int)(y / height), 0, 0, &chunk);
            if (code == EXR_ERR_SUCCESS)
                code = decode(r, &chunk, (size_t)x, (size_t)y, x == 0 && y == 0, pipeline);
        }
    }
    return code;
}

static enum lb_status read_pixels(struct reader *r)
{
    exr_storage_t storage;
    enum lb_status status = read_header(r, &storage);
    if (status != LB_OK)
        return status;
    exr_decode_pipeline_t pipeline = EXR_DECODE_PIPELINE_INITIALIZER;
    exr_result_t code = storage == EXR_STORAGE_TILED ? read_tiles(r, &pipeline) : read_lines(r, &pipeline);
    exr_decoding_destroy(r->context, &pipeline);
    if (code != EXR_ERR_SUCCESS)
        return fail(r->file, code);
    return lb_image_check_floats(r->file, r->picture);
}

enum lb_status lb_exr_parse(const struct lb_image_file *file, struct lb_picture *picture)
{
    struct reader r = {.file = file, .picture = picture};
    exr_context_initializer_t setup = EXR_DEFAULT_CONTEXT_INITIALIZER;
    setup.error_handler_fn = keep_quiet;
    setup.user_data = (void *)(uintptr_t)file;
    setup.read_fn = read_memory;
    setup.size_fn = size_of_memory;
    setup.max_image_width = setup.max_image_height = 65535;
    setup.max_tile_width = setup.max_tile_height = 65535;
    setup.flags = EXR_CONTEXT_FLAG_SILENT_HEADER_PARSE | EXR_CONTEXT_FLAG_DISABLE_CHUNK_RECONSTRUCTION;
    exr_result_t code = exr_start_read(&r.context, file->name, &setup);
    if (code != EXR_ERR_SUCCESS)
        return fail(file, code);
    enum lb_status status = read_pixels(&r);
    exr_finish(&r.context);
    return status;
}
