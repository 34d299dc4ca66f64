/* Reading PNG, JPG, TGA, BMP, PNM, QOI, HDR and PFM: what was written comes back, what is damaged is an error. EXR has
 * test_exr.c. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "core/image/image.h"
#include "test/unit/skip_test.h"
#include "test/unit/bytes_help.h"
#include "test/unit/random_help.h"

#include <libdeflate.h>
#include <math.h>
#include <qoi.h>
#include <stb_image_write.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>

static const char data_folder[] = "../shared/data";

/* A writer of stb's. */
static void put(void *user, void *data, int size)
{
    bytes_put(user, data, (size_t)size);
}

static void put_u32(struct bytes *b, uint32_t value)
{
    uint8_t bytes[4] = {(uint8_t)(value >> 24), (uint8_t)(value >> 16), (uint8_t)(value >> 8),
                        (uint8_t)value};
    put(b, bytes, 4);
}

static void put_chunk(struct bytes *b, const char *name, const uint8_t *data, size_t size)
{
    put_u32(b, (uint32_t)size);
    size_t from = b->size;
    put(b, (void *)(uintptr_t)name, 4);
    put(b, (void *)(uintptr_t)data, (int)size);
    put_u32(b, libdeflate_crc32(0, b->data + from, size + 4));
}

static void put_compressed(struct bytes *b, const uint8_t *data, size_t size)
{
    struct libdeflate_compressor *machine = libdeflate_alloc_compressor(1);
    size_t bound = libdeflate_zlib_compress_bound(machine, size);
    uint8_t *packed = malloc(bound);
    size_t made = libdeflate_zlib_compress(machine, data, size, packed, bound), half = made / 2;
    put_chunk(b, "IDAT", packed, half);
    put_chunk(b, "IDAT", packed + half, made - half);
    free(packed);
    libdeflate_free_compressor(machine);
}

/* A PNG of random samples, rows unfiltered, and what reading it should give, scaled to 0 .. 1. As in pbrt the alpha of
 * grey and that of a palette's colours are left out. */
struct sample_png {
    uint32_t width, height, depth, kind, channels;
    struct bytes file;
    float *want; /* width * height * channels */
};

static void make_palette(uint8_t palette[256][3], uint32_t colours)
{
    for (uint32_t i = 0; i < colours; i++)
        for (int c = 0; c < 3; c++)
            palette[i][c] = (uint8_t)random_below(256);
}

static void want_pixel(struct sample_png *p, size_t pixel, const uint32_t *samples, uint8_t palette[256][3])
{
    float *want = p->want + pixel * p->channels, most = (float)((1u << p->depth) - 1);
    for (uint32_t c = 0; c < p->channels; c++) {
        if (p->kind == 3)
            want[c] = (float)palette[samples[0]][c] / 255;
        else
            want[c] = (float)samples[c] / most;
    }
}

