/* What of a description reaches the picture: shapes, those of objects that are put somewhere, their materials, and the
 * textures of all these. */
#include "core/scene/textures/textures.h"
#include "core/scene/builder/messages.h"
#include "core/scene/used.h"

#include <string.h>

static void use_texture(struct lb_builder *builder, const struct lb_names *names, const char *name)
{
    uint32_t index = lb_names_find(names, name);
    if (index != UINT32_MAX)
        builder->used.textures[index] = true;
}

/* Which of the two kinds of textures a parameter takes only its reader knows. */
static void use_textures(struct lb_builder *builder, const struct lb_parameter *parameters, size_t count)
{
    const struct lb_description *description = builder->description;
    for (size_t i = 0; i < count; i++)
        for (size_t s = 0; parameters[i].type == LB_PARAMETER_TEXTURE && s < parameters[i].count; s++) {
            use_texture(builder, &description->float_texture_names, parameters[i].strings[s]);
            use_texture(builder, &description->spectrum_texture_names, parameters[i].strings[s]);
        }
}

static void use_entity(struct lb_builder *builder, const struct lb_entity *entity)
{
    use_textures(builder, entity->parameters.items, entity->parameters.count);
    use_textures(builder, entity->parameters.defaults, entity->parameters.default_count);
}

/* Materials that are used and have not been gone through; each comes here once. */
struct waiting {
    uint32_t *materials;
    size_t count;
};

static void use_material(struct lb_builder *builder, struct waiting *waiting, uint32_t index)
{
    if (!builder->used.materials[index])
        waiting->materials[waiting->count++] = index;
    builder->used.materials[index] = true;
}

/* A "mix" is of other materials. */
static void use_mixed(struct lb_builder *builder, struct waiting *waiting,
                      const struct lb_parameter *parameters, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct lb_parameter *parameter = &parameters[i];
        bool names = parameter->type == LB_PARAMETER_STRING && strcmp(parameter->name, "materials") == 0;
        for (size_t s = 0; names && s < parameter->count; s++) {
            uint32_t part = lb_names_find(&builder->description->material_names, parameter->strings[s]);
            if (part != UINT32_MAX)
                use_material(builder, waiting, part);
        }
    }
}

static void go_through_materials(struct lb_builder *builder, struct waiting *waiting)
{
    while (waiting->count > 0) {
        uint32_t index = waiting->materials[--waiting->count];
        const struct lb_entity *entity = &builder->description->materials[index].entity;
        use_entity(builder, entity);
        use_mixed(builder, waiting, entity->parameters.items, entity->parameters.count);
        use_mixed(builder, waiting, entity->parameters.defaults, entity->parameters.default_count);
    }
}

static void use_shapes(struct lb_builder *builder, struct waiting *waiting,
                       const struct lb_shape_entity *shapes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        use_entity(builder, &shapes[i].entity);
        use_material(builder, waiting, shapes[i].material);
    }
}

enum lb_status lb_build_used(struct lb_builder *builder)
{
    const struct lb_description *description = builder->description;
    struct lb_used *used = &builder->used;
    const struct {
        bool **flags;
        size_t count;
    } arrays[] = {{&used->materials, description->material_count},
                  {&used->textures, description->texture_count},
                  {&used->media, description->medium_count},
                  {&used->objects, description->object_count}};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) {
        *arrays[i].flags = lb_arena_alloc(builder->arena, arrays[i].count + 1, sizeof(bool));
        if (!*arrays[i].flags)
            return lb_build_no_memory(builder);
    }
    struct waiting waiting = {.materials = lb_arena_alloc(builder->arena, description->material_count + 1,
                                                          sizeof *waiting.materials)};
    if (!waiting.materials)
        return lb_build_no_memory(builder);
    use_shapes(builder, &waiting, description->shapes, description->shape_count);
    for (size_t i = 0; i < description->use_count; i++) {
        uint32_t number = lb_description_use(description, i)->object;
        const struct lb_object_definition *object = &description->objects[number];
        if (!used->objects[number])
            use_shapes(builder, &waiting, object->shapes, object->shape_count);
        used->objects[number] = true;
    }
    go_through_materials(builder, &waiting);
    /* Backwards through the order in which they are built, so that a texture's users come before it. */
    for (int turn = LB_TEXTURE_TURNS; turn-- > 0;)
        for (size_t i = description->texture_count; i-- > 0;)
            if (used->textures[i] && lb_build_texture_turn(&description->textures[i]) == turn)
                use_entity(builder, &description->textures[i].entity);
    return LB_OK;
}
