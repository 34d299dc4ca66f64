/* A report as text. The writers write to memory; only cli/ puts it anywhere. */
#ifndef LB_CORE_REPORT_REPORT_WRITE_H
#define LB_CORE_REPORT_REPORT_WRITE_H

#include "core/report/report.h"

enum lb_report_format { LB_REPORT_TEXT, LB_REPORT_JSON, LB_REPORT_CSV, LB_REPORT_HTML };

/* The whole report, with a 0 at its end; released by free(). NULL: out of memory. */
char *lb_report_write(const struct lb_report *report, enum lb_report_format format);
/* The schema of the report's JSON form, as JSON Schema, draft 2020-12, with a 0 at its end; released by free(). NULL:
 * out of memory. `kind_names`: the kinds of processors, with a NULL at their end. */
char *lb_report_schema(const char *const *kind_names);

#endif
