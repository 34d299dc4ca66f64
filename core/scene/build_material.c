/* Materials, with pbrt-v4's names and defaults. */
#include "core/scene/build.h"

#include "core/kernel/coat.h"
#include "core/scene/body_albedos.h"
#include "core/scene/build_measured.h"
#include "core/scene/build_mix.h"
#include "core/scene/medium_presets.h"
#include "core/scene/spectrum.h"

#include <stddef.h>
#include <string.h>

/* The image file of tangent-space normals; its numbers are taken as they are. */
static enum lb_status build_normal_map(struct lb_builder *builder, const struct lb_parameters *parameters,
                                       lb_material *material)
{
    const struct lb_encoding encoding = {"linear", lb_build_place(parameters, "normalmap"), LB_IMAGE_NUMBERS};
    const char *path;
    enum lb_status status = lb_build_file(builder, parameters, "normalmap", &path);
    if (status != LB_OK || !path)
        return status;
    status = lb_build_image(builder, path, &encoding, &material->normal_map);
    if (status != LB_OK)
        return status;
    const lb_image *images = builder->arrays.images.data;
    if (images[material->normal_map].channels < 3)
        return lb_build_error(builder, encoding.location, "%s: a normal map needs red, green and blue", path);
    material->flags |= LB_MATERIAL_NORMAL_MAPPED;
    return LB_OK;
}

/* What turns the normals of any material that light scatters at; a normal map goes before a displacement (pbrt). */
static enum lb_status build_relief(struct lb_builder *builder, const struct lb_parameters *parameters,
                                   lb_material *material)
{
    bool given;
    enum lb_status status = build_normal_map(builder, parameters, material);
    if (status == LB_OK)
        status = lb_build_float_input(builder, parameters, "displacement", 0.0f, -1e30f, 1e30f,
                                      &material->displacement, &given);
    if (status == LB_OK && given)
        material->flags |= LB_MATERIAL_BUMPED;
    return status;
}

/* Names of parameters of one part of a material. */
struct roughness_names {
    const char *both, *u, *v;
};

static const struct roughness_names own_roughness = {"roughness", "uroughness", "vroughness"};

static enum lb_status build_roughness(const struct lb_builder *builder,
                                      const struct lb_parameters *parameters,
                                      const struct roughness_names *names, lb_input *u, lb_input *v)
{
    lb_input both;
    bool given;
    enum lb_status status;
    if ((status = lb_build_float_input(builder, parameters, names->both, 0.0f, 0.0f, 1e3f, &both, NULL)) !=
            LB_OK ||
        (status = lb_build_float_input(builder, parameters, names->u, 0.0f, 0.0f, 1e3f, u, &given)) != LB_OK)
        return status;
    if (!given)
        *u = both;
    status = lb_build_float_input(builder, parameters, names->v, 0.0f, 0.0f, 1e3f, v, &given);
    if (status == LB_OK && !given)
        *v = both;
    return status;
}

/* The material's one roughness, or that of its coat. */
static enum lb_status build_own_roughness(const struct lb_builder *builder,
                                          const struct lb_parameters *parameters, lb_material *material)
{
    enum lb_status status =
        build_roughness(builder, parameters, &own_roughness, &material->uroughness, &material->vroughness);
    if (status != LB_OK)
        return status;
    return lb_build_bool(builder, parameters, "remaproughness", true, &material->remap_roughness);
}

/* A dielectric's index: a float, or a spectrum, of which one number is taken. pbrt takes 0 for 1. */
static enum lb_status build_named_index(const struct lb_builder *builder,
                                        const struct lb_parameters *parameters, const char *name,
                                        float *index)
{
    const struct lb_parameter *parameter = lb_parameters_find(parameters, name);
    float eta = 1.5f;
    enum lb_status status = LB_OK;
    if (parameter && parameter->type == LB_PARAMETER_FLOAT)
        status = lb_build_float(builder, parameters, name, 1.5f, 0.0f, 1e6f, &eta);
    else if (parameter)
        status = lb_spectrum_number(builder->description, parameter, builder->arena, builder->log, &eta,
                                    builder->error);
    if (status == LB_OK && !(eta >= 0.0f && eta <= 1e6f))
        status = lb_build_error(builder, &parameter->location, "\"%s\" is %g", name, (double)eta);
    *index = eta == 0.0f ? 1.0f : eta;
    return status;
}

