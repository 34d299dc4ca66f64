#include "core/report/report_forms.h"

#include "core/base/printable.h"

#include <string.h>

/* A field in quotes (RFC 4180), a line. */
static void write_quoted(struct lb_text *out, const char *text)
{
    lb_text_add(out, "\"");
    for (size_t at = 0, length = strlen(text); at < length;) {
        char shown[LB_SHOWN_MOST];
        at += lb_printable_next(text + at, length - at, shown);
        lb_text_add(out, *shown == '"' ? "\"%s" : "%s", shown);
    }
    lb_text_add(out, "\"");
}

static void write_names(struct lb_text *out, const struct lb_figures *figures)
{
    for (size_t i = 0; i < figures->count; i++)
        if (figures->items[i].told == LB_TOLD_ALL)
            lb_text_add(out, ",%s", figures->items[i].name);
}

static void write_figure(struct lb_text *out, const struct lb_figure *figure, const void *of)
{
    switch (figure->kind) {
    case LB_FIGURE_NAME:
    case LB_FIGURE_DEVICE:
    case LB_FIGURE_SOURCE:
        lb_text_add(out, ",%s", lb_figure_word(figure, of));
        return;
    case LB_FIGURE_COUNT:
    case LB_FIGURE_FLAG:
        lb_text_add(out, ",%llu", (unsigned long long)lb_figure_count(figure, of));
        return;
    default:
        lb_text_add(out, ",%.9g", lb_figure_number(figure, of));
    }
}

static void write_figures(struct lb_text *out, const struct lb_figures *figures, const void *of)
{
    for (size_t i = 0; i < figures->count; i++)
        if (figures->items[i].told == LB_TOLD_ALL)
            write_figure(out, &figures->items[i], of);
}

static void write_row(struct lb_text *out, const struct lb_report *report,
                      const struct lb_report_frame *frame, const struct lb_report_processor *p)
{
    write_quoted(out, report->scene);
    lb_text_add(out, ",%s,%u", report->strategy, frame->frame);
    write_figures(out, &lb_processor_figures, p);
    write_figures(out, &lb_balance_figures, &frame->all);
    lb_text_add(out, ",");
    write_quoted(out, frame->file ? frame->file : "");
    if (frame->file)
        lb_text_add(out, ",%08x\n", frame->checksum);
    else
        lb_text_add(out, ",\n");
}

char *lb_report_csv(const struct lb_report *report)
{
    struct lb_text text = {0}, *out = &text;
    lb_text_add(out, "scene,strategy,frame");
    write_names(out, &lb_processor_figures);
    write_names(out, &lb_balance_figures);
    lb_text_add(out, ",file,checksum\n");
    for (uint32_t i = 0; i < report->frame_count; i++)
        for (uint32_t j = 0; j < report->frames[i].all.processor_count; j++)
            write_row(out, report, &report->frames[i], &report->frames[i].all.processors[j]);
    return lb_text_take(out);
}
