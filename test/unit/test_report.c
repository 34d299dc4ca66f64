/* Tests balances, weights, the file of kept speeds, the pre-pass, and the writers of reports. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <dirent.h>
#include <fcntl.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/report/color.h"
#include "core/report/report_rows.h"
#include "core/report/report_write.h"
#include "core/base/text.h"
#include "core/run/speeds/speed_cache.h"
#include "core/run/speeds/weights.h"
#include "core/speed.h"
#include "test/unit/uniform_help.h"

/* ---- balances ---- */

/* Two processors of speeds 1 and 3 that share 80 steps as 40 and 40. */
static void by_hand(void **unused)
{
    (void)unused;
    struct lb_report_processor two[2] = {
        {.weight = 0.5, .steps = 40, .positions = 40, .busy_seconds = 40, .finish_seconds = 40},
        {.weight = 0.5, .steps = 40, .positions = 40, .busy_seconds = 40.0 / 3, .finish_seconds = 14}};
    struct lb_report_balance b = {.t = 40, .processors = two, .processor_count = 2};
    two[0].kind = two[1].kind = "cpu";
    two[0].busy_cpu_seconds = 32; /* the other one's CPU time is not known */
    lb_balance_wait(&b);
    lb_balance_finish(&b);
    assert_true(fabs(b.t_min - 20) < 1e-12);
    /* (1 * 8) / 4 of Tmin; of T - Tmin, 3 / 4 of what the second one waited at the end, and of what before. */
    assert_true(fabs(b.slowed_seconds - 2) < 1e-12);
    assert_true(fabs(b.imbalance_seconds - 0.75 * 26) < 1e-12);
    assert_true(fabs(b.overhead_seconds - 0.75 * (14 - 40.0 / 3)) < 1e-12);
    assert_true(fabs(b.imbalance - 1) < 1e-12);
    assert_true(fabs(b.efficiency - 0.5) < 1e-12);
    assert_true(two[0].share == 0.5 && two[0].idle_seconds == 0);
    assert_true(fabs(two[1].idle_seconds - 80.0 / 3) < 1e-12);
    assert_true(fabs(two[1].speed - 3) < 1e-12 && two[1].speed_source == LB_SOURCE_MEASURED);
}

/* A processor that did nothing in the frame is taken to be as fast as its weight says. */
static void idlers(void **unused)
{
    (void)unused;
    struct lb_report_processor two[2] = {{.weight = 0.2, .steps = 10, .positions = 1, .busy_seconds = 10},
                                         {.weight = 0.8, .weight_source = LB_SOURCE_GIVEN}};
    struct lb_report_balance b = {.t = 10, .processors = two, .processor_count = 2};
    lb_balance_finish(&b);
    assert_true(fabs(two[1].speed - 4) < 1e-12 && two[1].speed_source == LB_SOURCE_GIVEN);
    assert_true(fabs(b.t_min - 2) < 1e-12);
    /* Also when the weights were measured in an earlier frame. */
    two[1] = (struct lb_report_processor){.model = 1, .weight = 0.8, .weight_source = LB_SOURCE_MEASURED};
    lb_balance_finish(&b);
    assert_true(fabs(two[1].speed - 4) < 1e-12 && fabs(b.t_min - 2) < 1e-12);
    double weights[2] = {0.2, 0.8}, speeds[2];
    assert_true(lb_weights_measure(&b, speeds));
    lb_weights_refine(speeds, 2, false, weights);
    assert_true(fabs(weights[0] - 0.2) < 1e-12 && fabs(weights[1] - 0.8) < 1e-12);
    struct lb_report_balance nobody = {.processors = two + 1, .processor_count = 1};
    lb_balance_finish(&nobody);
    assert_true(nobody.t_min == 0 && nobody.efficiency == 0 && nobody.imbalance == 0);
}

