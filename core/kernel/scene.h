/* A loaded scene is one block of memory, which begins with a struct lb_scene and is read-only once it is built. Arrays
 * are given by their offset from the block's start, so that the block means the same in another process, on a GPU or on
 * another host. All that a processor needs to render a range is in it. */
#ifndef LB_CORE_KERNEL_SCENE_H
#define LB_CORE_KERNEL_SCENE_H

#include "core/kernel/base.h"
#include "core/kernel/vec.h"

/* Where an array of the scene is. */
typedef struct lb_array {
    uint64_t offset; /* bytes from the start of the block, a multiple of 64 */
    uint64_t count;  /* elements */
} lb_array;

/* The first element of an array of a scene. */
#define LB_ARRAY(scene, field, type)                                                                         \
    ((const type *)(const void *)((const char *)(scene) + (scene)->field.offset))

/* ---- camera, film, filter, sampler, integrator ---- */

/* The kinds of cameras. Those that see all directions come last. */
enum lb_camera_kind {
    LB_CAMERA_PERSPECTIVE,
    LB_CAMERA_ORTHOGRAPHIC,
    LB_CAMERA_REALISTIC,       /* through the elements of a lens: core/kernel/lens.h */
    LB_CAMERA_EQUIRECTANGULAR, /* all directions, by longitude and latitude */
    LB_CAMERA_EQUAL_AREA       /* all directions, on the square of core/kernel/environment.h */
};

/* How many zones the film is divided into, by the distance from its centre; the rays of each go through one rectangle
 * behind the lens. */
#define LB_LENS_ZONES 64

/* A lens, in units of the scene. It lies along +z of camera space, whose plane z = 0 is the film. What is named
 * `first_...` counts elements from the start of lb_scene.tables. */
typedef struct lb_lens {
    uint32_t count;        /* how many elements it has; 0: there is no lens */
    uint32_t stop_size[2]; /* width and height of the image of its stop; 0: the stop is round */
    uint32_t unused;
    /* The elements, four floats for each, the one next to the film last: its radius of curvature, where 0 says that it
     * is the stop; the distance to what comes next towards the film; the index of refraction behind it, on that side,
     * at least 1; the radius of its opening. */
    uint64_t first_element;
    /* The zones, four floats for each of LB_LENS_ZONES: x0, x1, y0, y1 of the rectangle in the plane of the element
     * next to the film, for points of the film on its +x axis. Where x0 >= x1, no light gets there. */
    uint64_t first_zone;
    /* The stop's image, float[height][width], whose rows go up: how much light passes, over the square around the
     * stop. */
    uint64_t first_stop;
    float width, height; /* of the film */
} lb_lens;

/* A camera. */
typedef struct lb_camera {
    /* Camera space has x to the right, y up, and the camera looks along +z. Of a moving camera this is the transform in
     * the middle of the time in which the shutter is open. */
    lb_transform world_from_camera;
    /* X0, x1, y0, y1: the film's rectangle in the plane z = 1, or in any plane for an orthographic camera. x runs from
     * x0 at the left edge of the film to x1, y from y1 at its upper edge to y0. Of a camera for all directions it is a
     * rectangle, seen from a distance of 1, whose pixels are as large as the camera's are on average. */
    float screen[4];
    float lens_radius; /* 0: it is a pinhole; of a realistic camera: radius of the element next to the film */
    float focal_distance;
    uint32_t medium; /* the medium that the camera is in, or LB_NONE */
    uint32_t kind;   /* enum lb_camera_kind */
    uint32_t move; /* 1 + index of its lb_move, which leads from camera to world space; 0: it stands still */
    lb_lens lens;  /* for LB_CAMERA_REALISTIC */
} lb_camera;

/* The kinds of reconstruction filters. */
enum lb_filter_kind {
    LB_FILTER_BOX,
    LB_FILTER_TRIANGLE,
    LB_FILTER_GAUSSIAN,
    LB_FILTER_MITCHELL,
    LB_FILTER_SINC
};

/* A reconstruction filter f. Gaussian, Mitchell and sinc filters are sampled from a table of |f| over [-xradius,
 * xradius] x [-yradius, yradius]. The arrays' offsets count floats from the start of lb_scene.tables. */
