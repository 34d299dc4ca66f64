#include "core/report/report_forms.h"

#include "core/base/printable.h"
#include "core/report/figure_text.h"
#include "core/report/fit.h"
#include "core/report/report_rows.h"
#include "core/report/time_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Columns are fixed, so that reports of several runs align. */
static void write_processor(struct lb_text *out, const struct lb_report_processor *p, bool simulated)
{
    const struct lb_figure *figures = lb_processor_figures.items;
    for (size_t i = 0; i < lb_processor_figures.count; i++) {
        char text[LB_FIGURE_TEXT_SIZE];
        lb_figure_cell(&figures[i], p, text);
        if (lb_figure_column(&figures[i], simulated, false))
            lb_text_add(out, i ? " %*s" : "%*s", figures[i].width, text);
    }
    for (size_t i = 0; i < lb_processor_figures.count; i++)
        if (figures[i].shown == LB_SHOWN_WORD && lb_figure_count(&figures[i], p))
            lb_text_add(out, " %s", figures[i].name);
    lb_text_add(out, "\n");
}

/* A host's own processors, below it. */
static void write_inner(struct lb_text *out, const struct lb_report_host *host, bool simulated)
{
    const struct lb_figure *figures = lb_processor_figures.items;
    for (uint32_t k = 0; host && k < host->processor_count; k++) {
        struct lb_text line = {0};
        for (size_t i = 0; i < lb_processor_figures.count; i++) {
            char text[LB_FIGURE_TEXT_SIZE];
            lb_figure_inner(&figures[i], &host->processors[k], text);
            if (lb_figure_column(&figures[i], simulated, false))
                lb_text_add(&line, i ? " %*s" : "%*s", figures[i].width, text);
        }
        while (line.length && line.data[line.length - 1] == ' ')
            line.data[--line.length] = 0;
        out->failed |= line.failed;
        lb_text_add(out, "%s\n", line.data ? line.data : "");
        free(line.data);
    }
}

/* "host0: node7   sent 1.234 MB   received ..", a line a host. */
static void write_networks(struct lb_text *out, const struct lb_report_balance *b,
                           const struct lb_report_rows *rows)
{
    for (uint32_t k = 0; k < rows->count; k++) {
        uint32_t i = rows->rows[k];
        const struct lb_report_host *host = b->processors[i].host;
        if (!host)
            continue;
        lb_text_add(out, "%s: ", b->processors[i].name);
        lb_text_add_printable(out, *host->host_name ? host->host_name : "nobody", 20);
        for (size_t f = 0; f < lb_host_figures.count; f++) {
            const struct lb_figure *figure = &lb_host_figures.items[f];
            char text[LB_FIGURE_TEXT_SIZE];
            if (figure->shown == LB_SHOWN_NOT)
                continue;
            lb_figure_host(figure, host, text);
            lb_text_add(out, "  %s %s", figure->head, text);
        }
        lb_text_add(out, "\n");
    }
}

static void write_heads(struct lb_text *out, bool simulated)
{
    const struct lb_figure *figures = lb_processor_figures.items;
    for (size_t i = 0; i < lb_processor_figures.count; i++)
        if (lb_figure_column(&figures[i], simulated, false))
            lb_text_add(out, i ? " %*s" : "%*s", figures[i].width, figures[i].head);
    lb_text_add(out, "\n");
}

/* Three blanks between the numbers, or two where the line would be too long, or one. */
static void write_summary(struct lb_text *out, const struct lb_report_balance *b)
{
    struct lb_text line = {0};
    for (const char *blanks = "   "; *blanks; blanks++) {
        struct lb_text tried = {0};
        for (size_t i = 0; i < lb_balance_figures.count; i++) {
            const struct lb_figure *figure = &lb_balance_figures.items[i];
            if (figure->shown == LB_SHOWN_NOT)
                continue;
            char text[LB_FIGURE_TEXT_SIZE];
            lb_figure_part(figure, b, text);
            lb_text_add(&tried, "%s%s %s", tried.length ? blanks : "", figure->head, text);
        }
        free(line.data);
        line = tried;
        if (line.length <= 100)
            break;
    }
    if (line.failed)
        out->failed = true;
    else
        lb_text_add(out, "%s\n", line.data);
    free(line.data);
}

/* "weights: equal", or "weights: cpu0 .. cpu7 measured, null0 given" where they come from several sources. */
static void write_sources(struct lb_text *out, const struct lb_report_balance *b)
{
    const struct lb_report_processor *p = b->processors;
    uint32_t count = b->processor_count;
    lb_text_add(out, "weights:");
    for (uint32_t i = 0, next; i < count; i = next) {
        for (next = i + 1; next < count && p[next].weight_source == p[i].weight_source;)
            next++;
        if (next - i < count)
            lb_text_add(out, " %s", p[i].name);
        if (next - i < count && next - i > 1)
            lb_text_add(out, " .. %s", p[next - 1].name);
        lb_text_add(out, " %s%s", lb_source_name(p[i].weight_source), next < count ? "," : "");
    }
    lb_text_add(out, "\n");
}

