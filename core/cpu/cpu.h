/* CPU threads as processors. The kernel is compiled once for each instruction set, and the one to use is chosen when
 * the program runs. The picture is the same bytes with all of them. */
#ifndef LB_CORE_CPU_CPU_H
#define LB_CORE_CPU_CPU_H

#include "core/processor.h"

/* Instruction sets, from the slowest to the fastest. The portable one is what every CPU of the architecture has: SSE2
 * on x86-64, NEON on 64-bit ARM. */
enum lb_isa { LB_ISA_PORTABLE, LB_ISA_AVX2, LB_ISA_AVX512 };
#define LB_ISA_COUNT 3

bool lb_isa_runs(enum lb_isa isa);        /* can this machine run it? */
enum lb_isa lb_isa_best(void);            /* the fastest that this machine runs */
const char *lb_isa_name(enum lb_isa isa); /* "portable", "avx2", "avx512" */
/* Reads a name as lb_isa_name() has it. False: there is no such name, and `*isa` stays as it was. */
bool lb_isa_parse(const char *text, enum lb_isa *isa);

/* Opens a processor named "cpu<index>", which renders on the thread that calls its render(). `scene` must outlive it;
 * the close() of its table releases it. LB_ERROR: this machine does not run `isa`. LB_ERROR_MEMORY: there is no memory
 * for it. */
enum lb_status lb_cpu_processor_open(const lb_scene *scene, unsigned index, enum lb_isa isa,
                                     struct lb_processor **processor, struct lb_error *error);

#endif
