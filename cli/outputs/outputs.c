#include "cli/outputs/outputs.h"

#include "cli/options/rules.h"
#include "cli/outputs/names.h"
#include "cli/outputs/output_check.h"
#include "cli/outputs/rescue.h"
#include "core/base/grow.h"
#include "core/base/replace.h"
#include "core/maps/maps.h"
#include "core/picture/picture.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum lb_status cli_outputs_open(struct cli_outputs *outputs, const struct cli_options *options,
                                const struct cli_picture *picture, const struct lb_loaded *scene,
                                struct lb_error *error)
{
    enum lb_status status = cli_output_check_begin(options, picture, scene, error);
    if (status != LB_OK)
        return status;
    if (options->trace)
        outputs->trace = lb_trace_open();
    return outputs->trace || !options->trace ? LB_OK : lb_error_memory(error, NULL);
}

/* ---- a frame ---- */

static enum lb_status write_estimate(const char *file, const void *what, struct lb_error *error)
{
    const struct lb_estimate *found = what;
    return lb_cost_map_write(file, found->width, found->height, found->cost, "", error);
}

/* Writes what a probe found beside the cost map `name`. */
static enum lb_status keep_estimate(struct cli_console *console, const char *name,
                                    const struct lb_estimate *found, enum lb_probe probe,
                                    struct lb_error *error)
{
    char *beside = cli_name_estimate(name, probe);
    struct lb_log log = cli_console_log(console);
    enum lb_status status = beside ? LB_OK : lb_error_memory(error, NULL);
    if (beside && found->cost)
        status = cli_rescue_write(console, beside, write_estimate, found, NULL, error);
    else if (beside)
        lb_log_write(&log, LB_WARNING, "%s is not written: no processor is left that could make it", beside);
    free(beside);
    return status;
}

struct cost_map {
    const struct lb_frame *frame;
    const char *unit;
};

static enum lb_status write_costs(const char *file, const void *what, struct lb_error *error)
{
    const struct cost_map *map = what;
    return lb_cost_map_write(file, map->frame->width, map->frame->height, map->frame->cost, map->unit, error);
}

static enum lb_status write_cost_map(struct cli_console *console, const struct cli_options *options,
                                     const struct lb_frame *frame, struct lb_error *error)
{
    struct cost_map map = {frame, options->settings.cost_in_seconds ? "s" : "steps"};
    char *name = cli_name_frame(options->cost_map, frame->report.frame, options->frames.given);
    if (!name)
        return lb_error_memory(error, NULL);
    enum lb_status status = cli_rescue_write(console, name, write_costs, &map, NULL, error);
    int probes = cli_options_want_estimates(options) ? LB_PROBES : 0;
    for (int probe = LB_PROBE_NONE + 1; probe < probes && status == LB_OK; probe++)
        status = keep_estimate(console, name, &frame->estimates[probe], (enum lb_probe)probe, error);
    free(name);
    return status;
}

static enum lb_status write_owners(const char *file, const void *what, struct lb_error *error)
{
    const struct lb_frame *frame = what;
    return lb_partition_map_write(file, frame->width, frame->height, frame->owned, &frame->report.all, error);
}

static enum lb_status write_partition_map(const struct cli_outputs *outputs,
                                          const struct cli_options *options, const struct lb_frame *frame,
                                          struct lb_error *error)
{
    struct cli_console *console = outputs->console;
    char *name = cli_name_frame(options->partition_map, frame->report.frame, options->frames.given);
    if (name && outputs->strategy) {
        char *whole = name;
        name = cli_name_racer(whole, outputs->strategy);
        free(whole);
    }
    enum lb_status status = name ? cli_rescue_write(console, name, write_owners, frame, NULL, error)
                                 : lb_error_memory(error, NULL);
    free(name);
    return status;
}

/* Makes what a page shows of the frame. Pictures are left out once those of earlier frames take 64 MiB, since browsers
 * become slow on larger pages. */
static enum lb_status make_view(struct cli_outputs *outputs, const struct cli_options *options,
                                const struct lb_frame *frame, const float *colors, struct lb_error *error)
{
    enum { MOST_BYTES = 64 << 20 };
    bool room = outputs->view_bytes < MOST_BYTES;
    struct lb_view_source source = {.width = frame->width,
                                    .height = frame->height,
                                    .pixels = room && !outputs->strategy ? frame->pixels : NULL,
                                    .channels = &frame->channels,
                                    .sums = frame->sums,
                                    .colors = colors,
                                    .owned = room ? frame->owned : NULL,
                                    .cost = room && !outputs->strategy ? frame->cost : NULL,
                                    .cost_in_seconds = options->settings.cost_in_seconds,
                                    .spans = frame->spans,
                                    .span_count = frame->span_count};
    lb_view_free(outputs->view);
    outputs->view = lb_view_make(&source);
    if (!outputs->view)
        return lb_error_memory(error, NULL);
    outputs->view_bytes += lb_view_size(outputs->view);
    return LB_OK;
}

struct lb_view *cli_outputs_view(struct cli_outputs *outputs)
{
    struct lb_view *view = outputs->view;
    outputs->view = NULL;
    return view;
}