static void passes_add_up(void **unused)
{
    (void)unused;
    for (int turn = 0; turn < 1000; turn++) {
        struct lb_report_processor sum[3] = {0}, pass[3];
        struct lb_report_balance all = {.processors = sum, .processor_count = 3};
        double t = 0, busy = 0;
        uint64_t steps = 0;
        for (int i = 0; i < 4; i++) {
            struct lb_report_balance one = {.t = uniform(1, 2), .processors = pass, .processor_count = 3};
            one.counts.messages = 7;
            for (int j = 0; j < 3; j++) {
                pass[j] = (struct lb_report_processor){.weight = 1.0 / 3,
                                                       .steps = (uint64_t)random() % 1000,
                                                       .positions = 1 + (uint64_t)random() % 100,
                                                       .busy_seconds = uniform(0, 1),
                                                       .finish_seconds = uniform(0.5, 1)};
                pass[j].kind = "cpu";
                pass[j].busy_cpu_seconds = pass[j].busy_seconds * uniform(0, 1.01);
                pass[j].finish_seconds = fmax(pass[j].busy_seconds, pass[j].finish_seconds);
                busy += pass[j].busy_seconds;
                steps += pass[j].steps;
            }
            lb_balance_wait(&one);
            lb_balance_add(&all, &one);
            t += one.t;
        }
        lb_balance_finish(&all);
        double share = 0, busy_sum = 0;
        uint64_t step_sum = 0;
        for (int j = 0; j < 3; j++) {
            share += sum[j].share;
            busy_sum += sum[j].busy_seconds;
            step_sum += sum[j].steps;
            assert_true(sum[j].finish_seconds <= t);
        }
        assert_true(fabs(all.t - t) < 1e-9 && fabs(busy - busy_sum) < 1e-9 && steps == step_sum);
        assert_true(fabs(share - 1) < 1e-9);
        /* T is made of its four parts, of which none is negative. */
        assert_true(all.slowed_seconds >= 0 && all.slowed_seconds <= all.t_min);
        assert_true(all.overhead_seconds >= 0 && all.imbalance_seconds >= 0);
        assert_true(fabs(all.t_min + all.overhead_seconds + all.imbalance_seconds - t) < 1e-9 * t);
        assert_int_equal(all.counts.messages, 28);
    }
}

/* What a sum over passes takes from each, as the tables say; counts of the kernel and of strategies too. */
static void each_figure_adds_up(void **unused)
{
    (void)unused;
    struct lb_report_processor sum[1] = {{.name = "cpu0"}}, pass[1] = {{.name = "other"}};
    struct lb_report_balance all = {.processors = sum, .processor_count = 1};
    struct lb_report_balance one = {.t = 3, .t_min = 2, .processors = pass, .processor_count = 1};
    for (unsigned i = 1; i <= 2; i++) {
        pass[0] = (struct lb_report_processor){.weight = i,
                                               .weight_source = i == 1 ? LB_SOURCE_GIVEN : LB_SOURCE_MEASURED,
                                               .ranges = 2,
                                               .failed = 1};
        pass[0].counters = (lb_counters){.nodes = 5, .groups = 6, .shaded = 7, .rays = 8, .bad_samples = 9};
        pass[0].transfer_seconds = pass[0].busy_cpu_seconds = 0.5;
        pass[0].finish_seconds = 3 - i;
        pass[0].lost = i == 2;
        one.counts = (struct lb_strategy_counts){1, 2, 3, 4, 5};
        lb_balance_add(&all, &one);
    }
    lb_balance_finish(&all);
    assert_string_equal(sum[0].name, "cpu0");
    assert_true(sum[0].weight == 2 && sum[0].weight_source == LB_SOURCE_MEASURED);
    assert_true(sum[0].ranges == 4 && sum[0].failed == 2 && sum[0].lost && all.lost == 1);
    const lb_counters *c = &sum[0].counters;
    assert_true(c->nodes == 10 && c->groups == 12 && c->shaded == 14 && c->rays == 16);
    assert_true(c->bad_samples == 18 && all.bad_samples == 18);
    assert_true(sum[0].transfer_seconds == 1 && sum[0].busy_cpu_seconds == 1);
    assert_true(all.t == 6 && sum[0].finish_seconds == 4);
    assert_true(all.counts.messages == 2 && all.counts.steals_tried == 4 && all.counts.steals_won == 6);
    assert_true(all.counts.pushes == 8 && all.counts.polls == 10);
}

