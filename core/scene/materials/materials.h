/* Materials. Private to core/scene. */
#ifndef LB_CORE_SCENE_MATERIALS_MATERIALS_H
#define LB_CORE_SCENE_MATERIALS_MATERIALS_H

#include "core/scene/builder/builder.h"

/* All materials that are used. Their numbers are those of the description. */
enum lb_status lb_build_materials(struct lb_builder *builder);

/* ---- between the files of this folder ---- */

/* ---- parameters of one interface between two media ---- */

/* The parameters by which a part of a material is rough: along both directions, or along each. */
struct lb_roughness_names {
    const char *both, *u, *v;
};

enum lb_status lb_build_roughness(const struct lb_builder *builder, const struct lb_parameters *parameters,
                                  const struct lb_roughness_names *names, lb_input *u, lb_input *v);
/* The material's one roughness, or that of its coat. */
enum lb_status lb_build_own_roughness(const struct lb_builder *builder,
                                      const struct lb_parameters *parameters, lb_material *material);
/* The index of an interface: a float, or a spectrum; 1.5 where the scene gives none. pbrt takes 0 for 1. Of a spectrum
 * *index is one number, for what has no wavelength, and all of it goes into material->indices, if it varies. */
enum lb_status lb_build_named_index(struct lb_builder *builder, const struct lb_parameters *parameters,
                                    const char *name, lb_material *material, float *index);
/* That of the parameter "eta", into the material. */
enum lb_status lb_build_index(struct lb_builder *builder, const struct lb_parameters *parameters,
                              lb_material *material);
/* A metal is given by its eta and k, whose names are told, or by "reflectance". */
enum lb_status lb_build_metal(struct lb_builder *builder, const struct lb_parameters *parameters,
                              const char *eta_name, const char *k_name, lb_material *material);

/* ---- materials ---- */

typedef enum lb_status lb_build_material_kind(struct lb_builder *builder,
                                              const struct lb_parameters *parameters, lb_material *material);
lb_build_material_kind lb_build_conductor, lb_build_dielectric, lb_build_thin_dielectric;
lb_build_material_kind lb_build_coated_diffuse, lb_build_coated_conductor;
lb_build_material_kind lb_build_hair, lb_build_subsurface, lb_build_metallic;

/* The image file of tangent-space normals that a parameter names, as a number of lb_scene.images, if it is given. */
enum lb_status lb_build_normal_map(struct lb_builder *builder, const struct lb_parameters *parameters,
                                   const char *name, uint32_t *image, bool *given);

/* Fills in a mix. The materials that it names may be made later in the file. */
enum lb_status lb_build_mix(struct lb_builder *builder, const struct lb_parameters *parameters,
                            lb_material *material);
/* Once all materials are there: an error where a mix contains itself, or an interface, as in pbrt. */
enum lb_status lb_build_check_mixes(const struct lb_builder *builder);

#endif
