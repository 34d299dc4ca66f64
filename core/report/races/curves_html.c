/* Curves over the number of processors as a page: efficiency and speed-up, a line a strategy, and a table. */
#include "core/report/color.h"
#include "core/report/races/curves.h"
#include "core/report/html.h"
#include "core/report/report_forms.h"

#include <math.h>
#include <stdio.h>

/* Lengths in units of the drawing, which is as wide as the page. */
static const double WIDTH = 1000, HEIGHT = 420, LEFT = 56, RIGHT = 16, TOP = 10, BOTTOM = 44;

/* A drawing: where numbers of processors and values lie in it. */
struct chart {
    const struct lb_curves *curves;
    bool speed_up;      /* of speed-ups, by their logarithms; else of efficiencies, from 0 to 1 */
    bool frames;        /* over frames, on a linear axis; instead of speed-ups it has times */
    double least, most; /* processors */
    double low, high;   /* values */
};

static const struct lb_curve_point *point_of(const struct lb_curves *c, uint32_t set, uint32_t strategy)
{
    return &c->points[(size_t)set * c->strategy_count + strategy];
}

static double value_of(const struct chart *chart, const struct lb_curve_point *p)
{
    return !chart->speed_up ? p->efficiency : chart->frames ? p->t : p->speed_up;
}

static double place_x(const struct chart *chart, double processors)
{
    double span = chart->frames ? chart->most - chart->least : log(chart->most / chart->least);
    double from = chart->frames ? processors - chart->least : log(processors / chart->least);
    return LEFT + (WIDTH - LEFT - RIGHT) * (span > 0 ? from / span : 0.5);
}

static double place_y(const struct chart *chart, double value)
{
    double part = chart->speed_up && !chart->frames
                      ? log(fmax(value, chart->low) / chart->low) / log(chart->high / chart->low)
                      : (value - chart->low) / (chart->high - chart->low);
    return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * part;
}

/* Between the lines of efficiencies that go from `low` to 1: some four to ten of them. */
static double efficiency_step(double low)
{
    return low < 0.7 ? 0.1 : low < 0.88 ? 0.05 : 0.01;
}

static struct chart chart_of(const struct lb_curves *c, bool speed_up, bool frames)
{
    struct chart chart = {c,        speed_up,        frames, c->processors[0], c->processors[0],
                          INFINITY, speed_up ? 0 : 1};
    for (uint32_t i = 0; i < c->set_count; i++) {
        chart.least = fmin(chart.least, c->processors[i]);
        chart.most = fmax(chart.most, c->processors[i]);
        chart.high = speed_up && !frames ? fmax(chart.high, c->speeds[i]) : chart.high;
        for (uint32_t k = 0; k < c->strategy_count; k++) {
            double value = value_of(&chart, point_of(c, i, k));
            chart.low = value > 0 ? fmin(chart.low, value) : chart.low;
            chart.high = fmax(chart.high, value);
        }
    }
    /* Efficiencies begin at 0 unless all lie above a half, so that little looks little; and with a line, so that
     * there is one at 1. */
    if (!speed_up) {
        double step = efficiency_step(chart.low);
        chart.low = chart.low > 0.5 ? floor(chart.low / step + 1e-9) * step : 0;
    }
    if (speed_up && frames)
        chart.low = 0;
    if (!(chart.high > chart.low))
        chart.low = speed_up ? chart.high / 2 : chart.high - 0.04;
    return chart;
}

/* 1, 2 or 5 times a power of ten, so that there are four to ten lines. */
static double time_step(double most)
{
    double step = pow(10, floor(log10(most / 4)));
    return most / (5 * step) >= 4 ? 5 * step : most / (2 * step) >= 4 ? 2 * step : step;
}

