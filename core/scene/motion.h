/* A transform between two: pbrt's AnimatedTransform, for the one moment that a frame shows. */
#ifndef LB_CORE_SCENE_MOTION_H
#define LB_CORE_SCENE_MOTION_H

#include "core/language/description.h"

#include <stdbool.h>

/* The transform at `at` (0: the start of the time range, 1: its end). Each end is decomposed into translation, rotation
 * and the rest (polar decomposition, Shoemake and Duff 1992); translation and rest are mixed, the rotation turns the
 * short way at a steady rate. `motion` maps what moves into the world. False: an end cannot be decomposed. */
bool lb_motion_at(const struct lb_motion *motion, double at, struct lb_matrix *matrix);

#endif
