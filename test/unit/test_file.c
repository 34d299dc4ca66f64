/* Files in memory: all kinds of them, also while another program writes to them. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "core/base/bytes.h"
#include "core/base/file.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/lbrender-file-XXXXXX";

static const char *path_of(const char *name)
{
    static char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    return rmdir(folder);
}

static void write_bytes(const char *name, size_t size)
{
    FILE *file = fopen(path_of(name), "wb");
    assert_non_null(file);
    for (size_t i = 0; i < size; i++)
        fputc((int)(i * 7 % 251), file);
    assert_int_equal(fclose(file), 0);
}

static void files_are_read_whole(void **state)
{
    (void)state;
    static const size_t sizes[] = {0, 1, 4096, 65535, 65536, 65537, 1000000};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        struct lb_file file;
        struct lb_error error;
        write_bytes("a", sizes[i]);
        assert_int_equal(lb_file_read(path_of("a"), sizes[i], &file, &error), LB_OK);
        assert_non_null(file.data);
        assert_int_equal(file.size, sizes[i]);
        for (size_t k = 0; k < sizes[i]; k++)
            assert_int_equal(file.data[k], k * 7 % 251);
        lb_file_free(&file);
        lb_file_free(&file);
        if (sizes[i] == 0)
            continue;
        assert_int_equal(lb_file_read(path_of("a"), sizes[i] - 1, &file, &error), LB_ERROR);
        assert_non_null(strstr(error.message, "more than the"));
    }
    unlink(path_of("a"));
}

static void limits_are_said_in_units(void **state)
{
    (void)state;
    struct lb_file file;
    struct lb_error error;
    int descriptor = open(path_of("large"), O_WRONLY | O_CREAT, 0600);
    assert_true(descriptor >= 0 && ftruncate(descriptor, (off_t)1 << 40) == 0);
    close(descriptor);
    assert_int_equal(lb_file_read(path_of("large"), UINT32_MAX, &file, &error), LB_ERROR);
    assert_non_null(strstr(error.message, "large: more than the 4 GiB that"));
    assert_int_equal(lb_file_read(path_of("large"), (size_t)16 << 20, &file, &error), LB_ERROR);
    assert_non_null(strstr(error.message, "more than the 16 MiB that"));
    unlink(path_of("large"));
}

/* Files under /proc tell no size. */
static void what_tells_no_size_is_read_to_its_end(void **state)
{
    (void)state;
    struct lb_file file;
    struct lb_error error;
    assert_int_equal(lb_file_read("/proc/self/status", 1 << 20, &file, &error), LB_OK);
    assert_true(file.size > 100 && memcmp(file.data, "Name:", 5) == 0);
    lb_file_free(&file);
    assert_int_equal(lb_file_read("/proc/self/status", 100, &file, &error), LB_ERROR);
}

static void devices_pipes_and_folders_are_refused(void **state)
{
    (void)state;
    struct lb_file file;
    struct lb_error error;
    assert_int_equal(lb_file_read("/dev/zero", 1 << 20, &file, &error), LB_ERROR);
    assert_string_equal(error.message, "/dev/zero: a device, not a file");
    assert_int_equal(lb_file_read_stream("/dev/zero", "zero", 1 << 20, &file, &error), LB_ERROR);
    assert_string_equal(error.message, "zero: a device, not a file");
    assert_int_equal(lb_file_read("/tmp", 1 << 20, &file, &error), LB_ERROR);
    assert_string_equal(error.message, "/tmp: Is a directory");
    assert_int_equal(lb_file_read("/nowhere", 1 << 20, &file, &error), LB_ERROR);
    assert_string_equal(error.message, "/nowhere: No such file or directory");
    assert_int_equal(mkfifo(path_of("pipe"), 0600), 0);
    assert_int_equal(lb_file_read(path_of("pipe"), 1 << 20, &file, &error),
                     LB_ERROR); /* has no writer: no wait */
    assert_non_null(strstr(error.message, "pipe: a pipe, where a file is needed"));
    unlink(path_of("pipe"));
}

