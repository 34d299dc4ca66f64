/* A loaded scene: one block of memory that begins with a struct lb_scene and is read-only once built. Arrays
 * are named by their offset from the block's start, so that the block means the same in another process, on a
 * GPU or on another host. All that a processor needs to render a range is in it. */
#ifndef LB_CORE_KERNEL_SCENE_H
#define LB_CORE_KERNEL_SCENE_H

#include "core/kernel/base.h"
#include "core/kernel/vec.h"

typedef struct lb_array {
    uint64_t offset; /* bytes from the start of the block, a multiple of 64 */
    uint64_t count;  /* elements */
} lb_array;

/* The first element of an array of a scene. */
#define LB_ARRAY(scene, field, type)                                                                         \
    ((const type *)(const void *)((const char *)(scene) + (scene)->field.offset))

/* ---- camera, film, filter, sampler, integrator ---- */

enum lb_camera_kind {
    LB_CAMERA_PERSPECTIVE,
    LB_CAMERA_ORTHOGRAPHIC,
    LB_CAMERA_REALISTIC,       /* through the elements of a lens: core/kernel/lens.h */
    LB_CAMERA_EQUIRECTANGULAR, /* all directions: longitude and latitude */
    LB_CAMERA_EQUAL_AREA       /* all directions, on the square of core/kernel/environment.h */
};

/* Zones of the film, by the distance from its centre, whose rays go through a rectangle each behind the lens. */
#define LB_LENS_ZONES 64

/* A lens, in units of the scene along +z of camera space, whose z = 0 is the film. `first_`: of lb_scene.tables. */
typedef struct lb_lens {
    uint32_t count;        /* of elements; 0: there is no lens */
    uint32_t stop_size[2]; /* width and height of the image of the stop; 0: it is round */
    uint32_t unused;
    /* Four floats each, the one next to the film last: radius of curvature, 0: the stop; distance to what comes next
     * towards the film; index of refraction behind it, on that side, at least 1; radius of its opening. */
    uint64_t first_element;
    /* Four floats each of LB_LENS_ZONES: x0, x1, y0, y1 of the rectangle in the plane of the element next to the film,
     * for points of the film on its +x axis; x0 >= x1: no light gets there. */
    uint64_t first_zone;
    /* float[height][width]: how much light passes, over the square around the stop; rows go up. */
    uint64_t first_stop;
    float width, height; /* of the film */
} lb_lens;

typedef struct lb_camera {
    /* Camera space: looking down +z, x right, y up; of a moving camera at the middle of the time in which the shutter
     * is open. */
    lb_transform world_from_camera;
    float screen
        [4]; /* x0, x1, y0, y1: the film's rectangle in the plane z = 1, or of an orthographic camera in any
                          plane; x runs from x0 at the left edge of the film to x1, y from y1 at its upper edge to y0.
                          Of a camera for all directions, a rectangle whose pixels are as large as its own are on
                          average, seen from 1 away */
    float lens_radius; /* 0: pinhole; realistic: of the element next to the film */
    float focal_distance;
    uint32_t medium; /* that the camera is in, or LB_NONE */
    uint32_t kind;   /* enum lb_camera_kind */
    uint32_t move;   /* 1 + number of its lb_move, which leads from it to the world; 0: it stands still */
    lb_lens lens;    /* of LB_CAMERA_REALISTIC */
} lb_camera;

enum lb_filter_kind {
    LB_FILTER_BOX,
    LB_FILTER_TRIANGLE,
    LB_FILTER_GAUSSIAN,
    LB_FILTER_MITCHELL,
    LB_FILTER_SINC
};

/* Gaussian, Mitchell and sinc are sampled from a table of |f| over [-xradius, xradius] x [-yradius, yradius].
 */
typedef struct lb_filter {
    uint32_t kind;
    float xradius, yradius;
    float a, b;           /* gaussian: sigma; mitchell: B, C; sinc: tau */
    uint32_t nx, ny;      /* size of the table */
    lb_array values;      /* float[ny][nx]: f at the cells' centres, with its sign */
    lb_array marginal;    /* float[ny + 1]: cumulative distribution of the rows, 0 .. 1 */
    lb_array conditional; /* float[ny][nx + 1]: the same within each row */
    float integral;       /* of |f| over the rectangle */
} lb_filter;

