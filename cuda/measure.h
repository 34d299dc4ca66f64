/* What a measuring run may ask of a GPU processor. For bench/ and tests: an ordinary run pays nothing for it. */
#ifndef LB_CUDA_MEASURE_H
#define LB_CUDA_MEASURE_H

#include "core/processor.h"

#include <stddef.h>

/* The kernels, in the order in which they run: BEGIN once a batch, after its counts were cleared; then turns of all the
 * others, of which GATHER runs for pictures with channels alone. */
enum lb_cuda_stage {
    LB_CUDA_BEGIN,
    LB_CUDA_TRACE,
    LB_CUDA_GATHER,
    LB_CUDA_SHADE,
    LB_CUDA_SHADOW,
    LB_CUDA_TURN,
    LB_CUDA_SWAP,
    LB_CUDA_STAGES,
};

/* What a stage's kernel takes on a device, and how many of its threads that lets run at once. */
struct lb_cuda_kernel {
    int registers, local_bytes; /* a thread; local: stack, spills */
    int shared_bytes;           /* a block */
    int threads;                /* a block */
    int blocks;       /* that fit on a multiprocessor together; 0: a played device, which does not know */
    int most_threads; /* that a multiprocessor can have */
};

/* When the device was at work, by its own clock. */
struct lb_cuda_span {
    double begin, end; /* seconds since measuring began */
    bool copy;         /* pixels on their way back; else kernels */
};

struct lb_cuda_times {
    /* Seconds from each kernel's predecessor's end to its own, in launches that had paths to follow. */
    double stage[LB_CUDA_STAGES];
    double empty;               /* seconds of launches that were queued ahead and found none */
    struct lb_cuda_span *spans; /* of all launches and copies, in no order; released by lb_cuda_times_free */
    size_t count, room;
};
void lb_cuda_times_free(struct lb_cuda_times *times);

/* From now on `processor`, a GPU's, has `lanes` (1 or 2) batches in flight and adds to `times`, which the caller has
 * zeroed and which must live until it is closed. Once a processor. With two lanes the times of stages overlap. */
enum lb_status lb_cuda_measure(struct lb_processor *processor, int lanes, struct lb_cuda_times *times,
                               struct lb_error *error);
/* Of all stages, on the GPU that `processor` is. */
enum lb_status lb_cuda_kernels(struct lb_processor *processor, struct lb_cuda_kernel kernels[LB_CUDA_STAGES],
                               struct lb_error *error);

#endif
