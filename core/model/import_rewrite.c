#include "core/model/import_rewrite.h"

#include "core/base/file.h"
#include "core/model/import_accessor.h"

#include <stdlib.h>
#include <string.h>

/* The name of the buffer of what is written anew. */
static const char made_name[] = "lbrender-numbers.bin";

struct rewriting {
    struct lb_model_work *work;
    struct lb_gltf_buffers buffers;
    uint8_t *made; /* the numbers that are written anew */
    size_t size, capacity;
    bool changed;
};

/* ---- vertices of whole numbers ---- */

/* Appends floats, and makes a view of them, whose number it returns. */
static enum lb_status add_view(struct rewriting *r, const float *numbers, size_t count, json_int_t *view)
{
    json_t *document = r->work->document, *views = json_object_get(document, "bufferViews");
    size_t bytes = count * sizeof *numbers, buffer = r->buffers.count;
    while (r->capacity - r->size < bytes) {
        size_t wanted = r->capacity ? 2 * r->capacity : 65536;
        uint8_t *larger = realloc(r->made, wanted);
        if (!larger)
            return lb_error_memory(r->work->error, r->work->path);
        r->made = larger, r->capacity = wanted;
    }
    memcpy(r->made + r->size, numbers,
           bytes); /* glTF's order of bytes is that of all machines that this is built for */
    *view = (json_int_t)json_array_size(views);
    json_t *made = json_pack("{s:I, s:I, s:I}", "buffer", (json_int_t)buffer, "byteOffset",
                             (json_int_t)r->size, "byteLength", (json_int_t)bytes);
    r->size += bytes;
    return json_array_append_new(views, made) == 0 ? LB_OK : lb_error_memory(r->work->error, r->work->path);
}

/* Makes floats of an accessor of whole numbers. */
static enum lb_status widen(struct rewriting *r, size_t number)
{
    json_t *accessor = json_array_get(json_object_get(r->work->document, "accessors"), number);
    size_t width = lb_gltf_width(accessor), count;
    if (!accessor || lb_gltf_size(accessor, "componentType", 5126) == 5126 || width == 0)
        return LB_OK;
    float *numbers = lb_gltf_read(&r->buffers, accessor, width, &count);
    if (!numbers)
        return lb_error_set(
            r->work->error, LB_ERROR,
            "%s: accessor %zu, whose numbers are whole, is sparse, or its bytes are not there", r->work->path,
            number);
    json_int_t view = 0;
    enum lb_status status = add_view(r, numbers, width * count, &view);
    free(numbers);
    json_object_set_new(accessor, "bufferView", json_integer(view));
    json_object_set_new(accessor, "componentType", json_integer(5126));
    static const char *const old[] = {"byteOffset", "normalized", "min", "max"};
    for (size_t i = 0; i < sizeof old / sizeof *old; i++)
        json_object_del(accessor, old[i]);
    r->changed = true;
    return status;
}

/* Colours, joints and weights may be whole numbers without an extension, and Assimp reads them. */
static enum lb_status widen_attributes(struct rewriting *r, const json_t *attributes)
{
    const char *key;
    json_t *value;
    enum lb_status status = LB_OK;
    json_object_foreach((json_t *)(uintptr_t)attributes, key, value)
    {
        bool wanted = strcmp(key, "POSITION") == 0 || strcmp(key, "NORMAL") == 0 ||
                      strcmp(key, "TANGENT") == 0 || strncmp(key, "TEXCOORD_", 9) == 0;
        if (status == LB_OK && wanted && json_is_integer(value) && json_integer_value(value) >= 0)
            status = widen(r, (size_t)json_integer_value(value));
    }
    return status;
}

