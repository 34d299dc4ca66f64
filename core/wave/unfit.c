#include "core/wave/unfit.h"

const char *lb_wave_unfit(const lb_scene *scene)
{
    static const char second_uv[] = "they do not render second texture coordinates yet";
    if ((scene->channels.wanted >> LB_CHANNEL_GROUPS & 1) != 0)
        return "they do not tell light groups apart";
    const lb_material *materials = LB_ARRAY(scene, materials, lb_material);
    for (uint64_t i = 0; i < scene->materials.count; i++) {
        if ((materials[i].flags & LB_MATERIAL_COAT_MAPPED) != 0)
            return "they do not render a clearcoat with normals of its own yet";
        if ((materials[i].flags & LB_MATERIAL_SECOND_UV) != 0)
            return second_uv;
    }
    const lb_shape *shapes = LB_ARRAY(scene, shapes, lb_shape);
    for (uint64_t i = 0; i < scene->shapes.count; i++)
        if ((shapes[i].flags & LB_SHAPE_SHINES_BY_SECOND_UV) != 0)
            return second_uv;
    return NULL;
}
