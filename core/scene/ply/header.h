/* The header of a PLY file, and what of it a mesh is made from. For the files that make up the PLY reader. */
#ifndef LB_CORE_SCENE_PLY_HEADER_H
#define LB_CORE_SCENE_PLY_HEADER_H

#include "core/base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum lb_ply_format { LB_PLY_ASCII, LB_PLY_LITTLE_ENDIAN, LB_PLY_BIG_ENDIAN };

enum lb_ply_type {
    LB_PLY_INT8,
    LB_PLY_UINT8,
    LB_PLY_INT16,
    LB_PLY_UINT16,
    LB_PLY_INT32,
    LB_PLY_UINT32,
    LB_PLY_FLOAT32,
    LB_PLY_FLOAT64
};

/* What a property is to the mesh. The vertex roles are numbered so that they index an array of ten targets.
 */
enum lb_ply_role {
    LB_PLY_X,
    LB_PLY_Y,
    LB_PLY_Z,
    LB_PLY_NX,
    LB_PLY_NY,
    LB_PLY_NZ,
    LB_PLY_U,
    LB_PLY_V,
    LB_PLY_SECOND_U,
    LB_PLY_SECOND_V,
    LB_PLY_POLYGON,
    LB_PLY_STRIPS,
    LB_PLY_SKIPPED
};

/* A word of the file: not ended by a 0. */
struct lb_ply_word {
    const char *text;
    size_t length;
};

struct lb_ply_property {
    struct lb_ply_word name;
    bool list;
    enum lb_ply_type type, count_type; /* count_type: of a list's length */
    enum lb_ply_role role;
};

enum lb_ply_kind { LB_PLY_VERTICES, LB_PLY_FACES, LB_PLY_OTHERS };

struct lb_ply_element {
    struct lb_ply_word name;
    uint64_t count;
    uint32_t line;
    enum lb_ply_kind kind;
    size_t first, properties; /* of lb_ply_header.properties */
};

struct lb_ply_header {
    enum lb_ply_format format;
    struct lb_ply_element *elements;
    struct lb_ply_property *properties;
    size_t element_count, property_count;
    size_t body;    /* offset of the first byte behind the header */
    uint32_t lines; /* of the header */
};

/* `name` starts the messages ("name:line: ..."). The header points into `data`; release it with
 * lb_ply_header_free whatever the status. Checked: the syntax; that there are vertices with x, y, z, and
 * faces or strips. */
enum lb_status lb_ply_header_read(const char *name, const uint8_t *data, size_t size,
                                  struct lb_ply_header *header, struct lb_error *error);
void lb_ply_header_free(struct lb_ply_header *header);

/* Bytes of a scalar in a binary file. */
size_t lb_ply_type_size(enum lb_ply_type type);
/* The least bytes that `element` can take, once. At least 1 unless it has no properties. */
size_t lb_ply_element_least(const struct lb_ply_header *header, const struct lb_ply_element *element);
/* The most bytes that the whole file can reasonably have, to bound what is unpacked; saturates. */
size_t lb_ply_header_most(const struct lb_ply_header *header);

#endif
