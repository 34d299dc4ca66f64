/* Finds out which instruction sets this machine runs, and chooses the render loop for one. */
#include "core/cpu/render.h"
#include "core/cpu/tracers.h"

#include <string.h>

static const char *const names[LB_ISA_COUNT] = {"portable", "avx2", "avx512"};

#if defined(__x86_64__)
/* Asks for every extension that the Makefile's flags let the compiler use, one by one. */
bool lb_isa_runs(enum lb_isa isa)
{
    __builtin_cpu_init();
    bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
    switch (isa) {
    case LB_ISA_PORTABLE:
        return true;
    case LB_ISA_AVX2:
        return avx2;
    case LB_ISA_AVX512:
        return avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
               __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw");
    }
    return false;
}
#else
bool lb_isa_runs(enum lb_isa isa)
{
    return isa == LB_ISA_PORTABLE;
}
#endif

enum lb_isa lb_isa_best(void)
{
    return lb_isa_runs(LB_ISA_AVX512) ? LB_ISA_AVX512
           : lb_isa_runs(LB_ISA_AVX2) ? LB_ISA_AVX2
                                      : LB_ISA_PORTABLE;
}

const char *lb_isa_name(enum lb_isa isa)
{
    return (unsigned)isa < LB_ISA_COUNT ? names[isa] : "unknown";
}

bool lb_isa_parse(const char *text, enum lb_isa *isa)
{
    for (int i = 0; i < LB_ISA_COUNT; i++) {
        if (strcmp(text, names[i]) == 0) {
            *isa = (enum lb_isa)i;
            return true;
        }
    }
    return false;
}

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
#else
    static lb_render_function *const paths[] = {lb_render_portable};
    static lb_render_function *const volumes[] = {lb_volume_portable};
    static lb_render_function *const occlusion[] = {lb_occlusion_portable};
    isa = LB_ISA_PORTABLE;
#endif
    if (scene->integrator.kind == LB_INTEGRATOR_OCCLUSION)
        return occlusion[isa];
    return scene->any_volume != 0 ? volumes[isa] : paths[isa];
}