static void make_png(struct sample_png *p)
{
    static const struct {
        uint8_t kind, depth, samples, channels;
    } all[] = {{0, 1, 1, 1}, {0, 2, 1, 1},  {0, 4, 1, 1},  {0, 8, 1, 1}, {0, 16, 1, 1},
               {2, 8, 3, 3}, {2, 16, 3, 3}, {3, 1, 1, 3},  {3, 2, 1, 3}, {3, 4, 1, 3},
               {3, 8, 1, 3}, {4, 8, 2, 1},  {4, 16, 2, 1}, {6, 8, 4, 4}, {6, 16, 4, 4}};
    size_t choice = random_below(sizeof all / sizeof *all);
    uint32_t samples = all[choice].samples, colours = 1u << all[choice].depth;
    *p = (struct sample_png){.width = 1 + random_below(random_below(2) ? 5 : 60),
                             .height = 1 + random_below(30)};
    p->depth = all[choice].depth;
    p->kind = all[choice].kind;
    p->channels = all[choice].channels;
    size_t row = ((size_t)p->width * samples * p->depth + 7) / 8 + 1;
    uint8_t *rows = calloc(p->height, row), palette[256][3];
    p->want = malloc((size_t)p->width * p->height * p->channels * sizeof *p->want);
    if (p->kind == 3)
        make_palette(palette, colours);
    for (uint32_t y = 0; y < p->height; y++) {
        for (uint32_t x = 0; x < p->width; x++) {
            uint32_t values[4];
            for (uint32_t s = 0; s < samples; s++) {
                values[s] = random_below(colours);
                size_t bit = ((size_t)x * samples + s) * p->depth;
                uint8_t *at = rows + y * row + 1 + bit / 8;
                if (p->depth == 16) {
                    at[0] = (uint8_t)(values[s] >> 8);
                    at[1] = (uint8_t)values[s];
                } else {
                    *at |= (uint8_t)(values[s] << (8 - p->depth - bit % 8));
                }
            }
            want_pixel(p, (size_t)y * p->width + x, values, palette);
        }
    }
    static const uint8_t magic[8] = {137, 'P', 'N', 'G', 13, 10, 26, 10};
    uint8_t header[13] = {
        0, 0, 0, (uint8_t)p->width, 0, 0, 0, (uint8_t)p->height, (uint8_t)p->depth, (uint8_t)p->kind};
    put(&p->file, (void *)(uintptr_t)magic, 8);
    put_chunk(&p->file, "IHDR", header, 13);
    if (p->kind == 3)
        put_chunk(&p->file, "PLTE", &palette[0][0], (size_t)colours * 3);
    if (p->kind == 3 && random_below(2))
        put_chunk(&p->file, "tRNS", &palette[0][0], colours);
    put_compressed(&p->file, rows, row * p->height);
    put_chunk(&p->file, "IEND", NULL, 0);
    free(rows);
}

static void free_png(struct sample_png *p)
{
    free(p->file.data);
    free(p->want);
}

static void png_of_every_kind(void **state)
{
    (void)state;
    for (int i = 0; i < 2000; i++) {
        struct sample_png p;
        make_png(&p);
        struct lb_picture got;
        struct lb_error error;
        if (lb_picture_parse("made.png", p.file.data, p.file.size, &got, &error) != LB_OK)
            fail_msg("%s", error.message);
        assert_true(got.width == p.width && got.height == p.height && got.channels == p.channels && got.png);
        assert_int_equal(p.depth == 16, got.floats != NULL);
        for (size_t k = 0; k < (size_t)p.width * p.height * p.channels; k++) {
            float value = got.floats ? got.floats[k] : (float)got.bytes[k] / 255;
            assert_true(fabsf(value - p.want[k]) < 1e-6f);
        }
        lb_picture_free(&got);
        free_png(&p);
    }
}

/* `part` in memory of just that size, so that reading on is found out. */
static enum lb_status parse_copy(const char *name, const uint8_t *data, size_t size,
                                 struct lb_picture *picture, struct lb_error *error)
{
    uint8_t *copy = malloc(size ? size : 1);
    memcpy(copy, data, size);
    enum lb_status status = lb_picture_parse(name, copy, size, picture, error);
    free(copy);
    return status;
}

/* Every proper beginning of a file is an error of one line that starts with its name. */
static void check_truncated(const char *name, const uint8_t *data, size_t size)
{
    struct lb_picture picture;
    struct lb_error error;
    for (size_t part = 0; part < size; part++) {
        error.message[0] = 0;
        if (parse_copy(name, data, part, &picture, &error) != LB_ERROR)
            fail_msg("%s cut at byte %zu of %zu is accepted", name, part, size);
        assert_int_equal(strncmp(error.message, name, strlen(name)), 0);
        assert_null(strchr(error.message, '\n'));
        assert_true(!picture.bytes && !picture.floats);
    }
    assert_int_equal(parse_copy(name, data, size, &picture, &error), LB_OK);
    lb_picture_free(&picture);
}

/* Wrong bytes never crash; a PNG has checksums, so that any is found. */
static void check_damaged(const char *name, const uint8_t *data, size_t size, int times)
{
    uint8_t *copy = malloc(size);
    for (int i = 0; i < times; i++) {
        memcpy(copy, data, size);
        size_t at = random_below((uint32_t)size);
        copy[at] = (uint8_t)(copy[at] ^ (1 + random_below(255)));
        struct lb_picture picture;
        struct lb_error error;
        enum lb_status status = lb_picture_parse(name, copy, size, &picture, &error);
        if (strstr(name, ".png") && status == LB_OK)
            fail_msg("%s with byte %zu changed is accepted", name, at);
        lb_picture_free(&picture);
    }
    free(copy);
}

