#include "core/language/parser.h"

#include <string.h>

/* The shape_count of an object that has been mentioned but not defined. */
static const size_t undefined_object = SIZE_MAX;

enum lb_status lb_mention_material(struct lb_parser *parser, const char *name, uint32_t *index)
{
    *index = lb_names_find(&parser->description->material_names, name);
    if (*index != UINT32_MAX)
        return LB_OK;
    *index = (uint32_t)parser->materials.count;
    struct lb_material_entity *material = lb_list_add(&parser->materials);
    if (!material || !lb_names_set(&parser->description->material_names, parser->arena, name, *index))
        return lb_parser_memory(parser);
    material->name = name;
    material->entity.parameters.location = parser->place;
    return LB_OK;
}

enum lb_status lb_mention_medium(struct lb_parser *parser, const char *name, uint32_t *index)
{
    *index = lb_names_find(&parser->description->medium_names, name);
    if (*index != UINT32_MAX)
        return LB_OK;
    *index = (uint32_t)parser->media.count;
    struct lb_medium_entity *medium = lb_list_add(&parser->media);
    if (!medium || !lb_names_set(&parser->description->medium_names, parser->arena, name, *index))
        return lb_parser_memory(parser);
    medium->name = name;
    medium->entity.parameters.location = parser->place;
    return LB_OK;
}

enum lb_status lb_mention_object(struct lb_parser *parser, const char *name, uint32_t *index)
{
    *index = lb_names_find(&parser->description->object_names, name);
    if (*index != UINT32_MAX)
        return LB_OK;
    *index = (uint32_t)parser->objects.count;
    struct lb_object_definition *object = lb_list_add(&parser->objects);
    if (!object || !lb_names_set(&parser->description->object_names, parser->arena, name, *index))
        return lb_parser_memory(parser);
    object->name = name;
    object->location = parser->place;
    object->shape_count = undefined_object;
    return LB_OK;
}

bool lb_material_is_defined(const struct lb_material_entity *material)
{
    return material->entity.type != NULL;
}

bool lb_medium_is_defined(const struct lb_medium_entity *medium)
{
    return medium->entity.type != NULL;
}

bool lb_object_is_defined(const struct lb_object_definition *object)
{
    return object->shape_count != undefined_object;
}

/* Keeps an error for an object that was never defined, and suggests the nearest name. Only objects that are defined are
 * suggested, though those that were merely mentioned have names in the table, too. */
static void no_object(struct lb_parser *parser, const struct lb_object_definition *missing)
{
    struct lb_guess guess;
    lb_guess_start(&guess, missing->name, strlen(missing->name));
    for (size_t i = 0; i < parser->objects.count; i++) {
        const struct lb_object_definition *object = lb_list_at(&parser->objects, i);
        if (lb_object_is_defined(object))
            lb_guess_try(&guess, object->name);
    }
    lb_error_at(parser->error, &missing->location, "no object is named \"%s\"%s", missing->name, guess.text);
    lb_errors_keep(&parser->errors, parser->error);
}

void lb_check_mentions(struct lb_parser *parser)
{
    for (size_t i = 0; i < parser->objects.count; i++) {
        const struct lb_object_definition *object = lb_list_at(&parser->objects, i);
        if (!lb_object_is_defined(object))
            no_object(parser, object);
    }
}
