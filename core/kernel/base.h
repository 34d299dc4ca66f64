/* What gcc, clang and nvcc each need said in a way of their own. All the rest of core/kernel is written in the common
 * subset of C17 and CUDA C++: no designated initialisers, no compound literals, no restrict, no implicit conversion
 * from void *.
 *
 * How a function is declared says who calls it. LB_FUNCTION leaves inlining to CPU compilers; LB_INLINE asks for it
 * everywhere; LB_OFTEN, LB_SELDOM and LB_JOINED are explained below. */
#ifndef LB_CORE_KERNEL_BASE_H
#define LB_CORE_KERNEL_BASE_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __CUDACC__
/* On GPUs these are not inlined: a shading kernel in one piece would take the assembler a minute for each
 * architecture. */
#define LB_FUNCTION static __host__ __device__ __noinline__ __attribute__((unused))
#define LB_OFTEN    LB_FUNCTION
#define LB_SELDOM   LB_FUNCTION
#define LB_INLINE   static __host__ __device__ __forceinline__
/* Stands before a loop over small arrays that only few scenes need. Such a loop is not unrolled on GPUs: its arrays
 * stay in memory, and the functions that call it keep their registers. */
#ifdef __CUDA_ARCH__
#define LB_ROLLED _Pragma("unroll 1")
#else
#define LB_ROLLED
#endif
#define LB_JOINED        LB_INLINE
#define LB_SELDOM_JOINED LB_INLINE
#else
#define LB_FUNCTION static inline __attribute__((unused))
/* A kernel in one piece takes compilers long, under sanitizers minutes: where this is defined, they may leave calls in
 * it. */
#ifdef LB_UNFORCED
#define LB_INLINE static inline __attribute__((unused))
#else
#define LB_INLINE static inline __attribute__((always_inline, unused))
#endif
/* For what every vertex of every path needs: on CPUs it becomes part of its callers, however much code these hold
 * already. */
#define LB_OFTEN LB_INLINE
#define LB_ROLLED
/* For what only few scenes need: on CPUs it is kept out of the way of the code that all scenes need. */
#define LB_SELDOM        static __attribute__((noinline, cold, unused))
/* For a link in a long chain of calls: on GPUs it becomes part of its caller, since whatever is live across a call
 * takes registers there, which the caller would have to spill. On CPUs compilers may do as they like. */
#define LB_JOINED        LB_FUNCTION
/* For a link in a long chain of calls that only few scenes need: what both of these say. */
#define LB_SELDOM_JOINED LB_SELDOM
#endif

/* A condition that is not asked for on GPUs, as their kernels would spill registers with what follows from it: scenes
 * where it may be true are not for them (core/wave/unfit.c). */
#ifdef __CUDA_ARCH__
#define LB_ON_CPUS(condition) false
#else
#define LB_ON_CPUS(condition) (condition)
#endif

/* An index that stands for nothing. */
#define LB_NONE 0xffffffffu

#endif
