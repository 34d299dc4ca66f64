/* Paths in scenes whose media scatter or emit light. */
#include "core/cpu/isa.h"
#include "core/kernel/integrators/volume_loop.h"

#define LB_RENDER   LB_OF_ISA(lb_volume)
#define LB_RADIANCE lb_volume_radiance
#include "core/cpu/render.inc"
