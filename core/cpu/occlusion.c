/* Ambient occlusion. */
#include "core/cpu/isa.h"
#include "core/kernel/integrators/occlusion_loop.h"

#define LB_RENDER   LB_OF_ISA(lb_occlusion)
#define LB_RADIANCE lb_occlusion_radiance
#include "core/cpu/render.inc"