/* What weights would have fitted, where the given ones did not. */
static void write_fit(struct lb_text *out, const struct lb_report_balance *b)
{
    char *fit = lb_report_fit_text(b);
    out->failed |= !fit;
    if (fit && *fit)
        lb_text_add(out, "%s\n", fit);
    free(fit);
}

static void write_parts(struct lb_text *out, const struct lb_report_balance *b, bool simulated)
{
    char *parts = lb_time_parts_text(b, simulated);
    out->failed |= !parts;
    if (parts)
        lb_text_add(out, "%s\n", parts);
    free(parts);
}

static void write_balance(struct lb_text *out, const struct lb_report_balance *b,
                          const struct lb_report *report)
{
    struct lb_report_rows rows = lb_report_rows_of(b);
    char *few = lb_report_rows_text(b, &rows);
    out->failed |= !few;
    if (few)
        lb_text_add(out, "%s", few);
    free(few);
    write_heads(out, report->simulated);
    for (uint32_t k = 0; k < rows.count; k++) {
        write_processor(out, &b->processors[rows.rows[k]], report->simulated);
        write_inner(out, b->processors[rows.rows[k]].host, report->simulated);
    }
    write_sources(out, b);
    write_fit(out, b);
    write_networks(out, b, &rows);
    write_summary(out, b);
    write_parts(out, b, report->simulated);
}

static void write_head(struct lb_text *out, const struct lb_report *report)
{
    char memory[LB_FIGURE_TEXT_SIZE];
    lb_text_add(out, "lbrender %s  ", LB_VERSION);
    lb_text_add_printable(out, lb_report_scene_name(&report->run), 40);
    lb_text_add(out, "  %s  %llux%llu", report->strategy, (unsigned long long)report->run.width,
                (unsigned long long)report->run.height);
    if (report->run.spp)
        lb_text_add(out, " x %llu spp", (unsigned long long)report->run.spp);
    lb_figure_memory(&report->run, memory);
    lb_text_add(out, "  %.2f s (load %.2f s)  %s\n", report->run.wall_seconds, report->run.load_seconds,
                memory);
    if (report->simulated)
        lb_text_add(out, "simulated: times below are a virtual clock's, with %.6g s of work assumed\n",
                    report->assumed_seconds);
}

/* "hybrid: ...", broken between words before column 100. */
static void write_words(struct lb_text *out, const char *name, const char *words)
{
    size_t column = strlen(name) + 1;
    lb_text_add(out, "%s:", name);
    while (*words) {
        size_t length = strcspn(words, " "), blanks = strspn(words + length, " ");
        bool breaks = column + 1 + length > 100;
        lb_text_add(out, "%s%.*s", breaks ? "\n  " : " ", (int)length, words);
        column = (breaks ? 2 : column + 1) + length;
        words += length + blanks;
    }
    lb_text_add(out, "\n");
}

/* Writes what the strategy says of each pass, or of the last frame where it says nothing of passes. */
static void write_choices(struct lb_text *out, const struct lb_report *report,
                          const struct lb_report_frame *frame)
{
    bool any = false;
    for (uint32_t i = 0; i < frame->pass_count; i++) {
        char name[64];
        if (frame->pass_count > 1)
            snprintf(name, sizeof name, "%s, pass %u", report->strategy, i);
        else
            snprintf(name, sizeof name, "%s", report->strategy);
        if (*frame->passes[i].described)
            write_words(out, name, frame->passes[i].described);
        any = any || *frame->passes[i].described;
    }
    if (!any && report->chosen && frame == &report->frames[report->frame_count - 1])
        write_words(out, report->strategy, report->chosen);
}

static void write_denoiser(struct lb_text *out, const struct lb_report_frame *frame)
{
    if (*frame->denoised_by)
        lb_text_add(out, "denoised by %s in %.2f s: these bytes are not promised elsewhere\n",
                    frame->denoised_by, frame->denoise_seconds);
}

char *lb_report_text(const struct lb_report *report)
{
    struct lb_text text = {0}, *out = &text;
    write_head(out, report);
    for (uint32_t i = 0; i < report->frame_count; i++) {
        const struct lb_report_frame *frame = &report->frames[i];
        if (report->frame_count > 1)
            lb_text_add(out, "frame %u  %.2f s\n", frame->frame, frame->wall_seconds);
        if (frame->incomplete)
            lb_text_add(out, "incomplete: these figures are of what was rendered\n");
        write_balance(out, &frame->all, report);
        write_choices(out, report, frame);
        if (frame->file) {
            lb_text_add(out, "wrote ");
            lb_text_add_printable(out, frame->file, SIZE_MAX);
            lb_text_add(out, "  crc32c %08x\n", frame->checksum);
            write_denoiser(out, frame);
        }
    }
    return lb_text_take(out);
}
