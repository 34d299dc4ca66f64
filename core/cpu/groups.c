/* Paths of which is known what each group of lights has brought (core/kernel/scene/light_groups.h), in all scenes:
 * those without groups are not to pay for it. Guides lead them as they lead others, so that light is the same. */
#define LB_GROUPS
#define LB_LED

#include "core/cpu/isa.h"
#include "core/kernel/integrators/path_loop.h"
#include "core/kernel/integrators/volume_loop.h"

/* Follows a path as the loops of render.c and volume.c do, to the same bits. */
static inline void follow(const lb_scene *scene, uint32_t x, uint32_t y, uint32_t sample,
                          lb_filter_place *place, const int *stop, lb_counters *counters, lb_path *path)
{
    if (scene->any_volume != 0)
        lb_volume_follow(scene, x, y, sample, place, stop, counters, path);
    else
        lb_path_follow(scene, x, y, sample, place, stop, counters, path);
}

#define LB_RENDER LB_OF_ISA(lb_groups)
#define LB_FOLLOW follow
#include "core/cpu/render.inc"

/* Where the background is left out, groups are without it. */
#if !defined(LB_FOR_AVX2) && !defined(LB_FOR_AVX512)
#define LB_CHANNELS_TRACE lb_groups_channels_trace
#include "core/cpu/channels.inc"
#endif
