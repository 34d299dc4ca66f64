/* The table of film formats: a picture written in each of them, in each of its bits, is read back as what it was. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "core/base/color_space.h"
#include "core/image/image.h"
#include "core/picture/picture.h"
#include "test/unit/random_help.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <tiffio.h>

enum { WIDTH = 37, HEIGHT = 23, COUNT = WIDTH * HEIGHT };

/* Colours from 0 to 4 times white, in steps of a 256th. */
static void fill(lb_film_pixel *pixels)
{
    for (size_t i = 0; i < COUNT; i++) {
        for (size_t c = 0; c < 3; c++)
            pixels[i].sum[c] = (int64_t)random_below(1024) << (LB_FILM_BITS - 8);
        pixels[i].weight = (int64_t)1 << LB_FILM_BITS;
    }
}

/* What the file should give for a component, and by how much it may be off. */
static float expected(const struct lb_film_form *form, float light, float *off)
{
    bool shown = lb_film_can(form->format, LB_FILM_TONES);
    float steps = form->bits == 8 ? 255.0f : 65535.0f;
    bool lossy = lb_film_can(form->format, LB_FILM_QUALITIES);
    *off = lossy ? 4.0f / steps : shown ? 0.51f / steps : form->bits == 16 ? light / 2048.0f : 0.0f;
    return shown ? lb_srgb_encode(light) : light;
}

/* TIFF is written only: its own library tells what is in it. */
static void read_tiff(const char *path, struct lb_picture *read)
{
    uint16_t bits = 0, channels = 0;
    TIFF *tiff = TIFFOpen(path, "r");
    assert_non_null(tiff);
    assert_int_equal(TIFFGetField(tiff, TIFFTAG_IMAGEWIDTH, &read->width), 1);
    assert_int_equal(TIFFGetField(tiff, TIFFTAG_IMAGELENGTH, &read->height), 1);
    assert_int_equal(TIFFGetField(tiff, TIFFTAG_BITSPERSAMPLE, &bits), 1);
    assert_int_equal(TIFFGetField(tiff, TIFFTAG_SAMPLESPERPIXEL, &channels), 1);
    read->channels = channels;
    size_t row = (size_t)read->width * channels;
    read->floats = malloc(row * read->height * sizeof *read->floats);
    void *values = malloc((size_t)TIFFScanlineSize(tiff));
    assert_true(read->floats && values && (size_t)TIFFScanlineSize(tiff) == row * bits / 8);
    for (uint32_t y = 0; y < read->height; y++) {
        assert_int_equal(TIFFReadScanline(tiff, values, y, 0), 1);
        for (size_t i = 0; i < row; i++)
            read->floats[row * y + i] = bits == 8 ? (float)((uint8_t *)values)[i] / 255.0f
                                                  : (float)((uint16_t *)values)[i] / 65535.0f;
    }
    free(values);
    TIFFClose(tiff);
}

static void read_back(const char *path, const struct lb_film_form *form, struct lb_picture *read)
{
    struct lb_error error;
    *read = (struct lb_picture){0};
    if (form->format == LB_FILM_TIFF)
        read_tiff(path, read);
    else if (lb_picture_read(path, read, &error) != LB_OK)
        fail_msg("%s cannot be read: %s", path, error.message);
}

static void compare(const char *path, const struct lb_film_form *form, const lb_film_pixel *pixels)
{
    struct lb_picture read;
    read_back(path, form, &read);
    assert_int_equal(read.width, WIDTH);
    assert_int_equal(read.height, HEIGHT);
    assert_int_equal(read.channels, 3);
    for (size_t i = 0; i < COUNT; i++) {
        lb_rgb c = lb_film_rgb(&pixels[i]);
        const float light[3] = {c.r, c.g, c.b};
        for (size_t k = 0; k < 3; k++) {
            float off, wanted = expected(form, light[k], &off);
            float got = read.bytes ? (float)read.bytes[3 * i + k] / 255.0f : read.floats[3 * i + k];
            if (!(fabsf(got - wanted) <= off))
                fail_msg("%s, %u bits, pixel %zu: %g, not %g", path, form->bits, i, (double)got,
                         (double)wanted);
        }
    }
    lb_picture_free(&read);
}

static void write_and_read(enum lb_film_format format, uint32_t bits)
{
    static lb_film_pixel pixels[COUNT];
    lb_film film;
    lb_channels channels;
    memset(&film, 0, sizeof film);
    memset(&channels, 0, sizeof channels);
    film.width = film.full_width = WIDTH;
    film.height = film.full_height = HEIGHT;
    film.color_space = LB_COLOR_SRGB;
    fill(pixels);
    struct lb_film_form form = {.format = format, .bits = bits, .quality = 100};
    struct lb_film_picture picture = {.film = &film, .pixels = pixels, .channels = &channels, .samples = 1};
    struct lb_error error;
    struct stat about;
    uint32_t checksum = 0;
    char path[64];
    snprintf(path, sizeof path, "/tmp/test_formats.%d.%s", (int)getpid(), lb_film_words[format]);
    assert_int_equal(lb_film_check(path, &form, WIDTH, HEIGHT, &error), LB_OK);
    if (lb_film_write(path, &form, &picture, &checksum, &error) != LB_OK || stat(path, &about) != 0)
        fail_msg("%s was not written", path);
    assert_int_not_equal(checksum, 0);
    assert_true(8 * (uint64_t)about.st_size >= (uint64_t)COUNT * lb_film_formats[format]->least_bits);
    compare(path, &form, pixels);
    unlink(path);
}

static void every_format_comes_back(void **state)
{
    (void)state;
    for (size_t f = 0; f < LB_FILM_NONE; f++)
        for (size_t b = 0; b < 2; b++)
            write_and_read((enum lb_film_format)f, lb_film_formats[f]->bits[b]);
}

/* A row that says less than the program asks of it would be found by users. */
static void rows_are_whole(void **state)
{
    (void)state;
    for (size_t f = 0; f < LB_FILM_NONE; f++) {
        const struct lb_film_format_about *about = lb_film_formats[f];
        enum lb_film_format found = LB_FILM_NONE;
        char path[32];
        assert_non_null(about->write);
        assert_true(about->least_bits > 0);
        assert_true(about->bits[0] > 0 && about->bits[1] >= about->bits[0]);
        for (const char *c = lb_film_words[f]; *c; c++)
            assert_true(islower(*c) || isdigit(*c));
        snprintf(path, sizeof path, "a/B.%s", lb_film_words[f]);
        path[4] = (char)toupper(path[4]);
        assert_true(lb_film_format_of(path, &found));
        assert_int_equal(found, f);
        assert_false(lb_film_format_of(path + 3, &found));
    }
    assert_null(lb_film_words[LB_FILM_NONE]);
}

static void lists_read_as_sentences_do(void **state)
{
    (void)state;
    struct lb_text text = {.data = NULL};
    lb_film_name_endings(&text);
    assert_string_equal(text.data, ".png, .jpg, .tif, .pfm or .exr");
    free(lb_text_take(&text));
    lb_film_name_those(LB_FILM_ALPHA, &text);
    assert_string_equal(text.data, "PNG, TIFF or EXR");
    free(lb_text_take(&text));
    lb_film_name_those(LB_FILM_CHANNELS, &text);
    assert_string_equal(text.data, "EXR");
    free(lb_text_take(&text));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_format_comes_back),
        cmocka_unit_test(rows_are_whole),
        cmocka_unit_test(lists_read_as_sentences_do),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
