/* Reads the directives for materials, textures, media, lights, shapes and objects. */
#include "core/language/matrix.h"
#include "core/language/parser.h"

#include <string.h>

enum lb_status lb_read_material(struct lb_parser *parser)
{
    struct lb_entity entity;
    enum lb_status status = lb_read_entity(parser, LB_ATTRIBUTE_MATERIAL, &entity);
    if (status != LB_OK)
        return status;
    parser->state.material = (uint32_t)parser->materials.count;
    struct lb_material_entity *material = lb_list_add(&parser->materials);
    if (!material)
        return lb_parser_memory(parser);
    material->entity = entity;
    return LB_OK;
}

/* Reads the parameters of MakeNamedMaterial and MakeNamedMedium, one of which is the type. */
static enum lb_status read_typed_by_parameter(struct lb_parser *parser, enum lb_attribute_target target,
                                              const char *name, struct lb_entity *entity)
{
    *entity = (struct lb_entity){0};
    enum lb_status status = lb_read_parameters(parser, target, &entity->parameters);
    if (status == LB_OK)
        status = lb_parameters_string(&entity->parameters, "type", NULL, &entity->type, parser->error);
    if (status == LB_OK && !entity->type)
        return lb_error_at(parser->error, &parser->place, "\"%s\" has no \"string type\"", name);
    if (status == LB_OK)
        status = lb_check_type_version(
            parser, target == LB_ATTRIBUTE_MATERIAL ? "Material" : "MakeNamedMedium", entity->type);
    return status;
}

enum lb_status lb_read_make_named_material(struct lb_parser *parser)
{
    const char *name;
    uint32_t index;
    enum lb_status status = lb_expect_string(parser, "a material's name", &name);
    if (status == LB_OK)
        status = lb_mention_material(parser, name, &index);
    if (status != LB_OK)
        return status;
    struct lb_material_entity *material = lb_list_at(&parser->materials, index);
    if (lb_material_is_defined(material))
        return lb_error_at(parser->error, &parser->place,
                           "a material named \"%s\" was made on line %u already", name,
                           material->entity.parameters.location.line);
    return read_typed_by_parameter(parser, LB_ATTRIBUTE_MATERIAL, name, &material->entity);
}

enum lb_status lb_read_named_material(struct lb_parser *parser)
{
    const char *name;
    enum lb_status status = lb_expect_string(parser, "a material's name", &name);
    return status == LB_OK ? lb_mention_material(parser, name, &parser->state.material) : status;
}

enum lb_status lb_read_make_named_medium(struct lb_parser *parser)
{
    const char *name;
    uint32_t index;
    enum lb_status status = lb_expect_string(parser, "a medium's name", &name);
    if (status == LB_OK)
        status = lb_mention_medium(parser, name, &index);
    if (status != LB_OK)
        return status;
    struct lb_medium_entity *medium = lb_list_at(&parser->media, index);
    if (lb_medium_is_defined(medium))
        return lb_error_at(parser->error, &parser->place, "a medium named \"%s\" was made on line %u already",
                           name, medium->entity.parameters.location.line);
    medium->world_from_medium = lb_keep_transform(parser);
    if (!medium->world_from_medium)
        return lb_parser_memory(parser);
    return read_typed_by_parameter(parser, LB_ATTRIBUTE_MEDIUM, name, &medium->entity);
}

static enum lb_status texture_value_type(struct lb_parser *parser, const char *type, bool *is_float)
{
    *is_float = strcmp(type, "float") == 0;
    if (*is_float || strcmp(type, "spectrum") == 0)
        return LB_OK;
    if (strcmp(type, "color") == 0)
        return lb_error_version3(parser, &parser->place,
                                 "Texture of type \"color\": must be \"float\" or \"spectrum\"");
    return lb_error_at(parser->error, &parser->place,
                       "Texture of type \"%s\": must be \"float\" or \"spectrum\"", type);
}

enum lb_status lb_read_texture(struct lb_parser *parser)
{
    const char *name, *type;
    struct lb_texture_entity texture = {.world_from_texture = lb_keep_transform(parser)};
    if (!texture.world_from_texture)
        return lb_parser_memory(parser);
    enum lb_status status = lb_expect_string(parser, "a texture's name", &name);
    if (status == LB_OK)
        status = lb_expect_string(parser, "\"float\" or \"spectrum\"", &type);
    if (status == LB_OK)
        status = texture_value_type(parser, type, &texture.is_float);
    if (status == LB_OK)
        status = lb_read_entity(parser, LB_ATTRIBUTE_TEXTURE, &texture.entity);
    if (status != LB_OK)
        return status;
    texture.name = name;
    struct lb_names *names = texture.is_float ? &parser->description->float_texture_names
                                              : &parser->description->spectrum_texture_names;
    if (lb_names_find(names, name) != UINT32_MAX)
        return lb_error_at(parser->error, &parser->place, "a %s texture named \"%s\" was made before", type,
                           name);
    if (!lb_names_set(names, parser->arena, name, (uint32_t)parser->textures.count))
        return lb_parser_memory(parser);
    struct lb_texture_entity *slot = lb_list_add(&parser->textures);
    if (!slot)
        return lb_parser_memory(parser);
    *slot = texture;
    return LB_OK;
}

enum lb_status lb_read_light_source(struct lb_parser *parser)
{
    struct lb_entity entity;
    enum lb_status status = lb_read_entity(parser, LB_ATTRIBUTE_LIGHT, &entity);
    if (status != LB_OK)
        return status;
    struct lb_light_entity *light = lb_list_add(&parser->lights);
    if (!light)
        return lb_parser_memory(parser);
    light->entity = entity;
    light->world_from_light = lb_keep_transform(parser);
    light->medium = parser->state.outside_medium ? parser->state.outside_medium : "";
    return light->world_from_light ? LB_OK : lb_parser_memory(parser);
}

