/* The state of reading a scene. The files of core/language that each read some directives share it. */
#ifndef LB_CORE_LANGUAGE_PARSER_H
#define LB_CORE_LANGUAGE_PARSER_H

#include "core/base/errors.h"
#include "core/base/number.h"
#include "core/language/description.h"
#include "core/language/lexer.h"
#include "core/language/list.h"
#include "core/language/parameters.h"

/* What the defaults of an Attribute directive are for. LB_ATTRIBUTE_TARGETS, their number, also stands for none. */
enum lb_attribute_target {
    LB_ATTRIBUTE_SHAPE,
    LB_ATTRIBUTE_LIGHT,
    LB_ATTRIBUTE_MATERIAL,
    LB_ATTRIBUTE_MEDIUM,
    LB_ATTRIBUTE_TEXTURE,
    LB_ATTRIBUTE_TARGETS,
};

/* Which of the two transformations directives change (ActiveTransform). */
enum { LB_ACTIVE_START = 1, LB_ACTIVE_END = 2, LB_ACTIVE_ALL = 3 };

/* Parameters given by Attribute directives, for one target. */
struct lb_defaults {
    struct lb_parameter *items;
    size_t count;
};

/* What AttributeBegin saves and AttributeEnd brings back. */
struct lb_graphics_state {
    struct lb_motion transform;
    /* a copy of `transform` in the arena, or NULL as long as nobody needs one */
    const struct lb_motion *kept;
    unsigned active; /* which of the two transformations directives change */
    uint32_t material, area_light;
    const char *inside_medium, *outside_medium;
    const char *color_space;
    bool reverse_orientation;
    struct lb_defaults defaults[LB_ATTRIBUTE_TARGETS];
};

/* A graphics state and the directive that saved it. */
struct lb_saved_state {
    struct lb_graphics_state state;
    struct lb_location location;
    bool object; /* saved by ObjectBegin, not by AttributeBegin */
};

/* A transformation that CoordinateSystem has given a name. */
struct lb_coordinate_system {
    const char *name;
    struct lb_motion transform;
    /* The one that had this name before and gets it back at the end of an Import, or UINT32_MAX. */
    uint32_t earlier;
};

/* Everything that the functions below work on. */
struct lb_parser {
    struct lb_arena *arena;
    const struct lb_log *log;
    struct lb_error *error;
    struct lb_description *description;
    struct lb_errors errors;
    struct lb_lexer lexer;
    struct lb_location place; /* where the directive that is being read stands */
    const char *directive;    /* its name */
    /* An error has hidden which blocks are open and what is defined, so no messages are made of that any more. */
    bool is_lost;
    bool is_version3; /* it is a scene of pbrt-v3, in which reading on is of no use */

    bool in_world;
    struct lb_graphics_state state;
    bool has_target; /* a LookAt was read; then as the space that was current before it has its target */
    double target[3];
    struct lb_list saved;   /* struct lb_saved_state */
    size_t saved_base;      /* how many of them belong to the importing files */
    struct lb_list systems; /* struct lb_coordinate_system */
    struct lb_names system_names;
    bool warned_of_transform_begin;

    uint32_t object;      /* index of the object that is being defined, or UINT32_MAX */
    bool object_imported; /* its ObjectBegin stands in an importing file */

    struct lb_list materials, textures, media, lights, area_lights, shapes, objects, use_blocks, options;
    struct lb_list object_shapes; /* shapes of that object */

    struct lb_list parameters, floats, integers, bools, strings; /* the parameter list that is being read */
};

/* Reads what follows the name of a directive. */
typedef enum lb_status lb_directive(struct lb_parser *parser);

/* The directives, in the order of the files read_transforms.c, read_attributes.c, read_options.c, read_world.c and
 * directives.c. */
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

/* Reads directives until the end of the main file or of an imported one (core/language/directives.c). */
enum lb_status lb_parse_directives(struct lb_parser *parser);

/* Each of these reads tokens that must be of this kind; anything else is an error at its place. `what` is how messages
 * call the string. */
enum lb_status lb_expect_string(struct lb_parser *parser, const char *what, const char **text);
/* The same of a token that was read. */
enum lb_status lb_take_string(struct lb_parser *parser, const struct lb_token *token, const char *what,
                              const char **text);
enum lb_status lb_expect_numbers(struct lb_parser *parser, double *numbers, size_t count);

/* Reads the parameters that follow. `target` says whose defaults are added; LB_ATTRIBUTE_TARGETS: none. */
enum lb_status lb_read_parameters(struct lb_parser *parser, enum lb_attribute_target target,
                                  struct lb_parameters *parameters);
/* Reads a quoted type and the parameters that follow it. */
enum lb_status lb_read_entity(struct lb_parser *parser, enum lb_attribute_target target,
                              struct lb_entity *entity);

/* Reads one value of that type and adds it to the description's options. */
enum lb_status lb_read_option_value(struct lb_parser *parser, const char *name, enum lb_parameter_type type);

/* Pushes and pops the graphics state. `object`: it is done for ObjectBegin and ObjectEnd. */
enum lb_status lb_save_state(struct lb_parser *parser, bool object);
enum lb_status lb_restore_state(struct lb_parser *parser, bool object);
/* A copy of the current transformation in the arena, which entities share until it changes. NULL: there is no memory
 * for it. */
const struct lb_motion *lb_keep_transform(struct lb_parser *parser);
/* Gives a transformation a name, which it takes from an earlier one. */
enum lb_status lb_name_coordinate_system(struct lb_parser *parser, const char *name,
                                         const struct lb_motion *transform);
/* Forgets all coordinate systems but the first `count` that were named. */
enum lb_status lb_forget_coordinate_systems(struct lb_parser *parser, size_t count);

/* Materials, media and objects may be mentioned before they are defined. Their entry in the list is made at the first
 * mention, with that place, and is undefined until the definition fills it. In core/language/mentions.c. */
enum lb_status lb_mention_material(struct lb_parser *parser, const char *name, uint32_t *index);
enum lb_status lb_mention_medium(struct lb_parser *parser, const char *name, uint32_t *index);
enum lb_status lb_mention_object(struct lb_parser *parser, const char *name, uint32_t *index);
/* Reads an object's name in quotes and mentions it. */
enum lb_status lb_expect_object(struct lb_parser *parser, uint32_t *index);
bool lb_material_is_defined(const struct lb_material_entity *material);
bool lb_medium_is_defined(const struct lb_medium_entity *medium);
bool lb_object_is_defined(const struct lb_object_definition *object);
/* Keeps an error, at its first mention, for each object that was never defined. Materials and media may stay undefined
 * where nothing uses them. */
void lb_check_mentions(struct lb_parser *parser);

/* Makes an error about blocks and their order, at the directive that is being read, after which the parser is lost.
 * LB_OK, and no error, where it was lost already, as the cause may be the same. */
enum lb_status lb_error_misplaced(struct lb_parser *parser, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Makes the error "WHAT; this is a scene of pbrt-v3", after which nothing more is read. In core/language/version3.c. */
enum lb_status lb_error_version3(struct lb_parser *parser, const struct lb_location *location,
                                 const char *what);
/* Each of these makes that error where the type, or the directive, is one that only pbrt-v3 has. */
enum lb_status lb_check_type_version(struct lb_parser *parser, const char *directive, const char *type);
enum lb_status lb_check_directive_version(struct lb_parser *parser, const struct lb_token *token);

/* Makes the error "out of memory", with the place that has been reached. */
enum lb_status lb_parser_memory(struct lb_parser *parser);

#endif
