/* What a scene file says, in the file's own terms: pbrt-v4's directives, resolved into entities with their parameters,
 * transformations and attributes. Nothing here knows how any of it is rendered. Everything lives in the arena that
 * lb_description_read() was given. */
#ifndef LB_CORE_LANGUAGE_DESCRIPTION_H
#define LB_CORE_LANGUAGE_DESCRIPTION_H

#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/base/names.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A place in a scene file. */
struct lb_location {
    const char *file;      /* its name as messages have it */
    uint32_t line, column; /* both count from 1 */
};

/* The types of parameters, and which array of an lb_parameter holds their values. */
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

/* One parameter: its name and its values, which stand in one of the four arrays. The others are NULL. */
struct lb_parameter {
    enum lb_parameter_type type;
    const char *name;
    struct lb_location location;
    const float *floats;
    const int32_t *integers;
    const bool *bools;
    const char *const *strings;
    /* How many elements that array has; of floats these are single ones, not pairs or triples. */
    size_t count;
    bool used;               /* set by the look-ups of core/language/parameters.h */
    const char *color_space; /* that of the graphics state: "srgb", "dci-p3", "rec2020" or "aces2065-1" */
};

/* The names that were looked up last, and in which lists. An unknown parameter may have been meant to be one of them,
 * so messages can suggest it. There is one for a whole description. */
struct lb_lookups {
    struct {
        const void *list; /* the items of the lb_parameters in which it was looked up */
        const char *name;
    } latest[256];
    unsigned char next;
};

/* The files that a scene names, the latest first. */
struct lb_named_file {
    const char *path;
    const struct lb_named_file *next;
};
struct lb_named_files {
    const struct lb_named_file *latest;
    size_t count;
};

/* A directive's parameters. They are to be read by the look-ups of core/language/parameters.h, which know the defaults
 * and that the last of several parameters of one name counts. */
struct lb_parameters {
    struct lb_parameter *items;
    size_t count;
    /* Given by Attribute directives, at most one of each name; several lists share the array. */
    struct lb_parameter *defaults;
    size_t default_count;
    struct lb_lookups *lookups;  /* or NULL */
    const char *color_space;     /* the current color space at the directive; NULL: there is no directive */
    struct lb_location location; /* where the directive stands */
};

/* A 4 x 4 matrix and its inverse, row by row, as pbrt keeps them. A point is a column that the matrix is multiplied
 * by. */
struct lb_matrix {
    double m[4][4], inverse[4][4];
};

/* A transformation at the start and at the end of the time range (TransformTimes); the two are equal unless
 * ActiveTransform was used. Entities between which the current transformation did not change share one. */
struct lb_motion {
    struct lb_matrix at[2];
    /* Do the two differ? */
    bool moves;
    /* The directive since which one of them has no inverse whose elements a float can hold; NULL where both have
     * one. */
    const struct lb_location *flaw;
};

/* A directive with a type and parameters. `type` is NULL where the file has no such directive, so that a default
 * applies. */
struct lb_entity {
    const char *type;
    struct lb_parameters parameters;
};

/* A Texture directive. */
struct lb_texture_entity {
    struct lb_entity entity; /* its type is "imagemap", "scale" and so on */
    const char *name;
    bool is_float; /* does it give floats, not spectra? */
    const struct lb_motion *world_from_texture;
};

/* A Material or MakeNamedMaterial directive. Materials and media that are mentioned but never made have no type, and
 * the place of their first mention. */
struct lb_material_entity {
    /* Its type is "diffuse" and so on; a named one has it from its "type" parameter. */
    struct lb_entity entity;
    const char *name; /* NULL for a Material directive */
};

/* A MakeNamedMedium directive. */
struct lb_medium_entity {
    struct lb_entity entity; /* its type is that of its "type" parameter */
    const char *name;
    const struct lb_motion *world_from_medium;
};

/* A LightSource directive. */
struct lb_light_entity {
    struct lb_entity entity;
    const struct lb_motion *world_from_light;
    const char *medium; /* name of the medium around it, or "" for vacuum */
};

