/* EXR files, written by the library's own encoders: every compression, pixel type, scan lines, tiles and parts. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "core/image/image.h"
#include "test/unit/exr_write.h"
#include "test/unit/random_help.h"
#include "test/unit/share_help.h"

#include <libdeflate.h>
#include <math.h>
#include <openexr.h>
#include <stdlib.h>
#include <string.h>

struct memory {
    uint8_t *data;
    size_t size;
};

static int64_t write_memory(exr_const_context_t context, void *user, const void *buffer, uint64_t size,
                            uint64_t offset, exr_stream_error_func_ptr_t report)
{
    (void)context;
    (void)report;
    struct memory *memory = user;
    if (offset + size > memory->size) {
        memory->data = realloc(memory->data, offset + size);
        memset(memory->data + memory->size, 0, offset + size - memory->size);
        memory->size = offset + size;
    }
    memcpy(memory->data + offset, buffer, size);
    return (int64_t)size;
}

/* A picture of whole numbers below 256, in the order of the channels' names as the file has them. */
struct made {
    int32_t width, height, tile, left, top;
    int channels;
    const char *const *names;
    exr_pixel_type_t type;
    exr_compression_t compression;
    uint8_t *values; /* [y][x][channel] */
};

static const char *const rgb[] = {"B", "G", "R"}, *const rgba[] = {"A", "B", "G", "R"}, *const grey[] = {"Y"},
                         *const depth[] = {"Z"}, *const many[] = {"B", "G", "R", "extra.X", "extra.Y"};

/* Halves of whole numbers below 2048 are exact. */
static uint16_t half_of(uint32_t value)
{
    if (value == 0)
        return 0;
    uint32_t exponent = 31 - (uint32_t)__builtin_clz(value);
    return (uint16_t)((exponent + 15) << 10 | ((value << (10 - exponent)) & 1023));
}

static size_t element_size(const struct made *m)
{
    return m->type == EXR_PIXEL_HALF ? 2 : 4;
}

static uint8_t *native_values(const struct made *m)
{
    size_t count = (size_t)m->width * (size_t)m->height * (size_t)m->channels, size = element_size(m);
    uint8_t *native = malloc(count * size);
    for (size_t i = 0; i < count; i++) {
        uint16_t half = half_of(m->values[i]);
        float number = m->values[i];
        uint32_t integer = m->values[i];
        const void *from = m->type == EXR_PIXEL_HALF    ? (void *)&half
                           : m->type == EXR_PIXEL_FLOAT ? (void *)&number
                                                        : (void *)&integer;
        memcpy(native + i * size, from, size);
    }
    return native;
}

static void ok(exr_result_t code)
{
    if (code != EXR_ERR_SUCCESS)
        fail_msg("%s", exr_get_error_code_as_string(code));
}

/* ZIP as the format describes it; the library's own encoder spoils some chunks. */
static exr_result_t compress_zip(exr_encode_pipeline_t *pipeline)
{
    size_t size = pipeline->packed_bytes;
    const uint8_t *from = pipeline->packed_buffer;
    uint8_t *bytes = malloc(size);
    for (size_t i = 0; i < size; i++)
        bytes[i & 1 ? (size + 1) / 2 + i / 2 : i / 2] = from[i];
    for (size_t i = size; i-- > 1;)
        bytes[i] = (uint8_t)(bytes[i] - bytes[i - 1] + 128);
    struct libdeflate_compressor *machine = libdeflate_alloc_compressor(1);
    uint8_t *out = malloc(size);
    size_t made = libdeflate_zlib_compress(machine, bytes, size, out, size - 1);
    libdeflate_free_compressor(machine);
    free(bytes);
    if (made == 0)
        memcpy(out, from, made = size);
    pipeline->compressed_buffer = out;
    pipeline->compressed_alloc_size = size;
    pipeline->compressed_bytes = made;
    return EXR_ERR_SUCCESS;
}

