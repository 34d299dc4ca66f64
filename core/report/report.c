#include "core/report/report.h"

#include <stdlib.h>

const char *lb_source_name(enum lb_source source)
{
    static const char *const names[] = {"equal", "given", "cached", "measured"};
    return names[source];
}

bool lb_report_measured(const struct lb_report_processor *processor)
{
    return processor->steps > 0 && processor->busy_seconds > 0;
}

/* Sets the processors' speeds: what was measured, and for a processor that did nothing the speed that its weight says
 * beside those of the others. */
static double finish_speeds(struct lb_report_balance *balance)
{
    double speed = 0, weight = 0, sum = 0;
    for (uint32_t i = 0; i < balance->processor_count; i++) {
        struct lb_report_processor *p = &balance->processors[i];
        bool measured = lb_report_measured(p);
        p->speed = measured ? (double)p->steps / p->busy_seconds : 0;
        p->speed_source = measured ? LB_SOURCE_MEASURED : p->weight_source;
        speed += p->speed;
        weight += measured ? p->weight : 0;
    }
    for (uint32_t i = 0; i < balance->processor_count; i++) {
        struct lb_report_processor *p = &balance->processors[i];
        if (!lb_report_measured(p) && weight > 0)
            p->speed = speed * p->weight / weight;
        sum += p->speed;
    }
    return sum;
}

void lb_balance_finish(struct lb_report_balance *balance)
{
    double steps = 0, positions = 0, speed = finish_speeds(balance);
    balance->bad_samples = 0;
    balance->lost = 0;
    for (uint32_t i = 0; i < balance->processor_count; i++) {
        struct lb_report_processor *p = &balance->processors[i];
        steps += (double)p->steps;
        positions += (double)p->positions;
        balance->bad_samples += p->counters.bad_samples;
        balance->lost += p->lost;
        p->idle_seconds = balance->t > p->busy_seconds ? balance->t - p->busy_seconds : 0;
    }
    for (uint32_t i = 0; i < balance->processor_count; i++) {
        struct lb_report_processor *p = &balance->processors[i];
        p->share = positions > 0 ? (double)p->positions / positions : 0;
    }
    balance->t_min = speed > 0 ? steps / speed : 0;
    balance->imbalance = balance->t_min > 0 ? (balance->t - balance->t_min) / balance->t_min : 0;
    balance->efficiency = balance->t > 0 ? balance->t_min / balance->t : 0;
}

/* What becomes of each figure over the passes, as its line of the table says. */
#define ADD_KEPT(field)
#define ADD_DERIVED(field)
#define ADD_ADDED(field)                              sum->field += part->field;
#define ADD_LATEST(field)                             sum->field = part->field;
#define ADD_FINISH(field)                             sum->field = part->field > 0 ? offset + part->field : sum->field;
#define ADD_FIGURE(kind, field, passes, told, column) ADD_##passes(field)
#define ADD_COUNTER(place, name, told, column)

void lb_report_add(struct lb_report_processor *sum, const struct lb_report_processor *part, double offset)
{
    LB_PROCESSOR_FIGURES(ADD_FIGURE, ADD_COUNTER)
    lb_counters_add(&sum->counters, &part->counters);
}

void lb_balance_add(struct lb_report_balance *sum, const struct lb_report_balance *part)
{
    for (uint32_t i = 0; i < sum->processor_count; i++)
        lb_report_add(&sum->processors[i], &part->processors[i], sum->t);
    LB_BALANCE_FIGURES(ADD_FIGURE, ADD_COUNTER)
    lb_strategy_counts_add(&sum->counts, &part->counts);
    sum->in_rays = part->in_rays;
}

void lb_report_frame_free(struct lb_report_frame *frame)
{
    for (uint32_t i = 0; i < frame->pass_count; i++)
        free(frame->passes[i].processors);
    free(frame->passes);
    free(frame->all.processors);
    lb_view_free(frame->view);
    frame->view = NULL;
    frame->passes = NULL;
    frame->all.processors = NULL;
    frame->pass_count = 0;
}