typedef struct lb_filter {
    uint32_t kind;
    float xradius, yradius;
    float a, b;           /* gaussian: sigma in a; mitchell: B, C; sinc: tau in a */
    uint32_t nx, ny;      /* size of that table */
    lb_array values;      /* float[ny][nx]: f at the cells' centres, with its sign */
    lb_array marginal;    /* float[ny + 1]: cumulative distribution of the rows, 0 .. 1 */
    lb_array conditional; /* float[ny][nx + 1]: the same within each row */
    float integral;       /* the integral of |f| over the rectangle */
} lb_filter;

/* The film and the part of it that is the picture. */
typedef struct lb_film {
    uint32_t full_width, full_height; /* pixels that the camera's screen covers */
    uint32_t x0, y0;                  /* the first pixel of the picture in it, from the upper left */
    uint32_t width, height;           /* the picture */
    float imaging_ratio;              /* exposure x iso / 100 */
    float max_component; /* limit of a sample's components, after imaging_ratio; infinite: there is none */
    /* That of EXR files, by core/base/color_space.h; sums are of linear sRGB in any case. */
    uint32_t color_space;
    uint32_t has_sensor; /* 0: a sample's colour is the picture's */
    float sensor[3][3];  /* else it is multiplied by this, after the limit */
    lb_filter filter;
} lb_film;

/* The kinds of integrators. */
enum lb_integrator_kind { LB_INTEGRATOR_PATH, LB_INTEGRATOR_MANDELBROT, LB_INTEGRATOR_OCCLUSION };

/* How light is computed, and the samples. */
typedef struct lb_integrator {
    uint32_t kind;
    uint32_t max_depth;     /* the most vertices that scatter; 1: direct light alone */
    uint32_t media;         /* 0: media are ignored, as by pbrt's path integrator */
    uint32_t regularize;    /* 1: surfaces are roughened for paths that have scattered diffusely before */
    double center[2], span; /* mandelbrot: the part of the plane */
    uint32_t max_iterations;
    float reach;     /* occlusion: what is further off leaves the sky open */
    uint32_t cosine; /* occlusion: directions are drawn by the cosine, else evenly */
    lb_rgb white;    /* occlusion: what an open sky is shown as */
    uint32_t seed;
    uint32_t samples; /* samples in each pixel */
    uint32_t frame;   /* number of the frame, by which the sampler draws others in each frame */
} lb_integrator;

/* ---- channels ---- */

/* What a picture may hold beside its light. Each kind is a bit of lb_channels.wanted and has a number of sums, given
 * here. */
enum lb_channel_kind {
    LB_CHANNEL_WEIGHT,     /* 1 sum: the filter weights of all samples */
    LB_CHANNEL_COVER,      /* 1: those of the samples that hit a surface, as in all kinds below */
    LB_CHANNEL_BACKGROUND, /* 3: the light of the samples that hit none */
    LB_CHANNEL_ALBEDO,     /* 3: the part of white light that is scattered */
    LB_CHANNEL_P,          /* 3: position */
    LB_CHANNEL_Z,  /* 1: distance ahead of the camera; for a camera for all directions, distance from it */
    LB_CHANNEL_N,  /* 3: geometric normal, towards the viewer */
    LB_CHANNEL_NS, /* 3: shading normal, towards the viewer, with bump and normal maps */
    LB_CHANNEL_UV, /* 2: surface coordinates */
    LB_CHANNEL_DZ, /* 2: how much z changes over a footprint, to the right and down, without its sign */
    LB_CHANNEL_OBJECT,   /* 1: 1 + index of the shape that sample 0 hits */
    LB_CHANNEL_MATERIAL, /* 1: 1 + index of that shape's material */
    LB_CHANNEL_SAMPLES,  /* 1: how many samples are in the picture, bad ones left out */
    LB_CHANNEL_SQUARES,  /* 6: squares of what samples add to R, G and B, each in a high and a low part */
    LB_CHANNEL_KINDS
};

/* The sums that pixels have, `count` of int64_t for each, in the order of their kinds. Like the film's sums they are
 * integers, so that they are the same in whatever order samples are added. All that a picture is beyond the film's own
 * sums is this struct and an array of them: whoever keeps or joins pictures needs to know no more. */
typedef struct lb_channels {
    uint32_t wanted; /* the sum of 1 << kind for all kinds that are wanted */
    uint32_t count;
    uint32_t first[LB_CHANNEL_KINDS]; /* for each kind its first sum; LB_NONE: it is not wanted */
    uint32_t world;                   /* 1: positions and normals are in world space, 0: in camera space */
    lb_transform camera_from_world;
    /* Positions are multiplied by this power of two before they are summed, so that all of the scene's fit. */
    float scale;
} lb_channels;

