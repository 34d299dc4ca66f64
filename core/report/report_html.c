/* The report as a page: figures, pictures and drawings of each frame. */
#include "core/report/report_forms.h"

#include "core/report/color.h"
#include "core/report/figure_text.h"
#include "core/report/fit.h"
#include "core/report/html.h"
#include "core/report/html_charts.h"
#include "core/report/report_rows.h"
#include "core/report/time_parts.h"

#include <stdio.h>
#include <stdlib.h>

/* The most processors in the legend beside a map; the table has all. */
enum { MOST_IN_LEGEND = 16 };
/* The most ranges in a time line, so that a page stays of a size that browsers like. */
enum { MOST_RANGES = 20000 };

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static void add_more(struct lb_text *out, const struct lb_report_balance *b, uint32_t rows)
{
    if (rows < b->processor_count)
        lb_text_add(out, "<p class=\"soft\">and %u more</p>\n", b->processor_count - rows);
}

static void add_swatch(struct lb_text *out, uint32_t owner)
{
    lb_text_add(out, "<span class=\"swatch\" style=\"background:");
    lb_html_owner(out, owner);
    lb_text_add(out, "\"></span>");
}

/* ---- figures ---- */

static void add_summary(struct lb_text *out, const struct lb_report_balance *b, bool simulated)
{
    char *parts = lb_time_parts_text(b, simulated);
    out->failed |= !parts;
    lb_text_add(out, "<div class=\"tiles\">\n");
    for (size_t i = 0; i < lb_balance_figures.count; i++) {
        const struct lb_figure *figure = &lb_balance_figures.items[i];
        char text[LB_FIGURE_TEXT_SIZE];
        if (figure->shown == LB_SHOWN_NOT)
            continue;
        lb_figure_part(figure, b, text);
        lb_text_add(out, "<div><span>%s</span>%s</div>\n", figure->head, text);
    }
    lb_text_add(
        out,
        "</div>\n<p class=\"soft\">T is the time until the last processor was done. Tmin is what the same "
        "work takes if none ever waits: the cost of all of it over the sum of the speeds. Imbalance is "
        "(T - Tmin) / Tmin, efficiency Tmin / T.</p>\n");
    /* There may be two lines of them. */
    lb_text_add(out, "<p style=\"white-space:pre-line\">%s</p>\n", parts ? parts : "");
    free(parts);
}

static void add_row(struct lb_text *out, const struct lb_report_balance *b, uint32_t row, bool simulated)
{
    const struct lb_report_processor *p = &b->processors[row];
    lb_text_add(out, "<tr>");
    for (size_t i = 0; i < lb_processor_figures.count; i++) {
        const struct lb_figure *figure = &lb_processor_figures.items[i];
        char text[LB_FIGURE_TEXT_SIZE];
        if (!lb_figure_column(figure, simulated, true))
            continue;
        lb_figure_cell(figure, p, text);
        lb_text_add(out, "<td>");
        if (i == 0)
            add_swatch(out, row);
        lb_html_add(out, text);
        lb_text_add(out, "</td>");
    }
    lb_text_add(out, "<td>%s%s</td></tr>\n", lb_source_name(p->weight_source), p->lost ? ", lost" : "");
}

/* A host's own processors, below it. */
static void add_inner(struct lb_text *out, const struct lb_report_host *host, bool simulated)
{
    for (uint32_t k = 0; host && k < host->processor_count; k++) {
        lb_text_add(out, "<tr class=\"inner\">");
        for (size_t i = 0; i < lb_processor_figures.count; i++) {
            const struct lb_figure *figure = &lb_processor_figures.items[i];
            char text[LB_FIGURE_TEXT_SIZE];
            if (!lb_figure_column(figure, simulated, true))
                continue;
            lb_figure_inner(figure, &host->processors[k], text);
            lb_text_add(out, "<td>");
            lb_html_add(out, text);
            lb_text_add(out, "</td>");
        }
        lb_text_add(out, "<td></td></tr>\n");
    }
}

