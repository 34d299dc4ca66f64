/* What groups.c is, for light of four wavelengths. */
#define LB_SPECTRAL
#define LB_GROUPS

#include "core/cpu/isa.h"
#include "core/kernel/integrators/volume_loop.h"

#define LB_RENDER LB_OF_ISA(lb_spectral_groups)
#define LB_FOLLOW lb_volume_follow
#include "core/cpu/render.inc"

/* Where the background is left out, groups are without it. */
#if !defined(LB_FOR_AVX2) && !defined(LB_FOR_AVX512)
#define LB_CHANNELS_TRACE lb_spectral_groups_channels_trace
#include "core/cpu/channels.inc"
#endif
