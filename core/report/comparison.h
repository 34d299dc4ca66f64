/* A race of strategies as plain data, and its writers. */
#ifndef LB_CORE_REPORT_COMPARISON_H
#define LB_CORE_REPORT_COMPARISON_H

#include "core/report/report_write.h"

struct lb_comparison_row {
    const char *strategy;
    double t, t_min;              /* seconds, means over the frames */
    double imbalance, efficiency; /* of those means */
    uint64_t ranges, messages;    /* over all frames */
    uint64_t lost;
};

struct lb_comparison {
    struct lb_report_run run;
    bool simulated;
    double assumed_seconds; /* of a simulation: what the first frame's work takes at speed 1 */
    uint32_t processors, frames;
    struct lb_comparison_row *rows;
    size_t row_count;
};

/* A row from a strategy's frames. */
struct lb_comparison_row lb_comparison_row_make(const char *strategy, const struct lb_report_frame *frames,
                                                uint32_t frame_count);
void lb_comparison_sort(struct lb_comparison *comparison); /* best first: least t */
/* The table with a 0 at its end; released by free(). NULL: out of memory. */
char *lb_comparison_write(const struct lb_comparison *comparison, enum lb_report_format format);

#endif
