#include "core/report/report.h"
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

static void write_row(struct lb_text *out, const struct lb_report *report,
                      const struct lb_report_frame *frame, const struct lb_report_processor *p)
{
    const struct lb_report_balance *b = &frame->all;
    write_quoted(out, report->scene);
    lb_text_add(out, ",%s,%u,%s,%s,%.9g,%.9g,%llu,%llu,%llu,%llu,%llu", report->strategy, frame->frame,
                p->name, lb_processor_kind_name(p->kind), p->weight, p->share, (unsigned long long)p->ranges,
                (unsigned long long)p->failed, (unsigned long long)p->pixels, (unsigned long long)p->samples,
                (unsigned long long)p->rays);
    lb_text_add(out, ",%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%s,%d", p->busy_seconds, p->busy_cpu_seconds,
                p->idle_seconds, p->transfer_seconds, p->finish_seconds, p->speed,
                lb_source_name(p->speed_source), p->lost);
    lb_text_add(out, ",%.9g,%.9g,%.9g,%.9g,", b->t, b->t_min, b->imbalance, b->efficiency);
    write_quoted(out, frame->file ? frame->file : "");
    if (frame->file)
        lb_text_add(out, ",%08x\n", frame->checksum);
    else
        lb_text_add(out, ",\n");
}

char *lb_report_csv(const struct lb_report *report)
{
    struct lb_text text = {0}, *out = &text;
    lb_text_add(out,
                "scene,strategy,frame,name,kind,weight,share,ranges,failed,pixels,samples,rays,busy_seconds,"
                "busy_cpu_seconds,idle_seconds,transfer_seconds,finish_seconds,speed,speed_source,lost,t,t_"
                "min,imbalance,"
                "efficiency,file,checksum\n");
    for (uint32_t i = 0; i < report->frame_count; i++)
        for (uint32_t j = 0; j < report->frames[i].all.processor_count; j++)
            write_row(out, report, &report->frames[i], &report->frames[i].all.processors[j]);
    return lb_text_take(out);
}
