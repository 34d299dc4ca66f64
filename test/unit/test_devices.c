/* Tests how --devices, --threads and --weights are read, and CPU limits from a made-up /proc and /sys. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/machine/cpus.h"
#include "core/machine/slurm.h"
#include "core/machine/steal.h"
#include "core/processors/devices.h"
#include "core/base/number.h"

static uint32_t visible = 2; /* GPUs */

static uint32_t count_gpus(const struct lb_processor_type *type, char *reason, size_t size)
{
    assert_ptr_equal(type, &lb_cuda_type);
    snprintf(reason, size, "none here");
    return visible;
}

static const struct lb_device_request machine = {.cpus = 8, .count = count_gpus};

static enum lb_status parse(const char *devices, uint32_t threads, const char *weights, uint32_t gpus,
                            struct lb_device_list *list, struct lb_error *error)
{
    struct lb_device_request request = machine;
    request.devices = devices;
    request.threads = threads;
    request.weights = weights;
    visible = gpus;
    return lb_devices_parse(&request, NULL, list, error);
}

/* The list as letters, the first of each name; g: a GPU. */
static void expect(const char *devices, uint32_t threads, const char *weights, uint32_t gpus,
                   const char *kinds)
{
    struct lb_device_list list;
    struct lb_error error = {LB_OK, ""};
    if (parse(devices, threads, weights, gpus, &list, &error) != LB_OK)
        fail_msg("%s: %s", devices ? devices : "default", error.message);
    assert_int_equal(list.count, strlen(kinds));
    double sum = 0;
    for (uint32_t i = 0; i < list.count; i++) {
        const struct lb_processor_type *type = list.items[i].type;
        assert_int_equal(type == &lb_cuda_type ? 'g' : type->name[0], kinds[i]);
        assert_true(list.items[i].weight > 0);
        sum += list.items[i].weight;
    }
    assert_true(fabs(sum - 1) < 1e-12);
    lb_devices_free(&list);
}

static void refuse(const char *devices, uint32_t threads, const char *weights, enum lb_status status,
                   const char *message)
{
    struct lb_device_list list;
    struct lb_error error = {LB_OK, ""};
    if (parse(devices, threads, weights, 2, &list, &error) != status)
        fail_msg("--devices=%s --weights=%s: status %d", devices ? devices : "", weights ? weights : "",
                 error.status);
    if (!strstr(error.message, message))
        fail_msg("\"%s\" is not in \"%s\"", message, error.message);
}

static void lists(void **unused)
{
    (void)unused;
    expect(NULL, 0, NULL, 0, "cccccccc");
    expect(NULL, 0, NULL, 2, "ggcccccc"); /* a thread feeds each GPU */
    expect(NULL, 0, NULL, 8, "gggggggg"); /* and none may be left */
    expect(NULL, 3, NULL, 2, "ccc");
    expect("cpu", 0, NULL, 2, "cccccccc");
    expect("cpu,cuda", 0, NULL, 2, "ccccccgg");
    expect("cuda:1,cpu:2", 0, NULL, 2, "gcc");
    expect("cpu", 2, NULL, 0, "cc");
    expect("cuda:0:slow=2.5", 0, NULL, 1, "g");
    expect("cuda:0:slow=2.5:limit=0.5,cpu:1", 0, NULL, 1, "gc");
    expect("cuda:limit=9", 0, NULL, 2, "gg");
    expect("null", 0, NULL, 0, "n");
    expect("null:speed=1e6,fail=0.25,cpu:1", 0, NULL, 0, "nc");
    expect("3*null:fail=0.1,cpu:1,2*null", 0, NULL, 0, "nnncnn");
    expect("null:code=wave:as=cuda,fail=0.5,cpu:1", 0, NULL, 0, "nc");
    expect("wave,cpu:1,2*wave", 0, NULL, 0, "wcww");
    expect("cpu,null:as=cuda", 0, NULL, 0, "ccccccccn"); /* no thread is kept busy feeding it */
    expect("cuda:0:part=0.25:slow=2,cpu:1", 0, NULL, 1, "gc");
    expect("cuda:0:slow=2,limit=5,cpu", 0, NULL, 2, "gccccccc");
}

