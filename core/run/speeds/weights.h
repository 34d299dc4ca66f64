/* Weights that measure themselves from pass to pass. Processors of one model (CPU threads that nothing tells apart,
 * GPUs of one name) always weigh the same: where they differ in a pass, the machine did something else besides. */
#ifndef LB_CORE_RUN_SPEEDS_WEIGHTS_H
#define LB_CORE_RUN_SPEEDS_WEIGHTS_H

#include "core/report/report.h"

/* Each processor's speed in a pass: the mean over those of its model that did something, 0 where none did. False:
 * out of memory. */
bool lb_weights_measure(const struct lb_report_balance *balance, double *speeds);
/* From speeds measured in a pass, 0 being none, to the weights of the next: half of the way to what was measured, and
 * none where that is less than a fiftieth (Cycles' work balancer damps and ignores in this way, too); all of the way at
 * first, when `first`. A processor without a speed keeps its weight beside the others. `weights` have the sum 1
 * afterwards. */
void lb_weights_refine(const double *speeds, uint32_t count, bool first, double *weights);

#endif
