/* What a scene file says, in the file's own terms: pbrt-v4's directives resolved into entities with their
 * parameters, transforms and attributes. Nothing here knows how any of it is rendered. Everything lives in
 * the arena that lb_description_read was given. */
#ifndef LB_CORE_LANGUAGE_DESCRIPTION_H
#define LB_CORE_LANGUAGE_DESCRIPTION_H

#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/base/names.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct lb_location {
    const char *file;      /* as messages name it */
    uint32_t line, column; /* from 1 */
};

enum lb_parameter_type {
    LB_PARAMETER_BOOL,    /* bools */
    LB_PARAMETER_INTEGER, /* integers */
    LB_PARAMETER_FLOAT,   /* floats */
    LB_PARAMETER_POINT2,  /* floats, 2 a value */
    LB_PARAMETER_VECTOR2,
    LB_PARAMETER_POINT3, /* floats, 3 a value */
    LB_PARAMETER_VECTOR3,
    LB_PARAMETER_NORMAL3,
    LB_PARAMETER_RGB,       /* floats, 3 a value */
    LB_PARAMETER_BLACKBODY, /* floats */
    LB_PARAMETER_SPECTRUM,  /* floats (pairs of wavelength and value) or strings (a name or a file) */
    LB_PARAMETER_STRING,    /* strings */
    LB_PARAMETER_TEXTURE,   /* strings */
};

struct lb_parameter {
    enum lb_parameter_type type;
    const char *name;
    struct lb_location location;
    const float *floats;
    const int32_t *integers;
    const bool *bools;
    const char *const *strings;
    size_t count; /* elements of whichever array is not NULL (floats: single floats, not triples) */
    bool used;    /* set by the look-ups of core/language/parameters.h */
    const char *color_space; /* the current one: "srgb", "dci-p3", "rec2020", "aces2065-1" */
};

/* The latest names that were looked up, in which lists: what an unknown parameter may have been meant to be. One for a
 * whole description. */
struct lb_lookups {
    struct {
        const void *list; /* of parameters: its items */
        const char *name;
    } latest[256];
    unsigned char next;
};

/* Files that a scene names, the latest first. */
struct lb_named_file {
    const char *path;
    const struct lb_named_file *next;
};
struct lb_named_files {
    const struct lb_named_file *latest;
    size_t count;
};

/* Use the look-ups of core/language/parameters.h: they know the defaults, and that the last of several of one
 * name counts. */
struct lb_parameters {
    struct lb_parameter *items;
    size_t count;
    struct lb_parameter *defaults; /* given by Attribute directives, one of a name; shared by many lists */
    size_t default_count;
    struct lb_lookups *lookups;  /* or NULL */
    struct lb_location location; /* of the directive */
};

/* A 4 x 4 matrix and its inverse, row-major, as pbrt keeps them. */
struct lb_matrix {
    double m[4][4], inverse[4][4];
};

/* At the start and the end of the time range (TransformTimes); equal unless ActiveTransform was used. Entities between
 * which the current transformation did not change share one. */
struct lb_motion {
    struct lb_matrix at[2];
    bool moves;
    /* The directive since which one has no inverse that floats can hold, or NULL. */
    const struct lb_location *flaw;
};

/* A directive with a type and parameters. type is NULL where the file has none (then the default applies). */
struct lb_entity {
    const char *type;
    struct lb_parameters parameters;
};

struct lb_texture_entity {
    struct lb_entity entity; /* type: "imagemap", .. */
    const char *name;
    bool is_float; /* "float", else "spectrum" */
    const struct lb_motion *world_from_texture;
};

/* Materials and media that are only mentioned have no type, and the place of the first mention. */
struct lb_material_entity {
    struct lb_entity entity; /* type: "diffuse", .. (from the "type" parameter of a named one) */
    const char *name;        /* NULL: a Material directive's */
};

struct lb_medium_entity {
    struct lb_entity entity; /* type from its "type" parameter */
    const char *name;
    const struct lb_motion *world_from_medium;
};

struct lb_light_entity {
    struct lb_entity entity;
    const struct lb_motion *world_from_light;
    const char *medium; /* outside medium's name or "" */
};

struct lb_shape_entity {
    struct lb_entity entity;
    const struct lb_motion *world_from_object;
    bool reverse_orientation;
    uint32_t material;                          /* index into materials */
    uint32_t area_light;                        /* index into area_lights, or UINT32_MAX */
    const char *inside_medium, *outside_medium; /* NULL: no MediumInterface was given; "" : vacuum */
};

struct lb_object_definition {
    const char *name;
    struct lb_location location;
    struct lb_shape_entity *shapes;
    size_t shape_count;
};

struct lb_object_use {
    uint32_t object; /* index into objects */
    struct lb_location location;
    const struct lb_motion *world_from_instance;
};

struct lb_description {
    const char *main_file;
    struct lb_entity film, filter, camera, sampler, integrator, accelerator;
    struct lb_motion camera_from_world; /* the current transform at Camera, which maps world to camera */
    const char *camera_medium;          /* "" : none */
    double transform_times[2];
    struct lb_entity options;             /* each Option as a parameter */
    struct lb_material_entity *materials; /* 0 is the default diffuse; Material and MakeNamedMaterial alike */
    size_t material_count;
    struct lb_texture_entity *textures; /* a texture only refers to earlier ones */
    size_t texture_count;
    struct lb_medium_entity *media;
    size_t medium_count;
    struct lb_light_entity *lights;
    size_t light_count;
    struct lb_entity *area_lights;
    size_t area_light_count;
    struct lb_shape_entity *shapes; /* not in any object */
    size_t shape_count;
    struct lb_object_definition *objects;
    size_t object_count;
    struct lb_lookups *lookups;
    struct lb_named_files *files; /* that lb_description_path was asked for; or NULL */
    struct lb_object_use *uses;
    size_t use_count;
    /* Where each name is in its array. */
    struct lb_names material_names, float_texture_names, spectrum_texture_names, medium_names, object_names;
};

/* Reads `path` ("-": standard input) and all that it includes. What is against the language is an error with
 * file, line and column. Not for several threads on one arena. */
enum lb_status lb_description_read(const char *path, struct lb_arena *arena, const struct lb_log *log,
                                   struct lb_description *description, struct lb_error *error);

/* The same of a text in memory, as if it were the main file `name`: what it includes is looked for beside that. */
enum lb_status lb_description_parse(const char *name, const char *text, size_t length, struct lb_arena *arena,
                                    const struct lb_log *log, struct lb_description *description,
                                    struct lb_error *error);

/* Where the file `name`, as the scene says it at `location`, is to be opened: relative to the main file's
 * folder, else, if only there, to the folder of the file that names it (with a note). In the arena; NULL when
 * out of memory. */
const char *lb_description_path(const struct lb_description *description, const struct lb_location *location,
                                const char *name, struct lb_arena *arena, const struct lb_log *log);

#endif
