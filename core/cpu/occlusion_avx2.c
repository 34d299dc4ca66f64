/* The render loop of ambient occlusion, with the avx2 instruction set (the Makefile's flags). */
#include "core/cpu/traverse_avx2.h"

#include "core/cpu/traverse.h"
#include "core/kernel/integrators/occlusion_loop.h"

#define LB_RENDER   lb_occlusion_avx2
#define LB_RADIANCE lb_occlusion_radiance
#include "core/cpu/render.inc"
