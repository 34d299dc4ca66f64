/* Lights. Part of core/kernel/scene/scene.h. */
#ifndef LB_CORE_KERNEL_SCENE_LIGHTS_H
#define LB_CORE_KERNEL_SCENE_LIGHTS_H

#include "core/kernel/scene/tree.h"

/* The kinds of lights. */
/* What lights of a kind have. */
enum lb_light_traits {
    LB_LIGHT_INFINITE = 1,  /* rays that hit nothing meet it */
    LB_LIGHT_UNDRAWN = 2,   /* it is not chosen, as rays that scatter find it; so it is in pbrt */
    LB_LIGHT_IMAGE = 4,     /* it always shows an image */
    LB_LIGHT_MAP = 8,       /* directions are drawn from a map of importance */
    LB_LIGHT_BOUNDLESS = 16 /* it is nowhere in particular, so that no tree holds it */
};

/* All kinds. Goniometric and projection lights are point lights: an image gives the intensity by direction of the
 * former, the latter casts one. A portal is an image seen through an opening (core/kernel/lights/portal.h). */
#define LB_LIGHT_KINDS(X)                                                                                    \
    X(POINT, 0)                                                                                              \
    X(SPOT, 0)                                                                                               \
    X(DISTANT, LB_LIGHT_BOUNDLESS)                                                                           \
    X(INFINITE_CONSTANT, LB_LIGHT_INFINITE | LB_LIGHT_UNDRAWN | LB_LIGHT_BOUNDLESS)                          \
    X(INFINITE_IMAGE, LB_LIGHT_INFINITE | LB_LIGHT_IMAGE | LB_LIGHT_MAP | LB_LIGHT_BOUNDLESS)                \
    X(GONIOMETRIC, LB_LIGHT_IMAGE)                                                                           \
    X(PROJECTION, LB_LIGHT_IMAGE)                                                                            \
    X(INFINITE_PORTAL, LB_LIGHT_INFINITE | LB_LIGHT_IMAGE | LB_LIGHT_MAP | LB_LIGHT_BOUNDLESS)               \
    X(AREA, 0)

enum lb_light_kind {
#define LB_LIGHT_ENTRY(NAME, traits) LB_LIGHT_##NAME,
    LB_LIGHT_KINDS(LB_LIGHT_ENTRY)
#undef LB_LIGHT_ENTRY
        LB_LIGHT_KIND_COUNT
};

