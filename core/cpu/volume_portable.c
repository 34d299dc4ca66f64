/* The render loop for scenes whose media scatter or emit light, for what every CPU of the architecture has. */
#include "core/cpu/traverse_portable.h"

#include "core/cpu/traverse.h"
#include "core/kernel/integrators/volume_loop.h"

#define LB_RENDER   lb_volume_portable
#define LB_RADIANCE lb_volume_radiance
#include "core/cpu/render.inc"
