/* Any bytes as a scene file: a description whose references are in range, or an error with its place in one line. */
#include "core/language/parameters.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void demand(bool holds)
{
    if (!holds)
        abort();
}

static void check_parameter(const struct lb_parameter *parameter)
{
    bool is_number = parameter->floats != NULL, is_text = parameter->strings != NULL;
    demand(parameter->count > 0 &&
           is_number + is_text + (parameter->integers != NULL) + (parameter->bools != NULL) == 1);
    for (size_t i = 0; i < parameter->count; i++) {
        demand(!is_number || isfinite(parameter->floats[i]));
        demand(!is_text || strlen(parameter->strings[i]) < 1 << 20);
    }
    unsigned group = lb_parameter_type_floats(parameter->type);
    demand(!is_number || parameter->count % group == 0);
}

static void check_entity(const struct lb_entity *entity)
{
    demand(entity->type != NULL && entity->parameters.location.line > 0);
    for (size_t i = 0; i < entity->parameters.count; i++)
        check_parameter(&entity->parameters.items[i]);
    for (size_t i = 0; i < entity->parameters.default_count; i++)
        check_parameter(&entity->parameters.defaults[i]);
}

static void check_motion(const struct lb_motion *motion)
{
    for (int t = 0; t < 2; t++)
        for (int i = 0; i < 16; i++)
            demand(motion->flaw || (isfinite(motion->at[t].m[i / 4][i % 4]) &&
                                    isfinite(motion->at[t].inverse[i / 4][i % 4])));
}

static void check_shape(const struct lb_description *d, const struct lb_shape_entity *shape)
{
    check_entity(&shape->entity);
    check_motion(shape->world_from_object);
    demand(shape->material < d->material_count);
    demand(shape->area_light < d->area_light_count || shape->area_light == UINT32_MAX);
}

static void check_description(const struct lb_description *d)
{
    /* What is only mentioned has a name and no type. */
    for (size_t i = 0; i < d->material_count; i++)
        if (d->materials[i].entity.type || !d->materials[i].name)
            check_entity(&d->materials[i].entity);
    for (size_t i = 0; i < d->texture_count; i++)
        check_entity(&d->textures[i].entity);
    for (size_t i = 0; i < d->medium_count; i++)
        if (d->media[i].entity.type || !d->media[i].name)
            check_entity(&d->media[i].entity);
    for (size_t i = 0; i < d->light_count; i++)
        check_entity(&d->lights[i].entity);
    for (size_t i = 0; i < d->area_light_count; i++)
        check_entity(&d->area_lights[i]);
    for (size_t i = 0; i < d->shape_count; i++)
        check_shape(d, &d->shapes[i]);
    for (size_t i = 0; i < d->object_count; i++)
        for (size_t k = 0; k < d->objects[i].shape_count; k++)
            check_shape(d, &d->objects[i].shapes[k]);
    for (size_t i = 0; i < d->use_count; i++) {
        const struct lb_object_use *use = lb_description_use(d, i);
        demand(use->object < d->object_count);
        if (use->world_from_instance)
            check_motion(use->world_from_instance);
        for (int k = 0; k < 12 && !use->world_from_instance; k++)
            demand(isfinite(use->rows[0][k / 4][k % 4]) && isfinite(use->rows[1][k / 4][k % 4]));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct lb_arena arena = {0};
    struct lb_description description;
    struct lb_error error = {0};
    static const char name[] = "/nowhere/scene";
    if (lb_description_parse(name, (const char *)data, size, &arena, NULL, &description, &error) == LB_OK)
        check_description(&description);
    else
        demand(strncmp(error.message, name, strlen(name)) == 0 && !strpbrk(error.message, "\n\r"));
    lb_arena_free(&arena);
    return 0;
}
