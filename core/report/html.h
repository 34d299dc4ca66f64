/* What pages share: text that came from outside, pictures within the page, its head and its end. Pages are XML too, so
 * that any reader of XML can check them; they need no other file and no script. */
#ifndef LB_CORE_REPORT_HTML_H
#define LB_CORE_REPORT_HTML_H

#include "core/base/text.h"
#include "core/report/report.h"
#include "core/report/view.h"

/* Text from outside (names of files, the command): letters stay, what HTML would take for itself or what controls does
 * not. For contents and for attributes in double quotes. */
void lb_html_add(struct lb_text *out, const char *text);
/* "rgb(1,2,3)" of a processor. */
void lb_html_owner(struct lb_text *out, uint32_t owner);
/* The picture as an address of itself: "data:image/png;base64,..". */
void lb_html_png(struct lb_text *out, const struct lb_view_png *png);
/* From <!DOCTYPE to the heading and what the run was; `what`, the strategy or that it was a race. */
void lb_html_begin(struct lb_text *out, const struct lb_report_run *run, const char *what, bool simulated,
                   double assumed_seconds);
/* Why some strategies lost, where the reason is plain, a line each; the text is taken over. NULL: there was no memory
 * for it. */
void lb_html_notes(struct lb_text *out, char *notes);
void lb_html_end(struct lb_text *out);

#endif
