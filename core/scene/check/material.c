/* Checks materials and the tables of measured ones. */
#include "core/scene/check/parts.h"
#include "core/scene/block/limits.h"
#include "core/scene/materials/inputs.h"

static const lb_material *material_at(const struct lb_check *check, uint64_t number)
{
    return LB_ARRAY(check->scene, materials, lb_material) + number;
}

static bool inputs_are_sound(const lb_scene *scene, const lb_material *material)
{
    for (size_t i = 0; i < LB_MATERIAL_INPUTS; i++) {
        const lb_input *input =
            (const lb_input *)(const void *)((const char *)material + lb_material_inputs[i]);
        if (!lb_check_index(input->texture, scene->textures.count) || !lb_check_color(scene, input->value))
            return false;
    }
    return true;
}

/* The tables and the image that a material of any kind may have. */
static const char *check_tables(const lb_scene *scene, const lb_material *material)
{
    if ((material->flags & LB_MATERIAL_NORMAL_MAPPED) != 0 && material->normal_map >= scene->images.count)
        return "normal map";
    if ((material->flags & LB_MATERIAL_COAT_MAPPED) != 0 && material->coat_map >= scene->images.count)
        return "normal map of its clearcoat";
    if (material->indices.count != 0 &&
        ((scene->wavelengths.count == 0 && scene->quads.count == 0) ||
         !lb_check_floats(scene, material->indices.offset, LB_WAVELENGTHS, 1)))
        return "table of indices of refraction";
    if (material->coat.count != 0 && !lb_check_floats(scene, material->coat.offset, LB_COAT_CELLS, 1))
        return "table of its coat";
    return NULL;
}

/* Is it the index of a material that may be part of a mix? */
static bool is_part(const struct lb_check *check, uint32_t index)
{
    return index < check->scene->materials.count && material_at(check, index)->kind != LB_MATERIAL_INTERFACE;
}

LB_CHECK_SIZE(lb_material, 552);
const char *lb_check_material(struct lb_check *check, uint64_t number)
{
    const lb_scene *scene = check->scene;
    const lb_material *material = material_at(check, number);
    if (material->kind > LB_MATERIAL_MIX)
        return "kind";
    if (!inputs_are_sound(scene, material))
        return "texture";
    if (material->max_depth > LB_COAT_MOST || material->samples > LB_COAT_MOST)
        return "length of walks";
    if (material->kind == LB_MATERIAL_MEASURED && material->measured >= scene->measured.count)
        return "measurement";
    if (material->kind == LB_MATERIAL_SUBSURFACE &&
        !lb_check_floats(scene, material->profile, LB_PROFILE_FLOATS, 1))
        return "profile";
    if (material->kind == LB_MATERIAL_METALLIC &&
        !lb_check_floats(scene, material->albedos, LB_ALBEDO_FLOATS, 1))
        return "table of albedos";
    if (material->kind == LB_MATERIAL_MIX &&
        !(is_part(check, material->mixed[0]) && is_part(check, material->mixed[1])))
        return "part";
    return check_tables(scene, material);
}

const char *lb_check_material_name(struct lb_check *check, uint64_t number)
{
    const lb_scene *scene = check->scene;
    return LB_ARRAY(scene, material_names, uint32_t)[number] < scene->channels.mattes[1].names ? NULL
                                                                                               : "name";
}

/* ---- mixes ---- */

enum { MIX_UNKNOWN, MIX_BEGUN, MIX_GOOD };

/* Does a material come to an end at materials that are no mixes? `depth` mixes lie around it. */
static bool ends(struct lb_check *check, uint32_t number, uint32_t depth)
{
    const lb_material *material = material_at(check, number);
    uint8_t *known = &check->mixes[number];
    if (material->kind != LB_MATERIAL_MIX || *known == MIX_GOOD)
        return true;
    if (*known == MIX_BEGUN || depth == LB_MIX_DEPTH)
        return false;
    *known = MIX_BEGUN;
    if (!ends(check, material->mixed[0], depth + 1) || !ends(check, material->mixed[1], depth + 1))
        return false;
    *known = MIX_GOOD;
    return true;
}

const char *lb_check_mix(struct lb_check *check, uint64_t number)
{
    return ends(check, (uint32_t)number, 0) ? NULL : "part, which contains it";
}

/* ---- measured materials ---- */

/* Are all values of a warp of so many slices there? */
static bool values_are_there(const lb_scene *scene, const lb_warp *warp, uint64_t slices)
{
    return warp->width >= 2 && warp->width <= LB_WARP_SIDE && warp->height >= 2 &&
           warp->height <= LB_WARP_SIDE &&
           lb_check_floats(scene, warp->values, (uint64_t)warp->width * warp->height, slices);
}

/* The same for a warp that points are drawn by. */
static bool sums_are_there(const lb_scene *scene, const lb_warp *warp, uint64_t slices)
{
    return values_are_there(scene, warp, slices) &&
           lb_check_floats(scene, warp->conditional, (uint64_t)warp->width * warp->height, slices) &&
           lb_check_floats(scene, warp->marginal, warp->height, slices);
}

/* Are all grids of a measurement's colours there, and are those that wavelengths ask for? */
static bool colors_are_there(const lb_scene *scene, const lb_measurement *m, uint64_t slices)
{
    if (scene->quads.count == 0)
        return values_are_there(scene, &m->spectra, 3 * slices);
    if (m->wavelengths < 1 || !lb_check_floats(scene, m->lanes, LB_QUADS, 4) ||
        slices > scene->tables.count / m->wavelengths)
        return false;
    const float *lanes = LB_ARRAY(scene, tables, float) + m->lanes;
    for (int i = 0; i < 4 * LB_QUADS; i++)
        if (!(lanes[i] >= 0.0f && lanes[i] <= (float)(m->wavelengths - 1)))
            return false;
    return values_are_there(scene, &m->spectra, m->wavelengths * slices);
}

LB_CHECK_SIZE(lb_measurement, 208);
const char *lb_check_measurement(struct lb_check *check, uint64_t number)
{
    const lb_scene *scene = check->scene;
    const lb_measurement *m = LB_ARRAY(scene, measured, lb_measurement) + number;
    if (m->phis < 1 || m->thetas < 1 || !lb_check_floats(scene, m->phi, m->phis, 1) ||
        !lb_check_floats(scene, m->theta, m->thetas, 1))
        return "list of directions";
    uint64_t slices = (uint64_t)m->phis * m->thetas;
    if (slices > scene->tables.count || !values_are_there(scene, &m->ndf, 1) ||
        !values_are_there(scene, &m->sigma, 1) || !sums_are_there(scene, &m->vndf, slices) ||
        !sums_are_there(scene, &m->luminance, slices) || !colors_are_there(scene, m, slices))
        return "table";
    return NULL;
}
