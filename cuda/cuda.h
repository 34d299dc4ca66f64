/* NVIDIA GPUs as processors. Where there is no CUDA toolkit, cuda/none.c is built in place of the rest of this folder,
 * and says that there is no GPU. */
#ifndef LB_CUDA_CUDA_H
#define LB_CUDA_CUDA_H

#include "core/processor.h"

#include <stddef.h>

/* Returns how many GPUs CUDA shows to this process, which CUDA_VISIBLE_DEVICES may restrict. When there are none,
 * `reason`, which has room for `size` bytes, says why in a few words. */
uint32_t lb_cuda_count(char *reason, size_t size);
/* Writes one line about GPU `index` into `text`, which has room for `size` bytes: its name, memory and architecture. */
void lb_cuda_describe(uint32_t index, char *text, size_t size);
/* Where this program has no machine code for GPU `index`, but PTX alone, writes a line into `text` which says that the
 * driver compiles it and where that is kept, and returns true. */
bool lb_cuda_forewarn(uint32_t index, char *text, size_t size);
/* Which GPU to open, and how to use it. */
struct lb_cuda_options {
    uint32_t index; /* in CUDA's order */
    double slow;    /* at least 1: the host delays each range so that it takes that many times as long */
    double part;    /* of its multiprocessors, and of the paths in step, that are used: above 0, at most 1 */
    /* How many seconds a GPU may leave a launch unanswered before it counts as lost. */
    double patience;
};

/* Opens a processor named "cuda<index>" and uploads `scene`, which must outlive it. Errors: LB_ERROR_MEMORY where the
 * scene does not fit, LB_ERROR where there is no such device, it is lost, or the driver is too old. The close() of its
 * table releases it; a device that has stopped answering keeps what it has until the program ends. */
enum lb_status lb_cuda_processor_open(const lb_scene *scene, const struct lb_cuda_options *options,
                                      struct lb_processor **processor, struct lb_error *error);

#endif
