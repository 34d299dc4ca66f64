#include "core/scene/check/check.h"

#include "core/base/color_space.h"
#include "core/kernel/film/around.h"
#include "core/kernel/scene/channel_kinds.h"
#include "core/kernel/math.h"
#include "core/scene/block/block_arrays.h"
#include "core/scene/check/parts.h"
#include "core/scene/block/limits.h"

#include <stdlib.h>

/* ---- arrays ---- */

/* Does the array lie in the block, behind its head? */
static bool lies_in(const lb_scene *scene, lb_array array, uint64_t element)
{
    return array.offset % 64 == 0 && array.offset >= sizeof *scene && array.count <= scene->size / element &&
           lb_check_within(array.offset, array.count * element, scene->size);
}

/* Do the arrays that belong together have the lengths that they need? */
static const char *check_counts(const lb_scene *scene)
{
    uint64_t triangles = scene->leaf_primitives.count;
    if (scene->geometries.count < 1)
        return "geometries";
    if (scene->shapes.count > INT32_MAX)
        return "shapes";
    if (triangles > 0 && scene->leaf_corners.count < 9 * triangles + 64)
        return "leaf_corners";
    if (scene->leaf_boxes.count != 0 && scene->leaf_boxes.count != triangles)
        return "leaf_boxes";
    if ((scene->quads.count != 0 && scene->quads.count != LB_QUADS) || scene->spectra.count % LB_QUADS != 0 ||
        (scene->quads.count == 0 && scene->spectra.count != 0) ||
        (scene->sigmoids.count != 0 && scene->sigmoids.count != LB_SIGMOIDS))
        return "spectra";
    if (scene->wavelengths.count != 0 && scene->wavelengths.count != LB_WAVELENGTHS)
        return "wavelengths";
    if (scene->light_choice.count != 0 && scene->light_choice.count != scene->lights.count)
        return "light_choice";
    if (scene->light_nodes.count != 0 && scene->lights_beside.count == 0)
        return "lights_beside";
    if (scene->light_trails.count != (scene->light_nodes.count != 0 ? scene->lights.count : 0))
        return "light_trails";
    uint64_t pixels = (uint64_t)scene->film.width * scene->film.height;
    if (scene->outlines.count != 0 && scene->outlines.count != pixels / 32 + 1)
        return "outlines";
    if ((scene->channels.wanted >> LB_CHANNEL_OBJECTS & 1 &&
         scene->shape_names.count != scene->shapes.count) ||
        (scene->channels.wanted >> LB_CHANNEL_MATERIALS & 1 &&
         scene->material_names.count != scene->materials.count))
        return "names";
    if (scene->light_groups.count !=
        ((scene->channels.wanted >> LB_CHANNEL_GROUPS & 1) != 0 ? scene->lights.count : 0))
        return "light_groups";
    bool guided = scene->guide.paths != 0;
    if (scene->guide_ways.count != (guided ? LB_GUIDE_CLASSES << LB_GUIDE_GRID_BITS : 0) ||
        (scene->guide_cells.count != 0) != guided || scene->guide_cells.count > LB_GUIDE_MOST_CELLS ||
        scene->guide_nodes.count > LB_GUIDE_MOST_CELLS)
        return "guide_cells";
    return NULL;
}

static const char *check_arrays(const lb_scene *scene)
{
#define CHECK(name, type, decides, check)                                                                    \
    if (!lies_in(scene, scene->name, sizeof(type)))                                                          \
        return #name;
    LB_SCENE_ARRAYS(CHECK)
#undef CHECK
    return check_counts(scene);
}

/* ---- what stands before them ---- */

LB_CHECK_SIZE(lb_scene, 2464);
LB_CHECK_SIZE(lb_camera, 136);
static const char *check_camera(const lb_scene *scene)
{
    const lb_camera *camera = &scene->camera;
    const lb_lens *lens = &camera->lens;
    if (camera->kind > LB_CAMERA_EQUAL_AREA)
        return "kind";
    if (!lb_check_index(camera->medium, scene->media.count))
        return "medium";
    if (camera->move > scene->moves.count)
        return "move";
    if (camera->kind != LB_CAMERA_REALISTIC)
        return NULL;
    if (lens->count < 1 || !lb_check_floats(scene, lens->first_element, lens->count, 4) ||
        !lb_check_floats(scene, lens->first_zone, LB_LENS_ZONES, 4))
        return "lens";
    if (lens->stop_size[0] != 0 &&
        (lens->stop_size[0] > LB_FILM_SIDE || lens->stop_size[1] > LB_FILM_SIDE ||
         !lb_check_floats(scene, lens->first_stop, lens->stop_size[0], lens->stop_size[1])))
        return "stop";
    return NULL;
}

