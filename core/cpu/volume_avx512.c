/* The render loop for scenes whose media scatter or emit light, for AVX-512. The Makefile compiles this file with the
 * flags for it. */
#include "core/cpu/traverse_avx512.h"

#include "core/cpu/traverse.h"
#include "core/kernel/integrators/volume_loop.h"

#define LB_RENDER   lb_volume_avx512
#define LB_RADIANCE lb_volume_radiance
#include "core/cpu/render.inc"
