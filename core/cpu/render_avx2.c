/* The render loop for AVX2. The Makefile compiles this file with the flags for it. */
#include "core/cpu/traverse_avx2.h"

#include "core/cpu/traverse.h"
#include "core/kernel/integrators/path_loop.h"

#define LB_RENDER   lb_render_avx2
#define LB_RADIANCE lb_path_radiance
#include "core/cpu/render.inc"