static void weights(void **unused)
{
    (void)unused;
    expect(NULL, 0, "0.1,0.15,0.25,0.5", 0, "cccc");
    expect(NULL, 0, "5,1,1", 2, "ggc");
    expect(NULL, 0, "1", 2, "g");
    expect(NULL, 2, "1e300,1e-300", 2, "cc");
    struct lb_device_list list;
    struct lb_error error;
    assert_int_equal(parse(NULL, 0, "1,3", 0, &list, &error), LB_OK);
    assert_true(list.items[0].weight == 0.25 && list.items[1].weight == 0.75);
    lb_devices_free(&list);
}

static void own_settings(void **unused)
{
    (void)unused;
    struct lb_device_list list;
    struct lb_error error;
    assert_int_equal(
        parse("2*null:speed=1e6,fail=0.25,null:as=cuda,null:code=wave", 0, NULL, 0, &list, &error), LB_OK);
    assert_int_equal(list.count, 4);
    static const char *const models[] = {"null avx2, 1e+06 samples a second",
                                         "null avx2, 1e+06 samples a second", "null avx2", "null wave"};
    for (uint32_t i = 0; i < 4; i++) {
        struct lb_text model = {0};
        list.items[i].type->model(&list.items[i], LB_ISA_AVX2, &model);
        assert_string_equal(model.data, models[i]);
        free(model.data);
        assert_int_equal(list.items[i].index, i);
        assert_true(list.items[i].may_fail == (i < 2));
        assert_true(list.items[i].counts_steps == (i < 3));
        assert_int_equal(list.items[i].kind, i == 2 ? LB_PROCESSOR_GPU : LB_PROCESSOR_CPU);
    }
    lb_devices_free(&list);
}

/* The table itself: names that the grammar can tell apart, and what its rules ask for. */
static void types(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < lb_processor_type_count; i++) {
        const struct lb_processor_type *type = lb_processor_types[i];
        assert_int_equal(strspn(type->name, "abcdefghijklmnopqrstuvwxyz"), strlen(type->name));
        assert_ptr_equal(lb_processor_type_find((struct lb_slice){type->name, strlen(type->name)}), type);
        assert_int_equal(lb_processor_type_number(type), i);
        assert_int_equal(strncmp(type->form, type->name, strlen(type->name)), 0);
        assert_true(type->open && type->model);
        assert_true(type->counts_steps || type->noun);
        assert_true(type->number != LB_NUMBER_INDEX || (type->count && type->describe && type->title));
        assert_true(!type->by_default || type->number == LB_NUMBER_INDEX);
        for (size_t k = 0; type->settings && type->settings[k].name; k++)
            assert_true(type->settings[k].set && type->settings[k].complaint);
    }
}