typedef struct lb_film {
    uint32_t full_width, full_height; /* what the camera's screen covers */
    uint32_t x0, y0;                  /* the first pixel of the picture in it, from the upper left */
    uint32_t width, height;           /* the picture */
    float imaging_ratio;              /* exposure x iso / 100 */
    float max_component;              /* limit of a sample's components after imaging_ratio; infinite: none */
    uint32_t has_sensor;              /* 0: a sample's colour is the picture's */
    float sensor[3][3];               /* else it is multiplied with this, after the limit */
    lb_filter filter;
} lb_film;

enum lb_integrator_kind { LB_INTEGRATOR_PATH, LB_INTEGRATOR_MANDELBROT };

typedef struct lb_integrator {
    uint32_t kind;
    uint32_t max_depth; /* 1: direct light */
    uint32_t media;     /* 0: absorption is ignored (pbrt's path) */
    uint32_t regularize;
    double center[2], span; /* mandelbrot */
    uint32_t max_iterations;
    uint32_t seed;
    uint32_t samples; /* per pixel */
    uint32_t frame;   /* number of the frame, an input of the sampler */
} lb_integrator;

/* ---- channels ---- */

/* What a picture may hold beside its light, a kind each: a bit of lb_channels.wanted, and a number of sums. */
enum lb_channel_kind {
    LB_CHANNEL_WEIGHT,     /* 1 sum: the weights of all samples */
    LB_CHANNEL_COVER,      /* 1: of those that hit a surface, as in all kinds below */
    LB_CHANNEL_BACKGROUND, /* 3: the light of those that hit none */
    LB_CHANNEL_ALBEDO,     /* 3: what is scattered of white light */
    LB_CHANNEL_P,          /* 3: position */
    LB_CHANNEL_Z,          /* 1: distance ahead of the camera; of a camera for all directions, from it */
    LB_CHANNEL_N,          /* 3: geometric normal, towards the viewer */
    LB_CHANNEL_NS,         /* 3: shading normal, likewise, with bump and normal maps */
    LB_CHANNEL_UV,         /* 2 */
    LB_CHANNEL_DZ, /* 2: how much the position's z changes over a footprint, right and down, without its sign */
    LB_CHANNEL_OBJECT,   /* 1: 1 + the number of the shape that sample 0 hits */
    LB_CHANNEL_MATERIAL, /* 1: 1 + the number of its material */
    LB_CHANNEL_SAMPLES,  /* 1: samples that are in the picture, the bad ones left out */
    LB_CHANNEL_SQUARES,  /* 6: squares of what a sample adds to R, G and B: high and low parts */
    LB_CHANNEL_KINDS
};

/* The sums of a pixel, `count` of int64_t, whose kinds stand in the order of their numbers. Integers, as the film's, so
 * that they are the same in whatever order they are added. All that a picture is besides the film's own sums is this
 * struct and an array of them; who keeps or joins pictures needs to know no more. */
typedef struct lb_channels {
    uint32_t wanted; /* bits of 1 << kind; 0: none */
    uint32_t count;
    uint32_t first[LB_CHANNEL_KINDS]; /* a kind's first sum; 0xffffffff: not wanted */
    uint32_t world;                   /* positions and normals are of world space, else of the camera's */
    lb_transform camera_from_world;
    float scale; /* positions times this power of two are summed, so that all of a scene's fit */
} lb_channels;

/* ---- textures ---- */

enum lb_texel_kind {
    LB_TEXEL_SRGB8,   /* bytes, decoded through lb_scene.srgb */
    LB_TEXEL_LINEAR8, /* bytes / 255 */
    LB_TEXEL_FLOAT    /* floats */
};
enum lb_wrap { LB_WRAP_REPEAT, LB_WRAP_BLACK, LB_WRAP_CLAMP, LB_WRAP_OCTAHEDRAL };

