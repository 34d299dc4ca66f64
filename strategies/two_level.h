/* The patent's split between CPU threads and GPUs: equations 1 to 14, as plain numbers. */
#ifndef LB_STRATEGIES_TWO_LEVEL_H
#define LB_STRATEGIES_TWO_LEVEL_H

#include <stdint.h>

struct lb_two_level {
    uint64_t s1, s2;     /* regions of the threads, of the GPUs */
    uint32_t k;          /* threads that have something to do */
    double t_cpu, t_gpu; /* seconds that a region takes one thread alone, all GPUs together */
    double seconds;      /* that the longer of both sides takes: equation 5 */
    double speed_up, threads_speed_up, gpu_speed_up; /* over one thread alone: equations 11, 6 and 7 */
};

/* Splits `s` regions, none of which several threads share: k <= s1, so that k <= s - alpha t_cpu / t_gpu. s1 is rounded
 * down, as in the patent's second conclusion. `alpha` > 0: how much longer a region takes a thread when all `threads`
 * run. Times that are not positive are not known: then s1 and s2 are 0. */
struct lb_two_level lb_two_level_split(uint64_t s, uint32_t threads, double t_cpu, double t_gpu,
                                       double alpha);

#endif
