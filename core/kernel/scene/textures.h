/* Textures, and the inputs that may be one. Part of core/kernel/scene/scene.h. */
#ifndef LB_CORE_KERNEL_SCENE_TEXTURES_H
#define LB_CORE_KERNEL_SCENE_TEXTURES_H

#include "core/kernel/scene/array.h"

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
    uint32_t texel;  /* enum lb_texel_kind, which as in pbrt holds for an alpha channel too */
    float gamma;     /* LB_TEXEL_LINEAR8: the value is raised to this power; 1: linear */
    uint64_t offset; /* its first byte in lb_scene.texels, a multiple of 4 */
    /* Smaller versions of it, for textures that are filtered: how many there are, and the index of the first in
     * lb_scene.images. Number i, from 1 on, has floor(w / 2^i) x floor(h / 2^i) texels, but at least one, where w and h
     * are the least powers of two that are not less than width and height; the last has one texel. */
    uint32_t smaller, first_smaller;
} lb_image;

/* How a texture that is an image takes its values from the texels around a point. */
enum lb_filtered {
    LB_FILTERED_BILINEAR,
    LB_FILTERED_NEAREST,
    /* Those from here on look at the footprint of a pixel: core/kernel/textures/mipmap.h */
    LB_FILTERED_TRILINEAR,
    LB_FILTERED_ELLIPSE
};

/* The longest ellipse that LB_FILTERED_ELLIPSE takes, in its widths. */
#define LB_ANISOTROPY_MOST 64.0f

/* The kinds of textures. */
enum lb_texture_kind {
    LB_TEXTURE_CONSTANT,
    LB_TEXTURE_SCALE,
    LB_TEXTURE_MIX,
    LB_TEXTURE_CHECKERBOARD,
    LB_TEXTURE_IMAGE,
    LB_TEXTURE_DIRECTION_MIX,
    LB_TEXTURE_DOTS,
    /* From here on they are patterns, whose inputs are no textures: core/kernel/textures/pattern.h */
    LB_TEXTURE_BILERP,
    LB_TEXTURE_FBM,
    LB_TEXTURE_WRINKLED,
    LB_TEXTURE_WINDY,
    LB_TEXTURE_MARBLE
};

/* How a two-dimensional texture gets its coordinates at a point of a surface. */
enum lb_mapping_kind {
    LB_MAPPING_UV,
    LB_MAPPING_SPHERICAL,
    LB_MAPPING_CYLINDRICAL,
    LB_MAPPING_PLANAR,
    LB_MAPPING_SECOND_UV /* by a mesh's second coordinates, in materials alone (LB_MATERIAL_SECOND_UV) */
};

/* The most that textures may be nested: an image or a constant counts 1, a scale of images 2. The builder refuses
 * deeper ones, and evaluation takes them for black. A texture refers only to textures of a lower index. */
#define LB_TEXTURE_DEPTH 8

/* An input of a material or texture: a constant or a texture. lb_texture_color and lb_texture_float
 * (core/kernel/textures/texture.h) evaluate it. */
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
    lb_input amount;      /* mix */
    uint32_t mapping;     /* enum lb_mapping_kind */
    float su, sv, du, dv; /* both uv mappings: (su * u + du, sv * v + dv); planar: du and dv are added too */
    lb_vec3 s_axis, t_axis; /* planar mapping, in the texture's space */
    /* directionmix: with which the normal makes the cosine, a unit vector in world space */
    lb_vec3 direction;
    uint32_t image;  /* index into lb_scene.images */
    uint32_t wrap;   /* enum lb_wrap */
    uint32_t filter; /* enum lb_filtered */
    float
        anisotropy;  /* LB_FILTERED_ELLIPSE: the longest ellipses, in their widths: 1 to LB_ANISOTROPY_MOST */
    uint32_t invert; /* 1: the value becomes 1 - scale * value, but not below 0 */
    float scale; /* multiplies an image's values, which are not clamped here: materials clamp reflectances */
    uint32_t is_float;   /* 1: the image is read as one number, its alpha or the average of its channels */
    uint32_t dimensions; /* checkerboard: 2 or 3 */
    lb_transform texture_from_world; /* for all mappings but those by uv, and for patterns in space */
    lb_rgb corners[4];               /* bilerp: v00, v10, v01, v11 */
    uint32_t octaves;                /* fbm, wrinkled, marble */
    float roughness, variation;      /* roughness: the same; variation: marble, whose frequency is `scale` */
    /* The first byte in lb_scene.texels of the 256 bytes that the texture's noise is made with
     * (core/kernel/noise.h). */
    uint32_t has_permutation;
    /* 1: the image's colours are no reflectances, which matters where colours are spectra */
    uint32_t unbounded;
    uint64_t permutation;
} lb_texture;

#endif
