/* What a sample sees, followed by core/kernel's loops, whose rays try every primitive: for tests without a tree. The
 * loops are compiled once for all tests (brute_radiance.c), as they take compilers longer than all else in these. */
#ifndef LB_TEST_UNIT_BRUTE_RADIANCE_H
#define LB_TEST_UNIT_BRUTE_RADIANCE_H

#include "core/kernel/color.h"
#include "core/kernel/counters.h"
#include "core/kernel/film/filter.h"

/* What a sample of the pixel (x, y) sees: lb_path_radiance and its like. */
typedef lb_rgb radiance_of(const lb_scene *scene, uint32_t x, uint32_t y, uint32_t sample,
                           lb_filter_place *place, const int *stop, lb_counters *counters);

/* lb_path_radiance, lb_volume_radiance and lb_occlusion_radiance. */
radiance_of brute_path, brute_volume, brute_occlusion;

#endif
