/* Image files into the scene's texels. */
#include "core/base/color_space.h"
#include "core/base/number.h"
#include "core/image/image.h"
#include "core/scene/builder/messages.h"
#include "core/scene/textures/textures.h"

#include <string.h>

/* What "encoding" means for one picture. */
struct meaning {
    uint32_t texel;
    float gamma;
};

/* pbrt: "sRGB", "linear" or "gamma <value>"; only PNG follows it, QOI files say what they are, other
 * 8-bit files are sRGB. */
static enum lb_status find_meaning(const struct lb_builder *builder, const struct lb_picture *picture,
                                   const struct lb_encoding *encoding, struct meaning *meaning)
{
    static const char *const encodings[] = {"sRGB", "linear", "gamma"};
    const char *text = encoding->text ? encoding->text : "sRGB";
    meaning->gamma = 1.0f;
    meaning->texel = LB_TEXEL_SRGB8;
    if (strcmp(text, "linear") == 0) {
        meaning->texel = LB_TEXEL_LINEAR8;
    } else if (strncmp(text, "gamma ", 6) == 0) {
        double gamma;
        meaning->texel = LB_TEXEL_LINEAR8;
        if (!lb_number_parse(text + 6, strlen(text + 6), &gamma) || !(gamma > 0.0 && gamma < 1e6))
            return lb_build_error(builder, encoding->location, "encoding \"%s\" needs a number above 0",
                                  text);
        meaning->gamma = (float)gamma;
    } else if (strcmp(text, "sRGB") != 0) {
        return lb_build_unknown(builder, encoding->location, "encoding", text, LB_ROWS(encodings));
    }
    if (!picture->png) {
        meaning->texel = picture->linear ? LB_TEXEL_LINEAR8 : LB_TEXEL_SRGB8;
        meaning->gamma = 1.0f;
    }
    return LB_OK;
}

static float decode_srgb(float v)
{
    return v <= 0.04045f ? v / 12.92f : lb_pow((v + 0.055f) / 1.055f, 2.4f);
}

/* 16-bit PNG files are made linear here, as in pbrt their alpha too; PFM and EXR are already. */
static void decode_floats(const struct lb_picture *picture, const struct meaning *meaning, float *values)
{
    size_t count = (size_t)picture->width * picture->height * picture->channels;
    memcpy(values, picture->floats, count * sizeof *values);
    if (!picture->png || (meaning->texel == LB_TEXEL_LINEAR8 && meaning->gamma == 1.0f))
        return;
    for (size_t i = 0; i < count; i++)
        values[i] =
            meaning->texel == LB_TEXEL_SRGB8 ? decode_srgb(values[i]) : lb_pow(values[i], meaning->gamma);
}

/* An alpha of 1 everywhere says nothing: float textures then take the average of the colours, as in pbrt. */
static void drop_idle_alpha(struct lb_picture *picture)
{
    size_t pixels = (size_t)picture->width * picture->height;
    if (picture->channels != 4)
        return;
    for (size_t i = 0; i < pixels; i++)
        if (picture->bytes ? picture->bytes[4 * i + 3] != 255 : picture->floats[4 * i + 3] != 1.0f)
            return;
    for (size_t i = 0; i < pixels; i++)
        for (size_t c = 0; c < 3; c++)
            if (picture->bytes)
                picture->bytes[3 * i + c] = picture->bytes[4 * i + c];
            else
                picture->floats[3 * i + c] = picture->floats[4 * i + c];
    picture->channels = 3;
}

/* Takes floats of another colour space to linear sRGB. What that lacks is below 0 here. */
static void take_to_srgb(const struct lb_picture *picture, enum lb_image_use use, float *values)
{
    size_t pixels = (size_t)picture->width * picture->height;
    double m[3][3];
    if (picture->color_space == LB_COLOR_SRGB || picture->channels < 3 || use == LB_IMAGE_NUMBERS)
        return;
    lb_color_space_to_srgb(picture->color_space, m);
    for (size_t p = 0; p < pixels; p++) {
        float *v = values + p * picture->channels;
        double r = (double)v[0], g = (double)v[1], b = (double)v[2];
        for (int i = 0; i < 3; i++) {
            double white = use == LB_IMAGE_LIGHT ? 1.0 : m[i][0] + m[i][1] + m[i][2];
            v[i] = (float)((m[i][0] * r + m[i][1] * g + m[i][2] * b) / white);
        }
    }
}

