/* Bodies of ASCII PLY files: numbers between white space; as in other readers, line ends mean no more than
 * spaces. */
#include "core/base/number.h"
#include "core/base/text.h"
#include "core/scene/ply/mesh.h"

#include <math.h>

static int shown(size_t length)
{
    return (int)(length < 40 ? length : 40);
}

static enum lb_status fail_cut(const struct lb_ply_reader *reader, const struct lb_ply_element *element,
                               uint64_t row)
{
    return lb_ply_fail(reader, reader->size, "the file ends in element \"%.*s\", row %llu of %llu",
                       shown(element->name.length), element->name.text, (unsigned long long)row,
                       (unsigned long long)element->count);
}

/* Reads numbers of the form that nearly all numbers of nearly all files have: digits, perhaps with a sign before and a
 * point among them, which are exact in a double, as their power of ten is, so that one division rounds once. False: it
 * is another number, which is left to lb_number_parse. */
static bool parse_simple(const uint8_t *at, const uint8_t *end, double *number)
{
    static const double powers[16] = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                      1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
    bool negative = *at == '-';
    at += negative;
    if (end - at < 1 || end - at > 15)
        return false;
    int64_t digits = 0;
    const uint8_t *point = NULL;
    for (; at < end; at++) {
        uint32_t digit = *at - (uint32_t)'0';
        if (digit <= 9)
            digits = digits * 10 + digit;
        else if (*at == '.' && !point && end - at > 1)
            point = at;
        else
            return false;
    }
    double value = point ? (double)digits / powers[end - point - 1] : (double)digits;
    *number = negative ? -value : value;
    return true;
}

/* The next word of `row`; its start in the message. */
static enum lb_status read_number(struct lb_ply_reader *reader, const struct lb_ply_element *element,
                                  uint64_t row, double *number)
{
    const uint8_t *data = reader->data;
    size_t at = reader->at, size = reader->size;
    while (at < size && lb_is_space(data[at]))
        at++;
    size_t from = at;
    while (at < size && !lb_is_space(data[at]))
        at++;
    if (at == from)
        return fail_cut(reader, element, row);
    const char *word = (const char *)data + from;
    if (!parse_simple(data + from, data + at, number) && !lb_number_parse(word, at - from, number))
        return lb_ply_fail(reader, from, "\"%.*s\" is not a number", shown(at - from), word);
    reader->at = at;
    return LB_OK;
}

static int64_t to_integer(double number)
{
    if (!(number >= -1e15 && number <= 1e15) || trunc(number) != number)
        return INT64_MIN;
    return (int64_t)number;
}

static enum lb_status read_list(struct lb_ply_reader *reader, const struct lb_ply_element *element,
                                const struct lb_ply_property *property, uint64_t row)
{
    double number;
    enum lb_status status = read_number(reader, element, row, &number);
    if (status != LB_OK)
        return status;
    int64_t length = to_integer(number);
    if (length < 0)
        return lb_ply_fail(reader, reader->at, "row %llu: impossible list length %.17g",
                           (unsigned long long)row, number);
    if ((uint64_t)length > (reader->size - reader->at) / 2)
        return fail_cut(reader, element, row);
    bool skipped = property->role == LB_PLY_SKIPPED;
    struct lb_ply_corners corners = {.role = property->role};
    if (!skipped && length > 2 && lb_ply_reserve(reader, (uint64_t)length - 2) != LB_OK)
        return LB_ERROR_MEMORY;
    for (int64_t i = 0; i < length; i++) {
        status = read_number(reader, element, row, &number);
        if (status != LB_OK)
            return status;
        if (!skipped && !lb_ply_corner(reader, &corners, to_integer(number)))
            return lb_ply_fail(reader, reader->at, "face %llu, corner %lld: there is no vertex %.9g (of %u)",
                               (unsigned long long)row, (long long)i, number, reader->mesh->vertex_count);
    }
    if (!skipped)
        lb_ply_corners_end(reader, &corners);
    return LB_OK;
}

static enum lb_status read_row(struct lb_ply_reader *reader, const struct lb_ply_element *element,
                               uint64_t row)
{
    for (size_t i = 0; i < element->properties; i++) {
        const struct lb_ply_property *property = &reader->header->properties[element->first + i];
        enum lb_status status;
        double number;
        if (property->list) {
            status = read_list(reader, element, property, row);
        } else {
            status = read_number(reader, element, row, &number);
            if (status == LB_OK && property->role < LB_PLY_POLYGON)
                *lb_ply_target(reader, property->role, row) = (float)number;
        }
        if (status != LB_OK)
            return status;
    }
    return LB_OK;
}

enum lb_status lb_ply_read_text(struct lb_ply_reader *reader, const struct lb_ply_element *element)
{
    enum lb_status status = LB_OK;
    for (uint64_t row = 0; row < element->count && status == LB_OK; row++)
        status = read_row(reader, element, row);
    return status;
}
