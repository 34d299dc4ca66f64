/* The entries of lb_tracers. */
#ifndef LB_CORE_CPU_TRACERS_H
#define LB_CORE_CPU_TRACERS_H

#include "core/cpu/tracer.h"

extern const struct lb_tracer lb_tracer_portable, lb_tracer_avx2, lb_tracer_avx512;

#endif
