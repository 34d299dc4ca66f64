#include "core/model/import_accessor.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

size_t lb_gltf_size(const json_t *object, const char *key, size_t otherwise)
{
    const json_t *value = json_object_get(object, key);
    return json_is_integer(value) && json_integer_value(value) >= 0 ? (size_t)json_integer_value(value)
                                                                    : otherwise;
}

/* ---- buffers ---- */

static int digit_of(char c)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *found = c ? strchr(digits, c) : NULL;
    return found ? (int)(found - digits) : -1;
}

/* Four digits are three bytes; what is no digit ends the text. */
static bool decode(const char *text, struct lb_gltf_bytes *bytes)
{
    uint8_t *to = malloc(strlen(text) / 4 * 3 + 3);
    uint32_t held = 0, bits = 0;
    if (!to)
        return false;
    for (int digit; (digit = digit_of(*text)) >= 0; text++) {
        held = (held << 6 | (uint32_t)digit) & 0xffff;
        bits += 6;
        if (bits < 8)
            continue;
        bits -= 8;
        to[bytes->size++] = (uint8_t)(held >> bits);
    }
    bytes->data = to;
    return true;
}

static uint32_t word_at(const uint8_t *bytes)
{
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

/* The chunk of bytes of a binary file stands behind that of the text. */
static void find_chunk(const struct lb_file *model, struct lb_gltf_bytes *bytes)
{
    enum { HEAD = 12, CHUNK = 8 };
    if (model->size < HEAD + CHUNK || memcmp(model->data, "glTF", 4) != 0)
        return;
    size_t begin = (size_t)HEAD + CHUNK + word_at(model->data + HEAD);
    if (begin > model->size || model->size - begin < CHUNK)
        return;
    size_t size = word_at(model->data + begin), rest = model->size - begin - CHUNK;
    bytes->data = model->data + begin + CHUNK;
    bytes->size = size < rest ? size : rest;
}

static bool open_buffer(const struct lb_gltf_buffers *buffers, size_t index, struct lb_gltf_bytes *bytes)
{
    const json_t *about = json_array_get(json_object_get(buffers->work->document, "buffers"), index);
    const char *uri = json_string_value(json_object_get(about, "uri"));
    const char *comma = uri && strncmp(uri, "data:", 5) == 0 ? strchr(uri, ',') : NULL;
    if (comma)
        return decode(comma + 1, bytes);
    if (!uri && index == 0)
        find_chunk(buffers->model, bytes);
    if (uri && lb_model_open_beside(buffers->work, uri, &bytes->file))
        bytes->data = bytes->file.data, bytes->size = bytes->file.size;
    return true;
}

bool lb_gltf_buffers_open(struct lb_gltf_buffers *buffers, const struct lb_model_work *work,
                          const struct lb_file *model)
{
    size_t count = json_array_size(json_object_get(work->document, "buffers"));
    *buffers = (struct lb_gltf_buffers){.work = work, .model = model, .count = count};
    buffers->items = calloc(count + 1, sizeof *buffers->items);
    bool opened = buffers->items != NULL;
    for (size_t i = 0; opened && i < count; i++)
        opened = open_buffer(buffers, i, &buffers->items[i]);
    return opened;
}

/* ---- accessors ---- */

enum { I8 = 5120, U8, I16, U16, U32 = 5125, F32 };

static size_t bytes_of(size_t kind)
{
    return kind == I8 || kind == U8 ? 1 : kind == I16 || kind == U16 ? 2 : kind == U32 || kind == F32 ? 4 : 0;
}

static float value_at(const uint8_t *at, size_t kind, bool normalized)
{
    float most = 1.0f, value = 0.0f;
    if (kind == F32) {
        uint32_t word = word_at(at);
        memcpy(&value, &word, sizeof value);
        return isfinite(value) ? value : 0.0f;
    }
    if (kind == I8)
        value = (float)(int8_t)at[0], most = 127.0f;
    else if (kind == U8)
        value = (float)at[0], most = 255.0f;
    else if (kind == I16)
        value = (float)(int16_t)(at[0] | at[1] << 8), most = 32767.0f;
    else if (kind == U16)
        value = (float)(at[0] | at[1] << 8), most = 65535.0f;
    else
        value = (float)word_at(at), most = 4294967295.0f;
    return normalized ? fmaxf(value / most, -1.0f) : value;
}

size_t lb_gltf_width(const json_t *accessor)
{
    const char *type = json_string_value(json_object_get(accessor, "type"));
    if (!type)
        return 0;
    if (strcmp(type, "SCALAR") == 0)
        return 1;
    return strncmp(type, "VEC", 3) == 0 && type[3] >= '2' && type[3] <= '4' && !type[4]
               ? (size_t)(type[3] - '0')
               : 0;
}

/* Where its first vector is, and how far each is from the next one. NULL: not all of them lie in the buffer. */
static const uint8_t *place_of(const struct lb_gltf_buffers *buffers, const json_t *accessor, size_t size,
                               size_t count, size_t *stride)
{
    const json_t *views = json_object_get(buffers->work->document, "bufferViews"),
                 *view = json_array_get(views, lb_gltf_size(accessor, "bufferView", SIZE_MAX));
    size_t buffer = lb_gltf_size(view, "buffer", SIZE_MAX), begin = lb_gltf_size(view, "byteOffset", 0),
           length = lb_gltf_size(view, "byteLength", 0), offset = lb_gltf_size(accessor, "byteOffset", 0);
    *stride = lb_gltf_size(view, "byteStride", size);
    if (buffer >= buffers->count || !buffers->items[buffer].data || size == 0 || count == 0 ||
        *stride < size || json_object_get(accessor, "sparse"))
        return NULL;
    const struct lb_gltf_bytes *bytes = &buffers->items[buffer];
    if (begin > bytes->size || length > bytes->size - begin || offset > length || size > length - offset ||
        (length - offset - size) / *stride < count - 1)
        return NULL;
    return bytes->data + begin + offset;
}

float *lb_gltf_read(const struct lb_gltf_buffers *buffers, const json_t *accessor, size_t width,
                    size_t *count)
{
    size_t kind = lb_gltf_size(accessor, "componentType", 0), each = bytes_of(kind),
           has = lb_gltf_width(accessor), stride;
    *count = lb_gltf_size(accessor, "count", 0);
    const uint8_t *from = place_of(buffers, accessor, has * each, *count, &stride);
    float *to = from && width <= has ? calloc(*count, width * sizeof *to) : NULL;
    bool normalized = json_is_true(json_object_get(accessor, "normalized"));
    for (size_t i = 0; to && i < *count; i++)
        for (size_t k = 0; k < width; k++)
            to[i * width + k] = value_at(from + i * stride + k * each, kind, normalized);
    return to;
}
