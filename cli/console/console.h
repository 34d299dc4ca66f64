/* Standard error, shared by messages of any thread and the progress bar. */
#ifndef LB_CLI_CONSOLE_CONSOLE_H
#define LB_CLI_CONSOLE_CONSOLE_H

#include "core/base/error.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>

struct cli_console {
    pthread_mutex_t lock;
    bool quiet, verbose;
    bool bar; /* a bar stands on the last line: it is wiped before anything else is written */
};

void cli_console_open(struct cli_console *console, bool quiet, bool verbose);
/* All messages are shown as lb_printable_next shows them: a name in them may hold anything. */

/* Warnings (unless quiet) and notes (when verbose), a line each; for the modules of core/. From any thread. */
struct lb_log cli_console_log(struct cli_console *console);
/* "lbrender: message"; always. Returns the exit status that the error means. */
int cli_console_error(struct cli_console *console, const struct lb_error *error);
/* "lbrender: note: message", unless quiet: also without -v. */
void cli_console_note(struct cli_console *console, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Text with its newlines, which is printable already, unless quiet. */
void cli_console_text(struct cli_console *console, const char *text);
/* The bar's new text; "" wipes it. */
void cli_console_bar(struct cli_console *console, const char *text);

/* A stream whose lines go to standard error in printable form: for libraries that print messages themselves. NULL: out
 * of memory. */
FILE *cli_console_stream(void);

#endif
