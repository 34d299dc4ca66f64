/* Reading materials. */
#include "core/model/import_surface.h"

#include "core/base/ending.h"
#include "core/model/import_gltf.h"

#include <assimp/GltfMaterial.h>
#include <math.h>
#include <string.h>

/* A material while it is read. */
struct surface_reading {
    const struct lb_model_work *work;
    const struct aiMaterial *from;
    unsigned number;
};

/* ---- properties ---- */

static const struct aiMaterialProperty *property(const struct surface_reading *r, const char *key,
                                                 unsigned semantic, unsigned index)
{
    for (unsigned i = 0; i < r->from->mNumProperties; i++) {
        const struct aiMaterialProperty *p = r->from->mProperties[i];
        if (p->mSemantic == semantic && p->mIndex == index && strcmp(p->mKey.data, key) == 0)
            return p;
    }
    return NULL;
}

static float number(const struct surface_reading *r, const char *key, float otherwise)
{
    float value = otherwise;
    unsigned count = 1;
    bool found =
        r->work->assimp->floats(r->from, key, 0, 0, &value, &count) == aiReturn_SUCCESS && isfinite(value);
    return found ? value : otherwise;
}

/* A number that belongs to an image. */
static float image_number(const struct surface_reading *r, const char *key, enum aiTextureType type,
                          float otherwise)
{
    const struct aiMaterialProperty *p = property(r, key, (unsigned)type, 0);
    float value;
    if (!p || p->mType != aiPTI_Float || p->mDataLength < sizeof value)
        return otherwise;
    memcpy(&value, p->mData, sizeof value);
    return isfinite(value) ? value : otherwise;
}

static bool has(const struct surface_reading *r, const char *key)
{
    return property(r, key, 0, 0) != NULL;
}

/* Numbers and truth values that are kept as bytes have as many as they need. */
static int integer(const struct surface_reading *r, const char *key, int otherwise)
{
    const struct aiMaterialProperty *p = property(r, key, 0, 0);
    int value = 0;
    if (!p || (p->mType != aiPTI_Integer && p->mType != aiPTI_Buffer) || p->mDataLength == 0)
        return otherwise;
    memcpy(&value, p->mData, p->mDataLength < sizeof value ? p->mDataLength : sizeof value);
    return value;
}

static bool color(const struct surface_reading *r, const char *key, float to[3], float *alpha)
{
    struct aiColor4D value = {0, 0, 0, 1};
    if (r->work->assimp->color(r->from, key, 0, 0, &value) != aiReturn_SUCCESS || !isfinite(value.r) ||
        !isfinite(value.g) || !isfinite(value.b))
        return false;
    to[0] = fmaxf(value.r, 0.0f), to[1] = fmaxf(value.g, 0.0f), to[2] = fmaxf(value.b, 0.0f);
    if (alpha && isfinite(value.a))
        *alpha = value.a;
    return true;
}

/* The name of an image, kept in the file's memory as long as it is; NULL: there is none. */
static const char *image(const struct surface_reading *r, enum aiTextureType type, unsigned index)
{
    const struct aiMaterialProperty *p = property(r, "$tex.file", (unsigned)type, index);
    if (!p || p->mType != aiPTI_String || p->mDataLength < 6)
        return NULL;
    const char *text = p->mData + 4; /* behind its length */
    return memchr(text, '\0', p->mDataLength - 4) && *text ? text : NULL;
}

/* The first of two that is there. */
static const char *either(const char *a, const char *b)
{
    return a ? a : b;
}

static float greatest(const float c[3])
{
    return fmaxf(c[0], fmaxf(c[1], c[2]));
}

/* ---- what all formats have ---- */

static void read_alpha(const struct surface_reading *r, float base_alpha, struct lb_model_surface *s)
{
    struct aiString mode = {.length = 0};
    s->cutoff = number(r, "$mat.gltf.alphaCutoff", 0.5f);
    if (r->work->assimp->string(r->from, "$mat.gltf.alphaMode", 0, 0, &mode) == aiReturn_SUCCESS) {
        s->opacity = base_alpha;
        s->cut = !strcmp(mode.data, "MASK");
        s->blended = !strcmp(mode.data, "BLEND");
        s->alpha_image = s->base.image;
        return;
    }
    s->opacity = base_alpha * number(r, "$mat.opacity", 1.0f);
    s->alpha_image = image(r, aiTextureType_OPACITY, 0);
    if (!(s->opacity >
          0.0f)) /* some exporters write transparency so; nobody exports what is not to be seen */
        s->opacity = 1.0f;
    s->alpha_is_grey = s->alpha_image != NULL;
    s->blended = s->opacity < 1.0f || s->alpha_image;
}