static bool filter_is_sound(const lb_scene *scene)
{
    const lb_filter *filter = &scene->film.filter;
    bool shares = (scene->channels.wanted >> LB_CHANNEL_AROUND & 1) != 0;
    bool drawn = filter->kind != LB_FILTER_BOX && filter->kind != LB_FILTER_TRIANGLE;
    if (filter->kind > LB_FILTER_SINC || ((shares || drawn) && (filter->nx < 1 || filter->ny < 1)))
        return false;
    if (shares && (!lb_check_floats(scene, filter->columns.offset, filter->nx, LB_AROUND_SIDE) ||
                   !lb_check_floats(scene, filter->rows.offset, filter->ny, LB_AROUND_SIDE)))
        return false;
    return !drawn ||
           (lb_check_floats(scene, filter->values.offset, filter->nx, filter->ny) &&
            lb_check_floats(scene, filter->marginal.offset, filter->ny + (uint64_t)1, 1) &&
            lb_check_floats(scene, filter->conditional.offset, filter->nx + (uint64_t)1, filter->ny));
}

/* Does the picture lie in a film that may be so large? */
static bool size_is_sound(const lb_film *film)
{
    return film->full_width <= LB_FILM_SIDE && film->full_height <= LB_FILM_SIDE && film->width >= 1 &&
           film->height >= 1 && lb_check_within(film->x0, film->width, film->full_width) &&
           lb_check_within(film->y0, film->height, film->full_height);
}

/* What a film makes of finite light must be finite, as it becomes integers. */
static bool exposure_is_sound(const lb_film *film)
{
    bool sound = film->max_component >= 0.0f;
    for (int i = 0; i < 9 && film->has_sensor != 0; i++)
        sound = sound && lb_abs(film->sensor[i / 3][i % 3]) <= LB_SENSOR_MOST;
    return sound;
}

LB_CHECK_SIZE(lb_film, 200);
LB_CHECK_SIZE(lb_integrator, 88);
static const char *check_film(const lb_scene *scene)
{
    if (!size_is_sound(&scene->film))
        return "size";
    if (scene->film.color_space >= LB_COLOR_SPACES)
        return "colour space";
    if (!exposure_is_sound(&scene->film))
        return "exposure";
    if (scene->integrator.kind > LB_INTEGRATOR_OCCLUSION)
        return "integrator";
    if (scene->integrator.samples < 1)
        return "number of samples";
    if (scene->integrator.kind == LB_INTEGRATOR_MANDELBROT && scene->integrator.max_iterations < 1)
        return "number of iterations";
    return filter_is_sound(scene) ? NULL : "filter";
}

/* Does the matte have the sums that its names need? */
static bool matte_is_sound(const lb_scene *scene, uint32_t number)
{
    const lb_matte *matte = &scene->channels.mattes[number];
    bool wanted = (scene->channels.wanted >> (LB_CHANNEL_OBJECTS + number) & 1) != 0;
    if (!wanted)
        return matte->names == 0 && matte->sums == 0;
    return matte->names <= LB_MATTE_NAMES && scene->channels.matte_ranks >= 1 &&
           scene->channels.matte_ranks <= LB_MATTE_RANKS &&
           matte->sums == lb_matte_sums(matte->names, scene->channels.matte_ranks);
}