static enum lb_status build_index(const struct lb_builder *builder, const struct lb_parameters *parameters,
                                  lb_material *material)
{
    float index = 1.5f;
    enum lb_status status = build_named_index(builder, parameters, "eta", &index);
    material->eta.value = lb_rgb_grey(index);
    return status;
}

static enum lb_status build_diffuse(struct lb_builder *builder, const struct lb_parameters *parameters,
                                    lb_material *material)
{
    material->kind = LB_MATERIAL_DIFFUSE;
    return lb_build_rgb_input(builder, parameters, "reflectance", true, lb_rgb_grey(0.5f),
                              &material->reflectance, NULL);
}

static bool is_spectral(const struct lb_parameter *parameter)
{
    return !parameter || parameter->type == LB_PARAMETER_SPECTRUM;
}

/* A metal is given by its eta and k, whose names are told, or by "reflectance". */
static enum lb_status build_metal(const struct lb_builder *builder, const struct lb_parameters *parameters,
                                  const char *eta_name, const char *k_name, lb_material *material)
{
    bool by_reflectance;
    enum lb_status status = lb_build_rgb_input(builder, parameters, "reflectance", true, lb_rgb_grey(0.0f),
                                               &material->reflectance, &by_reflectance);
    if (status != LB_OK)
        return status;
    const struct lb_parameter *eta = lb_parameters_find(parameters, eta_name);
    const struct lb_parameter *k = lb_parameters_find(parameters, k_name);
    material->by_reflectance = by_reflectance;
    if (by_reflectance && (eta || k))
        return lb_build_error(builder, lb_build_place(parameters, "reflectance"),
                              "a conductor has \"reflectance\" or \"%s\" and \"%s\", not both", eta_name,
                              k_name);
    if (by_reflectance)
        return LB_OK;
    if (is_spectral(eta) && is_spectral(k))
        return lb_spectrum_conductor(builder->description, eta, k, builder->arena, builder->log,
                                     &material->eta.value, &material->k.value, builder->error);
    lb_rgb copper_eta, copper_k;
    lb_spectrum_metal("Cu", &copper_eta, &copper_k);
    status = lb_build_rgb_input(builder, parameters, eta_name, false, copper_eta, &material->eta, NULL);
    if (status != LB_OK)
        return status;
    return lb_build_rgb_input(builder, parameters, k_name, false, copper_k, &material->k, NULL);
}

static enum lb_status build_conductor(struct lb_builder *builder, const struct lb_parameters *parameters,
                                      lb_material *material)
{
    material->kind = LB_MATERIAL_CONDUCTOR;
    enum lb_status status = build_own_roughness(builder, parameters, material);
    return status == LB_OK ? build_metal(builder, parameters, "eta", "k", material) : status;
}

static enum lb_status build_dielectric(struct lb_builder *builder, const struct lb_parameters *parameters,
                                       lb_material *material)
{
    material->kind = LB_MATERIAL_DIELECTRIC;
    enum lb_status status = build_own_roughness(builder, parameters, material);
    return status == LB_OK ? build_index(builder, parameters, material) : status;
}

static enum lb_status build_thin_dielectric(struct lb_builder *builder,
                                            const struct lb_parameters *parameters, lb_material *material)
{
    material->kind = LB_MATERIAL_THIN_DIELECTRIC;
    return build_index(builder, parameters, material);
}

