#include "core/model/import_gltf.h"

#include "core/base/file.h"

#include <math.h>
#include <string.h>

/* ---- the file ---- */

static uint32_t word_at(const uint8_t *bytes)
{
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

/* Binary glTF: a head of 12 bytes, then a chunk of JSON behind its length and its kind. */
void lb_gltf_open(struct lb_model_work *work)
{
    enum { HEAD = 20 };
    struct lb_file file;
    if (!work->gltf || lb_file_read(work->path, (size_t)4 << 30, &file, NULL) != LB_OK)
        return;
    const uint8_t *text = file.data;
    size_t length = file.size;
    if (length > HEAD && memcmp(text, "glTF", 4) == 0) {
        size_t chunk = word_at(text + 12);
        length = chunk < length - HEAD ? chunk : length - HEAD;
        text += HEAD;
    }
    work->document = json_loadb((const char *)text, length, 0, NULL);
    lb_file_free(&file);
}

enum lb_status lb_gltf_check(const struct lb_model_work *work)
{
    static const char *const misread[] = {"EXT_meshopt_compression"};
    const json_t *required = json_object_get(work->document, "extensionsRequired");
    for (size_t i = 0; i < json_array_size(required); i++) {
        const char *name = json_string_value(json_array_get(required, i));
        for (size_t k = 0; name && k < sizeof misread / sizeof *misread; k++)
            if (!strcmp(name, misread[k]))
                return lb_error_set(work->error, LB_ERROR,
                                    "%s: it requires %s, which the library Assimp does not read", work->path,
                                    misread[k]);
    }
    return LB_OK;
}

/* ---- what bends meshes ---- */

bool lb_gltf_bends(const struct lb_model_work *work)
{
    const json_t *meshes = json_object_get(work->document, "meshes");
    if (json_array_size(json_object_get(work->document, "skins")) > 0)
        return true;
    for (size_t i = 0; i < json_array_size(meshes); i++) {
        const json_t *primitives = json_object_get(json_array_get(meshes, i), "primitives");
        for (size_t k = 0; k < json_array_size(primitives); k++)
            if (json_object_get(json_array_get(primitives, k), "targets"))
                return true;
    }
    return false;
}

/* ---- its materials ---- */

static json_t *find(const struct lb_model_work *work, unsigned material, const char *extension)
{
    json_t *about = json_array_get(json_object_get(work->document, "materials"), material);
    return json_object_get(json_object_get(about, "extensions"), extension);
}

bool lb_gltf_has(const struct lb_model_work *work, unsigned material, const char *extension)
{
    return find(work, material, extension) != NULL;
}

static float number_of(const json_t *value, float otherwise)
{
    float number = json_is_number(value) ? (float)json_number_value(value) : otherwise;
    return isfinite(number) ? number : otherwise;
}

float lb_gltf_number(const struct lb_model_work *work, unsigned material, const char *extension,
                     const char *key, float otherwise)
{
    return number_of(json_object_get(find(work, material, extension), key), otherwise);
}

float lb_gltf_image_number(const struct lb_model_work *work, unsigned material, const char *extension,
                           const char *image, const char *key, float otherwise)
{
    return number_of(json_object_get(json_object_get(find(work, material, extension), image), key),
                     otherwise);
}

void lb_gltf_color(const struct lb_model_work *work, unsigned material, const char *extension,
                   const char *key, float color[3])
{
    const json_t *list = json_object_get(find(work, material, extension), key);
    for (size_t i = 0; json_array_size(list) == 3 && i < 3; i++)
        color[i] = fmaxf(0.0f, number_of(json_array_get(list, i), color[i]));
}

static bool is_embedded(const json_t *image)
{
    const char *uri = json_string_value(json_object_get(image, "uri"));
    return uri ? strncmp(uri, "data:", 5) == 0 : json_object_get(image, "bufferView") != NULL;
}

/* Assimp calls images of the file itself "*0", "*1" and so on. */
static const char *image_name(const json_t *images, size_t index)
{
    const json_t *image = json_array_get(images, index);
    struct lb_text name = {.data = NULL};
    size_t before = 0;
    if (!image)
        return NULL;
    if (!is_embedded(image))
        return json_string_value(json_object_get(image, "uri"));
    for (size_t i = 0; i < index; i++)
        before += is_embedded(json_array_get(images, i));
    lb_text_add(&name, "*%zu", before);
    return lb_text_take(&name);
}

const char *lb_gltf_image(const struct lb_model_work *work, unsigned material, const char *extension,
                          const char *key)
{
    const json_t *about = json_object_get(find(work, material, extension), key),
                 *index = json_object_get(about, "index");
    if (!json_is_integer(index) || json_integer_value(index) < 0)
        return NULL;
    const json_t *texture = json_array_get(json_object_get(work->document, "textures"),
                                           (size_t)json_integer_value(index)),
                 *source = json_object_get(texture, "source");
    if (!json_is_integer(source) || json_integer_value(source) < 0)
        return NULL;
    return image_name(json_object_get(work->document, "images"), (size_t)json_integer_value(source));
}
