/* Turning a description into the arrays of a scene: what the folders of core/scene share. Private to core/scene. */
#ifndef LB_CORE_SCENE_BUILDER_BUILDER_H
#define LB_CORE_SCENE_BUILDER_BUILDER_H

#include "core/base/errors.h"
#include "core/kernel/scene/scene.h"
#include "core/language/description.h"
#include "core/language/parameters.h"
#include "core/scene/ply/mesh_files.h"
#include "core/scene/block/block.h"
#include "core/scene/builder/options.h"
#include "core/scene/tree/tree.h"

/* What of the description reaches the picture. The rest is not built, so that it cannot stop a scene: only the names of
 * its kinds are looked at. */
struct lb_used {
    bool *materials, *textures, *media, *objects; /* of the same numbers as in the description */
};

/* A mesh of a file as it stands in the arrays. */
struct lb_made_mesh {
    const char *path;
    lb_shape shape;        /* of which what shapes/plymesh.c sets counts */
    size_t triangle_count; /* in the file; shape.primitive_count of them are left */
    lb_box box;            /* around these */
};

/* How the Integrator wants lights to be chosen. */
enum lb_light_sampler { LB_LIGHT_SAMPLER_BVH, LB_LIGHT_SAMPLER_POWER, LB_LIGHT_SAMPLER_UNIFORM };

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
    /* For each texture that the scene gives: the number of the same of what is no reflectance, or 0; NULL at first. */
    uint32_t *unbounded_textures;
    struct lb_mesh_files mesh_files;
    struct lb_names meshes;       /* of mesh files, by what their arrays follow from: a mesh is kept once */
    struct lb_names noted_meshes; /* files of which triangles were said to be left out */
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
    enum lb_light_sampler light_sampler;
    struct lb_emission *emissions; /* of the description's area lights; NULL: none has been looked at */
    uint64_t permutation;          /* of noise: first byte in the texels, once it is there */
    bool has_permutation;
    /* Numbers of shapes' and of materials' names, where the picture tells them. */
    struct lb_names matte_names[LB_MATTES];
    struct lb_names group_names; /* the same of light groups */
    const char *object_name;     /* of the ObjectBegin whose shapes are being built, or NULL */
    const char *latest_name;     /* that the last shape was given, or NULL */
    struct lb_spectra *spectra;  /* where colours are spectra (builder/spectra.h), else NULL */
};

#endif
