#include "cli/console.h"

#include "cli/status.h"

#include <stdio.h>

void cli_console_open(struct cli_console *console, bool quiet, bool verbose)
{
    *console = (struct cli_console){.quiet = quiet, .verbose = verbose};
    pthread_mutex_init(&console->lock, NULL);
}

/* One write a message, so that lines of several programs on one terminal stay whole. */
static void put(struct cli_console *console, const char *prefix, const char *text, const char *newline)
{
    pthread_mutex_lock(&console->lock);
    fprintf(stderr, "%s%s%s%s", console->bar ? "\r\033[K" : "", prefix, text, newline);
    fflush(stderr);
    console->bar = false;
    pthread_mutex_unlock(&console->lock);
}

static void write_log(void *user, enum lb_level level, const char *message)
{
    struct cli_console *console = user;
    if (console->quiet || (level == LB_NOTE && !console->verbose))
        return;
    put(console, level == LB_WARNING ? "lbrender: warning: " : "lbrender: ", message, "\n");
}

struct lb_log cli_console_log(struct cli_console *console)
{
    return (struct lb_log){write_log, console};
}

int cli_console_error(struct cli_console *console, const struct lb_error *error)
{
    put(console, "lbrender: ", error->message, "\n");
    return error->status == LB_ERROR_USAGE ? CLI_USAGE : CLI_FAILED;
}

void cli_console_text(struct cli_console *console, const char *text)
{
    if (!console->quiet)
        put(console, "", text, "");
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
