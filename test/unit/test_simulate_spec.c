/* What the simulator reads: processors, hosts and their links, as words and as JSON; and what it refuses of them. */
#include "simulate_help.h"

#include <unistd.h>

static void specs_are_read(void **unused)
{
    struct lb_sim_spec spec;
    (void)unused;
    assert_int_equal(lb_sim_spec_parse("64", &spec, NULL), LB_OK);
    assert_int_equal(spec.count, 64);
    assert_true(spec.processors[63].speed == 1 && spec.total_seconds == 600);
    assert_true(spec.latency == 50e-6 && spec.range_overhead == 20e-6);
    lb_sim_spec_free(&spec);
    assert_int_equal(lb_sim_spec_parse("4x1,2x8.5", &spec, NULL), LB_OK);
    assert_int_equal(spec.count, 6);
    assert_true(spec.processors[3].speed == 1 && spec.processors[5].speed == 8.5);
    lb_sim_spec_free(&spec);
}

static void bad_specs_are_refused(void **unused)
{
    static const char *const texts[] = {"",
                                        "0",
                                        "x",
                                        "4x",
                                        "4x0",
                                        "4x-1",
                                        "4x1,",
                                        ",4",
                                        "4 x 1",
                                        "1e3",
                                        "nan",
                                        "4xinf",
                                        "4x1x2",
                                        "-3",
                                        "4;2",
                                        "99999999999999",
                                        "none.json",
                                        "contention=2",
                                        "4,contention=",
                                        "4,contention=0",
                                        "4,contention=x",
                                        "4,contention=1.5x",
                                        "4,contention=2,"};
    (void)unused;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct lb_sim_spec spec;
        struct lb_error error = {0};
        assert_int_not_equal(lb_sim_spec_parse(texts[i], &spec, &error), LB_OK);
        assert_true(strlen(error.message) > 0);
        assert_null(spec.processors);
    }
}

static enum lb_status parse_json(const char *text, struct lb_sim_spec *spec, struct lb_error *error)
{
    char path[] = "/tmp/lb-spec-XXXXXX.json";
    int file = mkstemps(path, 5);
    assert_true(file >= 0);
    assert_int_equal(write(file, text, strlen(text)), (ssize_t)strlen(text));
    close(file);
    enum lb_status status = lb_sim_spec_parse(path, spec, error);
    unlink(path);
    return status;
}

static void json_specs_are_read(void **unused)
{
    struct lb_sim_spec spec;
    struct lb_error error = {0};
    (void)unused;
    assert_int_equal(parse_json("{\"processors\": \"3x2\", \"jitter\": 0.5}", &spec, &error), LB_OK);
    assert_int_equal(spec.count, 3);
    assert_true(spec.jitter == 0.5 && spec.processors[0].speed == 2 && isinf(spec.processors[0].fails));
    lb_sim_spec_free(&spec);
    assert_int_equal(
        parse_json("{\"total_seconds\": 10, \"start_up\": 1, \"range_overhead\": 0, \"latency\": 0,"
                   "\"bandwidth\": 1e9, \"processors\": [{\"count\": 2, \"speed\": 4, \"kind\": "
                   "\"cuda\", \"group\": 7}, {\"joins\": 2.5, \"fails\": 3}]}",
                   &spec, &error),
        LB_OK);
    assert_int_equal(spec.count, 3);
    assert_int_equal(spec.processors[1].kind, LB_PROCESSOR_GPU);
    assert_true(spec.contention == 1 && spec.births.positions == 0);
    assert_int_equal(spec.processors[1].group, 7);
    assert_true(spec.processors[2].joins == 2.5 && spec.processors[2].fails == 3 && spec.start_up == 1);
    lb_sim_spec_free(&spec);
    assert_int_equal(
        parse_json("{\"processors\": \"3,contention=1.5\", \"births\": {\"chance\": 0.5, \"most\": 9, "
                   "\"positions\": 80}}",
                   &spec, &error),
        LB_OK);
    assert_true(spec.contention == 1.5 && spec.births.chance == 0.5);
    assert_true(spec.births.most == 9 && spec.births.positions == 80);
    lb_sim_spec_free(&spec);
    assert_int_equal(
        parse_json(
            "{\"processors\": \"2\", \"block\": 3e8, \"primary_bandwidth\": 1e9, \"silence\": 1, "
            "\"hosts\": [{\"count\": 3, \"cores\": 64, \"speed\": 2, \"latency\": 0.05, \"bandwidth\": 1e7, "
            "\"loss\": 0.01}, {\"joins\": 4, \"fails\": 9, \"group\": 2}]}",
            &spec, &error),
        LB_OK);
    assert_int_equal(spec.count, 6);
    const struct lb_sim_processor *host = &spec.processors[2];
    assert_true(spec.processors[1].cores == 0 && host->cores == 64 && host->speed == 2);
    assert_true(host->link.latency == 0.05 && host->link.bandwidth == 1e7 && host->link.loss == 0.01);
    assert_true(spec.block == 3e8 && spec.primary_bandwidth == 1e9 && spec.silence == 1 &&
                spec.samples == 256);
    assert_true(host[3].cores == 1 && host[3].joins == 4 && host[3].fails == 9 && host[3].group == 2);
    lb_sim_spec_free(&spec);
    assert_int_equal(parse_json("{\"hosts\": [{\"cores\": 2}]}", &spec, &error), LB_OK);
    assert_int_equal(spec.count, 1);
    lb_sim_spec_free(&spec);
}

static void bad_json_specs_are_refused(void **unused)
{
    static const char *const texts[] = {
        "",
        "[]",
        "{}",
        "{\"processors\": []}",
        "{\"processors\": 4}",
        "{\"processors\": [4]}",
        "{\"processors\": \"4\", \"latency\": -1}",
        "{\"processors\": \"4\", \"latency\": \"x\"}",
        "{\"processors\": \"4\", \"total_seconds\": 0}",
        "{\"processors\": \"4\", \"lateness\": 1}",
        "{\"processors\": \"4\", \"processors\": \"4\"}",
        "{\"processors\": [{\"speed\": 0}]}",
        "{\"processors\": [{\"kind\": \"abacus\"}]}",
        "{\"processors\": [{\"colour\": 1}]}",
        "{\"processors\": \"4\", \"contention\": 0}",
        "{\"hosts\": []}",
        "{\"hosts\": \"4\"}",
        "{\"hosts\": [{\"cores\": 0}]}",
        "{\"hosts\": [{\"cores\": 1.5}]}",
        "{\"hosts\": [{\"loss\": 0.9}]}",
        "{\"hosts\": [{\"bandwidth\": 0.5}]}",
        "{\"hosts\": [{\"kind\": \"cpu\"}]}",
        "{\"processors\": \"4\", \"block\": -1}",
        "{\"processors\": \"4\", \"primary_bandwidth\": 0.5}",
        "{\"processors\": \"4\", \"births\": 3}",
        "{\"processors\": \"4\", \"births\": {\"chance\": 1.5}}",
        "{\"processors\": \"4\", \"births\": {\"most\": 0}}",
        "{\"processors\": \"4\", \"births\": {\"positions\": 1.5}}",
        "{\"processors\": \"4\", \"births\": {\"twins\": 1}}",
    };
    (void)unused;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct lb_sim_spec spec;
        struct lb_error error = {0};
        assert_int_not_equal(parse_json(texts[i], &spec, &error), LB_OK);
        assert_true(strlen(error.message) > 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(specs_are_read),
        cmocka_unit_test(bad_specs_are_refused),
        cmocka_unit_test(json_specs_are_read),
        cmocka_unit_test(bad_json_specs_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