/* AreaLightSource "" turns the light off again. */
enum lb_status lb_read_area_light_source(struct lb_parser *parser)
{
    struct lb_entity entity;
    enum lb_status status = lb_read_entity(parser, LB_ATTRIBUTE_LIGHT, &entity);
    if (status != LB_OK)
        return status;
    parser->state.area_light = UINT32_MAX;
    if (entity.type[0] == 0)
        return LB_OK;
    parser->state.area_light = (uint32_t)parser->area_lights.count;
    struct lb_entity *slot = lb_list_add(&parser->area_lights);
    if (!slot)
        return lb_parser_memory(parser);
    *slot = entity;
    return LB_OK;
}

enum lb_status lb_read_shape(struct lb_parser *parser)
{
    struct lb_entity entity;
    enum lb_status status = lb_read_entity(parser, LB_ATTRIBUTE_SHAPE, &entity);
    if (status != LB_OK)
        return status;
    bool in_object = parser->object != UINT32_MAX;
    struct lb_shape_entity *shape = lb_list_add(in_object ? &parser->object_shapes : &parser->shapes);
    if (!shape)
        return lb_parser_memory(parser);
    shape->entity = entity;
    shape->world_from_object = lb_keep_transform(parser);
    shape->reverse_orientation = parser->state.reverse_orientation;
    shape->material = parser->state.material;
    shape->area_light = parser->state.area_light;
    shape->inside_medium = parser->state.inside_medium;
    shape->outside_medium = parser->state.outside_medium;
    return shape->world_from_object ? LB_OK : lb_parser_memory(parser);
}

enum lb_status lb_read_object_begin(struct lb_parser *parser)
{
    const char *name;
    uint32_t index;
    enum lb_status status = lb_expect_string(parser, "an object's name", &name);
    if (status != LB_OK)
        return status;
    if (parser->object != UINT32_MAX)
        return lb_error_misplaced(parser, "ObjectBegin inside ObjectBegin");
    status = lb_mention_object(parser, name, &index);
    if (status != LB_OK)
        return status;
    struct lb_object_definition *object = lb_list_at(&parser->objects, index);
    if (lb_object_is_defined(object))
        return lb_error_at(parser->error, &parser->place,
                           "an object named \"%s\" was made on line %u already", name, object->location.line);
    object->location = parser->place;
    parser->object = index;
    return lb_save_state(parser, true);
}

enum lb_status lb_read_object_end(struct lb_parser *parser)
{
    if (parser->object == UINT32_MAX)
        return lb_error_misplaced(parser, "ObjectEnd without ObjectBegin");
    if (parser->object_imported)
        return lb_error_misplaced(parser, "ObjectEnd in an imported file, ObjectBegin outside of it");
    enum lb_status status = lb_restore_state(parser, true);
    if (status != LB_OK)
        return status;
    struct lb_object_definition *object = lb_list_at(&parser->objects, parser->object);
    if (!lb_list_copy(&parser->object_shapes, parser->arena, &object->shapes, &object->shape_count))
        return lb_parser_memory(parser);
    for (size_t i = 0; i < object->shape_count; i++)
        object->moves = object->moves || object->shapes[i].world_from_object->moves;
    parser->object = UINT32_MAX;
    return LB_OK;
}

/* Room for another use; NULL: there is no memory for it. */
static struct lb_object_use *add_use(struct lb_parser *parser)
{
    size_t number = parser->description->use_count, block = number / LB_USES_A_BLOCK;
    if (block == parser->use_blocks.count) {
        struct lb_object_use *room = lb_arena_alloc(parser->arena, LB_USES_A_BLOCK, sizeof *room);
        struct lb_object_use **added = room ? lb_list_add(&parser->use_blocks) : NULL;
        if (!added)
            return NULL;
        *added = room;
    }
    parser->description->use_count++;
    return *(struct lb_object_use **)lb_list_at(&parser->use_blocks, block) + number % LB_USES_A_BLOCK;
}

static void round_rows(const double matrix[4][4], float rows[3][4])
{
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 4; column++)
            rows[row][column] = (float)matrix[row][column];
}

/* Keeps the current transformation as a use's. */
static enum lb_status place_use(struct lb_parser *parser, struct lb_object_use *use)
{
    const struct lb_object_definition *object = lb_list_at(&parser->objects, use->object);
    const struct lb_motion *motion = &parser->state.transform;
    if (motion->moves || motion->flaw || !lb_matrix_is_affine(&motion->at[0]) ||
        !lb_object_is_defined(object) || object->moves) {
        use->world_from_instance = lb_keep_transform(parser);
        return use->world_from_instance ? LB_OK : lb_parser_memory(parser);
    }
    round_rows(motion->at[0].m, use->rows[0]);
    round_rows(motion->at[0].inverse, use->rows[1]);
    return LB_OK;
}

enum lb_status lb_read_object_instance(struct lb_parser *parser)
{
    uint32_t index;
    enum lb_status status = lb_expect_object(parser, &index);
    if (status != LB_OK)
        return status;
    if (parser->object != UINT32_MAX)
        return lb_error_misplaced(parser, "ObjectInstance inside ObjectBegin");
    struct lb_object_use *use = add_use(parser);
    if (!use)
        return lb_parser_memory(parser);
    use->object = index;
    use->location = parser->place;
    return place_use(parser, use);
}