/* ---- textures ---- */

/* How an image's texels are stored. */
enum lb_texel_kind {
    LB_TEXEL_SRGB8,   /* bytes, decoded through lb_scene.srgb */
    LB_TEXEL_LINEAR8, /* bytes / 255 */
    LB_TEXEL_FLOAT    /* floats */
};
/* What an image is beyond its edges. */
enum lb_wrap { LB_WRAP_REPEAT, LB_WRAP_BLACK, LB_WRAP_CLAMP, LB_WRAP_OCTAHEDRAL };

/* An image. */
typedef struct lb_image {
    uint32_t width, height, channels; /* channels: 1 for luminance, 3 for rgb, 4 for rgba; row 0 is the top */
    uint32_t texel;                   /* enum lb_texel_kind; the alpha of an 8-bit image is always linear */
    float gamma;                      /* LB_TEXEL_LINEAR8: the value is raised to this power; 1: linear */
    uint64_t offset;                  /* its first byte in lb_scene.texels, a multiple of 4 */
} lb_image;

/* The kinds of textures. */
enum lb_texture_kind {
    LB_TEXTURE_CONSTANT,
    LB_TEXTURE_SCALE,
    LB_TEXTURE_MIX,
    LB_TEXTURE_CHECKERBOARD,
    LB_TEXTURE_IMAGE,
    LB_TEXTURE_DIRECTION_MIX,
    LB_TEXTURE_DOTS,
    /* From here on they are patterns, whose inputs are no textures: core/kernel/pattern.h */
    LB_TEXTURE_BILERP,
    LB_TEXTURE_FBM,
    LB_TEXTURE_WRINKLED,
    LB_TEXTURE_WINDY,
    LB_TEXTURE_MARBLE
};

/* How a two-dimensional texture gets its coordinates at a point of a surface. */
enum lb_mapping_kind { LB_MAPPING_UV, LB_MAPPING_SPHERICAL, LB_MAPPING_CYLINDRICAL, LB_MAPPING_PLANAR };

/* The most that textures may be nested: an image or a constant counts 1, a scale of images 2. The builder refuses
 * deeper ones, and evaluation takes them for black. A texture refers only to textures of a lower index. */
#define LB_TEXTURE_DEPTH 8

/* An input of a material or texture: a constant or a texture. lb_texture_rgb and lb_texture_float
 * (core/kernel/texture.h) evaluate it. */
typedef struct lb_input {
    lb_rgb value;     /* an input that is a number uses value.r */
    uint32_t texture; /* index into lb_scene.textures, or LB_NONE: it is `value` */
} lb_input;

/* A texture. Members that a comment gives to some kinds mean nothing for the others. */
typedef struct lb_texture {
    uint32_t kind;
    /* scale: a * b; mix: a (1 - amount) + b amount; checkerboard: tex1 and tex2; constant: a; dots: beside them and on
     * them; directionmix: a |cosine| + b (1 - |cosine|). */
    lb_input a, b;
    lb_input amount;        /* mix */
    uint32_t mapping;       /* enum lb_mapping_kind */
    float su, sv, du, dv;   /* uv mapping: (su * u + du, sv * v + dv); planar: du and dv are added too */
    lb_vec3 s_axis, t_axis; /* planar mapping, in the texture's space */
    /* directionmix: with which the normal makes the cosine, a unit vector in world space */
    lb_vec3 direction;
    uint32_t image;   /* index into lb_scene.images */
    uint32_t wrap;    /* enum lb_wrap */
    uint32_t nearest; /* 1: "point" filter, 0: bilinear */
    uint32_t invert;  /* 1: the value becomes 1 - scale * value, but not below 0 */
    float scale; /* multiplies an image's values, which are not clamped here: materials clamp reflectances */
    uint32_t is_float;   /* 1: the image is read as one number, its alpha or the average of its channels */
    uint32_t dimensions; /* checkerboard: 2 or 3 */
    lb_transform texture_from_world; /* for all mappings but that by uv, and for patterns in space */
    lb_rgb corners[4];               /* bilerp: v00, v10, v01, v11 */
    uint32_t octaves;                /* fbm, wrinkled, marble */
    float roughness, variation;      /* roughness: the same; variation: marble, whose frequency is `scale` */
    /* The first byte in lb_scene.texels of the 256 bytes that the texture's noise is made with
     * (core/kernel/noise.h). */
    uint32_t has_permutation;
    uint64_t permutation;
} lb_texture;

