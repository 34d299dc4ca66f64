/* The course of one simulated frame: processors ask for ranges, do them in virtual time, fail and wait. */
#ifndef LB_CORE_SIMULATE_SIMULATE_COURSE_H
#define LB_CORE_SIMULATE_SIMULATE_COURSE_H

#include "core/simulate/simulate.h"
#include "core/simulate/simulate_events.h"
#include "core/simulate/simulate_host.h"
#include "core/simulate/simulate_marks.h"
#include "core/simulate/simulate_work.h"

struct lb_sim_runner;

/* Made anew for each simulation; what it has room for is kept from frame to frame. */
struct lb_sim_course {
    /* Set by who simulates, before a frame. */
    const struct lb_simulation *job;
    void *state; /* the strategy's */
    struct lb_plan plan;
    lb_order order;                    /* as the strategy planned it */
    struct lb_sim_work work;           /* laid along it, in seconds of speed 1 */
    double probed;                     /* work of what was found out before the frame */
    struct lb_report_balance *balance; /* gets what each processor does */
    struct lb_error *error;
    /* What happens. */
    struct lb_sim_runner *runners;
    struct lb_sim_remote *remotes; /* a processor each; NULL: none is another host */
    double *arrivals;              /* for each processor, when it has the scene; NULL: none is another host */
    double gathered;               /* when all processors that are there from the start have the scene */
    double primary_free;           /* when the primary's link has carried what hosts sent */
    struct lb_sim_events events;
    double now;
    uint32_t *waiting; /* a ring of processors, the longest-waiting first */
    size_t waiting_begin, waiting_count;
    struct lb_sim_marks given; /* delivered positions */
    uint64_t born;             /* positions, those born at run time included */
    uint64_t delivered;
    uint32_t threads, busy_threads; /* CPU threads: all, and those with a range in hand */
    bool cuts;                      /* it is planned when a processor looks up whether others wait */
    uint32_t looks_up;              /* who did that last */
    uint64_t draws;
};

/* For a simulation, until lb_sim_course_close(), also after an error. */
enum lb_status lb_sim_course_open(struct lb_sim_course *course, const struct lb_simulation *job,
                                  struct lb_error *error);
void lb_sim_course_close(struct lb_sim_course *course);

/* Lets all happen that happens in the frame that was planned and laid. An error is the strategy's: a range that is none
 * or was given twice, positions that were never given, processors that wait for nothing; or all were lost. */
enum lb_status lb_sim_course_run(struct lb_sim_course *course);

/* What the strategy counted until now. */
struct lb_strategy_counts lb_sim_course_counts(const struct lb_sim_course *course);
/* The speed at which a processor was seen to work in the frame, in work a second, with all that ranges take beside it;
 * 0: it did nothing. */
double lb_sim_course_seen(const struct lb_sim_course *course, uint32_t processor);
/* What a processor's speed is worth where all CPU threads are at work at once. */
double lb_sim_course_speed(const struct lb_sim_course *course, uint32_t processor);

#endif