/* What hosts tell adds up by the names of their processors, also of those that are in later passes alone. */
static void hosts_add_up(void **unused)
{
    (void)unused;
    struct lb_report_processor *sum = calloc(2, sizeof *sum);
    struct lb_report_host_processor inner[2] = {{.name = "cpu0", .kind = "cpu", .samples = 7},
                                                {.name = "cuda0", .kind = "cuda", .busy_seconds = 2}};
    struct lb_report_host host = {.host_name = "one",
                                  .bytes_sent = 10,
                                  .round_trip_seconds = 3,
                                  .network_seconds = 1,
                                  .processors = inner,
                                  .processor_count = 1};
    struct lb_report_processor pass[2] = {{.name = "cpu0"}, {.name = "host0", .host = &host}};
    struct lb_report_balance all = {.processors = sum, .processor_count = 2};
    struct lb_report_balance one = {.processors = pass, .processor_count = 2};
    assert_true(lb_balance_add(&all, &one));
    host.processor_count = 2;
    host.round_trip_seconds = 4;
    strcpy(host.host_name, "two");
    assert_true(lb_balance_add(&all, &one));
    assert_null(sum[0].host);
    const struct lb_report_host *told = sum[1].host;
    assert_non_null(told);
    assert_string_equal(told->host_name, "two");
    assert_true(told->bytes_sent == 20 && told->round_trip_seconds == 4 && told->network_seconds == 2);
    assert_int_equal(told->processor_count, 2);
    assert_true(told->processors[0].samples == 14 && told->processors[1].busy_seconds == 2);
    assert_string_equal(told->processors[1].kind, "cuda");
    lb_balance_free(&all);
}

/* ---- weights ---- */

static void refine(void **unused)
{
    (void)unused;
    double speeds[3] = {1, 3, 9}, weights[3] = {1.0 / 3, 1.0 / 3, 1.0 / 3};
    for (int turn = 0; turn < 12; turn++)
        lb_weights_refine(speeds, 3, false, weights);
    for (int i = 0; i < 3; i++)
        assert_true(fabs(weights[i] - speeds[i] / 13) < 0.03 * speeds[i] / 13);
    /* Small changes are noise. */
    double before[3];
    memcpy(before, weights, sizeof before);
    speeds[0] = 13 * weights[0] * 1.01;
    lb_weights_refine(speeds, 3, false, weights);
    assert_true(fabs(weights[0] - before[0]) < 0.02 * before[0]);
    /* At once the first time; who did nothing keeps its part. */
    double fresh[3] = {0.5, 0.25, 0.25};
    lb_weights_refine((double[]){1, 3, 0}, 3, true, fresh);
    assert_true(fabs(fresh[0] - 0.75 / 4) < 1e-12 && fabs(fresh[1] - 0.75 * 3 / 4) < 1e-12);
    assert_true(fabs(fresh[2] - 0.25) < 1e-12);
}

/* All processors of one model are as fast as their mean, a processor that did nothing too. */
static void models(void **unused)
{
    (void)unused;
    struct lb_report_processor five[5] = {{.steps = 1, .busy_seconds = 1, .speed = 2},
                                          {.steps = 1, .busy_seconds = 1, .speed = 100, .model = 1},
                                          {.steps = 1, .busy_seconds = 1, .speed = 4},
                                          {.steps = 0, .busy_seconds = 0, .speed = 7},
                                          {.steps = 0, .busy_seconds = 0, .speed = 7, .model = 4}};
    struct lb_report_balance b = {.processors = five, .processor_count = 5};
    double speeds[5], weights[5] = {0.2, 0.2, 0.2, 0.2, 0.2};
    assert_true(lb_weights_measure(&b, speeds));
    assert_true(speeds[0] == 3 && speeds[1] == 100 && speeds[2] == 3 && speeds[3] == 3 && speeds[4] == 0);
    lb_weights_refine(speeds, 5, true, weights);
    assert_true(weights[0] == weights[2] && weights[0] == weights[3]);
    assert_true(fabs(weights[1] / weights[0] - 100.0 / 3) < 1e-9 && fabs(weights[4] - 0.2) < 1e-12);
}

