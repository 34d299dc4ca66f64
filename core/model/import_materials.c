/* Materials: what the file says of a surface, as one of pbrt's. */
#include "core/model/import_work.h"

#include <assimp/GltfMaterial.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What is read of a material. Colours are linear. */
struct surface {
    float base[3], emission[3];
    float metallic, roughness, transmission, ior, opacity, cutoff;
    bool cut;     /* its alpha is 0 or 1, by the cutoff */
    bool blended; /* its alpha counts */
    bool shines;  /* besides base it reflects as a polished surface does */
    bool glows;
    const char *base_image, *emission_image, *normal_image, *roughness_image, *metal_image; /* or NULL */
};

/* ---- reading ---- */

static float number(const struct lb_model_work *work, const struct aiMaterial *from, const char *key,
                    float otherwise)
{
    float value = otherwise;
    unsigned count = 1;
    bool found = work->assimp->floats(from, key, 0, 0, &value, &count) == aiReturn_SUCCESS && isfinite(value);
    return found ? value : otherwise;
}

static bool color(const struct lb_model_work *work, const struct aiMaterial *from, const char *key,
                  float to[3], float *alpha)
{
    struct aiColor4D value = {0, 0, 0, 1};
    if (work->assimp->color(from, key, 0, 0, &value) != aiReturn_SUCCESS || !isfinite(value.r) ||
        !isfinite(value.g) || !isfinite(value.b))
        return false;
    to[0] = fmaxf(value.r, 0.0f), to[1] = fmaxf(value.g, 0.0f), to[2] = fmaxf(value.b, 0.0f);
    if (alpha && isfinite(value.a))
        *alpha = value.a;
    return true;
}

/* The name of an image, kept in the file's memory as long as it is; NULL: there is none. */
static const char *image(const struct aiMaterial *from, enum aiTextureType type)
{
    for (unsigned i = 0; i < from->mNumProperties; i++) {
        const struct aiMaterialProperty *property = from->mProperties[i];
        if (property->mType != aiPTI_String || property->mSemantic != (unsigned)type ||
            property->mIndex != 0 || strcmp(property->mKey.data, "$tex.file") != 0 ||
            property->mDataLength < 6)
            continue;
        const char *text = property->mData + 4; /* behind its length */
        if (memchr(text, '\0', property->mDataLength - 4) && *text)
            return text;
    }
    return NULL;
}

static void read_alpha(const struct lb_model_work *work, const struct aiMaterial *from, struct surface *s)
{
    struct aiString mode = {.length = 0};
    s->opacity *= number(work, from, "$mat.opacity", 1.0f);
    s->blended = s->opacity < 1.0f;
    if (work->assimp->string(from, "$mat.gltf.alphaMode", 0, 0, &mode) != aiReturn_SUCCESS)
        return;
    s->cut = !strcmp(mode.data, "MASK");
    s->blended = !strcmp(mode.data, "BLEND");
    s->cutoff = number(work, from, "$mat.gltf.alphaCutoff", 0.5f);
}

/* By glTF's model, or by Phong's: an exponent n shines about as widely as a roughness of (2 / (n + 2))^(1/4). */
static void read_shine(const struct lb_model_work *work, const struct aiMaterial *from, struct surface *s)
{
    float ignored[3], specular[3] = {0, 0, 0};
    if (number(work, from, "$mat.metallicFactor", -1.0f) >= 0.0f ||
        color(work, from, "$clr.base", ignored, NULL)) {
        s->metallic = number(work, from, "$mat.metallicFactor", 1.0f);
        s->roughness = number(work, from, "$mat.roughnessFactor", 1.0f);
        s->shines = true;
        return;
    }
    float exponent = number(work, from, "$mat.shininess", 0.0f);
    color(work, from, "$clr.specular", specular, NULL);
    s->shines = exponent > 1.0f && specular[0] + specular[1] + specular[2] > 0.03f;
    s->roughness = exponent > 1.0f ? sqrtf(sqrtf(2.0f / (exponent + 2.0f))) : 1.0f;
}