static void write_chunk(exr_context_t context, const struct made *m, const exr_chunk_info_t *chunk, int32_t x,
                        int32_t y, const uint8_t *native)
{
    exr_encode_pipeline_t pipeline = EXR_ENCODE_PIPELINE_INITIALIZER;
    ok(exr_encoding_initialize(context, 0, chunk, &pipeline));
    size_t size = element_size(m), pixel = size * (size_t)m->channels;
    for (int c = 0; c < pipeline.channel_count; c++) {
        exr_coding_channel_info_t *channel = &pipeline.channels[c];
        size_t index = 0;
        while (strcmp(m->names[index], channel->channel_name) != 0)
            index++;
        channel->encode_from_ptr = native + ((size_t)y * (size_t)m->width + (size_t)x) * pixel + index * size;
        channel->user_pixel_stride = (int32_t)pixel;
        channel->user_line_stride = (int32_t)(pixel * (size_t)m->width);
        channel->user_bytes_per_element = (int16_t)size;
        channel->user_data_type = (uint16_t)m->type;
    }
    ok(exr_encoding_choose_default_routines(context, 0, &pipeline));
    if (m->compression == EXR_COMPRESSION_ZIP || m->compression == EXR_COMPRESSION_ZIPS)
        pipeline.compress_fn = compress_zip;
    ok(exr_encoding_run(context, 0, &pipeline));
    ok(exr_encoding_destroy(context, &pipeline));
}

static void write_chunks(exr_context_t context, const struct made *m, const uint8_t *native)
{
    exr_chunk_info_t chunk;
    int32_t lines = 1;
    if (!m->tile)
        ok(exr_get_scanlines_per_chunk(context, 0, &lines));
    for (int32_t y = 0; y < m->height; y += m->tile ? m->tile : lines) {
        for (int32_t x = 0; x < m->width; x += m->tile ? m->tile : m->width) {
            if (m->tile)
                ok(exr_write_tile_chunk_info(context, 0, x / m->tile, y / m->tile, 0, 0, &chunk));
            else
                ok(exr_write_scanline_chunk_info(context, 0, y + m->top, &chunk));
            write_chunk(context, m, &chunk, x, y, native);
        }
    }
}

static struct memory write_exr(const struct made *m)
{
    struct memory memory = {0};
    exr_context_initializer_t setup = EXR_DEFAULT_CONTEXT_INITIALIZER;
    setup.user_data = &memory;
    setup.write_fn = write_memory;
    exr_context_t context;
    int part;
    ok(exr_start_write(&context, "made.exr", EXR_WRITE_FILE_DIRECTLY, &setup));
    ok(exr_add_part(context, "part", m->tile ? EXR_STORAGE_TILED : EXR_STORAGE_SCANLINE, &part));
    ok(exr_initialize_required_attr_simple(context, part, m->width, m->height, m->compression));
    exr_attr_box2i_t window;
    window.min.x = m->left;
    window.min.y = m->top;
    window.max.x = m->left + m->width - 1;
    window.max.y = m->top + m->height - 1;
    ok(exr_set_data_window(context, part, &window));
    if (m->tile)
        ok(exr_set_tile_descriptor(context, part, (uint32_t)m->tile, (uint32_t)m->tile, EXR_TILE_ONE_LEVEL,
                                   EXR_TILE_ROUND_DOWN));
    for (int c = 0; c < m->channels; c++)
        ok(exr_add_channel(context, part, m->names[c], m->type, EXR_PERCEPTUALLY_LOGARITHMIC, 1, 1));
    ok(exr_write_header(context));
    uint8_t *native = native_values(m);
    write_chunks(context, m, native);
    free(native);
    ok(exr_finish(&context));
    return memory;
}

