#include "core/base/steps.h"

#include "core/base/number.h"

#include <string.h>

bool lb_steps_parse(const char *text, size_t length, int64_t most, struct lb_steps *steps)
{
    enum { MOST_FACTOR = 1000 };
    const char *dots = memmem(text, length, "..", 2), *end = text + length;
    *steps = (struct lb_steps){.factor = 1};
    if (!dots)
        return false;
    const char *star = memchr(dots, '*', (size_t)(end - dots)), *last = dots + 2, *stop = star ? star : end;
    bool right = !star || lb_number_whole(star + 1, (size_t)(end - star) - 1, 2, MOST_FACTOR, &steps->factor);
    right = right && lb_number_whole(text, (size_t)(dots - text), 1, most, &steps->first) &&
            lb_number_whole(last, (size_t)(stop - last), steps->first, most, &steps->last);
    if (!right)
        *steps = (struct lb_steps){.factor = 1};
    return right;
}

int64_t lb_steps_next(const struct lb_steps *steps, int64_t at)
{
    if (at == 0)
        return steps->first;
    if (steps->factor > 1 && at > steps->last / steps->factor)
        return 0;
    int64_t next = steps->factor > 1 ? at * steps->factor : at + 1;
    return next <= steps->last ? next : 0;
}