typedef struct lb_image {
    uint32_t width, height, channels; /* 1: y, 3: rgb, 4: rgba; row 0 is the top */
    uint32_t texel;                   /* enum lb_texel_kind; alpha of an 8-bit image is linear always */
    float gamma;                      /* with LB_TEXEL_LINEAR8: value ^ gamma; 1: linear */
    uint64_t offset;                  /* first byte in lb_scene.texels, a multiple of 4 */
} lb_image;

enum lb_texture_kind {
    LB_TEXTURE_CONSTANT,
    LB_TEXTURE_SCALE,
    LB_TEXTURE_MIX,
    LB_TEXTURE_CHECKERBOARD,
    LB_TEXTURE_IMAGE,
    LB_TEXTURE_DIRECTION_MIX,
    LB_TEXTURE_DOTS,
    /* From here on patterns that have no texture for an input: core/kernel/pattern.h */
    LB_TEXTURE_BILERP,
    LB_TEXTURE_FBM,
    LB_TEXTURE_WRINKLED,
    LB_TEXTURE_WINDY,
    LB_TEXTURE_MARBLE
};

/* From where on a surface a two-dimensional texture takes its coordinates. */
enum lb_mapping_kind { LB_MAPPING_UV, LB_MAPPING_SPHERICAL, LB_MAPPING_CYLINDRICAL, LB_MAPPING_PLANAR };

/* Textures nest at most this deep (an image or a constant counts 1, a scale of images 2); the builder refuses
 * deeper ones, and evaluation takes them for black. A texture refers only to textures of lower index. */
#define LB_TEXTURE_DEPTH 8

/* A constant, or a texture: evaluated by lb_texture_rgb / lb_texture_float (core/kernel/texture.h). */
typedef struct lb_input {
    lb_rgb value;     /* float inputs use value.r */
    uint32_t texture; /* index into lb_scene.textures, or LB_NONE: `value` it is */
} lb_input;

typedef struct lb_texture {
    uint32_t kind;
    lb_input a,
        b; /* scale: a * b; mix: a (1 - amount) + b amount; checkerboard: tex1, tex2; constant: a; dots:
                      beside them, on them; directionmix: a |cosine| + b (1 - |cosine|) */
    lb_input amount;        /* mix */
    uint32_t mapping;       /* enum lb_mapping_kind */
    float su, sv, du, dv;   /* uv mapping: (su * u + du, sv * v + dv); planar: du and dv are added too */
    lb_vec3 s_axis, t_axis; /* planar mapping, in the texture's space */
    lb_vec3 direction;   /* directionmix: that of the cosine with the normal, a unit vector of world space */
    uint32_t image;      /* index into lb_scene.images */
    uint32_t wrap;       /* enum lb_wrap */
    uint32_t nearest;    /* 1: "point" filter, 0: bilinear */
    uint32_t invert;     /* 1 - scale * value, not below 0 */
    float scale;         /* of an image's values, which are not clamped here: materials clamp reflectances */
    uint32_t is_float;   /* the image is read as one number: its alpha, or the average of its channels */
    uint32_t dimensions; /* checkerboard: 2 or 3 */
    lb_transform texture_from_world; /* all mappings but that by uv; patterns in space */
    lb_rgb corners[4];               /* bilerp: v00, v10, v01, v11 */
    uint32_t octaves;                /* fbm, wrinkled, marble */
    float roughness, variation;      /* the same; marble, whose frequency is `scale` */
    /* First byte in lb_scene.texels of the 256 bytes that noise is made with (core/kernel/noise.h). */
    uint32_t has_permutation;
    uint64_t permutation;
} lb_texture;

/* ---- materials and media ---- */

