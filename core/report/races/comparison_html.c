/* A race of strategies as a page: a bar and a row each, best first. */
#include "core/report/races/comparison.h"
#include "core/report/races/comparison_grid.h"
#include "core/report/races/curves.h"
#include "core/report/html.h"
#include "core/report/html_charts.h"
#include "core/report/report_forms.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Lengths in units of the drawing, which is as wide as the page. */
static const double WIDTH = 1000, LEFT = 125, RIGHT = 170, ROW = 24, AXIS = 18;

/* What T is made of, from the left. */
struct time_part {
    const char *name, *color;
};
enum { PARTS = 3 };
static const struct time_part parts[PARTS] = {
    {"rendering", "rgb(36,110,185)"}, {"overhead", "rgb(243,200,60)"}, {"imbalance", "rgb(230,110,30)"}};

static double slowest(const struct lb_comparison *c)
{
    double most = 0;
    for (size_t i = 0; i < c->row_count; i++)
        most = fmax(most, fmax(c->rows[i].t_most, c->rows[i].median.adjusted));
    return most;
}

static void add_bar(struct lb_text *out, const struct lb_comparison *c, size_t number, double scale)
{
    const struct lb_comparison_row *r = &c->rows[number];
    const struct lb_comparison_run *m = &r->median;
    double y = (double)number * ROW, x = LEFT;
    double adjusted = m->t > 0 ? m->adjusted / m->t : 0;
    const double seconds[PARTS] = {m->t_min * adjusted, m->overhead * adjusted, m->imbalance * adjusted};
    lb_text_add(out, "<text x=\"0\" y=\"%.2f\">%s</text>", y + ROW / 2 + 4, r->strategy);
    for (int i = 0; i < PARTS; i++) {
        double width = fmax(seconds[i], 0) * scale;
        if (!(width > 0))
            continue;
        lb_text_add(out,
                    "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" fill=\"%s\">"
                    "<title>%s: %.6g s, of it %.6g s %s</title></rect>",
                    x, y + 2, width, ROW - 4, parts[i].color, r->strategy, m->adjusted, seconds[i],
                    parts[i].name);
        x += width;
    }
    if (r->run_count > 1)
        lb_text_add(out,
                    "<line class=\"spread\" x1=\"%.2f\" y1=\"%.2f\" x2=\"%.2f\" y2=\"%.2f\"><title>%s: "
                    "%.6g s to %.6g s, %u runs</title></line>",
                    LEFT + r->by_time.low * scale, y + ROW / 2, LEFT + r->by_time.high * scale, y + ROW / 2,
                    r->strategy, r->by_time.low, r->by_time.high, r->run_count);
    lb_text_add(out, "<text x=\"%.2f\" y=\"%.2f\">%.*f s, %.1f %%</text>\n",
                LEFT + fmax(r->by_time.high, m->adjusted) * scale + 6, y + ROW / 2 + 4,
                lb_comparison_decimals(c), m->adjusted, 100 * r->efficiency);
}

/* A telephone shows the bars whole, with their ends and figures, in larger letters. */
static void add_bars_style(struct lb_text *out)
{
    lb_text_add(out, "<style>@media(max-width:40rem){.bars svg{min-width:0}"
                     ".bars svg text,.bars svg .soft{font-size:18px}}</style>\n");
}

static void add_bars(struct lb_text *out, const struct lb_comparison *c)
{
    double most = slowest(c), height = (double)c->row_count * ROW;
    if (!(most > 0))
        return;
    double width = WIDTH - LEFT - RIGHT;
    add_bars_style(out);
    lb_text_add(out,
                "<div class=\"wide bars\"><svg viewBox=\"0 0 %g %g\" role=\"img\" aria-label=\"time of each "
                "strategy\">\n",
                WIDTH, height + AXIS);
    lb_html_axis(out, most, LEFT, width, height);
    for (size_t i = 0; i < c->row_count; i++)
        add_bar(out, c, i, width / most);
    lb_text_add(out, "</svg></div>\n");
}

static void add_legend(struct lb_text *out)
{
    lb_text_add(out, "<ul class=\"legend\">\n");
    for (int i = 0; i < PARTS; i++)
        lb_text_add(out, "<li><span class=\"swatch\" style=\"background:%s\"></span>%s</li>\n",
                    parts[i].color, parts[i].name);
    lb_text_add(out, "</ul>\n");
}

/* What the line across a bar is, and what ranks mean. */
static void add_method(struct lb_text *out, const struct lb_comparison *c)
{
    lb_text_add(out, "<p class=\"soft\">Figures are those of the median run. ");
    if (!c->simulated)
        lb_text_add(
            out,
            "Adjusted: T without the time in which its threads were busy and had no CPU, beside the other "
            "strategies of its round. ");
    if (c->has_intervals)
        lb_text_add(out, "The line is the 99.5 %% interval of the median, by order statistics. ");
    else if (c->repeats > 1)
        lb_text_add(out, "The line is the spread of the runs, which are too few to rank strategies by. ");
    if (c->ranked && c->has_intervals)
        lb_text_add(out,
                    "Strategies have places in common unless their intervals are apart or, with the adjusted "
                    "times of "
                    "each round ranked, their mean ranks are %.2f apart. ",
                    c->rank_difference);
    if (c->ranked && c->has_intervals && !c->simulated)
        lb_text_add(out, "The rank behind the efficiency is by that of all runs, T / Tmin. ");
    if (!c->simulated)
        lb_text_add(out, "Threads had a CPU in %.0f %% of their busy time.", 100 * lb_comparison_cpu_part(c));
    lb_text_add(out, "</p>\n");
}

