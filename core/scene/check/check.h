/* Checks a loaded scene that was not made here, but came from another host or from a disk. */
#ifndef LB_CORE_SCENE_CHECK_CHECK_H
#define LB_CORE_SCENE_CHECK_CHECK_H

#include "core/base/error.h"
#include "core/kernel/scene/scene.h"

/* Looks through a block of `size` bytes, aligned to 64, in one pass: after LB_OK every index in it, every count and
 * every offset leads to something that is there, nothing that is followed from one place to the next goes round in a
 * circle, and what sizes a loop or a stack is as small as a scene of lb_scene_load() has it. So whatever the block
 * holds, rendering it reads nothing beyond it and ends. Numbers that mean a place, a colour or a distance may be
 * anything: what they lead to is a wrong picture. LB_ERROR: the message says what is wrong first. LB_ERROR_MEMORY:
 * some bytes for each node of the tree, each shape and each material are needed meanwhile. */
enum lb_status lb_scene_check(const lb_scene *scene, uint64_t size, struct lb_error *error);

#endif
