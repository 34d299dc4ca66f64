/* Paths whose light is of four wavelengths (core/kernel/scene/spectral.h), in all scenes: one loop for those with and
 * without media and groups of lights (core/kernel/scene/light_groups.h), as another would take as long to compile. */
#define LB_SPECTRAL
#define LB_GROUPS

#include "core/cpu/isa.h"
#include "core/kernel/integrators/volume_loop.h"

#define LB_RENDER LB_OF_ISA(lb_spectral)
#define LB_FOLLOW lb_volume_follow
#include "core/cpu/render.inc"

/* Channels take a small part of the time, and no instruction set of their own. */
#if !defined(LB_FOR_AVX2) && !defined(LB_FOR_AVX512)
#define LB_CHANNELS_TRACE lb_spectral_channels_trace
#include "core/cpu/channels.inc"
#endif
