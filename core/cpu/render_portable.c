/* The render loop with what every CPU of the architecture has. */
#include "core/cpu/traverse_portable.h"

#include "core/cpu/traverse.h"

#define LB_RENDER lb_render_portable
#include "core/cpu/render.inc"
