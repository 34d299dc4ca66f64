/* A race of strategies as a page: a bar and a row each, best first. */
#include "core/report/comparison.h"
#include "core/report/html.h"
#include "core/report/html_charts.h"
#include "core/report/report_forms.h"

#include <math.h>
#include <stdio.h>

/* Lengths in units of the drawing, which is as wide as the page. */
static const double WIDTH = 1000, LEFT = 90, RIGHT = 140, ROW = 22, AXIS = 18;

static double slowest(const struct lb_comparison *c)
{
    double most = 0;
    for (size_t i = 0; i < c->row_count; i++)
        most = fmax(most, c->rows[i].t_most);
    return most;
}

/* The bar up to Tmin is what the work takes at best; beyond it is imbalance. */
static void add_bar(struct lb_text *out, const struct lb_comparison_row *r, size_t number, double scale)
{
    double y = (double)number * ROW, t_min = fmin(r->t_min, r->t);
    lb_text_add(out, "<text x=\"0\" y=\"%.2f\">%s</text>", y + ROW / 2 + 4, r->strategy);
    lb_text_add(out,
                "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" fill=\"rgb(36,110,185)\">"
                "<title>%s: Tmin %.6g s</title></rect>",
                LEFT, y + 2, t_min * scale, ROW - 4, r->strategy, r->t_min);
    lb_text_add(out,
                "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" fill=\"rgb(230,126,34)\">"
                "<title>%s: T %.6g s</title></rect>",
                LEFT + t_min * scale, y + 2, (r->t - t_min) * scale, ROW - 4, r->strategy, r->t);
    if (r->runs > 1)
        lb_text_add(out,
                    "<line class=\"spread\" x1=\"%.2f\" y1=\"%.2f\" x2=\"%.2f\" y2=\"%.2f\"><title>%s: "
                    "%.6g s to %.6g s in %u runs</title></line>",
                    LEFT + r->t_least * scale, y + ROW / 2, LEFT + r->t_most * scale, y + ROW / 2,
                    r->strategy, r->t_least, r->t_most, r->runs);
    lb_text_add(out, "<text x=\"%.2f\" y=\"%.2f\">%.4g s, %.1f %%</text>\n", LEFT + r->t_most * scale + 6,
                y + ROW / 2 + 4, r->t, 100 * r->efficiency);
}

static void add_bars(struct lb_text *out, const struct lb_comparison *c)
{
    double most = slowest(c), height = (double)c->row_count * ROW;
    if (!(most > 0))
        return;
    double width = WIDTH - LEFT - RIGHT;
    lb_text_add(
        out,
        "<div class=\"wide\"><svg viewBox=\"0 0 %g %g\" role=\"img\" aria-label=\"time of each strategy\">\n",
        WIDTH, height + AXIS);
    lb_html_axis(out, most, LEFT, width, height);
    for (size_t i = 0; i < c->row_count; i++)
        add_bar(out, &c->rows[i], i, width / most);
    lb_text_add(out, "</svg></div>\n");
}

static void add_table(struct lb_text *out, const struct lb_comparison *c)
{
    lb_text_add(out, "<div "
                     "class=\"wide\"><table>\n<tr><th>strategy</th><th>T</th><th>least</th><th>most</"
                     "th><th>Tmin</th><th>imbalance</th>"
                     "<th>efficiency</th><th>ranges</th><th>messages</th><th>lost</th></tr>\n");
    for (size_t i = 0; i < c->row_count; i++) {
        const struct lb_comparison_row *r = &c->rows[i];
        lb_text_add(out,
                    "<tr><td>%s</td><td>%.3f s</td><td>%.3f s</td><td>%.3f s</td><td>%.3f s</td><td>%.1f "
                    "%%</td><td>%.4f</td><td>%llu</td>"
                    "<td>%llu</td><td>%llu</td></tr>\n",
                    r->strategy, r->t, r->t_least, r->t_most, r->t_min, 100 * r->imbalance, r->efficiency,
                    (unsigned long long)r->ranges, (unsigned long long)r->messages,
                    (unsigned long long)r->lost);
    }
    lb_text_add(out, "</table></div>\n");
}

char *lb_comparison_html(const struct lb_comparison *c)
{
    struct lb_text text = {0};
    char what[128];
    snprintf(what, sizeof what, "a race of %zu strategies on %u processors, means over %u frames and %u runs",
             c->row_count, c->processors, c->frames, c->repeats);
    lb_html_begin(&text, &c->run, what, c->simulated, c->assumed_seconds);
    lb_text_add(&text,
                "<h3>Time of each strategy: what it takes at best (Tmin, blue), and what imbalance adds "
                "(orange); T and efficiency. A line is the spread of the runs</h3>\n");
    add_bars(&text, c);
    lb_text_add(&text, "<h3>Figures</h3>\n");
    add_table(&text, c);
    lb_html_end(&text);
    return lb_text_take(&text);
}
