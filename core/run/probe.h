/* A probe of a scene by the processors of a run, which may be lost in it. */
#ifndef LB_CORE_RUN_PROBE_H
#define LB_CORE_RUN_PROBE_H

#include "core/run/pass/member.h"

struct lb_probing {
    struct lb_member *members;
    const uint32_t *active; /* numbers of the members that take part */
    uint32_t active_count;
    struct lb_report_processor *reports; /* a member each */
    const atomic_int *signal; /* not 0: end soon; a renewal does not cut a probe short. May be NULL */
};

/* Fills `estimate` with what `probe` finds; its cost is the caller's to free, and NULL where no processor counts steps.
 * A member that is lost is marked so, in its report too. */
enum lb_status lb_probe_make(const struct lb_probing *probing, const lb_scene *scene, enum lb_probe probe,
                             struct lb_estimate *estimate, struct lb_error *error);

#endif
