/* Tests races of strategies: adjusted times, intervals and ranks. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <jansson.h>
#include <math.h>
#include <stdlib.h>

#include "core/report/races/comparison.h"
#include "core/report/races/ranking.h"
#include "test/unit/uniform_help.h"

enum { MOST = 7 };
static const char *const names[MOST] = {"a", "b", "c", "d", "e", "f", "g"};

/* A race of two processors, without runs; its rows are to be the caller's. */
static struct lb_comparison empty_race(struct lb_comparison_row *rows)
{
    return (struct lb_comparison){.run.scene = "x", .rows = rows, .frames = 1, .processors = 2};
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
    struct lb_comparison table = empty_race(rows);
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
    for (int turn = 0; turn < 1000; turn++) {
        struct lb_comparison_row rows[STRATEGIES];
        struct lb_comparison table = empty_race(rows);
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
    for (int turn = 0; turn < 200; turn++) {
        struct lb_comparison_row rows[STRATEGIES];
        struct lb_comparison table = empty_race(rows);
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
    enum { ROUNDS = 10 };
    for (int turn = 0; turn < 1000; turn++) {
        struct lb_comparison_row rows[MOST];
        struct lb_comparison table = empty_race(rows);
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
    struct lb_comparison table = empty_race(rows);
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
        struct lb_comparison table = empty_race(rows);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(comparison),      cmocka_unit_test(adjusted),
        cmocka_unit_test(balance_ranks),   cmocka_unit_test(nobody_is_its_own_measure),
        cmocka_unit_test(adjusted_seldom), cmocka_unit_test(settled),
        cmocka_unit_test(intervals),       cmocka_unit_test(ranks),
        cmocka_unit_test(mean_ranks),      cmocka_unit_test(apart_by_chance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