/* A Shape directive, with what the graphics state says of it. */
struct lb_shape_entity {
    struct lb_entity entity;
    const struct lb_motion *world_from_object;
    bool reverse_orientation;
    uint32_t material;                          /* index into materials */
    uint32_t area_light;                        /* index into area_lights, or UINT32_MAX */
    const char *inside_medium, *outside_medium; /* names; NULL: no MediumInterface was given, "": vacuum */
};

/* What stands between ObjectBegin and ObjectEnd. */
struct lb_object_definition {
    const char *name;
    struct lb_location location;
    struct lb_shape_entity *shapes;
    size_t shape_count;
    bool moves; /* does one of them move? */
};

/* An ObjectInstance directive. A scene may have millions of them, each with a transformation of its own. */
struct lb_object_use {
    uint32_t object; /* index into objects */
    struct lb_location location;
    /* NULL where transformation and object stand still and the transformation is affine and without a flaw. Then `rows`
     * has it. */
    const struct lb_motion *world_from_instance;
    /* Rows 0 to 2 of the matrix and of its inverse, rounded: a sixth of what a struct lb_motion takes. */
    float rows[2][3][4];
};

/* Uses stand in blocks of so many. */
enum { LB_USES_A_BLOCK = 512 };

/* A whole scene. */
struct lb_description {
    const char *main_file;
    struct lb_entity film, filter, camera, sampler, integrator, accelerator;
    struct lb_motion camera_from_world; /* the current transformation at Camera, which maps world to camera */
    bool has_target;                    /* that was made with a LookAt; then */
    double target[3];                   /* what the last of them looks at, in the camera's space */
    const char *camera_medium;          /* name of the medium around the camera, or "" for vacuum */
    double transform_times[2];
    struct lb_entity options; /* each Option directive as a parameter */
    /* Number 0 is the default, diffuse; Material and MakeNamedMaterial directives follow. */
    struct lb_material_entity *materials;
    size_t material_count;
    struct lb_texture_entity *textures; /* core/scene/textures/textures.h tells which may refer to which */
    size_t texture_count;
    struct lb_medium_entity *media;
    size_t medium_count;
    struct lb_light_entity *lights;
    size_t light_count;
    struct lb_entity *area_lights;
    size_t area_light_count;
    struct lb_shape_entity *shapes; /* those that are in no object */
    size_t shape_count;
    struct lb_object_definition *objects;
    size_t object_count;
    struct lb_lookups *lookups;
    struct lb_named_files *files;      /* all files that lb_description_path() was asked for, or NULL */
    struct lb_object_use **use_blocks; /* lb_description_use() finds them there */
    size_t use_count;
    /* Where in its array each name stands. */
    struct lb_names material_names, float_texture_names, spectrum_texture_names, medium_names, object_names;
};

/* Returns the use of that number, which must be below use_count. */
static inline const struct lb_object_use *lb_description_use(const struct lb_description *description,
                                                             size_t number)
{
    return &description->use_blocks[number / LB_USES_A_BLOCK][number % LB_USES_A_BLOCK];
}

/* Reads the file `path`, or standard input for "-", and all files that it includes. Whatever is against the language is
 * an error that names file, line and column. One arena must not be used by several threads at once. */
enum lb_status lb_description_read(const char *path, struct lb_arena *arena, const struct lb_log *log,
                                   struct lb_description *description, struct lb_error *error);

/* Reads a text in memory, of `length` bytes, as if it were the main file `name`: what it includes is looked for beside
 * that file. */
enum lb_status lb_description_parse(const char *name, const char *text, size_t length, struct lb_arena *arena,
                                    const struct lb_log *log, struct lb_description *description,
                                    struct lb_error *error);

/* Returns where the file `name` that the scene names at `location` is to be opened: in the main file's folder or, where
 * it is only there, in the folder of the file that names it, which a note tells. The text stands in the arena; NULL:
 * there is no memory for it. */
const char *lb_description_path(const struct lb_description *description, const struct lb_location *location,
                                const char *name, struct lb_arena *arena, const struct lb_log *log);

#endif
