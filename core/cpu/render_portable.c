/* The render loop for what every CPU of the architecture has. */
#include "core/cpu/traverse_portable.h"

#include "core/cpu/traverse.h"
#include "core/kernel/integrators/path_loop.h"

#define LB_RENDER   lb_render_portable
#define LB_RADIANCE lb_path_radiance
#include "core/cpu/render.inc"
