/* The random walk below the coat of coated diffuse, for layers that scatter. */
#ifndef LB_CORE_KERNEL_MATERIALS_COAT_WALK_H
#define LB_CORE_KERNEL_MATERIALS_COAT_WALK_H

#include "core/kernel/materials/coat_interface.h"
#include "core/kernel/media/phase.h"

/* A walk below the coat, which gathers light from wi. */
typedef struct lb_coat_walker {
    lb_vec3 w;          /* its direction of travel */
    float height;       /* its height above the base, in mean free paths */
    lb_color beta, sum; /* its throughput, and the light gathered so far */
    lb_coat_way out;    /* the way through the coat to wi */
    enum lb_coat_use use;
} lb_coat_walker;

/* Adds the light that leaves towards wi from where the walk is. `scattered` is the density with which light scatters
 * there into that way, and `rest` what else its weight is. */
LB_INLINE void lb_coat_leave(const lb_coat *coat, lb_coat_walker *walker, float scattered, float rest)
{
    float arrives = rest * lb_layer_passes(coat->thickness - walker->height, walker->out.inside);
    if (walker->use == LB_COAT_LIT)
        arrives *= lb_coat_weighting(coat, &walker->out, scattered);
    walker->sum = lb_color_add(walker->sum, lb_color_scale(walker->beta, arrives));
}

/* Handles the walk's next event, which is a border of the layer or a scattering in it. False: the walk ends. */
LB_FUNCTION bool lb_coat_event(const lb_bsdf *bsdf, const lb_coat *coat, lb_coat_walker *walker,
                               lb_random *random)
{
    float free_path = -lb_log(1.0f - lb_random_1d(random));
    float next = walker->height + free_path * walker->w.z;
    lb_vec3 in = walker->out.inside;
    if (next > 0.0f && next < coat->thickness) {
        float phase = lb_phase(-lb_dot(walker->w, in), bsdf->g);
        walker->height = next;
        walker->beta = lb_color_mul(walker->beta, bsdf->b);
        lb_coat_leave(coat, walker, phase, phase / lb_abs(in.z));
        walker->w = lb_phase_sample(walker->w, bsdf->g, lb_random_2d(random));
    } else if (next <= 0.0f) {
        walker->height = 0.0f;
        walker->beta = lb_color_mul(walker->beta, bsdf->a);
        lb_coat_leave(coat, walker, lb_abs(in.z) * LB_1_PI, LB_1_PI);
        walker->w = lb_sample_cosine(lb_random_2d(random));
    } else {
        lb_vec3 down;
        float weight;
        walker->height = coat->thickness;
        if (!lb_coat_return(coat, lb_negate(walker->w), lb_random_2d(random), &down, &weight))
            return false;
        walker->beta = lb_color_scale(walker->beta, weight);
        walker->w = down;
    }
    return true;
}

/* Estimates f, without the cosine, by one walk: light is followed back from wo into the coat and through the layer, and
 * at every event that scatters into all directions the light that arrives there from wi is added. */
LB_SELDOM lb_color lb_coat_walk(const lb_bsdf *bsdf, lb_vec3 wo, lb_vec3 wi, enum lb_coat_use use,
                                lb_random *random)
{
    lb_coat coat = lb_coat_of(bsdf);
    lb_coat_walker walker;
    lb_coat_way in;
    walker.sum = lb_color_grey(0.0f);
    lb_vec2 u = lb_random_2d(random), v = lb_random_2d(random);
    if (!lb_coat_enter(&coat, wo, u, &in) || !lb_coat_enter(&coat, wi, v, &walker.out))
        return walker.sum;
    walker.use = use;
    walker.w = in.inside;
    walker.height = coat.thickness;
    walker.beta = lb_color_grey(in.weight * walker.out.weight / (coat.eta * coat.eta));
    for (uint32_t step = 0; step < bsdf->max_depth; step++) {
        float largest = lb_color_max(walker.beta);
        if (!(largest > 0.0f) || walker.w.z == 0.0f)
            break;
        if (step > 3 && largest < 0.25f) {
            if (lb_random_1d(random) >= largest)
                break;
            walker.beta = lb_color_scale(walker.beta, 1.0f / largest);
        }
        if (!lb_coat_event(bsdf, &coat, &walker, random))
            break;
    }
    return walker.sum;
}

#endif
