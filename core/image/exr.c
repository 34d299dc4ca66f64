/* OpenEXR through its C core: scan lines or tiles of the first part, as floats. */
#include "core/image/picture.h"

#include <libdeflate.h>
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
    bool zip;
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

/* The C core of OpenEXR 3.1 has no DWA, and what it makes of B44 is wrong in partial tiles and for floats. */
static enum lb_status check_compression(const struct reader *r, exr_compression_t compression)
{
    static const char *const names[] = {"none",  "RLE", "ZIPS", "ZIP",  "PIZ",
                                        "PXR24", "B44", "B44A", "DWAA", "DWAB"};
    if (compression >= EXR_COMPRESSION_NONE && compression <= EXR_COMPRESSION_PXR24)
        return LB_OK;
    bool known = compression > EXR_COMPRESSION_PXR24 && compression <= EXR_COMPRESSION_DWAB;
    return lb_image_fail(r->file,
                         "EXR compression %s is not supported (none, RLE, ZIPS, ZIP, PIZ and PXR24 are)",
                         known ? names[compression] : "of an unknown kind");
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
    enum lb_status status = check_compression(r, compression);
    if (status == LB_OK) /* no compression packs more than 1032 bytes into one */
        status = lb_image_check_size(r->file, width, height, (uint64_t)r->file->size * 1032);
    if (status == LB_OK)
        status = choose_channels(r, list);
    if (status != LB_OK)
        return status;
    r->zip = compression == EXR_COMPRESSION_ZIP || compression == EXR_COMPRESSION_ZIPS;
    r->picture->width = (uint32_t)width;
    r->picture->height = (uint32_t)height;
    /* calloc'd pages are not there before something is decoded into them. */
    r->picture->floats = calloc((size_t)width * (size_t)height, r->picture->channels * sizeof(float));
    return r->picture->floats ? LB_OK : fail(r->file, EXR_ERR_OUT_OF_MEMORY);
}

