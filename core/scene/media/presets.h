/* Measured coefficients of things that light goes into, by name. */
#ifndef LB_CORE_SCENE_MEDIA_PRESETS_H
#define LB_CORE_SCENE_MEDIA_PRESETS_H

#include "core/kernel/vec.h"

#include <stddef.h>

struct lb_medium_preset {
    const char *name;
    /* Reduced scattering and absorption of red, green and blue light, per millimetre. */
    float sigma_s[3], sigma_a[3];
};

/* All of them; *count is their number. */
const struct lb_medium_preset *lb_medium_presets(size_t *count);

/* The coefficients of the preset of that name. False: there is none. */
bool lb_medium_preset(const char *name, lb_rgb *sigma_a, lb_rgb *sigma_s);

#endif
