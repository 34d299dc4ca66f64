/* The render loop with the avx512 instruction set (the Makefile's flags). */
#define LB_RENDER lb_render_avx512
#include "core/cpu/render.inc"
