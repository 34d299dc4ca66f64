/* Loads the scenes and the damaged files that come with the references. */
#include "scene_help.h"
#include "skip_test.h"

#define DATA "../shared/data"

/* One line of a table with tabs between its columns; false at the end. Columns beyond the line's are "". */
static bool next_row(FILE *table, char *line, int size, const char **columns, int count)
{
    if (!fgets(line, size, table))
        return false;
    line[strcspn(line, "\n")] = 0;
    char *at = line;
    for (int i = 0; i < count; i++) {
        columns[i] = at;
        char *tab = strchr(at, '\t');
        at = tab ? tab + 1 : at + strlen(at);
        if (tab)
            *tab = 0;
    }
    return true;
}

static FILE *open_table(const char *path)
{
    skip_without_data();
    FILE *table = fopen(path, "r");
    assert_non_null(table);
    return table;
}

static enum lb_status load(const char *folder, const char *name, struct lb_loaded *loaded,
                           struct lb_error *error)
{
    static const struct lb_scene_options none;
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return lb_scene_load(path, &none, NULL, loaded, error);
}

/* What pbrt-v4 refuses is refused; what it crashes on or takes is refused or taken, no more. */
static void damaged_files_are_refused(void **state)
{
    (void)state;
    FILE *table = open_table(DATA "/damaged/list.tsv");
    char line[1024];
    const char *columns[4];
    int refused = 0;
    while (next_row(table, line, sizeof line, columns, 4)) {
        struct lb_loaded loaded;
        struct lb_error error = {LB_OK, ""};
        if (strcmp(columns[0], "file") == 0)
            continue;
        enum lb_status status = load(DATA "/damaged", columns[1], &loaded, &error);
        if (status == LB_OK) {
            lb_scene_free(&loaded);
            if (strcmp(columns[3], "accepts") != 0)
                fail_msg("accepted: %s (%s)", columns[1], columns[2]);
            continue;
        }
        refused++;
        assert_int_equal(status, LB_ERROR);
        assert_null(loaded.scene);
        unsigned at, column;
        const char *place = strstr(error.message, ".pbrt:");
        if (!place || sscanf(place, ".pbrt:%u:%u: ", &at, &column) != 2)
            fail_msg("no place: %s", error.message);
    }
    fclose(table);
    assert_true(refused > 60);
}

/* Large scenes are left out here: rendering the references covers them. */
static bool is_large(const char *name)
{
    return strncmp(name, "dragon", 6) == 0;
}

static void reference_scenes_load(void **state)
{
    (void)state;
    FILE *table = open_table(DATA "/references/index.tsv");
    char line[1024];
    const char *columns[6];
    int count = 0;
    while (next_row(table, line, sizeof line, columns, 6)) {
        struct lb_loaded loaded;
        struct lb_error error;
        if (strcmp(columns[5], "main") != 0 || is_large(columns[0]))
            continue;
        if (load(DATA, columns[1], &loaded, &error) != LB_OK)
            fail_msg("%s", error.message);
        assert_true(loaded.scene->shapes.count > 0 && loaded.scene->lights.count > 0);
        assert_non_null(loaded.film_file);
        count++;
        lb_scene_free(&loaded);
    }
    fclose(table);
    assert_true(count > 0);
}

static void missing_files_are_errors(void **state)
{
    (void)state;
    struct lb_loaded loaded;
    struct lb_error error;
    assert_int_equal(load("/tmp", "there-is-no-such-scene.pbrt", &loaded, &error), LB_ERROR);
    assert_non_null(strstr(error.message, "there-is-no-such-scene.pbrt"));
    assert_null(loaded.scene);
    assert_null(loaded.own);
}

static void samples_load(void **state)
{
    (void)state;
    static const char *const names[] = {"mandelbrot.pbrt", "motion.pbrt", "room.pbrt", "gallery/blinds.pbrt",
                                        "gallery/still-life.pbrt"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct lb_loaded loaded;
        struct lb_error error;
        if (load("samples", names[i], &loaded, &error) != LB_OK)
            fail_msg("%s", error.message);
        lb_scene_free(&loaded);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(damaged_files_are_refused),
        cmocka_unit_test(reference_scenes_load),
        cmocka_unit_test(missing_files_are_errors),
        cmocka_unit_test(samples_load),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
