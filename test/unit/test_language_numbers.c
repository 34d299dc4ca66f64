/* Tests numbers against those that libc reads, and matrices against their definitions. */
#include "unit/language_help.h"

#include "core/language/matrix.h"
#include "core/base/number.h"

#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>

static locale_t c_locale;

static void check_like_libc(const char *text)
{
    float f = -1, f_libc = strtof_l(text, NULL, c_locale);
    double d = -1, d_libc = strtod_l(text, NULL, c_locale);
    enum lb_number f_result = lb_number_float(text, strlen(text), &f);
    enum lb_number d_result = lb_number_double(text, strlen(text), &d);
    if (f_result != (isfinite(f_libc) ? LB_NUMBER_OK : LB_NUMBER_TOO_LARGE))
        fail_msg("%s as a float: %d", text, f_result);
    if (d_result != (isfinite(d_libc) ? LB_NUMBER_OK : LB_NUMBER_TOO_LARGE))
        fail_msg("%s as a double: %d", text, d_result);
    if (f_result == LB_NUMBER_OK && memcmp(&f, &f_libc, sizeof f) != 0)
        fail_msg("%s: %.9g, libc has %.9g", text, (double)f, (double)f_libc);
    if (d_result == LB_NUMBER_OK && memcmp(&d, &d_libc, sizeof d) != 0)
        fail_msg("%s: %.17g, libc has %.17g", text, d, d_libc);
}

static void random_numbers_are_rounded_as_by_libc(void **state)
{
    (void)state;
    uint64_t random = 1;
    char text[128];
    for (int i = 0; i < 200000; i++) {
        uint32_t bits = next_random(&random) << 1 ^ next_random(&random);
        float value;
        memcpy(&value, &bits, sizeof value);
        int digits = (int)(next_random(&random) % 30), exponent = (int)(next_random(&random) % 90) - 45;
        switch (i % 4) {
        case 0: /* every exponent, any number of digits */
            snprintf(text, sizeof text, "%.*e", digits, isfinite(value) ? (double)value : 1.0);
            break;
        case 1:
            snprintf(text, sizeof text, "%u%u.%u", next_random(&random) % 1000, bits, next_random(&random));
            break;
        case 2: /* halfway between two floats, and a little beside */
            value = (float)(next_random(&random) % (1 << 24));
            snprintf(text, sizeof text, "%.1f%s", (double)value + 0.5, i & 4 ? "" : "0000000000000000001");
            break;
        default:
            snprintf(text, sizeof text, "%s0%u%u.%ue%d", i & 4 ? "-" : "+", next_random(&random), bits,
                     next_random(&random) % 100, exponent);
        }
        check_like_libc(text);
    }
}

static void unusual_numbers(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "0",
        "-0",
        "+0",
        "0.",
        ".0",
        "00000000000000000000000000000000000001",
        "1e0",
        "1E+00",
        "-.5e-0",
        "1e-5",
        "3.4028235e38",
        "3.4028236e38",
        "3.4028235677973366e38",
        "1e38",
        "1e39",
        "1e308",
        "1e309",
        "1e99999999999",
        "1e-99999999999",
        "0e99999999999",
        "1.4e-45",
        "7e-46",
        "7.1e-46",
        "1.17549435e-38",
        "4.9e-324",
        "2e-324",
        "9007199254740993",
        "9007199254740993.0",
        "18446744073709551615",
        "18446744073709551616",
        "123456789012345678901234567890",
        "16777217",
        "16777219",
        "33554435",
        "1.00000017881393421514957253748434595763",
        "0.00000000000000000000000000000000000000000000000000000001e56",
        "8.5e-20",
        "5e19",
        "1234567890123456789e-19",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        check_like_libc(texts[i]);
    float value;
    assert_int_equal(lb_number_float("0x1F", 4, &value), LB_NUMBER_OK);
    assert_true(value == 31);
    assert_int_equal(lb_number_float("-0Xa", 4, &value), LB_NUMBER_OK);
    assert_true(value == -10);
}

static void what_is_no_number(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "",      "+",    "-",        ".",    "-.",   "e5",      ".e5",
        "1e",    "1e+",  "1e-",      "1e5.", "1..2", "1.2.3",   "--1",
        "+-1",   "1f",   "1,5",      "0x",   "0xg",  "0x1.8p3", "0x11111111111111111",
        "nan",   "inf",  "infinity", "NaN",  "1e5x", "1 ",      " 1",
        "1_000", "five",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        float f;
        double d;
        int32_t n;
        if (lb_number_float(texts[i], strlen(texts[i]), &f) != LB_NUMBER_MALFORMED ||
            lb_number_double(texts[i], strlen(texts[i]), &d) != LB_NUMBER_MALFORMED ||
            lb_number_integer(texts[i], strlen(texts[i]), &n) != LB_NUMBER_MALFORMED)
            fail_msg("\"%s\" was taken for a number", texts[i]);
    }
    char longest[1024];
    float f;
    memset(longest, '1', sizeof longest);
    assert_int_equal(lb_number_float(longest, 1024, &f), LB_NUMBER_MALFORMED);
    memset(longest, '0', sizeof longest);
    longest[1022] = '7';
    assert_int_equal(lb_number_float(longest, 1023, &f), LB_NUMBER_OK);
    assert_true(f == 7);
}