static void refusals(void **unused)
{
    (void)unused;
    static const char *const wrong[] = {"",
                                        "cpu:",
                                        "cpus",
                                        "cpu:0",
                                        "cpu:2x",
                                        "cpu,",
                                        ",cpu",
                                        "cpu:1.5",
                                        "cuda:x",
                                        "cuda:0,cuda:0",
                                        "cuda,cuda:1",
                                        "null:",
                                        "null:speed=0",
                                        "null:speed=1e-300",
                                        "null:speed=1e308",
                                        "null:fail=2",
                                        "null:speed=1x",
                                        "null:fale=1",
                                        "null:3",
                                        "null:fail",
                                        "null:as=gpu",
                                        "null:as=null",
                                        "null:code=null",
                                        "null:speed=1,speed=2",
                                        "null:speed=1,fail=0,speed=1",
                                        "null:as=cpu:as=cuda",
                                        "cuda:0:slow=2:slow=2",
                                        "cuda:0:1",
                                        "cuda::0",
                                        "cpu:2:3",
                                        "cpu:2,speed=1",
                                        "wave:2",
                                        "wave:fail=1",
                                        "0*null",
                                        "-1*null",
                                        "2*cpu",
                                        "fail=0.5",
                                        "cuda:0:slow=0.5",
                                        "cuda:0:slow=1e300",
                                        "cuda:0:part=0",
                                        "cuda:0:part=1.1",
                                        "cuda:0:part=-1",
                                        "cuda:0:part=0.5:part=0.5",
                                        "cuda:0:limit=1e300",
                                        "cuda:0:limit=0",
                                        "cuda:0:limit",
                                        "cuda:0:limit=-1"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        refuse(wrong[i], 0, NULL, LB_ERROR_USAGE, "--devices");
    static const char *const wrong_weights[] = {"",    "1,",  ",1",   "0",     "-1", "1x",
                                                "nan", "inf", "0x10", "1e400", " 1", "1 "};
    for (size_t i = 0; i < sizeof wrong_weights / sizeof *wrong_weights; i++)
        refuse(NULL, 0, wrong_weights[i], LB_ERROR_USAGE, "--weights");
    refuse(NULL, 3, "1,2", LB_ERROR_USAGE, "2 weights for 3 processors");
    refuse("cpu:4", 0, "1,2,3", LB_ERROR_USAGE, "3 weights for 4 processors");
    refuse("null:speed=1,speed=2", 0, NULL, LB_ERROR_USAGE, "\"speed=2\": this is set twice");
    refuse("gpu", 0, NULL, LB_ERROR_USAGE, "expected cpu, cpu:N; cuda, ");
    refuse("cuda:2", 0, NULL, LB_ERROR, "no CUDA device 2");
    struct lb_device_list list;
    struct lb_error error;
    struct lb_device_request counted = machine;
    counted.counted = true;
    assert_int_equal(lb_devices_parse(&counted, NULL, &list, &error), LB_OK);
    assert_int_equal(list.items[0].kind, LB_PROCESSOR_CPU);
    lb_devices_free(&list);
    counted.devices = "cuda:0,cpu";
    assert_int_equal(lb_devices_parse(&counted, NULL, &list, &error), LB_ERROR_USAGE);
    counted.devices = "wave";
    assert_int_equal(lb_devices_parse(&counted, NULL, &list, &error), LB_ERROR_USAGE);
    counted.devices = "null:code=wave";
    assert_int_equal(lb_devices_parse(&counted, NULL, &list, &error), LB_ERROR_USAGE);
    assert_int_equal(parse("cuda", 0, NULL, 0, &list, &error), LB_ERROR);
    assert_non_null(strstr(error.message, "none here"));
}

/* ---- CPU limits ---- */

static void put(const char *root, const char *path, const char *text)
{
    char name[512];
    snprintf(name, sizeof name, "%s%s", root, path);
    for (char *slash = name + strlen(root) + 1; (slash = strchr(slash, '/')); slash++) {
        *slash = 0;
        mkdir(name, 0777);
        *slash = '/';
    }
    FILE *file = fopen(name, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static uint32_t quota(const char *root)
{
    struct lb_cpus cpus;
    lb_cpus_find(root, 0, &cpus);
    assert_true(cpus.affinity >= 1 && cpus.count >= 1);
    return cpus.quota;
}

static void limits(void **unused)
{
    (void)unused;
    char root[] = "/tmp/lbrender-cpus-XXXXXX";
    assert_non_null(mkdtemp(root));
    assert_int_equal(quota(root), 0);
    put(root, "/proc/self/cgroup", "0::/job/task\n");
    put(root, "/sys/fs/cgroup/job/task/cpu.max", "max 100000\n");
    assert_int_equal(quota(root), 0);
    put(root, "/sys/fs/cgroup/job/cpu.max", "350000 100000\n"); /* a parent limits too */
    assert_int_equal(quota(root), 4);
    put(root, "/sys/fs/cgroup/job/task/cpu.max", "20000 100000\n");
    assert_int_equal(quota(root), 1);
    put(root, "/proc/self/cgroup", "7:memory:/a\n4:cpu,cpuacct:/b\n");
    put(root, "/sys/fs/cgroup/cpu,cpuacct/b/cpu.cfs_quota_us", "-1\n");
    put(root, "/sys/fs/cgroup/cpu,cpuacct/b/cpu.cfs_period_us", "100000\n");
    assert_int_equal(quota(root), 0);
    put(root, "/sys/fs/cgroup/cpu,cpuacct/b/cpu.cfs_quota_us", "200000\n");
    assert_int_equal(quota(root), 2);
    struct lb_cpus cpus;
    lb_cpus_find(root, 1, &cpus);
    assert_int_equal(cpus.slurm, 1);
    assert_int_equal(cpus.count, 1);
    char command[600];
    snprintf(command, sizeof command, "rm -r %s", root);
    assert_int_equal(system(command), 0);
}

/* The steal time is that of the CPUs which this process may use; the line of all CPUs does not count. */
static void steal(void **unused)
{
    (void)unused;
    char root[] = "/tmp/lbrender-steal-XXXXXX", command[600], lines[32 * 1024];
    assert_non_null(mkdtemp(root));
    assert_true(lb_machine_steal(root) == 0);
    struct lb_cpus cpus;
    lb_cpus_find(root, 0, &cpus);
    size_t length = (size_t)snprintf(lines, sizeof lines, "cpu  9 9 9 9 9 9 9 99999 0 0\n");
    for (int i = 0; i < 512; i++)
        length += (size_t)snprintf(lines + length, sizeof lines - length, "cpu%d 1 2 3 4 5 6 7 250 9 9\n", i);
    snprintf(lines + length, sizeof lines - length, "intr 1 2 3\ncpu0 1 2 3 4 5 6 7 250 9 9\n");
    put(root, "/proc/stat", lines);
    double ticks = (double)sysconf(_SC_CLK_TCK);
    assert_true(cpus.affinity <= 512 && lb_machine_steal(root) == 250 * cpus.affinity / ticks);
    put(root, "/proc/stat", "cpu  1 2 3 4\ncpu0 1 2 3\n"); /* a kernel that does not tell it */
    assert_true(lb_machine_steal(root) == 0);
    snprintf(command, sizeof command, "rm -r %s", root);
    assert_int_equal(system(command), 0);
}

/* ---- Slurm ---- */

/* The environment of a job, as the tests have it: names and values by turns. */
static const char *const *job;

static const char *of_job(const char *name)
{
    for (size_t i = 0; job[i]; i += 2)
        if (!strcmp(job[i], name))
            return job[i + 1];
    return NULL;
}

static uint32_t slurm_cpus(const char *const *names)
{
    job = names;
    return lb_slurm_cpus(of_job);
}

static void slurm_tells(void **unused)
{
    (void)unused;
    assert_int_equal(slurm_cpus((const char *const[]){NULL}), 0);
    assert_int_equal(
        slurm_cpus((const char *const[]){"SLURM_CPUS_PER_TASK", "3", "SLURM_CPUS_ON_NODE", "8", NULL}), 3);
    assert_int_equal(slurm_cpus((const char *const[]){"SLURM_CPUS_PER_TASK", "4(x2)", NULL}), 0);
    /* The batch shell has the node for itself, a step's tasks share it. */
    assert_int_equal(
        slurm_cpus((const char *const[]){"SLURM_CPUS_ON_NODE", "8", "SLURM_STEP_TASKS_PER_NODE", "4", NULL}),
        8);
    static const struct {
        const char *tasks, *node;
        uint32_t cpus;
    } steps[] = {{"2", "0", 4},       {"2(x3),1", "0", 4}, {"2(x3),1", "2", 4}, {"2(x3),1", "3", 8},
                 {"1,4(x2)", "1", 2}, {"16", "0", 1},      {"2(x", "0", 8},     {"", "0", 8},
                 {"2", "7", 8},       {"no", "0", 8}};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
        assert_int_equal(slurm_cpus((const char *const[]){"SLURM_CPUS_ON_NODE", "8", "SLURM_STEP_ID", "0",
                                                          "SLURM_STEP_TASKS_PER_NODE", steps[i].tasks,
                                                          "SLURM_NODEID", steps[i].node, NULL}),
                         steps[i].cpus);
    char name[20], system[20] = "";
    gethostname(system, sizeof system - 1);
    job = (const char *const[]){"SLURMD_NODENAME", "n7", NULL}; /* a leftover: this is no job */
    lb_slurm_name(of_job, name, sizeof name);
    assert_string_equal(name, system);
    assert_null(lb_slurm_key(of_job));
    job = (const char *const[]){
        "SLURMD_NODENAME", "n7", "SLURM_JOB_ID", "12", "SLURM_SUBMIT_DIR", "/a b", NULL};
    lb_slurm_name(of_job, name, sizeof name);
    assert_string_equal(name, "n7");
    char *key = lb_slurm_key(of_job);
    assert_string_equal(key, "/a b/lbrender-12.key");
    free(key);
}

/* All allowed CPUs, as far as they are listed or have a capacity, are of the type that the system says. */
static void core_types(void **unused)
{
    (void)unused;
    char root[] = "/tmp/lbrender-cpus-XXXXXX", path[80];
    assert_non_null(mkdtemp(root));
    assert_int_equal(lb_cpus_core_type(root, 0), 0);
    put(root, "/sys/devices/cpu_atom/cpus", "0-3,1000000\n");
    put(root, "/sys/devices/cpu_core/cpus", "4-999999\n");
    for (uint32_t i = 0; i < 16; i++)
        assert_in_range(lb_cpus_core_type(root, i), 1, 2);
    put(root, "/sys/devices/cpu_atom/cpus", "0-1000000\n");
    assert_int_equal(lb_cpus_core_type(root, 1), 1);
    for (uint32_t i = 0; i < 1024; i++) {
        snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%u/cpu_capacity", i);
        put(root, path, i % 2 ? "512\n" : "1024\n");
    }
    for (uint32_t i = 0; i < 16; i++)
        assert_true(lb_cpus_core_type(root, i) == 512 || lb_cpus_core_type(root, i) == 1024);
    char command[600];
    snprintf(command, sizeof command, "rm -r %s", root);
    assert_int_equal(system(command), 0);
}

/* Numbers as people write them in options. */
static void numbers_with_units(void **state)
{
    static const struct {
        const char *text;
        double seconds; /* < 0: it is none */
    } times[] = {{"90", 90},     {"1.5", 1.5},  {"5m", 300},    {"1h30m", 5400}, {"1d2h3m4.5s", 93784.5},
                 {"200ms", 0.2}, {"2min", 120}, {"1e2", 100},   {"0.5h", 1800},  {"1s500ms", 1.5},
                 {"", -1},       {"m", -1},     {"5 m", -1},    {"1.5h3m", -1},  {"3m1h", -1},
                 {"1h1h", -1},   {"5x", -1},    {"1.2.3m", -1}, {"-5m", -1},     {"5m3", -1}};
    static const struct {
        const char *text;
        int64_t count; /* < 0: it is none */
    } counts[] = {{"12", 12},    {"1e3", 1000}, {"1.5e6", 1500000}, {"15e-1", -1},
                  {"1e400", -1}, {"2.0", -1},   {"1e-0", 1}};
    (void)state;
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        double value = -1;
        bool right = lb_number_seconds(times[i].text, strlen(times[i].text), &value);
        if (right != (times[i].seconds >= 0) || (right && fabs(value - times[i].seconds) > 1e-9))
            fail_msg("%s: %d %g", times[i].text, right, value);
    }
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        int64_t value = -1;
        bool right = lb_number_count(counts[i].text, strlen(counts[i].text), 0, INT64_MAX, &value);
        if (right != (counts[i].count >= 0) || (right && value != counts[i].count))
            fail_msg("%s: %d %lld", counts[i].text, right, (long long)value);
    }
    double share = 0;
    assert_true(lb_number_share("12.5%", 5, &share) && share == 0.125);
    assert_true(lb_number_share("3", 1, &share) && share == 3);
    assert_false(lb_number_share("%", 1, &share) || lb_number_share("5%%", 3, &share));
}

static void numbers(void **unused)
{
    (void)unused;
    double real = 7;
    int64_t whole = 7;
    static const char *const bad[] = {"",      " 1",  "1 ", "1x", "0x1", "nan", "inf",
                                      "1e999", "--1", "1-", "+",  "e5",  "1,2"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_false(lb_number_real(bad[i], strlen(bad[i]), &real));
        assert_false(lb_number_whole(bad[i], strlen(bad[i]), INT64_MIN, INT64_MAX, &whole));
    }
    assert_true(real == 7 && whole == 7);
    assert_true(lb_number_real("-2.5e3z", 6, &real) && real == -2500);
    assert_true(lb_number_whole("0042", 4, 0, 99, &whole) && whole == 42);
    assert_false(lb_number_whole("100", 3, 0, 99, &whole));
    assert_false(lb_number_whole("99999999999999999999", 20, 0, INT64_MAX, &whole));
    assert_false(lb_number_whole("1.0", 3, 0, 99, &whole));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(numbers_with_units),
                                       cmocka_unit_test(lists),
                                       cmocka_unit_test(weights),
                                       cmocka_unit_test(own_settings),
                                       cmocka_unit_test(types),
                                       cmocka_unit_test(refusals),
                                       cmocka_unit_test(limits),
                                       cmocka_unit_test(steal),
                                       cmocka_unit_test(core_types),
                                       cmocka_unit_test(numbers),
                                       cmocka_unit_test(slurm_tells)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
