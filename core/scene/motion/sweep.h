/* Boxes around what moves. */
#ifndef LB_CORE_SCENE_MOTION_SWEEP_H
#define LB_CORE_SCENE_MOTION_SWEEP_H

#include "core/kernel/shapes/box.h"

/* A box in the world around all places to which move number `number` - 1 of `moves`, and those that it goes on by, take
 * a box from the start of the time range to its end, grown as lb_box_transform's. */
lb_box lb_sweep_box(const lb_move *moves, uint32_t number, const lb_box *box);

#endif
