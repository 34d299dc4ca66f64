/* The speeds that a pass measured, by which weights follow from pass to pass (core/speed.h). */
#ifndef LB_CORE_RUN_SPEEDS_WEIGHTS_H
#define LB_CORE_RUN_SPEEDS_WEIGHTS_H

#include "core/report/report.h"

/* Each processor's speed in a pass: the mean over those of its model that did something, 0 where none did. False:
 * out of memory. */
bool lb_weights_measure(const struct lb_report_balance *balance, double *speeds);

#endif
