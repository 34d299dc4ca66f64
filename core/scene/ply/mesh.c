#include "core/scene/ply/mesh.h"

#include "core/base/grow.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum lb_status lb_ply_fail(const struct lb_ply_reader *reader, size_t at, const char *format, ...)
{
    char what[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    if (reader->header->format != LB_PLY_ASCII)
        return lb_error_set(reader->error, LB_ERROR, "%s: byte %zu: %s", reader->name, at, what);
    unsigned long line = reader->header->lines + 1ul;
    for (size_t i = reader->header->body; i < at && i < reader->size; i++)
        line += reader->data[i] == '\n';
    return lb_error_set(reader->error, LB_ERROR, "%s:%lu: %s", reader->name, line, what);
}

enum lb_status lb_ply_no_memory(const struct lb_ply_reader *reader)
{
    return lb_error_memory(reader->error, reader->name);
}

size_t lb_ply_stride(enum lb_ply_role role)
{
    return role < LB_PLY_U ? 3 : 2;
}

float *lb_ply_target(const struct lb_ply_reader *reader, enum lb_ply_role role, uint64_t index)
{
    const struct lb_ply *mesh = reader->mesh;
    switch (role) {
    case LB_PLY_X:
        return &mesh->positions[index].x;
    case LB_PLY_Y:
        return &mesh->positions[index].y;
    case LB_PLY_Z:
        return &mesh->positions[index].z;
    case LB_PLY_NX:
        return &mesh->normals[index].x;
    case LB_PLY_NY:
        return &mesh->normals[index].y;
    case LB_PLY_NZ:
        return &mesh->normals[index].z;
    case LB_PLY_U:
        return &mesh->uvs[index].x;
    case LB_PLY_V:
        return &mesh->uvs[index].y;
    case LB_PLY_SECOND_U:
        return &mesh->second_uvs[index].x;
    case LB_PLY_SECOND_V:
        return &mesh->second_uvs[index].y;
    default:
        return NULL;
    }
}

enum lb_status lb_ply_reserve(struct lb_ply_reader *reader, uint64_t triangles)
{
    size_t want;
    if (triangles > SIZE_MAX / 64 ||
        __builtin_add_overflow(reader->index_count, (size_t)triangles * 3, &want))
        return lb_ply_no_memory(reader);
    uint32_t *indices = lb_grow(reader->mesh->indices, &reader->index_room, want, sizeof *indices);
    if (!indices)
        return lb_ply_no_memory(reader);
    reader->mesh->indices = indices;
    return LB_OK;
}

static void add_triangle(struct lb_ply_reader *reader, uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t *out = reader->mesh->indices + reader->index_count;
    out[0] = a;
    out[1] = b;
    out[2] = c;
    reader->index_count += 3;
}

bool lb_ply_corner(struct lb_ply_reader *reader, struct lb_ply_corners *corners, int64_t vertex)
{
    bool strip = corners->role == LB_PLY_STRIPS;
    if (strip && vertex == -1) {
        corners->seen = 0;
        return true;
    }
    if (vertex < 0 || vertex >= reader->mesh->vertex_count)
        return false;
    uint32_t now = (uint32_t)vertex, a = corners->first, b = corners->previous;
    if (corners->seen == 0) {
        corners->first = now;
    } else if (corners->seen >= 2 && !strip) {
        add_triangle(reader, a, b, now);
    } else if (corners->seen >= 2) {
        /* A strip's first is the corner before the previous one; every other triangle is turned round.
         * Triangles that only bend the strip have a corner twice. */
        bool odd = corners->seen & 1;
        if (a != b && b != now && a != now)
            add_triangle(reader, odd ? b : a, odd ? a : b, now);
        corners->first = b;
    }
    corners->previous = now;
    corners->seen++;
    return true;
}

void lb_ply_corners_end(struct lb_ply_reader *reader, const struct lb_ply_corners *corners)
{
    if (corners->role == LB_PLY_POLYGON && corners->seen < 3)
        reader->short_faces++;
}
