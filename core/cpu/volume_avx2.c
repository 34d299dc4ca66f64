/* The render loop of scenes in which media do more than absorb, with the avx2 instruction set (the Makefile's
 * flags). */
#include "core/cpu/traverse_avx2.h"

#include "core/cpu/traverse.h"
#include "core/kernel/volume_loop.h"

#define LB_RENDER   lb_volume_avx2
#define LB_RADIANCE lb_volume_radiance
#include "core/cpu/render.inc"
