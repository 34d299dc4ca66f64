/* Reads parameter lists, such as "float fov" 40 "rgb L" [ 1 1 1 ]. */
#include "core/language/parser.h"

#include <stdio.h>
#include <string.h>

/* No directive takes a tenth of so many, and look-ups go through lists from end to end. */
enum { MOST_PARAMETERS = 1000 };

/* The types that pbrt-v3 had, so that they are not taken for nonsense, and what pbrt-v4 has in their place. */
static const struct {
    const char *old, *now;
} v3_types[] = {
    {"color", "rgb"}, {"point", "point3"}, {"vector", "vector3"}, {"normal3", "normal"}, {"xyz", "rgb"}};

static enum lb_status unknown_type(struct lb_parser *parser, const struct lb_location *place,
                                   const char *type, size_t length)
{
    for (size_t i = 0; i < sizeof v3_types / sizeof v3_types[0]; i++)
        if (strlen(v3_types[i].old) == length && memcmp(v3_types[i].old, type, length) == 0) {
            char what[128];
            snprintf(what, sizeof what, "pbrt-v4 has no parameter type \"%s\"; it says \"%s\"",
                     v3_types[i].old, v3_types[i].now);
            return lb_error_version3(parser, place, what);
        }
    struct lb_guess guess;
    enum lb_parameter_type known = LB_PARAMETER_BOOL;
    lb_guess_start(&guess, type, length);
    for (; known <= LB_PARAMETER_TEXTURE; known++)
        lb_guess_try(&guess, lb_parameter_type_name(known));
    return lb_error_at(parser->error, place, "unknown parameter type \"%.*s\"%s",
                       length > 40 ? 40 : (int)length, type, guess.text);
}

static size_t skip_blanks(const char *text, size_t length, size_t at)
{
    while (at < length && (text[at] == ' ' || text[at] == '\t'))
        at++;
    return at;
}

static size_t skip_word(const char *text, size_t length, size_t at)
{
    while (at < length && text[at] != ' ' && text[at] != '\t')
        at++;
    return at;
}

/* Reads "type name", the declaration of a parameter. */
static enum lb_status read_declaration(struct lb_parser *parser, const struct lb_token *token,
                                       struct lb_parameter *parameter)
{
    const char *text = token->text;
    size_t type = skip_blanks(text, token->length, 0);
    size_t type_end = skip_word(text, token->length, type);
    size_t name = skip_blanks(text, token->length, type_end);
    size_t name_end = skip_word(text, token->length, name);
    if (name == name_end || skip_blanks(text, token->length, name_end) < token->length)
        return lb_error_at(parser->error, &token->location, "%s is no parameter's type and name",
                           lb_token_show(token).text);
    if (!lb_parameter_type_parse(text + type, type_end - type, &parameter->type))
        return unknown_type(parser, &token->location, text + type, type_end - type);
    parameter->location = token->location;
    parameter->name = lb_arena_text(parser->arena, text + name, name_end - name);
    return parameter->name ? LB_OK : lb_parser_memory(parser);
}

static enum lb_status bad_number(struct lb_parser *parser, const struct lb_token *token,
                                 enum lb_number reason, const char *what)
{
    return lb_error_at(parser->error, &token->location,
                       reason == LB_NUMBER_TOO_LARGE ? "%s is too large for %s" : "%s is not %s",
                       lb_token_show(token).text, what);
}

static enum lb_status read_float(struct lb_parser *parser, const struct lb_token *token)
{
    float value = 0;
    enum lb_number result = token->kind == LB_TOKEN_WORD ? lb_number_float(token->text, token->length, &value)
                                                         : LB_NUMBER_MALFORMED;
    if (result != LB_NUMBER_OK)
        return bad_number(parser, token, result, "a number");
    float *slot = lb_list_add(&parser->floats);
    if (!slot)
        return lb_parser_memory(parser);
    *slot = value;
    return LB_OK;
}

