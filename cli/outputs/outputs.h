/* The files beside the picture: report, trace, maps. */
#ifndef LB_CLI_OUTPUTS_OUTPUTS_H
#define LB_CLI_OUTPUTS_OUTPUTS_H

#include "cli/console/console.h"
#include "cli/options/options.h"
#include "cli/outputs/picture.h"
#include "core/kernel/scene/scene.h"
#include "core/run/frame.h"
#include "core/report/trace.h"
#include "core/scene/load.h"

struct cli_outputs {
    struct cli_console
        *console;           /* set before it is opened: it is told where what could not be written went */
    struct lb_trace *trace; /* NULL: not wanted */
    struct lb_report_frame *frames;
    uint32_t frame_count;
    size_t frame_capacity;
    uint32_t width, height, samples, seed;
    const char *strategy; /* of a race, whose word stands in its map's name; NULL: there is no race */
    char *described;      /* by the strategy, of the last frame */
    struct lb_view *view; /* for a page, of the frame that is neither kept nor taken yet; NULL: none */
    size_t view_bytes;    /* of all frames' pictures on the page */
};

/* Checks the files of all frames (cli_output_check_begin) before the first is rendered. `picture` and `scene` are NULL
 * where none is rendered. */
enum lb_status cli_outputs_open(struct cli_outputs *outputs, const struct cli_options *options,
                                const struct cli_picture *picture, const struct lb_loaded *scene,
                                struct lb_error *error);
/* Writes a frame's maps and takes its spans; `colors`: of the picture that was written (lb_film_picture.colors), or
 * NULL: its pixels'. `start`: seconds from the run's start to the frame's. */
enum lb_status cli_outputs_frame(struct cli_outputs *outputs, const struct cli_options *options,
                                 const struct lb_frame *frame, const float *colors, double start,
                                 struct lb_error *error);
/* What a page shows of the last frame, for whoever keeps its report elsewhere; released by lb_view_free. NULL: no page
 * is wanted. */
struct lb_view *cli_outputs_view(struct cli_outputs *outputs);
/* Takes a frame's report over, with its arrays and its file's name, also when it fails. */
enum lb_status cli_outputs_keep(struct cli_outputs *outputs, const struct cli_options *options,
                                const struct lb_report_frame *frame, const lb_scene *scene,
                                struct lb_error *error);
/* Writes report and trace; `report` lacks only what the frames know. */
enum lb_status cli_outputs_finish(struct cli_outputs *outputs, const struct cli_options *options,
                                  struct cli_console *console, struct lb_report *report,
                                  struct lb_error *error);
/* Writes the report, where it goes to a file, of the frames until now. */
enum lb_status cli_outputs_so_far(struct cli_outputs *outputs, const struct cli_options *options,
                                  struct cli_console *console, struct lb_report *report,
                                  struct lb_error *error);
/* Report and trace of what `report` holds already. */
enum lb_status cli_outputs_report(struct cli_outputs *outputs, const struct cli_options *options,
                                  struct cli_console *console, struct lb_report *report,
                                  struct lb_error *error);
/* Writes to a file (cli_rescue_write), or - for standard output, and takes `text`, which may be NULL: out of memory. */
enum lb_status cli_outputs_write(struct cli_console *console, const char *file, char *text,
                                 struct lb_error *error);
/* What is reported as text, the caller's to free; NULL: out of memory. */
typedef char *cli_report_text(const void *reported, enum lb_report_format format);
/* Writes each --report; those to standard output only where `standard`. */
enum lb_status cli_outputs_write_reports(struct cli_console *console, const struct cli_options *options,
                                         bool standard, cli_report_text *text, const void *reported,
                                         struct lb_error *error);
void cli_outputs_free(struct cli_outputs *outputs);

#endif
