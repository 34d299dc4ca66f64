#include "cli/outputs.h"

#include "cli/names.h"
#include "core/image/image.h"
#include "core/report/film_picture.h"
#include "core/report/maps.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static enum lb_status out_of_memory(struct lb_error *error)
{
    return lb_error_set(error, LB_ERROR_MEMORY, "out of memory");
}

static bool ends_in_pfm(const char *name)
{
    size_t length = strlen(name);
    return length > 4 && !strcasecmp(name + length - 4, ".pfm");
}

bool cli_outputs_estimate(const struct cli_options *options)
{
    return options->cost_map && ends_in_pfm(options->cost_map);
}

char *cli_outputs_estimate_name(const char *cost_map)
{
    size_t stem = strlen(cost_map) - 4, size = stem + sizeof ".estimate.pfm";
    char *name = malloc(size);
    if (name)
        snprintf(name, size, "%.*s.estimate.pfm", (int)stem, cost_map);
    return name;
}

/* A file of the command line. */
struct named {
    const char *option, *file; /* file NULL: not wanted */
};

/* No two names are the same, and none is the scene's or the costs'. */
static enum lb_status check_clashes(const struct named *outputs, size_t count,
                                    const struct cli_options *options, struct lb_error *error)
{
    const struct named inputs[] = {{"the scene", options->scene}, {"--costs", options->costs}};
    enum lb_status status = LB_OK;
    for (size_t i = 0; i < count && status == LB_OK; i++) {
        const char *file = outputs[i].file;
        if (!file || !strcmp(file, "-"))
            continue;
        for (size_t j = 0; j < i && status == LB_OK; j++)
            if (outputs[j].file && cli_name_same(file, outputs[j].file))
                status = lb_error_set(error, LB_ERROR_USAGE, "%s and %s are the same file: %s",
                                      outputs[j].option, outputs[i].option, file);
        for (size_t j = 0; j < 2 && status == LB_OK; j++)
            if (inputs[j].file && cli_name_same(file, inputs[j].file))
                status = lb_error_set(error, LB_ERROR_USAGE, "%s would overwrite %s: %s", outputs[i].option,
                                      inputs[j].option, file);
    }
    return status;
}

enum lb_status cli_outputs_open(struct cli_outputs *outputs, const struct cli_options *options,
                                const char *output, const lb_film *film, struct lb_error *error)
{
    char *beside = cli_outputs_estimate(options) ? cli_outputs_estimate_name(options->cost_map) : NULL;
    const struct named files[] = {
        {"the picture", output},           {"--partition-map", options->partition_map},
        {"--cost-map", options->cost_map}, {"--cost-map's estimate", beside},
        {"--report", options->report},     {"--trace", options->trace}};
    const size_t pictures = 4, count = sizeof files / sizeof *files;
    enum lb_status status = LB_OK;
    for (size_t i = 0; i < count && status == LB_OK; i++)
        if (files[i].file && strcmp(files[i].file, "-"))
            status = cli_name_check(files[i].file, error);
    for (size_t i = 0; film && i < pictures && status == LB_OK; i++)
        if (files[i].file)
            status = lb_film_check(files[i].file, film->width, film->height, error);
    if (status == LB_OK)
        status = check_clashes(files, count, options, error);
    free(beside);
    if (status == LB_OK && options->trace) {
        outputs->trace = lb_trace_open();
        status = outputs->trace ? LB_OK : out_of_memory(error);
    }
    return status;
}

/* ---- a frame ---- */

static enum lb_status write_cost_map(const struct cli_options *options, const struct lb_frame *frame,
                                     struct lb_error *error)
{
    char *name = cli_name_frame(options->cost_map, frame->report.frame, options->frames.given),
         *beside = NULL;
    if (!name)
        return out_of_memory(error);
    enum lb_status status = lb_cost_map_write(name, frame->width, frame->height, frame->cost, error);
    if (status == LB_OK && ends_in_pfm(name) && frame->estimate.cost) {
        beside = cli_outputs_estimate_name(name);
        status = beside ? lb_cost_map_write(beside, frame->estimate.width, frame->estimate.height,
                                            frame->estimate.cost, error)
                        : out_of_memory(error);
    }
    free(beside);
    free(name);
    return status;
}

