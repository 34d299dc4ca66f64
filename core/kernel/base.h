/* What gcc, clang and nvcc each need said differently; the rest of core/kernel is the common subset of C17
 * and CUDA C++: no designated initialisers, no compound literals, no restrict, no implicit conversion from
 * void *. */
#ifndef LB_CORE_KERNEL_BASE_H
#define LB_CORE_KERNEL_BASE_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __CUDACC__
/* Not inlined: a shading kernel in one piece takes the assembler a minute for each architecture. */
#define LB_FUNCTION static __host__ __device__ __noinline__ __attribute__((unused))
#define LB_OFTEN    LB_FUNCTION
#define LB_SELDOM   LB_FUNCTION
#define LB_INLINE   static __host__ __device__ __forceinline__
/* Before a loop over small arrays that few scenes need: not unrolled, its arrays stay in memory, and those who call the
 * function keep their registers. */
#ifdef __CUDA_ARCH__
#define LB_ROLLED _Pragma("unroll 1")
#else
#define LB_ROLLED
#endif
#define LB_JOINED LB_INLINE
#else
#define LB_FUNCTION static inline __attribute__((unused))
/* For what every vertex needs: part of its callers on CPUs, however much else these hold. */
#define LB_OFTEN    LB_INLINE
#define LB_ROLLED
/* For what few scenes need: kept out of the way of the others' code. */
#define LB_SELDOM static __attribute__((noinline, cold, unused))
#define LB_INLINE static inline __attribute__((always_inline, unused))
/* For a link in a long chain of calls: on GPUs part of its caller, since what is live across a call takes registers
 * there that the caller would spill. CPUs have it as compilers like. */
#define LB_JOINED LB_FUNCTION
#endif

/* An index that names nothing. */
#define LB_NONE 0xffffffffu

#endif
