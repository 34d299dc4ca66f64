/* GPU processors: cuda/none.c where there is no toolkit, and then there is no GPU. */
#ifndef LB_CUDA_CUDA_H
#define LB_CUDA_CUDA_H

#include "core/processor.h"

#include <stddef.h>

/* Visible GPUs, in CUDA's order (CUDA_VISIBLE_DEVICES honoured). When 0, `reason` (of `size` bytes) says why in a few
 * words. */
uint32_t lb_cuda_count(char *reason, size_t size);
/* One line about GPU `index`: name, memory, architecture. */
void lb_cuda_describe(uint32_t index, char *text, size_t size);
/* Which GPU, and how. */
struct lb_cuda_options {
    uint32_t index; /* in CUDA's order */
    double slow;    /* >= 1: the host delays each range so that it takes that many times as long */
    /* Seconds for which a GPU may leave the host without an answer to a launch; then it is lost. */
    double patience;
};

/* Uploads `scene`, which must live as long as the processor. Errors: the scene does not fit, the device is lost, the
 * driver is too old. Closing one that stopped answering leaves what it had to the end of the program. */
enum lb_status lb_cuda_processor_open(const lb_scene *scene, const struct lb_cuda_options *options,
                                      struct lb_processor **processor, struct lb_error *error);

#endif