static void truncated_and_damaged_png(void **state)
{
    (void)state;
    for (int i = 0; i < 40; i++) {
        struct sample_png p;
        make_png(&p);
        check_truncated("cut.png", p.file.data, p.file.size);
        check_damaged("bad.png", p.file.data, p.file.size, 100);
        free_png(&p);
    }
}

/* As in pbrt, TGA files have no alpha here. */
static void tga(void **state)
{
    (void)state;
    for (int i = 0; i < 60; i++) {
        int width = 1 + (int)random_below(40), height = 1 + (int)random_below(30);
        int channels = random_below(3) ? 1 + 2 * (int)random_below(2) : 4;
        size_t count = (size_t)(width * height * channels);
        uint8_t *pixels = malloc(count);
        for (size_t k = 0; k < count; k++)
            pixels[k] =
                (uint8_t)(random_below(4) || k < 4 ? random_below(256) : pixels[k - (size_t)channels % 4]);
        struct bytes file = {0};
        struct lb_picture picture;
        struct lb_error error;
        stbi_write_tga_with_rle = random_below(2) ? 1 : 0;
        stbi_write_tga_to_func(put, &file, width, height, channels, pixels);
        if (lb_picture_parse("made.TGA", file.data, file.size, &picture, &error) != LB_OK)
            fail_msg("%s", error.message);
        assert_true(picture.width == (uint32_t)width && picture.height == (uint32_t)height && !picture.png);
        int kept = channels == 4 ? 3 : channels;
        assert_int_equal(picture.channels, kept);
        for (int k = 0; k < width * height * kept; k++)
            assert_int_equal(picture.bytes[k], pixels[k / kept * channels + k % kept]);
        lb_picture_free(&picture);
        if (i < 8)
            check_truncated("cut.tga", file.data, file.size);
        check_damaged("bad.tga", file.data, file.size, 200);
        free(file.data);
        free(pixels);
    }
}

/* ---- BMP, PNM, QOI ---- */

static void put_text(struct bytes *b, const char *text)
{
    put(b, (void *)(uintptr_t)text, (int)strlen(text));
}

/* A file of the pixels, which have three channels. */
static void put_kind(struct bytes *file, int kind, int width, int height, uint8_t *pixels)
{
    char head[64];
    qoi_desc description = {(unsigned)width, (unsigned)height, 3, kind == 2 ? QOI_SRGB : QOI_LINEAR};
    int size = 3 * width * height;
    if (kind == 0) {
        stbi_write_bmp_to_func(put, file, width, height, 3, pixels);
    } else if (kind == 1) {
        snprintf(head, sizeof head, "P6\n# a comment\n%d %d\n255\n", width, height);
        put_text(file, head);
        put(file, pixels, size);
    } else {
        void *packed = qoi_encode(pixels, &description, &size);
        assert_non_null(packed);
        put(file, packed, size);
        free(packed);
    }
}

static void bmp_pnm_and_qoi(void **state)
{
    (void)state;
    static const char *const names[] = {"made.bmp", "made.ppm", "made.qoi", "linear.qoi"};
    for (int i = 0; i < 40; i++) {
        int width = 1 + (int)random_below(20), height = 1 + (int)random_below(15), kind = i % 4;
        size_t count = (size_t)(width * height * 3);
        uint8_t *pixels = malloc(count);
        for (size_t k = 0; k < count; k++)
            pixels[k] = (uint8_t)(random_below(4) || k < 3 ? random_below(256) : pixels[k - 3]);
        struct bytes file = {0};
        struct lb_picture picture;
        struct lb_error error;
        put_kind(&file, kind, width, height, pixels);
        if (lb_picture_parse(names[kind], file.data, file.size, &picture, &error) != LB_OK)
            fail_msg("%s", error.message);
        assert_true(picture.width == (uint32_t)width && picture.height == (uint32_t)height && !picture.png);
        assert_int_equal(picture.channels, 3);
        assert_int_equal(picture.linear, kind == 3);
        assert_memory_equal(picture.bytes, pixels, count);
        lb_picture_free(&picture);
        if (i < 8)
            check_truncated(names[kind], file.data, file.size);
        check_damaged(names[kind], file.data, file.size, 200);
        free(file.data);
        free(pixels);
    }
}

