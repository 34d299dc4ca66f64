/* Tests Include, Import, gzip and standard input, and where files are looked for. */
#include "unit/language_help.h"

#include <fcntl.h>
#include <libgen.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

static char folder[64];

static const char *path_of(const char *name)
{
    static char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void write_file(const char *name, const char *text)
{
    FILE *file = fopen(path_of(name), "w");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
    assert_int_equal(fclose(file), 0);
}

static int make_folder(void **state)
{
    (void)state;
    snprintf(folder, sizeof folder, "/tmp/lbrender-language-XXXXXX");
    return mkdtemp(folder) && mkdir(path_of("sub"), 0700) == 0 ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    char command[128];
    snprintf(command, sizeof command, "rm -r '%s'", folder);
    return system(command);
}

/* Reads `name` in the folder; what is not LB_OK must begin with the folder, then `message`. */
static void expect_error(const char *name, const char *message)
{
    struct reading r;
    read_file(&r, path_of(name));
    assert_int_equal(r.status, LB_ERROR);
    if (strncmp(r.error.message, folder, strlen(folder)) != 0 ||
        strncmp(r.error.message + strlen(folder) + 1, message, strlen(message)) != 0)
        fail_msg("%s, not %s", r.error.message, message);
    free_reading(&r);
}

static void an_include_is_read_in_place(void **state)
{
    (void)state;
    struct reading r;
    write_file(
        "main",
        "Include \"sub/head\"\nWorldBegin Include \"sub/open\" Shape \"inside\" Include \"sub/close\"\n"
        "Shape \"outside\" Include \"empty\"");
    write_file("sub/head", "Camera \"perspective\" # no new line at the end");
    write_file("sub/open", "AttributeBegin Material \"conductor\" Include \"sub/deeper\"");
    write_file("sub/deeper", "\n  Translate 1 2 3 Shape \"deep\"");
    write_file("sub/close", "AttributeEnd");
    write_file("empty", "");
    read_file(&r, path_of("main"));
    if (r.status != LB_OK)
        fail_msg("%s", r.error.message);
    const struct lb_description *d = &r.description;
    assert_string_equal(d->camera.type, "perspective");
    assert_int_equal(d->shape_count, 3);
    assert_string_equal(d->shapes[0].entity.type, "deep");
    assert_string_equal(d->shapes[0].entity.parameters.location.file, path_of("sub/deeper"));
    assert_int_equal(d->shapes[0].entity.parameters.location.line, 2);
    assert_int_equal(d->shapes[0].entity.parameters.location.column, 19);
    assert_int_equal(d->shapes[1].material, 1);
    assert_true(d->shapes[1].world_from_object->at[0].m[2][3] == 3);
    assert_int_equal(d->shapes[2].material, 0);
    assert_true(d->shapes[2].world_from_object->at[0].m[2][3] == 0);
    assert_string_equal(r.log, "");
    free_reading(&r);
}

static void an_import_changes_nothing_outside(void **state)
{
    (void)state;
    struct reading r;
    write_file("main",
               "WorldBegin Translate 1 0 0 Material \"conductor\" CoordinateSystem \"a\"\n"
               "Import \"imported\"\nShape \"after\" NamedMaterial \"m\" Shape \"named\"\n"
               "CoordSysTransform \"a\" Shape \"there\"\n"
               "ObjectBegin \"o\" Shape \"1\" Import \"shape\" Shape \"3\" ObjectEnd ObjectInstance \"p\"");
    write_file(
        "imported",
        "Shape \"within\" Translate 1 0 0 Material \"diffuse\" CoordinateSystem \"a\" Shape \"moved\"\n"
        "AttributeBegin AttributeEnd MakeNamedMaterial \"m\" \"string type\" \"interface\"\n"
        "ObjectBegin \"p\" Shape \"4\" ObjectEnd ReverseOrientation");
    write_file("shape", "Shape \"2\"");
    read_file(&r, path_of("main"));
    if (r.status != LB_OK)
        fail_msg("%s", r.error.message);
    const struct lb_description *d = &r.description;
    const struct lb_shape_entity *s = d->shapes;
    assert_int_equal(d->shape_count, 5);
    assert_true(s[0].world_from_object->at[0].m[0][3] == 1 && s[1].world_from_object->at[0].m[0][3] == 2);
    assert_true(s[2].world_from_object->at[0].m[0][3] == 1 && s[4].world_from_object->at[0].m[0][3] == 1);
    assert_int_equal(s[0].material, 1);
    assert_int_equal(s[2].material, 1);
    assert_false(s[2].reverse_orientation);
    assert_string_equal(d->materials[s[3].material].entity.type, "interface");
    assert_int_equal(d->object_count, 2);
    const struct lb_object_definition *o = &d->objects[1];
    assert_string_equal(o->name, "o");
    assert_int_equal(o->shape_count, 3);
    assert_string_equal(o->shapes[1].entity.type, "2");
    free_reading(&r);
}

static void blocks_end_in_the_file_they_begin_in(void **state)
{
    (void)state;
    write_file("main", "WorldBegin AttributeBegin Import \"imported\" AttributeEnd");
    write_file("imported", "AttributeEnd");
    expect_error("main", "imported:1:1: AttributeEnd without AttributeBegin");
    write_file("imported", " AttributeBegin");
    expect_error("main", "imported:1:2: AttributeBegin without AttributeEnd");
    write_file("main", "WorldBegin ObjectBegin \"a\" Import \"imported\" ObjectEnd");
    write_file("imported", "ObjectEnd");
    expect_error("main", "imported:1:1: ObjectEnd in an imported file");
    write_file("imported", "Shape \"sphere\" \"float radius\" [ 1");
    expect_error("main", "imported:1:31: the bracket is not closed");
    write_file("imported", "Shape");
    write_file("main", "WorldBegin Import \"imported\" \"sphere\"");
    expect_error("main",
                 "main:1:30: a directive was expected, not \"sphere\""); /* which the import did not take */
}

static void circles_end(void **state)
{
    (void)state;
    char name[32], text[64];
    write_file("main", "WorldBegin\nInclude \"main\"");
    expect_error("main", "main:2:9: ");
    write_file("main", "WorldBegin Include \"one\"");
    write_file("one", "Import \"two\"");
    write_file("two", "\nInclude \"one\"");
    expect_error("main", "two:2:9: ");
    /* A file twice, one after the other, is no circle. */
    struct reading r;
    write_file("main", "WorldBegin Include \"one\" Include \"one\" Import \"one\"");
    write_file("one", "Shape \"sphere\"");
    read_file(&r, path_of("main"));
    assert_int_equal(r.status, LB_OK);
    assert_int_equal(r.description.shape_count, 3);
    free_reading(&r);
    for (int i = 0; i < 70; i++) {
        snprintf(name, sizeof name, "deep%d", i);
        snprintf(text, sizeof text, "%s%s \"deep%d\"", i ? "" : "WorldBegin ", i % 2 ? "Import" : "Include",
                 i + 1);
        write_file(name, text);
    }
    expect_error("deep0", "deep63:1:8: files include each other more than 64 deep");
}

static void files_beside_the_naming_file(void **state)
{
    (void)state;
    struct reading r;
    char expected[256];
    write_file("main", "WorldBegin Include \"sub/a\"");
    write_file("sub/a", "Include \"b\"");
    write_file("sub/b", "Shape \"of sub\"");
    read_file(&r, path_of("main"));
    assert_int_equal(r.status, LB_OK);
    assert_string_equal(r.description.shapes[0].entity.type, "of sub");
    snprintf(expected, sizeof expected,
             "note: %s/sub/a:1:9: \"b\" is not in the main file's folder; taken from beside this file\n",
             folder);
    assert_string_equal(r.log, expected);

    const struct lb_description *d = &r.description;
    const struct lb_location *place = &d->shapes[0].entity.parameters.location;
    assert_string_equal(lb_description_path(d, place, "main", &r.arena, NULL), path_of("main"));
    assert_string_equal(lb_description_path(d, place, "a", &r.arena, NULL), path_of("sub/a"));
    assert_string_equal(lb_description_path(d, place, "absent", &r.arena, NULL), path_of("absent"));
    assert_string_equal(lb_description_path(d, place, "/etc/passwd", &r.arena, NULL), "/etc/passwd");
    free_reading(&r);

    write_file("b", "Shape \"of main\"");
    read_file(&r, path_of("main"));
    assert_string_equal(r.description.shapes[0].entity.type, "of main");
    assert_string_equal(r.log, "");
    free_reading(&r);
}

static void files_that_are_not_there(void **state)
{
    (void)state;
    struct reading r;
    read_file(&r, path_of("absent"));
    assert_int_equal(r.status, LB_ERROR);
    assert_true(strstr(r.error.message, "absent: No such file or directory") != NULL);
    free_reading(&r);
    read_file(&r, folder);
    assert_int_equal(r.status, LB_ERROR);
    assert_true(strstr(r.error.message, ": Is a directory") != NULL);
    free_reading(&r);
    write_file("main", "Include \"sub\"");
    expect_error("main", "main:1:9: ");
    write_file("main", "\nInclude \"-\"");
    expect_error("main", "main:2:9: ");
}

static void write_gzip(const char *name, const char *text, int members)
{
    for (int i = 0; i < members; i++) {
        size_t length = strlen(text) / (size_t)members, from = (size_t)i * length;
        if (i == members - 1)
            length = strlen(text) - from;
        gzFile file = gzopen(path_of(name), i ? "ab" : "wb");
        assert_non_null(file);
        assert_int_equal(gzwrite(file, text + from, (unsigned)length), length);
        assert_int_equal(gzclose(file), Z_OK);
    }
}

static void gzip_files(void **state)
{
    (void)state;
    static char text[300000];
    struct reading r;
    memset(text, ' ', sizeof text - 1);
    memcpy(text, "WorldBegin Shape \"first\"", 24);
    memcpy(text + sizeof text - 20, "\nShape \"last\"", 13);
    for (int members = 1; members <= 3; members++) {
        write_gzip("packed.pbrt.gz", text, members);
        write_file("main", "Include \"packed.pbrt.gz\"");
        read_file(&r, path_of("main"));
        if (r.status != LB_OK)
            fail_msg("%s", r.error.message);
        assert_int_equal(r.description.shape_count, 2);
        assert_string_equal(r.description.shapes[1].entity.type, "last");
        assert_int_equal(r.description.shapes[1].entity.parameters.location.line, 2);
        free_reading(&r);
    }
    /* Cut anywhere, or changed anywhere in the data or checksum, it is an error or the same scene. */
    struct stat status;
    assert_int_equal(stat(path_of("packed.pbrt.gz"), &status), 0);
    write_gzip("packed.pbrt.gz", text, 1);
    assert_int_equal(stat(path_of("packed.pbrt.gz"), &status), 0);
    for (off_t length = status.st_size - 1; length >= 2; length -= 7) {
        assert_int_equal(truncate(path_of("packed.pbrt.gz"), length), 0);
        read_file(&r, path_of("packed.pbrt.gz"));
        assert_int_equal(r.status, LB_ERROR);
        assert_true(strstr(r.error.message, "gzip data is damaged or cut short") != NULL);
        free_reading(&r);
    }
    write_gzip("packed.pbrt.gz", text, 1);
    int file = open(path_of("packed.pbrt.gz"), O_WRONLY);
    assert_int_equal(pwrite(file, "????", 4, status.st_size - 8), 4);
    close(file);
    read_file(&r, path_of("packed.pbrt.gz"));
    assert_int_equal(r.status, LB_ERROR);
    assert_true(strstr(r.error.message, "gzip data is damaged or cut short") != NULL);
    free_reading(&r);
}

static void standard_input(void **state)
{
    (void)state;
    struct reading r;
    int ends[2], saved = dup(STDIN_FILENO);
    static const char text[] = "WorldBegin\n Shape \"piped\" Sharpen";
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], text, strlen(text)), strlen(text));
    close(ends[1]);
    dup2(ends[0], STDIN_FILENO);
    read_file(&r, "-");
    dup2(saved, STDIN_FILENO);
    close(saved);
    close(ends[0]);
    assert_string_equal(r.error.message, "<stdin>:2:16: unknown directive Sharpen; did you mean \"Shape\"?");
    assert_string_equal(
        lb_description_path(&r.description, &(struct lb_location){.file = "<stdin>"}, "a/b", &r.arena, NULL),
        "a/b");
    free_reading(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_include_is_read_in_place),
        cmocka_unit_test(an_import_changes_nothing_outside),
        cmocka_unit_test(blocks_end_in_the_file_they_begin_in),
        cmocka_unit_test(circles_end),
        cmocka_unit_test(files_beside_the_naming_file),
        cmocka_unit_test(files_that_are_not_there),
        cmocka_unit_test(gzip_files),
        cmocka_unit_test(standard_input),
    };
    return cmocka_run_group_tests_name("language_files", tests, make_folder, remove_folder);
}
