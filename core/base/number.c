#include "core/base/number.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* value = digits * 10^power */
struct decimal {
    bool negative, exact; /* exact: all digits fitted */
    uint64_t digits;
    int power;
};

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool parse_exponent(const char *at, const char *end, int *power)
{
    bool negative = at < end && *at == '-';
    if (at < end && (*at == '-' || *at == '+'))
        at++;
    if (at == end)
        return false;
    int value = 0;
    for (; at < end; at++) {
        if (!is_digit(*at))
            return false;
        if (value < 100000)
            value = value * 10 + (*at - '0');
    }
    *power += negative ? -value : value;
    return true;
}

static bool parse_decimal(const char *at, const char *end, struct decimal *decimal)
{
    *decimal = (struct decimal){.exact = true};
    if (at < end && (*at == '-' || *at == '+'))
        decimal->negative = *at++ == '-';
    bool any = false, point = false;
    for (; at < end; at++) {
        if (*at == '.' && !point) {
            point = true;
            continue;
        }
        if (!is_digit(*at))
            break;
        any = true;
        if (decimal->digits < 1000000000000000000u) {
            decimal->digits = decimal->digits * 10 + (uint64_t)(*at - '0');
            decimal->power -= point;
        } else {
            decimal->exact &= *at == '0';
            decimal->power += !point;
        }
    }
    if (!any)
        return false;
    if (at < end && (*at == 'e' || *at == 'E'))
        return parse_exponent(at + 1, end, &decimal->power);
    return at == end;
}

static bool parse_word(const char *text, size_t length, double *number)
{
    bool negative = length && *text == '-';
    if (length && (*text == '-' || *text == '+')) {
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

/* Long mantissas and large exponents, rarely met: strtod() of digits and exponent alone, which has no point
 * that a locale could name otherwise. Digits beyond the 19th are cut off, half a 10^-19th at most. */
static double parse_slowly(const struct decimal *decimal)
{
    char text[64];
    snprintf(text, sizeof text, "%llu%se%d", (unsigned long long)decimal->digits, decimal->exact ? "" : "1",
             decimal->power - !decimal->exact);
    return strtod(text, NULL);
}

bool lb_number_parse(const char *text, size_t length, double *number)
{
    static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                    1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    struct decimal decimal;
    if (!parse_decimal(text, text + length, &decimal))
        return parse_word(text, length, number);
    double value;
    /* Both operands are exact, so that one operation rounds once (Clinger 1990). */
    if (decimal.exact && decimal.digits <= (1ull << 53) && decimal.power >= -22 && decimal.power <= 22)
        value = decimal.power < 0 ? (double)decimal.digits / powers[-decimal.power]
                                  : (double)decimal.digits * powers[decimal.power];
    else
        value = parse_slowly(&decimal);
    *number = decimal.negative ? -value : value;
    return true;
}