/* ---- materials and media ---- */

/* The kinds of materials. From LB_MATERIAL_COATED_CONDUCTOR on they are kinds that few scenes have. */
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

/* How the scene gives the absorption in a hair. */
enum lb_hair_color { LB_HAIR_MELANIN, LB_HAIR_REFLECTANCE, LB_HAIR_ABSORPTION };

/* What only few materials need, so that the others do not pay for it. */
enum lb_material_flags {
    LB_MATERIAL_BUMPED = 1,        /* `displacement` turns the shading normal */
    LB_MATERIAL_NORMAL_MAPPED = 2, /* `normal_map` does, and goes before `displacement` */
    LB_MATERIAL_FOOTPRINT = 4 /* one of its textures depends on how far pixels lie apart on the surface */
};

/* A material. Members that a comment gives to some kinds mean nothing for the others. */
typedef struct lb_material {
    uint32_t kind;
    uint32_t flags; /* enum lb_material_flags */
    /* For diffuse, coated diffuse, diffuse transmission and hair, and for conductors where `by_reflectance`. */
    lb_input reflectance;
    lb_input eta, k; /* conductors: for each colour; dielectrics: eta.value.r alone; hair: eta, a number */
    uint32_t by_reflectance;
    lb_input uroughness, vroughness; /* coated conductor: of the coat; hair: along and around it, 0 to 1 */
    uint32_t remap_roughness;        /* 1: alpha is the square root of roughness, as in pbrt-v4 */
    lb_input thickness, albedo, g;   /* coated */
    uint32_t max_depth, samples;     /* coated: the most events of its random walk, and how many walks */
    float coat_eta;                  /* coated conductor */
    lb_input base_uroughness, base_vroughness; /* coated conductor: of the metal */
    lb_input transmittance;                    /* diffuse transmission */
    /* Diffuse transmission: factor of reflectance and transmittance, before they are clamped. Subsurface: factor of the
     * coefficients, or of the mean free path. */
    float scale;
    /* Mix: indices into lb_scene.materials. Neither is an interface, and none contains itself. */
    uint32_t mixed[2];
    lb_input amount;     /* mix: the part of the second one */
    uint32_t hair_color; /* enum lb_hair_color */
    /* Hair: absorption over the length of its radius, or concentrations. */
    lb_input sigma_a, eumelanin, pheomelanin;
    lb_input tilt; /* hair: angle of its scales, in degrees */
    /* Subsurface: with sigma_a; mfp (mean free path) with reflectance, where by_reflectance. */
    lb_input sigma_s, mfp;
    /* Subsurface by_reflectance: the first of LB_BODY_ALBEDOS floats in lb_scene.tables, which say for reflectances
     * from 0 to 1 which part of light each scattering leaves. */
    uint64_t albedos;
    uint32_t measured;     /* measured: index into lb_scene.measured */
    lb_input displacement; /* heights of a bump map */
    uint32_t normal_map;   /* index into lb_scene.images; that image has three channels or more */
    /* Coated diffuse: a table of LB_COAT_CELLS floats as lb_coat_tabulate (core/kernel/coat.h) made it; the offset
     * counts floats from the start of lb_scene.tables. A count of 0 is always right: then the kernel samples what the
     * table would say. */
    lb_array coat;
} lb_material;

#define LB_COAT_CELLS   130
#define LB_BODY_ALBEDOS 129

/* Values on a grid over the unit square, in rows of a rising first coordinate: float[slice][height][width] from
 * `values` on in lb_scene.tables. Where points are drawn by them they are scaled so that a slice's bilinear patches sum
 * to 1, and two more arrays follow: float[slice][height][width], the sum of what lies left of each value in its row,
 * and float[slice][height], the sum of the rows before each row. */
typedef struct lb_warp {
    uint32_t width, height; /* each 2 or more */
    uint64_t values, conditional, marginal;
} lb_warp;

/* The tables of a measured material (core/kernel/bsdf_measured.h). */
typedef struct lb_measurement {
    /* How many directions wo the tables have, and where their angles stand in lb_scene.tables, as rising values. There
     * is one slice for each phi and theta. */
    uint32_t phis, thetas;
    uint64_t phi, theta;
    uint32_t isotropic;
    lb_warp ndf, sigma;      /* of one slice */
    lb_warp vndf, luminance; /* by which points are drawn */
    lb_warp spectra;         /* three grids in each slice: red, green, blue */
} lb_measurement;

