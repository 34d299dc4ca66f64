/* Cutting a mesh finely enough for a texture to move its vertices, as pbrt-v4's plymesh does (src/pbrt/util/mesh.h). */
#ifndef LB_CORE_SCENE_SHAPES_DISPLACE_H
#define LB_CORE_SCENE_SHAPES_DISPLACE_H

#include "core/kernel/vec.h"
#include "core/scene/ply/ply.h"

/* No mesh is cut into more triangles than this, which is four for each pixel of a picture of 3840 x 2160. They are
 * counted before any is made, so that a wrong length is told within seconds. */
#define LB_DISPLACE_MOST ((uint64_t)1 << 25)

/* Cuts each triangle that has an edge not shorter than `length`, which is above 0, in two at the middle of its longest
 * edge, again and again; triangles that share an edge, by their vertices' numbers, share its middle. Lengths are
 * measured after `measured`. The mesh has normals and uv: those of a middle are the renormalised sum and the mean. A
 * triangle whose edges are not finite, or whose longest has one of its ends for a middle, is not cut. On errors, which
 * speak of "edgelength", the mesh is still whole and is freed by its owner. */
enum lb_status lb_displace_refine(struct lb_ply *mesh, const lb_transform *measured, float length,
                                  struct lb_error *error);
/* Sets the normals, which there is room for: the sum of the unit normals of the triangles at a vertex, normalised. */
void lb_displace_normals(struct lb_ply *mesh);

#endif
