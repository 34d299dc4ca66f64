#include "core/report/report.h"

#include <stdlib.h>

const char *lb_source_name(enum lb_source source)
{
    static const char *const names[] = {"equal", "given", "cached", "measured"};
    return names[source];
}

const char *lb_processor_kind_name(enum lb_processor_kind kind)
{
    static const char *const names[] = {"cpu", "cuda", "null"};
    return names[kind];
}

bool lb_report_measured(const struct lb_report_processor *processor)
{
    return processor->steps > 0 && processor->busy_seconds > 0;
}

/* Measured speeds, and for those that did nothing what their weights say beside the measured ones. */
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
        balance->bad_samples += p->bad_samples;
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

static void add_processor(struct lb_report_processor *sum, const struct lb_report_processor *pass,
                          double offset)
{
    sum->ranges += pass->ranges;
    sum->failed += pass->failed;
    sum->pixels += pass->pixels;
    sum->samples += pass->samples;
    sum->rays += pass->rays;
    sum->steps += pass->steps;
    sum->positions += pass->positions;
    sum->bad_samples += pass->bad_samples;
    sum->busy_seconds += pass->busy_seconds;
    sum->busy_cpu_seconds += pass->busy_cpu_seconds;
    sum->transfer_seconds += pass->transfer_seconds;
    if (pass->finish_seconds > 0)
        sum->finish_seconds = offset + pass->finish_seconds;
    sum->weight = pass->weight;
    sum->weight_source = pass->weight_source;
    sum->lost = pass->lost;
}

void lb_balance_add(struct lb_report_balance *sum, const struct lb_report_balance *pass)
{
    for (uint32_t i = 0; i < sum->processor_count; i++)
        add_processor(&sum->processors[i], &pass->processors[i], sum->t);
    sum->t += pass->t;
    sum->in_rays = pass->in_rays;
    sum->counts.messages += pass->counts.messages;
    sum->counts.steals_tried += pass->counts.steals_tried;
    sum->counts.steals_won += pass->counts.steals_won;
    sum->counts.pushes += pass->counts.pushes;
    sum->counts.polls += pass->counts.polls;
}

void lb_report_frame_free(struct lb_report_frame *frame)
{
    for (uint32_t i = 0; i < frame->pass_count; i++)
        free(frame->passes[i].processors);
    free(frame->passes);
    free(frame->all.processors);
    frame->passes = NULL;
    frame->all.processors = NULL;
    frame->pass_count = 0;
}

char *lb_report_write(const struct lb_report *report, enum lb_report_format format)
{
    switch (format) {
    case LB_REPORT_JSON:
        return lb_report_json(report);
    case LB_REPORT_CSV:
        return lb_report_csv(report);
    case LB_REPORT_TEXT:
        break;
    }
    return lb_report_text(report);
}