enum lb_material_kind {
    LB_MATERIAL_DIFFUSE,
    LB_MATERIAL_CONDUCTOR,
    LB_MATERIAL_DIELECTRIC,
    LB_MATERIAL_THIN_DIELECTRIC,
    LB_MATERIAL_COATED_DIFFUSE,
    LB_MATERIAL_INTERFACE,
    LB_MATERIAL_COATED_CONDUCTOR,
    LB_MATERIAL_DIFFUSE_TRANSMISSION,
    LB_MATERIAL_HAIR,
    LB_MATERIAL_MEASURED,
    LB_MATERIAL_SUBSURFACE,
    LB_MATERIAL_MIX
};

/* How the absorption in a hair is given. */
enum lb_hair_color { LB_HAIR_MELANIN, LB_HAIR_REFLECTANCE, LB_HAIR_ABSORPTION };

/* What few materials need, so that the others do not pay for it. */
enum lb_material_flags {
    LB_MATERIAL_BUMPED = 1,        /* `displacement` turns the shading normal */
    LB_MATERIAL_NORMAL_MAPPED = 2, /* `normal_map` does, and goes before it */
    LB_MATERIAL_FOOTPRINT = 4      /* some texture of it depends on how far pixels lie apart on the surface */
};

typedef struct lb_material {
    uint32_t kind;
    uint32_t flags; /* enum lb_material_flags */
    /* Diffuse, coated diffuse, diffuse transmission; conductors when `by_reflectance`; hair. */
    lb_input reflectance;
    lb_input eta, k; /* conductors: per colour; dielectrics: eta.value.r alone; hair: eta, a float */
    uint32_t by_reflectance;
    lb_input uroughness, vroughness; /* coated conductor: of the coat; hair: along and around it, 0 to 1 */
    uint32_t remap_roughness;        /* alpha = sqrt(roughness), as pbrt-v4 */
    lb_input thickness, albedo, g;   /* coated */
    uint32_t max_depth, samples;     /* coated: of its random walk */
    float coat_eta;                  /* coated conductor */
    lb_input base_uroughness, base_vroughness; /* coated conductor: of the metal */
    lb_input transmittance;                    /* diffuse transmission */
    /* Diffuse transmission: of reflectance and transmittance, before they are clamped; subsurface: of the coefficients,
     * or of the mean free path. */
    float scale;
    uint32_t
        mixed[2];    /* mix: indices into lb_scene.materials; neither is an interface, none contains itself */
    lb_input amount; /* mix: the part of the second */
    uint32_t hair_color;                      /* enum lb_hair_color */
    lb_input sigma_a, eumelanin, pheomelanin; /* hair: absorption over its radius, or concentrations */
    lb_input tilt;                            /* hair: of its scales, in degrees */
    lb_input sigma_s, mfp; /* subsurface: with sigma_a; with reflectance, where by_reflectance */
    /* Subsurface by_reflectance: the first of LB_BODY_ALBEDOS floats in lb_scene.tables, what a scattering leaves for
     * reflectances from 0 to 1. */
    uint64_t albedos;
    uint32_t measured;     /* measured: index into lb_scene.measured */
    lb_input displacement; /* bump */
    uint32_t normal_map;   /* index into lb_scene.images, of three channels or more */
    lb_array coat; /* coated diffuse: count LB_COAT_CELLS, as lb_coat_tabulate (core/kernel/coat.h) made them;
                      offset in floats from the start of lb_scene.tables. Count 0, always right: the kernel
                      samples what the table would say */
} lb_material;

#define LB_COAT_CELLS   130
#define LB_BODY_ALBEDOS 129

/* Values on a grid over the unit square, rows of a rising first coordinate: float[slice][height][width] from `values`
 * on in lb_scene.tables. Where points are drawn by them, which are scaled so that a slice's bilinear patches sum to 1,
 * also the sums of what lies left of a value in its row, float[slice][height][width], and of the rows before a row,
 * float[slice][height]. */
typedef struct lb_warp {
    uint32_t width, height; /* 2 or more */
    uint64_t values, conditional, marginal;
} lb_warp;

