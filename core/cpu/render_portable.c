/* The render loop with what every CPU of the architecture has. */
#define LB_RENDER lb_render_portable
#include "core/cpu/render.inc"