static void make(struct made *m, exr_compression_t compression, int32_t limit)
{
    static const char *const *const names[] = {rgb, rgba, grey, depth, many};
    static const int counts[] = {3, 4, 1, 1, 5};
    uint32_t kind = random_below(5);
    *m = (struct made){.width = 1 + (int32_t)random_below((uint32_t)limit),
                       .height = 1 + (int32_t)random_below((uint32_t)limit),
                       .tile = random_below(2) ? 0 : 1 + (int32_t)random_below(20),
                       .channels = counts[kind],
                       .names = names[kind],
                       .type = (exr_pixel_type_t)random_below(3),
                       .compression = compression};
    if (random_below(2)) {
        m->left = (int32_t)random_below(100) - 50;
        m->top = (int32_t)random_below(100) - 50;
    }
    size_t count = (size_t)m->width * (size_t)m->height * (size_t)m->channels;
    m->values = malloc(count);
    for (size_t i = 0; i < count; i++)
        m->values[i] = (uint8_t)(random_below(3) ? i / 9 : random_below(256));
}

static float value_of(const struct made *m, size_t pixel, const char *name)
{
    for (int c = 0; c < m->channels; c++)
        if (strcmp(m->names[c], name) == 0)
            return m->values[pixel * (size_t)m->channels + (size_t)c];
    fail();
    return 0;
}

static void check(const struct made *m, const struct lb_picture *picture)
{
    static const char *const order[] = {"R", "G", "B", "A"};
    assert_int_equal(picture->width, m->width);
    assert_int_equal(picture->height, m->height);
    assert_int_equal(picture->channels, m->channels == 5 ? 3 : m->channels);
    assert_null(picture->bytes);
    for (size_t i = 0; i < (size_t)m->width * (size_t)m->height; i++) {
        for (uint32_t c = 0; c < picture->channels; c++) {
            float want = value_of(m, i, picture->channels == 1 ? m->names[0] : order[c]);
            float got = picture->floats[i * picture->channels + c];
            if (got != want)
                fail_msg("compression %d, type %d, pixel %zu of %d x %d, channel %u: %g, not %g",
                         m->compression, m->type, i, m->width, m->height, c, (double)got, (double)want);
        }
    }
}

/* The library's encoder of PXR24 spoils all that it writes: see pxr24_and_mixed_types(). */
static void every_compression(void **state)
{
    (void)state;
    static const exr_compression_t all[] = {EXR_COMPRESSION_NONE, EXR_COMPRESSION_RLE, EXR_COMPRESSION_ZIPS,
                                            EXR_COMPRESSION_ZIP, EXR_COMPRESSION_PIZ};
    const int count = (int)share_of(1000), small = (int)share_of(970);
    for (int i = 0; i < count; i++) {
        struct made m;
        make(&m, all[(size_t)i % (sizeof all / sizeof *all)], i < small ? 40 : 300);
        struct memory file = write_exr(&m);
        struct lb_picture picture;
        struct lb_error error;
        if (lb_picture_parse("made.exr", file.data, file.size, &picture, &error) != LB_OK)
            fail_msg("compression %d, %d x %d, tile %d, type %d: %s", m.compression, m.width, m.height,
                     m.tile, m.type, error.message);
        check(&m, &picture);
        lb_picture_free(&picture);
        free(file.data);
        free(m.values);
    }
}

static void truncated_files(void **state)
{
    (void)state;
    for (int compression = EXR_COMPRESSION_NONE; compression <= EXR_COMPRESSION_PXR24; compression++) {
        struct made m;
        make(&m, (exr_compression_t)compression, 12);
        struct memory file = write_exr(&m);
        for (size_t size = 0; size < file.size; size++) {
            uint8_t *part = malloc(size + 1);
            memcpy(part, file.data, size);
            struct lb_picture picture;
            struct lb_error error = {0};
            assert_int_equal(lb_picture_parse("cut.exr", part, size, &picture, &error), LB_ERROR);
            assert_ptr_equal(strstr(error.message, "cut.exr: "), error.message);
            assert_null(picture.floats);
            free(part);
        }
        free(file.data);
        free(m.values);
    }
}

static void damaged_pixels(void **state)
{
    (void)state;
    const int count = (int)share_of(1500);
    for (int i = 0; i < count; i++) {
        struct made m;
        make(&m, (exr_compression_t)(i % 6), 24);
        struct memory file = write_exr(&m);
        for (uint32_t k = 0; k < 1 + random_below(3); k++)
            file.data[random_below((uint32_t)file.size)] = (uint8_t)random_below(256);
        struct lb_picture picture;
        struct lb_error error;
        if (lb_picture_parse("bad.exr", file.data, file.size, &picture, &error) == LB_OK)
            for (size_t k = 0; k < (size_t)picture.width * picture.height * picture.channels; k++)
                assert_true(isfinite(picture.floats[k]));
        lb_picture_free(&picture);
        free(file.data);
        free(m.values);
    }
}