/* What the network did, a row a host. */
static void add_networks(struct lb_text *out, const struct lb_report_balance *b, uint32_t rows)
{
    bool any = false;
    for (uint32_t i = 0; i < rows; i++) {
        const struct lb_report_host *host = b->processors[i].host;
        if (!host)
            continue;
        if (!any)
            lb_text_add(out, "<h3>Hosts</h3>\n<div class=\"wide\"><table>\n<tr><th>host</th><th>name</th>");
        for (size_t k = 0; !any && k < lb_host_figures.count; k++)
            if (lb_host_figures.items[k].shown != LB_SHOWN_NOT)
                lb_text_add(out, "<th>%s</th>", lb_host_figures.items[k].head);
        lb_text_add(out, "%s<tr><td>", any ? "" : "</tr>\n");
        any = true;
        add_swatch(out, i);
        lb_html_add(out, b->processors[i].name);
        lb_text_add(out, "</td><td>");
        lb_html_add(out, *host->host_name ? host->host_name : "nobody");
        lb_text_add(out, "</td>");
        for (size_t k = 0; k < lb_host_figures.count; k++) {
            const struct lb_figure *figure = &lb_host_figures.items[k];
            char text[LB_FIGURE_TEXT_SIZE];
            if (figure->shown == LB_SHOWN_NOT)
                continue;
            lb_figure_host(figure, host, text);
            lb_text_add(out, "<td>%s</td>", text);
        }
        lb_text_add(out, "</tr>\n");
    }
    if (any)
        lb_text_add(out, "</table></div>\n");
}

/* What weights would have fitted, where the given ones did not. */
static void add_fit(struct lb_text *out, const struct lb_report_balance *b)
{
    char *fit = lb_report_fit_text(b);
    out->failed |= !fit;
    if (fit && *fit)
        lb_text_add(out, "<p>%s</p>\n", fit);
    free(fit);
}

static void add_table(struct lb_text *out, const struct lb_report_balance *b, bool simulated)
{
    struct lb_report_rows rows = lb_report_rows_of(b);
    char *few = lb_report_rows_text(b, &rows);
    out->failed |= !few;
    if (few && *few)
        lb_text_add(out, "<p class=\"soft\">%s</p>\n", few);
    free(few);
    lb_text_add(out, "<div class=\"wide\"><table>\n<tr>");
    for (size_t i = 0; i < lb_processor_figures.count; i++)
        if (lb_figure_column(&lb_processor_figures.items[i], simulated, true))
            lb_text_add(out, "<th>%s</th>", lb_processor_figures.items[i].head);
    lb_text_add(out, "<th>weight is</th></tr>\n");
    for (uint32_t k = 0; k < rows.count; k++) {
        add_row(out, b, rows.rows[k], simulated);
        add_inner(out, b->processors[rows.rows[k]].host, simulated);
    }
    lb_text_add(out, "</table></div>\n");
    add_fit(out, b);
}

/* ---- pictures ---- */

static void add_image(struct lb_text *out, const struct lb_view *view, const struct lb_view_png *png,
                      const char *kind, const char *words)
{
    lb_text_add(out,
                "<figure class=\"%s\"><label><input type=\"checkbox\"/><img width=\"%u\" height=\"%u\" "
                "alt=\"%s\" src=\"",
                kind, view->width, view->height, words);
    lb_html_png(out, png);
    lb_text_add(out, "\"/></label><figcaption>%s", words);
    if (view->reduced > 1)
        lb_text_add(out, ", at 1/%u of its size", view->reduced);
    lb_text_add(out, "</figcaption>\n");
}

static void add_legend(struct lb_text *out, const struct lb_report_balance *b)
{
    uint32_t rows = least(b->processor_count, MOST_IN_LEGEND);
    lb_text_add(out, "<ul class=\"legend\">\n");
    for (uint32_t i = 0; i < rows; i++) {
        const struct lb_report_processor *p = &b->processors[i];
        lb_text_add(out, "<li>");
        add_swatch(out, i);
        lb_html_add(out, p->name);
        if (p->host && *p->host->host_name) {
            lb_text_add(out, " (");
            lb_html_add(out, p->host->host_name);
            lb_text_add(out, ")");
        }
        lb_text_add(out, ": weight %.2f %%, share %.2f %%</li>\n", 100 * p->weight, 100 * p->share);
    }
    lb_text_add(out, "</ul>\n");
    add_more(out, b, rows);
}