struct heard {
    int warnings;
};

static void hear(void *user, enum lb_level level, const char *message)
{
    (void)message;
    ((struct heard *)user)->warnings += level == LB_WARNING;
}

static void overwrite(const char *file, const char *text)
{
    FILE *out = fopen(file, "w");
    assert_non_null(out);
    fputs(text, out);
    fclose(out);
}

/* Makes a file of the name that `file` has, but for the eight digits before ".json"; it was last written in that
 * minute of 1970. */
static void keep_older(const char *file, unsigned digits, int minute)
{
    char name[300];
    struct timespec times[2] = {{.tv_sec = 60 * minute}, {.tv_sec = 60 * minute}};
    snprintf(name, sizeof name, "%.*s%08x.json", (int)strlen(file) - 13, file, digits);
    overwrite(name, "{}");
    assert_int_equal(utimensat(AT_FDCWD, name, times, 0), 0);
}

/* How many files of a folder have names with `part` in them. */
static int count_files(const char *folder, const char *part)
{
    int count = 0;
    DIR *listing = opendir(folder);
    assert_non_null(listing);
    for (const struct dirent *entry; (entry = readdir(listing)) != NULL;)
        count += *entry->d_name != '.' && strstr(entry->d_name, part) != NULL;
    closedir(listing);
    return count;
}

static void cache_forgets_the_oldest(void **unused)
{
    (void)unused;
    char folder[] = "/tmp/lbrender-cache-XXXXXX", name[300], command[350];
    static const char *const model[] = {"cpu a"};
    assert_non_null(mkdtemp(folder));
    struct heard heard = {0};
    struct lb_log log = {hear, &heard};
    double read;
    char *cache_folder = lb_cache_folder(folder, NULL), *file = lb_speeds_file(cache_folder, "Makefile");
    assert_non_null(file);
    lb_speeds_write(file, "Makefile", "steps", model, 1, (double[]){1}, &log);
    unlink(file);
    for (unsigned i = 0; i < 300; i++) /* the first are the youngest */
        keep_older(file, i, 1000 - (int)i);
    static const char *const others[] = {"else-Makefile-01234567.json", "notes.json", "scenes"};
    for (size_t i = 0; i < 3; i++) {
        snprintf(name, sizeof name, "%s/lbrender/%s", folder, others[i]);
        overwrite(name, "");
    }
    snprintf(name, sizeof name, "%s/lbrender", folder);
    lb_speeds_write(file, "Makefile", "steps", model, 1, (double[]){1}, &log);
    assert_true(lb_speeds_read(file, model, 1, &log, &read));
    assert_int_equal(count_files(name, "-Makefile-"), 256 + 1);
    assert_int_equal(count_files(name, ""), 256 + 3);
    snprintf(name, sizeof name, "%.*s%08x.json", (int)strlen(file) - 13, file, 254);
    assert_int_equal(access(name, F_OK), 0);
    snprintf(name, sizeof name, "%.*s%08x.json", (int)strlen(file) - 13, file, 255);
    assert_int_equal(access(name, F_OK), -1);
    assert_int_equal(heard.warnings, 0);
    snprintf(command, sizeof command, "rm -r %s", folder);
    assert_int_equal(system(command), 0);
    free(file);
    free(cache_folder);
}