/* stb_image would read zeros for ever. */
static void a_run_without_length_ends(void **state)
{
    (void)state;
    static const uint8_t text[] = "#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 1 +X 8\n\2\2\0\10\0\0\0\0";
    struct lb_picture picture;
    struct lb_error error;
    assert_int_equal(lb_picture_parse("a.hdr", text, sizeof text - 1, &picture, &error), LB_ERROR);
    assert_string_equal(error.message, "a.hdr: the HDR is damaged");
}

/* In rows of runs, each value alone or as often as it is repeated; widths below 8 are not packed. */
static void put_hdr(struct bytes *file, int width, int height, const float *values)
{
    char head[96];
    snprintf(head, sizeof head, "#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y %d +X %d\n", height, width);
    put_text(file, head);
    for (int y = 0; y < height; y++) {
        uint8_t start[4] = {2, 2, (uint8_t)(width >> 8), (uint8_t)width};
        const float *row = values + (size_t)(y * width) * 3;
        if (width >= 8)
            put(file, start, 4);
        for (int c = 0; width >= 8 && c < 4; c++)
            for (int x = 0; x < width;) {
                uint8_t value = c == 3 ? 136 : (uint8_t)row[3 * x + c];
                int run = 1;
                while (x + run < width && run < 127 && (c == 3 || (uint8_t)row[3 * (x + run) + c] == value))
                    run++;
                uint8_t packet[2] = {(uint8_t)(run > 1 ? 128 + run : 1), value};
                put(file, packet, 2);
                x += run;
            }
        for (int x = 0; width < 8 && x < width; x++) {
            uint8_t pixel[4] = {(uint8_t)row[3 * x], (uint8_t)row[3 * x + 1], (uint8_t)row[3 * x + 2], 136};
            put(file, pixel, 4);
        }
    }
}

/* What the format has exactly: one exponent, eight bits. */
static void hdr(void **state)
{
    (void)state;
    for (int i = 0; i < 12; i++) {
        int width = 4 + (int)random_below(24), height = 1 + (int)random_below(9);
        size_t count = (size_t)(width * height * 3);
        float *values = malloc(count * sizeof *values);
        for (size_t k = 0; k < count; k++)
            values[k] = k % 3 == 0 ? 255.0f : (float)(random_below(3) || k < 6 ? random_below(256) : 7);
        struct bytes file = {0};
        struct lb_picture picture;
        struct lb_error error;
        put_hdr(&file, width, height, values);
        if (lb_picture_parse("made.hdr", file.data, file.size, &picture, &error) != LB_OK)
            fail_msg("%s", error.message);
        assert_true(picture.width == (uint32_t)width && picture.height == (uint32_t)height);
        assert_true(picture.channels == 3 && !picture.bytes);
        assert_memory_equal(picture.floats, values, count * sizeof *values);
        lb_picture_free(&picture);
        check_truncated("made.hdr", file.data, file.size);
        check_damaged("made.hdr", file.data, file.size, 200);
        free(file.data);
        free(values);
    }
}

