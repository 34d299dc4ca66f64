/* Finds out which instruction sets this machine runs. */
#include "core/cpu/cpu.h"

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
