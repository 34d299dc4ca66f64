#include "cli/console/console.h"

#include "cli/console/status.h"
#include "core/base/printable.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void cli_console_open(struct cli_console *console, bool quiet, bool verbose)
{
    *console = (struct cli_console){.quiet = quiet, .verbose = verbose};
    pthread_mutex_init(&console->lock, NULL);
}

/* Writes a message by one call, so that lines stay whole where several programs share a terminal. */
static void put(struct cli_console *console, const char *text)
{
    pthread_mutex_lock(&console->lock);
    fprintf(stderr, "%s%s", console->bar ? "\r\033[K" : "", text);
    fflush(stderr);
    console->bar = false;
    pthread_mutex_unlock(&console->lock);
}

/* A message may hold names of files with any bytes in them: they are shown such that the message stays one line and
 * nothing in it controls the terminal. */
static void put_line(struct cli_console *console, const char *prefix, const char *message)
{
    char line[32 + 4 * sizeof((struct lb_error){0}.message)]; /* no byte is shown by more than four */
    size_t length = strlen(message), end = (size_t)snprintf(line, 32, "lbrender: %s", prefix);
    for (size_t at = 0; at < length && end + LB_SHOWN_MOST + 1 < sizeof line;) {
        at += lb_printable_next(message + at, length - at, line + end);
        end += strlen(line + end);
    }
    snprintf(line + end, sizeof line - end, "\n");
    put(console, line);
}

static void write_log(void *user, enum lb_level level, const char *message)
{
    struct cli_console *console = user;
    if (level != LB_ALSO && (console->quiet || (level == LB_NOTE && !console->verbose)))
        return;
    put_line(console, level == LB_WARNING ? "warning: " : "", message);
}

struct lb_log cli_console_log(struct cli_console *console)
{
    return (struct lb_log){write_log, console};
}

int cli_console_error(struct cli_console *console, const struct lb_error *error)
{
    put_line(console, "", error->message);
    return error->status == LB_ERROR_USAGE ? CLI_USAGE : CLI_FAILED;
}

void cli_console_text(struct cli_console *console, const char *text)
{
    if (!console->quiet)
        put(console, text);
}

void cli_console_note(struct cli_console *console, const char *format, ...)
{
    char message[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    if (!console->quiet)
        put_line(console, "note: ", message);
}

void cli_console_bar(struct cli_console *console, const char *text)
{
    pthread_mutex_lock(&console->lock);
    if (console->bar || *text)
        fprintf(stderr, "\r\033[K%s", text);
    fflush(stderr);
    console->bar = *text != 0;
    pthread_mutex_unlock(&console->lock);
}

/* The stream has no buffer, so this gets all that one call printed: a newline that is not at the end is part of a
 * name. */
static ssize_t write_printable(void *unused, const char *text, size_t length)
{
    (void)unused;
    struct lb_text out = {0};
    for (size_t at = 0; at < length;) {
        char shown[LB_SHOWN_MOST] = "\n";
        at += at + 1 == length && text[at] == '\n' ? 1 : lb_printable_next(text + at, length - at, shown);
        lb_text_add(&out, "%s", shown);
    }
    char *line = lb_text_take(&out);
    ssize_t written = line ? write(STDERR_FILENO, line, strlen(line)) : -1;
    free(line);
    return written < 0 ? 0 : (ssize_t)length;
}

FILE *cli_console_stream(void)
{
    FILE *stream = fopencookie(NULL, "w", (cookie_io_functions_t){.write = write_printable});
    if (stream)
        setvbuf(stream, NULL, _IONBF, 0);
    return stream;
}
