/* The forms of a report, a file each. For core/report alone; everybody else calls core/report/report_write.h. */
#ifndef LB_CORE_REPORT_REPORT_FORMS_H
#define LB_CORE_REPORT_REPORT_FORMS_H

#include "core/report/figure.h"
#include "core/report/report.h"

/* What the JSON report calls itself. */
#define LB_REPORT_SCHEMA "lbrender-report/1"

/* Each with a 0 at its end; released by free(). NULL: out of memory. */
char *lb_report_text(const struct lb_report *report);
char *lb_report_json(const struct lb_report *report);
char *lb_report_csv(const struct lb_report *report);
char *lb_report_html(const struct lb_report *report);
struct lb_comparison;
char *lb_comparison_html(const struct lb_comparison *comparison);
struct lb_curves;
char *lb_curves_html(const struct lb_curves *curves);

#endif