enum lb_status cli_outputs_frame(struct cli_outputs *outputs, const struct cli_options *options,
                                 const struct lb_frame *frame, const float *colors, double start,
                                 struct lb_error *error)
{
    enum lb_status status = LB_OK;
    struct lb_log log = cli_console_log(outputs->console);
    bool rendered = frame->report.pass_count > 0;
    if (!rendered && (options->partition_map || options->cost_map))
        lb_log_write(&log, LB_WARNING, "nothing was left to render: there is no map of it");
    if (options->partition_map && rendered)
        status = frame->owned ? write_partition_map(outputs, options, frame, error)
                              : lb_error_set(error, LB_ERROR, "%s: nothing tells who rendered what",
                                             options->partition_map);
    if (status == LB_OK && options->cost_map && rendered)
        status = frame->cost
                     ? write_cost_map(outputs->console, options, frame, error)
                     : lb_error_set(error, LB_ERROR, "%s: nothing tells what pixels cost", options->cost_map);
    if (status == LB_OK && outputs->trace &&
        !lb_trace_add(outputs->trace, &frame->report, frame->spans, frame->span_count, start))
        status = lb_error_memory(error, NULL);
    if (status == LB_OK && cli_options_want_page(options))
        status = make_view(outputs, options, frame, colors, error);
    if (status == LB_OK && *frame->described) {
        free(outputs->described);
        outputs->described = strdup(frame->described);
    }
    return status;
}

enum lb_status cli_outputs_keep(struct cli_outputs *outputs, const struct cli_options *options,
                                const struct lb_report_frame *frame, const lb_scene *scene,
                                struct lb_error *error)
{
    struct lb_report_frame *frames =
        lb_grow(outputs->frames, &outputs->frame_capacity, (size_t)outputs->frame_count + 1, sizeof *frames);
    if (!frames) {
        struct lb_report_frame dropped = *frame;
        lb_report_frame_free(&dropped);
        return lb_error_memory(error, NULL);
    }
    outputs->frames = frames;
    outputs->frames[outputs->frame_count] = *frame;
    outputs->frames[outputs->frame_count++].view = cli_outputs_view(outputs);
    outputs->width = scene->film.width;
    outputs->height = scene->film.height;
    outputs->samples = cli_options_samples(options, scene);
    outputs->seed = scene->integrator.seed;
    return LB_OK;
}

/* ---- the end ---- */

static enum lb_status write_text(const char *file, const void *what, struct lb_error *error)
{
    return lb_file_replace(file, what, strlen(what), error);
}

enum lb_status cli_outputs_write(struct cli_console *console, const char *file, char *text,
                                 struct lb_error *error)
{
    enum lb_status status = LB_OK;
    if (!text)
        return lb_error_memory(error, NULL);
    if (strcmp(file, "-"))
        status = cli_rescue_write(console, file, write_text, text, NULL, error);
    else if ((fputs(text, stdout) == EOF || fflush(stdout)) &&
             errno != EPIPE) /* else its reader has enough */
        status = lb_error_set(error, LB_ERROR, "standard output: %s", strerror(errno));
    free(text);
    return status;
}

enum lb_status cli_outputs_write_reports(struct cli_console *console, const struct cli_options *options,
                                         bool standard, cli_report_text *text, const void *reported,
                                         struct lb_error *error)
{
    enum lb_status status = LB_OK;
    for (uint32_t i = 0; i < options->report_count && status == LB_OK; i++) {
        const char *file = options->reports[i];
        if (standard || strcmp(file, "-"))
            status = cli_outputs_write(console, file,
                                       text(reported, cli_options_report_format(options, file)), error);
    }
    return status;
}

static char *report_text(const void *report, enum lb_report_format format)
{
    return lb_report_write(report, format);
}

enum lb_status cli_outputs_report(struct cli_outputs *outputs, const struct cli_options *options,
                                  struct cli_console *console, struct lb_report *report,
                                  struct lb_error *error)
{
    enum lb_status status = LB_OK;
    if (!console->quiet && report->frame_count) {
        char *text = lb_report_write(report, LB_REPORT_TEXT);
        if (!text)
            return lb_error_memory(error, NULL);
        cli_console_text(console, text);
        free(text);
    }
    status = cli_outputs_write_reports(console, options, true, report_text, report, error);
    /* The trace is written even if the report failed; of two errors the first is told. */
    if (outputs->trace) {
        bool fine = status == LB_OK;
        enum lb_status traced =
            cli_outputs_write(console, options->trace, lb_trace_text(outputs->trace), fine ? error : NULL);
        status = fine ? traced : status;
    }
    return status;
}

static void fill_report(const struct cli_outputs *outputs, struct lb_report *report)
{
    report->frames = outputs->frames;
    report->frame_count = outputs->frame_count;
    report->run.width = outputs->width;
    report->run.height = outputs->height;
    report->run.spp = outputs->samples;
    report->run.seed = outputs->seed;
    report->chosen = outputs->described;
}

enum lb_status cli_outputs_so_far(struct cli_outputs *outputs, const struct cli_options *options,
                                  struct cli_console *console, struct lb_report *report,
                                  struct lb_error *error)
{
    fill_report(outputs, report);
    return cli_outputs_write_reports(console, options, false, report_text, report, error);
}

enum lb_status cli_outputs_finish(struct cli_outputs *outputs, const struct cli_options *options,
                                  struct cli_console *console, struct lb_report *report,
                                  struct lb_error *error)
{
    fill_report(outputs, report);
    return cli_outputs_report(outputs, options, console, report, error);
}

void cli_outputs_free(struct cli_outputs *outputs)
{
    for (uint32_t i = 0; i < outputs->frame_count; i++) {
        free(outputs->frames[i].file);
        lb_report_frame_free(&outputs->frames[i]);
    }
    free(outputs->frames);
    free(outputs->described);
    lb_view_free(outputs->view);
    lb_trace_close(outputs->trace);
}
