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
#include "core/report/races/comparison.h"
#include "core/report/races/ranking.h"
#include "core/report/report_rows.h"
#include "core/report/report_write.h"
#include "core/base/text.h"
#include "core/run/speeds/speed_cache.h"
#include "core/run/speeds/weights.h"
#include "core/speed.h"

static double uniform(double low, double high)
{
    return low + (high - low) * (double)random() / 2147483648.0;
}

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

static void add_run(struct lb_comparison *table, const char *strategy, double t, double t_min)
{
    struct lb_comparison_run run = {
        .t = t, .t_min = t_min, .slowed = t_min / 4, .imbalance = t - t_min, .ranges = 5};
    assert_true(lb_comparison_add(table, strategy, &run));
}

static void comparison(void **unused)
{
    (void)unused;
    struct lb_report_processor p = {
        .kind = "cpu", .ranges = 5, .busy_seconds = 2, .busy_cpu_seconds = 1, .speed = 1};
    struct lb_report_frame frames[2] = {
        {.all = {.t = 2, .t_min = 1, .counts.messages = 3, .processors = &p, .processor_count = 1}},
        {.all = {.t = 4, .t_min = 2, .counts.messages = 4, .processors = &p, .processor_count = 1}}};
    struct lb_comparison_row rows[2];
    struct lb_comparison table = {.run.scene = "x", .rows = rows, .frames = 1, .processors = 1};
    struct lb_comparison_run slow = lb_comparison_run_make(frames, 2);
    assert_true(slow.t == 3 && slow.t_min == 1.5 && slow.ranges == 10 && slow.messages == 7);
    assert_true(slow.busy == 4 && slow.cpu == 2);
    assert_true(lb_comparison_add(&table, "slow", &slow));
    assert_true(lb_comparison_cpu_part(&table) == 0.5);
    add_run(&table, "quick", 2, 1);
    add_run(&table, "slow", 5, 2);
    add_run(&table, "slow", 4.5, 3);
    assert_int_equal(table.row_count, 2);
    lb_comparison_finish(&table);
    /* Best first; the figures of the median run, which fit each other; too few runs for ranks. */
    assert_string_equal(rows[0].strategy, "quick");
    assert_true(rows[1].median.t == 4.5 && rows[1].run_count == 3 && rows[1].median.adjusted == 3.375);
    assert_true(rows[1].t_least == 3 && rows[1].t_most == 3.75);
    assert_true(rows[1].median.t_min == 3 && rows[1].efficiency == 3 / 4.5 && rows[0].efficiency == 0.5);
    assert_true(!table.ranked && rows[0].by_time.first == 0 && table.repeats == 3 &&
                !lb_comparison_settled(&table));
    for (int i = 0; i < 9; i++) {
        add_run(&table, "slow", 5 + 0.001 * i, 2);
        add_run(&table, "quick", 1.5 + 0.001 * i, 1);
    }
    lb_comparison_finish(&table);
    assert_true(table.ranked && rows[0].by_time.first == 1 && rows[1].by_time.first == 2 &&
                lb_comparison_settled(&table));
    char *json = lb_comparison_write(&table, LB_REPORT_JSON);
    json_t *root = json_loads(json, 0, NULL);
    assert_int_equal(json_array_size(json_object_get(root, "strategies")), 2);
    json_decref(root);
    free(json);
    lb_comparison_free(&table);
}

