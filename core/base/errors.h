/* Collects several errors of one input, so that a user sees all of them at once. */
#ifndef LB_CORE_BASE_ERRORS_H
#define LB_CORE_BASE_ERRORS_H

#include "core/base/error.h"

#include <stddef.h>

enum { LB_ERRORS_SHOWN = 20 };

/* A zeroed struct holds no error. */
struct lb_errors {
    struct lb_error shown[LB_ERRORS_SHOWN];
    size_t count; /* of all errors; not all of them may be shown */
};

/* Keeps an error, so that whoever found it can go on. An error with the same words is kept once. In the end they are
 * sorted by file, line and column, whichever was found first. */
void lb_errors_keep(struct lb_errors *errors, const struct lb_error *error);
/* What the reader of the input returns in the end: LB_OK where no error was kept. Where there are several, all but the
 * last go to the log; *error (may be NULL) is the last one, or says how many more errors `name` has. */
enum lb_status lb_errors_end(const struct lb_errors *errors, const char *name, const struct lb_log *log,
                             struct lb_error *error);

#endif