/* The tables of a measured material (core/kernel/bsdf_measured.h). */
typedef struct lb_measurement {
    /* Directions of wo, a slice for each phi and theta: rising values in lb_scene.tables. */
    uint32_t phis, thetas;
    uint64_t phi, theta;
    uint32_t isotropic;
    lb_warp ndf, sigma;      /* without slices */
    lb_warp vndf, luminance; /* by which points are drawn */
    lb_warp spectra;         /* three grids a slice: red, green, blue */
} lb_measurement;

typedef struct lb_box {
    float lower[3], upper[3];
} lb_box;

/* A body is what shapes of subsurface materials hold; its coefficients are the path's (core/kernel/body.h). */
enum lb_medium_kind {
    LB_MEDIUM_HOMOGENEOUS,
    LB_MEDIUM_GRID,
    LB_MEDIUM_RGB_GRID,
    LB_MEDIUM_CLOUD,
    LB_MEDIUM_BODY
};

/* Samples on a regular grid, between which values are trilinear and beyond which they are 0. */
typedef struct lb_grid {
    lb_transform index_from_medium; /* sample (i, j, k) lies where this says i, j, k */
    uint32_t size[3];
    uint32_t channels; /* 1 or 3; 0: there is no grid */
    uint64_t first;    /* of lb_scene.tables: the channels of a sample together, x fastest, then y, then z */
} lb_grid;

/* Temperatures up to this, in kelvin, send nothing (pbrt). */
#define LB_MEDIUM_COLD 100.0f

enum { LB_MEDIUM_HEAT_ROWS = 512 };

typedef struct lb_medium {
    uint32_t kind; /* enum lb_medium_kind */
    /* Absorption and scattering, per unit of length of world space; of grids and clouds: to be multiplied with the
     * density, of rgb grids with both grids. */
    lb_rgb sigma_a, sigma_s;
    lb_rgb beer; /* sigma_a for core/kernel/path.h; 0 where any_volume, as core/kernel/volume.h does it all */
    lb_rgb emission; /* what it sends per unit of length is its absorption times this radiance */
    float g;         /* of its phase function (Henyey, Greenstein): the mean cosine, -1 .. 1 */
    /* What varies is within the box of its own space, and nothing is beyond. */
    lb_transform medium_from_world;
    lb_box box;
    /* Cells of equal size in the box, and the first in lb_scene.tables of their bounds, x fastest, then y, then z: no
     * density in a cell is larger; of rgb grids no sum of absorption and scattering. */
    uint32_t cells[3];
    uint64_t bounds;
    lb_grid density;     /* rgb grids: of absorption; no grid: 1 */
    lb_grid scattering;  /* rgb grids; no grid: 1 */
    lb_grid glow;        /* what emission is to be multiplied with */
    lb_grid temperature; /* in kelvin: emission is multiplied with the black body's */
    /* A temperature is (value - heat_offset) * heat_scale. The black bodies' radiance stands in rows of three floats of
     * lb_scene.tables, from LB_MEDIUM_COLD to heat_last kelvin in equal steps. */
    float heat_offset, heat_scale, heat_last;
    uint64_t heat;
    /* Clouds. The permutation: as in lb_texture. */
    float amount, wispiness, frequency;
    uint64_t permutation;
} lb_medium;

/* ---- shapes ---- */

enum lb_shape_kind { LB_SHAPE_MESH, LB_SHAPE_SPHERE, LB_SHAPE_DISK, LB_SHAPE_CYLINDER, LB_SHAPE_CURVES };

enum lb_strand_type { LB_STRAND_FLAT, LB_STRAND_CYLINDER, LB_STRAND_RIBBON };

enum lb_shape_flags {
    LB_SHAPE_REVERSED = 1, /* ReverseOrientation was on */
    LB_SHAPE_SWAPS = 2,    /* the object's transform swaps handedness */
    LB_SHAPE_HAS_NORMALS = 4,
    LB_SHAPE_HAS_UV = 8,
    LB_SHAPE_HAS_ALPHA = 16, /* its alpha is not the constant 1 */
    LB_SHAPE_HAS_TANGENTS = 32
};