/* Lines for powers of two of processors; for values tenths or powers of two. */
static void add_grid(struct lb_text *out, const struct chart *chart)
{
    double bottom = HEIGHT - BOTTOM;
    double steps = chart->frames ? ceil((chart->most - chart->least + 1) / 20) : 0;
    double from = chart->frames ? chart->least : exp2(ceil(log2(chart->least) - 1e-9));
    for (double p = from; p <= chart->most * 1.0001; p = chart->frames ? p + steps : p * 2)
        lb_text_add(out,
                    "<line class=\"line\" x1=\"%.2f\" y1=\"%.2f\" x2=\"%.2f\" y2=\"%.2f\"/>"
                    "<text class=\"soft\" x=\"%.2f\" y=\"%.2f\" text-anchor=\"middle\">%g</text>\n",
                    place_x(chart, p), TOP, place_x(chart, p), bottom, place_x(chart, p), bottom + 18, p);
    double step = efficiency_step(chart->low + 1e-9);
    if (chart->speed_up && chart->frames)
        step = time_step(chart->high);
    double first = chart->speed_up && !chart->frames ? exp2(ceil(log2(chart->low) - 1e-9)) : chart->low;
    for (double v = first; v <= chart->high * 1.0001;
         v = chart->speed_up && !chart->frames ? v * 2 : v + step)
        lb_text_add(out,
                    "<line class=\"line\" x1=\"%.2f\" y1=\"%.2f\" x2=\"%.2f\" y2=\"%.2f\"/>"
                    "<text class=\"soft\" x=\"%.2f\" y=\"%.2f\" text-anchor=\"end\">%.4g</text>\n",
                    LEFT, place_y(chart, v), WIDTH - RIGHT, place_y(chart, v), LEFT - 6,
                    place_y(chart, v) + 4, v);
    lb_text_add(out, "<text class=\"soft\" x=\"%.2f\" y=\"%.2f\" text-anchor=\"middle\">%s</text>\n",
                (LEFT + WIDTH - RIGHT) / 2, HEIGHT - 4, chart->frames ? "frame" : "processors");
}

static void add_color(struct lb_text *out, uint32_t strategy)
{
    enum { HUES = 12 };
    uint8_t color[3];
    lb_owner_color(strategy % HUES, color);
    lb_text_add(out, "rgb(%u,%u,%u)", color[0], color[1], color[2]);
}

/* Of strategies beyond the twelve hues lines are broken. */
static const char *dashes(uint32_t strategy)
{
    static const char *const all[] = {"none", "7 4", "2 3", "10 3 2 3"};
    return all[strategy / 12 % 4];
}

static void add_line(struct lb_text *out, const struct chart *chart, uint32_t strategy)
{
    const struct lb_curves *c = chart->curves;
    lb_text_add(out, "<g class=\"curve k%u\" stroke=\"", strategy);
    add_color(out, strategy);
    lb_text_add(out, "\" fill=\"");
    add_color(out, strategy);
    lb_text_add(out, "\"><polyline fill=\"none\" stroke-dasharray=\"%s\" points=\"", dashes(strategy));
    for (uint32_t i = 0; i < c->set_count; i++)
        lb_text_add(out, "%s%.2f,%.2f", i ? " " : "", place_x(chart, c->processors[i]),
                    place_y(chart, value_of(chart, point_of(c, i, strategy))));
    lb_text_add(out, "\"><title>%s</title></polyline>\n", c->strategies[strategy]);
    for (uint32_t i = 0; i < c->set_count; i++) {
        const struct lb_curve_point *p = point_of(c, i, strategy);
        if (chart->frames)
            lb_text_add(out,
                        "<circle cx=\"%.2f\" cy=\"%.2f\" r=\"3\"><title>%s, frame %u: T %.6g s, efficiency "
                        "%.4f</title>"
                        "</circle>",
                        place_x(chart, c->processors[i]), place_y(chart, value_of(chart, p)),
                        c->strategies[strategy], c->processors[i], p->t, p->efficiency);
        else
            lb_text_add(
                out,
                "<circle cx=\"%.2f\" cy=\"%.2f\" r=\"3\"><title>%s, %u processors: T %.6g s, speed-up "
                "%.5g, efficiency %.4f</title></circle>",
                place_x(chart, c->processors[i]), place_y(chart, value_of(chart, p)), c->strategies[strategy],
                c->processors[i], p->t, p->speed_up, p->efficiency);
    }
    lb_text_add(out, "</g>\n");
}

/* What speed-up there would be without any loss. */
static void add_ideal(struct lb_text *out, const struct chart *chart)
{
    const struct lb_curves *c = chart->curves;
    lb_text_add(out, "<polyline class=\"mark\" fill=\"none\" points=\"");
    for (uint32_t i = 0; i < c->set_count; i++)
        lb_text_add(out, "%s%.2f,%.2f", i ? " " : "", place_x(chart, c->processors[i]),
                    place_y(chart, c->speeds[i]));
    lb_text_add(out, "\"><title>the sum of the speeds</title></polyline>\n");
}

static void add_chart(struct lb_text *out, const struct lb_curves *c, bool speed_up, bool frames)
{
    struct chart chart = chart_of(c, speed_up, frames);
    const char *label = !speed_up ? "efficiency" : frames ? "time" : "speed-up";
    lb_text_add(out,
                "<div class=\"wide\"><svg viewBox=\"0 0 %g %g\" role=\"img\" aria-label=\"%s over %s\">\n",
                WIDTH, HEIGHT, label, frames ? "frames" : "processors");
    add_grid(out, &chart);
    if (speed_up && !frames)
        add_ideal(out, &chart);
    for (uint32_t k = 0; k < c->strategy_count; k++)
        add_line(out, &chart, k);
    lb_text_add(out, "</svg></div>\n");
}

