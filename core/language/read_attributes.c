/* Reads AttributeBegin, AttributeEnd, and the directives for attributes between them. */
#include "core/language/parser.h"

#include <string.h>

enum {
    DEEPEST = 100000,  /* how deep AttributeBegin may be nested: that takes some 60 MB */
    MOST_DEFAULTS = 64 /* for one target */
};

enum lb_status lb_save_state(struct lb_parser *parser, bool object)
{
    if (parser->saved.count >= DEEPEST)
        return lb_error_at(parser->error, &parser->place, "more than %d AttributeBegin in each other",
                           DEEPEST);
    struct lb_saved_state *saved = lb_list_add(&parser->saved);
    if (!saved)
        return lb_parser_memory(parser);
    *saved = (struct lb_saved_state){.state = parser->state, .location = parser->place, .object = object};
    return LB_OK;
}

enum lb_status lb_restore_state(struct lb_parser *parser, bool object)
{
    const char *end = object ? "ObjectEnd" : "AttributeEnd",
               *begin = object ? "ObjectBegin" : "AttributeBegin";
    if (parser->saved.count <= parser->saved_base)
        return lb_error_misplaced(parser, "%s without %s", end, begin);
    const struct lb_saved_state *saved = lb_list_at(&parser->saved, parser->saved.count - 1);
    if (saved->object != object)
        return lb_error_misplaced(parser, "%s inside %s of line %u", end,
                                  object ? "AttributeBegin" : "ObjectBegin", saved->location.line);
    parser->state = saved->state;
    parser->saved.count--;
    return LB_OK;
}

enum lb_status lb_read_attribute_begin(struct lb_parser *parser)
{
    return lb_save_state(parser, false);
}

enum lb_status lb_read_attribute_end(struct lb_parser *parser)
{
    return lb_restore_state(parser, false);
}

/* In pbrt-v4, TransformBegin saves all that AttributeBegin does. */
enum lb_status lb_read_transform_begin(struct lb_parser *parser)
{
    if (!parser->warned_of_transform_begin)
        lb_log_at(parser->log, LB_WARNING, &parser->place,
                  "TransformBegin and TransformEnd are read as AttributeBegin and AttributeEnd");
    parser->warned_of_transform_begin = true;
    return lb_save_state(parser, false);
}

/* Adds defaults to those that there are; a new one replaces the old one of its name. The new list has memory of its
 * own, as entities that were read before keep the old one. */
static enum lb_status add_defaults(struct lb_parser *parser, struct lb_defaults *defaults,
                                   const struct lb_parameters *added)
{
    struct lb_parameter *items = lb_arena_alloc(parser->arena, defaults->count + added->count, sizeof *items);
    if (!items)
        return lb_parser_memory(parser);
    size_t count = 0;
    for (size_t i = 0; i < defaults->count + added->count; i++) {
        const struct lb_parameter *item =
            i < defaults->count ? &defaults->items[i] : &added->items[i - defaults->count];
        size_t at = 0;
        while (at < count && strcmp(items[at].name, item->name) != 0)
            at++;
        items[at] = *item;
        count += at == count;
    }
    if (count > MOST_DEFAULTS)
        return lb_error_at(parser->error, &parser->place, "more than %d defaults for one kind",
                           MOST_DEFAULTS);
    *defaults = (struct lb_defaults){.items = items, .count = count};
    return LB_OK;
}

enum lb_status lb_read_attribute(struct lb_parser *parser)
{
    static const char *const targets[] = {
        [LB_ATTRIBUTE_SHAPE] = "shape",       [LB_ATTRIBUTE_LIGHT] = "light",
        [LB_ATTRIBUTE_MATERIAL] = "material", [LB_ATTRIBUTE_MEDIUM] = "medium",
        [LB_ATTRIBUTE_TEXTURE] = "texture",
    };
    struct lb_entity entity;
    enum lb_status status = lb_read_entity(parser, LB_ATTRIBUTE_TARGETS, &entity);
    if (status != LB_OK)
        return status;
    for (size_t i = 0; i < LB_ATTRIBUTE_TARGETS; i++)
        if (strcmp(targets[i], entity.type) == 0)
            return add_defaults(parser, &parser->state.defaults[i], &entity.parameters);
    struct lb_guess guess;
    lb_guess_start(&guess, entity.type, strlen(entity.type));
    lb_guess_try_rows(&guess, targets, LB_ATTRIBUTE_TARGETS, sizeof targets[0]);
    return lb_error_at(
        parser->error, &parser->place,
        "Attribute \"%s\": must be \"shape\", \"light\", \"material\", \"medium\" or \"texture\"%s",
        entity.type, guess.text);
}

enum lb_status lb_read_reverse_orientation(struct lb_parser *parser)
{
    parser->state.reverse_orientation = !parser->state.reverse_orientation;
    return LB_OK;
}

enum lb_status lb_read_color_space(struct lb_parser *parser)
{
    static const char *const names[] = {"srgb", "dci-p3", "rec2020", "aces2065-1"};
    const char *name;
    enum lb_status status = lb_expect_string(parser, "a color space's name", &name);
    if (status != LB_OK)
        return status;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcasecmp(names[i], name) == 0) {
            parser->state.color_space = names[i];
            return LB_OK;
        }
    return lb_error_at(parser->error, &parser->place,
                       "unknown color space \"%s\"; there are srgb, dci-p3, rec2020 and aces2065-1", name);
}

/* A single name stands for both sides. */
enum lb_status lb_read_medium_interface(struct lb_parser *parser)
{
    const char *names[2];
    enum lb_status status = lb_expect_string(parser, "a medium's name", &names[0]);
    if (status != LB_OK)
        return status;
    struct lb_token token;
    status = lb_lexer_next(&parser->lexer, &token, parser->error);
    if (status != LB_OK)
        return status;
    names[1] = names[0];
    lb_lexer_return(&parser->lexer, &token);
    if (token.kind == LB_TOKEN_STRING)
        status = lb_expect_string(parser, "a medium's name", &names[1]);
    for (int i = 0; i < 2 && status == LB_OK; i++) {
        uint32_t index;
        if (names[i][0])
            status = lb_mention_medium(parser, names[i], &index);
    }
    parser->state.inside_medium = names[0];
    parser->state.outside_medium = names[1];
    return status;
}