/* 16 x 8, red rising by 16 to the right, green by 32 downwards, blue 128; quality 60. */
/* clang-format off */
static const uint8_t small_jpg[] = {
    255, 216, 255, 224, 0, 16, 74, 70, 73, 70, 0, 1, 1, 0, 0, 1, 0, 1, 0, 0, 255, 219, 0, 132, 0, 13,
    9, 10, 11, 10, 8, 13, 11, 10, 11, 14, 14, 13, 15, 19, 32, 21, 19, 18, 18, 19, 39, 28, 30, 23, 32, 46,
    41, 49, 48, 46, 41, 45, 44, 51, 58, 74, 62, 51, 54, 70, 55, 44, 45, 64, 87, 65, 70, 76, 78, 82, 83, 82,
    50, 62, 90, 97, 90, 80, 96, 74, 81, 82, 79, 1, 14, 14, 14, 19, 17, 19, 38, 21, 21, 38, 79, 53, 45, 53,
    79, 79, 79, 79, 79, 79, 79, 79, 79, 79, 79, 79, 79, 79, 79, 79, 79, 79, 79, 79, 79, 79, 79, 79, 79, 79,
    79, 79, 79, 79, 79, 79, 79, 79, 79, 79, 79, 79, 79, 79, 79, 79, 79, 79, 79, 79, 79, 79, 79, 79, 255, 192,
    0, 17, 8, 0, 8, 0, 16, 3, 1, 34, 0, 2, 17, 1, 3, 17, 1, 255, 196, 1, 162, 0, 0, 1, 5, 1,
    1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 16, 0,
    2, 1, 3, 3, 2, 4, 3, 5, 5, 4, 4, 0, 0, 1, 125, 1, 2, 3, 0, 4, 17, 5, 18, 33, 49, 65,
    6, 19, 81, 97, 7, 34, 113, 20, 50, 129, 145, 161, 8, 35, 66, 177, 193, 21, 82, 209, 240, 36, 51, 98, 114, 130,
    9, 10, 22, 23, 24, 25, 26, 37, 38, 39, 40, 41, 42, 52, 53, 54, 55, 56, 57, 58, 67, 68, 69, 70, 71, 72,
    73, 74, 83, 84, 85, 86, 87, 88, 89, 90, 99, 100, 101, 102, 103, 104, 105, 106, 115, 116, 117, 118, 119, 120, 121, 122,
    131, 132, 133, 134, 135, 136, 137, 138, 146, 147, 148, 149, 150, 151, 152, 153, 154, 162, 163, 164, 165, 166, 167, 168, 169, 170,
    178, 179, 180, 181, 182, 183, 184, 185, 186, 194, 195, 196, 197, 198, 199, 200, 201, 202, 210, 211, 212, 213, 214, 215, 216, 217,
    218, 225, 226, 227, 228, 229, 230, 231, 232, 233, 234, 241, 242, 243, 244, 245, 246, 247, 248, 249, 250, 1, 0, 3, 1, 1,
    1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 17, 0,
    2, 1, 2, 4, 4, 3, 4, 7, 5, 4, 4, 0, 1, 2, 119, 0, 1, 2, 3, 17, 4, 5, 33, 49, 6, 18,
    65, 81, 7, 97, 113, 19, 34, 50, 129, 8, 20, 66, 145, 161, 177, 193, 9, 35, 51, 82, 240, 21, 98, 114, 209, 10,
    22, 36, 52, 225, 37, 241, 23, 24, 25, 26, 38, 39, 40, 41, 42, 53, 54, 55, 56, 57, 58, 67, 68, 69, 70, 71,
    72, 73, 74, 83, 84, 85, 86, 87, 88, 89, 90, 99, 100, 101, 102, 103, 104, 105, 106, 115, 116, 117, 118, 119, 120, 121,
    122, 130, 131, 132, 133, 134, 135, 136, 137, 138, 146, 147, 148, 149, 150, 151, 152, 153, 154, 162, 163, 164, 165, 166, 167, 168,
    169, 170, 178, 179, 180, 181, 182, 183, 184, 185, 186, 194, 195, 196, 197, 198, 199, 200, 201, 202, 210, 211, 212, 213, 214, 215,
    216, 217, 218, 226, 227, 228, 229, 230, 231, 232, 233, 234, 242, 243, 244, 245, 246, 247, 248, 249, 250, 255, 218, 0, 12, 3,
    1, 0, 2, 17, 3, 17, 0, 63, 0, 204, 181, 240, 239, 79, 147, 244, 173, 139, 95, 14, 244, 249, 63, 74, 208, 181,
    237, 91, 22, 189, 171, 10, 248, 202, 189, 206, 60, 171, 48, 173, 166, 167, 255, 217,
};
/* clang-format on */

