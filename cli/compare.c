#include "cli/compare.h"

#include "cli/outputs.h"
#include "cli/session.h"
#include "cli/status.h"
#include "core/image/image.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

enum lb_status cli_compare_print(const struct cli_options *options, struct lb_comparison *table,
                                 struct lb_error *error)
{
    lb_comparison_sort(table);
    bool elsewhere = options->report && strcmp(options->report, "-");
    enum lb_status status = LB_OK;
    if (options->report)
        status = cli_outputs_write(options->report, lb_comparison_write(table, cli_outputs_format(options)),
                                   error);
    if (status == LB_OK && (!options->report || (elsewhere && !options->quiet)))
        status = cli_outputs_write("-", lb_comparison_write(table, LB_REPORT_TEXT), error);
    return status;
}

/* ---- a real race ---- */

/* All start from the same weights. */
static void reset_weights(struct cli_session *s)
{
    for (uint32_t i = 0; i < s->team.devices.count; i++) {
        s->team.members[i].weight = s->team.devices.items[i].weight;
        s->team.members[i].weight_source = s->options->weights ? LB_SOURCE_GIVEN : LB_SOURCE_EQUAL;
        s->team.members[i].lost = false;
        s->team.members[i].last = (struct lb_measured){0};
    }
}

static enum lb_status incomplete(struct cli_session *s)
{
    int signal = atomic_load(s->stop);
    if (signal)
        return lb_error_set(&s->error, LB_ERROR, "stopped by %s: there is no table",
                            signal == SIGINT ? "SIGINT" : "SIGTERM");
    return lb_error_set(&s->error, LB_ERROR, "every processor was lost (%s)",
                        s->team.members[0].error.message);
}

/* The frames of one strategy; `checksums` (a frame each) must agree from the second strategy on. */
static enum lb_status run_strategy(struct cli_session *s, const struct lb_strategy *strategy,
                                   struct lb_report_frame *frames, uint32_t *checksums, bool first)
{
    const struct cli_frames *asked = &s->options->frames;
    uint32_t step = asked->given ? asked->step : 1, i = 0;
    enum lb_status status = LB_OK;
    bool started = false;
    for (uint64_t number = asked->first; number <= asked->last && status == LB_OK; number += step, i++) {
        struct lb_frame frame;
        status = cli_session_load(s, (uint32_t)number);
        if (status == LB_OK && !started)
            status = cli_session_start(s, strategy, false, false);
        started = true;
        if (status == LB_OK)
            status = cli_session_render(s, (uint32_t)number, &frame);
        if (status != LB_OK)
            return status;
        size_t bytes = frame.complete ? (size_t)frame.width * frame.height * sizeof *frame.pixels : 0;
        uint32_t checksum = lb_crc32c(0, frame.pixels, bytes);
        if (!frame.complete)
            status = incomplete(s);
        else if (!first && checksum != checksums[i])
            status = lb_error_set(&s->error, LB_ERROR, "the picture under %s is another one", strategy->name);
        checksums[i] = checksum;
        frames[i] = frame.report;
        frame.report = (struct lb_report_frame){0};
        lb_frame_free(&frame);
        /* A still stays loaded from strategy to strategy. */
        if (asked->given || s->team.devices.items[0].null_fail > 0)
            cli_session_unload(s);
    }
    return status;
}

static enum lb_status race(struct cli_session *s, struct lb_comparison *table)
{
    struct lb_report_frame *frames = calloc(table->frames, sizeof *frames);
    uint32_t *checksums = calloc(table->frames, sizeof *checksums);
    enum lb_status status =
        frames && checksums ? LB_OK : lb_error_set(&s->error, LB_ERROR_MEMORY, "out of memory");
    for (size_t i = 0; i < lb_strategy_count && status == LB_OK; i++) {
        reset_weights(s);
        lb_log_write(&s->log, LB_NOTE, "racing %s", lb_strategies[i]->name);
        status = run_strategy(s, lb_strategies[i], frames, checksums, i == 0);
        if (status == LB_OK)
            table->rows[table->row_count++] =
                lb_comparison_row_make(lb_strategies[i]->name, frames, table->frames);
        for (uint32_t j = 0; j < table->frames; j++)
            lb_report_frame_free(&frames[j]);
    }
    free(frames);
    free(checksums);
    return status;
}

int cli_compare(const struct cli_options *options, struct cli_console *console)
{
    struct cli_session s;
    struct lb_comparison_row *rows = calloc(lb_strategy_count, sizeof *rows);
    uint32_t step = options->frames.given ? options->frames.step : 1;
    struct lb_comparison table = {.scene = options->scene,
                                  .frames = (options->frames.last - options->frames.first) / step + 1,
                                  .rows = rows};
    enum lb_status status = cli_session_open(&s, options, console);
    if (status == LB_OK && !rows)
        status = lb_error_set(&s.error, LB_ERROR_MEMORY, "out of memory");
    if (status == LB_OK)
        status = cli_session_load(&s, options->frames.first);
    if (status == LB_OK) {
        table.width = s.scene.scene->film.width;
        table.height = s.scene.scene->film.height;
        table.samples = s.scene.scene->integrator.samples;
        table.processors = s.team.devices.count;
        status = race(&s, &table);
    }
    if (status == LB_OK)
        status = cli_compare_print(options, &table, &s.error);
    int result = status == LB_OK ? CLI_DONE : cli_session_fail(&s);
    if (status != LB_OK && s.stop && atomic_load(s.stop))
        result = CLI_SIGNALLED + atomic_load(s.stop);
    cli_session_close(&s);
    free(rows);
    return result;
}
