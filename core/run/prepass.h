/* A cheap guess of what each part of a picture costs: one sample, or one camera ray, of one pixel in each cell of a
 * coarse grid. */
#ifndef LB_CORE_RUN_PREPASS_H
#define LB_CORE_RUN_PREPASS_H

#include "core/run/pass/schedule.h"

/* The side of a cell in pixels for a picture with so many samples a pixel, such that what the pre-pass costs and
 * what its noise costs are about least together: the first grows as its n samples do, the second as 1 / sqrt(n), so
 * that n = S^(2/3) of the picture's S samples, by measurements with 8 processors; but no more than a 64th of them. */
uint32_t lb_prepass_cell(uint32_t width, uint32_t height, uint32_t samples);
/* Fills a map of cells of `cell` x `cell` pixels (the last ones may be smaller; the map's size follows), in steps,
 * with what `probe` finds; cost is the caller's to free. All `processors` that count steps render it, and where none
 * does, `estimate` has no cost; lost ones are marked in `lost` (count, may be NULL). Its samples are not used in the
 * picture. Where `*signal` is not 0 it ends soon; `signal` may be NULL.
 * Where it did so, or all processors were lost, there is no map: `estimate` has no cost. */
enum lb_status lb_prepass(const lb_scene *scene, enum lb_probe probe, uint32_t cell,
                          struct lb_processor *const *processors, uint32_t count, const atomic_int *signal,
                          struct lb_estimate *estimate, bool *lost, struct lb_error *error);

#endif