/* A box with its sides along the axes. */
typedef struct lb_box {
    float lower[3], upper[3];
} lb_box;

/* The kinds of media. A body is what shapes of subsurface materials hold; its coefficients stand in the path
 * (core/kernel/body.h). */
enum lb_medium_kind {
    LB_MEDIUM_HOMOGENEOUS,
    LB_MEDIUM_GRID,
    LB_MEDIUM_RGB_GRID,
    LB_MEDIUM_CLOUD,
    LB_MEDIUM_BODY
};

/* Samples on a regular grid, between which values are trilinear, and beyond which they are 0. */
typedef struct lb_grid {
    lb_transform index_from_medium; /* sample (i, j, k) lies where this gives i, j, k */
    uint32_t size[3];
    uint32_t channels; /* 1 or 3; 0: there is no grid */
    /* Its first float in lb_scene.tables: the channels of a sample together, x fastest, then y, then z. */
    uint64_t first;
} lb_grid;

/* What is no hotter than this, in kelvin, sends no light, as in pbrt. */
#define LB_MEDIUM_COLD 100.0f

/* Rows of a medium's table of black bodies. */
enum { LB_MEDIUM_HEAT_ROWS = 512 };

/* A medium. Members that a comment gives to some kinds mean nothing for the others. */
typedef struct lb_medium {
    uint32_t kind; /* enum lb_medium_kind */
    /* Absorption and scattering per unit of length of world space. Those of grids and clouds are multiplied by the
     * density, those of rgb grids by both grids. */
    lb_rgb sigma_a, sigma_s;
    /* sigma_a for core/kernel/path.h; 0 in scenes with any_volume, where core/kernel/volume.h does all of it */
    lb_rgb beer;
    lb_rgb emission; /* per unit of length it sends its absorption times this radiance */
    float g;         /* of its phase function (core/kernel/phase.h): the mean cosine, from -1 to 1 */
    /* What varies lies within the box in the medium's own space, and nothing is beyond it. */
    lb_transform medium_from_world;
    lb_box box;
    /* How many cells of equal size the box has, and the first float in lb_scene.tables of their bounds, x fastest, then
     * y, then z. No density in a cell is above its bound, and in rgb grids no sum of absorption and scattering. */
    uint32_t cells[3];
    uint64_t bounds;
    lb_grid density;     /* rgb grids: of absorption; where there is no grid it is 1 */
    lb_grid scattering;  /* rgb grids: of scattering; where there is no grid it is 1 */
    lb_grid glow;        /* multiplies emission */
    lb_grid temperature; /* in kelvin: emission is multiplied by the radiance of a black body */
    /* A temperature is (value - heat_offset) * heat_scale. The radiance of black bodies stands in lb_scene.tables from
     * `heat` on, in rows of three floats, from LB_MEDIUM_COLD to heat_last kelvin in equal steps. */
    float heat_offset, heat_scale, heat_last;
    uint64_t heat;
    /* Clouds. The permutation is as in lb_texture. */
    float amount, wispiness, frequency;
    uint64_t permutation;
} lb_medium;

/* ---- shapes ---- */

/* The kinds of shapes. */
enum lb_shape_kind { LB_SHAPE_MESH, LB_SHAPE_SPHERE, LB_SHAPE_DISK, LB_SHAPE_CYLINDER, LB_SHAPE_CURVES };

/* The types of curves. */
enum lb_strand_type { LB_STRAND_FLAT, LB_STRAND_CYLINDER, LB_STRAND_RIBBON };

/* What shapes may have. */
enum lb_shape_flags {
    LB_SHAPE_REVERSED = 1, /* ReverseOrientation was on */
    LB_SHAPE_SWAPS = 2,    /* the object's transformation swaps handedness */
    LB_SHAPE_HAS_NORMALS = 4,
    LB_SHAPE_HAS_UV = 8,
    LB_SHAPE_HAS_ALPHA = 16, /* its alpha is not the constant 1 */
    LB_SHAPE_HAS_TANGENTS = 32,
    LB_SHAPE_SHINES_BY_IMAGE = 64 /* its lights have an image, over its uv */
};

/* A piece of a curve: a cubic Bezier curve in the space of its shape, whose width changes evenly. It fills a cache
 * line. */
typedef struct lb_strand {
    lb_vec3 point[4];
    float width[2]; /* its full width at both ends */
    float u[2];     /* u of both ends, in the curve that it is a piece of */
} lb_strand;

