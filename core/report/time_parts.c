#include "core/report/time_parts.h"

#include "core/base/text.h"

/* The part of their busy time in which CPU threads had a CPU, at most 1; 1 also where nothing is known of it. */
static double cpu_part(const struct lb_report_balance *balance)
{
    double busy = 0, cpu = 0;
    for (uint32_t i = 0; i < balance->processor_count; i++) {
        const struct lb_report_processor *p = &balance->processors[i];
        if (lb_report_has_cpu_time(p)) {
            busy += p->busy_seconds;
            cpu += p->busy_cpu_seconds;
        }
    }
    return busy > cpu ? cpu / busy : 1;
}

char *lb_time_parts_text(const struct lb_report_balance *b, bool simulated)
{
    struct lb_text text = {0};
    int digits = b->t < 1 ? 4 : b->t < 1e4 ? 2 : 0;
    lb_text_add(&text, "of T: %.*f s rendering", digits, b->t_min - b->slowed_seconds);
    if (!simulated)
        lb_text_add(&text, ", %.*f s slowed by others", digits, b->slowed_seconds);
    lb_text_add(&text, ", %.*f s overhead, %.*f s imbalance", digits, b->overhead_seconds, digits,
                b->imbalance_seconds);
    if (!simulated)
        lb_text_add(&text, "\nCPUs: threads had one in %.0f %% of their busy time; %.2f s were stolen",
                    100 * cpu_part(b), b->steal_seconds);
    return lb_text_take(&text);
}
