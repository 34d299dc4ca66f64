/* Shapes, the objects that they make, and the objects' uses. */
#include "core/language/matrix.h"
#include "core/scene/build.h"

#include "core/kernel/box.h"

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

static const struct shape_kind *find_kind(const char *name)
{
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (strcmp(kinds[i].name, name) == 0)
            return &kinds[i];
    return NULL;
}

static enum lb_status check_kind(const struct lb_builder *builder, const struct lb_entity *entity)
{
    if (find_kind(entity->type))
        return LB_OK;
    return lb_build_unknown(builder, &entity->parameters.location, "shape", entity->type, LB_ROWS(kinds));
}

/* Sets the transforms, and the flags that follow from them. */
static enum lb_status build_place(struct lb_builder *builder, const struct lb_shape_entity *entity,
                                  const struct shape_kind *kind, lb_shape *shape)
{
    const struct lb_motion *motion = entity->world_from_object;
    bool rows = kind->by_vertices && !motion->moves && (motion->flaw || !lb_matrix_is_affine(&motion->at[0]));
    enum lb_status status =
        (rows ? lb_build_rows : lb_build_transform)(builder, motion, &entity->entity.parameters.location,
                                                    &shape->world_from_object, &shape->object_from_world);
    if (status != LB_OK)
        return status;
    shape->flags |= entity->reverse_orientation ? LB_SHAPE_REVERSED : 0u;
    shape->flags |= lb_build_determinant(&shape->world_from_object) < 0.0 ? LB_SHAPE_SWAPS : 0u;
    return LB_OK;
}

/* As in pbrt, nothing is seen of what rays cannot be transformed to. */
static bool is_hidden(const struct lb_builder *builder, const struct lb_motion *motion,
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
    return LB_OK;
}

static enum lb_status build_alpha(struct lb_builder *builder, const struct lb_shape_entity *entity,
                                  lb_shape *shape)
{
    enum lb_status status = lb_build_float_input(builder, &entity->entity.parameters, "alpha", 1.0f, -1e30f,
                                                 1e30f, &shape->alpha, NULL);
    if (status == LB_OK && (shape->alpha.texture != LB_NONE || shape->alpha.value.r < 1.0f)) {
        shape->flags |= LB_SHAPE_HAS_ALPHA;
        builder->head.any_alpha = 1;
    }
    return status;
}