/* What light goes through a coat, where that is the same all over the surface. */
static enum lb_status build_coat(struct lb_builder *builder, lb_material *material)
{
    float alpha = material->uroughness.value.r;
    if (material->uroughness.texture != LB_NONE || material->vroughness.texture != LB_NONE ||
        material->thickness.texture != LB_NONE || material->vroughness.value.r != alpha)
        return LB_OK;
    struct lb_vector *tables = &builder->arrays.tables;
    float *table = lb_vector_add(tables, LB_COAT_CELLS);
    if (!table)
        return lb_build_no_memory(builder);
    material->coat.offset = tables->count - LB_COAT_CELLS;
    material->coat.count = LB_COAT_CELLS;
    lb_coat_tabulate(material->remap_roughness ? lb_sqrt(lb_max(0.0f, alpha)) : alpha, material->eta.value.r,
                     lb_max(0.0f, material->thickness.value.r), table);
    return LB_OK;
}

/* The layer below a coat. */
static enum lb_status build_layer(const struct lb_builder *builder, const struct lb_parameters *parameters,
                                  lb_material *material)
{
    int32_t depth, samples;
    enum lb_status status;
    if ((status = lb_build_float_input(builder, parameters, "thickness", 0.01f, 0.0f, 1e30f,
                                       &material->thickness, NULL)) != LB_OK ||
        (status = lb_build_rgb_input(builder, parameters, "albedo", true, lb_rgb_grey(0.0f),
                                     &material->albedo, NULL)) != LB_OK ||
        (status = lb_build_float_input(builder, parameters, "g", 0.0f, -1.0f, 1.0f, &material->g, NULL)) !=
            LB_OK ||
        (status = lb_build_integer(builder, parameters, "maxdepth", 10, 1, 1 << 20, &depth)) != LB_OK ||
        (status = lb_build_integer(builder, parameters, "nsamples", 1, 1, 1 << 20, &samples)) != LB_OK)
        return status;
    material->max_depth = (uint32_t)depth;
    material->samples = (uint32_t)samples;
    return LB_OK;
}

static enum lb_status build_coated_diffuse(struct lb_builder *builder, const struct lb_parameters *parameters,
                                           lb_material *material)
{
    enum lb_status status;
    material->kind = LB_MATERIAL_COATED_DIFFUSE;
    if ((status = lb_build_rgb_input(builder, parameters, "reflectance", true, lb_rgb_grey(0.5f),
                                     &material->reflectance, NULL)) != LB_OK ||
        (status = build_own_roughness(builder, parameters, material)) != LB_OK ||
        (status = build_index(builder, parameters, material)) != LB_OK ||
        (status = build_layer(builder, parameters, material)) != LB_OK)
        return status;
    return build_coat(builder, material);
}

static enum lb_status build_coated_conductor(struct lb_builder *builder,
                                             const struct lb_parameters *parameters, lb_material *material)
{
    static const struct roughness_names coat = {"interface.roughness", "interface.uroughness",
                                                "interface.vroughness"};
    static const struct roughness_names metal = {"conductor.roughness", "conductor.uroughness",
                                                 "conductor.vroughness"};
    enum lb_status status;
    material->kind = LB_MATERIAL_COATED_CONDUCTOR;
    if ((status = build_roughness(builder, parameters, &coat, &material->uroughness,
                                  &material->vroughness)) != LB_OK ||
        (status = build_roughness(builder, parameters, &metal, &material->base_uroughness,
                                  &material->base_vroughness)) != LB_OK ||
        (status = lb_build_bool(builder, parameters, "remaproughness", true, &material->remap_roughness)) !=
            LB_OK ||
        (status = build_named_index(builder, parameters, "interface.eta", &material->coat_eta)) != LB_OK ||
        (status = build_metal(builder, parameters, "conductor.eta", "conductor.k", material)) != LB_OK)
        return status;
    return build_layer(builder, parameters, material);
}

