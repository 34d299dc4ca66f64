#include "core/report/html_charts.h"

#include "core/report/html.h"

#include <math.h>
#include <stdlib.h>

/* Lengths in units of the drawing, which is as wide as the page. */
static const double WIDTH = 1000, LEFT = 70, AXIS = 18;

/* Low enough that all rows fit on a screen or two. */
static double row_height(uint32_t rows)
{
    double fair = 900.0 / rows;
    return fair > 24 ? 24 : fair < 5 ? 5 : fair;
}

static void begin_drawing(struct lb_text *out, const char *label, uint32_t rows)
{
    lb_text_add(out, "<div class=\"wide\"><svg viewBox=\"0 0 %g %g\" role=\"img\" aria-label=\"%s\">\n",
                WIDTH, rows * row_height(rows) + AXIS, label);
}

/* The distance of marks on the time axis: 1, 2 or 5 times a power of ten, so that there are four to ten marks. */
static double tick(double seconds)
{
    double step = pow(10, floor(log10(seconds / 4)));
    if (seconds / (5 * step) >= 4)
        return 5 * step;
    return seconds / (2 * step) >= 4 ? 2 * step : step;
}

void lb_html_axis(struct lb_text *out, double seconds, double left, double width, double height)
{
    if (!(seconds > 0) || !isfinite(seconds))
        return;
    double step = tick(seconds);
    for (int i = 0; i * step <= seconds * 1.000001; i++) {
        double x = left + width * i * step / seconds;
        lb_text_add(out, "<line class=\"line\" x1=\"%.2f\" y1=\"0\" x2=\"%.2f\" y2=\"%.2f\"/>", x, x, height);
        lb_text_add(out, "<text class=\"soft\" x=\"%.2f\" y=\"%.2f\" text-anchor=\"%s\">%.6g s</text>\n", x,
                    height + 13, i ? "middle" : "start", i * step);
    }
}

static void add_mark(struct lb_text *out, const struct lb_report_balance *b, uint32_t rows, double scale)
{
    double x = LEFT + b->t_min * scale;
    if (b->t_min > 0 && b->t_min <= b->t)
        lb_text_add(out,
                    "<line class=\"mark\" x1=\"%.2f\" y1=\"0\" x2=\"%.2f\" y2=\"%.2f\"><title>Tmin %.6g s"
                    "</title></line>\n",
                    x, x, rows * row_height(rows), b->t_min);
}

static void add_names(struct lb_text *out, const struct lb_report_balance *b, uint32_t rows)
{
    double height = row_height(rows);
    for (uint32_t i = 0; height >= 11 && i < rows; i++) {
        lb_text_add(out, "<text x=\"0\" y=\"%.2f\">", (i + 0.5) * height + 4);
        lb_html_add(out, b->processors[i].name);
        lb_text_add(out, "</text>\n");
    }
}

static void add_box(struct lb_text *out, double x, double y, double width, double height)
{
    lb_text_add(out, "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\"", x, y, width, height);
}

/* Ends the last attribute of a box, and begins what the browser shows beside the pointer. */
static void add_title(struct lb_text *out, const char *name)
{
    lb_text_add(out, "\"><title>");
    lb_html_add(out, name);
    lb_text_add(out, ": ");
}

/* ---- the time line ---- */

/* Ranges of one processor that are drawn as one: many short ones are no more than a stripe. */
struct stripe {
    const struct lb_frame_span *first, *last;
    size_t count;
};

static void add_stripe(struct lb_text *out, const struct lb_report_balance *b, const struct stripe *stripe,
                       double scale, double height, size_t number)
{
    const struct lb_frame_span *first = stripe->first;
    double begin = first->span.begin, end = stripe->last->span.end;
    add_box(out, LEFT + begin * scale, first->processor * height + 1, fmax((end - begin) * scale, 0.1),
            height - 2);
    if (first->span.delivered) {
        lb_text_add(out, " fill-opacity=\"%s\" fill=\"", number % 2 ? "0.7" : "1");
        lb_html_owner(out, first->processor);
    } else {
        lb_text_add(out, " class=\"bad");
    }
    add_title(out, b->processors[first->processor].name);
    if (stripe->count == 1)
        lb_text_add(out, "%s %llu-%llu", first->span.delivered ? "range" : "failed range",
                    (unsigned long long)first->span.range.begin, (unsigned long long)first->span.range.end);
    else
        lb_text_add(out, "%zu ranges", stripe->count);
    lb_text_add(out, ", %.6g s to %.6g s</title></rect>\n", begin, end);
}

