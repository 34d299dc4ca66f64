/* Writing PNG, EXR and PFM files, replacing files as a whole, and the checksum of pictures. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "core/base/crc32c.h"
#include "core/base/replace.h"
#include "core/base/temporary.h"
#include "core/image/image.h"
#include "test/unit/random_help.h"

#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static char folder[] = "/tmp/lbrender-test-XXXXXX";

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int count_files(void)
{
    int count = 0;
    DIR *open = opendir(folder);
    for (struct dirent *entry; (entry = readdir(open));)
        count += entry->d_name[0] != '.' || strlen(entry->d_name) > 2;
    closedir(open);
    return count;
}

static int remove_folder(void **state)
{
    (void)state;
    return rmdir(folder);
}

static const char *in_folder(char *path, const char *name)
{
    snprintf(path, 256, "%s/%s", folder, name);
    return path;
}

static size_t read_file(const char *path, uint8_t *data, size_t room)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t size = fread(data, 1, room, file);
    fclose(file);
    return size;
}

static void png_comes_back(void **state)
{
    (void)state;
    char path[256];
    in_folder(path, "a.png");
    for (int i = 0; i < 300; i++) {
        uint32_t width = 1 + random_below(i % 10 ? 70 : 1000), height = 1 + random_below(70);
        size_t size = (size_t)width * height * 3;
        uint8_t *pixels = malloc(size);
        uint32_t noise = 1 + random_below(256);
        for (size_t k = 0; k < size; k++)
            pixels[k] = (uint8_t)(k / 7 + random_below(noise));
        struct lb_picture picture;
        struct lb_error error;
        if (lb_png_write(path, width, height, pixels, &error) != LB_OK ||
            lb_picture_read(path, &picture, &error) != LB_OK)
            fail_msg("%s", error.message);
        assert_true(picture.width == width && picture.height == height && picture.channels == 3 &&
                    picture.png);
        assert_memory_equal(picture.bytes, pixels, size);
        lb_picture_free(&picture);
        free(pixels);
    }
    unlink(path);
}

/* Header, data, end: nothing that differs from one run or machine to another. */
static void png_holds_nothing_else(void **state)
{
    (void)state;
    char path[256];
    uint8_t pixels[5 * 4 * 3] = {1, 2, 3}, file[2][4096];
    size_t sizes[2];
    struct lb_error error;
    for (uint32_t i = 0; i < 2; i++) {
        in_folder(path, i ? "b.png" : "a.png");
        assert_int_equal(lb_png_write(path, 5, 4, pixels, &error), LB_OK);
        sizes[i] = read_file(path, file[i], sizeof file[i]);
        unlink(path);
    }
    assert_int_equal(sizes[0], sizes[1]);
    assert_memory_equal(file[0], file[1], sizes[0]);
    size_t at = 8, chunks = 0;
    static const char *const names[] = {"IHDR", "IDAT", "IEND"};
    for (; at < sizes[0]; chunks++) {
        const uint8_t *chunk = file[0] + at;
        assert_true(chunks < 3);
        assert_memory_equal(chunk + 4, names[chunks], 4);
        at += 12 + (size_t)((uint32_t)chunk[0] << 24 | (uint32_t)chunk[1] << 16 | (uint32_t)chunk[2] << 8 |
                            chunk[3]);
    }
    assert_int_equal(chunks, 3);
    assert_int_equal(at, sizes[0]);
}

static void too_large_for_png(void **state)
{
    (void)state;
    struct lb_error error;
    assert_int_equal(lb_png_fits("a.png", 16384, 16384, 24, &error), LB_OK);
    assert_int_equal(lb_png_fits("a.png", 65535, 1, 24, &error), LB_OK);
    assert_int_equal(lb_png_fits("a.png", 65535, 65535, 24, &error), LB_ERROR);
    assert_int_equal(lb_png_fits("a.png", 0, 1, 24, &error), LB_ERROR);
    uint8_t pixel[3] = {0};
    assert_int_equal(lb_png_write("/tmp/never.png", 65535, 65535, pixel, &error), LB_ERROR);
    assert_non_null(strstr(error.message, "65535 x 65535 pixels are too many for a PNG file"));
}