static enum lb_status store(struct lb_builder *builder, const struct lb_picture *picture,
                            const struct meaning *meaning, enum lb_image_use use, uint32_t *index)
{
    size_t count = (size_t)picture->width * picture->height * picture->channels;
    size_t bytes = picture->bytes ? (count + 3) & ~(size_t)3 : count * sizeof(float);
    *index = (uint32_t)builder->arrays.images.count;
    lb_image *image = lb_vector_add(&builder->arrays.images, 1);
    uint64_t offset = builder->arrays.texels.count;
    uint8_t *texels = image ? lb_vector_add(&builder->arrays.texels, bytes) : NULL;
    if (!texels)
        return lb_build_no_memory(builder);
    if (picture->bytes) {
        memcpy(texels, picture->bytes, count);
    } else {
        decode_floats(picture, meaning, (float *)(void *)texels);
        take_to_srgb(picture, use, (float *)(void *)texels);
    }
    image->width = picture->width;
    image->height = picture->height;
    image->channels = picture->channels;
    image->texel = picture->bytes ? meaning->texel : (uint32_t)LB_TEXEL_FLOAT;
    image->gamma = picture->bytes ? meaning->gamma : 1.0f;
    image->offset = offset;
    return LB_OK;
}

/* By what an image is found again. NULL: out of memory. */
static const char *key_of(const struct lb_builder *builder, const char *path,
                          const struct lb_encoding *encoding, unsigned use)
{
    return lb_arena_format(builder->arena, "%u %s\n%s", use, encoding->text ? encoding->text : "sRGB", path);
}

/* Most images are the same for all uses. */
static enum lb_status keep(struct lb_builder *builder, const char *path, const struct lb_encoding *encoding,
                           bool for_all, uint32_t image)
{
    for (unsigned use = 0; use < LB_IMAGE_USES; use++) {
        const char *key = for_all || use == encoding->use ? key_of(builder, path, encoding, use) : "";
        if (!key || (*key && !lb_names_set(&builder->images, builder->arena, key, image)))
            return lb_build_no_memory(builder);
    }
    return LB_OK;
}

enum lb_status lb_build_image(struct lb_builder *builder, const char *path,
                              const struct lb_encoding *encoding, uint32_t *image)
{
    const char *key = key_of(builder, path, encoding, encoding->use);
    if (!key)
        return lb_build_no_memory(builder);
    *image = lb_names_find(&builder->images, key);
    if (*image != LB_NONE)
        return LB_OK;
    struct lb_picture picture;
    struct lb_error error;
    if (lb_picture_read(path, &picture, &error) != LB_OK)
        return lb_build_error(builder, encoding->location, "%s", error.message);
    drop_idle_alpha(&picture);
    struct meaning meaning;
    enum lb_status status = find_meaning(builder, &picture, encoding, &meaning);
    if (status == LB_OK)
        status = store(builder, &picture, &meaning, encoding->use, image);
    if (status == LB_OK)
        status = keep(builder, path, encoding, picture.color_space == LB_COLOR_SRGB, *image);
    lb_picture_free(&picture);
    return status;
}

void lb_build_texel(const struct lb_builder *builder, const lb_image *image, uint32_t x, uint32_t y,
                    float *values)
{
    const uint8_t *texels = (const uint8_t *)builder->arrays.texels.data + image->offset;
    size_t first = ((size_t)y * image->width + x) * image->channels;
    for (uint32_t c = 0; c < image->channels; c++) {
        if (image->texel == LB_TEXEL_FLOAT) {
            memcpy(&values[c], texels + (first + c) * sizeof(float), sizeof(float));
            continue;
        }
        uint8_t byte = texels[first + c];
        float v = (float)byte / 255.0f;
        if (image->texel == LB_TEXEL_LINEAR8 && image->gamma == 1.0f)
            values[c] = v;
        else
            values[c] = image->texel == LB_TEXEL_SRGB8 ? builder->head.srgb[byte] : lb_pow(v, image->gamma);
    }
}

void lb_build_srgb(struct lb_builder *builder)
{
    for (int i = 0; i < 256; i++)
        builder->head.srgb[i] = decode_srgb((float)i / 255.0f);
}
