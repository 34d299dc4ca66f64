/* Reads the shared scenes whole, damaged, cut and mutated: no text may make the reader crash, hang or forget the
 * place. */
#include "unit/language_help.h"
#include "unit/share_help.h"
#include "unit/skip_test.h"

#include <glob.h>
#include <stdlib.h>
#include <time.h>

static const char scenes[] = "../shared/data/scenes/*/*.pbrt";
static const char damaged[] = "../shared/data/damaged/scene-*.pbrt";

static char *read_whole(const char *path, size_t *length)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    *length = (size_t)ftell(file);
    rewind(file);
    char *text = malloc(*length + 1);
    assert_non_null(text);
    assert_int_equal(fread(text, 1, *length, file), *length);
    fclose(file);
    return text;
}

static void find_or_skip(const char *pattern, glob_t *found)
{
    skip_without_data();
    assert_int_equal(glob(pattern, 0, NULL, found), 0);
}

static void all_shared_scenes_are_read(void **state)
{
    (void)state;
    glob_t found;
    find_or_skip(scenes, &found);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        struct reading r;
        read_file(&r, found.gl_pathv[i]);
        if (r.status != LB_OK)
            fail_msg("%s", r.error.message);
        assert_non_null(r.description.camera.type);
        assert_true(r.description.shape_count > 0);
        free_reading(&r);
    }
    assert_true(found.gl_pathc > 80);
    globfree(&found);
}

/* The damaged scenes that are against the language. The reader takes the others, and whoever builds the scene refuses
 * them. */
static const struct {
    const char *name, *message;
} faults[] = {
    {"scene-attribute-end", "9:1: AttributeEnd without"},
    {"scene-attribute-open", "8:1: AttributeBegin without"},
    {"scene-binary", "1:1: a binary file, not a scene"},
    {"scene-camera-in-world", "8:1: Camera after WorldBegin"},
    {"scene-degenerate-lookat", "1:1: LookAt needs"},
    {"scene-empty-mesh", "8:22: \"point3 P\" has no values"},
    {"scene-empty", "1:1: the file ends without WorldBegin"},
    {"scene-infinite", "8:31: 1e400 is too large"},
    {"scene-integer-is-fraction", "8:79: 1.5 is not an integer"},
    {"scene-missing-bracket", "8:53: \"integer indices\" is not a number"},
    {"scene-missing-include", "8:9: "},
    {"scene-nan", "8:11: nan is no number"},
    {"scene-no-world", "6:1: the file ends without WorldBegin"},
    {"scene-number-is-word", "8:35: two is not a number"},
    {"scene-object-nested", "9:1: ObjectBegin inside ObjectBegin"},
    {"scene-object-unknown", "8:1: no object is named \"nobody\""},
    {"scene-odd-array", "8:22: \"point3 P\" has 8 numbers"},
    {"scene-rgb-two-values", "8:20: \"rgb reflectance\" has 2 numbers"},
    {"scene-unknown-directive", "9:1: unknown directive Sharpen"},
    {"scene-unknown-type", "8:16: unknown parameter type \"number\""},
    {"scene-unterminated-string-at-end", "8:16: the string has no closing quote"},
    {"scene-unterminated-string", "8:10: the string has no closing quote"},
    {"scene-world-before-camera", "1:1: Shape before WorldBegin"},
};

/* Of several errors all but the last are in the log. */
static const char *first_error(const struct reading *reading)
{
    const char *logged = strstr(reading->log, "error: ");
    return logged ? logged + strlen("error: ") : reading->error.message;
}

static void damaged_scenes(void **state)
{
    (void)state;
    glob_t found;
    find_or_skip(damaged, &found);
    globfree(&found);
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        struct reading r;
        char path[128], expected[256];
        snprintf(path, sizeof path, "../shared/data/damaged/%s.pbrt", faults[i].name);
        snprintf(expected, sizeof expected, "%s:%s", path, faults[i].message);
        read_file(&r, path);
        if (r.status != LB_ERROR || strncmp(first_error(&r), expected, strlen(expected)) != 0)
            fail_msg("%s: status %d, %s", path, r.status, first_error(&r));
        free_reading(&r);
    }
    struct reading r;
    read_file(&r, "../shared/data/damaged/scene-recursive-include.pbrt");
    assert_int_equal(r.status, LB_ERROR);
    assert_non_null(strstr(r.error.message, "scene-recursive-part.pbrt:2:9: "));
    free_reading(&r);
    read_file(&r, "../shared/data/damaged/scene-deep-nesting.pbrt");
    assert_int_equal(r.status, LB_OK);
    free_reading(&r);
}