LB_CHECK_SIZE(lb_channels, 192);
static const char *check_channels(const lb_scene *scene)
{
    if (!matte_is_sound(scene, 0) || !matte_is_sound(scene, 1))
        return "number of names";
    lb_channels laid_out = scene->channels;
    lb_channels_lay_out(&laid_out);
    if (laid_out.buckets > LB_BUCKETS_MOST ||
        (laid_out.wanted >> LB_CHANNEL_BUCKETS & 1) != (laid_out.buckets != 0) ||
        (laid_out.buckets != 0 && scene->quads.count == 0) || !lb_is_finite(laid_out.bucket_unit) ||
        !(laid_out.bucket_most >= 0.0f))
        return "number of buckets";
    if (laid_out.groups > LB_GROUPS_MOST ||
        ((laid_out.wanted >> LB_CHANNEL_GROUPS & 1) == 0 && laid_out.groups != 0))
        return "number of light groups";
    bool equal = scene->channels.wanted >> LB_CHANNEL_KINDS == 0 && laid_out.count == scene->channels.count;
    for (int kind = 0; kind < LB_CHANNEL_KINDS; kind++)
        equal = equal && laid_out.first[kind] == scene->channels.first[kind];
    return equal ? NULL : "place among the sums";
}

/* Has the guide's grid as many steps as there are ways on from it? */
static const char *check_guide(const lb_scene *scene)
{
    const lb_guide_grid *grid = &scene->guide;
    uint64_t bits = (uint64_t)grid->bits[0] + grid->bits[1] + grid->bits[2];
    if (grid->paths == 0)
        return NULL;
    if (scene->integrator.kind != LB_INTEGRATOR_PATH || scene->quads.count != 0 || scene->any_volume != 0)
        return "scene that it is of";
    return bits == LB_GUIDE_GRID_BITS ? NULL : "grid";
}

/* ---- all ---- */

static enum lb_status refuse_part(const char *part, const char *wrong, struct lb_error *error)
{
    return lb_error_set(error, LB_ERROR, "the scene is damaged: its %s has a wrong %s", part, wrong);
}

static enum lb_status check_head(const lb_scene *scene, uint64_t size, struct lb_error *error)
{
    const char *wrong;
    if (size < sizeof *scene || scene->magic != LB_SCENE_MAGIC || scene->size != size)
        return lb_error_set(error, LB_ERROR, "the scene is damaged: it is no scene, or one of another size");
    if ((wrong = check_arrays(scene)) != NULL)
        return lb_error_set(error, LB_ERROR, "the scene is damaged: its array %s is not all there", wrong);
    if ((wrong = check_camera(scene)) != NULL)
        return refuse_part("camera", wrong, error);
    if ((wrong = check_film(scene)) != NULL)
        return refuse_part("film", wrong, error);
    if ((wrong = check_channels(scene)) != NULL)
        return refuse_part("list of channels", wrong, error);
    if ((wrong = check_guide(scene)) != NULL)
        return refuse_part("guide", wrong, error);
    return LB_OK;
}

static enum lb_status check_array(struct lb_check *check, const char *name, uint64_t count,
                                  lb_check_element *element, struct lb_error *error)
{
    for (uint64_t i = 0; element && i < count; i++) {
        const char *wrong = element(check, i);
        if (wrong)
            return lb_error_set(error, LB_ERROR, "the scene is damaged: number %llu of its %s has a wrong %s",
                                (unsigned long long)i, name, wrong);
    }
    return LB_OK;
}

static enum lb_status check_elements(struct lb_check *check, struct lb_error *error)
{
    enum lb_status status;
#define CHECK(name, type, decides, element)                                                                  \
    if ((status = check_array(check, #name, check->scene->name.count, element, error)) != LB_OK)             \
        return status;
    LB_SCENE_ARRAYS(CHECK)
#undef CHECK
    return check_array(check, "materials", check->scene->materials.count, lb_check_mix, error);
}

enum lb_status lb_scene_check(const lb_scene *scene, uint64_t size, struct lb_error *error)
{
    struct lb_check check = {.scene = scene};
    enum lb_status status = check_head(scene, size, error);
    if (status != LB_OK)
        return status;
    check.nodes = calloc(scene->nodes.count + 1, sizeof *check.nodes);
    check.mixes = calloc(scene->materials.count + 1, sizeof *check.mixes);
    check.twins = calloc(scene->shapes.count + 1, sizeof *check.twins);
    status = check.nodes && check.mixes && check.twins ? check_elements(&check, error)
                                                       : lb_error_memory(error, "the scene's check");
    free(check.nodes);
    free(check.mixes);
    free(check.twins);
    return status;
}
