/* What the readers of PLY bodies share: where they are in the file, and the mesh that grows. */
#ifndef LB_CORE_SCENE_PLY_MESH_H
#define LB_CORE_SCENE_PLY_MESH_H

#include "core/base/error.h"
#include "core/scene/ply/ply.h"
#include "core/scene/ply/header.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct lb_ply_reader {
    const char *name; /* starts the messages */
    const uint8_t *data;
    size_t size, at;
    const struct lb_ply_header *header;
    struct lb_ply *mesh;
    size_t index_count, index_room;
    uint64_t short_faces; /* of fewer than three corners: skipped */
    struct lb_error *error;
};

/* One face or a list of strips, corner by corner. */
struct lb_ply_corners {
    enum lb_ply_role role;
    uint32_t first, previous;
    uint64_t seen; /* of this face or strip */
};

/* "name:line: ..." in text, "name: byte N: ..." in binary files, for what begins at data[at]. */
enum lb_status lb_ply_fail(const struct lb_ply_reader *reader, size_t at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
enum lb_status lb_ply_no_memory(const struct lb_ply_reader *reader);

/* Both read one element, all of its rows, from `at` on, which they leave behind its end. */
enum lb_status lb_ply_read_text(struct lb_ply_reader *reader, const struct lb_ply_element *element);
enum lb_status lb_ply_read_binary(struct lb_ply_reader *reader, const struct lb_ply_element *element);

/* Where the value of `role` of vertex `index` goes: lb_ply_stride(role) floats from one vertex to the next.
 */
float *lb_ply_target(const struct lb_ply_reader *reader, enum lb_ply_role role, uint64_t index);
size_t lb_ply_stride(enum lb_ply_role role);

/* Room for `triangles` more. The caller has seen enough bytes for so many. */
enum lb_status lb_ply_reserve(struct lb_ply_reader *reader, uint64_t triangles);
/* Adds a corner of polygon or strip; room is there. False: no such vertex. -1 ends a strip. */
bool lb_ply_corner(struct lb_ply_reader *reader, struct lb_ply_corners *corners, int64_t vertex);
/* Ends a list: a polygon of fewer than three corners counts as a short face. */
void lb_ply_corners_end(struct lb_ply_reader *reader, const struct lb_ply_corners *corners);

#endif
