#include "core/language/description.h"

#include "core/language/matrix.h"
#include "core/language/parser.h"

#include <string.h>

/* Adds the material of shapes for which the scene sets none. */
static enum lb_status add_default_material(struct lb_parser *parser)
{
    struct lb_material_entity *material = lb_list_add(&parser->materials);
    if (!material)
        return lb_parser_memory(parser);
    material->entity.type = "diffuse";
    material->entity.parameters.location = parser->place;
    return LB_OK;
}

static enum lb_status start(struct lb_parser *parser, const char *path)
{
    struct lb_description *description = parser->description;
    const char *name = strcmp(path, "-") == 0 ? "<stdin>" : path;
    parser->place = (struct lb_location){
        .file = lb_arena_text(parser->arena, name, strlen(name)), .line = 1, .column = 1};
    description->main_file = lb_arena_text(parser->arena, path, strlen(path));
    description->lookups = lb_arena_alloc(parser->arena, 1, sizeof *description->lookups);
    description->files = lb_arena_alloc(parser->arena, 1, sizeof *description->files);
    description->transform_times[1] = 1;
    description->camera_medium = "";
    lb_matrix_identity(&parser->state.transform.at[0]);
    lb_matrix_identity(&parser->state.transform.at[1]);
    description->camera_from_world = parser->state.transform;
    parser->state.active = LB_ACTIVE_ALL;
    parser->state.area_light = UINT32_MAX;
    parser->state.color_space = "srgb";
    parser->object = UINT32_MAX;
    if (!parser->place.file || !description->main_file || !description->lookups || !description->files)
        return lb_error_memory(parser->error, name);
    return add_default_material(parser);
}

/* Checks what can be known only when all has been read. */
static enum lb_status check_whole(struct lb_parser *parser)
{
    if (!parser->in_world && parser->errors.count == 0)
        return lb_error_at(parser->error, &parser->place, "the file ends without WorldBegin");
    if (!parser->is_lost)
        lb_check_mentions(parser);
    return LB_OK;
}

static enum lb_status finish(struct lb_parser *parser)
{
    struct lb_description *d = parser->description;
    struct lb_arena *arena = parser->arena;
    size_t blocks;
    if (parser->errors.count > 0)
        return LB_OK; /* nobody gets a description with errors */
    if (!lb_list_copy(&parser->materials, arena, &d->materials, &d->material_count) ||
        !lb_list_copy(&parser->textures, arena, &d->textures, &d->texture_count) ||
        !lb_list_copy(&parser->media, arena, &d->media, &d->medium_count) ||
        !lb_list_copy(&parser->lights, arena, &d->lights, &d->light_count) ||
        !lb_list_copy(&parser->area_lights, arena, &d->area_lights, &d->area_light_count) ||
        !lb_list_copy(&parser->shapes, arena, &d->shapes, &d->shape_count) ||
        !lb_list_copy(&parser->objects, arena, &d->objects, &d->object_count) ||
        !lb_list_copy(&parser->use_blocks, arena, &d->use_blocks, &blocks) ||
        !lb_list_copy(&parser->options, arena, &d->options.parameters.items, &d->options.parameters.count))
        return lb_parser_memory(parser);
    return LB_OK;
}

static void release(struct lb_parser *parser)
{
    struct lb_list *lists[] = {
        &parser->saved,         &parser->materials,  &parser->textures, &parser->media,      &parser->lights,
        &parser->area_lights,   &parser->shapes,     &parser->objects,  &parser->use_blocks, &parser->options,
        &parser->object_shapes, &parser->parameters, &parser->floats,   &parser->integers,   &parser->bools,
        &parser->strings,       &parser->systems,
    };
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
        lb_list_free(lists[i]);
    lb_lexer_free(&parser->lexer);
}

/* Reads the text or, where that is NULL, the file of that name. */
static enum lb_status read_main(const char *path, const char *text, size_t length, struct lb_arena *arena,
                                const struct lb_log *log, struct lb_description *description,
                                struct lb_error *error)
{
    *description = (struct lb_description){0};
    struct lb_error found;
    struct lb_parser parser = {
        .arena = arena,
        .log = log,
        .error = &found,
        .description = description,
        .saved.size = sizeof(struct lb_saved_state),
        .systems.size = sizeof(struct lb_coordinate_system),
        .materials.size = sizeof(struct lb_material_entity),
        .textures.size = sizeof(struct lb_texture_entity),
        .media.size = sizeof(struct lb_medium_entity),
        .lights.size = sizeof(struct lb_light_entity),
        .area_lights.size = sizeof(struct lb_entity),
        .shapes.size = sizeof(struct lb_shape_entity),
        .objects.size = sizeof(struct lb_object_definition),
        .use_blocks.size = sizeof(struct lb_object_use *),
        .options.size = sizeof(struct lb_parameter),
        .object_shapes.size = sizeof(struct lb_shape_entity),
        .parameters.size = sizeof(struct lb_parameter),
        .floats.size = sizeof(float),
        .integers.size = sizeof(int32_t),
        .bools.size = sizeof(bool),
        .strings.size = sizeof(const char *),
    };
    enum lb_status status = start(&parser, path);
    if (status == LB_OK && text)
        status = lb_lexer_open_text(&parser.lexer, parser.place.file, text, length, parser.error);
    else if (status == LB_OK)
        status = lb_lexer_open(&parser.lexer, path, parser.place.file, false, NULL, parser.error);
    if (status == LB_OK)
        status = lb_parse_directives(&parser);
    if (status == LB_OK)
        status = check_whole(&parser);
    if (status == LB_OK)
        status = finish(&parser);
    if (status != LB_OK)
        lb_errors_keep(&parser.errors, parser.error);
    release(&parser);
    return lb_errors_end(&parser.errors, strcmp(path, "-") == 0 ? "<stdin>" : path, log, error);
}

enum lb_status lb_description_read(const char *path, struct lb_arena *arena, const struct lb_log *log,
                                   struct lb_description *description, struct lb_error *error)
{
    return read_main(path, NULL, 0, arena, log, description, error);
}

enum lb_status lb_description_parse(const char *name, const char *text, size_t length, struct lb_arena *arena,
                                    const struct lb_log *log, struct lb_description *description,
                                    struct lb_error *error)
{
    return read_main(name, text, length, arena, log, description, error);
}