static enum lb_status build_diffuse_transmission(struct lb_builder *builder,
                                                 const struct lb_parameters *parameters,
                                                 lb_material *material)
{
    const lb_rgb quarter = lb_rgb_grey(0.25f);
    enum lb_status status;
    material->kind = LB_MATERIAL_DIFFUSE_TRANSMISSION;
    if ((status = lb_build_rgb_input(builder, parameters, "reflectance", true, quarter,
                                     &material->reflectance, NULL)) != LB_OK ||
        (status = lb_build_rgb_input(builder, parameters, "transmittance", true, quarter,
                                     &material->transmittance, NULL)) != LB_OK)
        return status;
    return lb_build_float(builder, parameters, "scale", 1.0f, 0.0f, 1e30f, &material->scale);
}

/* What it absorbs is given by sigma_a, or a colour, or melanin: the first of these counts, as in pbrt. */
static enum lb_status build_hair_color(const struct lb_builder *builder,
                                       const struct lb_parameters *parameters, lb_material *material)
{
    const lb_rgb grey = lb_rgb_grey(0.0f);
    bool absorption, reflectance, color, eumelanin, pheomelanin;
    lb_input old;
    enum lb_status status;
    if ((status = lb_build_rgb_input(builder, parameters, "sigma_a", false, grey, &material->sigma_a,
                                     &absorption)) != LB_OK ||
        (status = lb_build_rgb_input(builder, parameters, "reflectance", true, grey, &material->reflectance,
                                     &reflectance)) != LB_OK ||
        (status = lb_build_rgb_input(builder, parameters, "color", true, grey, &old, &color)) != LB_OK ||
        (status = lb_build_float_input(builder, parameters, "eumelanin", 0.0f, 0.0f, 1e30f,
                                       &material->eumelanin, &eumelanin)) != LB_OK ||
        (status = lb_build_float_input(builder, parameters, "pheomelanin", 0.0f, 0.0f, 1e30f,
                                       &material->pheomelanin, &pheomelanin)) != LB_OK)
        return status;
    if (!reflectance)
        material->reflectance = old;
    if (!eumelanin && !pheomelanin)
        material->eumelanin.value = lb_rgb_grey(1.3f);
    material->hair_color = absorption             ? LB_HAIR_ABSORPTION
                           : reflectance || color ? LB_HAIR_REFLECTANCE
                                                  : LB_HAIR_MELANIN;
    return LB_OK;
}

static enum lb_status build_hair(struct lb_builder *builder, const struct lb_parameters *parameters,
                                 lb_material *material)
{
    enum lb_status status = build_hair_color(builder, parameters, material);
    material->kind = LB_MATERIAL_HAIR;
    if (status != LB_OK ||
        (status = lb_build_float_input(builder, parameters, "eta", 1.55f, 0.0f, 1e6f, &material->eta,
                                       NULL)) != LB_OK ||
        (status = lb_build_float_input(builder, parameters, "beta_m", 0.3f, 0.0f, 1e3f, &material->uroughness,
                                       NULL)) != LB_OK ||
        (status = lb_build_float_input(builder, parameters, "beta_n", 0.3f, 0.0f, 1e3f, &material->vroughness,
                                       NULL)) != LB_OK)
        return status;
    return lb_build_float_input(builder, parameters, "alpha", 2.0f, -1e4f, 1e4f, &material->tilt, NULL);
}

static enum lb_status build_measured(struct lb_builder *builder, const struct lb_parameters *parameters,
                                     lb_material *material)
{
    const char *path;
    enum lb_status status = lb_build_file(builder, parameters, "filename", &path);
    material->kind = LB_MATERIAL_MEASURED;
    if (status == LB_OK && !path)
        return lb_build_error(builder, &parameters->location, "a measured material needs a \"filename\"");
    if (status != LB_OK)
        return status;
    return lb_build_measured(builder, path, lb_build_place(parameters, "filename"), &material->measured);
}

