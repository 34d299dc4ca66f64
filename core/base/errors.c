#include "core/base/errors.h"

#include <string.h>

void lb_errors_keep(struct lb_errors *errors, const struct lb_error *error)
{
    for (size_t i = 0; i < errors->count && i < LB_ERRORS_SHOWN; i++)
        if (strcmp(errors->shown[i].message, error->message) == 0)
            return;
    if (errors->count < LB_ERRORS_SHOWN)
        errors->shown[errors->count] = *error;
    errors->count++;
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
