/* Bodies of binary PLY files. Elements of scalars alone have rows of one size and are read column by column;
 * lists are walked. */
#include "core/scene/ply/mesh.h"

#include <string.h>

/* Values behind a pointer of any alignment, in the byte order of this machine or in the other one. */
#define DEFINE_LOAD(TYPE, BITS)                                                                              \
    static inline TYPE load_##TYPE(const uint8_t *from, bool swap)                                           \
    {                                                                                                        \
        uint##BITS##_t bits;                                                                                 \
        TYPE value;                                                                                          \
        memcpy(&bits, from, sizeof bits);                                                                    \
        if (swap)                                                                                            \
            bits = SWAP_##BITS(bits);                                                                        \
        memcpy(&value, &bits, sizeof value);                                                                 \
        return value;                                                                                        \
    }
#define SWAP_8(bits)  (bits)
#define SWAP_16(bits) __builtin_bswap16(bits)
#define SWAP_32(bits) __builtin_bswap32(bits)
#define SWAP_64(bits) __builtin_bswap64(bits)
DEFINE_LOAD(int8_t, 8)
DEFINE_LOAD(uint8_t, 8)
DEFINE_LOAD(int16_t, 16)
DEFINE_LOAD(uint16_t, 16)
DEFINE_LOAD(int32_t, 32)
DEFINE_LOAD(uint32_t, 32)
DEFINE_LOAD(float, 32)
DEFINE_LOAD(double, 64)

static double load_number(const uint8_t *from, enum lb_ply_type type, bool swap)
{
    switch (type) {
    case LB_PLY_INT8:
        return load_int8_t(from, swap);
    case LB_PLY_UINT8:
        return load_uint8_t(from, swap);
    case LB_PLY_INT16:
        return load_int16_t(from, swap);
    case LB_PLY_UINT16:
        return load_uint16_t(from, swap);
    case LB_PLY_INT32:
        return load_int32_t(from, swap);
    case LB_PLY_UINT32:
        return load_uint32_t(from, swap);
    case LB_PLY_FLOAT32:
        return (double)load_float(from, swap);
    default:
        return load_double(from, swap);
    }
}

/* INT64_MIN for what is no integer; every integer type fits a double. */
static int64_t load_integer(const uint8_t *from, enum lb_ply_type type, bool swap)
{
    double number = load_number(from, type, swap);
    if (!(number >= -4294967296.0 && number <= 4294967296.0))
        return INT64_MIN;
    int64_t integer = (int64_t)number;
    return (double)integer == number ? integer : INT64_MIN;
}

static bool is_swapped(const struct lb_ply_reader *reader)
{
    bool big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
    return (reader->header->format == LB_PLY_BIG_ENDIAN) != big;
}

static enum lb_status fail_cut(const struct lb_ply_reader *reader, const struct lb_ply_element *element,
                               uint64_t row)
{
    return lb_ply_fail(reader, reader->size, "the file ends in element \"%.*s\", row %llu of %llu",
                       (int)(element->name.length < 40 ? element->name.length : 40), element->name.text,
                       (unsigned long long)row, (unsigned long long)element->count);
}

struct ply_column {
    const uint8_t *from;
    size_t from_stride;
    float *to;
    size_t to_stride, count;
    bool swap;
};

#define DEFINE_COPY(TYPE)                                                                                    \
    static void copy_##TYPE(const struct ply_column *c)                                                      \
    {                                                                                                        \
        const uint8_t *from = c->from;                                                                       \
        float *to = c->to;                                                                                   \
        for (size_t i = 0; i < c->count; i++, from += c->from_stride, to += c->to_stride)                    \
            *to = (float)load_##TYPE(from, c->swap);                                                         \
    }
DEFINE_COPY(int8_t)
DEFINE_COPY(uint8_t)
DEFINE_COPY(int16_t)
DEFINE_COPY(uint16_t)
DEFINE_COPY(int32_t)
DEFINE_COPY(uint32_t)
DEFINE_COPY(float)
DEFINE_COPY(double)

static void copy_column(enum lb_ply_type type, const struct ply_column *column)
{
    static void (*const copies[])(const struct ply_column *) = {copy_int8_t,   copy_uint8_t, copy_int16_t,
                                                                copy_uint16_t, copy_int32_t, copy_uint32_t,
                                                                copy_float,    copy_double};
    copies[type](column);
}

/* Vertices of scalars alone. In blocks that stay in the cache while each column of theirs is read. */
static void read_vertices(struct lb_ply_reader *reader, const struct lb_ply_element *element, size_t row_size)
{
    enum { BLOCK = 512 };
    const struct lb_ply_property *properties = &reader->header->properties[element->first];
    bool swap = is_swapped(reader);
    for (uint64_t row = 0; row < element->count; row += BLOCK) {
        size_t count = (size_t)(element->count - row < BLOCK ? element->count - row : BLOCK);
        const uint8_t *from = reader->data + reader->at;
        for (size_t i = 0; i < element->properties; from += lb_ply_type_size(properties[i++].type)) {
            enum lb_ply_role role = properties[i].role;
            if (role >= LB_PLY_POLYGON)
                continue;
            struct ply_column column = {.from = from,
                                        .from_stride = row_size,
                                        .to = lb_ply_target(reader, role, row),
                                        .to_stride = lb_ply_stride(role),
                                        .count = count,
                                        .swap = swap};
            copy_column(properties[i].type, &column);
        }
        reader->at += count * row_size;
    }
}