static void read_emission(const struct surface_reading *r, struct lb_model_surface *s)
{
    float strength = number(r, "$mat.emissiveIntensity", 1.0f);
    strength =
        lb_gltf_number(r->work, r->number, "KHR_materials_emissive_strength", "emissiveStrength", strength);
    s->emission.image = image(r, aiTextureType_EMISSIVE, 0);
    color(r, "$clr.emissive", s->emission.factor, NULL);
    for (int i = 0; i < 3; i++)
        s->emission.factor[i] *= fmaxf(0.0f, strength);
}

/* ---- glTF's materials ---- */

/* KHR_materials_pbrSpecularGlossiness: a dielectric with a reflection of any colour. */
static void read_glossiness(const struct surface_reading *r, struct lb_model_surface *s)
{
    s->metallic = (struct lb_model_number){0.0f, NULL};
    s->glossy = s->specular_is_f0 = true;
    color(r, "$clr.diffuse", s->base.factor, &s->opacity);
    s->base.image = s->alpha_image = image(r, aiTextureType_DIFFUSE, 0);
    color(r, "$clr.specular", s->specular_color.factor, NULL);
    s->specular_color.image = s->roughness.image = image(r, aiTextureType_SPECULAR, 0);
    s->roughness.factor = number(r, "$mat.glossinessFactor", 1.0f); /* of glossiness, with an image */
    if (!s->roughness.image)
        s->roughness.factor = 1.0f - s->roughness.factor;
}

/* KHR_materials_volume: what is left of light after a distance. */
static void read_volume(const struct surface_reading *r, struct lb_model_surface *s)
{
    float left[3] = {1.0f, 1.0f, 1.0f}, distance = number(r, "$mat.volume.attenuationDistance", INFINITY);
    s->thin = !(number(r, "$mat.volume.thicknessFactor", 0.0f) > 0.0f);
    color(r, "$mat.volume.attenuationColor", left, NULL);
    for (int i = 0; !s->thin && distance > 0.0f && isfinite(distance) && i < 3; i++)
        s->absorption[i] = (0.0f - logf(fminf(1.0f, fmaxf(left[i], 1e-6f)))) / distance;
}

static void read_extensions(const struct surface_reading *r, struct lb_model_surface *s)
{
    const char *const specular = "KHR_materials_specular";
    s->transmission.factor = number(r, "$mat.transmission.factor", 0.0f);
    s->transmission.image = image(r, aiTextureType_TRANSMISSION, 0);
    s->clearcoat.factor = number(r, "$mat.clearcoat.factor", 0.0f);
    s->clearcoat.image = image(r, aiTextureType_CLEARCOAT, 0);
    s->clearcoat_roughness.factor = number(r, "$mat.clearcoat.roughnessFactor", 0.0f);
    s->clearcoat_roughness.image = image(r, aiTextureType_CLEARCOAT, 1);
    const char *bent = image(r, aiTextureType_CLEARCOAT, 2);
    float scale = lb_gltf_image_number(r->work, r->number, "KHR_materials_clearcoat",
                                       "clearcoatNormalTexture", "scale", 1.0f);
    s->coat_is_bent = bent && s->normal.image && !strcmp(bent, s->normal.image) && scale == s->normal.factor;
    if (s->clearcoat.factor > 0.0f && bent && !s->coat_is_bent)
        s->coat_normal = (struct lb_model_number){scale, bent};
    color(r, "$clr.sheen.factor", s->sheen.factor, NULL);
    if (!r->work->gltf) /* MTL's Ps is a number, which Assimp takes for red */
        s->sheen.factor[1] = s->sheen.factor[2] = s->sheen.factor[0];
    s->sheen.image = image(r, aiTextureType_SHEEN, 0);
    s->sheen_roughness.factor = number(r, "$mat.sheen.roughnessFactor", r->work->gltf ? 0.0f : 0.5f);
    s->sheen_roughness.image = image(r, aiTextureType_SHEEN, 1);
    s->specular.factor = lb_gltf_number(r->work, r->number, specular, "specularFactor", 1.0f);
    s->specular.image = lb_gltf_image(r->work, r->number, specular, "specularTexture");
    lb_gltf_color(r->work, r->number, specular, "specularColorFactor", s->specular_color.factor);
    s->specular_color.image = lb_gltf_image(r->work, r->number, specular, "specularColorTexture");
    read_volume(r, s);
}

