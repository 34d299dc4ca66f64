#include "core/report/report.h"

#include "core/base/path.h"

#include <stdlib.h>
#include <string.h>

const char *lb_source_name(enum lb_source source)
{
    static const char *const names[] = {"equal", "given", "cached", "measured"};
    return names[source];
}

const char *lb_report_scene_name(const struct lb_report_run *run)
{
    return strcmp(run->scene, "-") == 0 ? "standard input" : lb_file_name(run->scene);
}

bool lb_report_measured(const struct lb_report_processor *processor)
{
    return processor->steps > 0 && processor->busy_seconds > 0;
}

bool lb_report_has_cpu_time(const struct lb_report_processor *processor)
{
    return processor->kind && !strcmp(processor->kind, "cpu") && processor->busy_cpu_seconds > 0;
}

uint32_t lb_report_without(const struct lb_report_balance *balance)
{
    uint32_t without = 0;
    for (uint32_t k = 0; k < balance->processor_count; k++)
        without += balance->processors[k].ranges == 0 && !balance->processors[k].lost;
    return without;
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
    lb_balance_divide(balance);
}

void lb_balance_wait(struct lb_report_balance *balance)
{
    for (uint32_t i = 0; i < balance->processor_count; i++) {
        struct lb_report_processor *p = &balance->processors[i];
        p->waited_seconds = balance->t > p->finish_seconds ? balance->t - p->finish_seconds : 0;
    }
}

static double between(double low, double value, double high)
{
    return value < low ? low : value > high ? high : value;
}

void lb_balance_divide(struct lb_report_balance *balance)
{
    double speed = 0, slowed = 0, waited = 0;
    for (uint32_t i = 0; i < balance->processor_count; i++) {
        const struct lb_report_processor *p = &balance->processors[i];
        speed += p->speed;
        waited += p->speed * p->waited_seconds;
        if (lb_report_has_cpu_time(p) && p->busy_seconds > p->busy_cpu_seconds)
            slowed += p->speed * (p->busy_seconds - p->busy_cpu_seconds);
    }
    double idle = balance->t > balance->t_min ? balance->t - balance->t_min : 0;
    balance->slowed_seconds = speed > 0 ? between(0, slowed / speed, balance->t_min) : 0;
    balance->imbalance_seconds = speed > 0 ? between(0, waited / speed, idle) : 0;
    balance->overhead_seconds = idle - balance->imbalance_seconds;
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

static void add_host_figures(struct lb_report_host *sum, const struct lb_report_host *part)
{
    memcpy(sum->host_name, part->host_name, sizeof sum->host_name);
    LB_HOST_FIGURES(ADD_FIGURE, ADD_COUNTER)
}

static void add_inner_figures(struct lb_report_host_processor *sum,
                              const struct lb_report_host_processor *part)
{
    LB_HOST_PROCESSOR_FIGURES(ADD_FIGURE, ADD_COUNTER)
}

/* The one that is named as `like` is, most probably in place `at`; a new one where there is none. NULL: out of
 * memory. */
static struct lb_report_host_processor *find_inner(struct lb_report_host *host, uint32_t at,
                                                   const struct lb_report_host_processor *like)
{
    for (uint32_t i = 0; i < host->processor_count; i++) {
        struct lb_report_host_processor *one = &host->processors[(at + i) % host->processor_count];
        if (!strcmp(one->name, like->name))
            return one;
    }
    struct lb_report_host_processor *more =
        reallocarray(host->processors, host->processor_count + 1, sizeof *more);
    if (!more)
        return NULL;
    host->processors = more;
    struct lb_report_host_processor *one = &more[host->processor_count++];
    *one = (struct lb_report_host_processor){.ranges = 0};
    memcpy(one->name, like->name, sizeof one->name);
    memcpy(one->kind, like->kind, sizeof one->kind);
    return one;
}

/* Adds what a host told in a pass to what it told before; *sum is made where that was nothing. */
static bool add_host(struct lb_report_host **sum, const struct lb_report_host *part)
{
    if (!part)
        return true;
    if (!*sum && !(*sum = calloc(1, sizeof **sum)))
        return false;
    add_host_figures(*sum, part);
    for (uint32_t i = 0; i < part->processor_count; i++) {
        struct lb_report_host_processor *one = find_inner(*sum, i, &part->processors[i]);
        if (!one)
            return false;
        add_inner_figures(one, &part->processors[i]);
    }
    return true;
}

void lb_balance_free(struct lb_report_balance *balance)
{
    for (uint32_t i = 0; balance->processors && i < balance->processor_count; i++) {
        if (balance->processors[i].host)
            free(balance->processors[i].host->processors);
        free(balance->processors[i].host);
    }
    free(balance->processors);
    balance->processors = NULL;
}

bool lb_balance_add(struct lb_report_balance *sum, const struct lb_report_balance *part)
{
    bool added = true;
    for (uint32_t i = 0; i < sum->processor_count; i++) {
        lb_report_add(&sum->processors[i], &part->processors[i], sum->t);
        added = add_host(&sum->processors[i].host, part->processors[i].host) && added;
    }
    LB_BALANCE_FIGURES(ADD_FIGURE, ADD_COUNTER)
    lb_strategy_counts_add(&sum->counts, &part->counts);
    sum->in_rays = part->in_rays;
    return added;
}

void lb_report_frame_free(struct lb_report_frame *frame)
{
    for (uint32_t i = 0; i < frame->pass_count; i++)
        lb_balance_free(&frame->passes[i]);
    free(frame->passes);
    lb_balance_free(&frame->all);
    lb_view_free(frame->view);
    frame->view = NULL;
    frame->passes = NULL;
    frame->pass_count = 0;
}
