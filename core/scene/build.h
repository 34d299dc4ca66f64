/* Turning a description into the arrays of a scene: what the build_*.c files share. Private to core/scene. */
#ifndef LB_CORE_SCENE_BUILD_H
#define LB_CORE_SCENE_BUILD_H

#include "core/base/errors.h"
#include "core/kernel/scene.h"
#include "core/language/description.h"
#include "core/language/parameters.h"
#include "core/scene/mesh_files.h"
#include "core/scene/block.h"
#include "core/scene/load.h"
#include "core/scene/tree.h"

/* What of the description reaches the picture. The rest is not built, so that it cannot stop a scene: only the names of
 * its kinds are looked at. */
struct lb_used {
    bool *materials, *textures, *media, *objects; /* of the same numbers as in the description */
};

/* A mesh of a file as it stands in the arrays. */
struct lb_made_mesh {
    const char *path;
    lb_shape shape;        /* of which what build_plymesh.c sets counts */
    size_t triangle_count; /* in the file; shape.primitive_count of them are left */
    lb_box box;            /* around these */
};

struct lb_builder {
    const struct lb_description *description;
    const struct lb_scene_options *options;
    const struct lb_log *log;
    struct lb_arena *arena;
    struct lb_error *error;
    struct lb_errors *errors; /* found so far: what is independent of them is looked at all the same */
    struct lb_scene_arrays arrays;
    lb_scene head;           /* becomes the block's beginning */
    double shutter;          /* shutterclose - shutteropen: in a frame of an animation, too, of the whole */
    double camera_middle[3]; /* where the camera is in the middle of the time range */
    struct lb_used used;
    lb_input *texture_inputs; /* one a texture of the description */
    bool *textures_built;     /* is that input there already? */
    struct lb_mesh_files mesh_files;
    struct lb_names meshes;       /* of mesh files, by what their arrays follow from: a mesh is kept once */
    struct lb_vector made_meshes; /* struct lb_made_mesh, by those numbers */
    struct lb_names images;       /* by encoding and path: a file is kept once for each way to take it */
    struct lb_names measured;     /* by path: the tables of measured materials */
    struct lb_vector sources;     /* struct lb_geometry_source; number 0 is the world */
    struct lb_names geometries;   /* by what of their shapes rays are tested against */
    uint64_t primitives;          /* counted so far, over all shapes */
    lb_box reach;                 /* around the shapes so far of the geometry that is being built */
    uint32_t first_shape;         /* of that geometry */
    uint64_t triangles;
    /* float, one a triangle where the shape that is being built is of patches that shine, else empty: the area of its
     * patch, which has the "power" of a light. */
    struct lb_vector patch_areas;
    struct lb_emission *emissions; /* of the description's area lights; NULL: none has been looked at */
    uint64_t permutation;          /* of noise: first byte in the texels, once it is there */
    bool has_permutation;
};

/* ---- messages (build.c) ---- */

/* The words of an array whose rows each begin with one. */
#define LB_ROWS(rows) (rows), sizeof(rows) / sizeof(rows)[0], sizeof(rows)[0]
/* An error: "unknown WHAT "WORD"", and which of the words was meant. */
enum lb_status lb_build_unknown(const struct lb_builder *builder, const struct lb_location *location,
                                const char *what, const char *word, const void *rows, size_t count,
                                size_t size);
/* An error: "no WHAT is named "NAME"", and which of the names was meant. */
enum lb_status lb_build_no_name(const struct lb_builder *builder, const struct lb_location *location,
                                const char *what, const char *name, const struct lb_names *names);

/* What the language knows and this program does not do yet: an error at the place, or under --lenient a
 * warning and LB_OK, whereupon the caller goes on with a substitute.
 * The format says what is missing, and after ": " what is done instead, which an error leaves out. */
enum lb_status lb_build_not_yet(const struct lb_builder *builder, const struct lb_location *location,
                                const char *format, ...) __attribute__((format(printf, 3, 4)));
/* An error at the place. */
enum lb_status lb_build_error(const struct lb_builder *builder, const struct lb_location *location,
                              const char *format, ...) __attribute__((format(printf, 3, 4)));
void lb_build_warn(const struct lb_builder *builder, const struct lb_location *location, const char *format,
                   ...) __attribute__((format(printf, 3, 4)));