/* Rounds that others slow by any factor, and threads that lose any part of their CPUs, change no adjusted time. */
static void adjusted(void **unused)
{
    (void)unused;
    enum { STRATEGIES = 5, ROUNDS = 11 };
    static const char *const names[STRATEGIES] = {"a", "b", "c", "d", "e"};
    for (int turn = 0; turn < 1000; turn++) {
        struct lb_comparison_row rows[STRATEGIES];
        struct lb_comparison table = {.run.scene = "x", .rows = rows, .frames = 1, .processors = 2};
        double t[STRATEGIES], middle = 0;
        for (int i = 0; i < STRATEGIES; i++)
            t[i] = 1 + i + uniform(0, 0.5);
        for (int round = 0; round < ROUNDS; round++) {
            double level = exp(uniform(-2, 2));
            for (int i = 0; i < STRATEGIES; i++) {
                double rendering = level * t[i] * 0.8, slowed = level * uniform(0, 9);
                struct lb_comparison_run run = {.t_min = rendering + slowed, .slowed = slowed};
                run.t = run.t_min / 0.8;
                assert_true(lb_comparison_add(&table, names[i], &run));
            }
        }
        lb_comparison_finish(&table);
        for (int i = 0; i < STRATEGIES; i++) {
            assert_string_equal(rows[i].strategy, names[i]);
            assert_int_equal(rows[i].by_time.first, i + 1);
            assert_true(fabs(rows[i].efficiency - 0.8) < 1e-9);
            assert_true(rows[i].by_time.high - rows[i].by_time.low < 1e-9 * rows[i].by_time.high);
            middle = i == 2 ? rows[i].median.adjusted / t[i] : middle;
        }
        for (int i = 0; i < STRATEGIES; i++)
            assert_true(fabs(rows[i].median.adjusted / t[i] - middle) < 1e-9 * middle);
        lb_comparison_free(&table);
    }
}

/* Where single runs are slowed as a whole, by a clock or by who shares the CPU's caches, times tell nothing apart and
 * the balance does. */
static void balance_ranks(void **unused)
{
    (void)unused;
    enum { STRATEGIES = 5, ROUNDS = 14 };
    static const char *const names[STRATEGIES] = {"a", "b", "c", "d", "e"};
    for (int turn = 0; turn < 200; turn++) {
        struct lb_comparison_row rows[STRATEGIES];
        struct lb_comparison table = {.run.scene = "x", .rows = rows, .frames = 1, .processors = 2};
        for (int round = 0; round < ROUNDS; round++)
            for (int i = 0; i < STRATEGIES; i++) {
                double t_min = exp(uniform(-3, 3));
                add_run(&table, names[i], t_min / (0.99 - 0.01 * i), t_min);
            }
        lb_comparison_finish(&table);
        int apart = 0;
        for (int i = 0; i < STRATEGIES; i++) {
            int place = rows[i].strategy[0] - 'a' + 1;
            assert_true((int)rows[i].by_balance.first == place && (int)rows[i].by_balance.last == place);
            assert_true(fabs(rows[i].by_balance.low * (0.99 - 0.01 * (place - 1)) - 1) < 1e-9);
            apart += rows[i].by_time.first == rows[i].by_time.last;
        }
        assert_true(apart <= 1);
        table.simulated = true;
        lb_comparison_finish(&table);
        assert_true(rows[0].by_time.first == 1 && rows[0].by_balance.first == 0);
        lb_comparison_free(&table);
    }
}

/* Whatever strategies are raced: one that is the middle one of every round has an interval that tells how far it
 * varies, and so has one that is alone. */
static void nobody_is_its_own_measure(void **unused)
{
    (void)unused;
    enum { MOST = 7, ROUNDS = 10 };
    static const char *const names[MOST] = {"a", "b", "c", "d", "e", "f", "g"};
    for (int turn = 0; turn < 1000; turn++) {
        struct lb_comparison_row rows[MOST];
        struct lb_comparison table = {.run.scene = "x", .rows = rows, .frames = 1, .processors = 2};
        int strategies = 1 + turn % MOST;
        for (int round = 0; round < ROUNDS; round++)
            for (int i = 0; i < strategies; i++)
                add_run(&table, names[i], 1 + i + uniform(0, 0.5), 1);
        lb_comparison_finish(&table);
        for (int i = 0; i < strategies; i++)
            assert_true(rows[i].by_time.low < rows[i].median.adjusted &&
                        rows[i].median.adjusted < rows[i].by_time.high);
        lb_comparison_free(&table);
    }
}

