/* Loads scenes from texts, for tests. */
#ifndef LB_TEST_UNIT_SCENE_HELP_H
#define LB_TEST_UNIT_SCENE_HELP_H

#include "core/kernel/math.h"
#include "core/scene/check/check.h"
#include "core/scene/load.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* A shape of two triangles, each with an area of 1/2. */
#define QUAD                                                                                                 \
    "Shape \"trianglemesh\" \"integer indices\" [ 0 1 2 0 2 3 ] \"point3 P\" [ 0 0 0 1 0 0 1 1 0 0 1 0 ] "

__attribute__((unused)) static void assert_near(double a, double b)
{
    assert_true(lb_abs_d(a - b) <= 1e-5 * (1.0 + lb_abs_d(b)));
}

/* A scene file in the temporary folder, which the test removes. */
struct scene_file {
    char path[64];
};

__attribute__((unused)) static struct scene_file scene_file_write(const void *text, size_t size)
{
    struct scene_file file = {"/tmp/lbrender-scene-XXXXXX"};
    int descriptor = mkstemp(file.path);
    assert_true(descriptor >= 0);
    assert_int_equal(write(descriptor, text, size), size);
    close(descriptor);
    return file;
}

/* Writes an image of 1 or 3 channels as a PFM file; `texels` go row by row from the upper left. */
__attribute__((unused)) static struct scene_file scene_image_write(int width, int height, int channels,
                                                                   const float *texels)
{
    char bytes[4096];
    int head = snprintf(bytes, sizeof bytes, "%s\n%d %d\n-1.0\n", channels == 1 ? "Pf" : "PF", width, height);
    size_t row = (size_t)(width * channels) * sizeof *texels, size = (size_t)head;
    for (int y = height; y-- > 0; size += row) { /* PFM goes up */
        assert_true(size + row <= sizeof bytes);
        memcpy(bytes + size, (const char *)texels + (size_t)y * row, row);
    }
    return scene_file_write(bytes, size);
}

/* The warnings that loading gave, and how many notes. */
struct scene_warnings {
    unsigned count, notes;
    char last[1024]; /* of the warnings */
};

__attribute__((unused)) static void scene_warn(void *user, enum lb_level level, const char *message)
{
    struct scene_warnings *warnings = user;
    warnings->notes += level == LB_NOTE;
    if (level != LB_WARNING)
        return;
    warnings->count++;
    snprintf(warnings->last, sizeof warnings->last, "%s", message);
}

/* Loads a scene, of which `before` and `after` stand before and after WorldBegin. `options` and `warnings` may be
 * NULL. Other hosts would take whatever loads. */
__attribute__((unused)) static enum lb_status scene_try(const char *before, const char *after,
                                                        const struct lb_scene_options *options,
                                                        struct scene_warnings *warnings,
                                                        struct lb_loaded *loaded, struct lb_error *error)
{
    static const struct lb_scene_options none;
    struct scene_warnings unseen = {0};
    struct lb_log log = {scene_warn, warnings ? warnings : &unseen};
    char text[65536];
    int length = snprintf(text, sizeof text, "%s\nWorldBegin\n%s\n", before, after);
    assert_true(length > 0 && (size_t)length < sizeof text);
    struct scene_file file = scene_file_write(text, (size_t)length);
    enum lb_status status = lb_scene_load(file.path, options ? options : &none, &log, loaded, error);
    unlink(file.path);
    if (status == LB_OK && lb_scene_check(loaded->scene, loaded->scene->size, error) != LB_OK)
        fail_msg("%s", error->message);
    return status;
}

/* The same for a scene that must load. */
__attribute__((unused)) static struct lb_loaded scene_get(const char *before, const char *after)
{
    struct lb_loaded loaded;
    struct lb_error error;
    if (scene_try(before, after, NULL, NULL, &loaded, &error) != LB_OK)
        fail_msg("%s", error.message);
    return loaded;
}

#endif