static void pfm_comes_back(void **state)
{
    (void)state;
    char path[256];
    in_folder(path, "a.pfm");
    for (int i = 0; i < 100; i++) {
        uint32_t width = 1 + random_below(50), height = 1 + random_below(50);
        size_t count = (size_t)width * height * 3;
        float *pixels = malloc(count * sizeof *pixels);
        for (size_t k = 0; k < count; k++)
            pixels[k] = (float)random_below(1 << 30) * 0x1p-20f - 100;
        struct lb_picture picture;
        struct lb_error error;
        if (lb_pfm_write(path, width, height, pixels, &error) != LB_OK ||
            lb_picture_read(path, &picture, &error) != LB_OK)
            fail_msg("%s", error.message);
        assert_true(picture.width == width && picture.height == height && picture.channels == 3 &&
                    !picture.png);
        assert_memory_equal(picture.floats, pixels, count * sizeof *pixels);
        lb_picture_free(&picture);
        free(pixels);
    }
    unlink(path);
}

static mode_t mode_of(const char *path)
{
    struct stat about;
    assert_int_equal(stat(path, &about), 0);
    return about.st_mode & 0777;
}

static void permissions_and_links(void **state)
{
    (void)state;
    char path[256], link[256];
    uint8_t data[16];
    struct lb_error error;
    in_folder(path, "target");
    in_folder(link, "link");
    mode_t mask = umask(0027);
    assert_int_equal(lb_file_replace(path, "one", 3, &error), LB_OK);
    assert_int_equal(mode_of(path), 0640);
    umask(mask);
    chmod(path, 0604);
    assert_int_equal(symlink("target", link), 0);
    assert_int_equal(lb_file_replace(link, "two", 3, &error), LB_OK);
    assert_int_equal(mode_of(path), 0604);
    assert_int_equal(read_file(path, data, sizeof data), 3);
    assert_memory_equal(data, "two", 3);
    assert_int_equal(readlink(link, (char *)data, sizeof data), 6);
    unlink(link);
    unlink(path);
    assert_int_equal(count_files(), 0);
}

static void failures_leave_nothing(void **state)
{
    (void)state;
    char path[256];
    struct lb_error error;
    assert_int_equal(lb_file_replace("/tmp/no-such-folder/a.png", "x", 1, &error), LB_ERROR);
    assert_string_equal(error.message, "/tmp/no-such-folder/a.png: cannot write: No such file or directory");
    assert_int_equal(lb_file_replace(folder, "x", 1, &error), LB_ERROR); /* a folder */
    assert_int_equal(lb_file_replace("/dev/full", "x", 1, &error), LB_ERROR);
    assert_string_equal(error.message, "/dev/full: cannot write: No space left on device");
    assert_int_equal(lb_file_replace("/dev/null", "x", 1, &error), LB_OK);
    in_folder(path, "pipe");
    assert_int_equal(mkfifo(path, 0600), 0);
    int reader = open(path, O_RDONLY | O_NONBLOCK);
    assert_int_equal(lb_file_replace(path, "through", 7, &error), LB_OK);
    char data[16];
    assert_int_equal(read(reader, data, sizeof data), 7);
    close(reader);
    unlink(path);
    assert_int_equal(count_files(), 0);
}

/* A link to what is not there yet stays a link, and its target is made. */
static void links_to_nothing(void **state)
{
    (void)state;
    char path[256], link[256], again[256];
    uint8_t data[16];
    struct lb_error error;
    in_folder(path, "target");
    in_folder(link, "link");
    in_folder(again, "again");
    assert_int_equal(symlink("target", link), 0);
    assert_int_equal(symlink(link, again), 0);
    assert_int_equal(lb_file_replace(again, "one", 3, &error), LB_OK);
    assert_int_equal(read_file(path, data, sizeof data), 3);
    assert_int_equal(readlink(link, (char *)data, sizeof data), 6);
    unlink(again);
    unlink(path);
    unlink(link);
    assert_int_equal(symlink("link", link), 0);
    assert_int_equal(lb_file_replace(link, "x", 1, &error), LB_ERROR);
    assert_non_null(strstr(error.message, "Too many levels of symbolic links"));
    unlink(link);
    assert_int_equal(count_files(), 0);
}

static void make_file(const char *name, bool old)
{
    char path[256];
    FILE *file = fopen(in_folder(path, name), "w");
    assert_non_null(file);
    fclose(file);
    struct timespec times[2] = {{.tv_sec = time(NULL) - (old ? 7200 : 0)},
                                {.tv_sec = time(NULL) - (old ? 7200 : 0)}};
    assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
}

/* Of temporary files those go whose writer is gone; what only looks like one, and what may belong to another host,
 * stays. */