static void *write_to_pipe(void *path)
{
    int descriptor = open(path, O_WRONLY);
    for (int i = 0; i < 1000; i++)
        if (write(descriptor, "0123456789", 10) != 10)
            break;
    close(descriptor);
    return NULL;
}

static void pipes_are_read_where_streams_may_be(void **state)
{
    (void)state;
    char path[128];
    snprintf(path, sizeof path, "%s", path_of("pipe"));
    assert_int_equal(mkfifo(path, 0600), 0);
    pthread_t writer;
    struct lb_file file;
    struct lb_error error;
    assert_int_equal(pthread_create(&writer, NULL, write_to_pipe, path), 0);
    assert_int_equal(lb_file_read_stream(path, "pipe", 10000, &file, &error), LB_OK);
    assert_int_equal(file.size, 10000);
    assert_false(file.is_regular);
    assert_memory_equal(file.data + 9990, "0123456789", 10);
    lb_file_free(&file);
    pthread_join(writer, NULL);
    unlink(path);
}

struct cutter {
    char path[128];
    atomic_bool stop;
};

enum { CUT_SIZE = 1 << 21 };

/* Cuts the file short and makes it long again, as fast as it can. */
static void *cut(void *user)
{
    struct cutter *cutter = user;
    for (unsigned i = 0; !atomic_load(&cutter->stop); i++)
        if (truncate(cutter->path, i % 2 ? CUT_SIZE : CUT_SIZE / 2))
            break;
    return NULL;
}

/* A mapped file would end the program here. */
static void a_file_cut_short_is_an_error_at_most(void **state)
{
    (void)state;
    struct cutter cutter = {.stop = false};
    pthread_t thread;
    unsigned whole = 0, shorter = 0;
    write_bytes("cut", CUT_SIZE);
    snprintf(cutter.path, sizeof cutter.path, "%s", path_of("cut"));
    assert_int_equal(pthread_create(&thread, NULL, cut, &cutter), 0);
    for (int round = 0; round < 10000 && shorter < 100; round++) {
        struct lb_file file;
        struct lb_error error;
        unsigned sum = 0;
        if (lb_file_read(cutter.path, CUT_SIZE, &file, &error) != LB_OK) {
            assert_non_null(strstr(error.message, "became shorter"));
            shorter++;
            continue;
        }
        for (size_t i = 0; i < file.size; i += 512)
            sum += file.data[i];
        whole += sum < UINT32_MAX;
        lb_file_free(&file);
    }
    atomic_store(&cutter.stop, true);
    pthread_join(thread, NULL);
    assert_true(whole + shorter > 0);
    print_message("%u whole, %u cut short\n", whole, shorter);
    unlink(cutter.path);
}

/* A pipe takes and gives what it has room for: each end sees many calls' bytes as one. */
static void *write_much(void *argument)
{
    const int *pipe = argument;
    char bytes[300000];
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (char)(i % 251);
    bool written = lb_bytes_write(pipe[1], bytes, sizeof bytes);
    close(pipe[1]);
    return written ? NULL : "not written";
}

static void bytes_go_through_pipes(void **state)
{
    (void)state;
    int ends[2];
    pthread_t thread;
    void *complaint;
    static char bytes[400000];
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(pthread_create(&thread, NULL, write_much, ends), 0);
    assert_int_equal(lb_bytes_read(ends[0], bytes, 100000), 100000);
    assert_int_equal(lb_bytes_read(ends[0], bytes + 100000, 300000), 200000);
    pthread_join(thread, &complaint);
    assert_null(complaint);
    for (size_t i = 0; i < 300000; i++)
        assert_int_equal(bytes[i], (char)(i % 251));
    close(ends[0]);
    assert_int_equal(lb_bytes_read(ends[0], bytes, 1), -1);
    assert_false(lb_bytes_write(ends[0], bytes, 1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_are_read_whole),
        cmocka_unit_test(limits_are_said_in_units),
        cmocka_unit_test(what_tells_no_size_is_read_to_its_end),
        cmocka_unit_test(devices_pipes_and_folders_are_refused),
        cmocka_unit_test(pipes_are_read_where_streams_may_be),
        cmocka_unit_test(a_file_cut_short_is_an_error_at_most),
        cmocka_unit_test(bytes_go_through_pipes),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
