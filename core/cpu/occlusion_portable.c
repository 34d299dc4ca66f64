/* The render loop of ambient occlusion, with what every CPU of the architecture has. */
#include "core/cpu/traverse_portable.h"

#include "core/cpu/traverse.h"
#include "core/kernel/integrators/occlusion_loop.h"

#define LB_RENDER   lb_occlusion_portable
#define LB_RADIANCE lb_occlusion_radiance
#include "core/cpu/render.inc"
