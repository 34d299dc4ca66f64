/* What rendering keeps from its start to its end: render.c opens and closes it, and renders frame after frame;
 * render_frame.c renders one; deliver.c writes the files of a complete one, partial.c those of one that is not. */
#ifndef LB_CLI_ACTIONS_JOB_H
#define LB_CLI_ACTIONS_JOB_H

#include "cli/outputs/outputs.h"
#include "cli/outputs/parts.h"
#include "cli/outputs/picture.h"
#include "cli/session/session.h"
#include "core/display/display.h"
#include "core/image/denoise.h"

struct cli_job {
    struct cli_session s;
    struct cli_picture picture;
    struct cli_outputs outputs;
    double report_due;            /* when the report may be written next, while frames are rendered */
    struct lb_denoiser *denoiser; /* NULL: the noise stays */
    bool noisy;                   /* a picture was to be denoised, and is not */
    struct lb_display *display;   /* NULL: nobody looks */
    struct cli_parts parts;       /* of the frame that is rendered, */
    const char *file;             /* and its picture's name, or NULL */
};

#endif
