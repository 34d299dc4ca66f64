/* Paths that a guide leads (core/kernel/guiding), in scenes whose media at most absorb: all others are not to pay for
 * it. */
#define LB_GUIDED

#include "core/cpu/isa.h"
#include "core/kernel/integrators/path_loop.h"

#define LB_RENDER LB_OF_ISA(lb_guided)
#define LB_FOLLOW lb_path_follow
#include "core/cpu/render.inc"