static void cache(void **unused)
{
    (void)unused;
    char folder[] = "/tmp/lbrender-cache-XXXXXX";
    assert_non_null(mkdtemp(folder));
    struct heard heard = {0};
    struct lb_log log = {hear, &heard};
    char *cache_folder = lb_cache_folder(folder, NULL), *file = lb_speeds_file(cache_folder, "Makefile");
    assert_non_null(file);
    assert_null(lb_speeds_file(NULL, "Makefile"));
    assert_null(lb_speeds_file(cache_folder, "no such scene"));
    static const char *const threads[] = {"cpu a", "cpu a", "null 5"}, *const gpu[] = {"cpu a", "gpu"};
    double read[3];
    assert_false(lb_speeds_read(file, threads, 3, &log, read));
    lb_speeds_write(file, "Makefile", "steps", threads, 3, (double[]){1e6, 2e6, 2.5e6}, &log);
    lb_speeds_write(file, "Makefile", "rays", gpu, 2, (double[]){3, 9}, &log);
    assert_true(lb_speeds_read(file, threads, 3, &log, read));
    assert_true(read[0] == 1.5e6 && read[1] == 1.5e6 && read[2] == 2.5e6);
    assert_true(lb_speeds_read(file, gpu, 2, &log, read));
    assert_true(read[0] == 3 && read[1] == 9);
    assert_false(
        lb_speeds_read(file, (const char *const[]){"null 5", "gpu"}, 2, &log, read)); /* in no one unit */
    assert_false(lb_speeds_read(file, (const char *const[]){"cpu b"}, 1, &log, read));
    assert_int_equal(heard.warnings, 0);
    static const char *const damaged[] = {
        "",
        "{",
        "[]",
        "7",
        "{\"schema\": 1}",
        "\377\376",
        "{\"schema\": \"lbrender-speeds/1\", \"speeds\": {\"cpu0,cpu1\": [1, 1]}}",
        "{\"schema\": \"lbrender-speeds/2\", \"speeds\": {\"cpu a\": {\"steps\": -1}}}",
        "{\"schema\": \"lbrender-speeds/2\", \"speeds\": {\"cpu a\": {\"steps\": 1e308}}}",
        "{\"schema\": \"lbrender-speeds/2\", \"speeds\": {\"cpu a\": {\"steps\": 1e-308}}}",
        "{\"schema\": \"lbrender-speeds/2\", \"speeds\": {\"cpu a\": {\"steps\": [1, 2]}}}",
        "{\"schema\": \"lbrender-speeds/2\", \"speeds\": {\"cpu a\": {\"steps\": \"2\"}}}"};
    for (size_t i = 0; i < sizeof damaged / sizeof *damaged; i++) {
        overwrite(file, damaged[i]);
        heard.warnings = 0;
        assert_false(lb_speeds_read(file, threads, 3, &log, read));
        assert_int_equal(heard.warnings, 1);
        lb_speeds_write(file, "Makefile", "steps", threads, 3, (double[]){1, 1, 1}, &log);
        assert_true(lb_speeds_read(file, threads, 3, &log, read));
    }
    free(file);
    free(cache_folder);
    char command[100];
    snprintf(command, sizeof command, "rm -r %s", folder);
    assert_int_equal(system(command), 0);
}

/* What stands where the file should be: nothing of it is waited for or read without end, and what is no file stays. */
static void no_cache_file(void **unused)
{
    (void)unused;
    char folder[] = "/tmp/lbrender-cache-XXXXXX", file[64], command[200];
    struct heard heard = {0};
    struct lb_log log = {hear, &heard};
    static const char *const model[] = {"cpu"};
    double read;
    assert_non_null(mkdtemp(folder));
    snprintf(file, sizeof file, "%s/it", folder);
    static const char *const makers[] = {"mkfifo", "mkdir", "ln -s /dev/zero", "ln -s /dev/null"};
    for (size_t i = 0; i < sizeof makers / sizeof *makers; i++) {
        snprintf(command, sizeof command, "%s %s", makers[i], file);
        assert_int_equal(system(command), 0);
        heard.warnings = 0;
        assert_false(lb_speeds_read(file, model, 1, &log, &read));
        assert_int_equal(heard.warnings, 1);
        lb_speeds_write(file, "Makefile", "steps", model, 1, (double[]){1}, &log);
        assert_int_equal(heard.warnings, 2);
        snprintf(command, sizeof command, "test ! -f %s && rm -r %s", file, file);
        assert_int_equal(system(command), 0);
    }
    snprintf(command, sizeof command, "truncate -s 8E %s 2>/dev/null || truncate -s 1T %s", file, file);
    assert_int_equal(system(command), 0);
    heard.warnings = 0;
    assert_false(lb_speeds_read(file, model, 1, &log, &read));
    assert_int_equal(heard.warnings, 1);
    lb_speeds_write(file, "Makefile", "steps", model, 1, (double[]){1}, &log);
    assert_true(lb_speeds_read(file, model, 1, &log, &read) && read == 1);
    snprintf(command, sizeof command, "rm -r %s", folder);
    assert_int_equal(system(command), 0);
}