/* After a part that others do not need: keeps the error where `status` is one, and says LB_OK unless memory ran out. */
enum lb_status lb_build_go_on(const struct lb_builder *builder, enum lb_status status);
enum lb_status lb_build_no_memory(const struct lb_builder *builder);
/* An error for each parameter that nobody looked up. */
enum lb_status lb_build_check_unused(const struct lb_builder *builder, const struct lb_entity *entity);
/* Looks parameters up so that they count as known, and does nothing with them. */
void lb_build_ignore(const struct lb_entity *entity, const char *const *names, size_t count);

/* ---- distances (build_reach.c) ---- */

/* An error where the box, of what the word `what` names, is further from the origin than can be calculated with. */
enum lb_status lb_build_check_reach(const struct lb_builder *builder, const struct lb_location *location,
                                    const char *what, const lb_box *box);
/* The same for a shape, whose box is added to builder->reach. */
enum lb_status lb_build_reach(struct lb_builder *builder, const struct lb_location *location,
                              const lb_box *box);

/* ---- parameters with their ranges (build.c) ---- */

/* Where the parameter is, or its directive where the file does not give it. */
const struct lb_location *lb_build_place(const struct lb_parameters *parameters, const char *name);
/* One float in [low, high], which NaN is not. */
enum lb_status lb_build_float(const struct lb_builder *builder, const struct lb_parameters *parameters,
                              const char *name, float fallback, float low, float high, float *value);
enum lb_status lb_build_integer(const struct lb_builder *builder, const struct lb_parameters *parameters,
                                const char *name, int32_t fallback, int32_t low, int32_t high,
                                int32_t *value);
enum lb_status lb_build_bool(const struct lb_builder *builder, const struct lb_parameters *parameters,
                             const char *name, bool fallback, uint32_t *value);
/* A point of finite coordinates. */
enum lb_status lb_build_point(const struct lb_builder *builder, const struct lb_parameters *parameters,
                              const char *name, lb_vec3 fallback, lb_vec3 *value);
/* A colour that is not negative and not NaN; `fallback` where the file has none. */
enum lb_status lb_build_colour(const struct lb_builder *builder, const struct lb_parameters *parameters,
                               const char *name, bool illuminant, lb_rgb fallback, lb_rgb *value);
/* The white of the colour space at the directive: the colour of a light that has none of its own (pbrt). */
lb_rgb lb_build_white(const struct lb_parameters *parameters);
/* *resolved: where the file that parameter `name` gives is, NULL where it gives none. */
enum lb_status lb_build_file(const struct lb_builder *builder, const struct lb_parameters *parameters,
                             const char *name, const char **resolved);
/* The transform, with its inverse, of what stands still: a moving one as it is at the start of the time range (with a
 * warning), or in the middle of the frame that is asked for. An error where it is not finite or has no inverse. Of a
 * projective one it is what that does near the origin, with a warning. Either result may be NULL. */
enum lb_status lb_build_transform(const struct lb_builder *builder, const struct lb_motion *motion,
                                  const struct lb_location *location, lb_transform *transform,
                                  lb_transform *inverse);
/* The same of what moves on: *move is 1 + the number of its lb_move in the arrays, after which comes `outer`. Rotations
 * are around `pivot`. */
enum lb_status lb_build_move(struct lb_builder *builder, const struct lb_motion *motion,
                             const struct lb_location *location, const double pivot[3], uint32_t outer,
                             uint32_t *move);
/* Is it finite, but without an inverse at all times, as Scale 0 1 1 makes it? */
bool lb_build_is_flat(const struct lb_motion *motion);
/* The first three rows as they are, of an inverse that there is not 0; an error where they are not finite. */
enum lb_status lb_build_rows(const struct lb_builder *builder, const struct lb_motion *motion,
                             const struct lb_location *location, lb_transform *transform,
                             lb_transform *inverse);
/* The determinant of the linear part. */
double lb_build_determinant(const lb_transform *transform);
/* Index of the medium of that name, which is used then; LB_NONE for "" and NULL. An error where there is none. */
enum lb_status lb_build_find_medium(const struct lb_builder *builder, const struct lb_location *location,
                                    const char *name, uint32_t *medium);

/* ---- parts, in the order in which they are built ---- */

