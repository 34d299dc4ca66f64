#ifndef LB_SKIP_TEST_H
#define LB_SKIP_TEST_H

/* Lets a test be skipped where what it needs is missing. To be included after <cmocka.h>. */

#include <glob.h>
#include <unistd.h>

/* Skips the test that is running unless a file matches `pattern`, and prints a line that says so, which test/run.sh
 * shows. */
static inline void skip_without(const char *pattern)
{
    glob_t found = {0};
    int missing = glob(pattern, 0, NULL, &found);
    globfree(&found);
    if (!missing)
        return;
    print_message("# skipped: there is no %s\n", pattern);
    skip();
}

#endif