/* ---- writers ---- */

/* Awkward names and numbers come back from JSON and CSV as they went in. */
static void awkward(void **unused)
{
    (void)unused;
    struct lb_report_processor one = {
        .name = "cpu0", .kind = "cpu", .weight = 1, .share = 1, .speed = INFINITY, .steps = 1ull << 60};
    struct lb_report_balance b = {.t = 1, .t_min = NAN, .processors = &one, .processor_count = 1};
    struct lb_report_frame frame = {
        .all = b, .passes = &b, .pass_count = 1, .file = "a \"b\",c.png", .checksum = 0xabc};
    struct lb_report report = {
        .run.scene = "dir/\"x\", y.pbrt", .strategy = "pool", .frames = &frame, .frame_count = 1};
    char *json = lb_report_write(&report, LB_REPORT_JSON), *csv = lb_report_write(&report, LB_REPORT_CSV),
         *text = lb_report_write(&report, LB_REPORT_TEXT);
    json_t *root = json_loads(json, 0, NULL);
    assert_non_null(root);
    assert_string_equal(json_string_value(json_object_get(root, "scene")), report.run.scene);
    json_t *first = json_array_get(json_object_get(root, "frames"), 0);
    assert_string_equal(json_string_value(json_object_get(first, "checksum")), "00000abc");
    json_t *processor = json_array_get(json_object_get(first, "processors"), 0);
    assert_true(json_integer_value(json_object_get(processor, "steps")) == 1ll << 60);
    json_decref(root);
    assert_non_null(strstr(csv, "\"dir/\"\"x\"\", y.pbrt\",pool,0,cpu0,cpu,"));
    assert_non_null(strstr(csv, ",\"a \"\"b\"\",c.png\",00000abc\n"));
    assert_non_null(strstr(text, "wrote a \"b\",c.png  crc32c 00000abc"));
    free(json);
    free(csv);
    free(text);
}

/* No text from outside is markup on a page, wherever it stands. */
static void page_escapes(void **unused)
{
    (void)unused;
    static const char wild[] = "<b a='\"'>&lt;\x1b\xe9",
                      shown[] = "&#60;b a=&#39;&#34;&#39;&#62;&#38;lt;\\x1B\\xE9";
    struct lb_report_processor one = {.name = "<b a='\"'>&lt;\x1b\xe9",
                                      .kind = "cpu",
                                      .weight = 1,
                                      .busy_seconds = 1,
                                      .transfer_seconds = 0.5,
                                      .idle_seconds = 1};
    struct lb_report_balance b = {.t = 2, .t_min = 1, .processors = &one, .processor_count = 1};
    snprintf(b.described, sizeof b.described, "%s", wild);
    struct lb_owned owned = {{0, 0, 0}, 1};
    struct lb_frame_span span = {.span = {{0, 1}, 0, 1, true}};
    lb_film_pixel pixel = {0};
    struct lb_view *view = lb_view_make(&(struct lb_view_source){
        .width = 1, .height = 1, .pixels = &pixel, .owned = &owned, .spans = &span, .span_count = 1});
    char file[] = "<b a='\"'>&lt;\x1b\xe9";
    struct lb_report_frame frame = {.all = b, .passes = &b, .pass_count = 1, .file = file, .view = view};
    struct lb_report report = {.run = {.scene = wild, .host = wild, .command = wild, .version = "1"},
                               .strategy = "pool",
                               .chosen = wild,
                               .frames = &frame,
                               .frame_count = 1};
    char *page = lb_report_write(&report, LB_REPORT_HTML);
    size_t count = 0;
    assert_non_null(page);
    assert_null(strstr(page, "<b a"));
    assert_null(strchr(page, 0x1b));
    for (const char *at = page; (at = strstr(at, shown)) != NULL; at++)
        count++;
    /* The scene twice; host, command, file, description; the processor in the legend, and in names and titles of
     * both drawings. The table cuts it. */
    assert_int_equal(count, 2 + 4 + 1 + (1 + 3) + (1 + 1));
    free(page);
    lb_view_free(view);
}