static enum lb_status widen_meshes(struct rewriting *r)
{
    const json_t *meshes = json_object_get(r->work->document, "meshes");
    enum lb_status status = LB_OK;
    for (size_t i = 0; i < json_array_size(meshes); i++) {
        const json_t *primitives = json_object_get(json_array_get(meshes, i), "primitives");
        for (size_t k = 0; k < json_array_size(primitives); k++) {
            const json_t *primitive = json_array_get(primitives, k),
                         *targets = json_object_get(primitive, "targets");
            if (status == LB_OK)
                status = widen_attributes(r, json_object_get(primitive, "attributes"));
            for (size_t t = 0; status == LB_OK && t < json_array_size(targets); t++)
                status = widen_attributes(r, json_array_get(targets, t));
        }
    }
    return status;
}

/* ---- nodes with many instances ---- */

static const struct {
    const char *attribute, *member;
    size_t width;
} places[] = {{"TRANSLATION", "translation", 3}, {"ROTATION", "rotation", 4}, {"SCALE", "scale", 3}};
enum { PLACES = sizeof places / sizeof *places };

/* Makes children of the node that show its mesh, in place of itself. */
static enum lb_status spread(struct rewriting *r, json_t *node, float *const values[PLACES], size_t count)
{
    json_t *nodes = json_object_get(r->work->document, "nodes"), *mesh = json_object_get(node, "mesh"),
           *children = json_object_get(node, "children");
    bool done = true;
    if (!json_is_array(children)) {
        children = json_array();
        done = json_object_set_new(node, "children", children) == 0;
    }
    for (size_t i = 0; done && i < count; i++) {
        json_t *child = json_object();
        done = child && json_object_set(child, "mesh", mesh) == 0;
        for (size_t k = 0; done && k < PLACES; k++) {
            json_t *list = values[k] ? json_array() : NULL;
            for (size_t j = 0; list && j < places[k].width; j++)
                json_array_append_new(list, json_real((double)values[k][i * places[k].width + j]));
            done = !values[k] || json_object_set_new(child, places[k].member, list) == 0;
        }
        done = done && json_array_append_new(children, json_integer((json_int_t)json_array_size(nodes))) == 0;
        done = done && json_array_append_new(nodes, child) == 0;
    }
    json_object_del(node, "mesh");
    r->changed = true;
    return done ? LB_OK : lb_error_memory(r->work->error, r->work->path);
}

static enum lb_status spread_node(struct rewriting *r, json_t *node)
{
    const json_t *attributes = json_object_get(
        json_object_get(json_object_get(node, "extensions"), "EXT_mesh_gpu_instancing"), "attributes");
    float *values[PLACES] = {NULL};
    size_t least = SIZE_MAX;
    enum lb_status status = LB_OK;
    if (!attributes || !json_is_integer(json_object_get(node, "mesh")))
        return LB_OK;
    for (size_t k = 0; status == LB_OK && k < PLACES; k++) {
        size_t number = lb_gltf_size(attributes, places[k].attribute, SIZE_MAX), count;
        if (number == SIZE_MAX)
            continue;
        const json_t *accessor = json_array_get(json_object_get(r->work->document, "accessors"), number);
        values[k] = lb_gltf_read(&r->buffers, accessor, places[k].width, &count);
        if (!values[k])
            status = lb_error_set(
                r->work->error, LB_ERROR,
                "%s: accessor %zu, which places instances, is sparse, or its bytes are not there",
                r->work->path, number);
        least = count < least ? count : least;
    }
    if (status == LB_OK && least != SIZE_MAX)
        status = spread(r, node, values, least);
    for (size_t k = 0; k < PLACES; k++)
        free(values[k]);
    return status;
}

static enum lb_status spread_nodes(struct rewriting *r)
{
    json_t *nodes = json_object_get(r->work->document, "nodes");
    size_t count = json_array_size(nodes); /* those that are made have no instances */
    enum lb_status status = LB_OK;
    for (size_t i = 0; status == LB_OK && i < count; i++)
        status = spread_node(r, json_array_get(nodes, i));
    return status;
}

/* ---- the file ---- */

static void put_word(uint8_t *to, size_t word)
{
    for (int i = 0; i < 4; i++)
        to[i] = (uint8_t)(word >> 8 * i);
}

