/* A transform between two: pbrt's AnimatedTransform, as the kernel's lb_move or for one moment. */
#ifndef LB_CORE_SCENE_MOTION_MOTION_H
#define LB_CORE_SCENE_MOTION_MOTION_H

#include "core/kernel/scene/scene.h"
#include "core/language/description.h"

#include <stdbool.h>

/* The move, without `outer`, between the ends of `motion`, which are affine and map what moves into the world. Each end
 * is decomposed into translation, rotation and the rest, both around `pivot` (polar decomposition, Shoemake and Duff
 * 1992). False: an end cannot be decomposed. */
bool lb_motion_move(const struct lb_motion *motion, const double pivot[3], lb_move *move);

/* The move of what stands still as the affine matrix has it. */
void lb_motion_still(const struct lb_matrix *matrix, lb_move *move);

/* The transform at `at` (0: the start of the time range, 1: its end). False: an end cannot be decomposed, or what is
 * between them has no inverse. */
bool lb_motion_at(const struct lb_motion *motion, double at, struct lb_matrix *matrix);

#endif
