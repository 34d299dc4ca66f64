#include "core/report/figure_text.h"

#include <stdio.h>
#include <stdlib.h>

/* "12.34s" in at most `width` places, by fewer digits where it would be longer. */
static void put_seconds(char *text, int width, double seconds)
{
    for (int digits = 2; digits >= 0; digits--)
        if (snprintf(text, LB_FIGURE_TEXT_SIZE, "%.*fs", digits, seconds) <= width)
            return;
    snprintf(text, LB_FIGURE_TEXT_SIZE, "%.0es", seconds);
}

void lb_figure_cell(const struct lb_figure *f, const struct lb_report_processor *p,
                    char text[LB_FIGURE_TEXT_SIZE])
{
    double value = f->shown == LB_SHOWN_NAME || f->shown == LB_SHOWN_NOT ? 0 : lb_figure_number(f, p);
    *text = 0;
    switch (f->shown) {
    case LB_SHOWN_NOT:
    case LB_SHOWN_WORD:
        return;
    case LB_SHOWN_RATIO:
        snprintf(text, LB_FIGURE_TEXT_SIZE, "%.4g", value);
        return;
    case LB_SHOWN_NAME:
        snprintf(text, LB_FIGURE_TEXT_SIZE, "%.*s", abs(f->width), lb_figure_word(f, p));
        return;
    case LB_SHOWN_COUNT:
        snprintf(text, LB_FIGURE_TEXT_SIZE, "%llu", (unsigned long long)lb_figure_count(f, p));
        return;
    case LB_SHOWN_PERCENT:
        snprintf(text, LB_FIGURE_TEXT_SIZE, "%.2f%%", 100 * value);
        return;
    case LB_SHOWN_SECONDS:
        put_seconds(text, f->width, value);
        return;
    case LB_SHOWN_MILLIONS:
    case LB_SHOWN_MEGABYTES:
        snprintf(text, LB_FIGURE_TEXT_SIZE, "%.4f", value * 1e-6);
        return;
    case LB_SHOWN_MILLIONS_A_SECOND:
        snprintf(text, LB_FIGURE_TEXT_SIZE, "%.2f", p->busy_seconds > 0 ? value * 1e-6 / p->busy_seconds : 0);
        return;
    }
}

/* In a frame that is shorter than this, percentages would tell how quickly threads wake up, not how well work was
 * shared. */
static const double SHORT_FRAME = 0.01;

void lb_figure_part(const struct lb_figure *f, const struct lb_report_balance *b,
                    char text[LB_FIGURE_TEXT_SIZE])
{
    double value = lb_figure_number(f, b);
    bool is_ratio = f->shown == LB_SHOWN_PERCENT || f->shown == LB_SHOWN_RATIO;
    if (is_ratio && b->t < SHORT_FRAME) {
        snprintf(text, LB_FIGURE_TEXT_SIZE, "-");
        return;
    }
    switch (f->shown) {
    case LB_SHOWN_SECONDS:
        snprintf(text, LB_FIGURE_TEXT_SIZE, "%.*f s", b->t < 1 ? 4 : b->t < 1e4 ? 2 : 0, value);
        return;
    case LB_SHOWN_PERCENT:
        snprintf(text, LB_FIGURE_TEXT_SIZE, value < 1e4 ? "%.1f %%" : "%.2e %%", 100 * value);
        return;
    case LB_SHOWN_RATIO:
        snprintf(text, LB_FIGURE_TEXT_SIZE, "%.3f", value);
        return;
    default:
        snprintf(text, LB_FIGURE_TEXT_SIZE, "%llu", (unsigned long long)lb_figure_count(f, b));
    }
}

void lb_figure_host(const struct lb_figure *f, const struct lb_report_host *h, char text[LB_FIGURE_TEXT_SIZE])
{
    if (f->shown == LB_SHOWN_MEGABYTES)
        snprintf(text, LB_FIGURE_TEXT_SIZE, "%.3f MB", lb_figure_number(f, h) * 1e-6);
    else if (f->shown == LB_SHOWN_SECONDS)
        snprintf(text, LB_FIGURE_TEXT_SIZE, "%.4f s", lb_figure_number(f, h));
    else
        snprintf(text, LB_FIGURE_TEXT_SIZE, "%llu", (unsigned long long)lb_figure_count(f, h));
}

void lb_figure_inner(const struct lb_figure *f, const struct lb_report_host_processor *inner,
                     char text[LB_FIGURE_TEXT_SIZE])
{
    const struct lb_figure *own = lb_figure_find(&lb_host_processor_figures, f->name);
    *text = 0;
    if (!own)
        return;
    if (f->shown == LB_SHOWN_NAME)
        snprintf(text, LB_FIGURE_TEXT_SIZE, "  %.*s", abs(f->width) - 2, lb_figure_word(own, inner));
    else if (f->shown == LB_SHOWN_COUNT)
        snprintf(text, LB_FIGURE_TEXT_SIZE, "%llu", (unsigned long long)lb_figure_count(own, inner));
    else if (f->shown == LB_SHOWN_SECONDS)
        put_seconds(text, f->width, lb_figure_number(own, inner));
}

void lb_figure_memory(const struct lb_report_run *run, char text[LB_FIGURE_TEXT_SIZE])
{
    double bytes = (double)run->peak_bytes;
    if (bytes < 1e9)
        snprintf(text, LB_FIGURE_TEXT_SIZE, "%.0f MB", bytes * 1e-6);
    else
        snprintf(text, LB_FIGURE_TEXT_SIZE, "%.2f GB", bytes * 1e-9);
}
