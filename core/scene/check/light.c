/* Checks lights and media. */
#include "core/scene/check/parts.h"

#include "core/image/image_file.h"
#include "core/kernel/film/filter.h"

/* ---- lights ---- */

/* Does the light show an image? */
static bool has_image(const lb_scene *scene, const lb_light *light)
{
    if (light->kind != LB_LIGHT_AREA)
        return (lb_light_traits(light->kind) & LB_LIGHT_IMAGE) != 0;
    return (LB_ARRAY(scene, shapes, lb_shape)[light->primitive.shape].flags & LB_SHAPE_SHINES_BY_IMAGE) != 0;
}

/* The importance of the parts of an environment. */
static bool map_is_sound(const lb_scene *scene, const lb_light *light)
{
    uint64_t n = light->map_size;
    if (n < 1 || n > LB_IMAGE_SIDE)
        return false;
    if (light->kind == LB_LIGHT_INFINITE_PORTAL)
        return lb_check_floats(scene, light->density.offset, 2 * (n + 1), n + 1);
    return lb_check_floats(scene, light->marginal.offset, n + 1, 1) &&
           lb_check_floats(scene, light->conditional.offset, n + 1, n) &&
           lb_check_floats(scene, light->steps.offset, lb_cdf_step_count((uint32_t)n), n) &&
           lb_check_floats(scene, light->density.offset, n, n);
}

static bool primitive_is_sound(const lb_scene *scene, lb_primitive primitive)
{
    return primitive.shape < scene->shapes.count &&
           primitive.primitive < LB_ARRAY(scene, shapes, lb_shape)[primitive.shape].primitive_count;
}

LB_CHECK_SIZE(lb_light, 248);
const char *lb_check_light(struct lb_check *check, uint64_t number)
{
    const lb_scene *scene = check->scene;
    const lb_light *light = LB_ARRAY(scene, lights, lb_light) + number;
    if (light->kind >= LB_LIGHT_KIND_COUNT)
        return "kind";
    if (!lb_check_color(scene, light->emission))
        return "spectrum";
    if (light->kind == LB_LIGHT_AREA && !primitive_is_sound(scene, light->primitive))
        return "primitive";
    if (has_image(scene, light) && light->image >= scene->images.count)
        return "image";
    if ((lb_light_traits(light->kind) & LB_LIGHT_MAP) && !map_is_sound(scene, light))
        return "map of importance";
    return NULL;
}

LB_CHECK_SIZE(lb_alias, 12);
const char *lb_check_alias(struct lb_check *check, uint64_t number)
{
    const lb_alias *alias = LB_ARRAY(check->scene, light_choice, lb_alias) + number;
    return alias->other < check->scene->lights.count ? NULL : "light";
}

/* Children stand behind their parents, so that each way down the tree comes to an end. */
LB_CHECK_SIZE(lb_light_node, 576);
const char *lb_check_light_node(struct lb_check *check, uint64_t number)
{
    const lb_scene *scene = check->scene;
    for (int i = 0; i < 8; i++) {
        uint32_t child = LB_ARRAY(scene, light_nodes, lb_light_node)[number].child[i];
        if ((child & LB_LIGHT_NODE_LEAF) != 0 && (child & ~LB_LIGHT_NODE_LEAF) >= scene->lights.count)
            return "light";
        if ((child & LB_LIGHT_NODE_LEAF) == 0 && (child <= number || child >= scene->light_nodes.count))
            return "child";
    }
    return NULL;
}

LB_CHECK_SIZE(lb_light_beside, 12);
const char *lb_check_light_beside(struct lb_check *check, uint64_t number)
{
    uint32_t light = LB_ARRAY(check->scene, lights_beside, lb_light_beside)[number].light;
    return lb_check_index(light, check->scene->lights.count) ? NULL : "light";
}

/* Lights beside the tree are numbered in lights_beside; for the others any steps will do. */
const char *lb_check_light_trail(struct lb_check *check, uint64_t number)
{
    const lb_scene *scene = check->scene;
    uint32_t trail = LB_ARRAY(scene, light_trails, uint32_t)[number];
    if ((lb_light_traits(LB_ARRAY(scene, lights, lb_light)[number].kind) & LB_LIGHT_BOUNDLESS) == 0)
        return NULL;
    return lb_check_index(trail, scene->lights_beside.count) ? NULL : "number beside the tree";
}

const char *lb_check_light_group(struct lb_check *check, uint64_t number)
{
    return LB_ARRAY(check->scene, light_groups, uint32_t)[number] <= check->scene->channels.groups ? NULL
                                                                                                   : "number";
}

const char *lb_check_infinite_light(struct lb_check *check, uint64_t number)
{
    uint32_t light = LB_ARRAY(check->scene, infinite_lights, uint32_t)[number];
    return light < check->scene->lights.count ? NULL : "light";
}

/* ---- media ---- */

/* Is it a grid, or none? Those of rgb grids may have a color, which is three floats or, of spectra, four. */
static bool grid_is_sound(const lb_scene *scene, const lb_grid *grid, uint32_t kind)
{
    uint32_t most = kind != LB_MEDIUM_RGB_GRID ? 1 : scene->quads.count == 0 ? 3 : 4;
    if (grid->channels == 0)
        return true;
    return (grid->channels == 1 || grid->channels == most) &&
           lb_check_holds(grid->first, (uint64_t)grid->size[0] * grid->size[1], grid->size[2], grid->channels,
                          scene->tables.count);
}

/* Is there a bound for each cell? The kernel counts cells in int32_t. */
static bool cells_are_sound(const lb_scene *scene, const lb_medium *medium)
{
    const uint32_t *cells = medium->cells;
    uint64_t layer = (uint64_t)cells[0] * cells[1];
    return cells[0] >= 1 && cells[1] >= 1 && cells[2] >= 1 &&
           lb_check_holds(0, layer, cells[2], 1, INT32_MAX) &&
           lb_check_floats(scene, medium->bounds, layer, cells[2]);
}

LB_CHECK_SIZE(lb_medium, 488);
const char *lb_check_medium(struct lb_check *check, uint64_t number)
{
    const lb_scene *scene = check->scene;
    const lb_medium *medium = LB_ARRAY(scene, media, lb_medium) + number;
    if (medium->kind > LB_MEDIUM_CLOUD)
        return "kind";
    if (!lb_check_color(scene, medium->sigma_a) || !lb_check_color(scene, medium->sigma_s) ||
        !lb_check_color(scene, medium->emission))
        return "spectrum";
    if (medium->kind == LB_MEDIUM_HOMOGENEOUS)
        return NULL;
    if (!cells_are_sound(scene, medium))
        return "number of cells";
    const lb_grid *const grids[] = {&medium->density, &medium->scattering, &medium->glow,
                                    &medium->temperature};
    for (size_t i = 0; i < sizeof grids / sizeof grids[0]; i++)
        if (!grid_is_sound(scene, grids[i], grids[i] == &medium->temperature ? LB_MEDIUM_GRID : medium->kind))
            return "grid";
    if (medium->kind == LB_MEDIUM_GRID && medium->density.channels == 0)
        return "grid";
    if (medium->temperature.channels != 0 && scene->quads.count == 0 &&
        !lb_check_floats(scene, medium->heat, LB_MEDIUM_HEAT_ROWS, 3))
        return "table of black bodies";
    if (medium->kind == LB_MEDIUM_CLOUD && !lb_check_within(medium->permutation, 256, scene->texels.count))
        return "permutation";
    return NULL;
}
