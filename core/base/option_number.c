#include "core/base/option_number.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 63 };

/* A copy with a 0 at its end, of the characters that numbers are made of and no others. */
static bool copy_plain(const char *text, size_t length, const char *allowed, char copy[LONGEST + 1])
{
    if (length == 0 || length > LONGEST)
        return false;
    memcpy(copy, text, length);
    copy[length] = 0;
    return strlen(copy) == length && strspn(copy, allowed) == length;
}

bool lb_number_real(const char *text, size_t length, double *value)
{
    char copy[LONGEST + 1], *end;
    if (!copy_plain(text, length, "0123456789.+-eE", copy))
        return false;
    double number = strtod(copy, &end);
    if (end != copy + length || !isfinite(number))
        return false;
    *value = number;
    return true;
}

bool lb_number_whole(const char *text, size_t length, int64_t low, int64_t high, int64_t *value)
{
    char copy[LONGEST + 1], *end;
    if (!copy_plain(text, length, "0123456789+-", copy))
        return false;
    errno = 0;
    long long number = strtoll(copy, &end, 10);
    if (end != copy + length || errno || number < low || number > high)
        return false;
    *value = number;
    return true;
}
