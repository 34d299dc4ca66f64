/* Numbers that are spread evenly and the same on every run, for tests. */
#ifndef LB_TEST_UNIT_UNIFORM_HELP_H
#define LB_TEST_UNIT_UNIFORM_HELP_H

#include <stdlib.h>

static inline double uniform(double low, double high)
{
    return low + (high - low) * (double)random() / 2147483648.0;
}

#endif
