#include "core/base/error.h"

#include <stdio.h>

enum lb_status lb_error_setv(struct lb_error *error, enum lb_status status, const char *format,
                             va_list arguments)
{
    if (error) {
        error->status = status;
        vsnprintf(error->message, sizeof error->message, format, arguments);
    }
    return status;
}

enum lb_status lb_error_set(struct lb_error *error, enum lb_status status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    lb_error_setv(error, status, format, arguments);
    va_end(arguments);
    return status;
}

enum lb_status lb_error_memory(struct lb_error *error, const char *what)
{
    return lb_error_set(error, LB_ERROR_MEMORY, "%s%sout of memory", what ? what : "", what ? ": " : "");
}

void lb_log_write(const struct lb_log *log, enum lb_level level, const char *format, ...)
{
    if (!log || !log->write)
        return;
    char message[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    log->write(log->user, level, message);
}
