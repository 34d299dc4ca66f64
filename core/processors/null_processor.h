/* A null device: renders with another processor's code, then waits until its rate is the one asked for; its ranges fail
 * with a given probability. It stands in for devices of any speed on a machine that has none. */
#ifndef LB_CORE_PROCESSORS_NULL_PROCESSOR_H
#define LB_CORE_PROCESSORS_NULL_PROCESSOR_H

#include "core/processor.h"

/* `inner` renders and is closed with the null device (also when opening fails). `speed`: samples a second, 0: no limit.
 * With probability `fail` a range fails after part of its work; the device is lost then. `seed` draws the failures. */
enum lb_status lb_null_processor_open(struct lb_processor *inner, unsigned index, double speed, double fail,
                                      uint64_t seed, struct lb_processor **processor, struct lb_error *error);

#endif