/* A piece of a curve: a cubic Bezier curve in the space of its shape, whose width changes evenly. A cache line. */
typedef struct lb_strand {
    lb_vec3 point[4];
    float width[2]; /* at its ends, all of it */
    float u[2];     /* of its ends, in the segment that it is a part of */
} lb_strand;

/* A mesh of triangles, one quadric, or pieces of curves. Mesh vertices are in the space of their geometry: world
 * space, or for a mesh that is instanced the space of its ObjectBegin. Corners stand in the file's order, normals as
 * the file gives them (transformed, of any length): core/kernel/surface.h does what LB_SHAPE_REVERSED and
 * LB_SHAPE_SWAPS ask for, with those and with triangles that have no normals. */
typedef struct lb_shape {
    uint32_t kind, flags;
    uint32_t material;                      /* index into lb_scene.materials */
    uint32_t medium_inside, medium_outside; /* or LB_NONE; only where has_media_interface */
    uint32_t has_media_interface; /* 0: a ray's medium goes on behind it (pbrt: no MediumInterface given, or
                                     both its sides equal) */
    /* Of the light of its first primitive, or LB_NONE; one light a triangle. Shapes of an instanced
     * geometry and those whose material is an interface have none (pbrt). */
    uint32_t first_light;
    uint32_t first_primitive; /* number of its first primitive; primitives are counted over all shapes, in
                                 file order */
    uint32_t primitive_count;
    lb_input alpha;
    /* mesh: first elements in lb_scene.indices / positions / normals / uvs / tangents; indices count from
     * first_position */
    uint64_t first_index, first_position, first_normal, first_uv, first_tangent;
    /* quadrics */
    lb_transform world_from_object, object_from_world; /* "world" is the space of its geometry */
    float radius, z_min, z_max, phi_max;               /* sphere, cylinder; phi in radians */
    float height, inner_radius;                        /* disk, which has radius and phi_max too */
    /* Curves, in a space of their own too: the first element in lb_scene.strands, one a primitive; of ribbons, unit
     * normals at both ends of each from first_normal on. */
    uint64_t first_strand;
    uint32_t strand_type; /* enum lb_strand_type */
    uint32_t unused_type;
} lb_shape;

/* ---- acceleration: a tree of 8-wide nodes a geometry; geometry 0 is the world, which alone may hold
 * instances ---- */

/* Children: bit 31 clear: node number. Bit 31 set: a leaf; bits 30-29 its kind, bits 28-26 its count - 1,
 * bits 25-0 its first element: in lb_scene.leaf_primitives (and the triangles' corners beside it), in
 * leaf_others or in leaf_strands. LB_NONE: no child; as a leaf it would go beyond the 2^26 elements there may be. */
#define LB_CHILD_LEAF 0x80000000u
enum lb_leaf_kind { LB_LEAF_TRIANGLES, LB_LEAF_QUADRICS, LB_LEAF_INSTANCES, LB_LEAF_CURVES, LB_LEAF_KINDS };

typedef struct lb_node {
    float lower[3][8], upper[3][8]; /* by axis, then child; a missing child has lower > upper */
    uint32_t child[8];
    uint32_t order[8]; /* by ray octant: 8 child numbers of 4 bits, near to far */
} lb_node;

typedef struct lb_primitive {
    uint32_t shape;     /* index into lb_scene.shapes */
    uint32_t primitive; /* number of the primitive within its shape */
} lb_primitive;

#define LB_TREE_DEPTH 48

typedef struct lb_geometry {
    uint32_t root;                     /* a child word as in lb_node; LB_NONE: empty */
    uint32_t first_shape, shape_count; /* of lb_scene.shapes: what it is made of */
    uint32_t first_leaf,
        leaf_count; /* of lb_scene.leaf_primitives: all its triangles (their fragments, where split) */
    uint32_t depth; /* nodes on the longest way down; at most LB_TREE_DEPTH */
    lb_box box;     /* of all of it, grown outward by one ulp */
} lb_geometry;

