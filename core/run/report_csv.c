#include "core/run/report.h"

#include <stdio.h>
#include <stdlib.h>

/* A field in quotes (RFC 4180). */
static void write_quoted(FILE *file, const char *text)
{
    fputc('"', file);
    for (; *text; text++) {
        if (*text == '"')
            fputc('"', file);
        fputc(*text, file);
    }
    fputc('"', file);
}

static void write_row(FILE *file, const struct lb_report *report, const struct lb_report_frame *frame,
                      const struct lb_report_processor *p)
{
    const struct lb_report_balance *b = &frame->all;
    write_quoted(file, report->scene);
    fprintf(file, ",%s,%u,%s,%s,%.9g,%.9g,%llu,%llu,%llu,%llu,%llu", report->strategy, frame->frame, p->name,
            lb_processor_kind_name(p->kind), p->weight, p->share, (unsigned long long)p->ranges,
            (unsigned long long)p->failed, (unsigned long long)p->pixels, (unsigned long long)p->samples,
            (unsigned long long)p->rays);
    fprintf(file, ",%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%s,%d", p->busy_seconds, p->busy_cpu_seconds, p->idle_seconds,
            p->transfer_seconds, p->finish_seconds, p->speed, lb_source_name(p->speed_source), p->lost);
    fprintf(file, ",%.9g,%.9g,%.9g,%.9g,", b->t, b->t_min, b->imbalance, b->efficiency);
    write_quoted(file, frame->file ? frame->file : "");
    if (frame->file)
        fprintf(file, ",%08x\n", frame->checksum);
    else
        fputs(",\n", file);
}

char *lb_report_csv(const struct lb_report *report)
{
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    if (!file)
        return NULL;
    fputs("scene,strategy,frame,name,kind,weight,share,ranges,failed,pixels,samples,rays,busy_seconds,"
          "busy_cpu_seconds,idle_seconds,transfer_seconds,finish_seconds,speed,speed_source,lost,t,t_min,imbalance,"
          "efficiency,file,checksum\n",
          file);
    for (uint32_t i = 0; i < report->frame_count; i++)
        for (uint32_t j = 0; j < report->frames[i].all.processor_count; j++)
            write_row(file, report, &report->frames[i], &report->frames[i].all.processors[j]);
    if (fclose(file)) {
        free(text);
        return NULL;
    }
    return text;
}
