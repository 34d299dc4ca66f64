/* Every plugin and parameter of pbrt-v4 is rendered, has no effect, or is an error by name, as
 * test/unit/pbrt_names.txt says. */
#include "core/image/image.h"
#include "test/unit/scene_help.h"

#include <limits.h>

enum { LINE = 1024 };

/* ---- files that the scenes name ---- */

static char folder[] = "/tmp/lbrender-names-XXXXXX";
static char data_folder[PATH_MAX]; /* empty: it is not there */

static void file_path(const char *name, char path[64])
{
    snprintf(path, 64, "%s/%s", folder, name);
}

static void write_file(const char *name, const void *bytes, size_t size)
{
    char path[64];
    file_path(name, path);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static void write_text(const char *name, const char *text)
{
    write_file(name, text, strlen(text));
}

static const char ply_head[] = "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\n"
                               "property float z\nproperty float u\nproperty float v\nelement face 1\n"
                               "property list uchar int vertex_indices\nend_header\n";

static void write_ply(const char *name, const char *vertices)
{
    char text[LINE];
    snprintf(text, sizeof text, "%s%s3 0 1 2\n", ply_head, vertices);
    write_text(name, text);
}

static int write_files(void **state)
{
    (void)state;
    static const uint8_t pixels[12] = {10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 110, 120};
    static const float colours[12] = {0.1f, 0.2f, 0.3f, 0.4f, 0.5f, 0.6f, 0.7f, 0.8f, 0.9f, 0.1f, 0.5f, 0.9f};
    static const float greys[4] = {0.1f, 0.4f, 0.6f, 0.9f};
    struct lb_error error;
    char path[64], grey[64] = "Pf\n2 2\n-1.0\n";
    if (!realpath("../shared/data", data_folder))
        data_folder[0] = 0;
    assert_non_null(mkdtemp(folder));
    file_path("map.pfm", path);
    assert_int_equal(lb_pfm_write(path, 2, 2, colours, &error), LB_OK);
    file_path("grey.png", path);
    assert_int_equal(lb_png_write(path, 2, 2, pixels, &error), LB_OK);
    size_t head = strlen(grey);
    memcpy(grey + head, greys, sizeof greys);
    write_file("grey.pfm", grey, head + sizeof greys);
    write_ply("mesh.ply", "0 0 0 0 0\n1 0 0 1 0\n0 1 0 0 1\n");
    write_ply("mesh2.ply", "0 0 0 0 0\n2 0 0 1 0\n0 2 0 0 1\n");
    write_text("lens.dat", "50 5 1.5 20\n-50 5 1 20\n0 40 0 10\n");
    write_text("part.pbrt", "Shape \"sphere\"\n");
    return 0;
}

static int remove_files(void **state)
{
    (void)state;
    static const char *const names[] = {"map.pfm",   "grey.png", "grey.pfm", "mesh.ply",
                                        "mesh2.ply", "lens.dat", "part.pbrt"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char path[64];
        file_path(names[i], path);
        unlink(path);
    }
    return rmdir(folder);
}

/* ---- scenes ---- */

struct text {
    char letters[4 * LINE];
    size_t length;
};

static void add(struct text *text, const char *letters, size_t length)
{
    assert_true(text->length + length < sizeof text->letters);
    memcpy(text->letters + text->length, letters, length);
    text->length += length;
    text->letters[text->length] = 0;
}

/* The template with its @ replaced, and the names of folders wherever they stand. */
static void add_filled(struct text *text, const char *template, const char *parameter)
{
    while (*template) {
        bool is_dir = strncmp(template, "DIR/", 4) == 0, is_data = strncmp(template, "DATA/", 5) == 0;
        if (*template == '@')
            add_filled(text, parameter, "");
        else if (is_dir || is_data)
            add(text, is_dir ? folder : data_folder, strlen(is_dir ? folder : data_folder));
        else
            add(text, template, 1);
        template += is_dir ? 3 : is_data ? 4 : 1;
    }
}

/* What became of a scene. */
struct result {
    enum lb_status status;
    struct lb_error error;
    struct scene_warnings warnings;
    struct lb_loaded loaded;
};

static void load(const char *template, const char *parameter, struct result *result)
{
    struct lb_scene_options options;
    struct text text = {"WorldBegin ", 11};
    memset(result, 0, sizeof *result);
    memset(&options, 0, sizeof options);
    options.channels.wanted = 1u << LB_CHANNEL_P; /* for the film's coordinate system */
    options.channels.of_spectral = 1u << LB_CHANNEL_BUCKETS;
    struct lb_log log = {scene_warn, &result->warnings};
    add_filled(&text, template, parameter);
    size_t begin = strstr(text.letters + 11, "WorldBegin") ? 11 : 0;
    struct scene_file file = scene_file_write(text.letters + begin, text.length - begin);
    result->status = lb_scene_load(file.path, &options, &log, &result->loaded, &result->error);
    unlink(file.path);
    if (result->status == LB_OK &&
        lb_scene_check(result->loaded.scene, result->loaded.scene->size, &result->error) != LB_OK)
        fail_msg("%s", result->error.message);
}

static bool same_text(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

/* The same picture in the same file: no byte of the blocks differs. */
static bool same(const struct lb_loaded *a, const struct lb_loaded *b)
{
    return a->scene->size == b->scene->size && memcmp(a->scene, b->scene, a->scene->size) == 0 &&
           same_text(a->film_file, b->film_file) && a->film_floats == b->film_floats &&
           a->film_gbuffer == b->film_gbuffer && a->film_spectral == b->film_spectral;
}

/* ---- the table ---- */

struct table {
    FILE *file;
    unsigned line, rows, faults;
    char title[LINE], scene[LINE];
    bool left_out; /* the section needs data that is not there */
};

static void complain(struct table *table, const char *what, const char *more)
{
    print_error("pbrt_names.txt:%u: %s: %s%s%s\n", table->line, table->title, what, *more ? ": " : "", more);
    table->faults++;
}

/* Without the newline; false at the end. */
static bool next_line(struct table *table, char line[LINE])
{
    if (!fgets(line, LINE, table->file))
        return false;
    size_t length = strlen(line);
    assert_true(length > 0 && line[length - 1] == '\n');
    line[length - 1] = 0;
    table->line++;
    return true;
}

/* Cuts the text at `mark`; what comes behind it, or NULL where it has none. */
static char *cut(char *text, const char *mark)
{
    char *at = strstr(text, mark);
    if (!at)
        return NULL;
    *at = 0;
    return at + strlen(mark);
}

/* The parameter as a scene writes it; the name "-" stands for the value alone. */
static void write_parameter(char *out, const char *name, const char *value)
{
    int length = strcmp(name, "-") == 0 ? snprintf(out, LINE, "%s", value)
                                        : snprintf(out, LINE, "\"%s\" [ %s ]", name, value);
    assert_true(length < LINE);
}

static void check_accepted(struct table *table, const char *outcome, const char *other,
                           const struct result *with)
{
    struct result without;
    bool told = strcmp(outcome, "nothing, told") == 0;
    load(table->scene, other, &without);
    if (with->status != LB_OK)
        complain(table, "is refused", with->error.message);
    else if (without.status != LB_OK)
        complain(table, "what it is compared with is refused", without.error.message);
    else if (strcmp(outcome, "rendered") == 0 && same(&with->loaded, &without.loaded))
        complain(table, "has no effect", "");
    else if (strncmp(outcome, "nothing", 7) == 0 && !same(&with->loaded, &without.loaded))
        complain(table, "has an effect", "");
    else if (told && with->warnings.count == 0)
        complain(table, "nobody is told that it has no effect", "");
    else if (strcmp(outcome, "rendered") != 0 && strcmp(outcome, "nothing") != 0 && !told)
        complain(table, "unknown outcome", outcome);
    lb_scene_free(&without.loaded);
}

static void check_row(struct table *table, char *line)
{
    char parameter[LINE], other[LINE] = "", place[2 * LINE];
    char *value = cut(line, " = "), *outcome = value ? cut(value, " : ") : NULL;
    if (!outcome) {
        complain(table, "not a line of the table", line);
        return;
    }
    char *second = cut(value, " / ");
    write_parameter(parameter, line, value);
    if (second)
        write_parameter(other, line, second);
    struct result with;
    load(table->scene, parameter, &with);
    table->rows++;
    size_t title = strlen(table->title);
    snprintf(place, sizeof place, " %s = %s", line, value);
    snprintf(table->title + title, sizeof table->title - title, "%s", place);
    const char *refusal = strncmp(outcome, "error ", 6) == 0 ? outcome + 6 : NULL;
    if (!refusal)
        check_accepted(table, outcome, other, &with);
    else if (with.status == LB_OK)
        complain(table, "is accepted", "");
    else if (!strstr(with.error.message, refusal))
        complain(table, "another message", with.error.message);
    table->title[title] = 0;
    lb_scene_free(&with.loaded);
}

static void start_section(struct table *table, const char *line)
{
    snprintf(table->title, sizeof table->title, "%s", line);
    assert_true(next_line(table, table->scene));
    table->left_out = strstr(table->scene, "DATA/") && !data_folder[0];
    if (table->left_out)
        print_message("# skipped: %s, as there is no ../shared/data\n", line);
}

static void every_name_is_rendered_or_without_effect_or_refused(void **state)
{
    (void)state;
    struct table table;
    char line[LINE];
    memset(&table, 0, sizeof table);
    table.file = fopen("test/unit/pbrt_names.txt", "r");
    assert_non_null(table.file);
    while (next_line(&table, line))
        if (line[0] == '[')
            start_section(&table, line);
        else if (line[0] && line[0] != '#' && !table.left_out)
            check_row(&table, line);
    fclose(table.file);
    assert_true(table.rows > 400);
    if (table.faults)
        fail_msg("%u of %u lines do not hold", table.faults, table.rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_name_is_rendered_or_without_effect_or_refused),
    };
    return cmocka_run_group_tests(tests, write_files, remove_files);
}