static void add_places(struct lb_text *out, const struct lb_ranked *r)
{
    lb_text_add(out, r->first == r->last ? "<td>%u</td>" : "<td>%u to %u</td>", r->first, r->last);
}

static void add_row(struct lb_text *out, const struct lb_comparison *c, const struct lb_comparison_row *r)
{
    const struct lb_comparison_run *m = &r->median;
    lb_text_add(out, "<tr><td>%s</td>", r->strategy);
    if (c->ranked)
        add_places(out, &r->by_time);
    int digits = lb_comparison_decimals(c);
    lb_text_add(out, "<td>%.*f s</td>", digits, m->adjusted);
    if (c->repeats > 1)
        lb_text_add(out, "<td>%.*f s</td><td>%.*f s</td>", digits, r->by_time.low, digits, r->by_time.high);
    if (!c->simulated)
        lb_text_add(out, "<td>%.*f s</td>", digits, m->t);
    lb_text_add(out, "<td>%.*f s</td>", digits, m->t_min);
    if (!c->simulated)
        lb_text_add(out, "<td>%.*f s</td>", digits, m->slowed);
    lb_text_add(out, "<td>%.*f s</td><td>%.*f s</td><td>%.1f %%</td><td>%.4f</td>", digits, m->overhead,
                digits, m->imbalance, 100 * r->imbalance, r->efficiency);
    if (c->ranked && !c->simulated)
        add_places(out, &r->by_balance);
    lb_text_add(out, "<td>%llu</td><td>%llu</td><td>%llu</td></tr>\n", (unsigned long long)m->ranges,
                (unsigned long long)m->messages, (unsigned long long)r->lost);
}

static void add_table(struct lb_text *out, const struct lb_comparison *c)
{
    const char *low = c->has_intervals ? "from" : "least", *high = c->has_intervals ? "to" : "most";
    lb_text_add(out, "<div class=\"wide\"><table>\n<tr><th>strategy</th>%s<th>%s</th>",
                c->ranked ? "<th>rank</th>" : "", c->simulated ? "T" : "adjusted");
    if (c->repeats > 1)
        lb_text_add(out, "<th>%s</th><th>%s</th>", low, high);
    lb_text_add(out,
                "%s<th>overhead</th><th>imbalance</th><th>(T - Tmin) / Tmin</th>"
                "<th>efficiency</th>%s<th>ranges</th><th>messages</th><th>lost</th></tr>\n",
                c->simulated ? "<th>Tmin</th>" : "<th>T</th><th>Tmin</th><th>slowed</th>",
                c->ranked && !c->simulated ? "<th>rank</th>" : "");
    for (size_t i = 0; i < c->row_count; i++)
        add_row(out, c, &c->rows[i]);
    lb_text_add(out, "</table></div>\n");
}

/* The median run of each strategy over its frames, where there are several. */
static void add_frames(struct lb_text *out, const struct lb_comparison *c)
{
    size_t rows = c->row_count;
    bool all = c->frames > 1 && rows > 0;
    for (size_t i = 0; i < rows; i++)
        all = all && c->rows[i].median.frames && c->rows[i].median.adjusted > 0;
    if (!all)
        return;
    struct lb_curves curves = {.strategy_count = (uint32_t)rows, .set_count = c->frames};
    const char **names = calloc(rows, sizeof *names);
    uint32_t *numbers = calloc(c->frames, sizeof *numbers);
    curves.points = calloc(rows * c->frames, sizeof *curves.points);
    out->failed |= !names || !numbers || !curves.points;
    for (uint32_t f = 0; !out->failed && f < c->frames; f++) {
        numbers[f] = f + 1;
        for (size_t i = 0; i < rows; i++) {
            const struct lb_comparison_frame *frame = &c->rows[i].median.frames[f];
            names[i] = c->rows[i].strategy;
            curves.points[f * rows + i] =
                (struct lb_curve_point){.t = frame->t, .efficiency = frame->efficiency};
        }
    }
    curves.strategies = names;
    curves.processors = numbers;
    if (!out->failed)
        lb_curves_frames(out, &curves);
    free(names);
    free(numbers);
    free(curves.points);
}

char *lb_comparison_html(const struct lb_comparison *c)
{
    struct lb_text text = {0};
    char what[128];
    snprintf(what, sizeof what, "a race of %zu strategies on %u processors, frames: %u, runs of each: %u",
             c->row_count, c->processors, c->frames, c->repeats);
    lb_html_begin(&text, &c->run, what, c->simulated, c->assumed_seconds);
    lb_text_add(&text, "<h3>Time of each strategy and what it is made of; its efficiency</h3>\n");
    add_legend(&text);
    add_bars(&text, c);
    add_method(&text, c);
    lb_html_notes(&text, lb_comparison_notes(c));
    add_frames(&text, c);
    lb_text_add(&text, "<h3>Figures</h3>\n");
    add_table(&text, c);
    lb_comparison_grid(&text, c);
    lb_html_end(&text);
    return lb_text_take(&text);
}
