/* The loop over a range's positions, compiled once for each instruction set. For core/cpu alone. */
#ifndef LB_CORE_CPU_RENDER_H
#define LB_CORE_CPU_RENDER_H

#include "core/cpu/cpu.h"

/* Renders `work` into a result whose arrays are zeroed, adds to the result's counters and samples, and sets `stopped`
 * where it was told to end early. The floating point environment must be the default one: rounding to nearest,
 * denormals kept. */
typedef void lb_render_function(const struct lb_work *work, struct lb_result *result);

lb_render_function lb_render_portable, lb_render_avx2, lb_render_avx512;
/* The same for scenes whose media scatter or emit light. Media that merely absorb need no loop of their own. */
lb_render_function lb_volume_portable, lb_volume_avx2, lb_volume_avx512;
/* The same of the integrator ambientocclusion. */
lb_render_function lb_occlusion_portable, lb_occlusion_avx2, lb_occlusion_avx512;

/* The same where colours are spectra, whatever the media are, and whether groups of lights are told apart. Machines
 * with AVX-512 run that of AVX2, as a third would take too long to compile. */
lb_render_function lb_spectral_portable, lb_spectral_avx2;

/* The same where it is summed what groups of lights bring, in red, green and blue. As those pictures are seldom asked
 * for, here too machines with AVX-512 run what is for AVX2. */
lb_render_function lb_groups_portable, lb_groups_avx2;

/* The same where a guide leads paths, that of lb_work. */
lb_render_function lb_guided_portable, lb_guided_avx2;

/* Chooses the loop for this instruction set and this scene. */
lb_render_function *lb_render_of(enum lb_isa isa, const lb_scene *scene);
/* The same for work with a guide. */
lb_render_function *lb_guided_of(enum lb_isa isa);

#endif
