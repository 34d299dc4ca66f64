#include "core/scene/ply/ply.h"

#include "core/base/gzip.h"
#include "core/base/file.h"
#include "core/scene/ply/mesh.h"

#include <stdlib.h>
#include <string.h>

/* Enough bytes must be left for the rows of `element` before memory is asked for in their number. */
static enum lb_status check_size(const struct lb_ply_reader *reader, const struct lb_ply_element *element)
{
    size_t least = lb_ply_element_least(reader->header, element);
    size_t left = reader->size - reader->at + (reader->header->format == LB_PLY_ASCII); /* the last space */
    if (least == 0 || element->count <= left / least)
        return LB_OK;
    return lb_ply_fail(reader, reader->size,
                       "the header promises %llu rows of element \"%.*s\", the file ends before",
                       (unsigned long long)element->count,
                       (int)(element->name.length < 40 ? element->name.length : 40), element->name.text);
}

static bool has_role(const struct lb_ply_header *header, const struct lb_ply_element *element,
                     enum lb_ply_role role)
{
    for (size_t i = 0; i < element->properties; i++)
        if (header->properties[element->first + i].role == role)
            return true;
    return false;
}

static enum lb_status make_vertices(struct lb_ply_reader *reader, const struct lb_ply_element *element)
{
    struct lb_ply *mesh = reader->mesh;
    size_t count = (size_t)element->count;
    bool normals = has_role(reader->header, element, LB_PLY_NX),
         uvs = has_role(reader->header, element, LB_PLY_U),
         second = has_role(reader->header, element, LB_PLY_SECOND_U);
    mesh->positions = malloc(count * sizeof *mesh->positions);
    mesh->normals = normals ? malloc(count * sizeof *mesh->normals) : NULL;
    mesh->uvs = uvs ? malloc(count * sizeof *mesh->uvs) : NULL;
    mesh->second_uvs = second ? malloc(count * sizeof *mesh->second_uvs) : NULL;
    if (!mesh->positions || (normals && !mesh->normals) || (uvs && !mesh->uvs) ||
        (second && !mesh->second_uvs))
        return lb_ply_no_memory(reader);
    return LB_OK;
}

static enum lb_status read_element(struct lb_ply_reader *reader, const struct lb_ply_element *element)
{
    enum lb_status status = check_size(reader, element);
    if (status == LB_OK && element->kind == LB_PLY_VERTICES)
        status = make_vertices(reader, element);
    if (status == LB_OK && element->kind == LB_PLY_FACES)
        status = lb_ply_reserve(reader, element->count);
    if (status != LB_OK || element->properties == 0)
        return status;
    return reader->header->format == LB_PLY_ASCII ? lb_ply_read_text(reader, element)
                                                  : lb_ply_read_binary(reader, element);
}

/* All bits of the exponent set. Whole arrays at once, since there is nearly always nothing to be found. */
static bool all_finite(const float *values, size_t count)
{
    uint32_t most = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t bits;
        memcpy(&bits, &values[i], sizeof bits);
        bits &= 0x7fffffff;
        most = most > bits ? most : bits;
    }
    return most < 0x7f800000;
}

static enum lb_status check_positions(const struct lb_ply_reader *reader)
{
    const struct lb_ply *mesh = reader->mesh;
    if (all_finite(&mesh->positions[0].x, (size_t)mesh->vertex_count * 3))
        return LB_OK;
    uint32_t i = 0;
    while (all_finite(&mesh->positions[i].x, 3))
        i++;
    return lb_error_set(reader->error, LB_ERROR, "%s: vertex %u is not finite: %g %g %g", reader->name, i,
                        (double)mesh->positions[i].x, (double)mesh->positions[i].y,
                        (double)mesh->positions[i].z);
}

/* Some exporters write NaN normals and uv for degenerate faces: zeros, which mean "none", with a warning. */
static void mend(const struct lb_ply_reader *reader, const struct lb_log *log, float *values,
                 size_t per_vertex, const char *what)
{
    size_t vertices = reader->mesh->vertex_count, mended = 0;
    if (!values || all_finite(values, vertices * per_vertex))
        return;
    for (size_t i = 0; i < vertices; i++) {
        if (all_finite(values + i * per_vertex, per_vertex))
            continue;
        memset(values + i * per_vertex, 0, per_vertex * sizeof *values);
        mended++;
    }
    lb_log_write(log, LB_WARNING, "%s: %zu of %zu %s are not finite and count as 0", reader->name, mended,
                 vertices, what);
}

