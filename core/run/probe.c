#include "core/run/probe.h"

#include "core/run/prepass.h"

#include <stdlib.h>

static void note_lost(const struct lb_probing *probing, const bool *lost)
{
    for (uint32_t i = 0; i < probing->active_count; i++)
        if (lost[i]) {
            struct lb_member *member = &probing->members[probing->active[i]];
            struct lb_report_processor *report = &probing->reports[probing->active[i]];
            member->lost = report->lost = true;
            report->failed++;
            lb_error_set(&member->error, LB_ERROR, "in the pre-pass");
        }
}

enum lb_status lb_probe_make(const struct lb_probing *probing, const lb_scene *scene, enum lb_probe probe,
                             struct lb_estimate *estimate, struct lb_error *error)
{
    uint32_t count = probing->active_count;
    uint32_t cell = lb_prepass_cell(scene->film.width, scene->film.height, scene->integrator.samples);
    bool *lost = calloc(count, sizeof *lost);
    struct lb_processor **processors = calloc(count, sizeof *processors);
    enum lb_status status = lost && processors ? LB_OK : lb_error_memory(error, NULL);
    for (uint32_t i = 0; i < count && status == LB_OK; i++)
        processors[i] = probing->members[probing->active[i]].processor;
    if (status == LB_OK)
        status = lb_prepass(scene, probe, cell, processors, count, probing->signal, estimate, lost, error);
    if (lost)
        note_lost(probing, lost);
    free(lost);
    free(processors);
    return status;
}