/* By reflectance and mean free path: the albedos that the reflectances stand for. */
static enum lb_status build_body_albedos(struct lb_builder *builder, lb_material *material)
{
    struct lb_vector *tables = &builder->arrays.tables;
    float *albedos = lb_vector_add(tables, LB_BODY_ALBEDOS);
    if (!albedos)
        return lb_build_no_memory(builder);
    material->albedos = tables->count - LB_BODY_ALBEDOS;
    lb_body_albedos(material->eta.value.r, material->g.value.r, albedos);
    return LB_OK;
}

/* What the body is made of is given by name, or by coefficients, or by reflectance: the first of these counts, as in
 * pbrt. */
static enum lb_status build_body(struct lb_builder *builder, const struct lb_parameters *parameters,
                                 lb_material *material)
{
    lb_rgb sigma_a = lb_rgb_make(0.0011f, 0.0024f, 0.014f), sigma_s = lb_rgb_make(2.55f, 3.21f, 3.77f);
    const char *name;
    bool absorbs, scatters, reflects, named;
    enum lb_status status = lb_parameters_string(parameters, "name", "", &name, builder->error);
    named = status == LB_OK && *name;
    if (named && !lb_medium_preset(name, &sigma_a, &sigma_s)) {
        size_t count;
        const struct lb_medium_preset *presets = lb_medium_presets(&count);
        return lb_build_unknown(builder, lb_build_place(parameters, "name"), "subsurface material", name,
                                presets, count, sizeof *presets);
    }
    if (status != LB_OK ||
        (status = lb_build_rgb_input(builder, parameters, named ? "" : "sigma_a", false, sigma_a,
                                     &material->sigma_a, &absorbs)) != LB_OK ||
        (status = lb_build_rgb_input(builder, parameters, named ? "" : "sigma_s", false, sigma_s,
                                     &material->sigma_s, &scatters)) != LB_OK ||
        (status = lb_build_rgb_input(builder, parameters, "reflectance", true, lb_rgb_grey(0.0f),
                                     &material->reflectance, &reflects)) != LB_OK ||
        (status = lb_build_rgb_input(builder, parameters, "mfp", false, lb_rgb_grey(1.0f), &material->mfp,
                                     NULL)) != LB_OK)
        return status;
    if (absorbs != scatters)
        return lb_build_error(builder, lb_build_place(parameters, absorbs ? "sigma_a" : "sigma_s"),
                              "a subsurface material has both \"sigma_a\" and \"sigma_s\", or neither");
    if (named) /* whose coefficients are reduced ones */
        material->g.value = lb_rgb_grey(0.0f);
    material->by_reflectance = !named && !absorbs && reflects;
    return material->by_reflectance ? build_body_albedos(builder, material) : LB_OK;
}

static enum lb_status build_subsurface(struct lb_builder *builder, const struct lb_parameters *parameters,
                                       lb_material *material)
{
    float eta, g;
    enum lb_status status;
    material->kind = LB_MATERIAL_SUBSURFACE;
    if ((status = build_own_roughness(builder, parameters, material)) != LB_OK ||
        (status = lb_build_float(builder, parameters, "eta", 1.33f, 1e-3f, 1e6f, &eta)) != LB_OK ||
        (status = lb_build_float(builder, parameters, "g", 0.0f, -1.0f, 1.0f, &g)) != LB_OK ||
        (status = lb_build_float(builder, parameters, "scale", 1.0f, 0.0f, 1e30f, &material->scale)) != LB_OK)
        return status;
    material->eta.value = lb_rgb_grey(eta);
    material->g.value = lb_rgb_grey(lb_clamp(g, -0.999f, 0.999f));
    return build_body(builder, parameters, material);
}

static enum lb_status build_interface(struct lb_builder *builder, const struct lb_parameters *parameters,
                                      lb_material *material)
{
    /* pbrt looks at none of them. */
    for (size_t i = 0; i < parameters->count; i++)
        parameters->items[i].used = true;
    material->kind = LB_MATERIAL_INTERFACE;
    builder->head.any_interface = 1;
    return LB_OK;
}

struct material_kind {
    const char *name;
    bool relief; /* it takes displacement and normalmap */
    enum lb_status (*build)(struct lb_builder *builder, const struct lb_parameters *parameters,
                            lb_material *material);
};

