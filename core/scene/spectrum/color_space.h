/* rgb values of other colour spaces. Private to core/scene. */
#ifndef LB_CORE_SCENE_SPECTRUM_COLOR_SPACE_H
#define LB_CORE_SCENE_SPECTRUM_COLOR_SPACE_H

#include "core/kernel/vec.h"

#include <stdbool.h>

/* A linear colour of the space "srgb" (or NULL), "dci-p3", "rec2020" or "aces2065-1" as one of linear sRGB, parts
 * below 0 cut off. `light`: the space's white keeps its own colour; else, as for reflectances, white is
 * white. False: no such space. */
bool lb_rgb_to_srgb(const char *space, bool light, lb_rgb colour, lb_rgb *srgb);

#endif