static enum lb_status write_partition_map(const struct cli_options *options, const struct lb_frame *frame,
                                          struct lb_error *error)
{
    char *name = cli_name_frame(options->partition_map, frame->report.frame, options->frames.given);
    enum lb_status status =
        name ? lb_partition_map_write(name, frame->width, frame->height, frame->owners, error)
             : out_of_memory(error);
    free(name);
    return status;
}

enum lb_status cli_outputs_frame(struct cli_outputs *outputs, const struct cli_options *options,
                                 const struct lb_frame *frame, double start, struct lb_error *error)
{
    enum lb_status status = LB_OK;
    if (options->partition_map && frame->owners)
        status = write_partition_map(options, frame, error);
    if (status == LB_OK && options->cost_map && frame->cost)
        status = write_cost_map(options, frame, error);
    if (status == LB_OK && outputs->trace &&
        !lb_trace_add(outputs->trace, &frame->report, frame->spans, frame->span_count, start))
        status = out_of_memory(error);
    if (status == LB_OK && *frame->described) {
        free(outputs->described);
        outputs->described = strdup(frame->described);
    }
    return status;
}

enum lb_status cli_outputs_keep(struct cli_outputs *outputs, const struct lb_report_frame *frame,
                                const lb_scene *scene, struct lb_error *error)
{
    struct lb_report_frame *frames = realloc(outputs->frames, (outputs->frame_count + 1) * sizeof *frames);
    if (!frames) {
        struct lb_report_frame dropped = *frame;
        lb_report_frame_free(&dropped);
        return out_of_memory(error);
    }
    outputs->frames = frames;
    outputs->frames[outputs->frame_count++] = *frame;
    outputs->width = scene->film.width;
    outputs->height = scene->film.height;
    outputs->samples = scene->integrator.samples;
    outputs->seed = scene->integrator.seed;
    return LB_OK;
}

/* ---- the end ---- */

enum lb_report_format cli_outputs_format(const struct cli_options *options)
{
    size_t length = strlen(options->report);
    if (options->report_format_given)
        return options->report_format;
    if (length > 5 && !strcasecmp(options->report + length - 5, ".json"))
        return LB_REPORT_JSON;
    if (length > 4 && !strcasecmp(options->report + length - 4, ".csv"))
        return LB_REPORT_CSV;
    return LB_REPORT_TEXT;
}

enum lb_status cli_outputs_write(const char *file, char *text, struct lb_error *error)
{
    enum lb_status status = LB_OK;
    if (!text)
        return out_of_memory(error);
    if (strcmp(file, "-"))
        status = lb_file_replace(file, text, strlen(text), error);
    else if (fputs(text, stdout) == EOF || fflush(stdout))
        status = lb_error_set(error, LB_ERROR, "standard output: %s", strerror(errno));
    free(text);
    return status;
}

/* All rows of a screenful or two; the files hold all. */
enum { MOST_ROWS = 256 };

enum lb_status cli_outputs_report(struct cli_outputs *outputs, const struct cli_options *options,
                                  struct cli_console *console, struct lb_report *report,
                                  struct lb_error *error)
{
    enum lb_status status = LB_OK;
    if (!console->quiet && report->frame_count) {
        report->most_rows = MOST_ROWS;
        char *text = lb_report_write(report, LB_REPORT_TEXT);
        report->most_rows = 0;
        if (!text)
            return out_of_memory(error);
        cli_console_text(console, text);
        free(text);
    }
    if (options->report)
        status =
            cli_outputs_write(options->report, lb_report_write(report, cli_outputs_format(options)), error);
    if (status == LB_OK && outputs->trace)
        status = cli_outputs_write(options->trace, lb_trace_text(outputs->trace), error);
    return status;
}

enum lb_status cli_outputs_finish(struct cli_outputs *outputs, const struct cli_options *options,
                                  struct cli_console *console, struct lb_report *report,
                                  struct lb_error *error)
{
    report->frames = outputs->frames;
    report->frame_count = outputs->frame_count;
    report->width = outputs->width;
    report->height = outputs->height;
    report->samples = outputs->samples;
    report->seed = outputs->seed;
    report->chosen = outputs->described;
    return cli_outputs_report(outputs, options, console, report, error);
}

void cli_outputs_free(struct cli_outputs *outputs)
{
    for (uint32_t i = 0; i < outputs->frame_count; i++) {
        free((char *)outputs->frames[i].file);
        lb_report_frame_free(&outputs->frames[i]);
    }
    free(outputs->frames);
    free(outputs->described);
    lb_trace_close(outputs->trace);
}
