#include "core/base/number.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { LONGEST = 1023, MOST_DIGITS = 19, MOST_POWER = 19, EXPONENT_CAP = 100000 };

/* A decimal number, digits * 10^exponent. It is exact unless the text has more digits than a uint64_t holds. */
struct decimal {
    bool negative, exact;
    uint64_t digits;
    int exponent;
};

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Takes the digits at `at`, `shift` being what each adds to the exponent when it is kept (-1 behind the point). */
static const char *scan_digits(const char *at, const char *end, int shift, int *kept, struct decimal *decimal)
{
    for (; at < end && is_digit(*at); at++) {
        if (*kept < MOST_DIGITS) {
            decimal->digits = decimal->digits * 10 + (uint64_t)(*at - '0');
            decimal->exponent += shift;
            *kept += decimal->digits != 0;
        } else {
            decimal->exact = decimal->exact && *at == '0';
            decimal->exponent += shift + 1;
        }
    }
    return at;
}

static bool scan_exponent(const char *at, const char *end, int *exponent)
{
    bool negative = at < end && *at == '-';
    if (at < end && (*at == '-' || *at == '+'))
        at++;
    if (at == end)
        return false;
    int value = 0;
    for (; at < end && is_digit(*at); at++)
        value = value < EXPONENT_CAP ? value * 10 + (*at - '0') : value;
    *exponent += negative ? -value : value;
    return at == end;
}

static bool scan_decimal(const char *text, size_t length, struct decimal *decimal)
{
    const char *at = text, *end = text + length;
    *decimal = (struct decimal){.exact = true};
    if (length > LONGEST)
        return false;
    if (at < end && (*at == '-' || *at == '+'))
        decimal->negative = *at++ == '-';
    int kept = 0;
    const char *start = at;
    at = scan_digits(at, end, 0, &kept, decimal);
    ptrdiff_t digits = at - start;
    if (at < end && *at == '.') {
        start = ++at;
        at = scan_digits(at, end, -1, &kept, decimal);
        digits += at - start;
    }
    if (digits == 0)
        return false;
    if (at < end && (*at == 'e' || *at == 'E'))
        return scan_exponent(at + 1, end, &decimal->exponent);
    return at == end;
}

static bool scan_hexadecimal(const char *text, size_t length, double *value)
{
    const char *at = text, *end = text + length;
    bool negative = at < end && *at == '-';
    if (at < end && (*at == '-' || *at == '+'))
        at++;
    if (end - at < 3 || at[0] != '0' || (at[1] != 'x' && at[1] != 'X'))
        return false;
    uint64_t sum = 0;
    for (at += 2; at < end; at++) {
        char lower = (char)(*at | 0x20);
        if ((!is_digit(*at) && (lower < 'a' || lower > 'f')) || sum >> 60)
            return false;
        sum = sum * 16 + (uint64_t)(is_digit(*at) ? *at - '0' : lower - 'a' + 10);
    }
    *value = negative ? -(double)sum : (double)sum;
    return true;
}

/* 10^0 .. 10^19 are exact as integers, to 10^22 as doubles. */
static const double double_powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                       1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

static uint64_t power_of_ten(int exponent)
{
    uint64_t power = 1;
    for (int i = 0; i < exponent; i++)
        power *= 10;
    return power;
}

/* The decimal as an odd-rounded 64-bit integer times 2^*scale: whatever was cut off is remembered in the lowest bit, so
 * that one more rounding to 53 bits or fewer gives the nearest float or double. False where the numbers are too
 * large. */
static bool to_binary(const struct decimal *decimal, uint64_t *integer, int *scale)
{
    if (!decimal->exact || decimal->exponent < -MOST_POWER || decimal->exponent > MOST_POWER)
        return false;
    uint64_t power = power_of_ten(abs(decimal->exponent));
    unsigned __int128 wide;
    bool sticky = false;
    *scale = 0;
    if (decimal->exponent >= 0) {
        wide = (unsigned __int128)decimal->digits * power;
    } else {
        int zeros = __builtin_clzll(decimal->digits);
        unsigned __int128 numerator = (unsigned __int128)(decimal->digits << zeros) << 64;
        wide = numerator / power;
        sticky = wide * power != numerator;
        *scale = -64 - zeros;
    }
    uint64_t high = (uint64_t)(wide >> 64);
    if (high) {
        int shift = 64 - __builtin_clzll(high);
        sticky = sticky || (wide & (((unsigned __int128)1 << shift) - 1)) != 0;
        wide >>= shift;
        *scale += shift;
    }
    *integer = (uint64_t)wide | sticky;
    return true;
}

