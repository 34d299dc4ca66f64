/* Whether every file that is wanted can be written, asked before the work and not after it. `picture` and `scene` are
 * NULL where none is rendered. */
#ifndef LB_CLI_OUTPUTS_OUTPUT_CHECK_H
#define LB_CLI_OUTPUTS_OUTPUT_CHECK_H

#include "cli/options/options.h"
#include "cli/outputs/picture.h"
#include "core/scene/load.h"

/* LB_ERROR_USAGE where two files of a frame would be the same one, or one is a file that is read: an input of the
 * command line or one that the scene names; an error where the folder of one does not let it be made, or the picture
 * does not fit its form. */
enum lb_status cli_output_check(const struct cli_options *options, const struct cli_picture *picture,
                                const struct lb_loaded *scene, struct lb_error *error);
/* cli_output_check() at the program's beginning: also removes the temporary files that an earlier run had to leave in
 * the folders of the outputs, and makes sure that there is room for the first frame's files. */
enum lb_status cli_output_check_begin(const struct cli_options *options, const struct cli_picture *picture,
                                      const struct lb_loaded *scene, struct lb_error *error);

#endif