/* The shape's lights; shapes in objects and interfaces have none. */
static enum lb_status build_emission(struct lb_builder *builder, const struct lb_shape_entity *entity,
                                     bool in_object)
{
    const struct lb_location *location = &entity->entity.parameters.location;
    const lb_material *materials = builder->arrays.materials.data;
    if (entity->area_light == UINT32_MAX)
        return LB_OK;
    if (in_object) {
        lb_build_warn(builder, location, "a light in an object does not shine (as in pbrt)");
        return LB_OK;
    }
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

/* A million curves in as many directives are one shape, if they are alike. */
static enum lb_status add_shape(struct lb_builder *builder, const lb_shape *shape)
{
    struct lb_vector *shapes = &builder->arrays.shapes;
    builder->primitives += shape->primitive_count;
    if (shapes->count > builder->first_shape) {
        lb_shape *before = (lb_shape *)shapes->data + shapes->count - 1;
        if (lb_build_joins(before, shape)) {
            before->primitive_count += shape->primitive_count;
            return LB_OK;
        }
    }
    lb_shape *built = lb_vector_add(shapes, 1);
    if (!built)
        return lb_build_no_memory(builder);
    *built = *shape;
    return LB_OK;
}

static enum lb_status build_shape(struct lb_builder *builder, const struct lb_shape_entity *entity,
                                  bool in_object)
{
    const struct lb_parameters *parameters = &entity->entity.parameters;
    const struct shape_kind *kind = find_kind(entity->entity.type);
    lb_shape shape;
    enum lb_status status;
    memset(&shape, 0, sizeof shape);
    if (!kind)
        return check_kind(builder, &entity->entity);
    if (!kind->by_vertices && is_hidden(builder, entity->world_from_object, &parameters->location, "shape"))
        return LB_OK;
    shape.material = entity->material;
    shape.first_light = LB_NONE;
    shape.first_primitive = (uint32_t)builder->primitives;
    builder->patch_areas.count = 0;
    if ((status = build_place(builder, entity, kind, &shape)) != LB_OK ||
        (status = build_media(builder, entity, &shape)) != LB_OK ||
        (status = build_alpha(builder, entity, &shape)) != LB_OK ||
        (status = kind->build(builder, entity, &shape)) != LB_OK ||
        (status = lb_build_check_unused(builder, &entity->entity)) != LB_OK)
        return status;
    if (shape.primitive_count == 0)
        return LB_OK;
    if ((status = add_shape(builder, &shape)) != LB_OK)
        return status;
    return build_emission(builder, entity, in_object);
}

static enum lb_status check_reach(const struct lb_builder *builder, const struct lb_location *location,
                                  const char *what, const lb_box *box)
{
    if (lb_box_is_regular(box))
        return LB_OK;
    return lb_build_error(builder, location,
                          "the %s is too far from the origin: at most %.3g can be calculated with", what,
                          (double)LB_COORDINATE_MAX);
}

enum lb_status lb_build_reach(struct lb_builder *builder, const struct lb_location *location,
                              const lb_box *box)
{
    lb_box_add_box(&builder->reach, box);
    return check_reach(builder, location, "shape", box);
}

/* The shapes of one geometry; *geometry is its number, LB_NONE when nothing is in it. */
static enum lb_status build_geometry(struct lb_builder *builder, const struct lb_shape_entity *shapes,
                                     size_t count, bool is_object, uint32_t *geometry)
{
    struct lb_geometry_source source = {(uint32_t)builder->arrays.shapes.count, 0};
    builder->reach = lb_box_empty();
    builder->first_shape = source.first_shape;
    for (size_t i = 0; i < count; i++) {
        enum lb_status status = lb_build_go_on(builder, build_shape(builder, &shapes[i], is_object));
        if (builder->options->progress)
            atomic_fetch_add(&builder->options->progress->shapes, 1);
        if (status != LB_OK)
            return status;
    }
    source.shape_count = (uint32_t)builder->arrays.shapes.count - source.first_shape;
    *geometry = LB_NONE;
    if (is_object && source.shape_count == 0)
        return LB_OK;
    *geometry = (uint32_t)builder->sources.count;
    struct lb_geometry_source *added = lb_vector_add(&builder->sources, 1);
    if (!added)
        return lb_build_no_memory(builder);
    *added = source;
    return LB_OK;
}

/* An object that uses are made of. */
struct object {
    bool built;
    uint32_t geometry;
    lb_box box;
};

static enum lb_status build_instance(struct lb_builder *builder, const struct lb_object_use *use,
                                     const struct object *object)
{
    lb_transform transform, inverse;
    if (is_hidden(builder, use->world_from_instance, &use->location, "object"))
        return LB_OK;
    enum lb_status status =
        lb_build_transform(builder, use->world_from_instance, &use->location, &transform, &inverse);
    if (status != LB_OK)
        return status;
    lb_box box = lb_box_transform(&transform, &object->box);
    if ((status = check_reach(builder, &use->location, "object", &box)) != LB_OK)
        return status;
    lb_instance *instance = lb_vector_add(&builder->arrays.instances, 1);
    if (!instance)
        return lb_build_no_memory(builder);
    instance->world_from_object = transform;
    instance->object_from_world = inverse;
    instance->geometry = object->geometry;
    instance->swaps = lb_build_determinant(&transform) < 0.0;
    return LB_OK;
}

/* The kinds of what is not built are the language's all the same. */
static void check_unused(const struct lb_builder *builder)
{
    const struct lb_description *description = builder->description;
    for (size_t i = 0; i < description->object_count; i++)
        for (size_t s = 0; s < description->objects[i].shape_count && !builder->used.objects[i]; s++)
            lb_build_go_on(builder, check_kind(builder, &description->objects[i].shapes[s].entity));
    for (size_t i = 0; i < description->area_light_count; i++)
        lb_build_go_on(builder, lb_build_check_area_light(builder, &description->area_lights[i]));
}

static enum lb_status build_instances(struct lb_builder *builder)
{
    const struct lb_description *description = builder->description;
    struct object *objects = lb_arena_alloc(builder->arena, description->object_count + 1, sizeof *objects);
    if (!objects)
        return lb_build_no_memory(builder);
    for (size_t i = 0; i < description->use_count; i++) {
        const struct lb_object_use *use = &description->uses[i];
        const struct lb_object_definition *definition = &description->objects[use->object];
        struct object *object = &objects[use->object];
        enum lb_status status = LB_OK;
        if (!object->built) {
            status =
                build_geometry(builder, definition->shapes, definition->shape_count, true, &object->geometry);
            object->box = builder->reach;
        }
        object->built = true;
        if (status == LB_OK && object->geometry != LB_NONE)
            status = build_instance(builder, use, object);
        if (lb_build_go_on(builder, status) != LB_OK)
            return status;
    }
    return LB_OK;
}

static void tell_shapes(const struct lb_builder *builder)
{
    const struct lb_description *description = builder->description;
    struct lb_load_progress *progress = builder->options->progress;
    size_t count = description->shape_count;
    for (size_t i = 0; i < description->object_count; i++)
        count += builder->used.objects[i] ? description->objects[i].shape_count : 0;
    if (!progress)
        return;
    atomic_store(&progress->shape_count, count);
    atomic_store(&progress->stage, LB_LOAD_SHAPES);
}

enum lb_status lb_build_shapes(struct lb_builder *builder)
{
    const struct lb_description *description = builder->description;
    uint32_t world;
    tell_shapes(builder);
    if (!lb_mesh_files_count(&builder->mesh_files, description, builder->used.objects, builder->arena))
        return lb_build_no_memory(builder);
    enum lb_status status =
        build_geometry(builder, description->shapes, description->shape_count, false, &world);
    if (status == LB_OK)
        status = build_instances(builder);
    if (status == LB_OK)
        check_unused(builder);
    return status;
}
