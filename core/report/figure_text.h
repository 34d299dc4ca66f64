/* Figures as people read them, in the text and on the page. */
#ifndef LB_CORE_REPORT_FIGURE_TEXT_H
#define LB_CORE_REPORT_FIGURE_TEXT_H

#include "core/report/figure.h"
#include "core/report/report.h"

enum { LB_FIGURE_TEXT_SIZE = 48 };

/* A processor's figure as its column shows it; seconds with fewer digits where they would not fit in. "": it has no
 * column. */
void lb_figure_cell(const struct lb_figure *figure, const struct lb_report_processor *processor,
                    char text[LB_FIGURE_TEXT_SIZE]);
/* A balance's, with its unit: "1.23 s". Short frames are told in more detail, very short ones without ratios: "-". */
void lb_figure_part(const struct lb_figure *figure, const struct lb_report_balance *balance,
                    char text[LB_FIGURE_TEXT_SIZE]);

/* A host's, with its unit: "1.234 MB". */
void lb_figure_host(const struct lb_figure *figure, const struct lb_report_host *host,
                    char text[LB_FIGURE_TEXT_SIZE]);
/* What the column of a figure of processors shows of one of a host's own; "" where that has no such figure. */
void lb_figure_inner(const struct lb_figure *figure, const struct lb_report_host_processor *inner,
                     char text[LB_FIGURE_TEXT_SIZE]);
/* A run's memory: "61 MB", or "3.21 GB". */
void lb_figure_memory(const struct lb_report_run *run, char text[LB_FIGURE_TEXT_SIZE]);

#endif
