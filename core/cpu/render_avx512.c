/* The render loop for AVX-512. The Makefile compiles this file with the flags for it. */
#include "core/cpu/traverse_avx512.h"

#include "core/cpu/traverse.h"
#include "core/kernel/integrators/path_loop.h"

#define LB_RENDER   lb_render_avx512
#define LB_RADIANCE lb_path_radiance
#include "core/cpu/render.inc"
