/* The state of reading a scene, shared by the files of core/language that each handle some directives. */
#ifndef LB_CORE_LANGUAGE_PARSER_H
#define LB_CORE_LANGUAGE_PARSER_H

#include "core/base/errors.h"
#include "core/base/number.h"
#include "core/language/description.h"
#include "core/language/lexer.h"
#include "core/language/list.h"
#include "core/language/parameters.h"

enum lb_attribute_target {
    LB_ATTRIBUTE_SHAPE,
    LB_ATTRIBUTE_LIGHT,
    LB_ATTRIBUTE_MATERIAL,
    LB_ATTRIBUTE_MEDIUM,
    LB_ATTRIBUTE_TEXTURE,
    LB_ATTRIBUTE_TARGETS,
};

enum { LB_ACTIVE_START = 1, LB_ACTIVE_END = 2, LB_ACTIVE_ALL = 3 };

struct lb_defaults {
    struct lb_parameter *items;
    size_t count;
};

/* What AttributeBegin saves. */
struct lb_graphics_state {
    struct lb_motion transform;
    const struct lb_motion *kept; /* a copy of it in the arena, or NULL */
    unsigned active;              /* of the two transforms, those that directives change */
    uint32_t material, area_light;
    const char *inside_medium, *outside_medium;
    const char *color_space;
    bool reverse_orientation;
    struct lb_defaults defaults[LB_ATTRIBUTE_TARGETS];
};

struct lb_saved_state {
    struct lb_graphics_state state;
    struct lb_location location;
    bool object; /* saved by ObjectBegin, else by AttributeBegin */
};

struct lb_coordinate_system {
    const char *name;
    struct lb_motion transform;
    uint32_t earlier; /* the one of that name before, which an Import brings back, or UINT32_MAX */
};

struct lb_parser {
    struct lb_arena *arena;
    const struct lb_log *log;
    struct lb_error *error;
    struct lb_description *description;
    struct lb_errors errors;
    struct lb_lexer lexer;
    struct lb_location place; /* of the directive in hand */
    const char *directive;    /* its name */
    /* An error hides which blocks are open and what is defined: nothing is said of that any more. */
    bool is_lost;
    bool is_version3; /* no use in going on */

    bool in_world;
    struct lb_graphics_state state;
    struct lb_list saved;   /* struct lb_saved_state */
    size_t saved_base;      /* those below belong to the importing file */
    struct lb_list systems; /* struct lb_coordinate_system */
    struct lb_names system_names;
    bool warned_of_transform_begin;

    uint32_t object;      /* being defined, or UINT32_MAX */
    bool object_imported; /* its ObjectBegin stands in the importing file */

    struct lb_list materials, textures, media, lights, area_lights, shapes, objects, uses, options;
    struct lb_list object_shapes; /* of the object being defined */

    struct lb_list parameters, floats, integers, bools, strings; /* of the list in hand */
};

typedef enum lb_status lb_directive(struct lb_parser *parser);

/* Each reads what follows the directive's name. */
lb_directive lb_read_identity, lb_read_translate, lb_read_scale, lb_read_rotate, lb_read_look_at,
    lb_read_transform, lb_read_concat_transform, lb_read_coordinate_system, lb_read_coord_sys_transform,
    lb_read_active_transform, lb_read_transform_times;
lb_directive lb_read_attribute_begin, lb_read_attribute_end, lb_read_transform_begin, lb_read_attribute,
    lb_read_reverse_orientation, lb_read_color_space, lb_read_medium_interface;
lb_directive lb_read_camera, lb_read_film, lb_read_pixel_filter, lb_read_sampler, lb_read_integrator,
    lb_read_accelerator, lb_read_option, lb_read_world_begin;
lb_directive lb_read_material, lb_read_make_named_material, lb_read_named_material, lb_read_make_named_medium,
    lb_read_texture;
lb_directive lb_read_shape, lb_read_light_source, lb_read_area_light_source, lb_read_object_begin,
    lb_read_object_end, lb_read_object_instance;
lb_directive lb_read_include, lb_read_import;

/* Directives until the end of the main or the imported file (core/language/directives.c). */
enum lb_status lb_parse_directives(struct lb_parser *parser);

/* The next token must be this, else it is an error at its place; `what` is how messages call it. */
enum lb_status lb_expect_string(struct lb_parser *parser, const char *what, const char **text);
enum lb_status lb_expect_numbers(struct lb_parser *parser, double *numbers, size_t count);

/* The parameters that follow; `target` adds the defaults of that kind (LB_ATTRIBUTE_TARGETS: none). */
enum lb_status lb_read_parameters(struct lb_parser *parser, enum lb_attribute_target target,
                                  struct lb_parameters *parameters);
/* A quoted type, then the parameters. */
enum lb_status lb_read_entity(struct lb_parser *parser, enum lb_attribute_target target,
                              struct lb_entity *entity);

/* One value of that type, as a parameter of the description's options. */
enum lb_status lb_read_option_value(struct lb_parser *parser, const char *name, enum lb_parameter_type type);

/* Pushes and pops the graphics state; `object`: for ObjectBegin and ObjectEnd. */
enum lb_status lb_save_state(struct lb_parser *parser, bool object);
enum lb_status lb_restore_state(struct lb_parser *parser, bool object);
/* The current transformation, where it stays; NULL when out of memory. */
const struct lb_motion *lb_keep_transform(struct lb_parser *parser);
enum lb_status lb_name_coordinate_system(struct lb_parser *parser, const char *name,
                                         const struct lb_motion *transform);
/* Takes away all but the first `count` that were named. */
enum lb_status lb_forget_coordinate_systems(struct lb_parser *parser, size_t count);

/* Materials, media and objects may be named before they are defined: their entry in the list is made at the
 * first mention, with the mention's place, and is undefined until the definition fills it.
 * core/language/mentions.c */
enum lb_status lb_mention_material(struct lb_parser *parser, const char *name, uint32_t *index);
enum lb_status lb_mention_medium(struct lb_parser *parser, const char *name, uint32_t *index);
enum lb_status lb_mention_object(struct lb_parser *parser, const char *name, uint32_t *index);
bool lb_material_is_defined(const struct lb_material_entity *material);
bool lb_medium_is_defined(const struct lb_medium_entity *medium);
bool lb_object_is_defined(const struct lb_object_definition *object);
/* Keeps an error at the first mention of each object that was never defined. Materials and media that nothing uses
 * may be. */
void lb_check_mentions(struct lb_parser *parser);

/* An error about blocks and their order at the directive in hand, by which the parser is lost; LB_OK where it was. */
enum lb_status lb_error_misplaced(struct lb_parser *parser, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* "WHAT; this is a scene of pbrt-v3", after which nothing is read. core/language/version3.c */
enum lb_status lb_error_version3(struct lb_parser *parser, const struct lb_location *location,
                                 const char *what);
/* The same where the directive's type, or the directive, is of pbrt-v3 alone. */
enum lb_status lb_check_type_version(struct lb_parser *parser, const char *directive, const char *type);
enum lb_status lb_check_directive_version(struct lb_parser *parser, const struct lb_token *token);

/* "out of memory", at the file in hand. */
enum lb_status lb_parser_memory(struct lb_parser *parser);

#endif