/* A host's row has its processors and its network below, in every form; its name may hold anything. */
static void hosts_are_told(void **unused)
{
    (void)unused;
    struct lb_report_host_processor inner = {
        .name = "cuda0", .kind = "cuda", .ranges = 31, .samples = 4711, .busy_seconds = 1.5};
    struct lb_report_host host = {.host_name = "<a\x1b\">",
                                  .bytes_sent = 1234567,
                                  .bytes_received = 89,
                                  .network_messages = 17,
                                  .round_trip_seconds = 0.25,
                                  .network_seconds = 0.125,
                                  .processors = &inner,
                                  .processor_count = 1};
    struct lb_report_processor two[2] = {{.name = "cpu0", .kind = "cpu", .weight = 0.5},
                                         {.name = "host0", .kind = "host", .weight = 0.5, .host = &host}};
    struct lb_report_frame frame = {.all = {.t = 2, .processors = two, .processor_count = 2}};
    struct lb_report report = {.run.scene = "x", .strategy = "pool", .frames = &frame, .frame_count = 1};
    char *texts[4];
    static const enum lb_report_format forms[] = {LB_REPORT_TEXT, LB_REPORT_JSON, LB_REPORT_CSV,
                                                  LB_REPORT_HTML};
    for (int i = 0; i < 4; i++) {
        texts[i] = lb_report_write(&report, forms[i]);
        assert_non_null(texts[i]);
        assert_null(strchr(texts[i], 0x1b));
    }
    assert_non_null(strstr(texts[0], "\n  cuda0                         31"));
    assert_non_null(strstr(texts[0], "\nhost0: <a\\x1B\">  sent 1.235 MB  received 0.000 MB  messages 17  "
                                     "round trip 0.2500 s  waited 0.1250 s\n"));
    json_t *root = json_loads(texts[1], 0, NULL);
    json_t *rows = json_object_get(json_array_get(json_object_get(root, "frames"), 0), "processors");
    assert_null(json_object_get(json_array_get(rows, 0), "host"));
    json_t *told = json_object_get(json_array_get(rows, 1), "host");
    assert_int_equal(json_integer_value(json_object_get(told, "bytes_sent")), 1234567);
    json_t *first = json_array_get(json_object_get(told, "processors"), 0);
    assert_int_equal(json_integer_value(json_object_get(first, "samples")), 4711);
    json_decref(root);
    assert_non_null(strstr(texts[2], "\n\"x\",pool,0,host0.cuda0,cuda,,,31,"));
    assert_non_null(strstr(texts[2], ",\"<a\\x1B\"\">\",1234567,89,17,0.25,0.125,"));
    assert_non_null(strstr(texts[3], "<td>1.235 MB</td>"));
    assert_non_null(strstr(texts[3], "<td>  cuda0</td>"));
    assert_null(strstr(texts[3], "<a\\x1B"));
    for (int i = 0; i < 4; i++)
        free(texts[i]);
}

/* With the largest figures that there can be, columns still end where those of the header do, and no line is longer
 * than 100 characters. */
