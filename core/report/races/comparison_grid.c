#include "core/report/races/comparison_grid.h"

#include "core/report/html.h"
#include "core/report/html_charts.h"

#include <stdlib.h>
#include <string.h>

/* On a card: the processors that are drawn, and the ranges of its time line. */
enum { MOST_ROWS = 64, MOST_RANGES = 2000, MOST_IN_LEGEND = 16 };

/* By what cards can be sorted: how rows compare, best first. */
static int by_time(const struct lb_comparison_row *a, const struct lb_comparison_row *b)
{
    return (a->median.adjusted > b->median.adjusted) - (a->median.adjusted < b->median.adjusted);
}

static int by_efficiency(const struct lb_comparison_row *a, const struct lb_comparison_row *b)
{
    return (a->efficiency < b->efficiency) - (a->efficiency > b->efficiency);
}

static int by_ranges(const struct lb_comparison_row *a, const struct lb_comparison_row *b)
{
    return (a->median.ranges > b->median.ranges) - (a->median.ranges < b->median.ranges);
}

static int by_name(const struct lb_comparison_row *a, const struct lb_comparison_row *b)
{
    return strcmp(a->strategy, b->strategy);
}

static const struct key {
    const char *word, *said;
    int (*compare)(const struct lb_comparison_row *a, const struct lb_comparison_row *b);
} keys[] = {{"time", "time", by_time},
            {"efficiency", "efficiency", by_efficiency},
            {"ranges", "number of ranges", by_ranges},
            {"name", "name", by_name}};
enum { KEYS = sizeof keys / sizeof *keys };

/* How many rows come before this one; of equal ones, those above it. */
static size_t place_of(const struct lb_comparison *c, size_t row, const struct key *key)
{
    size_t place = 0;
    for (size_t i = 0; i < c->row_count; i++) {
        int order = key->compare(&c->rows[i], &c->rows[row]);
        place += order < 0 || (order == 0 && i < row);
    }
    return place;
}

/* A radio button for each key; the one that is checked says which of a card's numbers is its place. */
static void add_keys(struct lb_text *out)
{
    lb_text_add(
        out,
        "<style>.cards{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%%,19rem),1fr));"
        "gap:1.5rem 1.25rem;margin-top:.75rem}.card h4{margin:0;font-size:1rem}.card p{margin:.1rem 0 .3rem}"
        ".card svg{min-width:0;margin-top:.35rem}.card svg text{display:none}.sort label{margin-right:1rem}");
    for (int k = 0; k < KEYS; k++)
        lb_text_add(out, "body:has(#by-%s:checked) .card{order:var(--%s)}", keys[k].word, keys[k].word);
    lb_text_add(out, "</style>\n<p class=\"sort\"><span class=\"soft\">sorted by </span>");
    for (int k = 0; k < KEYS; k++)
        lb_text_add(out, "<label><input type=\"radio\" name=\"sort\" id=\"by-%s\"%s/> %s</label>",
                    keys[k].word, k ? "" : " checked=\"checked\"", keys[k].said);
    lb_text_add(out, "</p>\n");
}

/* The colours of the first processors, which are the same on all cards. */
static void add_legend(struct lb_text *out, const struct lb_report_balance *b)
{
    uint32_t rows = b->processor_count < MOST_IN_LEGEND ? b->processor_count : MOST_IN_LEGEND;
    lb_text_add(out, "<ul class=\"legend\">\n");
    for (uint32_t i = 0; i < rows; i++) {
        lb_text_add(out, "<li><span class=\"swatch\" style=\"background:");
        lb_html_owner(out, i);
        lb_text_add(out, "\"></span>");
        lb_html_add(out, b->processors[i].name);
        lb_text_add(out, "</li>\n");
    }
    if (rows < b->processor_count)
        lb_text_add(out, "<li class=\"soft\">and %u more</li>\n", b->processor_count - rows);
    lb_text_add(out, "</ul>\n");
}

static void add_map(struct lb_text *out, const struct lb_comparison_row *r)
{
    const struct lb_view *view = r->shown.view;
    if (!view->owners.data)
        return;
    lb_text_add(out,
                "<figure class=\"map\"><label><input type=\"checkbox\"/><img width=\"%u\" height=\"%u\" "
                "alt=\"%s: who rendered what\" src=\"",
                view->width, view->height, r->strategy);
    lb_html_png(out, &view->owners);
    lb_text_add(out, "\"/></label></figure>\n");
}

static void add_card(struct lb_text *out, const struct lb_comparison *c, size_t row)
{
    const struct lb_comparison_row *r = &c->rows[row];
    const struct lb_report_balance *b = &r->shown.all;
    uint32_t rows = b->processor_count < MOST_ROWS ? b->processor_count : MOST_ROWS;
    lb_text_add(out, "<section class=\"card\" style=\"");
    for (int k = 0; k < KEYS; k++)
        lb_text_add(out, "%s--%s:%zu", k ? ";" : "", keys[k].word, place_of(c, row, &keys[k]));
    lb_text_add(out, "\"><h4>%s</h4><p class=\"soft\">", r->strategy);
    if (r->by_time.first && r->by_time.first == r->by_time.last)
        lb_text_add(out, "place %u, ", r->by_time.first);
    else if (r->by_time.first)
        lb_text_add(out, "place %u to %u, ", r->by_time.first, r->by_time.last);
    lb_text_add(out, "%.*f s, efficiency %.4f, ranges: %llu", lb_comparison_decimals(c), r->median.adjusted,
                r->efficiency, (unsigned long long)r->median.ranges);
    if (rows < b->processor_count)
        lb_text_add(out, "; drawn: the first %u processors", rows);
    lb_text_add(out, "</p>\n");
    add_map(out, r);
    lb_html_timeline(out, b, r->shown.view, rows, MOST_RANGES);
    lb_html_bars(out, b, rows);
    lb_text_add(out, "</section>\n");
}

void lb_comparison_grid(struct lb_text *out, const struct lb_comparison *c)
{
    bool any = false;
    for (size_t i = 0; i < c->row_count; i++) {
        const struct lb_report_frame *shown = &c->rows[i].shown;
        if (!shown->view)
            continue;
        if (!any) {
            lb_text_add(
                out,
                "<h3>Side by side</h3>\n<p class=\"soft\">Of the first run of each: who rendered what; each "
                "processor's ranges over time, until its own T; and below how long each was busy and idle "
                "(grey). The broken line is Tmin.</p>\n");
            add_legend(out, &shown->all);
            add_keys(out);
            lb_text_add(out, "<div class=\"cards\">\n");
        }
        any = true;
        add_card(out, c, i);
    }
    if (any)
        lb_text_add(out, "</div>\n");
}