static void integers(void **state)
{
    (void)state;
    uint64_t random = 2;
    int32_t value;
    char text[32];
    for (int i = 0; i < 10000; i++) {
        int64_t number = (int64_t)(((uint64_t)next_random(&random) << 31 ^ next_random(&random)) >> (i % 60));
        number = i % 2 ? -number : number;
        snprintf(text, sizeof text, "%lld", (long long)number);
        bool fits = number >= INT32_MIN && number <= INT32_MAX;
        assert_int_equal(lb_number_integer(text, strlen(text), &value),
                         fits ? LB_NUMBER_OK : LB_NUMBER_TOO_LARGE);
        if (fits)
            assert_int_equal(value, number);
    }
    assert_int_equal(lb_number_integer("-2147483648", 11, &value), LB_NUMBER_OK);
    assert_int_equal(lb_number_integer("2147483648", 10, &value), LB_NUMBER_TOO_LARGE);
    assert_int_equal(lb_number_integer("99999999999999999999999999", 26, &value), LB_NUMBER_TOO_LARGE);
    assert_int_equal(lb_number_integer("1.0", 3, &value), LB_NUMBER_MALFORMED);
    assert_int_equal(lb_number_integer("1e3", 3, &value), LB_NUMBER_MALFORMED);
}

static void assert_close(const double a[4][4], const double b[4][4], double tolerance)
{
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            if (!(fabs(a[i][j] - b[i][j]) <= tolerance))
                fail_msg("element %d, %d: %.17g and %.17g", i, j, a[i][j], b[i][j]);
}

static void assert_inverse(const struct lb_matrix *matrix, double tolerance)
{
    struct lb_matrix one, product = {0};
    lb_matrix_identity(&one);
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            for (int k = 0; k < 4; k++)
                product.m[i][j] += matrix->m[i][k] * matrix->inverse[k][j];
    assert_close(product.m, one.m, tolerance);
}

static double random_in(uint64_t *random, double low, double high)
{
    return low + (high - low) * next_random(random) / 2147483648.0;
}

static void rotations(void **state)
{
    (void)state;
    uint64_t random = 3;
    for (int i = 0; i < 20000; i++) {
        double angle = random_in(&random, -200, 200), axis[3], radians = angle / 180 * 3.14159265358979323846;
        struct lb_matrix matrix;
        for (int k = 0; k < 3; k++)
            axis[k] = random_in(&random, -1, 1) * pow(10, random_in(&random, -20, 20));
        assert_true(lb_matrix_rotate(angle, axis, &matrix));
        assert_inverse(&matrix, 1e-14);
        /* The trace of a rotation is 1 + 2 cos. */
        assert_true(fabs(matrix.m[0][0] + matrix.m[1][1] + matrix.m[2][2] - 1 - 2 * cos(radians)) < 1e-13);
        const double z[3] = {0, 0, 5};
        assert_true(lb_matrix_rotate(angle, z, &matrix));
        assert_true(fabs(matrix.m[0][0] - cos(radians)) < 3e-15 &&
                    fabs(matrix.m[1][0] - sin(radians)) < 3e-15);
    }
    for (int quarter = -8; quarter <= 8; quarter++) {
        static const double cosines[] = {1, 0, -1, 0}, x[3] = {1, 0, 0};
        struct lb_matrix matrix;
        assert_true(lb_matrix_rotate(90 * quarter, x, &matrix));
        assert_true(matrix.m[1][1] == cosines[quarter & 3] && matrix.m[2][1] == cosines[(quarter + 3) & 3]);
    }
}

