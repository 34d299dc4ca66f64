/* Tests how speeds are measured, trusted and followed (core/speed.h). */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "core/speed.h"

#include <math.h>

enum { CASES = 20000 };

/* 0 .. 1, without either. */
static double draw(uint64_t *state)
{
    uint64_t x = *state += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return ((double)((x ^ (x >> 31)) >> 11) + 0.5) * 0x1p-53;
}

/* From 1 / most to most, evenly by logarithm. */
static double draw_ratio(uint64_t *state, double most)
{
    return exp((2 * draw(state) - 1) * log(most));
}

static void test_nothing_measured_is_no_speed(void **state)
{
    (void)state;
    struct lb_speed none = {0, 0};
    assert_true(lb_speed_of(&none) == 0);
    lb_speed_add(&none, 0, 0, LB_SPEED_RECENT);
    assert_true(lb_speed_of(&none) == 0);
    lb_speed_add(&none, 5, 0, LB_SPEED_ALL); /* a clock that stood still */
    assert_true(lb_speed_of(&none) == 0);
}

static void test_measurements_count_by_their_seconds(void **state)
{
    (void)state;
    uint64_t random = 1;
    for (int i = 0; i < CASES; i++) {
        struct lb_speed measured = {0, 0};
        double work = 0, seconds = 0;
        for (int k = 0; k < 5; k++) {
            double w = draw_ratio(&random, 1e6), s = draw_ratio(&random, 1e3);
            lb_speed_add(&measured, w, s, LB_SPEED_ALL);
            work += w;
            seconds += s;
        }
        assert_true(fabs(lb_speed_of(&measured) * seconds / work - 1) < 1e-12);
    }
}

/* The shorter a memory, the nearer the mean is to the last of two speeds; all agree on one that does not change. */
static void test_older_measurements_fade(void **state)
{
    (void)state;
    uint64_t random = 2;
    for (int i = 0; i < CASES; i++) {
        double before = draw_ratio(&random, 100), after = before * (2 + draw(&random)), last = 0;
        for (int memory = LB_SPEED_ALL; memory <= LB_SPEED_RECENT; memory++) {
            struct lb_speed measured = {0, 0}, steady = {0, 0};
            for (int k = 0; k < 10; k++) {
                lb_speed_add(&measured, k < 5 ? before : after, 1, (enum lb_speed_memory)memory);
                lb_speed_add(&steady, before, 1, (enum lb_speed_memory)memory);
            }
            double speed = lb_speed_of(&measured);
            assert_true(speed > last && speed > before && speed < after);
            assert_true(fabs(lb_speed_of(&steady) / before - 1) < 1e-12);
            last = speed;
        }
    }
}

/* Between what was guessed and what was measured: the guess while nothing is, nearer to what is measured the more was
 * and the less costs vary. */
static void test_expected_speeds_lie_between_guess_and_measurement(void **state)
{
    (void)state;
    uint64_t random = 3;
    for (int i = 0; i < CASES; i++) {
        double guess = draw_ratio(&random, 1e3), speed = draw_ratio(&random, 1e3),
               variance = draw_ratio(&random, 100);
        double positions = draw_ratio(&random, 1e4);
        struct lb_speed none = {0, 0}, some = {positions, positions / speed},
                        more = {2 * positions, 2 * positions / speed};
        double expected = lb_speed_expected(&some, guess, variance);
        assert_true(fabs(lb_speed_expected(&none, guess, variance) / guess - 1) < 1e-12);
        assert_true(expected >= fmin(guess, speed) * (1 - 1e-12) &&
                    expected <= fmax(guess, speed) * (1 + 1e-12));
        double off = fabs(expected - speed) * (1 + 1e-9) + 1e-12 * speed;
        assert_true(fabs(lb_speed_expected(&more, guess, variance) - speed) <= off);
        assert_true(fabs(lb_speed_expected(&some, guess, variance / 2) - speed) <= off);
    }
}

/* Positions whose costs are known to vary, dealt in ranges to one whose speed is known: the variance is found. */
static void test_surprises_tell_the_variance_of_costs(void **state)
{
    (void)state;
    uint64_t random = 4;
    for (int i = 0; i < 6; i++) {
        double share = 0.5 / (1 << i),
               variance = 1 / share - 1; /* costs of 1 / share in a share of the positions, else 0 */
        struct lb_surprise surprise = {0, 0};
        struct lb_speed measured = {1e12, 1e12};
        assert_true(lb_surprise_variance(&surprise) > 0);
        for (int range = 0; range < 4000; range++) {
            int positions = 1 + (int)(60 * draw(&random));
            double seconds = 0;
            for (int k = 0; k < positions; k++)
                seconds += draw(&random) < share ? 1 / share : 0;
            lb_surprise_learn(&surprise, &measured, 1, positions, seconds);
        }
        double found = lb_surprise_variance(&surprise);
        assert_true(found > 0.75 * variance && found < 1.3 * variance);
        struct lb_surprise kept = surprise;
        struct lb_speed none = {0, 0};
        lb_surprise_learn(&surprise, &none, 1, 10, 1);
        lb_surprise_learn(&surprise, &measured, 0, 10, 1);
        assert_true(surprise.squares == kept.squares && surprise.count == kept.count);
    }
}

/* A ratio is believed towards 1, the same both ways, less the larger the error; not at all where chance explains it. */
/* Where costs are even, two ranges of different sizes tell exactly what any takes beyond its work, whatever the
 * processors' speeds; two of one size tell nothing. */
