/* The figures of core/report/figures.h as arrays, for who tells them all in turn. */
#ifndef LB_CORE_REPORT_FIGURE_H
#define LB_CORE_REPORT_FIGURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum lb_figure_kind {
    LB_FIGURE_NAME,
    LB_FIGURE_WORD,
    LB_FIGURE_TEXT,
    LB_FIGURE_LABEL,
    LB_FIGURE_DEVICE,
    LB_FIGURE_SOURCE,
    LB_FIGURE_COUNT,
    LB_FIGURE_SECONDS,
    LB_FIGURE_WEIGHT,
    LB_FIGURE_SHARE,
    LB_FIGURE_RATIO,
    LB_FIGURE_NUMBER,
    LB_FIGURE_FLAG,
};

enum lb_told { LB_TOLD_NONE, LB_TOLD_JSON, LB_TOLD_CSV, LB_TOLD_ALL };

/* How the text shows a figure; LB_SHOWN_NOT: it does not. */
enum lb_shown {
    LB_SHOWN_NOT,
    LB_SHOWN_NAME,
    LB_SHOWN_COUNT,
    LB_SHOWN_PERCENT,
    LB_SHOWN_RATIO,
    LB_SHOWN_SECONDS,
    LB_SHOWN_MILLIONS,
    LB_SHOWN_MEGABYTES,
    LB_SHOWN_MILLIONS_A_SECOND, /* while it was busy */
    LB_SHOWN_WORD,              /* the figure's name where it is true, beyond the last column */
};

/* In which reports it is a column: what a simulation does not know is none there, and lines of a real report's text
 * have no room for more, but its page has. */
enum lb_column { LB_COLUMN_ALWAYS, LB_COLUMN_MEASURED, LB_COLUMN_SIMULATED };

struct lb_figure {
    const char *name; /* in JSON and CSV */
    enum lb_figure_kind kind;
    enum lb_told told;
    const char *head; /* in the text: of its column, or before its number in the summary */
    int width;        /* of its column, negative: flush left; the summary has none */
    enum lb_shown shown;
    enum lb_column column;
    size_t offset; /* in its struct */
};

struct lb_figures {
    const struct lb_figure *items;
    size_t count;
};

extern const struct lb_figures lb_processor_figures;      /* of an lb_report_processor */
extern const struct lb_figures lb_host_figures;           /* of an lb_report_host */
extern const struct lb_figures lb_host_processor_figures; /* of an lb_report_host_processor */
extern const struct lb_figures lb_balance_figures;        /* of an lb_report_balance */
extern const struct lb_figures lb_run_figures;            /* of an lb_report_run */

/* The figure of this name; NULL: there is none. */
const struct lb_figure *lb_figure_find(const struct lb_figures *figures, const char *name);

/* Is it a column of the report, as text or as a page? */
bool lb_figure_column(const struct lb_figure *figure, bool simulated, bool page);

/* The value of a figure of `of`, by its kind: COUNT and FLAG are counts; NAME, WORD, TEXT, LABEL, DEVICE and SOURCE are
 * words; the rest, and also COUNT, are numbers. */
uint64_t lb_figure_count(const struct lb_figure *figure, const void *of);
double lb_figure_number(const struct lb_figure *figure, const void *of);
const char *lb_figure_word(const struct lb_figure *figure, const void *of);

#endif
