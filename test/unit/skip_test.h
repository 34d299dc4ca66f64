#ifndef LB_SKIP_TEST_H
#define LB_SKIP_TEST_H

/* Include after <cmocka.h>. */

#include <glob.h>
#include <unistd.h>

/* Skips the running test unless a file matches `pattern`, with a line that says so: test/run.sh shows it. */
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
