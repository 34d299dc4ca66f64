/* Tests options of strategies: what their values may be, what messages say of others, and where values go. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "core/strategy.h"

enum colour { RED, GREEN, BLUE };

struct base {
    uint64_t count;
};

/* As a strategy has it that shares options with others: theirs first. */
struct own {
    struct base base;
    double part;
    enum colour colour;
};

static const char *const colours[] = {"red", "green", "blue", NULL};
static const struct lb_option count_option = {.name = "count",
                                              .type = LB_OPTION_WHOLE,
                                              .low = 2,
                                              .high = 9007199254740992.0,
                                              .offset = offsetof(struct base, count)};
static const struct lb_option part_option = {
    .name = "part", .type = LB_OPTION_REAL, .low = 0.5, .high = 4, .offset = offsetof(struct own, part)};
static const struct lb_option colour_option = {
    .name = "colour", .type = LB_OPTION_WORD, .words = colours, .offset = offsetof(struct own, colour)};

static void refused(const struct lb_option *option, const char *text, const char *message)
{
    union lb_option_value value = {0};
    struct lb_error error = {0};
    assert_int_equal(lb_option_parse(option, text, &value, &error), LB_ERROR_USAGE);
    assert_string_equal(error.message, message);
}

static void wrong_values_are_usage_errors(void **unused)
{
    (void)unused;
    refused(&count_option, "1", "--count needs a whole number from 2 to 9007199254740992, not \"1\"");
    refused(&count_option, "3x", "--count needs a whole number from 2 to 9007199254740992, not \"3x\"");
    refused(&part_option, "0.4", "--part needs a number from 0.5 to 4, not \"0.4\"");
    refused(&part_option, "nan", "--part needs a number from 0.5 to 4, not \"nan\"");
    refused(&part_option, "", "--part needs a number from 0.5 to 4, not \"\"");
    refused(&colour_option, "pink", "--colour needs red, green or blue, not \"pink\"");
    refused(&colour_option, "gree", "--colour needs red, green or blue, not \"gree\"");
}

static void give(struct lb_option_values *values, const struct lb_option *option, const char *text)
{
    union lb_option_value value;
    assert_int_equal(lb_option_parse(option, text, &value, NULL), LB_OK);
    lb_option_give(values, option, value);
}

static void values_go_to_who_declares_them(void **unused)
{
    const struct lb_strategy both = {.options = LB_OPTIONS(&count_option, &part_option, &colour_option),
                                     .options_size = sizeof(struct own)};
    const struct lb_strategy one = {.options = LB_OPTIONS(&count_option),
                                    .options_size = sizeof(struct base)};
    const struct lb_strategy none = {.options = NULL};
    struct lb_option_values values = {0};
    (void)unused;
    give(&values, &count_option, "7");
    give(&values, &colour_option, "blue");
    give(&values, &part_option, "1.5");
    give(&values, &count_option, "9007199254740992"); /* the last one counts */
    assert_int_equal(values.count, 3);
    struct own *own = lb_strategy_options_make(&both, &values);
    assert_int_equal(own->base.count, 9007199254740992);
    assert_true(own->part == 1.5);
    assert_int_equal(own->colour, BLUE);
    struct base *base = lb_strategy_options_make(&one, &values);
    assert_int_equal(base->count, 9007199254740992);
    void *nothing = lb_strategy_options_make(&none, &values);
    assert_non_null(nothing);
    free(own);
    free(base);
    free(nothing);
}

static void what_is_not_set_is_zero(void **unused)
{
    struct lb_option_values values = {0};
    (void)unused;
    for (size_t s = 0; s < lb_strategy_count; s++) {
        char *options = lb_strategy_options_make(lb_strategies[s], &values);
        for (size_t i = 0; i < lb_strategies[s]->options_size; i++)
            assert_int_equal(options[i], 0);
        free(options);
    }
}

static void every_option_stands_once_in_the_list(void **unused)
{
    const struct lb_option *option;
    size_t declared = 0, listed = 0;
    (void)unused;
    for (; (option = lb_strategies_option(listed)) != NULL; listed++)
        for (size_t i = 0; i < listed; i++)
            assert_ptr_not_equal(lb_strategies_option(i), option);
    for (size_t i = 0; i < listed; i++)
        for (size_t s = 0; s < lb_strategy_count; s++)
            declared += lb_option_declared(lb_strategies[s]->options, lb_strategies_option(i));
    for (size_t s = 0; s < lb_strategy_count; s++)
        for (size_t i = 0; lb_strategies[s]->options != NULL && lb_strategies[s]->options[i] != NULL; i++)
            declared--;
    assert_int_equal(declared, 0);
    assert_true(listed > 0 && listed <= LB_OPTIONS_MOST);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_values_are_usage_errors),
        cmocka_unit_test(values_go_to_who_declares_them),
        cmocka_unit_test(what_is_not_set_is_zero),
        cmocka_unit_test(every_option_stands_once_in_the_list),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
