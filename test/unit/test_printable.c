/* Tests how text from outside is made fit to be shown. */
#include "core/base/printable.h"
#include "core/report/json_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void expect(const char *text, const char *wanted)
{
    struct lb_text out = {0};
    lb_text_add(&out, "%s", "");
    lb_text_add_printable(&out, text, SIZE_MAX);
    assert_string_equal(out.data, wanted);
    free(out.data);
}

static void letters(void **unused)
{
    (void)unused;
    expect("", "");
    expect("a b~.png", "a b~.png");
    expect("b\\x", "b\\x");
    expect("Zürich, 東京, ελιά, \U0001F600", "Zürich, 東京, ελιά, \U0001F600");
}

static void controls(void **unused)
{
    (void)unused;
    expect("\x1b[31mred\x1b[m", "\\x1B[31mred\\x1B[m");
    expect("a\nb\rc\td\ae\x7f", "a\\nb\\rc\\td\\x07e\\x7F");
    expect("nrt", "nrt");
    expect("\xc2\x9b"
           "31m",
           "\\u009B31m");
    expect("gpj\u202e.exe\u202c", "gpj\\u202E.exe\\u202C");
    expect("a\u2028b\u2066\ufeff", "a\\u2028b\\u2066\\uFEFF");
    expect("\U000e0041", "\\U000E0041");
}

static void bytes(void **unused)
{
    (void)unused;
    expect("caf\xe9.png", "caf\\xE9.png");
    expect("\xc0\x9b", "\\xC0\\x9B");                   /* overlong */
    expect("\xe0\x82\x9b", "\\xE0\\x82\\x9B");          /* overlong */
    expect("\xed\xa0\x80", "\\xED\\xA0\\x80");          /* a surrogate */
    expect("\xf4\x90\x80\x80", "\\xF4\\x90\\x80\\x80"); /* beyond the last */
    expect("\xf5\xff\x80", "\\xF5\\xFF\\x80");
    expect("ab\xe2\x82", "ab\\xE2\\x82"); /* cut off */
}

/* Every character there is, and every pair of bytes, becomes text without a control character that stays as it is. */
static void all(void **unused)
{
    (void)unused;
    for (uint32_t i = 1; i < 65536; i++) {
        char pair[3] = {(char)(i & 0xff), (char)(i >> 8), 0}, shown[LB_SHOWN_MOST];
        size_t length = strlen(pair);
        for (size_t at = 0; at < length;) {
            at += lb_printable_next(pair + at, length - at, shown);
            size_t left = strlen(shown);
            assert_in_range(left, 1, LB_SHOWN_MOST - 1);
            for (size_t k = 0, size; k < left; k += size) {
                uint32_t character = 0;
                assert_true(lb_utf8_decode(shown + k, left - k, &character, &size));
                assert_false(lb_character_controls(character));
            }
        }
        assert_in_range(length, 0, 2);
    }
}

static void most(void **unused)
{
    (void)unused;
    struct lb_text out = {0};
    lb_text_add_printable(&out, "東京\x1bxyz", 4);
    assert_string_equal(out.data, "東京\\x1Bx");
    free(out.data);
}

/* A JSON text loses nothing of a name in UTF-8, and shows the bytes of any other. */
static void json(void **unused)
{
    (void)unused;
    static const char *const names[] = {"plain", "\x1b\xc2\x9b\u202e\U000e0041\x7f\n\"\\", "ü東\U0001F600"};
    for (size_t i = 0; i < 3; i++) {
        json_t *root = json_pack("{s:o}", "name", lb_json_name(names[i]));
        char *text = lb_json_write(root);
        for (const char *at = text; *at; at++)
            assert_true(((unsigned char)*at >= 0x20 && *at != 0x7f) || *at == '\n');
        assert_null(strstr(text, "\xc2\x9b"));
        json_t *back = json_loads(text, 0, NULL);
        assert_string_equal(json_string_value(json_object_get(back, "name")), names[i]);
        json_decref(back);
        json_decref(root);
        free(text);
    }
    json_t *name = lb_json_name("caf\xe9\x1b");
    assert_string_equal(json_string_value(name), "caf\\xE9\x1b");
    json_decref(name);
    assert_null(lb_json_write(NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(letters), cmocka_unit_test(controls), cmocka_unit_test(bytes),
        cmocka_unit_test(all),     cmocka_unit_test(most),     cmocka_unit_test(json),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