/* A mesh of triangles, one quadric, or pieces of curves. Vertices of meshes are in the space of their geometry, which
 * is world space, or that of the ObjectBegin where the mesh is instanced. Corners stand in the file's order, and
 * normals as the file gives them, transformed and of any length. core/kernel/surface.h does what LB_SHAPE_REVERSED and
 * LB_SHAPE_SWAPS ask for, also for triangles that have no normals. */
typedef struct lb_shape {
    uint32_t kind, flags;
    uint32_t material; /* index into lb_scene.materials */
    /* Indices or LB_NONE, which count only where has_media_interface. */
    uint32_t medium_inside, medium_outside;
    /* 0: the medium of a ray goes on behind the shape. As in pbrt that is so where no MediumInterface was given, or
     * both its sides are equal. */
    uint32_t has_media_interface;
    /* Index of the light of its first primitive, or LB_NONE; each triangle that emits is a light of its own. As in
     * pbrt, shapes of an instanced geometry, and those whose material is an interface, have none. */
    uint32_t first_light;
    /* Number of its first primitive. Primitives are counted over all shapes, in the order of the file. */
    uint32_t first_primitive;
    uint32_t primitive_count;
    lb_input alpha;
    /* Meshes: the first elements in lb_scene.indices, positions, normals, uvs and tangents. Indices count from
     * first_position. */
    uint64_t first_index, first_position, first_normal, first_uv, first_tangent;
    /* Quadrics. */
    lb_transform world_from_object, object_from_world; /* "world" is here the space of its geometry */
    float radius, z_min, z_max, phi_max;               /* sphere, cylinder; phi in radians */
    float height, inner_radius;                        /* disk, which also has radius and phi_max */
    /* Curves, which like quadrics have a space of their own: the first element in lb_scene.strands, one for each
     * primitive. Ribbons have unit normals at both ends of each piece, from first_normal on. */
    uint64_t first_strand;
    uint32_t strand_type; /* enum lb_strand_type */
    uint32_t unused_type;
} lb_shape;

/* ---- acceleration: a tree for each geometry, whose nodes have eight children; geometry 0 is the world, which alone
 * may hold instances ---- */

/* A child is a word. Where bit 31 is clear it is the number of a node. Where bit 31 is set it is a leaf: bits 30-29 are
 * its kind, bits 28-26 its number of elements less one, and bits 25-0 its first element, in lb_scene.leaf_primitives
 * with the triangles' corners beside it, in leaf_others or in leaf_strands. LB_NONE is no child: as a leaf it would go
 * beyond the 2^26 elements that there may be. */
#define LB_CHILD_LEAF 0x80000000u
enum lb_leaf_kind { LB_LEAF_TRIANGLES, LB_LEAF_QUADRICS, LB_LEAF_INSTANCES, LB_LEAF_CURVES, LB_LEAF_KINDS };

/* A node with the boxes of its children. */
typedef struct lb_node {
    float lower[3][8], upper[3][8]; /* by axis, then child; a missing child has lower > upper */
    uint32_t child[8];
    uint32_t order[8]; /* for each octant of rays: 8 numbers of children of 4 bits, from near to far */
} lb_node;

/* The name of a primitive. */
typedef struct lb_primitive {
    uint32_t shape;     /* index into lb_scene.shapes */
    uint32_t primitive; /* number of the primitive within its shape */
} lb_primitive;

/* The most nodes on any way down a tree. */
#define LB_TREE_DEPTH 48

/* The world, or what stands between ObjectBegin and ObjectEnd, with its tree. */
typedef struct lb_geometry {
    uint32_t root;                     /* a child as in lb_node; LB_NONE: the geometry is empty */
    uint32_t first_shape, shape_count; /* its part of lb_scene.shapes */
    /* Its part of lb_scene.leaf_primitives: all its triangles, or their fragments where they were split. */
    uint32_t first_leaf, leaf_count;
    uint32_t depth; /* nodes on its longest way down, at most LB_TREE_DEPTH */
    lb_box box;     /* around all of it, grown outward (core/kernel/box.h) */
} lb_geometry;

/* A use of a geometry. */
typedef struct lb_instance {
    lb_transform world_from_object, object_from_world;
    lb_box box; /* in world space, grown */
    uint32_t geometry;
    /* 1 + index of its lb_move, which then stands in place of both transforms; 0: it stands still. */
    uint32_t move;
} lb_instance;

