#include "core/wave/unfit.h"

const char *lb_wave_unfit(const lb_scene *scene)
{
    if (scene->quads.count != 0)
        return "they do not render with wavelengths yet";
    if ((scene->channels.wanted >> LB_CHANNEL_GROUPS & 1) != 0)
        return "they do not tell light groups apart";
    return NULL;
}
