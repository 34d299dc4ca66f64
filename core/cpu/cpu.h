/* Processors that are CPU threads: the kernel compiled once for each instruction set, chosen when the program
 * runs. The picture is the same bytes with all of them. */
#ifndef LB_CORE_CPU_CPU_H
#define LB_CORE_CPU_CPU_H

#include "core/processor.h"

/* Worst to best. Portable: what every CPU of the architecture has (x86-64: SSE2, 64-bit ARM: NEON). */
enum lb_isa { LB_ISA_PORTABLE, LB_ISA_AVX2, LB_ISA_AVX512 };
#define LB_ISA_COUNT 3

bool lb_isa_runs(enum lb_isa isa);        /* can this machine run it? */
enum lb_isa lb_isa_best(void);            /* the fastest that this machine runs */
const char *lb_isa_name(enum lb_isa isa); /* "portable", "avx2", "avx512" */
/* False: no such name; `*isa` stays. */
bool lb_isa_parse(const char *text, enum lb_isa *isa);

/* A processor "cpu<index>" that renders on the thread that calls it. `scene` must outlive it. Released by its
 * table's close(). LB_ERROR: this machine does not run `isa`. */
enum lb_status lb_cpu_processor_open(const lb_scene *scene, unsigned index, enum lb_isa isa,
                                     struct lb_processor **processor, struct lb_error *error);

#endif