static void random_matrices_have_inverses(void **state)
{
    (void)state;
    uint64_t random = 4;
    for (int i = 0; i < 20000; i++) {
        double columns[16], by[3];
        struct lb_matrix a, b;
        for (int k = 0; k < 16; k++)
            columns[k] = k % 4 == 3 ? 0 : random_in(&random, -10, 10);
        columns[15] = 0.5;
        bool invertible = lb_matrix_from_columns(columns, &a);
        for (int k = 0; k < 3; k++)
            by[k] = random_in(&random, 0.1, 10);
        assert_true(lb_matrix_scale(by, &b));
        assert_true(invertible);
        assert_inverse(&a, 1e-8);
        assert_true(a.m[1][2] == columns[9] / 0.5);
        struct lb_matrix product = lb_matrix_product(&a, &b), back = lb_matrix_inverse(&product);
        assert_inverse(&product, 1e-8);
        assert_close(back.m, product.inverse, 0);
        /* The third column a combination of the others. */
        for (int k = 0; k < 3; k++)
            columns[8 + k] = 0.3 * columns[k] - 1.7 * columns[4 + k];
        assert_false(lb_matrix_from_columns(columns, &a));
    }
}

static void views(void **state)
{
    (void)state;
    uint64_t random = 5;
    for (int i = 0; i < 20000; i++) {
        double eye[3], target[3], up[3] = {0, 0, 1};
        struct lb_matrix matrix;
        for (int k = 0; k < 3; k++) {
            eye[k] = random_in(&random, -100, 100);
            target[k] = random_in(&random, -100, 100);
        }
        assert_true(lb_matrix_look_at(eye, target, up, &matrix));
        assert_inverse(&matrix, 1e-11);
        double distance = 0;
        for (int k = 0; k < 3; k++)
            distance += (target[k] - eye[k]) * (target[k] - eye[k]);
        for (int k = 0; k < 3; k++) {
            const double *row = matrix.m[k];
            double at_target = row[0] * target[0] + row[1] * target[1] + row[2] * target[2] + row[3];
            assert_true(fabs(at_target - (k == 2 ? sqrt(distance) : 0)) < 1e-10);
            assert_true(fabs(row[0] * eye[0] + row[1] * eye[1] + row[2] * eye[2] + row[3]) < 1e-10);
        }
        /* Up is up, and the axes are left-handed in a right-handed world. */
        assert_true(matrix.m[1][2] > 0 && fabs(matrix.m[0][2]) < 1e-12);
        double towards_x = (target[1] - eye[1]), towards_y = -(target[0] - eye[0]);
        assert_true(matrix.m[0][0] * towards_x + matrix.m[0][1] * towards_y < 0);
    }
}

/* Options and scene files are read alike: what one takes the other takes too, as the same number. */
static void options(void **state)
{
    (void)state;
    static const char letters[] = "0123456789019.e+-";
    uint64_t random = 3;
    int taken = 0;
    for (int run = 0; run < 200000; run++) {
        char text[24];
        size_t length = 0;
        do {
            random = random * 6364136223846793005u + 1442695040888963407u;
            text[length++] = letters[(random >> 33) % (sizeof letters - 1)];
        } while (length < sizeof text - 1 && (random >> 50) % 8);
        text[length] = 0;
        double real = 7, number = 7;
        bool is_real = lb_number_real(text, length, &real);
        assert_int_equal(is_real, lb_number_double(text, length, &number) == LB_NUMBER_OK);
        assert_true(!is_real || memcmp(&real, &number, sizeof real) == 0);
        int64_t whole = 7;
        int32_t integer = 7;
        bool is_whole = lb_number_whole(text, length, INT32_MIN, INT32_MAX, &whole);
        assert_int_equal(is_whole, lb_number_integer(text, length, &integer) == LB_NUMBER_OK);
        assert_int_equal(whole, integer);
        errno = 0;
        char *end;
        long long expected = strtoll(text, &end, 10);
        bool fits = !*end && !errno;
        assert_int_equal(lb_number_whole(text, length, INT64_MIN, INT64_MAX, &whole), fits);
        assert_true(!fits || whole == expected);
        taken += is_real;
    }
    assert_true(taken > 10000);
    int64_t whole;
    assert_true(lb_number_whole("9223372036854775807", 19, 0, INT64_MAX, &whole) && whole == INT64_MAX);
    assert_true(lb_number_whole("-9223372036854775808", 20, INT64_MIN, 0, &whole) && whole == INT64_MIN);
    assert_false(lb_number_whole("9223372036854775808", 19, 0, INT64_MAX, &whole));
    assert_false(lb_number_whole("-9223372036854775809", 20, INT64_MIN, 0, &whole));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_numbers_are_rounded_as_by_libc),
        cmocka_unit_test(unusual_numbers),
        cmocka_unit_test(what_is_no_number),
        cmocka_unit_test(integers),
        cmocka_unit_test(options),
        cmocka_unit_test(rotations),
        cmocka_unit_test(random_matrices_have_inverses),
        cmocka_unit_test(views),
    };
    c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    int failed = cmocka_run_group_tests_name("language_numbers", tests, NULL, NULL);
    freelocale(c_locale);
    return failed;
}
