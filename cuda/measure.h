/* What benchmarks and tests may ask of a GPU processor beyond rendering. A run that does not ask pays nothing for
 * it. */
#ifndef LB_CUDA_MEASURE_H
#define LB_CUDA_MEASURE_H

#include "core/processor.h"
#include "core/wave/stage.h"

#include <stddef.h>

/* What a stage's kernel takes on a device, and how many of its threads can therefore run at once. */
struct lb_cuda_kernel {
    /* For each thread; local memory holds its stack and registers that were spilled. */
    int registers, local_bytes;
    int shared_bytes; /* for each block */
    int threads;      /* in each block */
    int blocks; /* that fit on a multiprocessor together; 0: not known, as on the devices that tests play */
    int most_threads; /* the most that a multiprocessor can have */
};

/* A stretch of time in which the device was at work, by its own clock. */
struct lb_cuda_span {
    double begin, end; /* seconds since measuring began */
    bool copy;         /* was it pixels on their way back, not kernels? */
};

/* What a measuring run found. */
struct lb_cuda_times {
    /* Seconds from the end of the kernel before to the end of this stage's, in launches that had paths to follow. */
    double stage[LB_WAVE_STAGES];
    double empty;               /* seconds of launches that were queued ahead and found no paths */
    struct lb_cuda_span *spans; /* all launches and copies, in no order; lb_cuda_times_free() releases them */
    size_t count, room;
};
void lb_cuda_times_free(struct lb_cuda_times *times);

/* Makes `processor`, which must be a GPU's, keep `lanes` (1 or 2) batches in flight from now on and add to `times`,
 * which the caller has zeroed and which must live until the processor is closed. It is called once for a processor at
 * most. With two lanes the times of stages overlap. */
enum lb_status lb_cuda_measure(struct lb_processor *processor, int lanes, struct lb_cuda_times *times,
                               struct lb_error *error);
/* Tells what the kernels of all stages take on the GPU that `processor` stands for, with the scene that it holds. */
enum lb_status lb_cuda_kernels(struct lb_processor *processor, struct lb_cuda_kernel kernels[LB_WAVE_STAGES],
                               struct lb_error *error);

#endif