/* A list of corners with `length` in it; all of them are inside of the file. */
static enum lb_status read_corners(struct lb_ply_reader *reader, const struct lb_ply_property *property,
                                   size_t length, uint64_t row)
{
    bool swap = is_swapped(reader);
    size_t step = lb_ply_type_size(property->type);
    struct lb_ply_corners corners = {.role = property->role};
    if (length > 2 && lb_ply_reserve(reader, length - 2) != LB_OK)
        return LB_ERROR_MEMORY;
    for (size_t i = 0; i < length; i++, reader->at += step) {
        int64_t vertex = load_integer(reader->data + reader->at, property->type, swap);
        if (!lb_ply_corner(reader, &corners, vertex))
            return lb_ply_fail(reader, reader->at, "face %llu, corner %zu: there is no vertex %.9g (of %u)",
                               (unsigned long long)row, i,
                               load_number(reader->data + reader->at, property->type, swap),
                               reader->mesh->vertex_count);
    }
    lb_ply_corners_end(reader, &corners);
    return LB_OK;
}

/* One row of any element, property by property. */
static enum lb_status read_row(struct lb_ply_reader *reader, const struct lb_ply_element *element,
                               uint64_t row)
{
    bool swap = is_swapped(reader);
    for (size_t i = 0; i < element->properties; i++) {
        const struct lb_ply_property *property = &reader->header->properties[element->first + i];
        size_t step = lb_ply_type_size(property->list ? property->count_type : property->type);
        if (step > reader->size - reader->at)
            return fail_cut(reader, element, row);
        const uint8_t *from = reader->data + reader->at;
        if (!property->list) {
            if (property->role < LB_PLY_POLYGON)
                *lb_ply_target(reader, property->role, row) = (float)load_number(from, property->type, swap);
            reader->at += step;
            continue;
        }
        int64_t length = load_integer(from, property->count_type, swap);
        if (length < 0)
            return lb_ply_fail(reader, reader->at, "row %llu: impossible list length %.9g",
                               (unsigned long long)row, load_number(from, property->count_type, swap));
        reader->at += step;
        size_t item = lb_ply_type_size(property->type);
        if ((uint64_t)length > (reader->size - reader->at) / item)
            return fail_cut(reader, element, row);
        if (property->role == LB_PLY_SKIPPED) {
            reader->at += (size_t)length * item;
        } else {
            enum lb_status status = read_corners(reader, property, (size_t)length, row);
            if (status != LB_OK)
                return status;
        }
    }
    return LB_OK;
}

/* Rows of a byte, three, and three 4-byte integers: what nearly all files consist of. How many rows from
 * `row` on were like that and in range; the first that is not is left to read_row(). Unsigned comparison
 * finds negative ones too. */
static inline uint64_t read_triangles(struct lb_ply_reader *reader, uint64_t rows, bool swap)
{
    enum { ROW = 13 };
    uint64_t room = (reader->index_room - reader->index_count) / 3;
    uint64_t there = (reader->size - reader->at) / ROW;
    rows = rows < room ? rows : room;
    rows = rows < there ? rows : there;
    const uint8_t *from = reader->data + reader->at;
    uint32_t *to = reader->mesh->indices + reader->index_count;
    uint32_t limit = reader->mesh->vertex_count;
    uint64_t row = 0;
    for (; row < rows; row++, from += ROW, to += 3) {
        uint32_t a = load_uint32_t(from + 1, swap);
        uint32_t b = load_uint32_t(from + 5, swap);
        uint32_t c = load_uint32_t(from + 9, swap);
        if (from[0] != 3 || a >= limit || b >= limit || c >= limit)
            break;
        to[0] = a;
        to[1] = b;
        to[2] = c;
    }
    reader->index_count += row * 3;
    reader->at += row * ROW;
    return row;
}

static bool is_plain_triangles(const struct lb_ply_reader *reader, const struct lb_ply_element *element)
{
    const struct lb_ply_property *property = &reader->header->properties[element->first];
    return element->properties == 1 && property->role == LB_PLY_POLYGON &&
           (property->type == LB_PLY_INT32 || property->type == LB_PLY_UINT32) &&
           (property->count_type == LB_PLY_INT8 || property->count_type == LB_PLY_UINT8);
}

static enum lb_status read_rows(struct lb_ply_reader *reader, const struct lb_ply_element *element)
{
    bool plain = is_plain_triangles(reader, element);
    for (uint64_t row = 0; row < element->count;) {
        if (plain) {
            uint64_t rows = element->count - row;
            row +=
                is_swapped(reader) ? read_triangles(reader, rows, true) : read_triangles(reader, rows, false);
        }
        if (row < element->count) {
            enum lb_status status = read_row(reader, element, row++);
            if (status != LB_OK)
                return status;
        }
    }
    return LB_OK;
}

enum lb_status lb_ply_read_binary(struct lb_ply_reader *reader, const struct lb_ply_element *element)
{
    bool lists = false;
    for (size_t i = 0; i < element->properties; i++)
        lists |= reader->header->properties[element->first + i].list;
    if (lists)
        return read_rows(reader, element);
    /* The caller has compared the size of the rows with what is left. */
    size_t row_size = lb_ply_element_least(reader->header, element);
    if (element->kind == LB_PLY_VERTICES)
        read_vertices(reader, element, row_size);
    else
        reader->at += (size_t)element->count * row_size;
    return LB_OK;
}
