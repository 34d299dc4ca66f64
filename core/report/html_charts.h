/* Drawings of a frame for pages, as SVG: when who rendered which range, and how long who was busy. */
#ifndef LB_CORE_REPORT_HTML_CHARTS_H
#define LB_CORE_REPORT_HTML_CHARTS_H

#include "core/base/text.h"
#include "core/report/report.h"
#include "core/report/view.h"

/* Rows that are drawn; of more processors the first ones. */
enum { LB_HTML_MOST_ROWS = 256 };

/* A row a processor of the first `rows`: each range from its begin to its end. Of more than `most` ranges those that
 * are close to each other are drawn as one. */
void lb_html_timeline(struct lb_text *out, const struct lb_report_balance *balance,
                      const struct lb_view *view, uint32_t rows, size_t most);
/* A row a processor: busy, the part of it that moved data, idle. */
void lb_html_bars(struct lb_text *out, const struct lb_report_balance *balance, uint32_t rows);

/* A time axis of `seconds`, for who draws something else: ticks over `height` units from `left` on, `width` long. */
void lb_html_axis(struct lb_text *out, double seconds, double left, double width, double height);

#endif