static void read_metallic(const struct surface_reading *r, struct lb_model_surface *s)
{
    s->layered = true;
    s->metallic.factor = number(r, "$mat.metallicFactor", r->work->gltf ? 1.0f : 0.0f);
    s->roughness.factor = number(r, "$mat.roughnessFactor", r->work->gltf ? 1.0f : 0.5f);
    s->metallic.image = image(r, aiTextureType_METALNESS, 0);
    s->roughness.image = image(r, aiTextureType_DIFFUSE_ROUGHNESS, 0);
    if (r->work->gltf) {
        s->metallic.image = either(s->metallic.image, image(r, aiTextureType_UNKNOWN, 0));
        s->roughness.image = either(s->roughness.image, image(r, aiTextureType_UNKNOWN, 0));
    }
    read_extensions(r, s);
    if (r->work->gltf && has(r, "$mat.glossinessFactor"))
        read_glossiness(r, s);
}

/* ---- Phong's ---- */

/* An exponent n shines about as widely as a roughness of (2 / (n + 2))^(1/4). A specular colour of 0.5 is that of glass
 * (0.04 at normal incidence), as Blender writes it; with a model of illumination that reflects surroundings it is the
 * part that is reflected. */
static void read_phong(const struct surface_reading *r, struct lb_model_surface *s)
{
    float exponent = number(r, "$mat.shininess", 0.0f), *k = s->specular_color.factor;
    int illumination = integer(r, "$mat.illum", 2);
    bool reflects = illumination >= 3 && illumination <= 9;
    float strength = number(r, "$mat.shinpercent", 1.0f);
    k[0] = k[1] = k[2] = 0.0f;
    color(r, "$clr.specular", k, NULL);
    s->specular_is_f0 = true;
    for (int i = 0; i < 3; i++)
        k[i] = fminf(1.0f, k[i] * fmaxf(0.0f, strength) * (reflects ? 1.0f : 0.08f));
    s->layered = exponent > 1.0f && greatest(k) > 0.001f;
    s->roughness.factor = exponent > 1.0f ? sqrtf(sqrtf(2.0f / (exponent + 2.0f))) : 1.0f;
    if (s->opacity < 1.0f &&
        (illumination == 4 || illumination == 6 || illumination == 7 || illumination == 9)) {
        s->layered = true;
        s->thin = illumination == 4 || illumination == 9;
        s->transmission.factor = 1.0f - fmaxf(0.0f, s->opacity);
        s->opacity = 1.0f;
    }
}

/* ---- all ---- */

/* Assimp's own material for what has none, which is white in some formats. In PLY files all are. */
static bool is_made_up(const struct surface_reading *r)
{
    struct aiString name = {.length = 0};
    if (lb_ends_in(r->work->path, ".ply"))
        return true;
    return !r->work->gltf && r->work->assimp->string(r->from, "?mat.name", 0, 0, &name) == aiReturn_SUCCESS &&
           !strcmp(name.data, AI_DEFAULT_MATERIAL_NAME);
}

struct lb_model_surface lb_model_read_surface(const struct lb_model_work *work, unsigned number_)
{
    const struct surface_reading reading = {work, work->scene->mMaterials[number_], work->origins[number_]},
                                 *r = &reading;
    struct lb_model_surface s = {.base = {.factor = {0.8f, 0.8f, 0.8f}},
                                 .specular_color = {.factor = {1.0f, 1.0f, 1.0f}},
                                 .specular.factor = 1.0f,
                                 .roughness.factor = 1.0f,
                                 .normal.factor = 1.0f,
                                 .thin = true};
    float alpha = 1.0f, ignored[3];
    if (!color(r, "$clr.base", s.base.factor, &alpha))
        color(r, "$clr.diffuse", s.base.factor, NULL);
    if (is_made_up(r))
        s.base.factor[0] = s.base.factor[1] = s.base.factor[2] = 0.6f;
    s.base.image = either(image(r, aiTextureType_BASE_COLOR, 0), image(r, aiTextureType_DIFFUSE, 0));
    s.normal.image = image(r, aiTextureType_NORMALS, 0);
    s.normal.factor = image_number(r, "$tex.scale", aiTextureType_NORMALS, 1.0f);
    s.two_sided = integer(r, "$mat.twosided", 0) != 0;
    s.unlit = lb_gltf_has(work, r->number, "KHR_materials_unlit");
    s.ior = number(r, "$mat.refracti", 1.5f);
    s.ior = s.ior > (work->gltf ? 0.999f : 1.0f) && s.ior <= 100.0f ? fmaxf(1.0f, s.ior) : 1.5f;
    read_alpha(r, alpha, &s);
    read_emission(r, &s);
    if (has(r, "$mat.metallicFactor") || has(r, "$mat.roughnessFactor") ||
        color(r, "$clr.base", ignored, NULL))
        read_metallic(r, &s);
    else
        read_phong(r, &s);
    return s;
}