typedef struct lb_instance {
    lb_transform world_from_object, object_from_world;
    lb_box box; /* in world space, grown */
    uint32_t geometry;
    /* 1 + number of its lb_move, in whose place both transforms are then not used; 0: it stands still. */
    uint32_t move;
} lb_instance;

/* How a transform changes from the start of the time range to its end: core/kernel/move.h. */
typedef struct lb_move {
    double translation[2][3];
    /* Perpendicular unit quaternions x, y, z, w; an angle further than the first is first * cosine + second * sine. */
    double rotation[2][4];
    double angle; /* all in all, 0 .. pi / 2; the rotation's is twice that */
    double rest[2][3][3];
    double pivot[3]; /* the point that rotation and rest are around */
    /* 1 + number of the move that goes on from where this one leads to; 0: that is the world. */
    uint32_t outer;
    uint32_t unused;
} lb_move;

/* ---- lights ---- */

enum lb_light_kind {
    LB_LIGHT_POINT,
    LB_LIGHT_SPOT,
    LB_LIGHT_DISTANT,
    LB_LIGHT_INFINITE_CONSTANT,
    LB_LIGHT_INFINITE_IMAGE,
    LB_LIGHT_GONIOMETRIC,     /* a point whose intensity an image gives by direction */
    LB_LIGHT_INFINITE_PORTAL, /* an image through a portal; core/kernel/portal.h */
    LB_LIGHT_AREA
};

/* Tables (`marginal` ..): offsets in floats from the start of lb_scene.tables, here and in lb_filter. */
typedef struct lb_light {
    uint32_t kind;
    lb_rgb emission;   /* I, L or radiance, all scales applied; an image's factor */
    lb_vec3 position;  /* point, spot, goniometric; portal: one corner, where its frame's x and y are least */
    lb_vec3 direction; /* spot: its axis, unit; distant: towards the light, unit; portal: the corner
                                   (a point) opposite to that */
    float cos_start, cos_total; /* spot: falloff begins, ends */
    uint32_t twosided;          /* area */
    lb_primitive primitive;     /* area: the triangle or quadric */
    uint32_t medium;            /* that a point or spot light is in, or LB_NONE */
    float power;                /* estimate by which lights are chosen */
    uint32_t image;             /* infinite image; portal: by its angles, row 0 where y is least */
    /* Infinite image; its directions are normalised after them. Portal: its frame, x and y along two edges, +z out. */
    lb_transform light_from_world, world_from_light;
    /* The importance map's side; cell (column, row) is the part of the image's square, row 0 at its top.
     * Cells weigh max(0, luminance - mean luminance) (MIS compensation, as pbrt), or 1 where all of these are
     * 0. The density is 0 .. infinite, average 1 over the square. */
    uint32_t map_size;
    lb_array marginal,
        conditional;  /* float[n + 1], float[n][n + 1] over the equal-area square, as in lb_filter */
    lb_array density; /* float[n][n]: probability density over the unit square. Portal, which has neither of
                         the others: float[n + 1][n + 1][2], sums of what lies left of and above a corner of the
                         cells, in two parts, of all 1 */
} lb_light;

/* Walker's alias method over lb_scene.lights. A light of constant infinite radiance has probability 0: rays
 * that scatter find it (as in pbrt). With no other light light_choice has count 0, else as many entries as
 * lights. */
typedef struct lb_alias {
    float threshold; /* in 0..1: below it the entry itself */
    uint32_t other;
    float probability; /* of the light with the entry's own number */
} lb_alias;