static struct surface read_surface(const struct lb_model_work *work, const struct aiMaterial *from)
{
    struct surface s = {.base = {0.8f, 0.8f, 0.8f}, .roughness = 1.0f, .opacity = 1.0f, .cutoff = 0.5f};
    if (!color(work, from, "$clr.base", s.base, &s.opacity))
        color(work, from, "$clr.diffuse", s.base, NULL);
    read_alpha(work, from, &s);
    read_shine(work, from, &s);
    s.transmission = number(work, from, "$mat.transmission.factor", 0.0f);
    s.ior = number(work, from, "$mat.refracti", 1.5f);
    s.ior = s.ior >= 1.0f && s.ior < 4.0f ? s.ior : 1.5f;
    s.base_image = image(from, aiTextureType_BASE_COLOR);
    s.base_image = s.base_image ? s.base_image : image(from, aiTextureType_DIFFUSE);
    s.emission_image = image(from, aiTextureType_EMISSIVE);
    s.normal_image = image(from, aiTextureType_NORMALS);
    s.roughness_image = image(from, aiTextureType_DIFFUSE_ROUGHNESS);
    s.roughness_image = s.roughness_image ? s.roughness_image : image(from, aiTextureType_UNKNOWN);
    s.metal_image = image(from, aiTextureType_METALNESS);
    s.metal_image = s.metal_image ? s.metal_image : image(from, aiTextureType_UNKNOWN);
    if (color(work, from, "$clr.emissive", s.emission, NULL)) {
        float strength = fmaxf(0.0f, number(work, from, "$mat.emissiveIntensity", 1.0f));
        for (int i = 0; i < 3; i++)
            s.emission[i] *= strength;
    }
    s.glows = s.emission[0] + s.emission[1] + s.emission[2] > 0.0f;
    return s;
}

/* ---- writing ---- */

/* Writes an image as a texture `name`-NUMBER and says in `*made` whether it could be. */
static enum lb_status write_texture(struct lb_model_work *work, const char *source,
                                    const struct lb_model_change *change, const char *type, const char *name,
                                    unsigned number, bool *made)
{
    char *file = NULL;
    enum lb_status status = lb_model_image(work, source, change, &file);
    *made = status == LB_OK && file;
    if (*made)
        lb_text_add(&work->text,
                    "Texture \"%s-%u\" \"%s\" \"imagemap\" \"string filename\" \"%s\" \"string filter\" "
                    "\"trilinear\"%s\n",
                    name, number, type, file,
                    change->kind == LB_MODEL_AS_IS ? "" : " \"string encoding\" \"linear\"");
    free(file);
    return status;
}

static enum lb_status write_base(struct lb_model_work *work, const struct surface *s, unsigned number,
                                 bool *textured)
{
    *textured = false;
    if (!s->base_image)
        return LB_OK;
    bool plain = s->base[0] >= 1.0f && s->base[1] >= 1.0f && s->base[2] >= 1.0f;
    struct lb_model_change change = {.kind = plain ? LB_MODEL_AS_IS : LB_MODEL_TINTED};
    memcpy(change.factor, s->base, sizeof change.factor);
    return write_texture(work, s->base_image, &change, "spectrum", "base", number, textured);
}

