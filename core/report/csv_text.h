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
/* As many fields with nothing in them. */
void lb_csv_blanks(struct lb_text *out, const struct lb_figures *figures);
/* A field for each of `figures`, with what `own` has under the same name; nothing where it has none. */
void lb_csv_some(struct lb_text *out, const struct lb_figures *figures, const struct lb_figures *own,
                 const void *of);

#endif
