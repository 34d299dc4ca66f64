/* What models are read in: a process that may do anything, and a folder that goes when the program does. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "core/model/child.h"
#include "core/model/folder.h"
#include "core/model/no_import.c" /* in place of what the library has */
#include "test/unit/skip_test.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const struct lb_child_limits limits = {.bytes = (uint64_t)1 << 30, .seconds = 30, .patience = 300};

/* ---- the child ---- */

static enum lb_status do_what_it_says(void *user, const struct lb_log *log, struct lb_error *error)
{
    const char *what = user;
    if (!strcmp(what, "abort"))
        abort();
    if (!strcmp(what, "segment"))
        raise(SIGSEGV);
    if (!strcmp(what, "exit"))
        _exit(7);
    if (!strcmp(what, "hang"))
        for (;;)
            pause();
    if (!strcmp(what, "loop"))
        for (volatile int turns = 0;; turns = (turns + 1) & 1023)
            ;
    if (!strcmp(what, "wait"))
        usleep(1500000);
    if (!strcmp(what, "eat")) {
        for (size_t i = 0; i < 64; i++) {
            char *piece = malloc((size_t)64 << 20);
            if (!piece)
                return lb_error_memory(error, "it");
            memset(piece, 1, (size_t)64 << 20);
        }
    }
    if (!strcmp(what, "talk"))
        for (int i = 0; i < 1000; i++)
            lb_log_write(log, LB_WARNING, "line %d", i);
    if (!strcmp(what, "print"))
        puts("nobody sees this");
    return !strcmp(what, "fail") ? lb_error_set(error, LB_ERROR, "it: so") : LB_OK;
}

static void count(void *user, enum lb_level level, const char *message)
{
    assert_int_equal(level, LB_WARNING);
    assert_true(strncmp(message, "line ", 5) == 0);
    ++*(int *)user;
}

static void test_all_that_a_child_does_is_a_status_here(void **state)
{
    static const struct {
        const char *what, *message;
        enum lb_status status;
    } cases[] = {{"nothing", NULL, LB_OK},
                 {"print", NULL, LB_OK},
                 {"fail", "it: so", LB_ERROR},
                 {"exit", "it: the library that reads models gave up", LB_ERROR},
                 {"abort", "it: the library that reads models crashed (Aborted)", LB_ERROR},
                 {"segment", "it: the library that reads models crashed (Segmentation fault)", LB_ERROR}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct lb_error error = {.message = ""};
        enum lb_status status =
            lb_child_run("it", &limits, do_what_it_says, (void *)(uintptr_t)cases[i].what, NULL, &error);
        assert_int_equal(status, cases[i].status);
        if (cases[i].message)
            assert_string_equal(error.message, cases[i].message);
    }
}

static void test_a_child_that_loops_or_hangs_is_ended(void **state)
{
    const struct lb_child_limits short_ones = {.seconds = 1, .patience = 1000}, of_time = {.patience = 1};
    struct lb_error error;
    (void)state;
    assert_int_equal(lb_child_run("it", &short_ones, do_what_it_says, "loop", NULL, &error), LB_ERROR);
    assert_string_equal(error.message, "it: reading it took more than 1 s of processor time");
    assert_int_equal(lb_child_run("it", &of_time, do_what_it_says, "hang", NULL, &error), LB_ERROR);
    assert_string_equal(error.message, "it: reading it took more than 1 s");
}

/* On a busy machine a child gets little of a processor: that is not its fault. */
static void test_a_child_that_waits_has_its_processor_time_left(void **state)
{
    const struct lb_child_limits short_ones = {.seconds = 1, .patience = 1000};
    struct lb_error error;
    (void)state;
    assert_int_equal(lb_child_run("it", &short_ones, do_what_it_says, "wait", NULL, &error), LB_OK);
}

static void test_a_child_cannot_take_more_memory_than_it_may(void **state)
{
    struct lb_error error;
    (void)state;
#ifdef LB_UNFORCED
    skip_because("sanitizers reserve more memory than a child may have");
#endif
    assert_int_equal(lb_child_run("it", &limits, do_what_it_says, "eat", NULL, &error), LB_ERROR_MEMORY);
    assert_non_null(strstr(error.message, "it: out of memory"));
}

