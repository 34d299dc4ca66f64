/* Makes messages that begin with a place in a scene file. */
#include "core/language/parameters.h"

#include <stdarg.h>
#include <stdio.h>

/* Replaces control characters: messages quote scene files, and must stay one line of text whatever was in the file. */
static void make_printable(char *text)
{
    for (; *text; text++)
        if ((unsigned char)*text < ' ' || *text == 0x7f)
            *text = '?';
}

static void format_at(char *message, size_t size, const struct lb_location *location, const char *format,
                      va_list arguments)
{
    int length = snprintf(message, size, "%s:%u:%u: ", location->file ? location->file : "scene",
                          location->line, location->column);
    if (length >= 0 && (size_t)length < size)
        vsnprintf(message + length, size - (size_t)length, format, arguments);
    make_printable(message);
}

enum lb_status lb_error_at(struct lb_error *error, const struct lb_location *location, const char *format,
                           ...)
{
    if (!error)
        return LB_ERROR;
    /* The message is made apart, as the arguments may point into error->message. */
    char message[sizeof error->message];
    va_list arguments;
    va_start(arguments, format);
    format_at(message, sizeof message, location, format, arguments);
    va_end(arguments);
    return lb_error_set(error, LB_ERROR, "%s", message);
}

void lb_log_at(const struct lb_log *log, enum lb_level level, const struct lb_location *location,
               const char *format, ...)
{
    char message[sizeof((struct lb_error *)0)->message];
    va_list arguments;
    va_start(arguments, format);
    format_at(message, sizeof message, location, format, arguments);
    va_end(arguments);
    lb_log_write(log, level, "%s", message);
}
