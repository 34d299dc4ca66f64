/* What T is made of, as a sentence: for the text and for pages. */
#ifndef LB_CORE_REPORT_TIME_PARTS_H
#define LB_CORE_REPORT_TIME_PARTS_H

#include "core/report/report.h"

/* "of T: 1.20 s rendering, ..", and a line on the CPUs; the caller's to free; NULL: out of memory. Nobody slows a
 * simulation's processors, and no CPUs stand behind them. */
char *lb_time_parts_text(const struct lb_report_balance *balance, bool simulated);

#endif
