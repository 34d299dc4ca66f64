/* Shapes, and the geometries that they make. */
#include "core/base/path.h"
#include "core/language/matrix.h"
#include "core/scene/builder/mattes.h"
#include "core/scene/builder/messages.h"
#include "core/scene/builder/transforms.h"
#include "core/scene/lights/lights.h"
#include "core/scene/media/media.h"
#include "core/scene/shapes/shapes.h"
#include "core/scene/textures/textures.h"

#include "core/kernel/shapes/box.h"

#include <string.h>

struct shape_kind {
    const char *name;
    enum lb_status (*build)(struct lb_builder *builder, const struct lb_shape_entity *entity,
                            lb_shape *shape);
    bool by_vertices; /* only its vertices are transformed, to which no inverse is needed */
};

static const struct shape_kind kinds[] = {
    {"trianglemesh", lb_build_trianglemesh, true},
    {"plymesh", lb_build_plymesh, true},
    {"sphere", lb_build_sphere, false},
    {"disk", lb_build_disk, false},
    {"cylinder", lb_build_cylinder, false},
    {"bilinearmesh", lb_build_bilinearmesh, true},
    {"curve", lb_build_curve, false},
    {"loopsubdiv", lb_build_loopsubdiv, true},
};

enum lb_status lb_build_check_shape(const struct lb_builder *builder, const struct lb_entity *entity)
{
    if (lb_build_row(entity->type, LB_ROWS(kinds)))
        return LB_OK;
    return lb_build_unknown(builder, &entity->parameters.location, "shape", entity->type, LB_ROWS(kinds));
}

bool lb_build_does_move(const struct lb_builder *builder, const struct lb_shape_entity *entity,
                        bool in_object)
{
    bool shines = entity->area_light != UINT32_MAX && !in_object;
    return entity->world_from_object->moves && !(shines && builder->options->frame_count != 0);
}

/* The transforms of a shape that moves as a whole: none. */
static void place_mover(lb_shape *shape)
{
    for (int i = 0; i < 3; i++)
        shape->world_from_object.m[i][i] = shape->object_from_world.m[i][i] = 1.0f;
}

/* Sets the transforms, and the flags that follow from them. */
static enum lb_status build_place(struct lb_builder *builder, const struct lb_shape_entity *entity,
                                  const struct shape_kind *kind, bool in_object, lb_shape *shape)
{
    const struct lb_motion *motion = entity->world_from_object;
    shape->flags |= entity->reverse_orientation ? LB_SHAPE_REVERSED : 0u;
    if (lb_build_does_move(builder, entity, in_object)) {
        place_mover(shape);
        return LB_OK;
    }
    bool rows = kind->by_vertices && !motion->moves && (motion->flaw || !lb_matrix_is_affine(&motion->at[0]));
    enum lb_status status =
        (rows ? lb_build_rows : lb_build_transform)(builder, motion, &entity->entity.parameters.location,
                                                    &shape->world_from_object, &shape->object_from_world);
    if (status != LB_OK)
        return status;
    shape->flags |= lb_build_determinant(&shape->world_from_object) < 0.0 ? LB_SHAPE_SWAPS : 0u;
    return LB_OK;
}

bool lb_build_is_hidden(const struct lb_builder *builder, const struct lb_motion *motion,
                        const struct lb_location *location, const char *what)
{
    if (!lb_build_is_flat(motion))
        return false;
    lb_build_warn(builder, location,
                  "the transformation has no inverse (since %s:%u:%u): nothing is seen of the %s",
                  motion->flaw->file, motion->flaw->line, motion->flaw->column, what);
    return true;
}

