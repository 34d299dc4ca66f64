#include "core/run/member.h"

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
    if (member->processor)
        memcpy(report->name, member->processor->name, sizeof report->name);
    report->kind = member->type;
    report->model = member->model;
    report->weight = member->weight;
    report->weight_source = member->weight_source;
    report->lost = member->lost;
}
