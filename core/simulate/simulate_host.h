/* Other hosts in a simulation: what their processors and their links make of a range, and how the scene gets there. */
#ifndef LB_CORE_SIMULATE_SIMULATE_HOST_H
#define LB_CORE_SIMULATE_SIMULATE_HOST_H

#include "core/simulate/simulate.h"
#include "core/simulate/simulate_work.h"

/* Ranges that a host has in hand at once, as core/run/pass/ahead.c gives them. */
enum { LB_SIM_IN_HAND = 16 };

struct lb_sim_hand {
    struct lb_range range;
    double begin, end; /* when the host renders it: whoever is free by then goes on with the next range */
};

/* What the course of a frame keeps of a host. */
struct lb_sim_remote {
    struct lb_sim_hand hands[LB_SIM_IN_HAND]; /* first in, first out */
    uint32_t first, count;
    uint32_t arrived; /* of these, so many have reached the primary's link */
    double free;      /* when it has rendered all of them */
    double link_free; /* when its link has carried what they made */
    bool measured;    /* its speed is known: something was delivered */
    bool asks;        /* an event that asks for more is on its way */
};

/* Seconds that the range takes of the time of all the host's processors together. */
double lb_sim_host_seconds(const struct lb_sim_processor *host, const struct lb_sim_work *work,
                           struct lb_range range);
/* How many seconds later its last position is done, at the latest: positions that are dealt to whoever is free take no
 * longer than the work over all speeds, and then the dearest position on one processor, less its part of that (Graham,
 * Bounds on Multiprocessing Timing Anomalies, 1969). Where a host shares few positions, it deals blocks of their
 * samples. */
double lb_sim_host_tail(const struct lb_sim_processor *host, const struct lb_sim_work *work,
                        struct lb_range range);
/* How many positions of the range the host had delivered after `seconds`: those of the pieces that it is given a range
 * in, of 2 seconds each. */
uint64_t lb_sim_host_delivered(const struct lb_sim_processor *host, const struct lb_sim_work *work,
                               struct lb_range range, double seconds);
/* Bytes a second that the link carries: its bandwidth, or what losses leave of it (Mathis et al., The Macroscopic
 * Behavior of the TCP Congestion Avoidance Algorithm, 1997). INFINITY: no limit. */
double lb_sim_link_rate(const struct lb_sim_link *link);
/* Finds out when the scene's block is at each processor that is a host, in seconds since it was first sent, and writes
 * that to `arrivals`, which has an element for each processor: 0 for those that are no hosts. A host that joins late
 * gets the scene from one that has it. False: there is no memory. */
bool lb_sim_block_arrivals(const struct lb_sim_spec *spec, double *arrivals);

#endif
