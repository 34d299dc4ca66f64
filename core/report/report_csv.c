#include "core/report/report_forms.h"

#include "core/report/csv_text.h"

#include <stdio.h>

static void begin_row(struct lb_text *out, const struct lb_report *report,
                      const struct lb_report_frame *frame)
{
    lb_csv_quoted(out, report->run.scene);
    lb_text_add(out, ",%s,%u", report->strategy, frame->frame);
}

static void end_row(struct lb_text *out, const struct lb_report *report, const struct lb_report_frame *frame)
{
    lb_csv_figures(out, &lb_balance_figures, &frame->all);
    lb_csv_figures(out, &lb_run_figures, &report->run);
    lb_text_add(out, ",%d,", frame->incomplete);
    if (*frame->denoised_by)
        lb_csv_quoted(out, frame->denoised_by);
    lb_text_add(out, ",");
    lb_csv_quoted(out, frame->file ? frame->file : "");
    if (frame->file)
        lb_text_add(out, ",%08x\n", frame->checksum);
    else
        lb_text_add(out, ",\n");
}

/* A processor's row; below that of another host, those of the host's own processors, as host0.cpu0. */
static void write_rows(struct lb_text *out, const struct lb_report *report,
                       const struct lb_report_frame *frame, const struct lb_report_processor *p)
{
    begin_row(out, report, frame);
    lb_csv_figures(out, &lb_processor_figures, p);
    if (p->host)
        lb_csv_figures(out, &lb_host_figures, p->host);
    else
        lb_csv_blanks(out, &lb_host_figures);
    end_row(out, report, frame);
    for (uint32_t i = 0; p->host && i < p->host->processor_count; i++) {
        struct lb_report_host_processor inner = p->host->processors[i];
        snprintf(inner.name, sizeof inner.name, "%.15s.%.15s", p->name, p->host->processors[i].name);
        begin_row(out, report, frame);
        lb_csv_some(out, &lb_processor_figures, &lb_host_processor_figures, &inner);
        lb_csv_blanks(out, &lb_host_figures);
        end_row(out, report, frame);
    }
}

char *lb_report_csv(const struct lb_report *report)
{
    struct lb_text text = {0}, *out = &text;
    lb_text_add(out, "scene,strategy,frame");
    lb_csv_names(out, &lb_processor_figures);
    lb_csv_names(out, &lb_host_figures);
    lb_csv_names(out, &lb_balance_figures);
    lb_csv_names(out, &lb_run_figures);
    lb_text_add(out, ",incomplete,denoised_by,file,checksum\n");
    for (uint32_t i = 0; i < report->frame_count; i++)
        for (uint32_t j = 0; j < report->frames[i].all.processor_count; j++)
            write_rows(out, report, &report->frames[i], &report->frames[i].all.processors[j]);
    return lb_text_take(out);
}
