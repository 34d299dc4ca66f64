/* Shapes. Part of core/kernel/scene/scene.h. */
#ifndef LB_CORE_KERNEL_SCENE_SHAPES_H
#define LB_CORE_KERNEL_SCENE_SHAPES_H

#include "core/kernel/scene/textures.h"

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
    LB_SHAPE_SHINES_BY_IMAGE = 64, /* its lights have an image, over its uv */
    LB_SHAPE_HAS_SECOND_UV = 128,
    LB_SHAPE_SHINES_BY_SECOND_UV = 256 /* that image is over its second coordinates */
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
 * normals as the file gives them, transformed and of any length. core/kernel/shapes/surface.h does what
 * LB_SHAPE_REVERSED and LB_SHAPE_SWAPS ask for, also for triangles that have no normals. */
typedef struct lb_shape {
    /* What is read of every hit of a mesh comes first, in one line of memory. */
    uint32_t kind, flags;
    uint32_t material; /* index into lb_scene.materials */
    /* Index of the light of its first primitive, or LB_NONE; each triangle that emits is a light of its own. As in
     * pbrt, shapes of an instanced geometry, and those whose material is an interface, have none. */
    uint32_t first_light;
    /* Number of its first primitive. Primitives are counted over all shapes, in the order of the file. A shape that
     * stands in another object's geometry (lb_instance.shape_shift) has the number of that one's. */
    uint32_t first_primitive;
    /* 0: the medium of a ray goes on behind the shape. As in pbrt that is so where no MediumInterface was given, or
     * both its sides are equal. */
    uint32_t has_media_interface;
    /* Meshes: the first elements in lb_scene.indices, positions, normals, uvs and tangents. Indices count from
     * first_position. */
    uint64_t first_index, first_position, first_normal, first_uv, first_tangent;
    /* Indices or LB_NONE, which count only where has_media_interface. */
    uint32_t medium_inside, medium_outside;
    uint32_t primitive_count;
    lb_input alpha;
    /* Quadrics. */
    lb_transform world_from_object, object_from_world; /* "world" is here the space of its geometry */
    float radius, z_min, z_max, phi_max;               /* sphere, cylinder; phi in radians */
    float height, inner_radius;                        /* disk, which also has radius and phi_max */
    union {
        /* Curves, which like quadrics have a space of their own: the first element in lb_scene.strands, one for each
         * primitive. Ribbons have unit normals at both ends of each piece, from first_normal on. */
        uint64_t first_strand;
        /* Meshes: the first of their second coordinates in lb_scene.uvs. */
        uint64_t first_second_uv;
    };
    uint32_t strand_type; /* enum lb_strand_type */
    uint32_t unused[7];   /* so that the lines of the next begin where it does */
} lb_shape;

#endif