/* The scale goes by the square root, as the map. */
static void add_scale(struct lb_text *out, const struct lb_view *view)
{
    const char *unit = view->cost_in_seconds ? "s" : "steps";
    const char *form = view->cost_white >= 1000 ? "%.0f" : "%.3g";
    char quarter[32], white[32];
    snprintf(quarter, sizeof quarter, form, view->cost_white / 4);
    snprintf(white, sizeof white, form, view->cost_white);
    lb_text_add(out, "<div class=\"scale\" style=\"background:linear-gradient(to right");
    for (int i = 0; i <= 10; i++) {
        uint8_t color[3];
        lb_heat_color(i / 10.0, color);
        lb_text_add(out, ",rgb(%u,%u,%u)", color[0], color[1], color[2]);
    }
    lb_text_add(out,
                ")\"></div>\n<div class=\"ends\"><span>0</span><span>%s</span><span>%s %s</span></div>\n",
                quarter, white, unit);
}

static void add_pictures(struct lb_text *out, const struct lb_report_frame *frame)
{
    const struct lb_view *view = frame->view;
    lb_text_add(out, "<div class=\"pictures\">\n");
    if (view->picture.data) {
        add_image(out, view, &view->picture, "picture", "the picture");
        if (frame->file) {
            lb_text_add(out, "<p class=\"soft\">");
            lb_html_add(out, frame->file);
            lb_text_add(out, ", crc32c %08x</p>", frame->checksum);
        }
        if (*frame->denoised_by)
            lb_text_add(out,
                        "<p class=\"soft\">denoised by %s in %.2f s: these bytes are not promised "
                        "elsewhere</p>",
                        frame->denoised_by, frame->denoise_seconds);
        lb_text_add(out, "</figure>\n");
    }
    if (view->owners.data) {
        add_image(out, view, &view->owners, "map", "who rendered what");
        add_legend(out, &frame->all);
        lb_text_add(out, "</figure>\n");
    }
    if (view->cost.data) {
        add_image(out, view, &view->cost, "map", "what each pixel cost");
        add_scale(out, view);
        lb_text_add(out, "</figure>\n");
    }
    lb_text_add(out, "</div>\n");
}

/* ---- a frame ---- */

static void add_chosen(struct lb_text *out, const struct lb_report *report,
                       const struct lb_report_frame *frame)
{
    bool any = false;
    for (uint32_t i = 0; i < frame->pass_count; i++)
        if (*frame->passes[i].described) {
            lb_text_add(out, "<p class=\"soft\">%s, pass %u: ", report->strategy, i);
            lb_html_add(out, frame->passes[i].described);
            lb_text_add(out, "</p>\n");
            any = true;
        }
    if (any || !report->chosen || frame != &report->frames[report->frame_count - 1])
        return;
    lb_text_add(out, "<p class=\"soft\">%s: ", report->strategy);
    lb_html_add(out, report->chosen);
    lb_text_add(out, "</p>\n");
}

static void add_frame(struct lb_text *out, const struct lb_report *report,
                      const struct lb_report_frame *frame)
{
    const struct lb_report_balance *b = &frame->all;
    uint32_t rows = least(b->processor_count, LB_HTML_MOST_ROWS);
    if (report->frame_count > 1)
        lb_text_add(out, "<h2>Frame %u</h2>\n", frame->frame);
    if (frame->incomplete)
        lb_text_add(out, "<p>incomplete: these figures are of what was rendered</p>\n");
    add_summary(out, b, report->simulated);
    if (frame->view)
        add_pictures(out, frame);
    lb_text_add(out, "<h3>Busy, moving data (darker), idle (grey); the broken line is Tmin</h3>\n");
    lb_html_bars(out, b, rows);
    add_more(out, b, rows);
    if (frame->view && frame->view->span_count) {
        lb_text_add(out, "<h3>Ranges of each processor over time</h3>\n");
        lb_html_timeline(out, b, frame->view, rows, MOST_RANGES);
        add_more(out, b, rows);
    }
    lb_text_add(out, "<h3>Processors</h3>\n");
    add_table(out, b, report->simulated);
    add_networks(out, b, rows);
    add_chosen(out, report, frame);
}

char *lb_report_html(const struct lb_report *report)
{
    struct lb_text text = {0};
    lb_html_begin(&text, &report->run, report->strategy, report->simulated, report->assumed_seconds);
    for (uint32_t i = 0; i < report->frame_count; i++)
        add_frame(&text, report, &report->frames[i]);
    lb_html_end(&text);
    return lb_text_take(&text);
}
