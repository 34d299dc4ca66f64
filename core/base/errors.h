/* Several errors of one input, so that all can be mended at once. */
#ifndef LB_CORE_BASE_ERRORS_H
#define LB_CORE_BASE_ERRORS_H

#include "core/base/error.h"

#include <stddef.h>

enum { LB_ERRORS_SHOWN = 20 };

/* Zeroed there are none. */
struct lb_errors {
    struct lb_error shown[LB_ERRORS_SHOWN];
    size_t count; /* more than are shown, perhaps */
};

/* Keeps an error, after which its finder goes on; one that is kept already, word by word, only once. They come to be
 * sorted by file, line and column, whoever found them first. */
void lb_errors_keep(struct lb_errors *errors, const struct lb_error *error);
/* What there is to return in the end: LB_OK where no error was kept. Of several all but the last go to the log, and
 * *error (may be NULL) is the last, or says how many more there are in `name`. */
enum lb_status lb_errors_end(const struct lb_errors *errors, const char *name, const struct lb_log *log,
                             struct lb_error *error);

#endif
