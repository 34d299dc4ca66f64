#include "bench/gpu/rays_steps.h"

static struct rays_steps counted;
#define LB_WIDE_COUNT(what) (counted.what++)
#include "core/kernel/tree/wide_trace.h"

struct rays_steps rays_steps(const lb_scene *scene, const lb_wide_tree *tree, const lb_ray *rays,
                             uint32_t count, bool shadow)
{
    lb_wide_entry fast[LB_WIDE_FAST];
    lb_wide_stack stack;
    lb_wide_aside aside;
    stack.fast = fast;
    stack.stride = 1;
    stack.aside = &aside;
    counted = (struct rays_steps){0};
    for (uint32_t i = 0; i < count; i++) {
        lb_hit hit;
        lb_wide_miss(rays[i].t_max,
                     &hit); /* as after a first walk, if the tree could ask for the second alone */
        lb_wide_trace(scene, tree, &rays[i], shadow, tree->asks, &stack, &hit);
    }
    counted.bytes =
        (double)counted.nodes * sizeof(lb_wide_node) + (double)counted.leaves * sizeof(lb_wide_leaf);
    return counted;
}
