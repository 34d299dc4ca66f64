#ifndef LB_SKIP_TEST_H
#define LB_SKIP_TEST_H

/* Lets a test be skipped where what it needs is missing. To be included after <cmocka.h>. */

#include <unistd.h>

/* Skips the test that is running, and prints a line that says why, which test/run.sh shows. */
static inline void skip_because(const char *reason)
{
    print_message("# skipped: %s\n", reason);
    skip();
}

/* Skips the test that is running where the data beside this folder is missing as a whole. Where it is there, the test
 * must find all that it looks for in it: one name that is wrong would otherwise skip it for ever. */
static inline void skip_without_data(void)
{
    if (access("../shared/data", F_OK) != 0)
        skip_because("there is no ../shared/data");
}

#endif
