/* What all JSON writers share: names of files in it, figures, and the text that it becomes. */
#ifndef LB_CORE_REPORT_JSON_TEXT_H
#define LB_CORE_REPORT_JSON_TEXT_H

#include "core/report/figure.h"

#include <jansson.h>

/* A name from outside as a JSON string, which must be UTF-8: bytes that are not are shown as \xE9. NULL: out of
 * memory. */
json_t *lb_json_name(const char *name);
/* An object with a member for each of the figures that JSON tells. NULL: out of memory. */
json_t *lb_json_figures(const struct lb_figures *figures, const void *of);
/* The text of `root`, indented, members in their order, numbers with 9 digits; what would control a terminal as
 * \u009B. Released by free(); NULL: out of memory, or `root` is NULL. */
char *lb_json_write(const json_t *root);

#endif