static void jpg(void **state)
{
    (void)state;
    struct lb_picture picture;
    struct lb_error error;
    assert_int_equal(lb_picture_parse("small.jpg", small_jpg, sizeof small_jpg, &picture, &error), LB_OK);
    assert_true(picture.width == 16 && picture.height == 8 && picture.channels == 3 && !picture.png);
    for (int y = 0; y < 8; y++) {
        for (int x = 0; x < 16; x++) {
            const uint8_t *pixel = picture.bytes + (y * 16 + x) * 3;
            assert_true(abs(pixel[0] - x * 16) < 32 && abs(pixel[1] - y * 32) < 32 &&
                        abs(pixel[2] - 128) < 32);
        }
    }
    lb_picture_free(&picture);
    check_truncated("cut.jpg", small_jpg, sizeof small_jpg);
    check_damaged("bad.jpg", small_jpg, sizeof small_jpg, 20000);
}

/* What a file of some kind should give at (x, y): smooth, so that loss stays small. */
static uint8_t smooth(int x, int y, int c)
{
    return (uint8_t)(20 + 2 * x + y * c + 30 * c);
}

struct jpeg_kind {
    int components;
    J_COLOR_SPACE space, stored;
    int across, down; /* luminance samples for each of chroma */
    bool progressive, restarts;
};

static struct bytes make_jpeg(const struct jpeg_kind *kind, int width, int height)
{
    struct jpeg_error_mgr errors;
    struct jpeg_compress_struct jpeg = {.err = jpeg_std_error(&errors)};
    jpeg_create_compress(&jpeg);
    unsigned char *out = NULL;
    unsigned long size = 0;
    jpeg_mem_dest(&jpeg, &out, &size);
    jpeg.image_width = (JDIMENSION)width;
    jpeg.image_height = (JDIMENSION)height;
    jpeg.input_components = kind->components;
    jpeg.in_color_space = kind->space;
    jpeg_set_defaults(&jpeg);
    jpeg_set_colorspace(&jpeg, kind->stored);
    jpeg_set_quality(&jpeg, 98, TRUE);
    jpeg.comp_info[0].h_samp_factor = kind->across;
    jpeg.comp_info[0].v_samp_factor = kind->down;
    if (kind->components == 4) {
        jpeg.comp_info[3].h_samp_factor = kind->across;
        jpeg.comp_info[3].v_samp_factor = kind->down;
    }
    if (kind->progressive)
        jpeg_simple_progression(&jpeg);
    jpeg.restart_interval = kind->restarts ? 2 : 0;
    jpeg_start_compress(&jpeg, TRUE);
    for (int y = 0; y < height; y++) {
        uint8_t row[64 * 4];
        for (int i = 0; i < width * kind->components; i++)
            row[i] = smooth(i / kind->components, y, i % kind->components);
        JSAMPROW line = row;
        jpeg_write_scanlines(&jpeg, &line, 1);
    }
    jpeg_finish_compress(&jpeg);
    jpeg_destroy_compress(&jpeg);
    struct bytes file = {0};
    put(&file, out, (int)size);
    free(out);
    return file;
}

static void jpeg_of_every_kind(void **state)
{
    (void)state;
    static const struct jpeg_kind kinds[] = {
        {1, JCS_GRAYSCALE, JCS_GRAYSCALE, 1, 1, false, false},
        {3, JCS_RGB, JCS_YCbCr, 1, 1, false, true},
        {3, JCS_RGB, JCS_YCbCr, 2, 1, false, false},
        {3, JCS_RGB, JCS_YCbCr, 1, 2, false, false},
        {3, JCS_RGB, JCS_YCbCr, 2, 2, true, false},
        {3, JCS_RGB, JCS_YCbCr, 4, 1, true, true},
        {3, JCS_RGB, JCS_RGB, 1, 1, false, false},
        {4, JCS_CMYK, JCS_CMYK, 1, 1, false, false},
        {4, JCS_CMYK, JCS_YCCK, 2, 2, true, false},
    };
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        int width = 17 + (int)k, height = 23, channels = kinds[k].components == 1 ? 1 : 3;
        struct bytes file = make_jpeg(&kinds[k], width, height);
        struct lb_picture picture;
        struct lb_error error;
        if (lb_picture_parse("made.jpg", file.data, file.size, &picture, &error) != LB_OK)
            fail_msg("kind %zu: %s", k, error.message);
        assert_true((int)picture.width == width && (int)picture.height == height);
        assert_int_equal(picture.channels, channels);
        for (int i = 0; i < width * height * channels; i++) {
            int x = i / channels % width, y = i / channels / width, want = smooth(x, y, i % channels);
            if (kinds[k].components == 4) /* what cyan, magenta or yellow leaves of what black leaves */
                want = (want * smooth(x, y, 3) + 127) / 255;
            if (abs(picture.bytes[i] - want) > 8)
                fail_msg("kind %zu, (%d, %d): %d, not %d", k, x, y, picture.bytes[i], want);
        }
        lb_picture_free(&picture);
        check_truncated("cut.jpg", file.data, file.size);
        check_damaged("bad.jpg", file.data, file.size, 200);
        free(file.data);
    }
}

