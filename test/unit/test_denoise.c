/* Tests core/image/denoise.h with a library that plays Open Image Denoise (test/fake_oidn). */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <fenv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/image/denoise.h"

enum { WIDTH = 5, HEIGHT = 3, COUNT = 3 * WIDTH * HEIGHT };

/* A file beside this program. */
static const char *beside(const char *name)
{
    static char path[5000];
    char own[4096];
    ssize_t length = readlink("/proc/self/exe", own, sizeof own - 1);
    assert_true(length > 0);
    own[length] = 0;
    *strrchr(own, '/') = 0;
    snprintf(path, sizeof path, "%s/%s", own, name);
    return path;
}

static struct lb_denoiser *open_played(const char *name)
{
    struct lb_denoiser *denoiser;
    struct lb_error error;
    if (lb_denoiser_open(beside(name), 2, &denoiser, &error) != LB_OK)
        fail_msg("%s", error.message);
    return denoiser;
}

static void fill(float values[COUNT], float first)
{
    for (int i = 0; i < COUNT; i++)
        values[i] = first + (float)i;
}

/* Normals and albedos are cleaned first, then help: 0.5 c + 0.25 (0.5 a + 0.5 n). */
static void check_all(const char *name, const char *about)
{
    float color[COUNT], albedo[COUNT], normal[COUNT];
    struct lb_denoise_images images = {WIDTH, HEIGHT, color, albedo, normal};
    struct lb_denoiser *denoiser = open_played(name);
    struct lb_error error;
    fill(color, 100);
    fill(albedo, 8);
    fill(normal, -20);
    assert_string_equal(lb_denoiser_about(denoiser), about);
    assert_int_equal(lb_denoise(denoiser, &images, &error), LB_OK);
    for (int i = 0; i < COUNT; i++)
        assert_true(color[i] ==
                    0.5f * (100 + (float)i) + 0.125f * (8 + (float)i) + 0.125f * (-20 + (float)i));
    lb_denoiser_close(denoiser);
}

static void test_both_versions_are_spoken_to(void **state)
{
    (void)state;
    check_all("fake_oidn.so", "Open Image Denoise 2.3.4 on CPUs");
    check_all("fake_oidn_1.so", "Open Image Denoise 1.4.1 on CPUs");
}

static void test_colors_alone(void **state)
{
    (void)state;
    float color[COUNT];
    struct lb_denoise_images images = {WIDTH, HEIGHT, color, NULL, NULL};
    struct lb_denoiser *denoiser = open_played("fake_oidn.so");
    struct lb_error error;
    fill(color, -3);
    assert_int_equal(lb_denoise(denoiser, &images, &error), LB_OK);
    for (int i = 0; i < COUNT; i++)
        assert_true(color[i] == 0.5f * ((float)i - 3));
    lb_denoiser_close(denoiser);
}

/* The library leaves rounding and tiny numbers otherwise than it found them: our thread does not. */
static void test_modes_stay(void **state)
{
    (void)state;
    float color[COUNT];
    struct lb_denoise_images images = {WIDTH, HEIGHT, color, NULL, NULL};
    struct lb_denoiser *denoiser = open_played("fake_oidn.so");
    struct lb_error error;
    volatile float tiny = 0x1p-126f, half = 0.5f;
    fill(color, 1);
    assert_int_equal(lb_denoise(denoiser, &images, &error), LB_OK);
    assert_int_equal(fegetround(), FE_TONEAREST);
    assert_true(tiny * half > 0.0f);
    assert_true(half * 0x1p-126f == 0x1p-127f);
    lb_denoiser_close(denoiser);
}

static void refused(const char *name, const char *played, const char *words)
{
    struct lb_denoiser *denoiser;
    struct lb_error error;
    if (played)
        setenv("FAKE_OIDN", played, 1);
    assert_int_equal(lb_denoiser_open(name, 0, &denoiser, &error), LB_ERROR);
    unsetenv("FAKE_OIDN");
    assert_null(denoiser);
    if (!strstr(error.message, words) || strchr(error.message, '\n'))
        fail_msg("\"%s\" lacks \"%s\", or has two lines", error.message, words);
}

static void test_what_will_not_do_is_named(void **state)
{
    (void)state;
    refused("/nowhere/library.so", NULL, "/nowhere/library.so: cannot open");
    refused(beside("fake_oidn_part.so"), NULL, "fake_oidn_part.so is no Open Image Denoise that is known");
    refused(beside("fake_oidn_part.so"), NULL, "it has no oidnGetDeviceError");
    refused(beside("fake_oidn.so"), "old", "Open Image Denoise 1.3.0 is too old: 1.4.0 or later");
    refused(beside("fake_oidn.so"), "device", "has no CPUs");
    refused(beside("fake_oidn.so"), "hardware", "CPU device not supported");
}

static void test_filters_that_fail(void **state)
{
    (void)state;
    static const struct {
        const char *played, *words;
    } cases[] = {{"filter", "--denoise: Open Image Denoise: no such filter"},
                 {"memory", "--denoise: Open Image Denoise: no memory for"}};
    for (size_t i = 0; i < 2; i++) {
        float color[COUNT], albedo[COUNT], normal[COUNT];
        struct lb_denoise_images images = {WIDTH, HEIGHT, color, albedo, normal};
        struct lb_denoiser *denoiser = open_played("fake_oidn.so");
        struct lb_error error;
        fill(color, 1);
        fill(albedo, 1);
        fill(normal, 1);
        setenv("FAKE_OIDN", cases[i].played, 1);
        assert_int_equal(lb_denoise(denoiser, &images, &error), LB_ERROR);
        unsetenv("FAKE_OIDN");
        if (!strstr(error.message, cases[i].words))
            fail_msg("\"%s\" lacks \"%s\"", error.message, cases[i].words);
        /* The next one is not told of it. */
        assert_int_equal(lb_denoise(denoiser, &images, &error), LB_OK);
        lb_denoiser_close(denoiser);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_both_versions_are_spoken_to),
        cmocka_unit_test(test_colors_alone),
        cmocka_unit_test(test_modes_stay),
        cmocka_unit_test(test_what_will_not_do_is_named),
        cmocka_unit_test(test_filters_that_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
