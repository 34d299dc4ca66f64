/* The entries of lb_tracers (core/cpu/tracer.h), which core/cpu/tracer.c makes, one an instruction set. */
#ifndef LB_CORE_CPU_TRACERS_H
#define LB_CORE_CPU_TRACERS_H

#include "core/cpu/tracer.h"

extern const struct lb_tracer lb_tracer_portable, lb_tracer_avx2, lb_tracer_avx512;

#endif
