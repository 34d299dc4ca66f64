/* The render loop with the avx2 instruction set (the Makefile's flags). */
#define LB_RENDER lb_render_avx2
#include "core/cpu/render.inc"
