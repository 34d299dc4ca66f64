#include "cli/console/leave.h"

#include "cli/console/status.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <unistd.h>

/* Did who reads a pipe close it, as head does when it has enough? Whoever does has no use for the rest. */
static bool reader_left(void)
{
    struct pollfd pipe = {.fd = STDOUT_FILENO, .events = POLLOUT};
    return poll(&pipe, 1, 0) == 1 && (pipe.revents & POLLERR) != 0;
}

/* Makes the exit status 1 where something could not be written to standard output. An earlier failure is known to
 * ferror(), and what is still in the buffer fails now; a standard output that is closed and was never needed is no
 * error. Also runs after --help and --version, where argp ends the program. */
static void check_output(int status, void *at_once)
{
    bool bad = ferror(stdout), waiting = __fpending(stdout) > 0, left = reader_left();
    bool closed = fclose(stdout) == 0;
    bad = bad || (!closed && (waiting || errno != EBADF));
    if (bad && !left && (status == CLI_DONE || status == CLI_LOST)) {
        fputs("lbrender: standard output could not be written\n", stderr);
        _exit(CLI_FAILED);
    }
    if (at_once)
        _exit(status);
}

/* Where standard input, output or error is closed, the next file that is opened, a picture perhaps, would get its
 * number, and messages would be written into it. So the number is given to a file that takes nothing. */
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

/* exit() calls handlers in the reverse of the order in which they were set. This one is set last and does not return,
 * so that no other one runs. */
void cli_leave_at_once(void)
{
    static char yes;
    on_exit(check_output, &yes);
}
