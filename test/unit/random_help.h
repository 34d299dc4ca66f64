/* Numbers that look random and are the same on every run, for tests. */
#ifndef LB_TEST_UNIT_RANDOM_HELP_H
#define LB_TEST_UNIT_RANDOM_HELP_H

#include <stdint.h>

static uint64_t random_state = 1;

/* In 0 .. limit - 1. */
static uint32_t random_below(uint32_t limit)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((random_state >> 33) % limit);
}

static inline double between(double low, double high)
{
    return low + (high - low) * (double)random_below(1 << 24) / (double)(1 << 24);
}

#endif
