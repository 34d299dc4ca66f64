/* The directives' names, where each may stand, and the loop over them. */
#include "core/language/parser.h"

#include <stdlib.h>
#include <string.h>

enum placement { ANYWHERE, BEFORE_WORLD, IN_WORLD };

static const struct directive {
    const char *name;
    enum placement placement;
    lb_directive *read;
} directives[] = {
    /* sorted by name */
    {"Accelerator", BEFORE_WORLD, lb_read_accelerator},
    {"ActiveTransform", ANYWHERE, lb_read_active_transform},
    {"AreaLightSource", IN_WORLD, lb_read_area_light_source},
    {"Attribute", ANYWHERE, lb_read_attribute},
    {"AttributeBegin", IN_WORLD, lb_read_attribute_begin},
    {"AttributeEnd", IN_WORLD, lb_read_attribute_end},
    {"Camera", BEFORE_WORLD, lb_read_camera},
    {"ColorSpace", ANYWHERE, lb_read_color_space},
    {"ConcatTransform", ANYWHERE, lb_read_concat_transform},
    {"CoordSysTransform", ANYWHERE, lb_read_coord_sys_transform},
    {"CoordinateSystem", ANYWHERE, lb_read_coordinate_system},
    {"Film", BEFORE_WORLD, lb_read_film},
    {"Identity", ANYWHERE, lb_read_identity},
    {"Import", IN_WORLD, lb_read_import},
    {"Include", ANYWHERE, lb_read_include},
    {"Integrator", BEFORE_WORLD, lb_read_integrator},
    {"LightSource", IN_WORLD, lb_read_light_source},
    {"LookAt", ANYWHERE, lb_read_look_at},
    {"MakeNamedMaterial", IN_WORLD, lb_read_make_named_material},
    {"MakeNamedMedium", ANYWHERE, lb_read_make_named_medium},
    {"Material", IN_WORLD, lb_read_material},
    {"MediumInterface", ANYWHERE, lb_read_medium_interface},
    {"NamedMaterial", IN_WORLD, lb_read_named_material},
    {"ObjectBegin", IN_WORLD, lb_read_object_begin},
    {"ObjectEnd", IN_WORLD, lb_read_object_end},
    {"ObjectInstance", IN_WORLD, lb_read_object_instance},
    {"Option", ANYWHERE, lb_read_option},
    {"PixelFilter", BEFORE_WORLD, lb_read_pixel_filter},
    {"ReverseOrientation", IN_WORLD, lb_read_reverse_orientation},
    {"Rotate", ANYWHERE, lb_read_rotate},
    {"Sampler", BEFORE_WORLD, lb_read_sampler},
    {"Scale", ANYWHERE, lb_read_scale},
    {"Shape", IN_WORLD, lb_read_shape},
    {"Texture", IN_WORLD, lb_read_texture},
    {"Transform", ANYWHERE, lb_read_transform},
    {"TransformBegin", IN_WORLD, lb_read_transform_begin},
    {"TransformEnd", IN_WORLD, lb_read_attribute_end},
    {"TransformTimes", BEFORE_WORLD, lb_read_transform_times},
    {"Translate", ANYWHERE, lb_read_translate},
    {"WorldBegin", BEFORE_WORLD, lb_read_world_begin},
};

static int compare(const void *key, const void *element)
{
    const struct lb_token *token = key;
    const char *name = ((const struct directive *)element)->name;
    int order = strncmp(token->text, name, token->length);
    return order != 0 ? order : -(name[token->length] != 0);
}

static enum lb_status unknown(struct lb_parser *parser, const struct lb_token *token)
{
    if (token->kind != LB_TOKEN_WORD)
        return lb_error_at(parser->error, &token->location, "a directive was expected, not %s",
                           lb_token_show(token).text);
    if (token->length == 8 && memcmp(token->text, "WorldEnd", 8) == 0)
        return lb_error_at(parser->error, &token->location,
                           "pbrt-v4 has no WorldEnd: the world ends where the file does");
    struct lb_guess guess;
    lb_guess_start(&guess, token->text, token->length);
    lb_guess_try_rows(&guess, directives, sizeof directives / sizeof directives[0], sizeof directives[0]);
    return lb_error_at(parser->error, &token->location, "unknown directive %s%s", lb_token_show(token).text,
                       guess.text);
}

