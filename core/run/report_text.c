#include "core/run/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Columns are fixed, so that reports of several runs align; a name too long for its column is cut. */
static void write_processor(FILE *file, const struct lb_report_processor *p)
{
    double pixels = (double)p->pixels * 1e-6;
    double rays = p->busy_seconds > 0 ? (double)p->rays * 1e-6 / p->busy_seconds : 0;
    fprintf(file, "%-10.10s %6.2f%% %6.2f%% %7llu %9.4f %8.2f %7.2fs %6.2fs %7.2fs %7.2fs", p->name, 100 * p->weight,
            100 * p->share, (unsigned long long)p->ranges, pixels, rays, p->busy_seconds, p->idle_seconds,
            p->transfer_seconds, p->finish_seconds);
    fputs(p->lost ? " lost\n" : "\n", file);
}

static void write_balance(FILE *file, const struct lb_report_balance *b)
{
    fprintf(file, "%-10s %7s %7s %7s %9s %8s %8s %7s %8s %8s\n", "processor", "weight", "share", "ranges", "Mpixel",
            "Mrays/s", "busy", "idle", "transfer", "finish");
    for (uint32_t i = 0; i < b->processor_count; i++)
        write_processor(file, &b->processors[i]);
    fprintf(file,
            "T %.2f s   Tmin %.2f s   imbalance %.1f %%   efficiency %.3f   steals %llu   lost %u   bad samples %llu\n",
            b->t, b->t_min, 100 * b->imbalance, b->efficiency, (unsigned long long)b->counts.steals_won, b->lost,
            (unsigned long long)b->bad_samples);
}

static void write_head(FILE *file, const struct lb_report *report)
{
    const char *slash = strrchr(report->scene, '/');
    const char *name = !strcmp(report->scene, "-") ? "standard input" : slash ? slash + 1 : report->scene;
    fprintf(file, "lbrender %s  %.40s  %s", LB_VERSION, name, report->strategy);
    if (report->chosen)
        fprintf(file, " (%s)", report->chosen);
    fprintf(file, "  %ux%u x %u spp  %.2f s (load %.2f s)\n", report->width, report->height, report->samples,
            report->wall_seconds, report->load_seconds);
}

char *lb_report_text(const struct lb_report *report)
{
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    if (!file)
        return NULL;
    write_head(file, report);
    for (uint32_t i = 0; i < report->frame_count; i++) {
        const struct lb_report_frame *frame = &report->frames[i];
        if (report->frame_count > 1)
            fprintf(file, "frame %u  %.2f s\n", frame->frame, frame->wall_seconds);
        write_balance(file, &frame->all);
        if (frame->file)
            fprintf(file, "wrote %s  crc32c %08x\n", frame->file, frame->checksum);
    }
    if (fclose(file)) {
        free(text);
        return NULL;
    }
    return text;
}