enum lb_status lb_build_camera(struct lb_builder *builder); /* needs the film's size; sets `shutter` */
enum lb_status lb_build_lens(struct lb_builder *builder);   /* of a realistic camera */
enum lb_status lb_build_film(struct lb_builder *builder);
enum lb_status lb_build_film_exposure(struct lb_builder *builder); /* needs `shutter` */
enum lb_status lb_build_filter(struct lb_builder *builder);
enum lb_status lb_build_integrator(struct lb_builder *builder);
enum lb_status lb_build_sampler(struct lb_builder *builder);
enum lb_status lb_build_accelerator(struct lb_builder *builder); /* looks at its name, no more */
enum lb_status
lb_build_used(struct lb_builder *builder); /* all but the media, which are used as they are found */
enum lb_status lb_build_textures(struct lb_builder *builder);
enum lb_status lb_build_materials(struct lb_builder *builder); /* numbers as in the description */
enum lb_status lb_build_shapes(struct lb_builder *builder);    /* and area lights, objects, instances */
enum lb_status lb_build_lights(struct lb_builder *builder);    /* the others */
enum lb_status lb_build_media(struct lb_builder *builder);     /* those that were found */
/* After the tree: bounds, lights' powers, the table by which they are chosen, and which are infinite. */
enum lb_status lb_build_light_choice(struct lb_builder *builder);
/* After those: what the picture has beside its light. */
enum lb_status lb_build_channels(struct lb_builder *builder);

/* ---- helpers between parts ---- */

/* A parameter that may be a value or a texture; `fallback` where the file has none. `given`, which may be
 * NULL, tells whether it has. Values are finite and not negative, those of `albedo` at most 1. */
enum lb_status lb_build_rgb_input(const struct lb_builder *builder, const struct lb_parameters *parameters,
                                  const char *name, bool albedo, lb_rgb fallback, lb_input *input,
                                  bool *given);
enum lb_status lb_build_float_input(const struct lb_builder *builder, const struct lb_parameters *parameters,
                                    const char *name, float fallback, float low, float high, lb_input *input,
                                    bool *given);
/* LB_MATERIAL_FOOTPRINT and LB_MATERIAL_FILTERED where the input's value depends on how far apart pixels lie on the
 * surface. */
uint32_t lb_build_spread(const struct lb_builder *builder, const lb_input *input);
/* What the values of another colour space are to be: left as they are, reflectances, whose white is white, or light,
 * which keeps its colour. */
enum lb_image_use { LB_IMAGE_NUMBERS, LB_IMAGE_REFLECTANCES, LB_IMAGE_LIGHT, LB_IMAGE_USES };
/* How values are to be taken: those of 8 bits by pbrt's "encoding" (NULL: sRGB), which only PNG files follow. */
struct lb_encoding {
    const char *text;
    const struct lb_location *location;
    enum lb_image_use use;
};
/* Reads a file into the texels, once for each way to take it. */
enum lb_status lb_build_image(struct lb_builder *builder, const char *path,
                              const struct lb_encoding *encoding, uint32_t *image);
/* Makes the smaller versions of image number `image`, once: each texel is the mean over the area that it covers. */
enum lb_status lb_build_smaller(struct lb_builder *builder, uint32_t image);
void lb_build_srgb(struct lb_builder *builder); /* fills lb_scene.srgb */
/* A texel as floats: count = channels of the image. */
void lb_build_texel(const struct lb_builder *builder, const lb_image *image, uint32_t x, uint32_t y,
                    float *values);

/* The image of a light, whose values below 0 are made 0. An error where it lacks colours, unless it may be `grey`. */
enum lb_status lb_build_light_image(struct lb_builder *builder, const char *path,
                                    const struct lb_location *location, bool grey, uint32_t *index);
/* A texel's colour. */
lb_rgb lb_build_texel_rgb(const struct lb_builder *builder, const lb_image *image, uint32_t x, uint32_t y);

/* The first byte in the texels of the permutation that noise is made with, which is put there once. */
enum lb_status lb_build_permutation(struct lb_builder *builder, uint64_t *first);

/* The marginal, conditional and density arrays of a light's importance map of n x n `values` (not negative;
 * all 0: uniform) into the tables. */
enum lb_status lb_build_importance(struct lb_builder *builder, const float *values, uint32_t n,
                                   lb_light *light);
/* Cumulative distribution of n values, n + 1 numbers that begin with 0 and end with 1; returns the values'
 * sum. All 0: uniform. */
double lb_build_cumulate(const float *values, size_t n, float *cumulative);

/* What of n x n values (not negative) lies left of and above each corner of the cells, over the sum of all:
 * float[n + 1][n + 1][2] into the tables, in two parts that add up to it. */
enum lb_status lb_build_sums(struct lb_builder *builder, const double *values, uint32_t n, lb_array *sums);