static const struct material_kind kinds[] = {
    {"diffuse", true, build_diffuse},
    {"conductor", true, build_conductor},
    {"dielectric", true, build_dielectric},
    {"thindielectric", true, build_thin_dielectric},
    {"coateddiffuse", true, build_coated_diffuse},
    {"interface", false, build_interface},
    {"none", false, build_interface},
    {"", false, build_interface},
    {"coatedconductor", true, build_coated_conductor},
    {"diffusetransmission", true, build_diffuse_transmission},
    {"mix", false, lb_build_mix},
    {"measured", true, build_measured},
    {"subsurface", true, build_subsurface},
    {"hair", false, build_hair},
};

static const struct material_kind *find_kind(const char *type)
{
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (strcmp(type, kinds[i].name) == 0)
            return &kinds[i];
    return NULL;
}

/* Where in a material its inputs are. */
static const size_t inputs[] = {
    offsetof(lb_material, reflectance),
    offsetof(lb_material, eta),
    offsetof(lb_material, k),
    offsetof(lb_material, uroughness),
    offsetof(lb_material, vroughness),
    offsetof(lb_material, thickness),
    offsetof(lb_material, albedo),
    offsetof(lb_material, g),
    offsetof(lb_material, base_uroughness),
    offsetof(lb_material, base_vroughness),
    offsetof(lb_material, transmittance),
    offsetof(lb_material, sigma_a),
    offsetof(lb_material, eumelanin),
    offsetof(lb_material, pheomelanin),
    offsetof(lb_material, tilt),
    offsetof(lb_material, sigma_s),
    offsetof(lb_material, mfp),
    offsetof(lb_material, amount),
    offsetof(lb_material, displacement),
};

enum { INPUTS = sizeof inputs / sizeof inputs[0] };

static lb_input *input_of(lb_material *material, size_t i)
{
    return (lb_input *)(void *)((char *)material + inputs[i]);
}

static enum lb_status build_material(struct lb_builder *builder, const struct lb_material_entity *entity,
                                     const struct material_kind *kind, lb_material *material)
{
    const struct lb_parameters *parameters = &entity->entity.parameters;
    if (entity->name)
        lb_parameters_find(parameters, "type");
    enum lb_status status = kind->build(builder, parameters, material);
    if (status == LB_OK && kind->relief)
        status = build_relief(builder, parameters, material);
    for (size_t i = 0; status == LB_OK && i < INPUTS; i++)
        if (lb_build_has_footprint(builder, input_of(material, i)))
            material->flags |= LB_MATERIAL_FOOTPRINT;
    return status == LB_OK ? lb_build_check_unused(builder, &entity->entity) : status;
}

enum lb_status lb_build_materials(struct lb_builder *builder)
{
    const struct lb_description *description = builder->description;
    for (size_t i = 0; i < description->material_count; i++) {
        const struct lb_material_entity *entity = &description->materials[i];
        const struct lb_location *location = &entity->entity.parameters.location;
        lb_material *material = lb_vector_add(&builder->arrays.materials, 1);
        if (!material)
            return lb_build_no_memory(builder);
        for (size_t input = 0; input < INPUTS; input++)
            input_of(material, input)->texture = LB_NONE;
        const struct material_kind *kind = entity->entity.type ? find_kind(entity->entity.type) : NULL;
        enum lb_status status = LB_OK;
        if (kind && builder->used.materials[i])
            status = build_material(builder, entity, kind, material);
        else if (entity->entity.type && !kind)
            status = lb_build_unknown(builder, location, "material", entity->entity.type, LB_ROWS(kinds));
        else if (builder->used.materials[i]) /* only mentioned */
            status =
                lb_build_no_name(builder, location, "material", entity->name, &description->material_names);
        if (lb_build_go_on(builder, status) != LB_OK)
            return status;
    }
    return lb_build_check_mixes(builder);
}
