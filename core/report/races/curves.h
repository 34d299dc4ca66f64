/* Curves over the number of processors as plain data, and their writers: each strategy on each of several sets of
 * processors. */
#ifndef LB_CORE_REPORT_RACES_CURVES_H
#define LB_CORE_REPORT_RACES_CURVES_H

#include "core/base/text.h"
#include "core/report/report_write.h"

/* Means over the frames. */
struct lb_curve_point {
    double t, t_min;   /* seconds */
    double efficiency; /* t_min / t */
    double imbalance;  /* (t - t_min) / t_min */
    double speed_up;   /* over one processor of speed 1, or one thread: its t over this one */
    uint32_t without;  /* processors that did nothing in the last frame, and were not lost */
};

struct lb_curves {
    struct lb_report_run run;
    bool measured;          /* on real threads: points are medians of adjusted times (races/comparison.h) */
    double assumed_seconds; /* of a simulation: what the first frame's work takes at speed 1 */
    uint32_t frames;
    const char *const *strategies;
    const char *const
        *remedies; /* what would give more processors something to do; NULL, all or one: not known */
    uint32_t strategy_count;
    const uint32_t *processors; /* of each set; those of hosts count each */
    const double *speeds;       /* of each set, the sum */
    uint32_t set_count;
    struct lb_curve_point *points; /* set by set, those of its strategies in their order */
};

/* Two drawings for the page of a race over frames, with a legend: T and efficiency of each strategy. `processors` are
 * the frames, from 1 on, on a linear axis. */
void lb_curves_frames(struct lb_text *out, const struct lb_curves *curves);
/* "tiles: on 38 of 64 sets, from 27 processors on, some of these had nothing to do; ..", a line each, where it is so;
 * "": nowhere. The caller's to free; NULL: out of memory. */
char *lb_curves_notes(const struct lb_curves *curves);
/* The text shows efficiencies, of ten sets at most; the other forms have all. With a 0 at the end; released by free().
 * NULL: out of memory. */
char *lb_curves_write(const struct lb_curves *curves, enum lb_report_format format);

#endif
