/* A loaded scene is one block of memory, which begins with a struct lb_scene and is read-only once it is built. Arrays
 * are given by their offset from the block's start, so that the block means the same in another process, on a GPU or on
 * another host. All that a processor needs to render a range is in it. */
#ifndef LB_CORE_KERNEL_SCENE_SCENE_H
#define LB_CORE_KERNEL_SCENE_SCENE_H

#include "core/kernel/counters.h"
#include "core/kernel/scene/ray.h"
#include "core/kernel/scene/channels.h"
#include "core/kernel/scene/guide.h"
#include "core/kernel/scene/lights.h"
#include "core/kernel/scene/materials.h"
#include "core/kernel/scene/media.h"
#include "core/kernel/scene/shapes.h"
#include "core/kernel/scene/tree.h"
#include "core/kernel/scene/view.h"

/* What stands at the beginning of the block. */
typedef struct lb_scene {
    uint64_t magic, size; /* LB_SCENE_MAGIC; bytes of the whole block */
    lb_camera camera;
    lb_film film;
    lb_integrator integrator;
    lb_box bounds;  /* of the world */
    lb_vec3 center; /* centre and radius of the world's bounding sphere, for distant and infinite lights */
    float radius;
    /* How far away lights at infinity are for light sampling: infinitely. In scenes with media it is where pbrt lets
     * such lights begin, two radii from any point: where a medium has no end, nothing would be left of their light
     * otherwise. */
    float light_distance;
    uint32_t any_alpha;     /* does some shape have alpha? */
    uint32_t any_interface; /* is some material an interface, so that shadow rays may pass? */
    uint32_t any_adjusted;  /* are scattering functions changed after they were made (lb_path_adjust)? */
    uint32_t any_motion;    /* does something move, so that samples have a time? */
    float shutter[2];       /* when it opens and closes, in parts of the time range; may lie beyond 0 and 1 */
    /* Does some medium do more than absorb, or does any_bssrdf hold? Then core/kernel/integrators/volume.h follows the
     * paths, and any_interface is set. */
    uint32_t any_volume;
    uint32_t any_bssrdf;                   /* does light go below the surface of some shape? */
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
    lb_array measured;    /* lb_measurement */
    lb_array wavelengths; /* LB_WAVELENGTHS of lb_wavelength, or none where no material disperses */
    /* Where colours are spectra: LB_QUADS of lb_quad, and spectra of lb_lanes[LB_QUADS] each. Else both are empty. */
    lb_array quads, spectra;
    lb_array sigmoids;     /* lb_vec3[LB_SIGMOIDS], or none where no image has colours */
    lb_array light_choice; /* lb_alias, one for each light, or none */
    /* The tree by which many lights are chosen in place of light_choice, root first: lb_light_node. Without a tree this
     * and the next two are empty. */
    lb_array light_nodes;
    lb_array lights_beside; /* lb_light_beside */
    /* uint32_t, one for each light: the way down to its leaf, three bits a step, the first in the lowest: which child;
     * of lights beside the tree their number in lights_beside; LB_NONE: the light is never chosen. */
    lb_array light_trails;
    lb_array infinite_lights; /* uint32_t: the lights that a ray which hits nothing sees */
    /* uint32_t, or none: a bit for each pixel of the picture, row by row, the first in the lowest. It is 1 where the
     * outline of a light runs through the pixel (core/kernel/integrators/path_start.h). */
    lb_array outlines;
    lb_array texels; /* bytes */
    lb_array tables; /* float: what the arrays of lb_filter, lb_light and others point into */
    float srgb[256]; /* the linear value of each sRGB byte */
    /* Where a picture has LB_CHANNEL_OBJECTS: uint32_t, the number of each shape's name, and the names as characters,
     * each with a 0 at its end. Else both are empty. The same of LB_CHANNEL_MATERIALS and each material's name. */
    lb_array shape_names, object_texts, material_names, material_texts;
    /* Where a picture has LB_CHANNEL_GROUPS: uint32_t, the group of each light, 0 or 1 + the number of its name; and
     * the names as above. Else both are empty. */
    lb_array light_groups, group_texts;
    lb_channels channels;
    /* By which paths choose their directions; where guide.paths is 0 the arrays are empty, and none does. */
    lb_guide_grid guide;
    /* uint32_t: the ways on from each of the grid's steps, for one class of surfaces after the other. */
    lb_array guide_ways;
    lb_array guide_nodes; /* lb_guide_node; those that a node leads to stand behind it */
    lb_array guide_cells; /* lb_guide_cell */
} lb_scene;

/* Does the outline of a light run through the pixel with that number, which counts the picture's row by row? */
LB_INLINE bool lb_outline_at(const lb_scene *scene, uint64_t pixel)
{
    return scene->outlines.count != 0 &&
           (LB_ARRAY(scene, outlines, uint32_t)[pixel >> 5] >> (pixel & 31u) & 1u) != 0;
}

#define LB_SCENE_MAGIC 0x31656e656373626cull /* "lbscene1" */

#endif
