/* The objects that shapes make, their uses, and the shapes that move. */
#include "core/base/pages.h"
#include "core/kernel/shapes/box.h"
#include "core/scene/builder/messages.h"
#include "core/scene/builder/transforms.h"
#include "core/scene/lights/lights.h"
#include "core/scene/shapes/shapes.h"
#include "core/scene/motion/sweep.h"

#include <string.h>

/* A geometry that instances are made of. */
struct object_part {
    uint32_t geometry, shift; /* as lb_build_geometry() gives them */
    lb_box box;
    const struct lb_motion *motion;     /* of its shapes, or NULL: they stand still in their object */
    const struct lb_location *location; /* of its first shape */
};

/* An object that uses are made of: its shapes that stand still, and each move's others. */
struct built_object {
    bool built;
    struct object_part *parts; /* of the arena */
    size_t count;
};

/* How many shapes from the first on move alike: one geometry holds them. */
static size_t count_alike(const struct lb_builder *builder, const struct lb_shape_entity *shapes,
                          size_t count, bool in_object)
{
    size_t alike = 1;
    while (alike < count && shapes[alike].world_from_object == shapes->world_from_object &&
           lb_build_does_move(builder, &shapes[alike], in_object))
        alike++;
    return alike;
}

static enum lb_status build_part(struct lb_builder *builder, const struct lb_shape_entity *shapes,
                                 size_t count, bool in_object, bool moving, struct built_object *object)
{
    if (count == 0)
        return LB_OK;
    struct object_part *part = &object->parts[object->count];
    enum lb_status status =
        lb_build_geometry(builder, shapes, count, in_object, moving, &part->geometry, &part->shift);
    part->box = builder->reach;
    part->motion = moving ? shapes->world_from_object : NULL;
    part->location = &shapes->entity.parameters.location;
    object->count += part->geometry != LB_NONE;
    return status;
}

/* Builds the geometries of the shapes that move, and before those that of the others, unless it is the world's. */
static enum lb_status build_object(struct lb_builder *builder, const struct lb_shape_entity *shapes,
                                   size_t count, bool in_object, struct built_object *object)
{
    size_t moving = 0;
    for (size_t i = 0; i < count; i++)
        moving += lb_build_does_move(builder, &shapes[i], in_object);
    object->built = true;
    object->parts = lb_arena_alloc(builder->arena, moving + 1, sizeof *object->parts);
    if (!object->parts)
        return lb_build_no_memory(builder);
    enum lb_status status = in_object ? build_part(builder, shapes, count, in_object, false, object) : LB_OK;
    for (size_t i = 0, alike = 1; i < count && moving > 0 && status == LB_OK; i += alike) {
        alike = 1;
        if (!lb_build_does_move(builder, &shapes[i], in_object))
            continue;
        alike = count_alike(builder, &shapes[i], count - i, in_object);
        status = build_part(builder, &shapes[i], alike, in_object, true, object);
    }
    return status;
}

static enum lb_status add_instance(struct lb_builder *builder, const lb_instance *instance, const lb_box *box,
                                   const struct lb_location *location)
{
    enum lb_status status = lb_build_check_reach(builder, location, "object", box);
    if (status != LB_OK)
        return status;
    lb_instance *added = lb_vector_add(&builder->arrays.instances, 1);
    if (!added)
        return lb_build_no_memory(builder);
    *added = *instance;
    return LB_OK;
}

/* An instance of a part, which `outer`, the number of a move or 0, takes into the world in its turn. */
static enum lb_status build_moving(struct lb_builder *builder, const struct object_part *part, uint32_t outer,
                                   const struct lb_location *location)
{
    static const double origin[3] = {0, 0, 0};
    lb_instance instance;
    memset(&instance, 0, sizeof instance);
    instance.geometry = part->geometry;
    instance.shape_shift = part->shift;
    instance.move = outer;
    enum lb_status status =
        part->motion ? lb_build_move(builder, part->motion, location, origin, outer, &instance.move) : LB_OK;
    if (status != LB_OK)
        return status;
    lb_box box = lb_sweep_box(builder->arrays.moves.data, instance.move, &part->box);
    return add_instance(builder, &instance, &box, location);
}

