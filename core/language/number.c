#include "core/language/number.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 1023, MOST_DIGITS = 19, MOST_POWER = 19, EXPONENT_CAP = 100000 };

/* digits * 10^exponent, if exact; else the text had more digits than a uint64_t holds. */
struct decimal {
    bool negative, exact;
    uint64_t digits;
    int exponent;
};

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Takes the digits at `at`, `shift` being what each adds to the exponent when it is kept (-1 behind the
 * point). */
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

static bool scan_decimal(const char *at, const char *end, struct decimal *decimal)
{
    *decimal = (struct decimal){.exact = true};
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

static bool scan_hexadecimal(const char *at, const char *end, double *value)
{
    bool negative = at < end && *at == '-';
    if (at < end && (*at == '-' || *at == '+'))
        at++;
    if (end - at < 3 || at[0] != '0' || (at[1] != 'x' && at[1] != 'X'))
        return false;
    uint64_t sum = 0;
    for (at += 2; at < end; at++) {
        char lower = (char)(*at | 0x20);
        if (!is_digit(*at) && (lower < 'a' || lower > 'f'))
            return false;
        if (sum >> 60)
            return false;
        sum = sum * 16 + (uint64_t)(is_digit(*at) ? *at - '0' : lower - 'a' + 10);
    }
    *value = negative ? -(double)sum : (double)sum;
    return true;
}

static uint64_t power_of_ten(int exponent)
{
    uint64_t power = 1;
    for (int i = 0; i < exponent; i++)
        power *= 10;
    return power;
}

/* The decimal as an odd-rounded 64-bit integer times 2^*scale: whatever was cut off is remembered in the
 * lowest bit, so that one more rounding to 53 bits or fewer gives the nearest float or double. False where
 * the numbers are too large. */
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

/* strtod and strtof want a 0 at the end. */
static bool copy_text(const char *text, size_t length, char copy[LONGEST + 1])
{
    if (length > LONGEST)
        return false;
    memcpy(copy, text, length);
    copy[length] = 0;
    return true;
}

enum lb_number lb_number_float(const char *text, size_t length, locale_t c_locale, float *value)
{
    struct decimal decimal;
    char copy[LONGEST + 1];
    uint64_t integer;
    int scale;
    if (length > LONGEST)
        return LB_NUMBER_MALFORMED;
    if (!scan_decimal(text, text + length, &decimal)) {
        double hexadecimal;
        if (!scan_hexadecimal(text, text + length, &hexadecimal))
            return LB_NUMBER_MALFORMED;
        *value = (float)hexadecimal;
    } else if (decimal.digits == 0) {
        *value = decimal.negative ? -0.0f : 0.0f;
    } else if (to_binary(&decimal, &integer, &scale)) {
        float magnitude = ldexpf((float)integer, scale);
        *value = decimal.negative ? -magnitude : magnitude;
    } else if (copy_text(text, length, copy)) {
        *value = strtof_l(copy, NULL, c_locale);
    }
    return isfinite(*value) ? LB_NUMBER_OK : LB_NUMBER_TOO_LARGE;
}

enum lb_number lb_number_double(const char *text, size_t length, locale_t c_locale, double *value)
{
    struct decimal decimal;
    char copy[LONGEST + 1];
    uint64_t integer;
    int scale;
    if (length > LONGEST)
        return LB_NUMBER_MALFORMED;
    if (!scan_decimal(text, text + length, &decimal)) {
        if (!scan_hexadecimal(text, text + length, value))
            return LB_NUMBER_MALFORMED;
    } else if (decimal.digits == 0) {
        *value = decimal.negative ? -0.0 : 0.0;
    } else if (to_binary(&decimal, &integer, &scale)) {
        double magnitude = ldexp((double)integer, scale);
        *value = decimal.negative ? -magnitude : magnitude;
    } else if (copy_text(text, length, copy)) {
        *value = strtod_l(copy, NULL, c_locale);
    }
    return isfinite(*value) ? LB_NUMBER_OK : LB_NUMBER_TOO_LARGE;
}

enum lb_number lb_number_integer(const char *text, size_t length, int32_t *value)
{
    bool sign = length > 0 && (text[0] == '-' || text[0] == '+');
    bool negative = sign && text[0] == '-';
    if (length == (size_t)sign)
        return LB_NUMBER_MALFORMED;
    int64_t sum = 0;
    for (size_t i = sign; i < length; i++) {
        if (!is_digit(text[i]))
            return LB_NUMBER_MALFORMED;
        sum = sum > INT32_MAX ? sum : sum * 10 + (text[i] - '0');
    }
    sum = negative ? -sum : sum;
    if (sum > INT32_MAX || sum < INT32_MIN)
        return LB_NUMBER_TOO_LARGE;
    *value = (int32_t)sum;
    return LB_NUMBER_OK;
}
