/* Chooses the render loop for an instruction set. */
#include "core/cpu/render.h"
#include "core/cpu/tracers.h"

const struct lb_tracer *const lb_tracers[] = {
    &lb_tracer_portable,
#if defined(__x86_64__)
    &lb_tracer_avx2,
    &lb_tracer_avx512,
#endif
};
const unsigned lb_tracer_count = sizeof lb_tracers / sizeof lb_tracers[0];

lb_render_function *lb_render_of(enum lb_isa isa, const lb_scene *scene)
{
#if defined(__x86_64__)
    static lb_render_function *const paths[] = {lb_render_portable, lb_render_avx2, lb_render_avx512};
    static lb_render_function *const volumes[] = {lb_volume_portable, lb_volume_avx2, lb_volume_avx512};
    static lb_render_function *const occlusion[] = {lb_occlusion_portable, lb_occlusion_avx2,
                                                    lb_occlusion_avx512};
    static lb_render_function *const spectral[] = {lb_spectral_portable, lb_spectral_avx2, lb_spectral_avx2};
    static lb_render_function *const groups[] = {lb_groups_portable, lb_groups_avx2, lb_groups_avx2};
#else
    static lb_render_function *const paths[] = {lb_render_portable};
    static lb_render_function *const volumes[] = {lb_volume_portable};
    static lb_render_function *const occlusion[] = {lb_occlusion_portable};
    static lb_render_function *const spectral[] = {lb_spectral_portable};
    static lb_render_function *const groups[] = {lb_groups_portable};
    isa = LB_ISA_PORTABLE;
#endif
    if (scene->integrator.kind == LB_INTEGRATOR_OCCLUSION)
        return occlusion[isa];
    if (scene->quads.count != 0)
        return spectral[isa];
    if ((scene->channels.wanted >> LB_CHANNEL_GROUPS & 1) != 0)
        return groups[isa];
    if (scene->guide.paths != 0)
        return lb_guided_of(isa);
    return scene->any_volume != 0 ? volumes[isa] : paths[isa];
}

lb_render_function *lb_guided_of(enum lb_isa isa)
{
#if defined(__x86_64__)
    return isa == LB_ISA_PORTABLE ? lb_guided_portable : lb_guided_avx2;
#else
    (void)isa;
    return lb_guided_portable;
#endif
}
