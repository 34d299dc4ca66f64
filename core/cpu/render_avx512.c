/* The render loop with the avx512 instruction set (the Makefile's flags). */
#include "core/cpu/traverse_avx512.h"

#include "core/cpu/traverse.h"

#define LB_RENDER lb_render_avx512
#include "core/cpu/render.inc"