static void missing_channels(void **state)
{
    (void)state;
    static const char *const two[] = {"G", "R"};
    uint8_t values[8] = {0};
    struct made m = {
        .width = 2, .height = 2, .channels = 2, .names = two, .type = EXR_PIXEL_HALF, .values = values};
    struct memory file = write_exr(&m);
    struct lb_picture picture;
    struct lb_error error;
    assert_int_equal(lb_picture_parse("two.exr", file.data, file.size, &picture, &error), LB_ERROR);
    assert_string_equal(error.message, "two.exr: the EXR has neither channels R, G, B nor Y");
    free(file.data);
}

static enum lb_status read_kind(const struct exr_kind *kind, struct lb_picture *picture,
                                struct lb_error *error)
{
    size_t size;
    uint8_t *file = exr_write(kind, &size);
    assert_non_null(file);
    enum lb_status status = lb_picture_parse("made.exr", file, size, picture, error);
    free(file);
    return status;
}

/* Every compression, also the lossy ones, whatever holds the pixels. */
static void every_form(void **state)
{
    (void)state;
    for (int i = 0; i < 10 * 4 * 5; i++) {
        struct exr_kind kind = {.form = (enum exr_form)(i / 10 % 5),
                                .compression = i % 10,
                                .halves = i / 50 % 2,
                                .alpha = i / 100,
                                .left = i % 3 * 6 - 6,
                                .top = i % 5 * 2 - 4,
                                .width = 40 + 2 * (i % 7),
                                .height = 38};
        struct lb_picture picture;
        struct lb_error error;
        if (read_kind(&kind, &picture, &error) != LB_OK)
            fail_msg("form %d, compression %d: %s", kind.form, kind.compression, error.message);
        assert_true(picture.floats && (int)picture.width == kind.width && (int)picture.height == kind.height);
        assert_int_equal(picture.channels, kind.alpha ? 4 : 3);
        int count = kind.width * kind.height * (int)picture.channels;
        for (int k = 0; k < count; k++) {
            int pixel = k / (int)picture.channels, channel = k % (int)picture.channels;
            float want = exr_colour(pixel % kind.width, pixel / kind.width, channel);
            if (fabsf(picture.floats[k] - want) > 0.02f * want)
                fail_msg("form %d, compression %d, pixel %d, channel %d: %g, not %g", kind.form,
                         kind.compression, pixel, channel, (double)picture.floats[k], (double)want);
        }
        lb_picture_free(&picture);
    }
}

static void coarse_channels(void **state)
{
    (void)state;
    struct exr_kind kind = {.form = EXR_COARSE, .compression = 3, .halves = true, .width = 16, .height = 16};
    struct lb_picture picture;
    struct lb_error error;
    assert_int_equal(read_kind(&kind, &picture, &error), LB_ERROR);
    assert_string_equal(error.message,
                        "made.exr: EXR channels at less than full resolution are not supported");
}

/* Of every form: cut anywhere it is an error, but where smaller levels that are not read were lost; damaged anywhere
 * it is finite or an error. */
static void damaged_forms(void **state)
{
    (void)state;
    for (int i = 0; i < 10 * 5; i++) {
        struct exr_kind kind = {
            .form = (enum exr_form)(i % 5), .compression = i / 5, .halves = true, .width = 20, .height = 12};
        size_t size;
        uint8_t *file = exr_write(&kind, &size);
        for (int k = 0; k < 60; k++) {
            size_t length = k < 20 ? random_below((uint32_t)size) : size;
            uint8_t *part = malloc(length + 1);
            memcpy(part, file, length);
            for (int b = 0; k >= 20 && b < 1 + k % 3; b++)
                part[random_below((uint32_t)length)] = (uint8_t)random_below(256);
            struct lb_picture picture;
            struct lb_error error;
            enum lb_status status = lb_picture_parse("bad.exr", part, length, &picture, &error);
            assert_true(k >= 20 || status == LB_ERROR || kind.form == EXR_MIPMAP);
            assert_true(status == LB_OK || strstr(error.message, "bad.exr: ") == error.message);
            lb_picture_free(&picture);
            free(part);
        }
        free(file);
    }
}

