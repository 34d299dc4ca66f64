/* From the light of a picture to what a screen shows: exposure and tone mapping. */
#ifndef LB_CORE_PICTURE_TONE_MAP_H
#define LB_CORE_PICTURE_TONE_MAP_H

#include "core/kernel/vec.h"

enum lb_tone_map {
    LB_TONE_NONE,     /* what is beyond 1 is cut off */
    LB_TONE_REINHARD, /* by luminance, L / (1 + L) (Reinhard and others, 2002) */
    LB_TONE_HABLE,    /* Hable's film curve (2010), white at 11.2 */
    LB_TONE_ACES,     /* Narkowicz's fit of ACES' reference rendering (2016) */
    LB_TONE_AGX, /* Sobotka's AgX (2022), whose bright colours go to white as on film, of its default contrast */
    LB_TONE_FILMIC /* Hejl's and Burgess-Dawson's fit of a film's response (2010) */
};

/* The colour, linear, times the factor and mapped; 0 to 1 with each map but LB_TONE_NONE, reinhard's saturated colours
 * excepted. */
lb_rgb lb_tone_map(enum lb_tone_map map, float exposure_factor, lb_rgb color);

/* 2^stops. */
float lb_exposure_factor(float stops);

#endif