static enum lb_status build_media(struct lb_builder *builder, const struct lb_shape_entity *entity,
                                  lb_shape *shape)
{
    const struct lb_location *location = &entity->entity.parameters.location;
    enum lb_status status;
    if ((status = lb_build_find_medium(builder, location, entity->inside_medium, &shape->medium_inside)) !=
            LB_OK ||
        (status = lb_build_find_medium(builder, location, entity->outside_medium, &shape->medium_outside)) !=
            LB_OK)
        return status;
    /* pbrt: two sides alike are no boundary. */
    shape->has_media_interface = shape->medium_inside != shape->medium_outside;
    const lb_material *materials = builder->arrays.materials.data;
    bool subsurface = materials[entity->material].kind == LB_MATERIAL_SUBSURFACE ||
                      (materials[entity->material].flags & LB_MATERIAL_HOLDS_SUBSURFACE) != 0;
    if (builder->head.integrator.media && !builder->head.integrator.force_diffuse && subsurface)
        builder->head.any_bssrdf = 1;
    return LB_OK;
}

static enum lb_status build_alpha(struct lb_builder *builder, const struct lb_shape_entity *entity,
                                  lb_shape *shape)
{
    enum lb_status status = lb_build_float_input(builder, &entity->entity.parameters, "alpha", 1.0f, -1e30f,
                                                 1e30f, &shape->alpha, NULL);
    if (status == LB_OK)
        status = lb_build_no_second_uv(builder, &entity->entity.parameters, "alpha", &shape->alpha);
    if (status == LB_OK && (shape->alpha.texture != LB_NONE || shape->alpha.value.r < 1.0f)) {
        shape->flags |= LB_SHAPE_HAS_ALPHA;
        builder->head.any_alpha = 1;
    }
    return status;
}

/* The shape's lights; shapes in objects and interfaces have none, and ambient occlusion knows none. */
static enum lb_status build_emission(struct lb_builder *builder, const struct lb_shape_entity *entity,
                                     bool in_object)
{
    const struct lb_location *location = &entity->entity.parameters.location;
    const lb_material *materials = builder->arrays.materials.data;
    if (entity->area_light == UINT32_MAX)
        return LB_OK;
    if (builder->head.integrator.kind == LB_INTEGRATOR_OCCLUSION)
        return lb_build_check_area_light(builder, &builder->description->area_lights[entity->area_light]);
    if (in_object) {
        lb_build_warn(builder, location, "a light in an object does not shine (as in pbrt)");
        return LB_OK;
    }
    if (lb_build_does_move(builder, entity, in_object))
        return lb_build_error(builder, location, "a shape that moves cannot be a light (as in pbrt)");
    if (materials[entity->material].kind == LB_MATERIAL_INTERFACE) {
        lb_build_warn(builder, location,
                      "a light whose material is an interface does not shine (as in pbrt)");
        return LB_OK;
    }
    uint32_t shape = (uint32_t)builder->arrays.shapes.count - 1;
    if (((const lb_shape *)builder->arrays.shapes.data)[shape].kind == LB_SHAPE_CURVES)
        return lb_build_error(builder, location, "a curve cannot be a light");
    return lb_build_area_light(builder, entity, shape);
}

/* The name that the scene gives the shape: its own; that of its object; that of its mesh's file without folders and
 * ending; or NULL. */
static enum lb_status find_name(struct lb_builder *builder, const struct lb_shape_entity *entity,
                                const char **name)
{
    const struct lb_parameters *parameters = &entity->entity.parameters;
    enum lb_status status = lb_parameters_string(parameters, "name", NULL, name, builder->error);
    if (status != LB_OK || *name)
        return status;
    *name = builder->object_name;
    if (*name || strcmp(entity->entity.type, "plymesh") != 0)
        return LB_OK;
    status = lb_parameters_string(parameters, "filename", NULL, name, builder->error);
    if (status != LB_OK || !*name)
        return status;
    const char *begin = lb_file_name(*name);
    *name = lb_arena_text(builder->arena, begin, strcspn(begin, "."));
    return *name ? LB_OK : lb_build_no_memory(builder);
}

static bool same_name(const char *one, const char *other)
{
    return one && other ? strcmp(one, other) == 0 : one == other;
}

