#include "core/base/errors.h"

#include <string.h>

/* strverscmp() compares digits as numbers, and so puts line 3 before line 21. */
void lb_errors_keep(struct lb_errors *errors, const struct lb_error *error)
{
    size_t kept = errors->count < LB_ERRORS_SHOWN ? errors->count : LB_ERRORS_SHOWN, at = 0;
    while (at < kept && strverscmp(errors->shown[at].message, error->message) < 0)
        at++;
    if (at < kept && strcmp(errors->shown[at].message, error->message) == 0)
        return;
    errors->count++;
    if (at == LB_ERRORS_SHOWN)
        return;
    size_t after = (kept < LB_ERRORS_SHOWN ? kept : LB_ERRORS_SHOWN - 1) - at;
    memmove(&errors->shown[at + 1], &errors->shown[at], after * sizeof *errors->shown);
    errors->shown[at] = *error;
}

enum lb_status lb_errors_end(const struct lb_errors *errors, const char *name, const struct lb_log *log,
                             struct lb_error *error)
{
    if (errors->count == 0)
        return LB_OK;
    size_t logged = errors->count <= LB_ERRORS_SHOWN ? errors->count - 1 : LB_ERRORS_SHOWN;
    for (size_t i = 0; i < logged; i++)
        lb_log_write(log, LB_ALSO, "%s", errors->shown[i].message);
    if (logged == LB_ERRORS_SHOWN)
        return lb_error_set(error, LB_ERROR, "%s: %zu more errors", name, errors->count - logged);
    const struct lb_error *last = &errors->shown[logged];
    return lb_error_set(error, last->status, "%s", last->message);
}