/* More than a table of codes has room for: 17 codes of 16 lengths, 272 in all. */
static void jpg_with_too_many_codes(void **state)
{
    (void)state;
    uint8_t copy[sizeof small_jpg];
    memcpy(copy, small_jpg, sizeof copy);
    static const uint8_t table[2] = {0xff, 0xc4};
    uint8_t *at = memmem(copy, sizeof copy, table, sizeof table);
    assert_non_null(at);
    memset(at + 5, 17, 16);
    struct lb_picture picture;
    struct lb_error error;
    assert_int_equal(lb_picture_parse("codes.jpg", copy, sizeof copy, &picture, &error), LB_ERROR);
    assert_string_equal(error.message, "codes.jpg: cannot be decoded: Bogus Huffman table definition");
}

static struct bytes make_pfm(uint32_t width, uint32_t height, uint32_t channels, float scale,
                             const float *values)
{
    struct bytes file = {0};
    char header[64];
    int length = snprintf(header, sizeof header, "P%c\n%u %u\n%g\n", channels == 3 ? 'F' : 'f', width, height,
                          (double)scale);
    put(&file, header, length);
    for (uint32_t y = height; y-- > 0;) {
        for (uint32_t i = 0; i < width * channels; i++) {
            uint32_t bits;
            memcpy(&bits, &values[y * width * channels + i], 4);
            put_u32(&file, scale > 0 ? bits : __builtin_bswap32(bits));
        }
    }
    return file;
}

static void pfm(void **state)
{
    (void)state;
    static const float scales[] = {1, -1, 0.25f, -4};
    for (int i = 0; i < 400; i++) {
        uint32_t width = 1 + random_below(20), height = 1 + random_below(20),
                 channels = random_below(2) ? 3 : 1;
        float scale = scales[random_below(4)],
              *values = malloc((size_t)width * height * channels * sizeof *values);
        for (uint32_t k = 0; k < width * height * channels; k++)
            values[k] = ((float)random_below(1 << 24) - (1 << 23)) * 0x1p-20f;
        struct bytes file = make_pfm(width, height, channels, scale, values);
        struct lb_picture picture;
        struct lb_error error;
        if (lb_picture_parse("made.pfm", file.data, file.size, &picture, &error) != LB_OK)
            fail_msg("%s", error.message);
        assert_true(picture.width == width && picture.height == height && picture.channels == channels);
        for (uint32_t k = 0; k < width * height * channels; k++)
            assert_true(picture.floats[k] == values[k] * fabsf(scale));
        lb_picture_free(&picture);
        if (i < 20)
            check_truncated("cut.pfm", file.data, file.size);
        check_damaged("bad.pfm", file.data, file.size, 20);
        free(file.data);
        free(values);
    }
}

