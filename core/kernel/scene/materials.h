/* Materials. Part of core/kernel/scene/scene.h. */
#ifndef LB_CORE_KERNEL_SCENE_MATERIALS_H
#define LB_CORE_KERNEL_SCENE_MATERIALS_H

#include "core/kernel/scene/textures.h"

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
    LB_MATERIAL_METALLIC,
    LB_MATERIAL_MIX
};

/* How the scene gives the absorption in a hair. */
enum lb_hair_color { LB_HAIR_MELANIN, LB_HAIR_REFLECTANCE, LB_HAIR_ABSORPTION };

/* What only few materials need, so that the others do not pay for it. */
enum lb_material_flags {
    LB_MATERIAL_BUMPED = 1,        /* `displacement` turns the shading normal */
    LB_MATERIAL_NORMAL_MAPPED = 2, /* `normal_map` does, and goes before `displacement` */
    LB_MATERIAL_FOOTPRINT = 4, /* one of its textures depends on how far pixels lie apart on the surface */
    LB_MATERIAL_HOLDS_SUBSURFACE = 8, /* a mix: one of its materials, or of the mixes in it, is subsurface */
    LB_MATERIAL_FILTERED =
        16, /* one of its textures depends on how far they lie apart in surface coordinates */
    LB_MATERIAL_COAT_MAPPED =
        32,                    /* metallic: `coat_map` turns the normal of the clearcoat, and nothing else */
    LB_MATERIAL_SECOND_UV = 64 /* one of its textures is mapped by LB_MAPPING_SECOND_UV; it is FILTERED too */
};

/* A material. Members that a comment gives to some kinds mean nothing for the others. */
typedef struct lb_material {
    uint32_t kind;
    uint32_t flags; /* enum lb_material_flags */
    /* For diffuse, coated diffuse, diffuse transmission and hair, and for conductors where `by_reflectance`. Metallic:
     * the base colour. */
    lb_input reflectance;
    lb_input eta,
        k; /* conductors: for each colour; dielectrics, metallic: eta.value.r alone; hair: eta, a number */
    uint32_t by_reflectance;
    lb_input uroughness, vroughness; /* coated conductor: of the coat; hair: along and around it, 0 to 1 */
    /* 1: alpha is the square root of roughness, as in pbrt-v4; metallic: its square, as in glTF. 0: it is alpha. */
    uint32_t remap_roughness;
    lb_input thickness, albedo, g; /* coated */
    uint32_t max_depth, samples;   /* coated: the most events of its random walk, and how many walks */
    float coat_eta;                /* coated conductor */
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
    /* Subsurface: the first of LB_PROFILE_FLOATS floats in lb_scene.tables, whose order core/kernel/materials/bssrdf.h
     * gives, and the factor of light that comes out (lb_diffusion_leaving, core/scene/materials/diffusion.h). */
    uint64_t profile;
    float leaving;
    uint32_t measured; /* measured: index into lb_scene.measured */
    /* Metallic (core/kernel/materials/bsdf_metallic.h): parts of it that are metal or let light through, strength and
     * colour of a dielectric's reflection, and the layers above. Its roughness is `uroughness`. */
    lb_input metallic, transmission, specular, specular_color;
    lb_input clearcoat, clearcoat_roughness, sheen_color, sheen_roughness;
    uint32_t thin;         /* metallic: 1: what light goes through is a thin wall, which does not bend it */
    uint32_t coat_is_bent; /* metallic: 1: the normal map turns the clearcoat's normal too */
    uint64_t albedos;      /* metallic: the first of LB_ALBEDO_FLOATS floats in lb_scene.tables */
    lb_input displacement; /* heights of a bump map */
    uint32_t normal_map;   /* index into lb_scene.images; that image has three channels or more */
    uint32_t coat_map;     /* metallic: the same for the clearcoat */
    /* Coated diffuse: a table of LB_COAT_CELLS floats as lb_coat_tabulate (core/kernel/materials/coat.h) made it; the
     * offset counts floats from the start of lb_scene.tables. A count of 0 is always right: then the kernel samples
     * what the table would say. */
    lb_array coat;
    /* Dielectrics, thin ones, and coats: float[LB_WAVELENGTHS] in lb_scene.tables, the index of refraction at each of
     * lb_scene.wavelengths; the offset counts floats. A count of 0: it is the same for all. */
    lb_array indices;
} lb_material;

