#include "core/scene/ply/header.h"

#include "core/base/grow.h"
#include "core/base/number.h"
#include "core/base/text.h"

#include <stdlib.h>
#include <string.h>

struct parser {
    const char *name;
    const char *data;
    size_t size, at;
    uint32_t line;
    char line_end;               /* the last byte of each line */
    struct lb_ply_word words[8]; /* of the current line */
    size_t word_count;           /* may exceed 8: further ones are counted only */
    struct lb_ply_header *header;
    size_t element_room, property_room;
    struct lb_error *error;
};

#define FAIL(parser, ...) lb_error_set((parser)->error, LB_ERROR, "%s:%u: " __VA_ARGS__)
/* A word in a message: whatever its length, one readable line. */
#define SHOWN(word) (int)((word).length < 40 ? (word).length : 40), (word).text

static bool word_is(struct lb_ply_word word, const char *text)
{
    return word.length == strlen(text) && memcmp(word.text, text, word.length) == 0;
}

/* False at the end of the data: a header's lines all end. */
static bool next_line(struct parser *p)
{
    const char *start = p->data + p->at;
    const char *end = p->at < p->size ? memchr(start, p->line_end, p->size - p->at) : NULL;
    p->line++;
    p->word_count = 0;
    if (!end)
        return false;
    p->at += (size_t)(end - start) + 1;
    while (start < end) {
        while (start < end && lb_is_space(*start))
            start++;
        const char *from = start;
        while (start < end && !lb_is_space(*start))
            start++;
        if (start == from)
            break;
        if (p->word_count < 8)
            p->words[p->word_count] = (struct lb_ply_word){from, (size_t)(start - from)};
        p->word_count++;
    }
    return true;
}

/* "ply", and by what follows it whether lines end in \n, \r\n or \r alone. */
static enum lb_status read_magic(struct parser *p)
{
    if (p->size < 4 || memcmp(p->data, "ply", 3) != 0 || !lb_is_space(p->data[3]))
        return lb_error_set(p->error, LB_ERROR, "%s:1: not a PLY file: the first line is not \"ply\"",
                            p->name);
    size_t end = 3;
    while (end < p->size && p->data[end] != '\n' && p->data[end] != '\r')
        end++;
    bool old_mac = end < p->size && p->data[end] == '\r' && !(end + 1 < p->size && p->data[end + 1] == '\n');
    p->line_end = old_mac ? '\r' : '\n';
    return LB_OK;
}

static enum lb_status read_format(struct parser *p)
{
    static const char *const names[] = {"ascii", "binary_little_endian", "binary_big_endian"};
    if (p->word_count != 3 || !word_is(p->words[0], "format"))
        return FAIL(p, "expected \"format\" and two words", p->name, p->line);
    for (int i = 0; i < 3; i++) {
        if (!word_is(p->words[1], names[i]))
            continue;
        if (!word_is(p->words[2], "1.0"))
            return FAIL(p, "unknown PLY version \"%.*s\"", p->name, p->line, SHOWN(p->words[2]));
        p->header->format = (enum lb_ply_format)i;
        return LB_OK;
    }
    return FAIL(p, "unknown PLY format \"%.*s\"", p->name, p->line, SHOWN(p->words[1]));
}

static bool parse_type(struct lb_ply_word word, enum lb_ply_type *type)
{
    static const char *const names[][2] = {{"char", "int8"},     {"uchar", "uint8"},   {"short", "int16"},
                                           {"ushort", "uint16"}, {"int", "int32"},     {"uint", "uint32"},
                                           {"float", "float32"}, {"double", "float64"}};
    for (int i = 0; i < 8; i++) {
        if (word_is(word, names[i][0]) || word_is(word, names[i][1])) {
            *type = (enum lb_ply_type)i;
            return true;
        }
    }
    return false;
}

/* One more, zeroed, at the end of an array. */
static void *append(void **array, size_t *count, size_t *room, size_t size)
{
    void *moved = lb_grow(*array, room, *count + 1, size);
    if (!moved)
        return NULL;
    *array = moved;
    return memset((char *)*array + (*count)++ * size, 0, size);
}