static void sweeps(void **state)
{
    (void)state;
    static const char *const others[] = {".lbrender-",
                                         ".lbrender-0123456789abcdeX",
                                         ".lbrender-01234567-0123456789abcdef0",
                                         ".lbrender-0123456789abcdef",
                                         ".lbrender-00000000-0123456789abcdef",
                                         "lbrender-00000000-0123456789abcdef"};
    const int other_count = sizeof others / sizeof *others;
    char path[256], *name = NULL, *busy = NULL;
    in_folder(path, "picture.png");
    int gone = lb_temporary_named(path, &name), held = lb_temporary_named(path, &busy);
    assert_true(gone >= 0 && held >= 0);
    for (int i = 0; i < other_count; i++)
        make_file(others[i], false);
    close(gone); /* as the end of its writer does */
    lb_replace_sweep(path);
    assert_int_equal(access(name, F_OK), -1);
    assert_int_equal(access(busy, F_OK), 0);
    assert_int_equal(count_files(), other_count + 1);
    close(held);
    make_file(others[3], true);
    make_file(others[4], true);
    make_file(others[5], true);
    lb_replace_sweep(path);
    assert_int_equal(count_files(), other_count - 2);
    for (int i = 0; i < other_count; i++)
        unlink(in_folder(path, others[i]));
    free(name);
    free(busy);
    assert_int_equal(count_files(), 0);
}

/* Where the file system has no files without a name, one with a name serves likewise. */
static void named_and_unnamed(void **state)
{
    (void)state;
    char path[256], *name = NULL;
    uint8_t data[16];
    struct lb_error error;
    in_folder(path, "picture.png");
    for (int there = 0; there < 2; there++) {
        struct lb_replacement r = {.file = -1, .path = path, .final = strdup(path)};
        r.file = lb_temporary_named(path, &r.temporary);
        assert_true(r.file >= 0 && count_files() == 1 + there);
        assert_int_equal(lb_replace_write(&r, "ab", 2, &error), LB_OK);
        assert_int_equal(lb_replace_end(&r, &error), LB_OK);
        assert_int_equal(read_file(path, data, sizeof data), 2);
        assert_int_equal(count_files(), 1);
    }
    int file = lb_temporary_unnamed(path);
    if (file >= 0) {
        assert_int_equal(count_files(), 1);
        assert_int_equal(lb_temporary_link(file, path, &name), 0);
        assert_int_equal(count_files(), 2);
        lb_replace_sweep(path); /* it is held */
        assert_int_equal(unlink(name), 0);
        close(file);
        free(name);
    }
    unlink(path);
    assert_int_equal(count_files(), 0);
}

static void *write_often(void *path)
{
    static const char letters[] = "abcdefgh";
    size_t size = 100000;
    char *data = malloc(size);
    for (int i = 0; i < 50; i++) {
        struct lb_error error;
        memset(data, letters[i % 8], size);
        if (lb_file_replace(path, data, size, &error) != LB_OK)
            abort();
    }
    free(data);
    return NULL;
}

/* Whoever reads finds one writer's file, whole; no temporary file is left. */
static void concurrent_writers(void **state)
{
    (void)state;
    enum { WRITERS = 4, SIZE = 100000 };
    char path[256];
    pthread_t writers[WRITERS];
    in_folder(path, "shared");
    write_often(path);
    for (int i = 0; i < WRITERS; i++)
        assert_int_equal(pthread_create(&writers[i], NULL, write_often, path), 0);
    uint8_t *data = malloc(SIZE + 1);
    for (int i = 0; i < 100; i++) {
        assert_int_equal(read_file(path, data, SIZE + 1), SIZE);
        assert_true(memcmp(data, data + 1, SIZE - 1) == 0);
    }
    for (int i = 0; i < WRITERS; i++)
        pthread_join(writers[i], NULL);
    free(data);
    unlink(path);
    assert_int_equal(count_files(), 0);
}

/* Byte by byte from the definition: reflected 0x1edc6f41. */
static uint32_t slow_crc(const uint8_t *data, size_t size)
{
    uint32_t crc = ~0u;
    for (size_t i = 0; i < size * 8; i++) {
        uint32_t bit = (crc ^ (uint32_t)(data[i / 8] >> (i % 8))) & 1;
        crc = crc >> 1 ^ (bit ? 0x82f63b78 : 0);
    }
    return ~crc;
}