static int compare_spans(const void *a, const void *b)
{
    const struct lb_frame_span *x = a, *y = b;
    if (x->processor != y->processor)
        return x->processor < y->processor ? -1 : 1;
    return (x->span.begin > y->span.begin) - (x->span.begin < y->span.begin);
}

/* How close ranges must be, in seconds, to be drawn as one, so that a page stays of a size that browsers like. */
static double resolution(const struct lb_view *view, uint32_t rows, size_t most, double seconds)
{
    return view->span_count <= most ? 0 : seconds * rows / (double)most;
}

static bool belongs(const struct stripe *stripe, const struct lb_frame_span *span, double near)
{
    const struct lb_frame_span *first = stripe->first;
    return stripe->count && first->processor == span->processor &&
           first->span.delivered == span->span.delivered && span->span.end - first->span.begin < near &&
           span->span.begin - stripe->last->span.end < near / 4;
}

static void add_spans(struct lb_text *out, const struct lb_report_balance *b, const struct lb_view *view,
                      uint32_t rows, size_t most)
{
    double scale = (WIDTH - LEFT) / b->t, near = resolution(view, rows, most, b->t);
    struct stripe stripe = {0};
    size_t number = 0;
    qsort(view->spans, view->span_count, sizeof *view->spans, compare_spans);
    for (size_t i = 0; i < view->span_count && view->spans[i].processor < rows; i++) {
        const struct lb_frame_span *span = &view->spans[i];
        if (!belongs(&stripe, span, near)) {
            if (stripe.count)
                add_stripe(out, b, &stripe, scale, row_height(rows), number++);
            stripe = (struct stripe){.first = span};
        }
        stripe.last = span;
        stripe.count++;
    }
    if (stripe.count)
        add_stripe(out, b, &stripe, scale, row_height(rows), number);
}

void lb_html_timeline(struct lb_text *out, const struct lb_report_balance *b, const struct lb_view *view,
                      uint32_t rows, size_t most)
{
    if (!(b->t > 0))
        return;
    begin_drawing(out, "ranges of each processor over time", rows);
    lb_html_axis(out, b->t, LEFT, WIDTH - LEFT, rows * row_height(rows));
    add_names(out, b, rows);
    add_spans(out, b, view, rows, most);
    add_mark(out, b, rows, (WIDTH - LEFT) / b->t);
    lb_text_add(out, "</svg></div>\n");
}

/* ---- the bars ---- */

static void add_bar(struct lb_text *out, const struct lb_report_processor *p, uint32_t row, double height,
                    double scale)
{
    double busy = p->busy_seconds * scale, moved = fmin(p->transfer_seconds * scale, busy);
    double y = row * height + 1;
    add_box(out, LEFT, y, busy, height - 2);
    lb_text_add(out, " fill=\"");
    lb_html_owner(out, row);
    add_title(out, p->name);
    lb_text_add(out, "busy %.6g s</title></rect>", p->busy_seconds);
    if (moved > 0) {
        add_box(out, LEFT + busy - moved, y, moved, height - 2);
        lb_text_add(out, " class=\"moved");
        add_title(out, p->name);
        lb_text_add(out, "%.6g s of it moved data</title></rect>", p->transfer_seconds);
    }
    add_box(out, LEFT + busy, y, p->idle_seconds * scale, height - 2);
    lb_text_add(out, " class=\"idle");
    add_title(out, p->name);
    lb_text_add(out, "idle %.6g s</title></rect>\n", p->idle_seconds);
}

void lb_html_bars(struct lb_text *out, const struct lb_report_balance *b, uint32_t rows)
{
    double longest = b->t;
    for (uint32_t i = 0; i < rows; i++)
        longest = fmax(longest, b->processors[i].busy_seconds + b->processors[i].idle_seconds);
    if (!(longest > 0))
        return;
    double scale = (WIDTH - LEFT) / longest;
    begin_drawing(out, "busy and idle time of each processor", rows);
    lb_html_axis(out, longest, LEFT, WIDTH - LEFT, rows * row_height(rows));
    add_names(out, b, rows);
    for (uint32_t i = 0; i < rows; i++)
        add_bar(out, &b->processors[i], i, row_height(rows), scale);
    add_mark(out, b, rows, scale);
    lb_text_add(out, "</svg></div>\n");
}
