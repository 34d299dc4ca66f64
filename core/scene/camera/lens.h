/* What the files that build the lens of a realistic camera share (pbrt-v4's RealisticCamera). Lengths are in metres.
 * Private to core/scene. */
#ifndef LB_CORE_SCENE_CAMERA_LENS_H
#define LB_CORE_SCENE_CAMERA_LENS_H

#include "core/scene/builder/builder.h"

enum { LB_LENS_COLUMNS = 4 }; /* numbers an element, in a lens's file and in lb_lens_build.elements */

#define LB_MILLIMETRE 0.001f

/* What a lens is made of, while it is built. */
struct lb_lens_build {
    float *elements; /* as lb_lens.first_element says */
    uint32_t count;
    float *stop; /* of stop_size; NULL: round */
    uint32_t stop_size[2];
    float width, height;   /* of the film */
    double image_distance; /* from the film to the principal plane on its side, in focus */
};

/* Reads the parameters "lensfile" and "aperturediameter" into elements and their count. */
enum lb_status lb_build_lens_elements(const struct lb_builder *builder,
                                      const struct lb_parameters *parameters, struct lb_lens_build *lens);
/* Moves the lens along the axis so that what is "focusdistance" from the film is sharp on it, by the thick lens that
 * stands for it near the axis; sets image_distance. */
enum lb_status lb_build_lens_focus(const struct lb_builder *builder, const struct lb_parameters *parameters,
                                   struct lb_lens_build *lens);
/* Draws or reads the shape that the parameter "aperture" names: how much light passes each cell of the stop. */
enum lb_status lb_build_lens_stop(struct lb_builder *builder, const struct lb_parameters *parameters,
                                  struct lb_lens_build *lens);
/* Where light gets through the rear of the lens, seen from LB_LENS_ZONES rings of the film: four numbers each in
 * `zones`, least x, most x, least y, most y. An error where none does. */
enum lb_status lb_build_lens_zones(const struct lb_builder *builder, const struct lb_parameters *parameters,
                                   const struct lb_lens_build *lens, float *zones);

#endif