/* A description, or an error that begins with the place; includes are looked for where there is nothing. */
static void check_any(const char *text, size_t length)
{
    struct lb_arena arena = {0};
    struct lb_description description;
    struct lb_error error = {0};
    enum lb_status status =
        lb_description_parse("/nowhere/scene", text, length, &arena, NULL, &description, &error);
    unsigned line = 0, column = 0;
    if (status != LB_OK &&
        (sscanf(error.message, "/nowhere/scene:%u:%u: ", &line, &column) != 2 || line == 0 || column == 0 ||
         status != LB_ERROR || strpbrk(error.message, "\n\r\t")))
        fail_msg("status %d, %s", status, error.message);
    lb_arena_free(&arena);
}

static void mutate(char *text, size_t length, uint64_t *random)
{
    static const char *const pieces[] = {"\"",
                                         "[",
                                         "]",
                                         "\n",
                                         "#",
                                         "-",
                                         "1e999",
                                         " nan ",
                                         "AttributeBegin ",
                                         "ObjectBegin ",
                                         "ObjectEnd ",
                                         "AttributeEnd ",
                                         "\\",
                                         "\"float x\" ",
                                         "Scale ",
                                         "\xff",
                                         " 9999999999 ",
                                         "WorldBegin ",
                                         "Transform [",
                                         "ActiveTransform EndTime "};
    for (uint32_t count = 1 + next_random(random) % 4; count > 0; count--) {
        size_t at = next_random(random) % length;
        const char *piece = pieces[next_random(random) % (sizeof pieces / sizeof pieces[0])];
        size_t size = strlen(piece), other = next_random(random) % length;
        switch (next_random(random) % 3) {
        case 0:
            text[at] = (char)next_random(random);
            break;
        case 1:
            memcpy(text + at, piece, size < length - at ? size : length - at);
            break;
        default:
            size = next_random(random) % 200;
            size = size < length - at ? size : length - at;
            size = size < length - other ? size : length - other;
            memmove(text + at, text + other, size);
        }
    }
}

static void cut_and_mutated_scenes(void **state)
{
    (void)state;
    glob_t found;
    uint64_t random = 7;
    find_or_skip(scenes, &found);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        size_t length;
        char *text = read_whole(found.gl_pathv[i], &length), *copy = malloc(length);
        assert_non_null(copy);
        for (uint32_t round = share_of(150); round > 0; round--) {
            memcpy(copy, text, length);
            mutate(copy, length, &random);
            check_any(copy, length);
            check_any(text, next_random(&random) % length);
        }
        free(copy);
        free(text);
    }
    globfree(&found);
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* The line, with the number in place of each %. */
static size_t write_line(char *text, size_t room, const char *line, int number)
{
    size_t used = 0;
    for (; *line; line++)
        used += (size_t)(*line == '%' ? snprintf(text + used, room - used, "%d", number)
                                      : snprintf(text + used, room - used, "%c", *line));
    return used;
}

/* Reading takes time in proportion to the text's size and depth. These limits are far above that, so that only time
 * that grows faster exceeds them. */
static void large_scenes_take_no_longer_than_they_must(void **state)
{
    (void)state;
    enum { COUNT = 50000 };
    static const char *const lines[] = {
        "AttributeBegin Translate 1 0 0 Shape \"sphere\" \"float radius\" 1 AttributeEnd\n",
        "MakeNamedMaterial \"m%\" \"string type\" \"diffuse\" NamedMaterial \"m%\"\n",
        "Texture \"t%\" \"float\" \"constant\" \"float value\" 1\n",
        "Attribute \"shape\" \"float radius\" %\n",
        "ObjectInstance \"o\"\n",
    };
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        size_t room = COUNT * 96, used = 0;
        char *text = malloc(room);
        assert_non_null(text);
        used += (size_t)snprintf(text, room, "WorldBegin ObjectBegin \"o\" ObjectEnd\n");
        for (int k = 0; k < COUNT; k++)
            used += write_line(text + used, room - used, lines[i], k);
        struct lb_arena arena = {0};
        struct lb_description description;
        struct lb_error error = {0};
        double start = seconds();
        if (lb_description_parse("scene", text, used, &arena, NULL, &description, &error) != LB_OK)
            fail_msg("%s", error.message);
        assert_true(seconds() - start < 5);
        lb_arena_free(&arena);
        free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_shared_scenes_are_read),
        cmocka_unit_test(damaged_scenes),
        cmocka_unit_test(cut_and_mutated_scenes),
        cmocka_unit_test(large_scenes_take_no_longer_than_they_must),
    };
    return cmocka_run_group_tests_name("language_damage", tests, NULL, NULL);
}
