/* Tests how grids of NanoVDB files are read, whole and damaged. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "core/base/file.h"
#include "core/image/vdb_grid.h"
#include "core/kernel/sampler.h"
#include "test/unit/skip_test.h"

#include <stdlib.h>
#include <string.h>

#define FOLDER "../shared/data/scenes/features/media/"

static struct lb_file file_of(const char *path)
{
    struct lb_file file;
    struct lb_error error;
    assert_int_equal(lb_file_read(path, 1 << 24, &file, &error), LB_OK);
    return file;
}

static enum lb_vdb_result read_of(const struct lb_file *file, const char *name, struct lb_vdb_grid *grid)
{
    char reason[200];
    return lb_vdb_read((const uint8_t *)file->data, file->size, name, (uint64_t)1 << 24, grid, reason,
                       sizeof reason);
}

/* The compression zip, indices below 0, and a grid of another name that begins elsewhere. */
static void grids_are_read(void **state)
{
    (void)state;
    static const struct {
        const char *path, *name;
        uint32_t size[3];
        int32_t lower[3];
    } cases[] = {{FOLDER "ring-zip.nvdb", "density", {27, 9, 27}, {-13, -4, -13}},
                 {FOLDER "ring-zip.nvdb", "temperature", {12, 11, 11}, {3, -5, -5}},
                 {FOLDER "block-plain.nvdb", "smoke", {16, 16, 16}, {0, 0, 0}}};
    skip_without_data();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct lb_file file = file_of(cases[i].path);
        struct lb_vdb_grid grid;
        enum lb_vdb_result result = read_of(&file, cases[i].name, &grid);
#ifndef LB_NANOVDB
        assert_int_equal(result, LB_VDB_ABSENT);
        lb_file_free(&file);
        continue;
#endif
        assert_int_equal(result, LB_VDB_OK);
        assert_memory_equal(grid.size, cases[i].size, sizeof grid.size);
        assert_memory_equal(grid.lower, cases[i].lower, sizeof grid.lower);
        float most = 0.0f;
        for (uint32_t v = 0; v < grid.size[0] * grid.size[1] * grid.size[2]; v++)
            most = lb_max(most, grid.values[v]);
        assert_true(most > 0.0f);
        free(grid.values);
        assert_int_equal(read_of(&file, "nothing", &grid), LB_VDB_NO_GRID);
        lb_file_free(&file);
    }
}

/* Whatever bytes change, and wherever the file ends, it is read or refused, within its bounds. */
static void damage_is_survived(void **state)
{
    (void)state;
    static const struct {
        const char *path, *name;
    } cases[] = {{FOLDER "ring-zip.nvdb", "density"}, {FOLDER "block-plain.nvdb", "smoke"}};
    lb_random random;
    lb_random_start(&random, 1);
    skip_without_data();
    for (size_t c = 0; c < 2; c++) {
        struct lb_file file = file_of(cases[c].path);
        int refused = 0;
        for (int i = 0; i < 200; i++) {
            /* Most of what can be wrong stands at the front. */
            size_t where = i % 2 && file.size > 1500 ? 1500 : file.size, size = file.size;
            uint8_t *copy = malloc(size);
            assert_non_null(copy);
            memcpy(copy, file.data, size);
            for (int j = 0; j < 3; j++)
                copy[(size_t)(lb_random_1d(&random) * (float)where)] =
                    (uint8_t)(256.0f * lb_random_1d(&random));
            if (i % 5 == 0)
                size = (size_t)(lb_random_1d(&random) * (float)size);
            struct lb_file damaged = {.data = copy, .size = size};
            struct lb_vdb_grid grid;
            if (read_of(&damaged, cases[c].name, &grid) == LB_VDB_OK)
                free(grid.values);
            else
                refused++;
            free(copy);
        }
        assert_true(refused > 20);
        lb_file_free(&file);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(grids_are_read),
        cmocka_unit_test(damage_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