static enum lb_status build_still(struct lb_builder *builder, const struct lb_object_use *use,
                                  const struct object_part *part)
{
    lb_instance instance;
    memset(&instance, 0, sizeof instance);
    enum lb_status status =
        use->world_from_instance
            ? lb_build_transform(builder, use->world_from_instance, &use->location,
                                 &instance.world_from_object, &instance.object_from_world)
            : lb_build_use_rows(builder, use, &instance.world_from_object, &instance.object_from_world);
    if (status != LB_OK)
        return status;
    instance.geometry = part->geometry;
    instance.shape_shift = part->shift;
    lb_box box = lb_box_transform(&instance.world_from_object, &part->box);
    return add_instance(builder, &instance, &box, &use->location);
}

static enum lb_status build_use(struct lb_builder *builder, const struct lb_object_use *use,
                                const struct built_object *object)
{
    enum lb_status status = LB_OK;
    const struct lb_motion *motion = use->world_from_instance;
    uint32_t outer = 0;
    if (object->count == 0 || (motion && lb_build_is_hidden(builder, motion, &use->location, "object")))
        return LB_OK;
    /* All parts of a use have its move; a part that moves in an object that stands still has one, too. */
    bool moves = motion && motion->moves;
    for (size_t i = 0; i < object->count; i++)
        moves = moves || object->parts[i].motion;
    /* pbrt's space of the world has its origin where the camera is, around which uses of objects turn thus; shapes turn
     * around the origin of their own space. */
    if (moves)
        status = lb_build_move(builder, motion, &use->location, builder->camera_middle, 0, &outer);
    for (size_t i = 0; i < object->count && status == LB_OK; i++) {
        const struct object_part *part = &object->parts[i];
        status = part->motion || (motion && motion->moves)
                     ? build_moving(builder, part, outer, &use->location)
                     : build_still(builder, use, part);
    }
    return status;
}

/* The shapes of the world that move. */
static enum lb_status build_movers(struct lb_builder *builder)
{
    const struct lb_description *description = builder->description;
    struct built_object world;
    memset(&world, 0, sizeof world);
    enum lb_status status =
        build_object(builder, description->shapes, description->shape_count, false, &world);
    for (size_t i = 0; i < world.count && status == LB_OK; i++)
        status = lb_build_go_on(builder, build_moving(builder, &world.parts[i], 0, world.parts[i].location));
    return status;
}

/* The kinds of what is not built are the language's all the same. */
static void check_unused(const struct lb_builder *builder)
{
    const struct lb_description *description = builder->description;
    for (size_t i = 0; i < description->object_count; i++)
        for (size_t s = 0; s < description->objects[i].shape_count && !builder->used.objects[i]; s++)
            lb_build_go_on(builder, lb_build_check_shape(builder, &description->objects[i].shapes[s].entity));
    for (size_t i = 0; i < description->area_light_count; i++)
        lb_build_go_on(builder, lb_build_check_area_light(builder, &description->area_lights[i]));
}

static enum lb_status build_instances(struct lb_builder *builder)
{
    const struct lb_description *description = builder->description;
    struct built_object *objects =
        lb_arena_alloc(builder->arena, description->object_count + 1, sizeof *objects);
    if (!objects)
        return lb_build_no_memory(builder);
    for (size_t i = 0; i < description->use_count; i++) {
        const struct lb_object_use *use = lb_description_use(description, i);
        const struct lb_object_definition *definition = &description->objects[use->object];
        struct built_object *object = &objects[use->object];
        enum lb_status status = LB_OK;
        builder->object_name = definition->name;
        if (!object->built)
            status = build_object(builder, definition->shapes, definition->shape_count, true, object);
        if (status == LB_OK)
            status = build_use(builder, use, object);
        if (lb_build_go_on(builder, status) != LB_OK)
            return status;
        /* Nobody looks at uses after this. */
        if (i % LB_USES_A_BLOCK == LB_USES_A_BLOCK - 1)
            lb_pages_forget(description->use_blocks[i / LB_USES_A_BLOCK], LB_USES_A_BLOCK * sizeof *use);
    }
    builder->object_name = NULL;
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
    uint32_t world, unshifted;
    tell_shapes(builder);
    if (!lb_mesh_files_count(&builder->mesh_files, description, builder->used.objects, builder->arena))
        return lb_build_no_memory(builder);
    enum lb_status status = lb_build_geometry(builder, description->shapes, description->shape_count, false,
                                              false, &world, &unshifted);
    if (status == LB_OK)
        status = build_movers(builder);
    if (status == LB_OK)
        status = build_instances(builder);
    if (status == LB_OK)
        check_unused(builder);
    return status;
}