/* How a transform changes from the start of the time range to its end: core/kernel/move.h. */
typedef struct lb_move {
    double translation[2][3];
    /* Two perpendicular unit quaternions x, y, z, w: the one that is `angle` further than the first is first *
     * cosine(angle) + second * sine(angle). */
    double rotation[2][4];
    double angle; /* that of the whole way, 0 .. pi / 2; the rotation turns by twice this */
    double rest[2][3][3];
    double pivot[3]; /* the point about which rotation and rest are taken */
    /* 1 + index of the move in whose space this one takes place; 0: that space is the world. */
    uint32_t outer;
    uint32_t unused;
} lb_move;

/* ---- lights ---- */

/* The kinds of lights. */
enum lb_light_kind {
    LB_LIGHT_POINT,
    LB_LIGHT_SPOT,
    LB_LIGHT_DISTANT,
    LB_LIGHT_INFINITE_CONSTANT,
    LB_LIGHT_INFINITE_IMAGE,
    LB_LIGHT_GONIOMETRIC,     /* a point light whose intensity by direction an image gives */
    LB_LIGHT_PROJECTION,      /* a point light that casts an image */
    LB_LIGHT_INFINITE_PORTAL, /* an image seen through a portal: core/kernel/portal.h */
    LB_LIGHT_AREA
};

/* A light. Members that a comment gives to some kinds mean nothing for the others. The arrays' offsets count floats
 * from the start of lb_scene.tables. */
typedef struct lb_light {
    uint32_t kind;
    lb_rgb emission; /* intensity or radiance with all scales applied, or the factor of an image */
    /* Of point lights of all kinds. Portal: the corner where its frame's x and y are least. */
    lb_vec3 position;
    /* Spot: the unit vector along its axis. Distant: the unit vector towards the light. Portal: the corner, a point,
     * opposite to `position`. */
    lb_vec3 direction;
    float cos_start, cos_total; /* spot: where its falloff begins and ends */
    uint32_t twosided;          /* area */
    lb_primitive primitive;     /* area: the triangle or quadric */
    uint32_t medium;            /* the medium that a point or spot light is in, or LB_NONE */
    float power;                /* the estimate by which lights are chosen */
    /* Image of an infinite, goniometric or projection light; area: the one over its uv, or LB_NONE; portal: by the
     * portal's angles, row 0 where y is least. */
    uint32_t image;
    /* Infinite image and goniometric, whose directions are normalised after the transform. Portal: its frame, which has
     * x and y along two edges and +z outwards. Projection, which has the first alone: it takes the image to the plane
     * z = 1, its left, right, upper and lower edge to x = -1, x = 1, y = -1 and y = 1. */
    lb_transform light_from_world, world_from_light;
    /* The side of the importance map, whose cell (column, row) is a part of the image's square, with row 0 at its top.
     * Cells weigh max(0, luminance - mean luminance) (MIS compensation, as in pbrt), or 1 where that is 0 for all of
     * them. The density is 0 .. infinite, and 1 on average over the square. */
    uint32_t map_size;
    /* float[n + 1] and float[n][n + 1] over the equal-area square, as in lb_filter. */
    lb_array marginal, conditional;
    /* float[n][n]: the probability density over the unit square. A portal, which has none of the other two arrays, has
     * here float[n + 1][n + 1][2]: for each corner of the cells the sum, in two parts, of what lies left of and above
     * it, where the sum of all cells is 1. */
    lb_array density;
} lb_light;

/* An entry of Walker's alias method, by which lights are chosen. A light of constant infinite radiance has the
 * probability 0, as rays that scatter find it; so it is in pbrt. If there is no other light, light_choice is empty,
 * else it has as many entries as there are lights. */
typedef struct lb_alias {
    float threshold;   /* 0 .. 1: below it the entry's own light is chosen */
    uint32_t other;    /* at or above it, this one */
    float probability; /* that of choosing the entry's own light */
} lb_alias;

