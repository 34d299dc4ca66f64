/* Tests the table of names: a name that is set is found, in whatever form its accents are written. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "core/base/names.h"

#include <stdio.h>

static void nothing_is_found_in_an_empty_table(void **state)
{
    (void)state;
    struct lb_names names = {0};
    assert_int_equal(lb_names_find(&names, "a"), UINT32_MAX);
    assert_int_equal(lb_names_find(&names, ""), UINT32_MAX);
}

static void many_names_are_found(void **state)
{
    (void)state;
    enum { COUNT = 100000 };
    struct lb_names names = {0};
    struct lb_arena arena = {0};
    for (uint32_t i = 0; i < COUNT; i++) {
        const char *text = lb_arena_format(&arena, "name %u", i);
        assert_int_equal(lb_names_find(&names, text), UINT32_MAX);
        assert_true(lb_names_set(&names, &arena, text, i));
    }
    for (uint32_t i = 0; i < COUNT; i++) {
        char text[32];
        snprintf(text, sizeof text, "name %u", i);
        assert_int_equal(lb_names_find(&names, text), i);
    }
    assert_int_equal(names.count, COUNT);
    lb_arena_free(&arena);
}

static void a_name_can_be_given_away_and_taken_back(void **state)
{
    (void)state;
    struct lb_names names = {0};
    struct lb_arena arena = {0};
    assert_true(lb_names_set(&names, &arena, "a", 1));
    assert_true(lb_names_set(&names, &arena, "a", 2));
    assert_int_equal(lb_names_find(&names, "a"), 2);
    assert_int_equal(names.count, 1);
    assert_true(lb_names_set(&names, &arena, "a", UINT32_MAX));
    assert_int_equal(lb_names_find(&names, "a"), UINT32_MAX);
    lb_arena_free(&arena);
}

static void accents_may_be_composed_or_not(void **state)
{
    (void)state;
    struct lb_names names = {0};
    struct lb_arena arena = {0};
    assert_true(lb_names_set(&names, &arena, "caf\xc3\xa9", 1)); /* e-acute */
    assert_true(lb_names_set(&names, &arena, "A\xcc\x8a", 2));   /* A, ring above */
    assert_int_equal(lb_names_find(&names, "cafe\xcc\x81"), 1);
    assert_int_equal(lb_names_find(&names, "caf\xc3\xa9"), 1);
    assert_int_equal(lb_names_find(&names, "\xc3\x85"), 2);
    assert_int_equal(lb_names_find(&names, "\xe2\x84\xab"), 2); /* the angstrom sign */
    assert_int_equal(lb_names_find(&names, "cafe"), UINT32_MAX);
    lb_arena_free(&arena);
}

static void bytes_that_are_no_text_are_themselves(void **state)
{
    (void)state;
    struct lb_names names = {0};
    struct lb_arena arena = {0};
    assert_true(lb_names_set(&names, &arena, "\xff\xfe", 1));
    assert_true(lb_names_set(&names, &arena, "\xff", 2));
    assert_int_equal(lb_names_find(&names, "\xff\xfe"), 1);
    assert_int_equal(lb_names_find(&names, "\xff"), 2);
    assert_int_equal(lb_names_find(&names, "\xfe"), UINT32_MAX);
    lb_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_found_in_an_empty_table),
        cmocka_unit_test(many_names_are_found),
        cmocka_unit_test(a_name_can_be_given_away_and_taken_back),
        cmocka_unit_test(accents_may_be_composed_or_not),
        cmocka_unit_test(bytes_that_are_no_text_are_themselves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
