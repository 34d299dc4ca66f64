/* Meshes on their way into the scene: what the shapes that become triangles share. Private to core/scene. */
#ifndef LB_CORE_SCENE_SHAPES_MESH_H
#define LB_CORE_SCENE_SHAPES_MESH_H

#include "core/language/matrix.h"
#include "core/scene/builder/builder.h"

/* A mesh in object space. Its arrays are freed with free() as soon as they are taken over where `owned`, and are NULL
 * from then on. */
struct lb_mesh {
    const lb_vec3 *positions, *normals, *tangents; /* the latter two, and both uvs, may be NULL */
    const lb_vec2 *uvs, *second_uvs;
    const uint32_t *indices;
    size_t vertex_count, triangle_count;
    const struct lb_matrix *projective; /* in place of the shape's transform, or NULL */
    lb_box box;       /* around the triangles taken over, in the space of the shape's geometry */
    const char *file; /* that it is from, or NULL */
    bool owned;
};

/* Sets the vertices from the parameter P. */
enum lb_status lb_build_mesh_positions(const struct lb_builder *builder,
                                       const struct lb_parameters *parameters, struct lb_mesh *mesh);
/* The same with N and uv. */
enum lb_status lb_build_mesh_vertices(const struct lb_builder *builder,
                                      const struct lb_parameters *parameters, struct lb_mesh *mesh);
/* Sets the indices, each below vertex_count, of faces of three or four `corners`, which messages call `face`. A mesh
 * of so many vertices needs none. */
enum lb_status lb_build_mesh_indices(const struct lb_builder *builder, const struct lb_parameters *parameters,
                                     size_t corners, const char *face, struct lb_mesh *mesh, size_t *faces);
/* An error where the scene has no numbers for `count` primitives more. */
enum lb_status lb_build_check_primitives(const struct lb_builder *builder, const struct lb_location *location,
                                         uint64_t count);
/* Makes a shape of the mesh. Triangles without an area are left out with a note, the others keep their order. */
enum lb_status lb_build_take_mesh(struct lb_builder *builder, const struct lb_shape_entity *entity,
                                  struct lb_mesh *mesh, lb_shape *shape);
/* Ends a shape whose arrays are there: `box` is around those that are left. */
enum lb_status lb_build_end_mesh(struct lb_builder *builder, const struct lb_location *location,
                                 const lb_box *box, lb_shape *shape);
/* Frees what an owned mesh has left. */
void lb_build_drop_mesh(struct lb_mesh *mesh);

#endif