static void add_legend(struct lb_text *out, const struct lb_curves *c)
{
    lb_text_add(out, "<ul class=\"legend\">\n");
    for (uint32_t k = 0; k < c->strategy_count; k++) {
        lb_text_add(out,
                    "<li class=\"l%u\"><svg class=\"key\" viewBox=\"0 0 24 8\"><line x1=\"0\" y1=\"4\" "
                    "x2=\"24\" y2=\"4\" stroke-width=\"3\" stroke-dasharray=\"%s\" stroke=\"",
                    k, dashes(k));
        add_color(out, k);
        lb_text_add(out, "\"/></svg>%s</li>\n", c->strategies[k]);
    }
    lb_text_add(out, "</ul>\n");
}

/* A strategy whose name or line the pointer is on stands out, and the others fade; without a script. */
static void add_style(struct lb_text *out, const struct lb_curves *c)
{
    lb_text_add(out, "<style>svg.key{display:inline-block;width:1.8em;min-width:0;margin-right:.4em;"
                     "vertical-align:middle}.legend li{cursor:default;padding:.1rem 0}"
                     ".curve polyline{stroke-width:1.8}.curve circle{stroke:none;fill-opacity:.01}"
                     ".curve:hover polyline{stroke-width:4}.curve:hover circle{fill-opacity:1}"
                     /* A telephone shows all processors at once, in larger letters and thicker lines. */
                     "@media(max-width:40rem){.curves svg{min-width:0}.curves svg text,.curves svg .soft"
                     "{font-size:20px}.curve polyline{stroke-width:3.5}}");
    for (uint32_t k = 0; k < c->strategy_count; k++)
        lb_text_add(out,
                    ".curves:has(.l%u:hover,.k%u:hover) .curve:not(.k%u){opacity:.12}"
                    ".curves:has(.l%u:hover) .k%u polyline{stroke-width:4}",
                    k, k, k, k, k);
    lb_text_add(out, "</style>\n");
}

static void add_table(struct lb_text *out, const struct lb_curves *c)
{
    lb_text_add(out, "<div class=\"wide\"><table>\n<tr><th>efficiency</th>");
    for (uint32_t i = 0; i < c->set_count; i++)
        lb_text_add(out, "<th>%u</th>", c->processors[i]);
    lb_text_add(out, "</tr>\n");
    for (uint32_t k = 0; k < c->strategy_count; k++) {
        lb_text_add(out, "<tr><td>%s</td>", c->strategies[k]);
        for (uint32_t i = 0; i < c->set_count; i++)
            lb_text_add(out, "<td>%.4f</td>", point_of(c, i, k)->efficiency);
        lb_text_add(out, "</tr>\n");
    }
    lb_text_add(out, "</table></div>\n");
}

void lb_curves_frames(struct lb_text *out, const struct lb_curves *c)
{
    add_style(out, c);
    lb_text_add(out, "<div class=\"curves\">\n<h3>Efficiency over frames, of the median run of each</h3>\n");
    add_legend(out, c);
    add_chart(out, c, false, true);
    lb_text_add(out, "<h3>Seconds of each frame</h3>\n");
    add_chart(out, c, true, true);
    lb_text_add(out, "</div>\n");
}

char *lb_curves_html(const struct lb_curves *c)
{
    struct lb_text text = {0};
    char what[128];
    snprintf(what, sizeof what, "%u strategies on %u sets of processors, frames: %u", c->strategy_count,
             c->set_count, c->frames);
    lb_html_begin(&text, &c->run, what, !c->measured, c->assumed_seconds);
    add_style(&text, c);
    lb_text_add(&text, "<div class=\"curves\">\n");
    add_legend(&text, c);
    lb_text_add(&text, "<h3>Efficiency: Tmin / T</h3>\n");
    add_chart(&text, c, false, false);
    lb_text_add(&text, c->measured
                           ? "<h3>Speed-up over one thread; the broken line is the number of threads</h3>\n"
                           : "<h3>Speed-up over one processor of speed 1; the broken line is the sum of the "
                             "speeds</h3>\n");
    add_chart(&text, c, true, false);
    lb_text_add(&text, "</div>\n<h3>Figures</h3>\n");
    add_table(&text, c);
    lb_html_notes(&text, lb_curves_notes(c));
    lb_html_end(&text);
    return lb_text_take(&text);
}