/* Bits of enum lb_light_traits. */
LB_INLINE uint32_t lb_light_traits(uint32_t kind)
{
#define LB_LIGHT_ENTRY(NAME, traits)                                                                         \
    if (kind == LB_LIGHT_##NAME)                                                                             \
        return (uint32_t)(traits);
    LB_LIGHT_KINDS(LB_LIGHT_ENTRY)
#undef LB_LIGHT_ENTRY
    return 0;
}

/* A light. Members that a comment gives to some kinds mean nothing for the others. The arrays' offsets count floats
 * from the start of lb_scene.tables. */
typedef struct lb_light {
    uint32_t kind;
    lb_rgb emission; /* intensity or radiance with all scales applied, or the factor of an image */
    /* Of point lights of all kinds. Portal: the corner where its frame's x and y are least. Area: the middle of a
     * triangle. */
    lb_vec3 position;
    /* Area: the square of the distance to a triangle's middle within which points on it are drawn by direction, as it
     * looks far from alike from there; 0 for other shapes. */
    float near_square;
    /* Area: 1 or -1 times the cross product of (second corner - first) and (third - first) is the normal of all points
     * of the triangle. 0: what is drawn of it must be asked of the shape, as normals of the file differ by what side
     * they are on or something is not the same all over it, or it is no triangle. */
    float facing;
    /* Spot: the unit vector along its axis. Distant: the unit vector towards the light. Portal: the corner, a point,
     * opposite to `position`. */
    lb_vec3 direction;
    float cos_start, cos_total; /* spot: where its falloff begins and ends */
    uint32_t twosided;          /* area */
    lb_primitive primitive;     /* area: the triangle or quadric */
    uint32_t medium;            /* the medium that a point or spot light is in, or LB_NONE */
    float power;                /* the estimate by which lights are chosen */
    uint32_t spectrum;          /* for the loader: 1 + number of the spectrum that `emission` is of, or 0 */
    /* Image of an infinite, goniometric or projection light; area: the one over its uv, or LB_NONE; portal: by the
     * portal's angles, row 0 where y is least. */
    uint32_t image;
    /* Infinite image and goniometric, whose directions are normalised after the transform. Portal: its frame, which has
     * x and y along two edges and +z outwards. Projection, which has the first alone: it takes the image to the plane
     * z = 1, its left, right, upper and lower edge to x = -1, x = 1, y = -1 and y = 1. */
    union {
        lb_transform light_from_world;
        lb_vec3 corners[3]; /* area: of a triangle, which so need not be looked for in its mesh */
    };
    lb_transform world_from_light;
    /* The side of the importance map, whose cell (column, row) is a part of the image's square, with row 0 at its top.
     * Cells weigh max(0, luminance - mean luminance) (MIS compensation, as in pbrt), or 1 where that is 0 for all of
     * them. The density is 0 .. infinite, and 1 on average over the square. */
    uint32_t map_size;
    /* float[n + 1] and float[n][n + 1] over the equal-area square, as in lb_filter. */
    lb_array marginal, conditional;
    /* float[n][lb_cdf_step_count(n)]: each LB_CDF_STEP-th of `conditional`. A portal has none. */
    lb_array steps;
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

/* lb_light_node.child of a leaf: this bit and the light's number. */
#define LB_LIGHT_NODE_LEAF 0x80000000u

/* A node of the light tree (core/kernel/lights/light_tree.h): bounds of the lights below each of its eight children,
 * beside each other so that all are looked at at once. A missing child is a leaf with intensity 0. */
typedef struct lb_light_node {
    float center[3][8];  /* by axis, then child: the middle of their box, or of the one light of a leaf */
    float half[3][8];    /* how far the box reaches from there along each axis, to either side */
    float against[3][8]; /* the unit vector against the axis of the cone around their normals */
    float reach[8];      /* how far the box reaches from `center` along any normal in the cone */
    /* The child counts as being as far away as its box is, made smaller by this factor (0: as `center` is), and the
     * square of that distance as no less than this (core/scene/lights/light_tree.c). */
    float box[8], nearest[8];
    /* Sum of what each sends in the direction where it sends most: radiance times area, or intensity. */
    float intensity[8];
    float cos_normals[8], sin_normals[8]; /* of half the cone's angle */
    /* Of the angle to a normal beyond which no light sends anything: 0 where some light sends by the cosine, else 1. */
    float cos_emission[8];
    /* What is kept of a cosine to a normal: all bits, or all but its sign where some light sends as much against its
     * normal. */
    uint32_t sides[8];
    uint32_t child[8]; /* leaf: see above; else the number of a node */
} lb_light_node;

/* Which light counts where light is gathered. */
enum lb_light_sides {
    LB_LIGHT_ALL_ROUND, /* from everywhere alike, as in a medium */
    LB_LIGHT_ONE_SIDE,  /* only from the side that the normal shows to, by its cosine */
    LB_LIGHT_BOTH_SIDES /* by the cosine's absolute value */
};

/* The most steps from the root to a light. Each takes three bits of a trail. */
#define LB_LIGHT_TREE_DEPTH 10

/* A light that stands beside the tree, or, last in its array, the tree (LB_NONE). */
typedef struct lb_light_beside {
    uint32_t light;
    float until;       /* sum of the probabilities up to this one */
    float probability; /* that of choosing it */
} lb_light_beside;

#endif
