#include "core/base/error.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum lb_status lb_error_set(struct lb_error *error, enum lb_status status, const char *format, ...)
{
    if (!error)
        return status;
    va_list arguments;
    va_start(arguments, format);
    error->status = status;
    vsnprintf(error->message, sizeof error->message, format, arguments);
    va_end(arguments);
    return status;
}

/* The bytes of address space that the program has, which is what limits count; 0: not known. Takes no memory. */
static unsigned long long bytes_in_use(void)
{
    char text[64] = "";
    int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return 0;
    ssize_t length = read(file, text, sizeof text - 1);
    close(file);
    return length > 0 ? strtoull(text, NULL, 10) * (unsigned long long)sysconf(_SC_PAGESIZE) : 0;
}

enum lb_status lb_error_memory(struct lb_error *error, const char *what)
{
    unsigned long long bytes = bytes_in_use();
    char used[48] = "";
    if (bytes)
        snprintf(used, sizeof used, ", with %.3g GB in use", (double)bytes * 1e-9);
    return lb_error_set(error, LB_ERROR_MEMORY, "%s%sout of memory%s", what ? what : "", what ? ": " : "",
                        used);
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