/* Emission and image of an infinite light with an image. */
enum lb_status lb_build_map(struct lb_builder *builder, const char *path, const struct lb_location *location,
                            float scale, float illuminance, lb_light *light);
/* Emission, image, importance map and (as mean luminance) power of an infinite light with an image. */
enum lb_status lb_build_environment(struct lb_builder *builder, const char *path,
                                    const struct lb_location *location, float scale, float illuminance,
                                    lb_light *light);

/* Makes the light, whose emission and image (LB_NONE: it is 1) are known, shine through the parameter "portal" only. */
enum lb_status lb_build_portal(struct lb_builder *builder, const struct lb_parameters *parameters,
                               const lb_transform *map_from_world, lb_light *light);

/* An error where the kind is not in the language. */
enum lb_status lb_build_check_area_light(const struct lb_builder *builder, const struct lb_entity *entity);
/* Lights of all primitives of a shape. */
enum lb_status lb_build_area_light(struct lb_builder *builder, const struct lb_shape_entity *entity,
                                   uint32_t shape_index);
/* An error where scales and powers made a light's emission infinite. */
enum lb_status lb_build_check_emission(const struct lb_builder *builder, const struct lb_location *location,
                                       const lb_light *light);
/* Area of a primitive in the space of its geometry. */
double lb_build_primitive_area(const struct lb_builder *builder, const lb_shape *shape, uint32_t primitive);

/* Does the shape move while the shutter is open, and so is a geometry's of its own? A light stands still in each frame
 * of an animation. */
bool lb_build_does_move(const struct lb_builder *builder, const struct lb_shape_entity *entity,
                        bool in_object);
/* As in pbrt, nothing is seen of what rays cannot be transformed to. A warning says so. */
bool lb_build_is_hidden(const struct lb_builder *builder, const struct lb_motion *motion,
                        const struct lb_location *location, const char *what);
/* An error where the shape's kind is not in the language. */
enum lb_status lb_build_check_shape(const struct lb_builder *builder, const struct lb_entity *entity);
/* An error where the scene has no numbers for `count` primitives more. */
enum lb_status lb_build_check_primitives(const struct lb_builder *builder, const struct lb_location *location,
                                         uint64_t count);
/* Finds an earlier geometry, of an object or of what moves, whose shapes rays are tested against in the same way: sets
 * *geometry and *shift as lb_build_geometry() does, and the shapes take the numbers of its primitives. Else remembers
 * this one, which is number *geometry. */
enum lb_status lb_build_find_same(struct lb_builder *builder, const struct lb_geometry_source *source,
                                  uint32_t *geometry, uint32_t *shift);
/* The shapes of one geometry; *geometry is its number, LB_NONE when nothing is in it. `moving`: those that move, else
 * the others. Shapes that are an earlier geometry's but for their materials and media stand in that one, by numbers
 * that are less by *shift. */
enum lb_status lb_build_geometry(struct lb_builder *builder, const struct lb_shape_entity *shapes,
                                 size_t count, bool is_object, bool moving, uint32_t *geometry,
                                 uint32_t *shift);

/* Geometry of each kind; transforms, flags, material and media are set. */
enum lb_status lb_build_trianglemesh(struct lb_builder *builder, const struct lb_shape_entity *entity,
                                     lb_shape *shape);
enum lb_status lb_build_plymesh(struct lb_builder *builder, const struct lb_shape_entity *entity,
                                lb_shape *shape);
enum lb_status lb_build_bilinearmesh(struct lb_builder *builder, const struct lb_shape_entity *entity,
                                     lb_shape *shape);
enum lb_status lb_build_loopsubdiv(struct lb_builder *builder, const struct lb_shape_entity *entity,
                                   lb_shape *shape);
enum lb_status lb_build_sphere(struct lb_builder *builder, const struct lb_shape_entity *entity,
                               lb_shape *shape);
enum lb_status lb_build_cylinder(struct lb_builder *builder, const struct lb_shape_entity *entity,
                                 lb_shape *shape);
enum lb_status lb_build_disk(struct lb_builder *builder, const struct lb_shape_entity *entity,
                             lb_shape *shape);
enum lb_status lb_build_curve(struct lb_builder *builder, const struct lb_shape_entity *entity,
                              lb_shape *shape);
/* Are both of curves, alike but for their pieces, so that `before`, the last one built, may take the other's? */
bool lb_build_joins(const lb_shape *before, const lb_shape *shape);

#endif