/* What stands at the beginning of the block. */
typedef struct lb_scene {
    uint64_t magic, size; /* LB_SCENE_MAGIC; bytes of the whole block */
    lb_camera camera;
    lb_film film;
    lb_integrator integrator;
    lb_box bounds;  /* of the world */
    lb_vec3 center; /* centre and radius of the world's bounding sphere, for distant and infinite lights */
    float radius;
    uint32_t any_alpha;     /* does some shape have alpha? */
    uint32_t any_interface; /* is some material an interface, so that shadow rays may pass? */
    uint32_t any_motion;    /* does something move, so that samples have a time? */
    float shutter[2];       /* when it opens and closes, in parts of the time range; may lie beyond 0 and 1 */
    /* Does some medium do more than absorb? Then core/kernel/volume.h follows the paths, and any_interface is set. */
    uint32_t any_volume;
    uint32_t any_body;                     /* is some medium a body? Then any_volume is set */
    lb_array positions, normals, tangents; /* lb_vec3 */
    lb_array uvs;                          /* lb_vec2 */
    lb_array indices;                      /* uint32_t[3] for each triangle */
    lb_array shapes;                       /* lb_shape */
    lb_array geometries;                   /* lb_geometry */
    lb_array instances;                    /* lb_instance */
    lb_array moves;                        /* lb_move */
    lb_array nodes;                        /* lb_node */
    /* Floats. A leaf of n triangles whose first element is f begins at 9 f: x of corner 0 of all n, then y, then z,
     * then corner 1 and so on; 9 values for each triangle, and 64 zeros behind the last one. */
    lb_array leaf_corners;
    lb_array leaf_primitives; /* lb_primitive, one for each triangle in leaf_corners */
    /* lb_box, one for each triangle in leaf_corners, only where triangles were split. Else its count is 0, and a
     * triangle's own box is made of its corners. */
    lb_array leaf_boxes;
    lb_array leaf_others;  /* uint32_t: the shapes of quadric leaves, the instances of instance leaves */
    lb_array strands;      /* lb_strand */
    lb_array leaf_strands; /* lb_primitive: the pieces of curve leaves */
    lb_array materials, media, textures, images, lights;
    lb_array measured;        /* lb_measurement */
    lb_array light_choice;    /* lb_alias, one for each light, or none */
    lb_array infinite_lights; /* uint32_t: the lights that a ray which hits nothing sees */
    lb_array texels;          /* bytes */
    lb_array tables;          /* float: what the arrays of lb_filter, lb_light and others point into */
    float srgb[256];          /* the linear value of each sRGB byte */
    lb_channels channels;
} lb_scene;

#define LB_SCENE_MAGIC 0x31656e656373626cull /* "lbscene1" */

/* ---- rays ---- */

/* A ray, or the part of it from its origin to t_max. */
typedef struct lb_ray {
    lb_vec3 origin, direction;
    float t_max; /* hits count for t in [0, t_max) */
    /* The triangle that it leaves, and so cannot hit: 1 + its number over all shapes (lb_shape.first_primitive), or 0
     * for none; and that triangle's instance. */
    uint32_t from, from_instance;
    /* From 0 at the start of the time range to 1 at its end. It matters only where something moves. */
    float time;
} lb_ray;

/* Where a ray hits something. */
typedef struct lb_hit {
    float t;
    float b1, b2;           /* triangle: barycentric weights of corners 1 and 2; curve: u and v */
    uint32_t instance;      /* index of the instance; LB_NONE: the world's own */
    lb_primitive primitive; /* where its shape is LB_NONE, nothing was hit */
} lb_hit;

/* What the renderers count, one line for each: the struct's field and its sum are made of these. */
#define LB_COUNTERS(COUNTER)                                                                                 \
    COUNTER(nodes)  /* of the tree that were visited; iterations of the Mandelbrot set; cells of media */    \
    COUNTER(groups) /* of primitives, in leaves, that were tested */                                         \
    COUNTER(shaded) /* vertices of paths */                                                                  \
    COUNTER(rays)                                                                                            \
    COUNTER(bad_samples) /* NaN or infinite: they add nothing to the picture */

#define LB_COUNTER_FIELD(counter) uint64_t counter;
#define LB_COUNTER_ADD(counter)   sum->counter += more->counter;

/* The counts of a piece of work. */
typedef struct lb_counters {
    LB_COUNTERS(LB_COUNTER_FIELD)
} lb_counters;

LB_FUNCTION void lb_counters_add(lb_counters *sum, const lb_counters *more)
{
    LB_COUNTERS(LB_COUNTER_ADD)
}

/* What a shaded vertex of a path costs in steps, where a node visited costs one. */
#define LB_SHADED_STEPS 16

/* The cost in steps of what was counted over `samples`. It is the unit of --cost-map, and the same on every run. */
LB_INLINE uint64_t lb_counters_steps(const lb_counters *counters, uint64_t samples)
{
    return counters->nodes + counters->groups + LB_SHADED_STEPS * counters->shaded + samples;
}

#endif
