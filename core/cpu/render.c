/* Paths in scenes whose media at most absorb. */
#include "core/cpu/isa.h"
#include "core/kernel/integrators/path_loop.h"

#define LB_RENDER   LB_OF_ISA(lb_render)
#define LB_RADIANCE lb_path_radiance
#include "core/cpu/render.inc"
