#include "core/wave/unfit.h"

const char *lb_wave_unfit(const lb_scene *scene)
{
    if ((scene->channels.wanted >> LB_CHANNEL_GROUPS & 1) != 0)
        return "they do not tell light groups apart";
    const lb_material *materials = LB_ARRAY(scene, materials, lb_material);
    for (uint64_t i = 0; i < scene->materials.count; i++)
        if ((materials[i].flags & LB_MATERIAL_COAT_MAPPED) != 0)
            return "they do not render a clearcoat with normals of its own yet";
    return NULL;
}
