#include "cli/leave.h"

#include "cli/status.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <unistd.h>

/* Standard output that is closed is an error only where something was to go there: what failed before is known to
 * ferror(), what waits fails now, and closing what is closed is no loss. Also after --help and --version, where
 * argp ends the program. */
static void check_output(int status, void *at_once)
{
    bool bad = ferror(stdout), waiting = __fpending(stdout) > 0;
    bool closed = fclose(stdout) == 0;
    bad = bad || (!closed && (waiting || errno != EBADF));
    if (bad && (status == CLI_DONE || status == CLI_LOST)) {
        fputs("lbrender: standard output could not be written\n", stderr);
        _exit(CLI_FAILED);
    }
    if (at_once)
        _exit(status);
}

/* The next file that is opened, a picture perhaps, would take the place of a standard one that is closed. In that
 * place goes what cannot be read or written either. */
static void hold_place(int file, int flags)
{
    if (fcntl(file, F_GETFD) < 0 && errno == EBADF && open("/dev/null", flags) < 0)
        _exit(CLI_FAILED);
}

void cli_leave_checked(void)
{
    hold_place(STDIN_FILENO, O_WRONLY);
    hold_place(STDOUT_FILENO, O_RDONLY);
    hold_place(STDERR_FILENO, O_RDONLY);
    on_exit(check_output, NULL);
}

/* Handlers run in the reverse of their order, and this one does not come back. */
void cli_leave_at_once(void)
{
    static char yes;
    on_exit(check_output, &yes);
}