static void test_beginnings_are_found(void **state)
{
    (void)state;
    uint64_t draws = 5;
    for (int i = 0; i < CASES; i++) {
        struct lb_beginning beginning = {0};
        double begin = 1e-5 * draw_ratio(&draws, 100);
        for (int k = 0; k < 5; k++) {
            double each = 1e-6 * draw_ratio(&draws, 20), first = 1 + floor(1000 * draw(&draws)),
                   second = 3 * first;
            struct lb_speed before = {first, first * each + begin};
            lb_beginning_learn(&beginning, &before, 1, second, second * each + begin, false);
            lb_beginning_learn(&beginning, &before, 1, first, first * each + begin, false);
            /* So does the rest of a range that was begun. */
            before = (struct lb_speed){first + second, (first + second) * each + 2 * begin};
            lb_beginning_learn(&beginning, &before, 2, first, first * each, true);
            lb_beginning_learn(&beginning, &(struct lb_speed){0, 0}, 0, first, 1, false);
        }
        assert_true(fabs(lb_beginning_of(&beginning, 0) - begin) < 1e-6 * begin);
        assert_true(lb_beginning_of(&beginning, 1) <= lb_beginning_of(&beginning, 0));
    }
    struct lb_beginning none = {0};
    assert_true(lb_beginning_of(&none, 1) == 0);
}

/* Costs that differ by chance: the estimate is off by no more than five of the errors that it states. */
static void test_beginnings_are_sure_as_stated(void **state)
{
    (void)state;
    uint64_t draws = 11;
    for (int i = 0; i < 200; i++) {
        struct lb_beginning beginning = {0};
        for (int k = 0; k < 400; k++) {
            double time[2] = {20, 20}, sizes[2] = {20, 200};
            for (int r = 0; r < 2; r++)
                for (int n = 0; n < (int)sizes[r]; n++)
                    time[r] += 2 * draw(&draws); /* mean 1, variance 1/3 */
            struct lb_speed before = {sizes[0], time[0]};
            lb_beginning_learn(&beginning, &before, 1, sizes[1], time[1], false);
        }
        double mean = lb_beginning_of(&beginning, 0), sure = lb_beginning_of(&beginning, 1.0 / 3);
        assert_true(fabs(mean - 20) < 5 * (mean - sure) + 0.5);
        assert_true(sure > 10);
    }
}

static void test_what_begins_is_taken_off(void **state)
{
    (void)state;
    struct lb_speed measured = {100, 10}, net = lb_speed_without(&measured, 6);
    assert_true(net.work == 100 && fabs(net.seconds - 4) < 1e-12);
    net = lb_speed_without(&measured, 20);
    assert_true(net.seconds > 0 && net.seconds < 2);
}

static void test_ratios_are_believed_as_far_as_they_are_sure(void **state)
{
    (void)state;
    uint64_t random = 5;
    for (int i = 0; i < CASES; i++) {
        double ratio = draw_ratio(&random, 50), error = draw(&random);
        double believed = lb_speed_believed(ratio, error), inverse = lb_speed_believed(1 / ratio, error);
        assert_true(believed >= fmin(ratio, 1) && believed <= fmax(ratio, 1));
        assert_true(fabs(believed * inverse - 1) < 1e-9);
        assert_true(fabs(log(lb_speed_believed(ratio, 2 * error))) <= fabs(log(believed)) + 1e-12);
        assert_true(fabs(lb_speed_believed(ratio, 0) / ratio - 1) < 1e-12);
        assert_true(lb_speed_believed(ratio, fabs(log(ratio))) == 1);
    }
    assert_true(lb_speed_believed(1, 0.1) == 1);
}

static void test_weights_follow_without_overshooting(void **state)
{
    (void)state;
    uint64_t random = 6;
    for (int i = 0; i < CASES; i++) {
        double weight = draw_ratio(&random, 1e3), measured = draw_ratio(&random, 1e3);
        for (int pass = 0; pass < 40; pass++) {
            double next = lb_weight_follow(weight, measured);
            assert_true(fabs(next - measured) <= fabs(weight - measured));
            assert_true((next - measured) * (weight - measured) >= 0);
            weight = next;
        }
        assert_true(fabs(weight / measured - 1) < 0.021);
        assert_true(lb_weight_follow(weight, weight * 1.01) == weight);
    }
}

static void test_normalised_speeds_keep_their_ratios(void **state)
{
    (void)state;
    uint64_t random = 7;
    for (int i = 0; i < CASES; i++) {
        double speeds[4], before[4], sum = 0;
        for (int k = 0; k < 4; k++)
            speeds[k] = before[k] = draw_ratio(&random, 1e6);
        lb_speeds_normalise(speeds, 4);
        for (int k = 0; k < 4; k++)
            sum += speeds[k];
        assert_true(fabs(sum - 1) < 1e-12);
        assert_true(fabs(speeds[0] / speeds[3] * before[3] / before[0] - 1) < 1e-12);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nothing_measured_is_no_speed),
        cmocka_unit_test(test_measurements_count_by_their_seconds),
        cmocka_unit_test(test_older_measurements_fade),
        cmocka_unit_test(test_expected_speeds_lie_between_guess_and_measurement),
        cmocka_unit_test(test_surprises_tell_the_variance_of_costs),
        cmocka_unit_test(test_beginnings_are_found),
        cmocka_unit_test(test_beginnings_are_sure_as_stated),
        cmocka_unit_test(test_what_begins_is_taken_off),
        cmocka_unit_test(test_ratios_are_believed_as_far_as_they_are_sure),
        cmocka_unit_test(test_weights_follow_without_overshooting),
        cmocka_unit_test(test_normalised_speeds_keep_their_ratios),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
