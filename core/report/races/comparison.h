/* A race of strategies as plain data, and its writers. */
#ifndef LB_CORE_REPORT_RACES_COMPARISON_H
#define LB_CORE_REPORT_RACES_COMPARISON_H

#include "core/report/races/ranking.h"
#include "core/report/report_write.h"

/* A frame of a run: its time without what other programs did, and Tmin / T. */
struct lb_comparison_frame {
    double t, efficiency;
};

/* One run of a strategy. Seconds are means over its frames, but `busy` and `cpu`, which are sums over the CPU threads
 * whose CPU time is known. */
struct lb_comparison_run {
    double t, t_min;
    double slowed, overhead, imbalance, steal; /* as in lb_report_balance */
    double busy, cpu;
    struct lb_comparison_frame *frames; /* of several; released by lb_comparison_free; NULL: there are none */
    /* t without what other programs did (comparison_adjust.h); lb_comparison_finish sets it. */
    double adjusted;
    uint64_t ranges, messages; /* over all frames */
    uint64_t lost;             /* processors, in the last frame */
    uint32_t without;          /* processors that did nothing in the last frame, and were not lost */
};

/* What lb_comparison_finish makes of the runs: the figures are those of the median run by its adjusted time, of an even
 * number of runs the faster of the two in the middle, so that they fit each other as those of a single report. */
struct lb_comparison_row {
    const char *strategy;
    struct lb_comparison_run *runs; /* in the order in which they were added */
    size_t capacity;
    uint32_t run_count;
    /* What a page shows of it: the last frame of its first run, the row's own; frame.view NULL: nothing. */
    struct lb_report_frame shown;
    const char *remedy; /* what would give more processors something to do; NULL: nothing that is known */
    struct lb_comparison_run median;
    double imbalance, efficiency; /* of the median's t and t_min */
    double t_least, t_most;       /* adjusted times of its runs */
    /* By its adjusted times; the interval is the least and the most where the runs are few. */
    struct lb_ranked by_time;
    /* By T / Tmin of its runs, 1 / efficiency, which has less chance in it: a CPU that is slower for a while makes both
     * longer. 1 / high is the lower end of the interval of its efficiency. Of real runs alone. */
    struct lb_ranked by_balance;
    uint64_t lost; /* processors, in the run that lost most */
};

struct lb_comparison {
    struct lb_report_run run;
    bool simulated;
    double assumed_seconds; /* of a simulation: what the first frame's work takes at speed 1 */
    uint32_t processors, frames;
    struct lb_comparison_row *rows; /* the caller's array, with room for all strategies */
    size_t row_count;
    /* Set by lb_comparison_finish. */
    uint32_t repeats; /* the most runs of a row */
    bool ranked;      /* rows have ranks: enough runs, or those of a simulation, which has no chance in it */
    bool has_intervals;     /* of all rows, by enough runs */
    double rank_difference; /* of mean ranks that are told apart (lb_rank_difference) */
};

/* A strategy's run, from its frames. */
struct lb_comparison_run lb_comparison_run_make(const struct lb_report_frame *frames, uint32_t frame_count);
/* Adds a run, which is taken over, to its strategy's row, or as a new row, for which there is room. False: out of
 * memory. */
bool lb_comparison_add(struct lb_comparison *comparison, const char *strategy,
                       const struct lb_comparison_run *run);
/* Gives the strategy's row, which there must be, what a page shows; `frame` is taken over. */
void lb_comparison_show(struct lb_comparison *comparison, const char *strategy,
                        const struct lb_report_frame *frame);
/* Says what would give more processors something to do under the strategy. */
void lb_comparison_remedy(struct lb_comparison *comparison, const char *strategy, const char *remedy);
/* "tiles: 4 of 64 processors had nothing to do; ..", a line each, where it is so; "": nowhere. The caller's to free;
 * NULL: out of memory. After lb_comparison_finish. */
char *lb_comparison_notes(const struct lb_comparison *comparison);
/* Makes each row's figures and its rank, and sorts the rows, best first: least median of
 * adjusted times. More runs may follow. */
void lb_comparison_finish(struct lb_comparison *comparison);
/* Do more runs promise nothing new? So it is where every strategy has one place or a narrow interval, of 2 % of
 * its time: those that still share places are equally good. After lb_comparison_finish. */
bool lb_comparison_settled(const struct lb_comparison *comparison);
/* The part of their busy time in which CPU threads had a CPU, over all runs; 1 where nothing is known. */
double lb_comparison_cpu_part(const struct lb_comparison *comparison);
/* With how many decimals times are shown: of real ones four digits of the longest; a simulated minute may be compared
 * with another one. */
int lb_comparison_decimals(const struct lb_comparison *comparison);
/* The table with a 0 at its end; released by free(). NULL: out of memory. */
char *lb_comparison_write(const struct lb_comparison *comparison, enum lb_report_format format);
void lb_comparison_free(struct lb_comparison *comparison); /* the runs of its rows */

#endif
