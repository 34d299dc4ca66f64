/* Mesh files that several shapes name: read once, and the same mesh for each. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "core/scene/ply/mesh_files.h"
#include "test/unit/random_help.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NAMES = 4, MOST_SHAPES = 24 };

/* A triangle whose first corner tells which file and version it is of. */
static void write_mesh(const char *path, uint32_t number)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file,
            "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n"
            "element face 1\nproperty list uchar int vertex_indices\nend_header\n"
            "%u 0 0\n0 1 0\n0 0 1\n3 0 1 2\n",
            number);
    fclose(file);
}

static void path_of(char path[64], const char *folder, uint32_t number)
{
    snprintf(path, 64, "%s/m%u.ply", folder, number);
}

/* A scene that names meshes[0 .. count) in turn: the first `inside` of them in an object that is used; another object,
 * which is not, names all files once more. */
static void write_scene(const char *path, const uint32_t *meshes, size_t count, size_t inside)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file, "WorldBegin\nObjectBegin \"used\"\n");
    for (size_t i = 0; i < count; i++)
        fprintf(file, "%sShape \"plymesh\" \"string filename\" \"m%u.ply\"\n",
                i == inside ? "ObjectEnd\n" : "", meshes[i]);
    fprintf(file, "%sObjectInstance \"used\"\nObjectBegin \"unused\"\n",
            inside == count ? "ObjectEnd\n" : "");
    for (uint32_t i = 0; i < NAMES; i++)
        fprintf(file, "Shape \"plymesh\" \"string filename\" \"m%u.ply\"\n", i);
    fprintf(file, "ObjectEnd\n");
    fclose(file);
}

static void read_all(struct lb_mesh_files *files, const char *folder, const uint32_t *meshes, size_t count)
{
    uint32_t left[NAMES] = {0};
    bool gone[NAMES] = {false};
    char path[NAMES][64];
    struct lb_error error;
    struct lb_ply ply;
    for (uint32_t i = 0; i < NAMES; i++)
        path_of(path[i], folder, i);
    for (size_t i = 0; i < count; i++)
        left[meshes[i]]++;
    for (size_t i = 0; i < count; i++) {
        uint32_t mesh = meshes[i];
        assert_int_equal(
            lb_mesh_files_read(files, path[mesh] + strlen(folder) + 1, path[mesh], NULL, &ply, &error),
            LB_OK);
        assert_int_equal(ply.vertex_count, 3);
        assert_int_equal(ply.triangle_count, 1);
        assert_true(ply.positions[0].x == (float)mesh && ply.positions[2].z == 1.0f && ply.indices[2] == 2);
        /* Each has a mesh of its own to change. */
        ply.positions[0].x = -1.0f;
        ply.indices[2] = 0;
        lb_ply_free(&ply);
        /* It is not read again while shapes to come mention it. */
        left[mesh]--;
        if (!gone[mesh])
            unlink(path[mesh]);
        gone[mesh] = true;
        if (left[mesh] == 0)
            assert_int_not_equal(
                lb_mesh_files_read(files, path[mesh] + strlen(folder) + 1, path[mesh], NULL, &ply, &error),
                LB_OK);
    }
}

static void random_mentions(void **unused)
{
    (void)unused;
    char folder[] = "/tmp/lbrender-meshes-XXXXXX", scene[64];
    assert_non_null(mkdtemp(folder));
    snprintf(scene, sizeof scene, "%s/scene.pbrt", folder);
    for (int turn = 0; turn < 200; turn++) {
        struct lb_arena arena = {NULL};
        struct lb_mesh_files files = {0};
        struct lb_description description = {0};
        struct lb_error error;
        uint32_t meshes[MOST_SHAPES];
        size_t count = 1 + random_below(MOST_SHAPES);
        char path[64];
        for (size_t i = 0; i < count; i++)
            meshes[i] = random_below(NAMES);
        for (uint32_t i = 0; i < NAMES; i++) {
            path_of(path, folder, i);
            write_mesh(path, i);
        }
        write_scene(scene, meshes, count, random_below((uint32_t)count + 1));
        assert_int_equal(lb_description_read(scene, &arena, NULL, &description, &error), LB_OK);
        bool used[2] = {true, false};
        assert_int_equal(description.object_count, 2);
        assert_true(lb_mesh_files_count(&files, &description, used, &arena));
        read_all(&files, folder, meshes, count);
        lb_mesh_files_free(&files);
        lb_arena_free(&arena);
    }
    for (uint32_t i = 0; i < NAMES; i++) {
        char path[64];
        path_of(path, folder, i);
        unlink(path);
    }
    unlink(scene);
    assert_int_equal(rmdir(folder), 0);
}

/* Two folders' files of one name are two files, each its own. */
static void one_name_of_two_folders(void **unused)
{
    (void)unused;
    char folder[] = "/tmp/lbrender-meshes-XXXXXX", inner[64], path[2][80];
    assert_non_null(mkdtemp(folder));
    snprintf(inner, sizeof inner, "%s/inner", folder);
    assert_int_equal(mkdir(inner, 0700), 0);
    snprintf(path[0], sizeof path[0], "%s/m0.ply", folder);
    snprintf(path[1], sizeof path[1], "%s/m0.ply", inner);
    write_mesh(path[0], 7);
    write_mesh(path[1], 8);
    struct lb_mesh_file file = {.mentions = 4};
    struct lb_arena arena = {NULL};
    struct lb_mesh_files files = {.items = &file, .count = 1};
    assert_true(lb_names_set(&files.names, &arena, "m0.ply", 0));
    for (int i = 0; i < 4; i++) {
        struct lb_ply ply;
        struct lb_error error;
        assert_int_equal(lb_mesh_files_read(&files, "m0.ply", path[i % 2], NULL, &ply, &error), LB_OK);
        assert_true(ply.positions[0].x == (float)(7 + i % 2));
        lb_ply_free(&ply);
    }
    lb_mesh_files_free(&files);
    lb_arena_free(&arena);
    unlink(path[0]);
    unlink(path[1]);
    assert_int_equal(rmdir(inner), 0);
    assert_int_equal(rmdir(folder), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_mentions),
                                       cmocka_unit_test(one_name_of_two_folders)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