#define LB_COAT_CELLS 130

/* One of the wavelengths of paths that have met a material that disperses (core/kernel/materials/dispersion.h). They
 * lie so that all are equally likely to be drawn. */
typedef struct lb_wavelength {
    /* What each colour of a path brings at the wavelength, over the most that one brings, and what light of that much
     * shows as. A component of the latter may be negative. */
    lb_rgb brings, shows;
} lb_wavelength;

#define LB_WAVELENGTHS 1024

/* Four wavelengths of a path where colours are spectra (core/kernel/scene/spectral.h): how light of the amount 1 at
 * each of them is seen, so that the mean over all quads is what the film is to get. */
typedef struct lb_quad {
    lb_rgb shows[4];
    float places[4]; /* the wavelengths, from 0 at 360 nm to 1 at 830 nm */
    float white[4];  /* the white of sRGB at them */
    lb_rgb albedo
        [4]; /* how an albedo of 1 at them is seen, under the white of the film's colour space and in its colours */
} lb_quad;

#define LB_QUADS 256

/* Sigmoids (core/scene/spectrum/uplift.h) for colours that images have, as lb_vec3
 * [3][LB_SIGMOID_HEIGHTS][LB_SIGMOID_SIDES][LB_SIGMOID_SIDES]: the coefficients by which component is the largest, by
 * that component (lb_sigmoid_height_at), and by the square roots of what the second and the first one that follow it
 * are beside it. */
#define LB_SIGMOID_HEIGHTS 48
#define LB_SIGMOID_SIDES   24
#define LB_SIGMOIDS        (3 * LB_SIGMOID_HEIGHTS * LB_SIGMOID_SIDES * LB_SIGMOID_SIDES)

/* A spectrum's values at the wavelengths of a quad. */
typedef struct lb_lanes {
    float values[4];
} lb_lanes;

/* A metallic material's table (core/kernel/materials/albedo_table.h): its rows are as many as its columns. */
#define LB_ALBEDO_STEPS  32
#define LB_ALBEDO_FLOATS (3 * LB_ALBEDO_STEPS * LB_ALBEDO_STEPS + 2 * LB_ALBEDO_STEPS)

/* The sizes of a subsurface material's table: its radii, its albedos, and all of its floats. */
#define LB_PROFILE_RADII   96
#define LB_PROFILE_ALBEDOS 64
#define LB_PROFILE_FLOATS  (LB_PROFILE_RADII + LB_PROFILE_ALBEDOS + 2 * LB_PROFILE_ALBEDOS * LB_PROFILE_RADII)

/* Values on a grid over the unit square, in rows of a rising first coordinate: float[slice][height][width] from
 * `values` on in lb_scene.tables. Where points are drawn by them they are scaled so that a slice's bilinear patches sum
 * to 1, and two more arrays follow: float[slice][height][width], the sum of what lies left of each value in its row,
 * and float[slice][height], the sum of the rows before each row. */
typedef struct lb_warp {
    uint32_t width, height; /* each 2 or more */
    uint64_t values, conditional, marginal;
} lb_warp;

/* The tables of a measured material (core/kernel/materials/bsdf_measured.h). */
typedef struct lb_measurement {
    /* How many directions wo the tables have, and where their angles stand in lb_scene.tables, as rising values. There
     * is one slice for each phi and theta. */
    uint32_t phis, thetas;
    uint64_t phi, theta;
    uint32_t isotropic;
    lb_warp ndf, sigma;      /* of one slice */
    lb_warp vndf, luminance; /* by which points are drawn */
    /* Three grids in each slice, red, green and blue; where colours are spectra, one for each of the file's
     * wavelengths. */
    lb_warp spectra;
    /* Where colours are spectra: how many these are, and where in lb_scene.tables stands lb_lanes[LB_QUADS]: the number
     * of the grid for each wavelength of paths, which lies between two where the number is not whole. */
    uint32_t wavelengths;
    uint64_t lanes;
} lb_measurement;

#endif
