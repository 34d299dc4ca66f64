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
    enum lb_status status = lb_check_directive_version(parser, token);
    if (status != LB_OK)
        return status;
    struct lb_guess guess;
    lb_guess_start(&guess, token->text, token->length);
    lb_guess_try_rows(&guess, directives, sizeof directives / sizeof directives[0], sizeof directives[0]);
    return lb_error_at(parser->error, &token->location, "unknown directive %s%s", lb_token_show(token).text,
                       guess.text);
}

static const struct directive *find_directive(const struct lb_token *token)
{
    if (token->kind != LB_TOKEN_WORD || memchr(token->text, 0, token->length))
        return NULL;
    return bsearch(token, directives, sizeof directives / sizeof directives[0], sizeof directives[0],
                   compare);
}

/* Does the meaning of later directives depend on what this one opens, closes or reads in? */
static bool is_structure(const struct directive *directive)
{
    static lb_directive *const those[] = {
        lb_read_attribute_begin, lb_read_attribute_end, lb_read_transform_begin, lb_read_object_begin,
        lb_read_object_end,      lb_read_include,       lb_read_import,          lb_read_world_begin};
    for (size_t i = 0; i < sizeof those / sizeof those[0]; i++)
        if (directive->read == those[i])
            return true;
    return false;
}

static enum lb_status check_placement(struct lb_parser *parser, const struct directive *directive)
{
    if (directive->placement == IN_WORLD && !parser->in_world)
        return lb_error_misplaced(parser, "%s before WorldBegin", directive->name);
    if (directive->placement == BEFORE_WORLD && parser->in_world)
        return lb_error_misplaced(parser, "%s after WorldBegin", directive->name);
    return LB_OK;
}

static enum lb_status read_directive(struct lb_parser *parser, const struct lb_token *token)
{
    const struct directive *found = find_directive(token);
    if (!found) {
        parser->place = token->location;
        enum lb_status status = unknown(parser, token);
        parser->is_lost = true;
        return status;
    }
    parser->place = token->location;
    parser->directive = found->name;
    enum lb_status status = check_placement(parser, found);
    if (status != LB_OK)
        return status;
    status = found->read(parser);
    parser->is_lost = parser->is_lost || (status != LB_OK && is_structure(found));
    return status;
}

/* Can reading begin anew at this token? It must be a directive, or look like one that is misspelt: a capitalised word
 * at a line's beginning. */
static bool begins_anew(const struct lb_token *token, uint32_t line_before)
{
    return token->kind == LB_TOKEN_END || find_directive(token) ||
           (token->kind == LB_TOKEN_WORD && token->location.line > line_before && token->text[0] >= 'A' &&
            token->text[0] <= 'Z');
}

/* Keeps the error that was met, for which the faulty directive is left, and goes to the next directive. The token that
 * was read last may be that already. `own`: where the faulty directive's own word stands. An error is returned where
 * reading must end, as more errors would only follow from this one. */
static enum lb_status recover(struct lb_parser *parser, enum lb_status status, const char *own)
{
    struct lb_error ignored;
    struct lb_token token;
    uint32_t line = parser->place.line;
    if (status == LB_ERROR_MEMORY || parser->is_version3 || parser->lexer.overfull)
        return status;
    lb_errors_keep(&parser->errors, parser->error);
    struct lb_list *lists[] = {&parser->parameters, &parser->floats, &parser->integers, &parser->bools,
                               &parser->strings};
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
        lists[i]->count = 0;
    if (lb_lexer_place(&parser->lexer) != own)
        lb_lexer_repeat(&parser->lexer);
    for (;;) {
        status = lb_lexer_next(&parser->lexer, &token, &ignored);
        if (status == LB_ERROR_MEMORY)
            return lb_error_set(parser->error, status, "%s", ignored.message);
        if (status == LB_OK && begins_anew(&token, line))
            break;
        line = status == LB_OK ? token.location.line : line;
    }
    lb_lexer_return(&parser->lexer, &token);
    return LB_OK;
}

/* Checks that what was opened in this file, or in those that it includes, has been closed there. */
static enum lb_status check_closed(struct lb_parser *parser)
{
    if (parser->saved.count <= parser->saved_base || parser->is_lost)
        return LB_OK;
    const struct lb_saved_state *open = lb_list_at(&parser->saved, parser->saved.count - 1);
    parser->place = open->location;
    return lb_error_misplaced(
        parser, "%s", open->object ? "ObjectBegin without ObjectEnd" : "AttributeBegin without AttributeEnd");
}

static enum lb_status end_file(struct lb_parser *parser)
{
    enum lb_status status = check_closed(parser);
    if (status == LB_OK)
        return LB_OK;
    lb_errors_keep(&parser->errors, parser->error);
    return LB_OK;
}

enum lb_status lb_parse_directives(struct lb_parser *parser)
{
    for (;;) {
        struct lb_token token;
        enum lb_status status = lb_lexer_next(&parser->lexer, &token, parser->error);
        const char *own = lb_lexer_place(&parser->lexer);
        if (status == LB_OK && token.kind == LB_TOKEN_END) {
            parser->place = token.location;
            return end_file(parser);
        }
        if (status == LB_OK)
            status = read_directive(parser, &token);
        else
            parser->is_lost = true;
        if (status != LB_OK)
            status = recover(parser, status, own);
        if (status != LB_OK)
            return status;
    }
}

/* Reads a file's name and opens that file. */
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
    /* Only as the main file's name does "-" mean standard input. */
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
    /* This calls itself no deeper than the lexer lets files include each other. */
    status = lb_parse_directives(parser);
    if (status != LB_OK)
        return status;
    lb_lexer_close(&parser->lexer);
    parser->object_imported = object_imported;
    parser->saved_base = saved_base;
    parser->state = state;
    return lb_forget_coordinate_systems(parser, systems);
}
