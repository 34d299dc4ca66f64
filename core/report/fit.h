/* Do given weights fit the speeds that were measured? */
#ifndef LB_CORE_REPORT_FIT_H
#define LB_CORE_REPORT_FIT_H

#include "core/report/report.h"

/* Where weights were given, shares followed them, and they made the frame longer by a twentieth or more than weights by
 * the measured speeds would: "measured speeds 25 25 25 25 %; weights that fit: 0.25,0.25,0.25,0.25". Processors of
 * one model count as equally fast. Else "". For free(); NULL: out of memory. */
char *lb_report_fit_text(const struct lb_report_balance *balance);

#endif
