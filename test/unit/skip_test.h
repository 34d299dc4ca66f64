#ifndef LB_SKIP_TEST_H
#define LB_SKIP_TEST_H

/* Lets a test be skipped where what it needs is missing. To be included after <cmocka.h>. */

#include <glob.h>
#include <stdio.h>
#include <unistd.h>

/* Skips the test that is running, and prints a line that says why, which test/run.sh shows. */
static inline void skip_because(const char *reason)
{
    print_message("# skipped: %s\n", reason);
    skip();
}

/* Skips the test that is running unless a file matches `pattern`. */
static inline void skip_without(const char *pattern)
{
    glob_t found = {0};
    int missing = glob(pattern, 0, NULL, &found);
    globfree(&found);
    char reason[512];
    snprintf(reason, sizeof reason, "there is no %.400s", pattern);
    if (missing)
        skip_because(reason);
}

#endif
