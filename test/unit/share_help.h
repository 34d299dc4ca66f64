/* How much of what is random a test tries. */
#ifndef LB_TEST_UNIT_SHARE_HELP_H
#define LB_TEST_UNIT_SHARE_HELP_H

#include <stdint.h>
#include <stdlib.h>

/* LB_TEST_SHARE=N: every N-th of the random cases alone, as under sanitizers, where a case takes many times as long. */
static inline uint32_t test_share(void)
{
    const char *text = getenv("LB_TEST_SHARE");
    unsigned long share = text ? strtoul(text, NULL, 10) : 1;
    return share < 1 || share > 1000 ? 1 : (uint32_t)share;
}

/* Of `all` cases so many, at least one. */
static inline uint32_t share_of(uint32_t all)
{
    return (all + test_share() - 1) / test_share();
}

#endif