/* Writes the number for strtod() and strtof(), which want the point of the locale: all digits without a point, and an
 * exponent that makes up for the point beside the number's own. */
static void write_plainly(const char *text, size_t length, char plain[LONGEST + 16])
{
    size_t used = 0;
    int exponent = 0;
    bool point = false;
    const char *end = text + length;
    for (; text < end && *text != 'e' && *text != 'E'; text++) {
        if (*text == '.') {
            point = true;
            continue;
        }
        plain[used++] = *text;
        exponent -= point;
    }
    if (text < end)
        scan_exponent(text + 1, end, &exponent);
    plain[used++] = 'e';
    plain[used++] = exponent < 0 ? '-' : '+';
    char digits[12];
    int count = 0;
    unsigned magnitude = (unsigned)abs(exponent);
    do
        digits[count++] = (char)('0' + magnitude % 10);
    while ((magnitude /= 10) > 0);
    while (count > 0)
        plain[used++] = digits[--count];
    plain[used] = 0;
}

/* Where the digits and the power of ten are both exact, one multiplication or division rounds once, and so rightly
 * (Clinger 1990). */
static bool is_easy(const struct decimal *decimal, uint64_t most_digits, int most_power)
{
    return decimal->exact && decimal->digits <= most_digits && abs(decimal->exponent) <= most_power;
}

static float decimal_float(const struct decimal *decimal, const char *text, size_t length)
{
    uint64_t integer;
    int scale;
    float magnitude;
    if (decimal->digits == 0) {
        magnitude = 0;
    } else if (is_easy(decimal, 1u << 24, 10)) {
        float power = (float)double_powers[abs(decimal->exponent)];
        magnitude = decimal->exponent < 0 ? (float)decimal->digits / power : (float)decimal->digits * power;
    } else if (to_binary(decimal, &integer, &scale)) {
        magnitude = ldexpf((float)integer, scale);
    } else {
        char plain[LONGEST + 16];
        write_plainly(text, length, plain);
        return strtof(plain, NULL);
    }
    return decimal->negative ? -magnitude : magnitude;
}

static double decimal_double(const struct decimal *decimal, const char *text, size_t length)
{
    uint64_t integer;
    int scale;
    double magnitude;
    if (decimal->digits == 0) {
        magnitude = 0;
    } else if (is_easy(decimal, 1ull << 53, 22)) {
        double power = double_powers[abs(decimal->exponent)];
        magnitude = decimal->exponent < 0 ? (double)decimal->digits / power : (double)decimal->digits * power;
    } else if (to_binary(decimal, &integer, &scale)) {
        magnitude = ldexp((double)integer, scale);
    } else {
        char plain[LONGEST + 16];
        write_plainly(text, length, plain);
        return strtod(plain, NULL);
    }
    return decimal->negative ? -magnitude : magnitude;
}

enum lb_number lb_number_float(const char *text, size_t length, float *value)
{
    struct decimal decimal;
    double hexadecimal;
    if (scan_decimal(text, length, &decimal))
        *value = decimal_float(&decimal, text, length);
    else if (scan_hexadecimal(text, length, &hexadecimal))
        *value = (float)hexadecimal;
    else
        return LB_NUMBER_MALFORMED;
    return isfinite(*value) ? LB_NUMBER_OK : LB_NUMBER_TOO_LARGE;
}

enum lb_number lb_number_double(const char *text, size_t length, double *value)
{
    struct decimal decimal;
    if (scan_decimal(text, length, &decimal))
        *value = decimal_double(&decimal, text, length);
    else if (!scan_hexadecimal(text, length, value))
        return LB_NUMBER_MALFORMED;
    return isfinite(*value) ? LB_NUMBER_OK : LB_NUMBER_TOO_LARGE;
}