/* A binary file: the same with another text; the chunk of bytes stays where there is one. */
static enum lb_status make_binary(struct rewriting *r, const char *text, struct lb_model_bytes *file)
{
    enum { HEAD = 12, CHUNK = 8 };
    size_t length = strlen(text), padded = (length + 3) / 4 * 4, chunk = 0;
    const uint8_t *bytes = NULL;
    if (r->buffers.count > 0 && !r->buffers.items[0].file.data)
        bytes = r->buffers.items[0].data, chunk = bytes ? r->buffers.items[0].size : 0;
    size_t size = HEAD + CHUNK + padded + CHUNK + chunk;
    uint8_t *to = calloc(size, 1);
    if (!to || size > UINT32_MAX)
        return lb_error_memory(r->work->error, r->work->path);
    memcpy(to, "glTF\2", 5);
    put_word(to + 8, size);
    put_word(to + HEAD, padded);
    memcpy(to + HEAD + 4, "JSON", 4);
    memset(to + HEAD + CHUNK, ' ', padded);
    memcpy(to + HEAD + CHUNK, text, length);
    put_word(to + HEAD + CHUNK + padded, chunk);
    memcpy(to + HEAD + CHUNK + padded + 4, "BIN", 4);
    if (chunk)
        memcpy(to + HEAD + CHUNK + padded + CHUNK, bytes, chunk);
    *file = (struct lb_model_bytes){r->work->path, to, size};
    return LB_OK;
}

static enum lb_status make_files(struct rewriting *r, struct lb_model_files *files)
{
    json_t *document = r->work->document;
    if (r->size > 0)
        json_array_append_new(json_object_get(document, "buffers"),
                              json_pack("{s:s, s:I}", "uri", made_name, "byteLength", (json_int_t)r->size));
    char *text = json_dumps(document, JSON_COMPACT);
    if (!text)
        return lb_error_memory(r->work->error, r->work->path);
    files->items[1] = (struct lb_model_bytes){made_name, r->made, r->size};
    files->count = r->size > 0 ? 2 : 1;
    if (r->buffers.model->size >= 4 && memcmp(r->buffers.model->data, "glTF", 4) == 0)
        return make_binary(r, text, &files->items[0]);
    files->items[0] = (struct lb_model_bytes){r->work->path, (const uint8_t *)text, strlen(text)};
    return LB_OK;
}

/* Does any node have instances, or any accessor of vectors whole numbers? Those of bones and colours have them, too. */
static bool may_need(const json_t *document)
{
    const json_t *used = json_object_get(document, "extensionsUsed"),
                 *accessors = json_object_get(document, "accessors");
    for (size_t i = 0; i < json_array_size(used); i++) {
        const char *name = json_string_value(json_array_get(used, i));
        if (name && strcmp(name, "EXT_mesh_gpu_instancing") == 0)
            return true;
    }
    for (size_t i = 0; i < json_array_size(accessors); i++) {
        const json_t *accessor = json_array_get(accessors, i);
        if (lb_gltf_width(accessor) > 1 && lb_gltf_size(accessor, "componentType", 5126) != 5126)
            return true;
    }
    return false;
}

enum lb_status lb_gltf_rewrite(struct lb_model_work *work, struct lb_model_files *files)
{
    struct lb_file model; /* not freed: `files` may point into it */
    struct rewriting r = {.work = work};
    *files = (struct lb_model_files){.count = 0};
    if (!may_need(work->document))
        return LB_OK;
    enum lb_status status = lb_file_read(work->path, (size_t)4 << 30, &model, work->error);
    if (status == LB_OK && !lb_gltf_buffers_open(&r.buffers, work, &model))
        status = lb_error_memory(work->error, work->path);
    if (status == LB_OK)
        status = widen_meshes(&r);
    if (status == LB_OK)
        status = spread_nodes(&r);
    return status == LB_OK && r.changed ? make_files(&r, files) : status;
}