/* Written by OpenEXR's C++ library: 8 x 3, G and B halves of 10 i, R floats of i / 2. */
static void pxr24_and_mixed_types(void **state)
{
    (void)state;
    /* clang-format off */
    static const uint8_t file[] = {
    118, 47, 49, 1, 2, 0, 0, 0, 99, 104, 97, 110, 110, 101, 108, 115, 0, 99, 104, 108,
    105, 115, 116, 0, 55, 0, 0, 0, 66, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0,
    0, 0, 1, 0, 0, 0, 71, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0,
    1, 0, 0, 0, 82, 0, 2, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0,
    0, 0, 0, 99, 111, 109, 112, 114, 101, 115, 115, 105, 111, 110, 0, 99, 111, 109, 112, 114,
    101, 115, 115, 105, 111, 110, 0, 1, 0, 0, 0, 5, 100, 97, 116, 97, 87, 105, 110, 100,
    111, 119, 0, 98, 111, 120, 50, 105, 0, 16, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 7, 0, 0, 0, 2, 0, 0, 0, 100, 105, 115, 112, 108, 97, 121, 87, 105, 110, 100,
    111, 119, 0, 98, 111, 120, 50, 105, 0, 16, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 7, 0, 0, 0, 2, 0, 0, 0, 108, 105, 110, 101, 79, 114, 100, 101, 114, 0, 108,
    105, 110, 101, 79, 114, 100, 101, 114, 0, 1, 0, 0, 0, 0, 112, 105, 120, 101, 108, 65,
    115, 112, 101, 99, 116, 82, 97, 116, 105, 111, 0, 102, 108, 111, 97, 116, 0, 4, 0, 0,
    0, 0, 0, 128, 63, 115, 99, 114, 101, 101, 110, 87, 105, 110, 100, 111, 119, 67, 101, 110,
    116, 101, 114, 0, 118, 50, 102, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    115, 99, 114, 101, 101, 110, 87, 105, 110, 100, 111, 119, 87, 105, 100, 116, 104, 0, 102, 108,
    111, 97, 116, 0, 4, 0, 0, 0, 0, 0, 128, 63, 0, 65, 1, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 67, 0, 0, 0, 120, 156, 99, 240, 100, 97, 98, 100, 100, 100, 0,
    130, 134, 6, 7, 135, 7, 12, 232, 124, 123, 6, 40, 0, 242, 20, 20, 20, 96, 188, 80,
    24, 99, 1, 16, 76, 8, 8, 64, 231, 59, 192, 116, 9, 64, 0, 76, 58, 18, 198, 8,
    128, 0, 116, 190, 35, 140, 207, 1, 1, 48, 46, 0, 248, 102, 21, 201,
    };
    /* clang-format on */
    struct lb_picture picture;
    struct lb_error error;
    assert_int_equal(lb_picture_parse("pxr24.exr", file, sizeof file, &picture, &error), LB_OK);
    assert_true(picture.width == 8 && picture.height == 3 && picture.channels == 3);
    for (int i = 0; i < 24; i++) {
        const float *pixel = picture.floats + 3 * i;
        assert_true(pixel[0] == 0.5f * (float)i && pixel[1] == 10.0f * (float)i && pixel[2] == pixel[1]);
    }
    lb_picture_free(&picture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_compression), cmocka_unit_test(pxr24_and_mixed_types),
        cmocka_unit_test(truncated_files),   cmocka_unit_test(damaged_pixels),
        cmocka_unit_test(missing_channels),  cmocka_unit_test(every_form),
        cmocka_unit_test(coarse_channels),   cmocka_unit_test(damaged_forms),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
