/* The stages of the pipeline (core/kernel/integrators/wavefront.h), in the order in which a GPU runs their kernels. */
#ifndef LB_CORE_WAVE_STAGE_H
#define LB_CORE_WAVE_STAGE_H

/* BEGIN runs once for each batch, after its counts were cleared, then turns of all the others. GATHER runs only for
 * pictures with channels, and those of the REST only where rays are put off (lb_wave_runs). */
enum lb_wave_stage {
    LB_WAVE_BEGIN,
    LB_WAVE_TRACE,
    LB_WAVE_TRACE_REST,
    LB_WAVE_COUNT,
    LB_WAVE_SORT,
    LB_WAVE_GATHER,
    LB_WAVE_SHADE,
    LB_WAVE_SHADOW,
    LB_WAVE_SHADOW_REST,
    LB_WAVE_TURN,
    LB_WAVE_STAGES,
};

#endif
