/* Tests core/base/guess.h: which known word is offered in place of a wrong one. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "core/base/guess.h"

#include <string.h>

static const char *const known[] = {"Shape", "Scale", "AttributeBegin", "AttributeEnd", "Film",
                                    "eta",   "k",     "sphere"};

static void check(const char *wrong, const char *meant)
{
    struct lb_guess guess;
    lb_guess_start(&guess, wrong, strlen(wrong));
    lb_guess_try_rows(&guess, known, sizeof known / sizeof known[0], sizeof known[0]);
    if (!meant)
        assert_string_equal(guess.text, "");
    else if (!strstr(guess.text, meant))
        fail_msg("%s: \"%s\", not %s", wrong, guess.text, meant);
}

static void the_nearest_word_is_found(void **state)
{
    (void)state;
    check("Shpae", "; did you mean \"Shape\"?"); /* swapped */
    check("Shap", "\"Shape\"");                  /* left out */
    check("Shhape", "\"Shape\"");                /* put in */
    check("Shope", "\"Shape\"");                 /* exchanged */
    check("shape", "\"Shape\"");                 /* small */
    check("FILM", "\"Film\"");
    check("AtributBegin", "\"AttributeBegin\"");
    check("AttributeEn", "\"AttributeEnd\"");
    check("ETA", "\"eta\"");
}

static void what_is_like_nothing_is_left_alone(void **state)
{
    (void)state;
    check("", NULL);
    check("xy", NULL);
    check("sphere", NULL);
    check("12", NULL);
    check("Translate", NULL);
    check("Shxxe", NULL);
    check("kk", NULL);
    check("a word that is much longer than any word that is known can be", NULL);
}

static void names_are_tried(void **state)
{
    (void)state;
    struct lb_names names = {0};
    struct lb_arena arena = {0};
    struct lb_guess guess;
    assert_true(lb_names_set(&names, &arena, "wood", 0) && lb_names_set(&names, &arena, "stone", 1));
    assert_true(lb_names_set(&names, &arena, "stones", UINT32_MAX)); /* taken away */
    lb_guess_start(&guess, "stons", 5);
    lb_guess_try_names(&guess, &names);
    assert_string_equal(guess.text, "; did you mean \"stone\"?");
    lb_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_nearest_word_is_found),
        cmocka_unit_test(what_is_like_nothing_is_left_alone),
        cmocka_unit_test(names_are_tried),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
