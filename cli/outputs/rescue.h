/* What cannot be written to its place when the work is done, as on a disk that has become full, goes to a folder for
 * temporary files. */
#ifndef LB_CLI_OUTPUTS_RESCUE_H
#define LB_CLI_OUTPUTS_RESCUE_H

#include "cli/console/console.h"

#include <stdbool.h>

/* Writes `what` to `file`. */
typedef enum lb_status cli_rescue_writer(const char *file, const void *what, struct lb_error *error);

/* Writes to `file`, or where that fails to a file of its name in a new folder in $TMPDIR (/tmp), which is told as an
 * error is; the status is LB_OK then too, and `*elsewhere`, where it is wanted, the file's name, the caller's to free
 * (else NULL). Devices, pipes and standard output are not replaced by anything. */
enum lb_status cli_rescue_write(struct cli_console *console, const char *file, cli_rescue_writer *writer,
                                const void *what, char **elsewhere, struct lb_error *error);
/* Went anything elsewhere? The program does not end with status 0 then. */
bool cli_rescue_used(void);

#endif