typedef struct lb_scene {
    uint64_t magic, size; /* LB_SCENE_MAGIC; of the whole block, in bytes */
    lb_camera camera;
    lb_film film;
    lb_integrator integrator;
    lb_box bounds;  /* of the world */
    lb_vec3 center; /* its bounding sphere, for distant and infinite lights */
    float radius;
    uint32_t any_alpha;     /* some shape has an alpha input */
    uint32_t any_interface; /* some material is an interface: shadow rays may pass through */
    uint32_t any_motion;    /* something moves: samples have a time */
    float shutter[2];       /* when it opens and closes, in parts of the time range; may lie beyond 0 and 1 */
    uint32_t any_volume;    /* some medium does more than absorb: core/kernel/volume.h follows the paths, and
                            any_interface is set */
    uint32_t any_body;      /* some medium is a body; any_volume is set */
    lb_array positions, normals, tangents; /* lb_vec3 */
    lb_array uvs;                          /* lb_vec2 */
    lb_array indices;                      /* uint32_t[3] a triangle */
    lb_array shapes;                       /* lb_shape */
    lb_array geometries;                   /* lb_geometry */
    lb_array instances;                    /* lb_instance */
    lb_array moves;                        /* lb_move */
    lb_array nodes;                        /* lb_node */
    /* Floats: a leaf of n triangles whose first element is f begins at 9 f: x of corner 0 of all n, then y,
     * z, corner 1 ..; 9 values a triangle, 64 zeros behind the last. */
    lb_array leaf_corners;
    lb_array leaf_primitives; /* lb_primitive, beside leaf_corners */
    lb_array leaf_boxes;   /* lb_box, beside leaf_corners, only where triangles were split; else count 0 and a
                             triangle's own box is made from its corners */
    lb_array leaf_others;  /* uint32_t: shapes of quadric leaves, instances of instance leaves */
    lb_array strands;      /* lb_strand */
    lb_array leaf_strands; /* lb_primitive: those of curve leaves */
    lb_array materials, media, textures, images, lights;
    lb_array measured;        /* lb_measurement */
    lb_array light_choice;    /* lb_alias, one a light */
    lb_array infinite_lights; /* uint32_t: the lights that an escaping ray sees */
    lb_array texels;          /* bytes */
    lb_array tables; /* float: what lb_filter's and others' arrays point into, by offsets of their own */
    float srgb[256]; /* sRGB byte to linear */
    lb_channels channels;
} lb_scene;

#define LB_SCENE_MAGIC 0x31656e656373626cull /* "lbscene1" */

/* ---- rays ---- */

typedef struct lb_ray {
    lb_vec3 origin, direction;
    float t_max; /* hits count in [0, t_max) */
    /* The triangle that it leaves, and so cannot hit: 1 + its number over all shapes (lb_shape.first_primitive), 0:
     * none; and its instance. */
    uint32_t from, from_instance;
    /* 0 .. 1, from the start of the time range to its end; has a meaning only where something moves. */
    float time;
} lb_ray;

typedef struct lb_hit {
    float t;
    float b1, b2;           /* of a triangle: barycentric weights of corners 1 and 2; of a curve: u and v */
    uint32_t instance;      /* LB_NONE: not instanced */
    lb_primitive primitive; /* shape LB_NONE: nothing was hit */
} lb_hit;

/* What the renderers count, a line each: the struct's field, and its sum. */
#define LB_COUNTERS(COUNTER)                                                                                 \
    COUNTER(nodes)  /* of the tree that were visited; iterations of the Mandelbrot set; cells of media */    \
    COUNTER(groups) /* of primitives, in leaves, that were tested */                                         \
    COUNTER(shaded) /* vertices of paths */                                                                  \
    COUNTER(rays)                                                                                            \
    COUNTER(bad_samples) /* not a number or infinite: they add nothing to the picture */

#define LB_COUNTER_FIELD(counter) uint64_t counter;
#define LB_COUNTER_ADD(counter)   sum->counter += more->counter;

typedef struct lb_counters {
    LB_COUNTERS(LB_COUNTER_FIELD)
} lb_counters;

LB_FUNCTION void lb_counters_add(lb_counters *sum, const lb_counters *more)
{
    LB_COUNTERS(LB_COUNTER_ADD)
}

/* What a shaded vertex of a path costs, in steps. */
#define LB_SHADED_STEPS 16

/* The cost in steps of what was counted over `samples`, the unit of --cost-map: the same on every run. */
LB_INLINE uint64_t lb_counters_steps(const lb_counters *counters, uint64_t samples)
{
    return counters->nodes + counters->groups + LB_SHADED_STEPS * counters->shaded + samples;
}

#endif
