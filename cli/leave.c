#include "cli/leave.h"

#include "cli/status.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Also after --help and --version, where argp ends the program. */
static void check_output(int status, void *at_once)
{
    bool bad = ferror(stdout);
    if ((fclose(stdout) || bad) && status == CLI_DONE) {
        fputs("lbrender: standard output could not be written\n", stderr);
        _exit(CLI_FAILED);
    }
    if (at_once)
        _exit(status);
}

void cli_leave_checked(void)
{
    on_exit(check_output, NULL);
}

/* Handlers run in the reverse of their order, and this one does not come back. */
void cli_leave_at_once(void)
{
    static char yes;
    on_exit(check_output, &yes);
}
