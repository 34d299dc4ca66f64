/* A race of strategies as plain data, and its writers. */
#ifndef LB_CORE_REPORT_COMPARISON_H
#define LB_CORE_REPORT_COMPARISON_H

#include "core/report/report_write.h"

struct lb_comparison_row {
    const char *strategy;
    double t, t_min;              /* seconds, means over the frames; t over the runs too */
    double t_least, t_most;       /* of its runs */
    double imbalance, efficiency; /* of t and t_min */
    uint64_t ranges, messages;    /* over all frames, mean over the runs */
    uint64_t lost;                /* processors, in the run that lost most */
    uint32_t runs;
};

struct lb_comparison {
    struct lb_report_run run;
    bool simulated;
    double assumed_seconds; /* of a simulation: what the first frame's work takes at speed 1 */
    uint32_t processors, frames, repeats;
    struct lb_comparison_row *rows;
    size_t row_count;
};

/* A row from a strategy's frames, of one run. */
struct lb_comparison_row lb_comparison_row_make(const char *strategy, const struct lb_report_frame *frames,
                                                uint32_t frame_count);
/* Adds a run to its strategy's row, or as a new row, for which there is room. */
void lb_comparison_add(struct lb_comparison *comparison, const struct lb_comparison_row *run);
/* After the last run. In a real race all rows get one t_min, the least that any run's speeds allow: the work is the
 * same, and speeds that one run measured tell of the others'. (In a simulation speeds are known, and work that is born
 * is only some strategies'.) Sorts the rows, best first: least t. */
void lb_comparison_finish(struct lb_comparison *comparison);
/* The table with a 0 at its end; released by free(). NULL: out of memory. */
char *lb_comparison_write(const struct lb_comparison *comparison, enum lb_report_format format);

#endif
