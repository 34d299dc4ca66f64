#include "core/wave/stages.h"

const struct lb_wave_code *lb_wave_code_of(const lb_scene *scene)
{
    return scene->quads.count != 0 ? &lb_wave_of_spectra : &lb_wave_of_rgb;
}

struct lb_wave_sizes lb_wave_sizes_of(const lb_scene *scene)
{
    struct lb_wave_sizes sizes = lb_wave_code_of(scene)->sizes;
    if (scene->any_volume == 0 && scene->quads.count == 0)
        sizes.volume = 0;
    return sizes;
}
