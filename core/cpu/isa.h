/* The instruction set that a file is compiled for: render.c, occlusion.c, volume.c, tracer.c, spectral.c, groups.c
 * and guided.c are compiled once for what every CPU of the architecture has and, on x86-64, once more for AVX2 and, but
 * for the last three, for AVX-512 (the Makefile says which). */
#ifndef LB_CORE_CPU_ISA_H
#define LB_CORE_CPU_ISA_H

#include "core/cpu/cpu.h"

#if defined(LB_FOR_AVX512)
#include "core/cpu/numbers_avx2.h"
#include "core/cpu/traverse_avx512.h"
#define LB_ISA_HERE       LB_ISA_AVX512
#define LB_ISA_WORD       "avx512"
#define LB_OF_ISA(prefix) prefix##_avx512
#elif defined(LB_FOR_AVX2)
#include "core/cpu/numbers_avx2.h"
#include "core/cpu/traverse_avx2.h"
#define LB_ISA_HERE       LB_ISA_AVX2
#define LB_ISA_WORD       "avx2"
#define LB_OF_ISA(prefix) prefix##_avx2
#else
#include "core/cpu/traverse_portable.h"
#define LB_ISA_HERE       LB_ISA_PORTABLE
#define LB_ISA_WORD       "portable"
#define LB_OF_ISA(prefix) prefix##_portable
#endif

#include "core/cpu/traverse.h"

#endif