static void crc32c(void **state)
{
    (void)state;
    assert_int_equal(lb_crc32c(0, "123456789", 9), 0xe3069283); /* RFC 3720, B.4 */
    assert_int_equal(lb_crc32c(0, "", 0), 0);
    uint8_t data[1000];
    for (size_t i = 0; i < sizeof data; i++)
        data[i] = (uint8_t)random_below(256);
    for (int i = 0; i < 500; i++) {
        size_t from = random_below(500), size = random_below(500), part = random_below((uint32_t)size + 1);
        uint32_t whole = lb_crc32c(0, data + from, size);
        assert_int_equal(whole, slow_crc(data + from, size));
        assert_int_equal(whole, lb_crc32c(lb_crc32c(0, data + from, part), data + from + part, size - part));
    }
}

/* Values of all channels of a picture, by names that are not in the alphabet's order. */
static void exr_comes_back(void **state)
{
    (void)state;
    char path[256];
    in_folder(path, "a.exr");
    for (int i = 0; i < 200; i++) {
        struct lb_exr_picture exr = {.x0 = random_below(50),
                                     .y0 = random_below(50),
                                     .width = 1 + random_below(70),
                                     .height = 1 + random_below(70),
                                     .full_width = 200,
                                     .full_height = 200,
                                     .compression = (enum lb_exr_compression)random_below(5),
                                     .channel_count = 3 + random_below(2)};
        size_t count = (size_t)exr.width * exr.height * exr.channel_count;
        enum lb_exr_type type = random_below(2) ? LB_EXR_HALF : LB_EXR_FLOAT;
        float *values = malloc(count * sizeof *values);
        for (size_t k = 0; k < count; k++) /* halves hold them exactly, but for the largest */
            values[k] = random_below(50) ? (float)random_below(2048) / 64 - 8 : 1e6f;
        static const char *const names[] = {"R", "G", "B", "A"};
        struct lb_exr_channel channels[4];
        for (size_t c = 0; c < exr.channel_count; c++)
            channels[c] =
                (struct lb_exr_channel){names[c], type, values + c, exr.channel_count * sizeof *values};
        exr.channels = channels;
        struct lb_picture picture;
        struct lb_error error;
        if (lb_exr_write(path, &exr, &error) != LB_OK || lb_picture_read(path, &picture, &error) != LB_OK)
            fail_msg("%s", error.message);
        assert_true(picture.width == exr.width && picture.height == exr.height &&
                    picture.channels == exr.channel_count);
        for (size_t k = 0; k < count; k++)
            assert_true(picture.floats[k] ==
                        (type == LB_EXR_HALF && values[k] > 65504 ? 65504.0f : values[k]));
        lb_picture_free(&picture);
        free(values);
    }
    unlink(path);
}

/* RGB and RGBA of 16 bits; the reader gives them as floats of 0 to 1. */
static void png_of_16_bits_comes_back(void **state)
{
    (void)state;
    char path[256];
    in_folder(path, "a.png");
    static const struct lb_image_note notes[] = {{"Scene", "a.pbrt"}, {"Title", "sch\xc3\xb6n"}};
    for (int i = 0; i < 100; i++) {
        struct lb_png png = {.width = 1 + random_below(70),
                             .height = 1 + random_below(70),
                             .channels = 3 + random_below(2),
                             .bits = 16,
                             .srgb = i % 2,
                             .notes = notes,
                             .note_count = 2};
        size_t count = (size_t)png.width * png.height * png.channels;
        uint16_t *values = malloc(count * sizeof *values);
        for (size_t k = 0; k < count; k++)
            values[k] = (uint16_t)random_below(65536);
        png.pixels = values;
        struct lb_picture picture;
        struct lb_error error;
        if (lb_png_save(path, &png, &error) != LB_OK || lb_picture_read(path, &picture, &error) != LB_OK)
            fail_msg("%s", error.message);
        assert_true(picture.width == png.width && picture.height == png.height &&
                    picture.channels == png.channels && picture.floats);
        for (size_t k = 0; k < count; k++)
            assert_true(picture.floats[k] * 65535.0f + 0.5f >= values[k] &&
                        picture.floats[k] * 65535.0f - 0.5f <= values[k]);
        lb_picture_free(&picture);
        free(values);
    }
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exr_comes_back),        cmocka_unit_test(png_of_16_bits_comes_back),
        cmocka_unit_test(png_comes_back),        cmocka_unit_test(png_holds_nothing_else),
        cmocka_unit_test(too_large_for_png),     cmocka_unit_test(pfm_comes_back),
        cmocka_unit_test(permissions_and_links), cmocka_unit_test(failures_leave_nothing),
        cmocka_unit_test(concurrent_writers),    cmocka_unit_test(crc32c),
        cmocka_unit_test(links_to_nothing),      cmocka_unit_test(sweeps),
        cmocka_unit_test(named_and_unnamed),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