/* A round that was ended in its midst keeps its level, and nothing is adjusted in a simulation. */
static void adjusted_seldom(void **unused)
{
    (void)unused;
    struct lb_comparison_row rows[2];
    struct lb_comparison table = {.run.scene = "x", .rows = rows, .frames = 1, .processors = 1};
    struct lb_comparison_run run = {.t = 4, .t_min = 4, .slowed = 1};
    assert_true(lb_comparison_add(&table, "a", &run) && lb_comparison_add(&table, "b", &run));
    run.t = run.t_min = 8;
    assert_true(lb_comparison_add(&table, "a", &run));
    lb_comparison_finish(&table);
    assert_true(rows[0].runs[0].adjusted == 3 && rows[0].runs[1].adjusted == 7);
    table.simulated = true;
    lb_comparison_finish(&table);
    assert_true(rows[0].runs[0].adjusted == 4 || rows[1].runs[0].adjusted == 4);
    assert_true(rows[0].median.adjusted == 4 && rows[0].t_most >= 4);
    lb_comparison_free(&table);
}

/* Races go on where strategies share a rank by wide intervals, and end where these are narrow. */
static void settled(void **unused)
{
    (void)unused;
    for (int narrow = 0; narrow < 2; narrow++) {
        struct lb_comparison_row rows[2];
        struct lb_comparison table = {.run.scene = "x", .rows = rows, .frames = 1, .processors = 1};
        for (int i = 0; i < 10; i++) {
            add_run(&table, "a", 5 + (narrow ? 0.01 : 0.1) * i, 2);
            add_run(&table, "b", 5.05 + (narrow ? 0.01 : 0.1) * (i ^ 5), 2);
        }
        lb_comparison_finish(&table);
        assert_true(rows[0].by_time.first == 1 && rows[1].by_time.first == 1 && rows[1].by_time.last == 2);
        assert_true(lb_comparison_settled(&table) == narrow);
        lb_comparison_free(&table);
    }
}

static int compare_doubles(const void *a, const void *b)
{
    return (*(const double *)a > *(const double *)b) - (*(const double *)a < *(const double *)b);
}

/* The interval holds the true median as often as it says, of skewed times too; and it is no longer than that needs. */
static void intervals(void **unused)
{
    (void)unused;
    for (size_t count = 1; count <= 64; count++) {
        double times[64], low, high;
        int held = 0, turns = 4000;
        bool known = false;
        for (int turn = 0; turn < turns; turn++) {
            for (size_t i = 0; i < count; i++)
                times[i] = exp(exp(uniform(-1, 1)));
            qsort(times, count, sizeof *times, compare_doubles);
            known = lb_median_interval(times, count, 1, &low, &high);
            held += low <= exp(1.0) && exp(1.0) <= high;
        }
        assert_true(known == (count >= lb_interval_least(1)));
        if (known)
            assert_true(held >= turns * 0.99 &&
                        (count > 40 ? low > times[0] && high < times[count - 1] : true));
        else
            assert_true(low == times[0] && high == times[count - 1]);
    }
    /* Each of many strategies gets a part of the chance to miss. */
    assert_true(lb_interval_least(1) == 9 && lb_interval_least(2) == 10 && lb_interval_least(21) == 14);
    /* By the binomial distribution: of 20 values the 4th from either end, with 0.9974; the 5th has 0.9882. */
    double twenty[20], low, high;
    for (int i = 0; i < 20; i++)
        twenty[i] = i + 1;
    assert_true(lb_median_interval(twenty, 20, 1, &low, &high) && low == 4 && high == 17);
    double many[10000];
    for (int i = 0; i < 10000; i++)
        many[i] = i;
    /* For many the normal distribution: 5000 - 2.807 * 50. */
    assert_true(lb_median_interval(many, 10000, 1, &low, &high) && fabs(low - 4859) < 2 &&
                low + high == 9999);
}

/* One is surely better than another by its interval or by its rank, and not where these contradict each other. Every
 * order of values out of the intervals has each row at one of its places, where ranks tell nothing. */
