/* What all CSV writers share (RFC 4180; one line a record, whatever names hold). */
#ifndef LB_CORE_REPORT_CSV_TEXT_H
#define LB_CORE_REPORT_CSV_TEXT_H

#include "core/base/text.h"
#include "core/report/figure.h"

/* A field in quotes. */
void lb_csv_quoted(struct lb_text *out, const char *text);
/* The names of the figures that CSV tells, and their values of `of`, each with a comma before it. */
void lb_csv_names(struct lb_text *out, const struct lb_figures *figures);
void lb_csv_figures(struct lb_text *out, const struct lb_figures *figures, const void *of);

#endif
