/* The render loop for scenes whose media scatter or emit light, for AVX2. The Makefile compiles this file with the
 * flags for it. */
#include "core/cpu/traverse_avx2.h"

#include "core/cpu/traverse.h"
#include "core/kernel/integrators/volume_loop.h"

#define LB_RENDER   lb_volume_avx2
#define LB_RADIANCE lb_volume_radiance
#include "core/cpu/render.inc"