static float half_to_float(uint32_t half)
{
    uint32_t sign = (half & 0x8000) << 16, exponent = (half >> 10) & 31, fraction = half & 1023, bits;
    float value;
    if (exponent == 0) {
        value = (float)fraction * 0x1p-24f;
        return sign ? -value : value;
    }
    exponent = exponent == 31 ? 255 : exponent + 112;
    bits = sign | exponent << 23 | fraction << 13;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static float load(const uint8_t *from, uint16_t type)
{
    uint32_t bits = (uint32_t)from[0] | (uint32_t)from[1] << 8;
    if (type == EXR_PIXEL_HALF)
        return half_to_float(bits);
    bits |= (uint32_t)from[2] << 16 | (uint32_t)from[3] << 24;
    float value = (float)bits;
    if (type == EXR_PIXEL_FLOAT)
        memcpy(&value, &bits, sizeof value);
    return value;
}

/* Where a chunk goes: its first pixel's place in the picture. */
struct place {
    const struct reader *reader;
    size_t x, y;
};

/* One channel's part of a line, if the picture has that channel. */
static void unpack_line(const struct place *place, const exr_coding_channel_info_t *channel,
                        const uint8_t *from, size_t line, size_t width)
{
    const struct lb_picture *picture = place->reader->picture;
    for (uint32_t c = 0; c < picture->channels; c++) {
        if (strcmp(channel->channel_name, place->reader->names[c]) != 0)
            continue;
        float *to = picture->floats + ((place->y + line) * picture->width + place->x) * picture->channels + c;
        for (size_t i = 0; i < width; i++, to += picture->channels)
            *to = load(from + i * (size_t)channel->bytes_per_element, channel->data_type);
    }
}

/* In place of the library's, whose shortcuts for four interleaved channels confuse them. A chunk is lines, a line the
 * values of each channel in turn. */
static exr_result_t unpack(exr_decode_pipeline_t *pipeline)
{
    const struct place *place = pipeline->decoding_user_data;
    const uint8_t *from = pipeline->unpacked_buffer;
    size_t width = (size_t)pipeline->chunk.width, height = (size_t)pipeline->chunk.height, line_size = 0;
    for (int c = 0; c < pipeline->channel_count; c++)
        line_size += width * (size_t)pipeline->channels[c].bytes_per_element;
    if (!from || pipeline->chunk.unpacked_size < line_size * height)
        return EXR_ERR_CORRUPT_CHUNK;
    for (size_t line = 0; line < height; line++) {
        for (int c = 0; c < pipeline->channel_count; c++) {
            unpack_line(place, &pipeline->channels[c], from, line, width);
            from += width * (size_t)pipeline->channels[c].bytes_per_element;
        }
    }
    return EXR_ERR_SUCCESS;
}

/* ZIP and ZIPS: the bytes' differences, all even ones before all odd ones, through zlib. The library's own takes data
 * that ends early for whole. */
static exr_result_t decompress_zip(exr_decode_pipeline_t *pipeline)
{
    if (pipeline->chunk.packed_size ==
        pipeline->chunk.unpacked_size) { /* not compressible: stored as it is */
        memcpy(pipeline->unpacked_buffer, pipeline->packed_buffer, pipeline->chunk.packed_size);
        return EXR_ERR_SUCCESS;
    }
    size_t size = pipeline->chunk.unpacked_size, half = (size + 1) / 2;
    uint8_t *bytes = malloc(size), *out = pipeline->unpacked_buffer;
    struct libdeflate_decompressor *machine = libdeflate_alloc_decompressor();
    bool done = bytes && machine &&
                libdeflate_zlib_decompress(machine, pipeline->packed_buffer, pipeline->chunk.packed_size,
                                           bytes, size, NULL) == LIBDEFLATE_SUCCESS;
    for (size_t i = 1; done && i < size; i++)
        bytes[i] = (uint8_t)(bytes[i - 1] + bytes[i] - 128);
    for (size_t i = 0; done && i < size; i++)
        out[i] = bytes[i & 1 ? half + i / 2 : i / 2];
    libdeflate_free_decompressor(machine);
    free(bytes);
    return done ? EXR_ERR_SUCCESS : EXR_ERR_CORRUPT_CHUNK;
}

/* Zeros where damaged data leaves something out, so that a file always gives the same. */
static void *allocate(size_t size)
{
    return calloc(1, size);
}

/* The library's choice of how to read and decompress. It only offers to leave the pixels to unpack() when it believes
 * that they are to be converted, so each channel claims a type that it has not; nothing is written through these
 * pointers. */
static exr_result_t choose_routines(struct reader *r, exr_decode_pipeline_t *pipeline)
{
    for (int c = 0; c < pipeline->channel_count; c++) {
        exr_coding_channel_info_t *channel = &pipeline->channels[c];
        bool half = channel->data_type == EXR_PIXEL_HALF;
        channel->decode_to_ptr = (uint8_t *)r->picture->floats;
        channel->user_data_type = half ? EXR_PIXEL_FLOAT : EXR_PIXEL_HALF;
        channel->user_bytes_per_element = half ? 4 : 2;
        channel->user_pixel_stride = channel->user_line_stride = 4;
    }
    exr_result_t code = exr_decoding_choose_default_routines(r->context, 0, pipeline);
    if (r->zip)
        pipeline->decompress_fn = decompress_zip;
    pipeline->unpack_and_convert_fn = unpack;
    return code;
}

/* Decodes `chunk` to (x, y); `pipeline` is made by the first one. */
static exr_result_t decode(struct reader *r, const exr_chunk_info_t *chunk, size_t x, size_t y, bool first,
                           exr_decode_pipeline_t *pipeline)
{
    const struct lb_picture *picture = r->picture;
    struct place place = {.reader = r, .x = x, .y = y};
    if (chunk->width < 0 || chunk->height < 0 || x + (size_t)chunk->width > picture->width ||
        y + (size_t)chunk->height > picture->height)
        return EXR_ERR_CORRUPT_CHUNK;
    exr_result_t code = first ? exr_decoding_initialize(r->context, 0, chunk, pipeline)
                              : exr_decoding_update(r->context, 0, chunk, pipeline);
    if (first && code == EXR_ERR_SUCCESS)
        code = choose_routines(r, pipeline);
    if (code != EXR_ERR_SUCCESS)
        return code;
    pipeline->decoding_user_data = &place;
    code = exr_decoding_run(r->context, 0, pipeline);
    pipeline->decoding_user_data = NULL;
    return code;
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
    setup.alloc_fn = allocate;
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
