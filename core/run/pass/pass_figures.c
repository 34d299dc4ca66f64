#include "core/run/pass/pass_figures.h"

#include "core/machine/steal.h"

#include <stdlib.h>
#include <string.h>

/* A GPU counts no nodes and groups. Where one takes part, work is counted in rays: all count these alike, and speeds
 * have to be comparable. */
static bool counts_rays(const struct lb_pass_job *job)
{
    for (uint32_t i = 0; i < job->count; i++) {
        const struct lb_processor *processor = job->members[i].processor;
        if (processor && processor->uncounted)
            return job->scene->integrator.kind != LB_INTEGRATOR_MANDELBROT;
    }
    return false;
}

/* The cost in steps, the unit of --cost-map. */
static uint64_t count_steps(const lb_scene *scene, const struct lb_report_processor *p, bool in_rays)
{
    const lb_counters *c = &p->counters;
    if (scene->integrator.kind == LB_INTEGRATOR_MANDELBROT)
        return c->nodes;
    if (in_rays)
        return c->rays;
    return lb_counters_steps(c, p->samples);
}

/* What one did: its tally, and what takes the whole pass to know. */
static void report_active(const struct lb_pass_job *job, const struct lb_tally *tally, bool in_rays,
                          const struct lb_member *member, uint64_t samples_before,
                          struct lb_report_processor *p)
{
    uint32_t samples = job->sample_end - job->sample_begin;
    *p = tally->did;
    lb_member_report(member, p);
    p->lost = tally->did.lost;
    /* Of pixels that several shared, one is counted as another's. */
    p->pixels = samples ? (samples_before + p->samples) / samples - samples_before / samples : 0;
    p->steps = count_steps(job->scene, p, in_rays);
}

/* What a member that is another host has to tell of the pass. */
static enum lb_status report_host(const struct lb_member *member, struct lb_report_processor *p,
                                  struct lb_error *error)
{
    struct lb_remote remote;
    struct lb_processor *processor = member->processor;
    if (!processor || !processor->table->tell)
        return LB_OK;
    processor->table->tell(processor, &remote);
    struct lb_report_host *host = calloc(1, sizeof *host);
    struct lb_report_host_processor *inner = calloc(remote.processor_count + 1, sizeof *inner);
    if (!host || !inner) {
        free(host);
        free(inner);
        free(remote.processors);
        return lb_error_memory(error, NULL);
    }
    *host = (struct lb_report_host){.bytes_sent = remote.bytes_sent,
                                    .bytes_received = remote.bytes_received,
                                    .network_messages = remote.messages,
                                    .round_trip_seconds = remote.round_trip_seconds,
                                    .network_seconds = remote.network_seconds,
                                    .processors = inner,
                                    .processor_count = remote.processor_count};
    memcpy(host->host_name, remote.host, sizeof host->host_name);
    for (uint32_t i = 0; i < remote.processor_count; i++) {
        const struct lb_remote_processor *one = &remote.processors[i];
        inner[i] = (struct lb_report_host_processor){
            .ranges = one->did.ranges, .samples = one->did.samples, .busy_seconds = one->did.busy_seconds};
        memcpy(inner[i].name, one->name, sizeof inner[i].name);
        memcpy(inner[i].kind, one->kind, sizeof inner[i].kind);
    }
    free(remote.processors);
    p->host = host;
    return LB_OK;
}

static void ask_strategy(const struct lb_pass_job *job, struct lb_report_balance *balance)
{
    const struct lb_strategy *strategy = job->options->settings.strategy;
    if (strategy->counts)
        strategy->counts(job->state, &balance->counts);
    if (strategy->describe)
        strategy->describe(job->state, balance->described, sizeof balance->described);
}

enum lb_status lb_pass_figures(const struct lb_pass_job *job, const struct lb_tally *tallies,
                               struct lb_pass_result *result, struct lb_error *error)
{
    struct lb_report_balance *balance = &result->balance;
    balance->processors = calloc(job->count, sizeof *balance->processors);
    result->errors = calloc(job->count, sizeof *result->errors);
    if (!balance->processors || !result->errors)
        return lb_error_memory(error, NULL);
    balance->processor_count = job->count;
    balance->in_rays = counts_rays(job);
    for (uint32_t i = 0; i < job->count; i++)
        lb_member_report(&job->members[i], &balance->processors[i]);
    for (uint32_t i = 0; i < job->active_count; i++) {
        uint32_t member = job->active[i];
        struct lb_report_processor *p = &balance->processors[member];
        report_active(job, &tallies[i], balance->in_rays, &job->members[member], result->samples, p);
        result->errors[member] = tallies[i].error;
        result->samples += p->samples;
        balance->t = p->finish_seconds > balance->t ? p->finish_seconds : balance->t;
        enum lb_status status = report_host(&job->members[member], p, error);
        if (status != LB_OK)
            return status;
    }
    ask_strategy(job, balance);
    balance->steal_seconds = lb_machine_steal("") - job->steal;
    lb_balance_wait(balance);
    lb_balance_finish(balance);
    result->complete = result->samples == job->due * (job->sample_end - job->sample_begin) + job->born_due;
    return LB_OK;
}