static enum lb_status finish(struct lb_ply_reader *reader, const struct lb_log *log)
{
    struct lb_ply *mesh = reader->mesh;
    if (reader->index_count == 0)
        return lb_error_set(reader->error, LB_ERROR, "%s: no face has three corners", reader->name);
    if (check_positions(reader) != LB_OK)
        return LB_ERROR;
    if (mesh->normals)
        mend(reader, log, &mesh->normals[0].x, 3, "normals");
    if (mesh->uvs)
        mend(reader, log, &mesh->uvs[0].x, 2, "texture coordinates");
    if (mesh->second_uvs)
        mend(reader, log, &mesh->second_uvs[0].x, 2, "second texture coordinates");
    if (reader->short_faces)
        lb_log_write(log, LB_WARNING, "%s: %llu faces with fewer than three corners are left out",
                     reader->name, (unsigned long long)reader->short_faces);
    mesh->triangle_count = reader->index_count / 3;
    uint32_t *indices = realloc(mesh->indices, reader->index_count * sizeof *indices);
    if (indices)
        mesh->indices = indices;
    return LB_OK;
}

static enum lb_status read_body(struct lb_ply_reader *reader, const struct lb_log *log)
{
    const struct lb_ply_header *header = reader->header;
    for (size_t i = 0; i < header->element_count; i++)
        if (header->elements[i].kind == LB_PLY_VERTICES)
            reader->mesh->vertex_count = (uint32_t)header->elements[i].count;
    for (size_t i = 0; i < header->element_count; i++) {
        enum lb_status status = read_element(reader, &header->elements[i]);
        if (status != LB_OK)
            return status;
    }
    return finish(reader, log);
}

static enum lb_status read_plain(const char *name, const uint8_t *data, size_t size, const struct lb_log *log,
                                 struct lb_ply *ply, struct lb_error *error)
{
    struct lb_ply_header header;
    enum lb_status status = lb_ply_header_read(name, data, size, &header, error);
    if (status == LB_OK) {
        struct lb_ply_reader reader = {.name = name,
                                       .data = data,
                                       .size = size,
                                       .at = header.body,
                                       .header = &header,
                                       .mesh = ply,
                                       .error = error};
        status = read_body(&reader, log);
    }
    lb_ply_header_free(&header);
    return status;
}

/* The most bytes that a PLY file may have, compressed or not. */
static const size_t most_bytes = (size_t)64 << 30;

/* What the header allows for limits what is unpacked, so that a small file cannot fill the memory with what
 * is not even looked at. */
static enum lb_status unpack_limit(const char *name, const uint8_t *data, size_t size, size_t *limit,
                                   struct lb_error *error)
{
    enum { HEADER_ROOM = 1 << 18 };
    uint8_t *start = malloc(HEADER_ROOM);
    if (!start)
        return lb_error_memory(error, name);
    struct lb_ply_header header;
    size_t got = lb_gzip_start(data, size, start, HEADER_ROOM);
    enum lb_status status = lb_ply_header_read(name, start, got, &header, error);
    if (status == LB_OK)
        *limit = lb_ply_header_most(&header) < most_bytes ? lb_ply_header_most(&header) : most_bytes;
    lb_ply_header_free(&header);
    free(start);
    /* What is all there is and makes no header may be the beginning of a damaged stream: that is the thing to say
     * then. */
    if (status == LB_ERROR && got < HEADER_ROOM) {
        struct lb_gzip plain;
        struct lb_error damage;
        if (lb_gzip_expand(name, data, size, HEADER_ROOM, &plain, &damage) != LB_OK)
            return lb_error_set(error, damage.status, "%s", damage.message);
        lb_gzip_free(&plain);
    }
    return status;
}

static enum lb_status read_gzip(const char *name, const uint8_t *data, size_t size, const struct lb_log *log,
                                struct lb_ply *ply, struct lb_error *error)
{
    struct lb_gzip plain;
    size_t limit = 0;
    enum lb_status status = unpack_limit(name, data, size, &limit, error);
    if (status == LB_OK)
        status = lb_gzip_expand(name, data, size, limit, &plain, error);
    if (status != LB_OK)
        return status;
    status = read_plain(name, plain.data, plain.size, log, ply, error);
    lb_gzip_free(&plain);
    return status;
}

enum lb_status lb_ply_parse(const char *name, const uint8_t *data, size_t size, const struct lb_log *log,
                            struct lb_ply *ply, struct lb_error *error)
{
    *ply = (struct lb_ply){0};
    enum lb_status status = lb_gzip_is(data, size) ? read_gzip(name, data, size, log, ply, error)
                                                   : read_plain(name, data, size, log, ply, error);
    if (status != LB_OK)
        lb_ply_free(ply);
    return status;
}

enum lb_status lb_ply_read(const char *path, const struct lb_log *log, struct lb_ply *ply,
                           struct lb_error *error)
{
    struct lb_file file;
    *ply = (struct lb_ply){0};
    enum lb_status status = lb_file_read(path, most_bytes, &file, error);
    if (status != LB_OK)
        return status;
    status = lb_ply_parse(path, file.data, file.size, log, ply, error);
    lb_file_free(&file);
    return status;
}

void lb_ply_free(struct lb_ply *ply)
{
    free(ply->positions);
    free(ply->normals);
    free(ply->uvs);
    free(ply->second_uvs);
    free(ply->indices);
    *ply = (struct lb_ply){0};
}
