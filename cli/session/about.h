/* What reports say of the run as a whole. */
#ifndef LB_CLI_SESSION_ABOUT_H
#define LB_CLI_SESSION_ABOUT_H

#include "cli/session/session.h"
#include "core/report/report.h"

/* The command line, quoted so that a shell takes it for the same words; the caller's to free, NULL: out of memory. */
char *cli_about_command(int argc, char **argv);
/* All but the picture's size, samples and seed, until now. Its texts stay as long as the session. */
struct lb_report_run cli_about_run(const struct cli_session *s);

#endif
