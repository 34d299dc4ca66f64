/* Integrator, sampler and accelerator. Private to core/scene. */
#ifndef LB_CORE_SCENE_INTEGRATORS_INTEGRATORS_H
#define LB_CORE_SCENE_INTEGRATORS_INTEGRATORS_H

#include "core/scene/builder/builder.h"

/* How light is followed: all of pbrt's integrators but ambient occlusion become path tracing. */
enum lb_status lb_build_integrator(struct lb_builder *builder);
/* Samples a pixel, and the seed. */
enum lb_status lb_build_sampler(struct lb_builder *builder);
/* Looks at the accelerator's name alone: there is one tree. */
enum lb_status lb_build_accelerator(struct lb_builder *builder);

#endif
