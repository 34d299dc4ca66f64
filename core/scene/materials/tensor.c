#include "core/scene/materials/tensor.h"

#include <string.h>

/* The file's head: a name of 12 bytes, two of version, four with the number of arrays. */
enum { NAME = 12, HEAD = 18 };

struct tensor_reader {
    const uint8_t *data;
    size_t size, at;
};

/* A little-endian number of so many bytes. False: the file ends before. */
static bool take(struct tensor_reader *reader, unsigned bytes, uint64_t *number)
{
    *number = 0;
    if (reader->size - reader->at < bytes)
        return false;
    for (unsigned i = 0; i < bytes; i++)
        *number |= (uint64_t)reader->data[reader->at + i] << (8 * i);
    reader->at += bytes;
    return true;
}

static bool take_sizes(struct tensor_reader *reader, struct lb_tensor *tensor)
{
    tensor->count = 1;
    for (unsigned i = 0; i < tensor->dimensions; i++)
        if (!take(reader, 8, &tensor->size[i]) ||
            __builtin_mul_overflow(tensor->count, tensor->size[i], &tensor->count))
            return false;
    return true;
}

static bool take_data(const struct tensor_reader *reader, uint64_t offset, struct lb_tensor *tensor)
{
    uint64_t width = tensor->type == LB_TENSOR_FLOATS ? 4 : 1, bytes;
    tensor->data = NULL;
    if (tensor->type != LB_TENSOR_FLOATS && tensor->type != LB_TENSOR_BYTES)
        return true;
    if (__builtin_mul_overflow(tensor->count, width, &bytes) || offset > reader->size ||
        bytes > reader->size - offset)
        return false;
    tensor->data = reader->data + offset;
    return true;
}

/* One array's description. False: the file is cut. */
static bool take_array(struct tensor_reader *reader, const char *name, struct lb_tensor *tensor, bool *found)
{
    uint64_t length, dimensions, type, offset;
    if (!take(reader, 2, &length) || reader->size - reader->at < length)
        return false;
    *found = length == strlen(name) && memcmp(reader->data + reader->at, name, length) == 0;
    reader->at += length;
    if (!take(reader, 2, &dimensions) || !take(reader, 1, &type) || !take(reader, 8, &offset) ||
        dimensions > LB_TENSOR_DIMENSIONS)
        return false;
    tensor->dimensions = (unsigned)dimensions;
    tensor->type = (unsigned)type;
    return take_sizes(reader, tensor) && (!*found || take_data(reader, offset, tensor));
}

enum lb_status lb_tensor_find(const uint8_t *data, size_t size, const char *name, struct lb_tensor *tensor,
                              bool *found, struct lb_error *error)
{
    struct tensor_reader reader = {data, size, HEAD - 4};
    uint64_t arrays;
    *found = false;
    if (size < HEAD || memcmp(data, "tensor_file", NAME) != 0)
        return lb_error_set(error, LB_ERROR, "this is no tensor file");
    if (data[NAME] != 1 || data[NAME + 1] != 0)
        return lb_error_set(error, LB_ERROR, "a tensor file of version %u.%u, not 1.0", data[NAME],
                            data[NAME + 1]);
    take(&reader, 4, &arrays);
    for (uint64_t i = 0; i < arrays && !*found; i++)
        if (!take_array(&reader, name, tensor, found))
            return lb_error_set(error, LB_ERROR, "the tensor file is cut or damaged");
    return LB_OK;
}

void lb_tensor_floats(const struct lb_tensor *tensor, uint64_t first, uint64_t count, float *values)
{
    for (uint64_t i = 0; i < count; i++) {
        const uint8_t *byte = tensor->data + 4 * (first + i);
        uint32_t bits =
            (uint32_t)byte[0] | (uint32_t)byte[1] << 8 | (uint32_t)byte[2] << 16 | (uint32_t)byte[3] << 24;
        memcpy(&values[i], &bits, sizeof bits);
    }
}
