/* Where in a material its inputs are, for what handles all of them alike. */
#ifndef LB_CORE_SCENE_MATERIALS_INPUTS_H
#define LB_CORE_SCENE_MATERIALS_INPUTS_H

#include "core/kernel/scene/scene.h"

#include <stddef.h>

static const size_t lb_material_inputs[] = {
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
    offsetof(lb_material, metallic),
    offsetof(lb_material, transmission),
    offsetof(lb_material, specular),
    offsetof(lb_material, specular_color),
    offsetof(lb_material, clearcoat),
    offsetof(lb_material, clearcoat_roughness),
    offsetof(lb_material, sheen_color),
    offsetof(lb_material, sheen_roughness),
    offsetof(lb_material, displacement),
};

enum { LB_MATERIAL_INPUTS = sizeof lb_material_inputs / sizeof lb_material_inputs[0] };

#endif
