/* Which processors a report's table has a row for: all of a few; of many the extremes, beside a summary. */
#ifndef LB_CORE_REPORT_REPORT_ROWS_H
#define LB_CORE_REPORT_REPORT_ROWS_H

#include "core/report/report.h"

/* The most processors that have a row each: what fits on a screen. */
enum { LB_REPORT_ROWS_MOST = 32 };

struct lb_report_rows {
    uint32_t rows[LB_REPORT_ROWS_MOST], count;
};

/* All of at most LB_REPORT_ROWS_MOST; of more those that were least, in the middle and most busy, and of them that were
 * lost the first few. */
struct lb_report_rows lb_report_rows_of(const struct lb_report_balance *balance);
/* "64 processors: busy 1.2 s to 3.4 s, ..", a line, where not all have a row; else "". The caller's to free; NULL: out
 * of memory. */
char *lb_report_rows_text(const struct lb_report_balance *balance, const struct lb_report_rows *rows);

#endif