static enum lb_status read_element(struct parser *p)
{
    if (p->word_count != 3)
        return FAIL(p, "expected \"element\", a name and a count", p->name, p->line);
    int64_t count;
    struct lb_ply_word number = p->words[2];
    if (!lb_number_whole(number.text, number.length, 0, INT64_MAX, &count))
        return FAIL(p, "impossible count \"%.*s\" of element \"%.*s\"", p->name, p->line, SHOWN(number),
                    SHOWN(p->words[1]));
    struct lb_ply_header *header = p->header;
    struct lb_ply_element *element =
        append((void **)&header->elements, &header->element_count, &p->element_room, sizeof *element);
    if (!element)
        return lb_error_memory(p->error, p->name);
    *element = (struct lb_ply_element){.name = p->words[1],
                                       .count = (uint64_t)count,
                                       .line = p->line,
                                       .kind = LB_PLY_OTHERS,
                                       .first = header->property_count};
    return LB_OK;
}

static enum lb_status read_property(struct parser *p)
{
    struct lb_ply_header *header = p->header;
    struct lb_ply_property property = {.role = LB_PLY_SKIPPED};
    property.list = p->word_count >= 2 && word_is(p->words[1], "list");
    size_t words = property.list ? 5 : 3;
    if (header->element_count == 0)
        return FAIL(p, "a property before the first element", p->name, p->line);
    if (p->word_count != words)
        return FAIL(p, "expected \"property\", a type and a name", p->name, p->line);
    property.name = p->words[words - 1];
    if (!parse_type(p->words[words - 2], &property.type))
        return FAIL(p, "unknown type \"%.*s\"", p->name, p->line, SHOWN(p->words[words - 2]));
    if (property.list && !parse_type(p->words[2], &property.count_type))
        return FAIL(p, "unknown type \"%.*s\"", p->name, p->line, SHOWN(p->words[2]));
    struct lb_ply_property *stored =
        append((void **)&header->properties, &header->property_count, &p->property_room, sizeof *stored);
    if (!stored)
        return lb_error_memory(p->error, p->name);
    *stored = property;
    header->elements[header->element_count - 1].properties++;
    return LB_OK;
}

/* Blender 2.4 wrote its comments without that word. */
static bool is_comment(const struct parser *p)
{
    return word_is(p->words[0], "comment") || word_is(p->words[0], "obj_info") ||
           (p->word_count > 1 && word_is(p->words[0], "Created") && word_is(p->words[1], "by"));
}

/* The line behind "ply", then any others up to "end_header". */
static enum lb_status read_lines(struct parser *p)
{
    bool has_format = false;
    if (!next_line(p) || p->word_count != 1)
        return FAIL(p, "not a PLY file: the first line is not \"ply\"", p->name, p->line);
    for (;;) {
        if (!next_line(p))
            return FAIL(p, "the header has no \"end_header\"", p->name, p->line);
        if (p->word_count == 0 || is_comment(p))
            continue;
        enum lb_status status = LB_OK;
        if (!has_format) {
            status = read_format(p);
            has_format = true;
        } else if (word_is(p->words[0], "end_header")) {
            return LB_OK;
        } else if (word_is(p->words[0], "element")) {
            status = read_element(p);
        } else if (word_is(p->words[0], "property")) {
            status = read_property(p);
        } else {
            return FAIL(p, "unknown word \"%.*s\" in the header", p->name, p->line, SHOWN(p->words[0]));
        }
        if (status != LB_OK)
            return status;
    }
}

/* The last scalar of that name, or NULL. */
static struct lb_ply_property *find_scalar(struct lb_ply_header *header, const struct lb_ply_element *element,
                                           const char *name)
{
    for (size_t i = element->properties; i-- > 0;) {
        struct lb_ply_property *property = &header->properties[element->first + i];
        if (!property->list && word_is(property->name, name))
            return property;
    }
    return NULL;
}

/* All of `names` or none of them take the roles from `role` on. */
static bool give_roles(struct lb_ply_header *header, const struct lb_ply_element *element,
                       enum lb_ply_role role, int count, const char *const *names)
{
    for (int i = 0; i < count; i++)
        if (!find_scalar(header, element, names[i]))
            return false;
    for (int i = 0; i < count; i++)
        find_scalar(header, element, names[i])->role = (enum lb_ply_role)((int)role + i);
    return true;
}

static enum lb_status give_vertex_roles(struct parser *p, struct lb_ply_element *element)
{
    static const char *const position[] = {"x", "y", "z"}, *const normal[] = {"nx", "ny", "nz"};
    static const char *const uv[][2] = {
        {"u", "v"}, {"s", "t"}, {"texture_u", "texture_v"}, {"texture_s", "texture_t"}};
    static const char *const second[][2] = {{"u1", "v1"}, {"s1", "t1"}};
    if (!give_roles(p->header, element, LB_PLY_X, 3, position))
        return FAIL(p, "the vertices have no x, y and z", p->name, element->line);
    give_roles(p->header, element, LB_PLY_NX, 3, normal);
    for (int i = 0; i < 4; i++)
        if (give_roles(p->header, element, LB_PLY_U, 2, uv[i]))
            break;
    for (int i = 0; i < 2; i++)
        if (give_roles(p->header, element, LB_PLY_SECOND_U, 2, second[i]))
            break;
    return LB_OK;
}

