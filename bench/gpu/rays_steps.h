/* What rays read of the compressed tree, for bench/gpu/rays.c: the kernels' own traversal, counted on the host. */
#ifndef LB_BENCH_GPU_RAYS_STEPS_H
#define LB_BENCH_GPU_RAYS_STEPS_H

#include "core/kernel/scene/scene.h"
#include "core/wave/wide_build.h"

struct rays_steps {
    uint64_t nodes, leaves; /* nodes visited, triangles tested */
    double bytes;           /* of both */
};

/* Of all rays: to the closest hit, or to any (`shadow`). */
struct rays_steps rays_steps(const lb_scene *scene, const lb_wide_tree *tree, const lb_ray *rays,
                             uint32_t count, bool shadow);

#endif