static enum lb_status read_directive(struct lb_parser *parser, const struct lb_token *token)
{
    const struct directive *found = NULL;
    if (token->kind == LB_TOKEN_WORD && !memchr(token->text, 0, token->length))
        found = bsearch(token, directives, sizeof directives / sizeof directives[0], sizeof directives[0],
                        compare);
    if (!found)
        return unknown(parser, token);
    parser->place = token->location;
    if (found->placement == IN_WORLD && !parser->in_world)
        return lb_error_at(parser->error, &parser->place, "%s before WorldBegin", found->name);
    if (found->placement == BEFORE_WORLD && parser->in_world)
        return lb_error_at(parser->error, &parser->place, "%s after WorldBegin", found->name);
    return found->read(parser);
}

/* What was opened in this file, or in what it includes, must be closed there. */
static enum lb_status check_closed(struct lb_parser *parser)
{
    if (parser->saved.count <= parser->saved_base)
        return LB_OK;
    const struct lb_saved_state *open = lb_list_at(&parser->saved, parser->saved.count - 1);
    return lb_error_at(parser->error, &open->location, "%s",
                       open->object ? "ObjectBegin without ObjectEnd"
                                    : "AttributeBegin without AttributeEnd");
}

enum lb_status lb_parse_directives(struct lb_parser *parser)
{
    for (;;) {
        struct lb_token token;
        enum lb_status status = lb_lexer_next(&parser->lexer, &token, parser->error);
        if (status == LB_OK && token.kind == LB_TOKEN_END) {
            parser->place = token.location;
            return check_closed(parser);
        }
        if (status == LB_OK)
            status = read_directive(parser, &token);
        if (status != LB_OK)
            return status;
    }
}

enum lb_status lb_parser_memory(struct lb_parser *parser)
{
    return lb_error_set(parser->error, LB_ERROR_MEMORY, "%s:%u: out of memory", parser->place.file,
                        parser->place.line);
}

enum lb_status lb_expect_string(struct lb_parser *parser, const char *what, const char **text)
{
    struct lb_token token;
    enum lb_status status = lb_lexer_next(&parser->lexer, &token, parser->error);
    if (status != LB_OK)
        return status;
    if (token.kind != LB_TOKEN_STRING)
        return lb_error_at(parser->error, &token.location, "%s in quotes was expected before %s", what,
                           lb_token_show(&token).text);
    *text = lb_arena_text(parser->arena, token.text, token.length);
    return *text ? LB_OK : lb_parser_memory(parser);
}

enum lb_status lb_expect_numbers(struct lb_parser *parser, double *numbers, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct lb_token token;
        enum lb_status status = lb_lexer_next(&parser->lexer, &token, parser->error);
        if (status != LB_OK)
            return status;
        enum lb_number result = LB_NUMBER_MALFORMED;
        if (token.kind == LB_TOKEN_WORD)
            result = lb_number_double(token.text, token.length, &numbers[i]);
        if (result != LB_NUMBER_OK)
            return lb_error_at(parser->error, &token.location, "%s %s; %zu numbers were expected",
                               lb_token_show(&token).text,
                               result == LB_NUMBER_TOO_LARGE ? "is too large" : "is no number", count);
    }
    return LB_OK;
}

/* A file's name, and the file opened. */
static enum lb_status open_named(struct lb_parser *parser, bool imported)
{
    struct lb_token token;
    enum lb_status status = lb_lexer_next(&parser->lexer, &token, parser->error);
    if (status != LB_OK)
        return status;
    if (token.kind != LB_TOKEN_STRING)
        return lb_error_at(parser->error, &token.location, "a file's name in quotes was expected before %s",
                           lb_token_show(&token).text);
    const char *name = lb_arena_text(parser->arena, token.text, token.length);
    const char *path =
        name ? lb_description_path(parser->description, &token.location, name, parser->arena, parser->log)
             : NULL;
    if (!path)
        return lb_parser_memory(parser);
    /* "-" is standard input for the main file alone. */
    const char *opened = strcmp(path, "-") == 0 ? "./-" : path;
    return lb_lexer_open(&parser->lexer, opened, path, imported, &token.location, parser->error);
}

enum lb_status lb_read_include(struct lb_parser *parser)
{
    return open_named(parser, false);
}

enum lb_status lb_read_import(struct lb_parser *parser)
{
    struct lb_graphics_state state = parser->state;
    size_t systems = parser->systems.count;
    size_t saved_base = parser->saved_base;
    bool object_imported = parser->object_imported;
    enum lb_status status = open_named(parser, true);
    if (status != LB_OK)
        return status;
    parser->saved_base = parser->saved.count;
    parser->object_imported = parser->object != UINT32_MAX;
    /* Nested no deeper than the lexer lets files be. */
    status = lb_parse_directives(parser);
    if (status != LB_OK)
        return status;
    lb_lexer_close(&parser->lexer);
    parser->object_imported = object_imported;
    parser->saved_base = saved_base;
    parser->state = state;
    return lb_forget_coordinate_systems(parser, systems);
}
