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

/* The number of a name that is known already; UINT32_MAX for one that is not, or is too long to be looked at here. */
static uint32_t find_known(const struct lb_names *names, const struct lb_token *token)
{
    char text[64];
    if (token->length >= sizeof text)
        return UINT32_MAX;
    memcpy(text, token->text, token->length);
    text[token->length] = 0;
    return lb_names_find(names, text);
}

/* Only a name that was not known gets room in the arena: a million uses of an object need no million copies. */
enum lb_status lb_expect_object(struct lb_parser *parser, uint32_t *index)
{
    static const char what[] = "an object's name";
    struct lb_token token;
    enum lb_status status = lb_lexer_next(&parser->lexer, &token, parser->error);
    if (status != LB_OK)
        return status;
    if (token.kind == LB_TOKEN_STRING) {
        *index = find_known(&parser->description->object_names, &token);
        if (*index != UINT32_MAX)
            return LB_OK;
    }
    const char *name;
    status = lb_take_string(parser, &token, what, &name);
    return status == LB_OK ? lb_mention_object(parser, name, index) : status;
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