static enum lb_status read_integer(struct lb_parser *parser, const struct lb_token *token)
{
    int32_t value = 0;
    enum lb_number result = token->kind == LB_TOKEN_WORD
                                ? lb_number_integer(token->text, token->length, &value)
                                : LB_NUMBER_MALFORMED;
    if (result != LB_NUMBER_OK)
        return bad_number(parser, token, result, "an integer");
    int32_t *slot = lb_list_add(&parser->integers);
    if (!slot)
        return lb_parser_memory(parser);
    *slot = value;
    return LB_OK;
}

static enum lb_status read_bool(struct lb_parser *parser, const struct lb_token *token)
{
    bool is_quoted = token->kind == LB_TOKEN_STRING;
    bool is_true = token->length == 4 && memcmp(token->text, "true", 4) == 0;
    bool is_false = token->length == 5 && memcmp(token->text, "false", 5) == 0;
    if (is_quoted && (is_true || is_false))
        return lb_error_version3(parser, &token->location,
                                 is_true ? "\"true\" is neither true nor false"
                                         : "\"false\" is neither true nor false");
    if (token->kind != LB_TOKEN_WORD || (!is_true && !is_false))
        return lb_error_at(parser->error, &token->location, "%s is neither true nor false",
                           lb_token_show(token).text);
    bool *slot = lb_list_add(&parser->bools);
    if (!slot)
        return lb_parser_memory(parser);
    *slot = is_true;
    return LB_OK;
}

static enum lb_status read_text(struct lb_parser *parser, const struct lb_token *token)
{
    if (token->kind != LB_TOKEN_STRING)
        return lb_error_at(parser->error, &token->location, "%s is not a quoted string",
                           lb_token_show(token).text);
    const char **slot = lb_list_add(&parser->strings);
    if (!slot)
        return lb_parser_memory(parser);
    *slot = lb_arena_text(parser->arena, token->text, token->length);
    return *slot ? LB_OK : lb_parser_memory(parser);
}

static enum lb_status read_value(struct lb_parser *parser, enum lb_parameter_type type,
                                 const struct lb_token *token)
{
    if (token->kind == LB_TOKEN_OPEN || token->kind == LB_TOKEN_CLOSE || token->kind == LB_TOKEN_END)
        return lb_error_at(parser->error, &token->location, "a value was expected before %s",
                           lb_token_show(token).text);
    switch (type) {
    case LB_PARAMETER_BOOL:
        return read_bool(parser, token);
    case LB_PARAMETER_INTEGER:
        return read_integer(parser, token);
    case LB_PARAMETER_STRING:
    case LB_PARAMETER_TEXTURE:
        return read_text(parser, token);
    case LB_PARAMETER_SPECTRUM:
        if (token->kind != LB_TOKEN_STRING)
            return read_float(parser, token);
        return read_text(parser, token);
    default:
        return read_float(parser, token);
    }
}

/* Reads one value, or several in brackets, into the parser's growing lists. */
static enum lb_status read_values(struct lb_parser *parser, enum lb_parameter_type type)
{
    struct lb_token token;
    enum lb_status status = lb_lexer_next(&parser->lexer, &token, parser->error);
    if (status != LB_OK)
        return status;
    if (token.kind != LB_TOKEN_OPEN)
        return read_value(parser, type, &token);
    struct lb_location open = token.location;
    for (;;) {
        status = lb_lexer_next(&parser->lexer, &token, parser->error);
        if (status != LB_OK)
            return status;
        if (token.kind == LB_TOKEN_CLOSE)
            return LB_OK;
        if (token.kind == LB_TOKEN_END)
            return lb_error_at(parser->error, &open, "the bracket is not closed before the end of the file");
        status = read_value(parser, type, &token);
        if (status != LB_OK)
            return status;
    }
}

