/* The GPU's pipeline, run on one CPU thread: stage after stage, each over all indices. It is slow, and does to the bit
 * what a GPU does, so that the pipeline can be tested and looked into where there is no GPU. */
#ifndef LB_CORE_WAVE_WAVE_HOST_H
#define LB_CORE_WAVE_WAVE_HOST_H

#include "core/processor.h"

/* Opens a processor named "wave<index>", which keeps `slots` paths in step (0: 4096). `scene` must outlive it; the
 * close() of its table releases it. The only error is LB_ERROR_MEMORY. */
enum lb_status lb_wave_host_open(const lb_scene *scene, uint32_t index, uint32_t slots,
                                 struct lb_processor **processor, struct lb_error *error);

#endif
