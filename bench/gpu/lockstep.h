/* Warps of 32 threads in lockstep on the host, over kernels that test/ptx/translate.py --lockstep made of PTX: counts
 * the instructions that a GPU would issue for them, and how many threads take part in each. Threads that part at a
 * branch meet again at the first block through which all their ways lead, as the compiler's code for GPUs makes them
 * do. A program that uses this has no test/ptx/machine.c. */
#ifndef LB_BENCH_GPU_LOCKSTEP_H
#define LB_BENCH_GPU_LOCKSTEP_H

#include "test/ptx/machine.h"

struct lockstep_count {
    uint64_t slots; /* instructions that warps issue */
    uint64_t lanes; /* the same counted once for each thread that takes part; at most 32 times as many */
    uint64_t last;  /* of the warp that issues most */
};

/* Runs a kernel, found by its name in cuda/kernels.cu, over a grid of `blocks` blocks of `threads` threads. All warps
 * run at once, and that which has issued least goes on, so that what they share goes to who comes first. Adds to
 * `count`. */
void lockstep_launch(const char *name, uint32_t blocks, uint32_t threads, const void *parameter, size_t size,
                     struct lockstep_count *count);

#endif
