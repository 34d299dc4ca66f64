#include "core/scene/materials/materials.h"

#include "core/scene/block/limits.h"
#include "core/scene/builder/messages.h"
#include "core/scene/builder/parameters.h"
#include "core/scene/textures/textures.h"

enum lb_status lb_build_mix(struct lb_builder *builder, const struct lb_parameters *parameters,
                            lb_material *material)
{
    const struct lb_description *description = builder->description;
    const struct lb_parameter *names = lb_parameters_find(parameters, "materials");
    const struct lb_location *location = lb_build_place(parameters, "materials");
    material->kind = LB_MATERIAL_MIX;
    if (!names || names->type != LB_PARAMETER_STRING || names->count != 2)
        return lb_build_error(builder, location, "a mix needs two names: \"string materials\" [ .. ]");
    for (int i = 0; i < 2; i++) {
        uint32_t index = lb_names_find(&description->material_names, names->strings[i]);
        if (index == UINT32_MAX)
            return lb_build_no_name(builder, location, "material", names->strings[i],
                                    &description->material_names);
        material->mixed[i] = index;
    }
    enum lb_status status =
        lb_build_float_input(builder, parameters, "amount", 0.5f, -1e30f, 1e30f, &material->amount, NULL);
    return status == LB_OK ? lb_build_no_second_uv(builder, parameters, "amount", &material->amount) : status;
}

enum mix_state { MIX_UNKNOWN, MIX_BEGUN, MIX_GOOD };

/* Checks one mix and the mixes in it, `depth` of which lie around it, and sets the flags that depend on these. */
static enum lb_status check_mix(const struct lb_builder *builder, uint32_t index, enum mix_state *states,
                                int depth)
{
    lb_material *materials = builder->arrays.materials.data, *material = materials + index;
    const struct lb_location *location =
        lb_build_place(&builder->description->materials[index].entity.parameters, "materials");
    if (material->kind != LB_MATERIAL_MIX || states[index] == MIX_GOOD)
        return LB_OK;
    if (states[index] == MIX_BEGUN)
        return lb_build_error(builder, location, "this mix contains itself");
    if (depth == LB_MIX_DEPTH)
        return lb_build_error(builder, location, "mixes nest more than %d deep", LB_MIX_DEPTH);
    states[index] = MIX_BEGUN;
    for (int i = 0; i < 2; i++) {
        const lb_material *part = materials + material->mixed[i];
        if (part->kind == LB_MATERIAL_INTERFACE)
            return lb_build_error(builder, location, "an interface cannot be part of a mix");
        enum lb_status status = check_mix(builder, material->mixed[i], states, depth + 1);
        if (status != LB_OK)
            return status;
        if (part->kind == LB_MATERIAL_SUBSURFACE || (part->flags & LB_MATERIAL_HOLDS_SUBSURFACE) != 0)
            material->flags |= LB_MATERIAL_HOLDS_SUBSURFACE;
        if (part->kind == LB_MATERIAL_MIX) /* its amount is looked up with the outer mix's footprint */
            material->flags |= part->flags & LB_MATERIAL_FILTERED;
    }
    states[index] = MIX_GOOD;
    return LB_OK;
}

enum lb_status lb_build_check_mixes(const struct lb_builder *builder)
{
    uint32_t count = (uint32_t)builder->arrays.materials.count;
    enum mix_state *states = lb_arena_alloc(builder->arena, count + 1, sizeof *states);
    if (!states)
        return lb_build_no_memory(builder);
    for (uint32_t i = 0; i < count; i++) {
        enum lb_status status = check_mix(builder, i, states, 0);
        if (status != LB_OK)
            return status;
    }
    return LB_OK;
}
