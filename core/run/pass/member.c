#include "core/run/pass/member.h"

#include "core/run/speeds/weights.h"
#include "core/speed.h"

#include <stdlib.h>
#include <string.h>

bool lb_members_differ(const struct lb_member *members, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++)
        if (members[i].model != members[0].model)
            return true;
    return false;
}

bool lb_members_weighed(const struct lb_member *members, const uint32_t *active, uint32_t active_count)
{
    for (uint32_t i = 0; i < active_count; i++)
        if (members[active[i]].weight_source == LB_SOURCE_EQUAL)
            return false;
    return true;
}

bool lb_member_is_left(const struct lb_member *member)
{
    return member->processor && !member->lost;
}

void lb_member_report(const struct lb_member *member, struct lb_report_processor *report)
{
    if (member->processor || *member->name)
        memcpy(report->name, *member->name ? member->name : member->processor->name, sizeof report->name);
    report->kind = member->type;
    report->model = member->model;
    report->weight =
        member->opened || member->processor ? member->weight : 0; /* what never came can do nothing */
    report->weight_source = member->weight_source;
    report->lost = member->lost;
}

void lb_members_learn(struct lb_member *members, const uint32_t *active, uint32_t active_count,
                      const struct lb_report_balance *balance, const struct lb_error *errors)
{
    for (uint32_t i = 0; i < active_count; i++) {
        struct lb_member *member = &members[active[i]];
        const struct lb_report_processor *p = &balance->processors[active[i]];
        member->lost = p->lost;
        if (p->failed || p->lost)
            member->error = errors[active[i]];
        member->last = (struct lb_measured){p->busy_seconds, p->positions, p->finish_seconds, p->lost};
    }
}

enum lb_status lb_members_refine(struct lb_member *members, uint32_t count, bool first,
                                 const struct lb_report_balance *balance, struct lb_error *error)
{
    double *weights = calloc(count, sizeof *weights), *speeds = calloc(count, sizeof *speeds);
    bool done = weights && speeds && lb_weights_measure(balance, speeds);
    for (uint32_t i = 0; done && i < count; i++)
        weights[i] = members[i].weight;
    if (done)
        lb_weights_refine(speeds, count, first, weights);
    for (uint32_t i = 0; done && i < count; i++) {
        members[i].weight = weights[i];
        members[i].weight_source = LB_SOURCE_MEASURED;
    }
    free(weights);
    free(speeds);
    return done ? LB_OK : lb_error_memory(error, NULL);
}