static void ranks(void **unused)
{
    (void)unused;
    for (int turn = 0; turn < 5000; turn++) {
        struct lb_ranked rows[12];
        size_t count = 1 + (size_t)random() % 12;
        double values[12], difference = turn % 2 ? 1.5 : INFINITY;
        for (size_t i = 0; i < count; i++) {
            double low = uniform(0, 20), high = low + uniform(0, 5);
            rows[i] = (struct lb_ranked){low, high, uniform(1, (double)count), 0, 0};
            values[i] = uniform(low, high);
        }
        lb_rank(rows, count, difference);
        for (size_t i = 0; i < count; i++) {
            uint32_t place = 1, first = 1, last = (uint32_t)count;
            for (size_t j = 0; j < count; j++) {
                int before =
                    (rows[j].high < rows[i].low) + (rows[j].mean_rank < rows[i].mean_rank - difference);
                int behind =
                    (rows[i].high < rows[j].low) + (rows[i].mean_rank < rows[j].mean_rank - difference);
                first += before && !behind;
                last -= behind && !before;
                if (difference > 1.5 && behind)
                    assert_true(rows[i].first < rows[j].first && rows[i].last < rows[j].last);
                place += values[j] < values[i];
            }
            assert_true(rows[i].first == first && rows[i].last == last);
            if (difference > 1.5)
                assert_true(rows[i].first <= place && place <= rows[i].last);
        }
    }
    /* The first two share places, and so do the last two; the first is surely before the last. */
    struct lb_ranked three[3] = {{1, 3, 0, 0, 0}, {2, 5, 0, 0, 0}, {4, 6, 0, 0, 0}};
    lb_rank(three, 3, INFINITY);
    assert_true(three[0].first == 1 && three[0].last == 2 && three[1].first == 1 && three[1].last == 3);
    assert_true(three[2].first == 2 && three[2].last == 3);
}

/* Ranks of a round, of which equal values share the mean. */
static void mean_ranks(void **unused)
{
    (void)unused;
    static const double times[4 * 3] = {1, 5, 2, 2, 5, 2, 3, 5, 1, 4, 5, 9};
    double found[4];
    lb_mean_ranks(times, 4, 3, found);
    static const double sums[4] = {1 + 2.5 + 2.5, 2 + 2.5 + 2.5, 3 + 2.5 + 1, 4 + 2.5 + 4};
    for (int i = 0; i < 4; i++)
        assert_true(fabs(found[i] - sums[i] / 3) < 1e-12);
    lb_mean_ranks(times, 1, 3, found);
    assert_true(found[0] == 1 && lb_rank_difference(1, 9) == 0);
    /* The range of two is the difference of two: 2.807 standard errors of it. */
    assert_true(fabs(lb_rank_difference(2, 25) - 0.04 - 2.807 / 5) < 1e-3);
}

/* Of strategies that are alike any two are told apart in no more races than is said, however few rounds there are and
 * whatever they have in common; of one that is better in most rounds more races tell. */
static void apart_by_chance(void **unused)
{
    (void)unused;
    static const size_t cases[][2] = {{2, 10}, {3, 11}, {5, 12}, {10, 13}, {21, 14}, {21, 31}, {2, 50}};
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        size_t rows = cases[c][0], rounds = cases[c][1];
        double times[21 * 50], found[21], difference = lb_rank_difference(rows, rounds);
        int wrong = 0, right = 0, turns = 4000;
        for (int turn = 0; turn < 2 * turns; turn++) {
            for (size_t round = 0; round < rounds; round++) {
                double level = uniform(1, 9);
                for (size_t i = 0; i < rows; i++)
                    times[i * rounds + round] = level + uniform(0, 1) * uniform(0, 1);
                times[round] += turn < turns ? 0 : 1;
            }
            lb_mean_ranks(times, rows, rounds, found);
            double least = found[0], most = found[0];
            for (size_t i = 1; i < rows; i++) {
                least = fmin(least, found[i]);
                most = fmax(most, found[i]);
            }
            wrong += turn < turns && most - least > difference;
            right += turn >= turns && found[0] - least > difference;
        }
        assert_true(wrong <= 0.007 * turns && right > 0.99 * turns);
    }
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
                                       cmocka_unit_test(comparison),
                                       cmocka_unit_test(adjusted),
                                       cmocka_unit_test(balance_ranks),
                                       cmocka_unit_test(nobody_is_its_own_measure),
                                       cmocka_unit_test(adjusted_seldom),
                                       cmocka_unit_test(settled),
                                       cmocka_unit_test(intervals),
                                       cmocka_unit_test(ranks),
                                       cmocka_unit_test(mean_ranks),
                                       cmocka_unit_test(apart_by_chance),
                                       cmocka_unit_test(columns),
                                       cmocka_unit_test(rows),
                                       cmocka_unit_test(texts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
