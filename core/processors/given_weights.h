/* The text of --weights. */
#ifndef LB_CORE_PROCESSORS_GIVEN_WEIGHTS_H
#define LB_CORE_PROCESSORS_GIVEN_WEIGHTS_H

#include "core/base/error.h"

#include <stdint.h>

/* "0.1,2,3.5": positive numbers, made to sum 1; *weights is the caller's to free, also after an error. */
enum lb_status lb_weights_parse(const char *option, const char *text, double **weights, uint32_t *count,
                                struct lb_error *error);

#endif