static void messages(void **state)
{
    (void)state;
    static const char *const cases[][3] = {
        {"a.png", "", "a.png: the file is empty"},
        {"a.hdr", "#?RADIANCE\n", "a.hdr: the HDR is cut short"},
        {"a.hdr", "#?RGBE\n\n-Y 2 +X 99999 \n",
         "a.hdr: the HDR's size is not written as \"-Y height +X width\""},
        {"a.hdr", "#?RGBE\n\n-Y 2 +X 99999\n", "a.hdr: 99999 x 2 pixels; sides of 1 to 65535 are possible"},
        {"a.hdr", "#?RGBE\n\n-Y 1 +X 9\n\2\2\1\11........", "a.hdr: the HDR is damaged"},
        {"a", "qoif0000", "a: the QOI is cut short"},
        {"a", "P5 3 x", "a: the head of the PGM or PPM is damaged"},
        {"a", "P6\n# name\n2 2 255\n12345678901", "a: 2 x 2 pixels cannot be in 29 bytes"},
        {"a", "BM", "a: the BMP is cut short"},
        {"a.gif", "GIF89a.",
         "a.gif: GIF pictures are not read; PNG, JPEG, TGA, BMP, PGM, PPM, QOI, HDR, PFM and EXR are"},
        {"a.jpg", "text", "a.jpg: neither a PNG, JPEG, TGA, BMP, PGM, PPM, QOI, HDR, PFM nor an EXR picture"},
        {"a.pfm", "PF\n2 2\n", "a.pfm: the header of a PFM is three numbers: width, height and scale"},
        {"a.pfm", "PF\n2 2\n0\n", "a.pfm: impossible scale 0"},
        {"a.pfm", "PF\n2 2\n1\n", "a.pfm: 2 x 2 pixels cannot be in 9 bytes"},
        {"a.pfm", "PF\n-2 2\n1\n", "a.pfm: -2 x 2 pixels; sides of 1 to 65535 are possible"},
        {"a.pfm", "Pf\n1 1\n-1\n\377\377\377\377", "a.pfm: pixel (0, 0) is not finite: -nan"},
        {"a.tga", "short", "a.tga: the TGA is cut short"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct lb_picture picture;
        struct lb_error error;
        assert_int_equal(
            parse_copy(cases[i][0], (const uint8_t *)cases[i][1], strlen(cases[i][1]), &picture, &error),
            LB_ERROR);
        assert_string_equal(error.message, cases[i][2]);
    }
    struct lb_picture picture;
    struct lb_error error;
    assert_int_equal(lb_picture_read("no/such.png", &picture, &error), LB_ERROR);
    assert_string_equal(error.message, "no/such.png: No such file or directory");
}

/* All but the one that is whole and only useless as a light. */
static void damaged_files(void **state)
{
    (void)state;
    static const char *const kinds[] = {"png-", "jpg-", "tga-", "pfm-", "exr-", "image-"};
    char path[4096], line[1024];
    snprintf(path, sizeof path, "%s/damaged/list.tsv", data_folder);
    skip_without_data();
    FILE *list = fopen(path, "r");
    assert_non_null(list);
    int seen = 0;
    while (fgets(line, sizeof line, list)) {
        line[strcspn(line, "\t")] = 0;
        bool picture_file = false;
        for (int i = 0; i < 6; i++)
            picture_file |= strncmp(line, kinds[i], strlen(kinds[i])) == 0;
        if (!picture_file)
            continue;
        snprintf(path, sizeof path, "%s/damaged/%s", data_folder, line);
        struct lb_picture picture;
        struct lb_error error = {0};
        enum lb_status status = lb_picture_read(path, &picture, &error);
        if ((status == LB_OK) != (strcmp(line, "pfm-not-square.pfm") == 0))
            fail_msg("%s: %s", path, status == LB_OK ? "accepted" : error.message);
        if (status != LB_OK)
            assert_ptr_equal(strstr(error.message, path), error.message);
        lb_picture_free(&picture);
        seen++;
    }
    fclose(list);
    assert_true(seen > 15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(png_of_every_kind),
        cmocka_unit_test(truncated_and_damaged_png),
        cmocka_unit_test(tga),
        cmocka_unit_test(bmp_pnm_and_qoi),
        cmocka_unit_test(a_run_without_length_ends),
        cmocka_unit_test(hdr),
        cmocka_unit_test(jpg),
        cmocka_unit_test(jpeg_of_every_kind),
        cmocka_unit_test(jpg_with_too_many_codes),
        cmocka_unit_test(pfm),
        cmocka_unit_test(messages),
        cmocka_unit_test(damaged_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
