/* Participating media. Private to core/scene. */
#ifndef LB_CORE_SCENE_MEDIA_MEDIA_H
#define LB_CORE_SCENE_MEDIA_MEDIA_H

#include "core/scene/builder/builder.h"

/* The media that are used: comes after all that may name one. */
enum lb_status lb_build_media(struct lb_builder *builder);
/* Index of the medium of that name, which is used then; LB_NONE for "" and NULL. An error where there is none. */
enum lb_status lb_build_find_medium(const struct lb_builder *builder, const struct lb_location *location,
                                    const char *name, uint32_t *medium);

/* ---- between the files of this folder ---- */

/* sigma_a and sigma_s: those of "preset", where one is named, else the medium's own; times "scale". */
enum lb_status lb_build_medium_sigmas(struct lb_builder *builder, const struct lb_parameters *parameters,
                                      lb_medium *built);
/* g of the phase function. */
enum lb_status lb_build_medium_phase(const struct lb_builder *builder, const struct lb_parameters *parameters,
                                     lb_medium *built);
/* The box of the parameters p0 and p1, and the medium's space (lb_build_medium_space). */
enum lb_status lb_build_medium_box(const struct lb_builder *builder, const struct lb_medium_entity *entity,
                                   lb_medium *built);
/* medium_from_world, of the start of the time range. Where the space is flat, the medium's box becomes empty. */
enum lb_status lb_build_medium_space(const struct lb_builder *builder, const struct lb_medium_entity *entity,
                                     lb_medium *built);

/* Puts values, `channels` of each sample together and x fastest, into the tables; index_from_medium is the caller's
 * affair. */
enum lb_status lb_build_grid_put(struct lb_builder *builder, const float *values, const uint32_t size[3],
                                 uint32_t channels, lb_grid *grid);
/* The same for colours, of a space (core/base/color_space.h), where these are spectra. */
enum lb_status lb_build_grid_put_spectra(struct lb_builder *builder, const float *values,
                                         const uint32_t size[3], uint32_t space, lb_grid *grid);
/* The most that a sample of such a grid has at any wavelength. */
float lb_build_most_of_spectrum(const float sample[4]);
/* Room for the bounds, all 0, of a medium whose grids have so many samples. */
enum lb_status lb_build_medium_cells(struct lb_builder *builder, const uint32_t size[3], lb_medium *medium);
/* Adds `scale` times a grid's largest values (1 where there is no grid) to the bounds of the medium's cells. */
void lb_build_medium_bound(const struct lb_builder *builder, const lb_medium *medium, const lb_grid *grid,
                           float scale);
/* The cells of a medium whose grid of density is known and spans its box. */
enum lb_status lb_build_grid_bounds(struct lb_builder *builder, lb_medium *medium);
/* The parameters of temperatures, and the colours of those of a medium whose grid of them is known. */
enum lb_status lb_build_heat(struct lb_builder *builder, const struct lb_parameters *parameters,
                             lb_medium *built);

/* Media of each kind that varies. */
enum lb_status lb_build_uniform_grid(struct lb_builder *builder, const struct lb_medium_entity *entity,
                                     lb_medium *built);
enum lb_status lb_build_rgb_grid(struct lb_builder *builder, const struct lb_medium_entity *entity,
                                 lb_medium *built);
enum lb_status lb_build_nanovdb(struct lb_builder *builder, const struct lb_medium_entity *entity,
                                lb_medium *built);
enum lb_status lb_build_cloud(struct lb_builder *builder, const struct lb_medium_entity *entity,
                              lb_medium *built);

#endif