/* Reads a sign and digits. LB_NUMBER_TOO_LARGE where they fit no 64-bit integer. */
static enum lb_number scan_whole(const char *text, size_t length, int64_t *value)
{
    bool sign = length > 0 && (text[0] == '-' || text[0] == '+');
    bool negative = sign && text[0] == '-', too_large = false;
    int64_t sum = 0;
    for (size_t i = sign; i < length; i++) {
        if (!is_digit(text[i]))
            return LB_NUMBER_MALFORMED;
        int digit = negative ? '0' - text[i] : text[i] - '0';
        too_large |= __builtin_mul_overflow(sum, 10, &sum) || __builtin_add_overflow(sum, digit, &sum);
    }
    *value = sum;
    return length == (size_t)sign ? LB_NUMBER_MALFORMED : too_large ? LB_NUMBER_TOO_LARGE : LB_NUMBER_OK;
}

enum lb_number lb_number_integer(const char *text, size_t length, int32_t *value)
{
    int64_t number;
    enum lb_number result = scan_whole(text, length, &number);
    if (result == LB_NUMBER_OK && (number > INT32_MAX || number < INT32_MIN))
        result = LB_NUMBER_TOO_LARGE;
    if (result == LB_NUMBER_OK)
        *value = (int32_t)number;
    return result;
}

static bool parse_word(const char *text, size_t length, double *number)
{
    bool negative = length > 0 && *text == '-';
    if (length > 0 && (*text == '-' || *text == '+')) {
        text++;
        length--;
    }
    if (length == 3 && strncasecmp(text, "nan", 3) == 0)
        *number = (double)NAN;
    else if ((length == 3 && strncasecmp(text, "inf", 3) == 0) ||
             (length == 8 && strncasecmp(text, "infinity", 8) == 0))
        *number = negative ? -(double)INFINITY : (double)INFINITY;
    else
        return false;
    return true;
}

bool lb_number_parse(const char *text, size_t length, double *number)
{
    struct decimal decimal;
    if (!scan_decimal(text, length, &decimal))
        return parse_word(text, length, number);
    *number = decimal_double(&decimal, text, length);
    return true;
}

bool lb_number_real(const char *text, size_t length, double *value)
{
    struct decimal decimal;
    if (!scan_decimal(text, length, &decimal))
        return false;
    double number = decimal_double(&decimal, text, length);
    if (!isfinite(number))
        return false;
    *value = number;
    return true;
}

bool lb_number_whole(const char *text, size_t length, int64_t low, int64_t high, int64_t *value)
{
    int64_t number;
    if (scan_whole(text, length, &number) != LB_NUMBER_OK || number < low || number > high)
        return false;
    *value = number;
    return true;
}

bool lb_number_count(const char *text, size_t length, int64_t low, int64_t high, int64_t *value)
{
    double number;
    if (lb_number_whole(text, length, low, high, value))
        return true;
    if (!memchr(text, 'e', length) || !lb_number_real(text, length, &number) || number != floor(number) ||
        number < (double)low || number > (double)high || fabs(number) > 0x1p53)
        return false;
    *value = (int64_t)number;
    return true;
}

bool lb_number_share(const char *text, size_t length, double *value)
{
    bool percent = length > 1 && text[length - 1] == '%';
    double number;
    if (!lb_number_real(text, length - percent, &number))
        return false;
    *value = percent ? number / 100 : number;
    return true;
}

bool lb_number_seconds(const char *text, size_t length, double *value)
{
    static const struct unit {
        const char *name;
        double seconds;
    } units[] = {{"d", 86400}, {"h", 3600}, {"m", 60}, {"min", 60}, {"s", 1}, {"ms", 1e-3}};
    double sum = 0, last = INFINITY;
    const char *end = text + length;
    if (lb_number_real(text, length, value))
        return true;
    while (text < end) {
        size_t digits = 0, name = 0;
        while (text + digits < end && strchr("0123456789.", text[digits]))
            digits++;
        while (text + digits + name < end && islower((unsigned char)text[digits + name]))
            name++;
        const struct unit *unit = NULL;
        for (size_t i = 0; i < sizeof units / sizeof *units; i++)
            if (strlen(units[i].name) == name && !memcmp(units[i].name, text + digits, name))
                unit = &units[i];
        double number;
        if (!unit || unit->seconds >= last || !lb_number_real(text, digits, &number))
            return false;
        text += digits + name;
        if (text < end && number != floor(number))
            return false;
        sum += number * unit->seconds;
        last = unit->seconds;
    }
    if (length == 0 || !isfinite(sum))
        return false;
    *value = sum;
    return true;
}