/* A shape without a name is known by its number among all. */
static enum lb_status note_name(struct lb_builder *builder, const char *name)
{
    if (!lb_build_has_matte(builder, LB_CHANNEL_OBJECTS))
        return LB_OK;
    if (!name)
        name = lb_arena_format(builder->arena, "shape %zu", builder->arrays.shapes.count);
    return name ? lb_build_matte_name(builder, LB_CHANNEL_OBJECTS, name) : lb_build_no_memory(builder);
}

/* A million curves in as many directives are one shape, if they are alike. */
static enum lb_status add_shape(struct lb_builder *builder, const lb_shape *shape, const char *name)
{
    struct lb_vector *shapes = &builder->arrays.shapes;
    builder->primitives += shape->primitive_count;
    if (shapes->count > builder->first_shape) {
        lb_shape *before = (lb_shape *)shapes->data + shapes->count - 1;
        if (same_name(builder->latest_name, name) && lb_build_joins(before, shape)) {
            before->primitive_count += shape->primitive_count;
            return LB_OK;
        }
    }
    lb_shape *built = lb_vector_add(shapes, 1);
    if (!built)
        return lb_build_no_memory(builder);
    *built = *shape;
    builder->latest_name = name;
    return note_name(builder, name);
}

static enum lb_status build_shape(struct lb_builder *builder, const struct lb_shape_entity *entity,
                                  bool in_object)
{
    const struct lb_parameters *parameters = &entity->entity.parameters;
    const struct shape_kind *kind = lb_build_row(entity->entity.type, LB_ROWS(kinds));
    const char *name;
    lb_shape shape;
    enum lb_status status;
    memset(&shape, 0, sizeof shape);
    if (!kind)
        return lb_build_check_shape(builder, &entity->entity);
    if (!kind->by_vertices &&
        lb_build_is_hidden(builder, entity->world_from_object, &parameters->location, "shape"))
        return LB_OK;
    shape.material = entity->material;
    shape.first_light = LB_NONE;
    shape.first_primitive = (uint32_t)builder->primitives;
    builder->patch_areas.count = 0;
    if ((status = build_place(builder, entity, kind, in_object, &shape)) != LB_OK ||
        (status = build_media(builder, entity, &shape)) != LB_OK ||
        (status = build_alpha(builder, entity, &shape)) != LB_OK ||
        (status = kind->build(builder, entity, &shape)) != LB_OK ||
        (status = find_name(builder, entity, &name)) != LB_OK ||
        (status = lb_build_check_unused(builder, &entity->entity)) != LB_OK)
        return status;
    if (shape.primitive_count == 0)
        return LB_OK;
    if ((status = add_shape(builder, &shape, name)) != LB_OK)
        return status;
    return build_emission(builder, entity, in_object);
}

enum lb_status lb_build_geometry(struct lb_builder *builder, const struct lb_shape_entity *shapes,
                                 size_t count, bool is_object, bool moving, uint32_t *geometry,
                                 uint32_t *shift)
{
    struct lb_geometry_source source = {(uint32_t)builder->arrays.shapes.count, 0};
    builder->reach = lb_box_empty();
    builder->first_shape = source.first_shape;
    for (size_t i = 0; i < count; i++) {
        if (lb_build_does_move(builder, &shapes[i], is_object) != moving)
            continue;
        enum lb_status status = lb_build_go_on(builder, build_shape(builder, &shapes[i], is_object));
        if (builder->options->progress)
            atomic_fetch_add(&builder->options->progress->shapes, 1);
        if (status != LB_OK)
            return status;
    }
    source.shape_count = (uint32_t)builder->arrays.shapes.count - source.first_shape;
    *geometry = LB_NONE;
    *shift = 0;
    if ((is_object || moving) && source.shape_count == 0)
        return LB_OK;
    uint32_t number = *geometry = (uint32_t)builder->sources.count;
    enum lb_status status =
        is_object || moving ? lb_build_find_same(builder, &source, geometry, shift) : LB_OK;
    if (status != LB_OK || *geometry != number)
        return status;
    struct lb_geometry_source *added = lb_vector_add(&builder->sources, 1);
    if (!added)
        return lb_build_no_memory(builder);
    *added = source;
    return LB_OK;
}