/* Whether `element` has a list of corners; the first of that name counts. */
static bool give_list_role(struct lb_ply_header *header, const struct lb_ply_element *element,
                           enum lb_ply_role role)
{
    for (size_t i = 0; i < element->properties; i++) {
        struct lb_ply_property *property = &header->properties[element->first + i];
        if (property->list &&
            (word_is(property->name, "vertex_indices") || word_is(property->name, "vertex_index"))) {
            property->role = role;
            return true;
        }
    }
    return false;
}

static enum lb_status give_kinds(struct parser *p)
{
    bool vertices = false, faces = false;
    for (size_t i = 0; i < p->header->element_count; i++) {
        struct lb_ply_element *element = &p->header->elements[i];
        bool strips = word_is(element->name, "tristrips");
        if (word_is(element->name, "vertex")) {
            if (vertices)
                return FAIL(p, "a second element \"vertex\"", p->name, element->line);
            if (element->count == 0 || element->count > UINT32_MAX)
                return FAIL(p, "%llu vertices; 1 to 4294967295 are possible", p->name, element->line,
                            (unsigned long long)element->count);
            if (give_vertex_roles(p, element) != LB_OK)
                return LB_ERROR;
            element->kind = LB_PLY_VERTICES;
            vertices = true;
        } else if ((strips || word_is(element->name, "face")) && element->count) {
            if (!give_list_role(p->header, element, strips ? LB_PLY_STRIPS : LB_PLY_POLYGON))
                return FAIL(p, "the faces have no list \"vertex_indices\"", p->name, element->line);
            element->kind = LB_PLY_FACES;
            faces = true;
        }
    }
    if (!vertices || !faces)
        return FAIL(p, "the file has no %s", p->name, p->line, vertices ? "faces" : "vertices");
    return LB_OK;
}

enum lb_status lb_ply_header_read(const char *name, const uint8_t *data, size_t size,
                                  struct lb_ply_header *header, struct lb_error *error)
{
    *header = (struct lb_ply_header){0};
    struct parser p = {
        .name = name, .data = (const char *)data, .size = size, .header = header, .error = error};
    enum lb_status status = read_magic(&p);
    if (status == LB_OK)
        status = read_lines(&p);
    if (status == LB_OK)
        status = give_kinds(&p);
    header->body = p.at;
    header->lines = p.line;
    return status;
}

void lb_ply_header_free(struct lb_ply_header *header)
{
    free(header->elements);
    free(header->properties);
    *header = (struct lb_ply_header){0};
}

size_t lb_ply_type_size(enum lb_ply_type type)
{
    static const size_t sizes[] = {1, 1, 2, 2, 4, 4, 4, 8};
    return sizes[type];
}

size_t lb_ply_element_least(const struct lb_ply_header *header, const struct lb_ply_element *element)
{
    size_t least = 0;
    for (size_t i = 0; i < element->properties; i++) {
        const struct lb_ply_property *property = &header->properties[element->first + i];
        if (header->format == LB_PLY_ASCII)
            least += 2; /* a digit and a space */
        else
            least += lb_ply_type_size(property->list ? property->count_type : property->type);
    }
    return least;
}

size_t lb_ply_header_most(const struct lb_ply_header *header)
{
    enum { LONGEST_NUMBER = 64, LONGEST_LIST = 1024, TAIL = 1 << 16 };
    size_t most = header->body + TAIL;
    for (size_t i = 0; i < header->element_count; i++) {
        const struct lb_ply_element *element = &header->elements[i];
        size_t each = 0, all;
        for (size_t k = 0; k < element->properties; k++) {
            const struct lb_ply_property *property = &header->properties[element->first + k];
            bool ascii = header->format == LB_PLY_ASCII;
            size_t number = ascii ? LONGEST_NUMBER : lb_ply_type_size(property->type);
            size_t length = ascii ? LONGEST_NUMBER : lb_ply_type_size(property->count_type);
            each += property->list ? length + LONGEST_LIST * number : number;
        }
        /* A strip holds a whole mesh: no length is too long for it. */
        if (word_is(element->name, "tristrips") || __builtin_mul_overflow(each, element->count, &all) ||
            __builtin_add_overflow(most, all, &most))
            return SIZE_MAX;
    }
    return most;
}