static void columns(void **unused)
{
    (void)unused;
    for (int turn = 0; turn < 400; turn++) {
        double scale = pow(10, uniform(-6, 6)), bad = pow(10, uniform(-3, 40));
        struct lb_report_processor one = {.name = "cpu0",
                                          .weight = 0.5,
                                          .share = 0.5,
                                          .ranges = (uint64_t)uniform(0, 1e7),
                                          .pixels = (uint64_t)uniform(0, 4e9),
                                          .busy_seconds = scale,
                                          .idle_seconds = scale * uniform(0, 1),
                                          .transfer_seconds = scale * uniform(0, 1),
                                          .finish_seconds = scale * uniform(1, 2),
                                          .lost = turn % 2};
        struct lb_report_frame frame = {.all = {.t = 2 * scale,
                                                .t_min = scale,
                                                .imbalance = bad,
                                                .lost = 100,
                                                .counts.steals_won = 10000,
                                                .processors = &one,
                                                .processor_count = 1}};
        struct lb_report report = {
            .run.scene = "a.pbrt", .strategy = "hierarchical", .frames = &frame, .frame_count = 1};
        char *text = lb_report_write(&report, LB_REPORT_TEXT), *rest = text;
        size_t header = 0;
        for (int line = 0; line < 4; line++) {
            size_t length = strcspn(rest, "\n");
            assert_in_range(length, 1, 100);
            if (line == 1)
                header = length;
            if (line == 2)
                assert_int_equal(length, header + (one.lost ? strlen(" lost") : 0));
            rest += length + 1;
        }
        free(text);
    }
}

/* Of many processors the least, the median and the most busy have rows, and a few that were lost; of few all have. */
static void rows(void **unused)
{
    (void)unused;
    enum { MOST = 400 };
    static struct lb_report_processor processors[MOST];
    for (int turn = 0; turn < 1000; turn++) {
        uint32_t count = 1 + (uint32_t)random() % MOST, least = 0, most = 0, lost = 0;
        struct lb_report_balance balance = {.processors = processors, .processor_count = count};
        for (uint32_t i = 0; i < count; i++) {
            processors[i] = (struct lb_report_processor){
                .busy_seconds = uniform(0, 9), .speed = 1, .lost = random() % 50 == 0};
            least = processors[i].busy_seconds < processors[least].busy_seconds ? i : least;
            most = processors[i].busy_seconds > processors[most].busy_seconds ? i : most;
            lost += processors[i].lost;
        }
        struct lb_report_rows rows = lb_report_rows_of(&balance);
        char *text = lb_report_rows_text(&balance, &rows);
        if (count <= LB_REPORT_ROWS_MOST) {
            assert_int_equal(rows.count, count);
            for (uint32_t i = 0; i < count; i++)
                assert_int_equal(rows.rows[i], i);
            assert_string_equal(text, "");
        } else {
            uint32_t below = 0;
            assert_true(rows.rows[0] == least && rows.rows[2] == most &&
                        rows.count <= 3 + (lost < 5 ? lost : 5));
            for (uint32_t i = 0; i < count; i++)
                below += processors[i].busy_seconds < processors[rows.rows[1]].busy_seconds;
            assert_int_equal(below, (count - 1) / 2);
            assert_non_null(strstr(text, "processors of speeds 1 to 1: busy "));
        }
        free(text);
    }
}

static void texts(void **unused)
{
    (void)unused;
    struct lb_text text = {0};
    size_t length = 0;
    for (int i = 0; i < 3000; i++) {
        lb_text_add(&text, "%*s", i % 71, "x");
        length += i % 71 > 1 ? (size_t)(i % 71) : 1;
    }
    assert_int_equal(text.length, length);
    char *taken = lb_text_take(&text);
    assert_int_equal(strlen(taken), length);
    assert_null(text.data);
    free(taken);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(by_hand),
                                       cmocka_unit_test(idlers),
                                       cmocka_unit_test(passes_add_up),
                                       cmocka_unit_test(each_figure_adds_up),
                                       cmocka_unit_test(hosts_add_up),
                                       cmocka_unit_test(refine),
                                       cmocka_unit_test(models),
                                       cmocka_unit_test(cache),
                                       cmocka_unit_test(cache_forgets_the_oldest),
                                       cmocka_unit_test(no_cache_file),
                                       cmocka_unit_test(awkward),
                                       cmocka_unit_test(page_escapes),
                                       cmocka_unit_test(hosts_are_told),
                                       cmocka_unit_test(columns),
                                       cmocka_unit_test(rows),
                                       cmocka_unit_test(texts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