/* What shapes of this material have as alpha. Where nothing of it is seen through, they have none. */
static enum lb_status write_alpha(struct lb_model_work *work, const struct surface *s, unsigned number)
{
    struct lb_text text = {.data = NULL};
    bool textured = false;
    enum lb_status status = LB_OK;
    const struct lb_model_change change = {.kind = s->cut ? LB_MODEL_ALPHA_CUT : LB_MODEL_ALPHA,
                                           .factor = {s->opacity, 1, 1},
                                           .cutoff = s->cutoff};
    if (!s->cut && !s->blended)
        return LB_OK;
    if (s->base_image)
        status = write_texture(work, s->base_image, &change, "float", "alpha", number, &textured);
    float whole = s->cut ? (s->opacity >= s->cutoff ? 1.0f : 0.0f) : fminf(1.0f, fmaxf(0.0f, s->opacity));
    if (textured)
        lb_text_add(&text, " \"texture alpha\" \"alpha-%u\"", number);
    else if (whole < 1.0f)
        lb_text_add(&text, " \"float alpha\" [ %.6g ]", (double)whole);
    work->alphas[number] = text.length ? lb_text_take(&text) : NULL;
    return status;
}

static enum lb_status write_emission(struct lb_model_work *work, const struct surface *s, unsigned number,
                                     const struct aiMaterial *from)
{
    struct lb_text text = {.data = NULL};
    char *file = NULL;
    int two_sided = 0;
    unsigned count = 1;
    enum lb_status status = LB_OK;
    if (!s->glows)
        return LB_OK;
    const struct lb_model_change change = {
        .kind = LB_MODEL_TINTED,
        .factor = {fminf(s->emission[0], 1.0f), fminf(s->emission[1], 1.0f), fminf(s->emission[2], 1.0f)}};
    if (s->emission_image)
        status = lb_model_image(work, s->emission_image, &change, &file);
    if (s->emission_image && !file)
        return status;
    work->assimp->integers(from, "$mat.twosided", 0, 0, &two_sided, &count);
    lb_text_add(&text, "AreaLightSource \"diffuse\" \"float scale\" [ %.6g ]", work->light_scale);
    if (file)
        lb_text_add(&text, " \"string filename\" \"%s\"", file);
    else
        lb_text_add(&text, " \"rgb L\" [ %.9g %.9g %.9g ]", (double)s->emission[0], (double)s->emission[1],
                    (double)s->emission[2]);
    lb_text_add(&text, "%s", two_sided ? " \"bool twosided\" true" : "");
    free(file);
    work->emissions[number] = lb_text_take(&text);
    return work->emissions[number] ? status : lb_error_memory(work->error, work->path);
}

static void write_reflectance(struct lb_text *text, const struct surface *s, unsigned number, bool textured)
{
    if (textured)
        lb_text_add(text, " \"texture reflectance\" \"base-%u\"", number);
    else
        lb_text_add(text, " \"rgb reflectance\" [ %.6g %.6g %.6g ]", (double)fminf(s->base[0], 1.0f),
                    (double)fminf(s->base[1], 1.0f), (double)fminf(s->base[2], 1.0f));
}

/* Alpha of a microfacet distribution is glTF's roughness squared. */
static enum lb_status write_roughness(struct lb_model_work *work, const struct surface *s, unsigned number,
                                      struct lb_text *line)
{
    const struct lb_model_change change = {.kind = LB_MODEL_ROUGHNESS, .factor = {s->roughness, 1, 1}};
    bool textured = false;
    enum lb_status status = LB_OK;
    if (s->roughness_image)
        status = write_texture(work, s->roughness_image, &change, "float", "roughness", number, &textured);
    if (textured)
        lb_text_add(line, " \"texture roughness\" \"roughness-%u\"", number);
    else
        lb_text_add(line, " \"float roughness\" [ %.6g ]",
                    (double)fminf(1.0f, fmaxf(0.0f, s->roughness * s->roughness)));
    lb_text_add(line, " \"bool remaproughness\" false");
    return status;
}

static enum lb_status write_normals(struct lb_model_work *work, const struct surface *s, struct lb_text *line)
{
    const struct lb_model_change change = {.kind = LB_MODEL_AS_IS};
    char *file = NULL;
    enum lb_status status = s->normal_image ? lb_model_image(work, s->normal_image, &change, &file) : LB_OK;
    if (file)
        lb_text_add(line, " \"string normalmap\" \"%s\"", file);
    free(file);
    return status;
}

