/* The GPU's pipeline run on one CPU thread, stage after stage over a grid of indices: slow, and to the bit what a GPU
 * does. For tests, and for looking into the pipeline where there is no GPU. */
#ifndef LB_CORE_WAVE_WAVE_HOST_H
#define LB_CORE_WAVE_WAVE_HOST_H

#include "core/processor.h"

/* A processor "wave<index>" with `slots` paths in step (0: a default). `scene` must outlive it. */
enum lb_status lb_wave_host_open(const lb_scene *scene, uint32_t index, uint32_t slots,
                                 struct lb_processor **processor, struct lb_error *error);

#endif