static void test_a_child_that_talks_much_is_cut_short(void **state)
{
    int lines = 0;
    const struct lb_log log = {count, &lines};
    struct lb_error error;
    (void)state;
    assert_int_equal(lb_child_run("it", &limits, do_what_it_says, "talk", &log, &error), LB_OK);
    assert_int_equal(lines, 50);
}

/* ---- the folder ---- */

static bool is_there(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0;
}

static void fill(const char *folder)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/inner", folder);
    assert_int_equal(mkdir(path, 0700), 0);
    snprintf(path, sizeof path, "%s/inner/file", folder);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fclose(file);
}

static void test_a_folder_goes_when_it_is_closed(void **state)
{
    struct lb_folder folder;
    struct lb_error error;
    (void)state;
    assert_int_equal(lb_folder_open(&folder, "/tmp", &error), LB_OK);
    char *path = strdup(folder.path);
    fill(path);
    assert_true(is_there(path));
    lb_folder_close(&folder);
    assert_false(is_there(path));
    free(path);
    lb_folder_close(&folder); /* nothing is left to do */
}

static void test_a_folder_goes_when_its_program_is_killed(void **state)
{
    int ends[2];
    char path[4096] = "";
    (void)state;
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
        struct lb_folder folder;
        struct lb_error error;
        if (lb_folder_open(&folder, "/tmp", &error) == LB_OK &&
            write(ends[1], folder.path, strlen(folder.path)) > 0)
            kill(getpid(), SIGKILL);
        _exit(1);
    }
    int how;
    assert_int_equal(waitpid(child, &how, 0), child);
    assert_true(WIFSIGNALED(how));
    assert_true(read(ends[0], path, sizeof path - 1) > 0);
    for (int i = 0; i < 2000 && is_there(path); i++)
        usleep(10000);
    assert_false(is_there(path));
    close(ends[0]);
    close(ends[1]);
}

static void test_no_folder_can_be_made_where_there_is_none(void **state)
{
    struct lb_folder folder;
    struct lb_error error;
    (void)state;
    assert_int_equal(lb_folder_open(&folder, "/nowhere", &error), LB_ERROR);
    assert_non_null(strstr(error.message, "/nowhere"));
    assert_null(folder.path);
}

/* ---- a build without Assimp ---- */

static void test_a_build_without_assimp_says_so(void **state)
{
    const struct lb_model_options options = {.studio = false};
    struct lb_model_scene scene;
    struct lb_error error;
    (void)state;
    assert_int_equal(lb_model_open("a.glb", &options, &scene, NULL, &error), LB_ERROR);
    assert_string_equal(error.message, "this program was built without Assimp, which reads models");
    assert_null(scene.file);
}

static void test_models_are_known_by_their_names(void **state)
{
    (void)state;
    assert_true(lb_model_named("a.glb"));
    assert_true(lb_model_named("folder/a.GLTF"));
    assert_true(lb_model_named("a.b.stl"));
    assert_false(lb_model_named("a.pbrt"));
    assert_false(lb_model_named("-"));
    assert_false(lb_model_named("a.glb.gz"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_that_a_child_does_is_a_status_here),
        cmocka_unit_test(test_a_child_that_loops_or_hangs_is_ended),
        cmocka_unit_test(test_a_child_that_waits_has_its_processor_time_left),
        cmocka_unit_test(test_a_child_cannot_take_more_memory_than_it_may),
        cmocka_unit_test(test_a_child_that_talks_much_is_cut_short),
        cmocka_unit_test(test_a_folder_goes_when_it_is_closed),
        cmocka_unit_test(test_a_folder_goes_when_its_program_is_killed),
        cmocka_unit_test(test_no_folder_can_be_made_where_there_is_none),
        cmocka_unit_test(test_a_build_without_assimp_says_so),
        cmocka_unit_test(test_models_are_known_by_their_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