/* A material of one of pbrt's types, which is called material-NUMBER and the suffix. `rest`: its other parameters. */
static void write_plain(struct lb_text *text, const struct surface *s, const char *type, unsigned number,
                        const char *suffix, bool textured, const char *rest)
{
    bool glass = !strcmp(type, "dielectric");
    lb_text_add(text, "MakeNamedMaterial \"material-%u%s\" \"string type\" \"%s\"", number, suffix, type);
    if (glass || !strcmp(type, "coateddiffuse"))
        lb_text_add(text, " \"float eta\" [ %.6g ]", (double)s->ior);
    if (!glass)
        write_reflectance(text, s, number, textured);
    lb_text_add(text, "%s\n", rest);
}

/* What is metal to a part is, as glTF says, so much of the metal and else the coated diffuse. */
static enum lb_status write_part_metal(struct lb_model_work *work, const struct surface *s, unsigned number,
                                       bool textured, const char *rest)
{
    const struct lb_model_change change = {.kind = LB_MODEL_METAL, .factor = {s->metallic, 1, 1}};
    bool by_image = false;
    enum lb_status status = LB_OK;
    if (s->metal_image)
        status = write_texture(work, s->metal_image, &change, "float", "metal", number, &by_image);
    write_plain(&work->text, s, "coateddiffuse", number, "-base", textured, rest);
    write_plain(&work->text, s, "conductor", number, "-metal", textured, rest);
    lb_text_add(&work->text,
                "MakeNamedMaterial \"material-%u\" \"string type\" \"mix\" \"string materials\" [ "
                "\"material-%u-base\" \"material-%u-metal\" ]",
                number, number, number);
    if (by_image)
        lb_text_add(&work->text, " \"texture amount\" \"metal-%u\"\n", number);
    else
        lb_text_add(&work->text, " \"float amount\" [ %.6g ]\n", (double)fminf(1.0f, s->metallic));
    return status;
}

static enum lb_status write_kind(struct lb_model_work *work, const struct surface *s, unsigned number,
                                 bool textured, const char *rest)
{
    const char *type = !s->shines ? "diffuse" : s->metallic <= 0.0f ? "coateddiffuse" : "conductor";
    bool glass = s->transmission > 0.5f;
    if (!glass && s->shines && s->metallic > 0.0f && (s->metallic < 1.0f || s->metal_image))
        return write_part_metal(work, s, number, textured, rest);
    write_plain(&work->text, s, glass ? "dielectric" : type, number, "", textured, rest);
    return LB_OK;
}

static enum lb_status write_material(struct lb_model_work *work, unsigned number)
{
    const struct aiMaterial *from = work->scene->mMaterials[number];
    struct surface s = read_surface(work, from);
    struct lb_text line = {.data = NULL};
    bool textured = false;
    enum lb_status status = write_base(work, &s, number, &textured);
    if (status == LB_OK && (s.shines || s.transmission > 0.5f))
        status = write_roughness(work, &s, number, &line);
    if (status == LB_OK)
        status = write_normals(work, &s, &line);
    if (status == LB_OK)
        status = write_alpha(work, &s, number);
    if (status == LB_OK)
        status = write_emission(work, &s, number, from);
    if (status == LB_OK)
        status = write_kind(work, &s, number, textured, line.data ? line.data : "");
    if (line.failed)
        status = lb_error_memory(work->error, work->path);
    free(lb_text_take(&line));
    return status;
}

enum lb_status lb_model_write_materials(struct lb_model_work *work)
{
    double light = lb_model_light(work);
    enum lb_status status = LB_OK;
    if (light > 0.0) /* then what the lights make of a white surface at the middle is white */
        work->light_scale = 3.14159265358979 / light;
    for (unsigned i = 0; status == LB_OK && i < work->scene->mNumMaterials; i++)
        if (work->used[i])
            status = write_material(work, i);
    return status;
}