/* Moves a parameter's values from the growing lists to the arena, and checks their number. */
static enum lb_status keep_values(struct lb_parser *parser, struct lb_parameter *parameter)
{
    size_t floats = 0, integers = 0, bools = 0, strings = 0;
    const char *type = lb_parameter_type_name(parameter->type);
    if (!lb_list_copy(&parser->floats, parser->arena, &parameter->floats, &floats) ||
        !lb_list_copy(&parser->integers, parser->arena, &parameter->integers, &integers) ||
        !lb_list_copy(&parser->bools, parser->arena, &parameter->bools, &bools) ||
        !lb_list_copy(&parser->strings, parser->arena, &parameter->strings, &strings))
        return lb_parser_memory(parser);
    parameter->count = floats + integers + bools + strings;
    if (parameter->count == 0)
        return lb_error_at(parser->error, &parameter->location, "\"%s %s\" has no values", type,
                           parameter->name);
    if (floats > 0 && strings > 0)
        return lb_error_at(parser->error, &parameter->location, "\"%s %s\" mixes numbers and strings", type,
                           parameter->name);
    unsigned group = lb_parameter_type_floats(parameter->type);
    if (floats > 0 && floats % group != 0)
        return lb_error_at(parser->error, &parameter->location,
                           "\"%s %s\" has %zu numbers, not a multiple of %u", type, parameter->name, floats,
                           group);
    return LB_OK;
}

static void warn_of_duplicate(struct lb_parser *parser, const struct lb_parameter *parameter)
{
    for (size_t i = 0; i + 1 < parser->parameters.count; i++) {
        struct lb_parameter *earlier = lb_list_at(&parser->parameters, i);
        if (!earlier->used && strcmp(earlier->name, parameter->name) == 0) {
            earlier->used = true;
            lb_log_at(parser->log, LB_WARNING, &parameter->location,
                      "\"%s\" was given before in this list; the last one counts", parameter->name);
        }
    }
}

static enum lb_status read_parameter(struct lb_parser *parser, const struct lb_token *declaration)
{
    if (parser->parameters.count >= MOST_PARAMETERS)
        return lb_error_at(parser->error, &declaration->location, "more than %d parameters in one list",
                           MOST_PARAMETERS);
    struct lb_parameter *parameter = lb_list_add(&parser->parameters);
    if (!parameter)
        return lb_parser_memory(parser);
    parameter->color_space = parser->state.color_space;
    enum lb_status status = read_declaration(parser, declaration, parameter);
    if (status == LB_OK)
        status = read_values(parser, parameter->type);
    if (status == LB_OK)
        status = keep_values(parser, parameter);
    if (status == LB_OK)
        warn_of_duplicate(parser, parameter);
    return status;
}

enum lb_status lb_read_parameters(struct lb_parser *parser, enum lb_attribute_target target,
                                  struct lb_parameters *parameters)
{
    *parameters = (struct lb_parameters){.location = parser->place,
                                         .lookups = parser->description->lookups,
                                         .color_space = parser->state.color_space};
    for (;;) {
        struct lb_token token;
        enum lb_status status = lb_lexer_next(&parser->lexer, &token, parser->error);
        if (status != LB_OK)
            return status;
        if (token.kind != LB_TOKEN_STRING) {
            lb_lexer_return(&parser->lexer, &token);
            break;
        }
        status = read_parameter(parser, &token);
        if (status != LB_OK)
            return status;
    }
    if (target != LB_ATTRIBUTE_TARGETS) {
        parameters->defaults = parser->state.defaults[target].items;
        parameters->default_count = parser->state.defaults[target].count;
    }
    return lb_list_copy(&parser->parameters, parser->arena, &parameters->items, &parameters->count)
               ? LB_OK
               : lb_parser_memory(parser);
}

enum lb_status lb_read_option_value(struct lb_parser *parser, const char *name, enum lb_parameter_type type)
{
    struct lb_token token;
    enum lb_status status = lb_lexer_next(&parser->lexer, &token, parser->error);
    if (status == LB_OK)
        status = read_value(parser, type, &token);
    if (status != LB_OK)
        return status;
    struct lb_parameter *option = lb_list_add(&parser->options);
    if (!option)
        return lb_parser_memory(parser);
    *option = (struct lb_parameter){
        .type = type, .name = name, .location = parser->place, .color_space = parser->state.color_space};
    return keep_values(parser, option);
}

enum lb_status lb_read_entity(struct lb_parser *parser, enum lb_attribute_target target,
                              struct lb_entity *entity)
{
    *entity = (struct lb_entity){0};
    enum lb_status status = lb_expect_string(parser, "a type", &entity->type);
    if (status == LB_OK)
        status = lb_check_type_version(parser, parser->directive, entity->type);
    return status == LB_OK ? lb_read_parameters(parser, target, &entity->parameters) : status;
}
