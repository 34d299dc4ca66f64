/* PLY files: ASCII, binary of both byte orders, gzip; triangles, quads, n-gons and strips, as triangles. */
#ifndef LB_CORE_SCENE_PLY_PLY_H
#define LB_CORE_SCENE_PLY_PLY_H

#include "core/base/error.h"
#include "core/kernel/vec.h"

#include <stddef.h>
#include <stdint.h>

/* Arrays as malloc gave them, released by lb_ply_free; normals and both uvs NULL where the file has none. */
struct lb_ply {
    uint32_t vertex_count;
    uint64_t triangle_count;
    lb_vec3 *positions, *normals;
    lb_vec2 *uvs, *second_uvs;
    uint32_t *indices; /* 3 a triangle, each below vertex_count */
};

/* Errors begin with "path:line: " in text, "path: byte N: " in binary parts. Elements and properties that a
 * mesh has no use for are skipped; faces of fewer than three corners are left out with a warning. On errors
 * `ply` is empty. */
enum lb_status lb_ply_read(const char *path, const struct lb_log *log, struct lb_ply *ply,
                           struct lb_error *error);
/* The same from memory; `name` stands for the path in messages. */
enum lb_status lb_ply_parse(const char *name, const uint8_t *data, size_t size, const struct lb_log *log,
                            struct lb_ply *ply, struct lb_error *error);
void lb_ply_free(struct lb_ply *ply);

#endif
