#include "core/simulate/simulate_host.h"

#include <math.h>

/* As hosts/chain.c has them. */
enum { LONGEST_CHAIN = 16, STRIPE_BYTES = 64 * 1024 };
/* Bytes of a packet on Ethernet that are its own. */
static const double PACKET_BYTES = 1460;

double lb_sim_host_seconds(const struct lb_sim_processor *host, const struct lb_sim_work *work,
                           struct lb_range range)
{
    double cores = host->cores, all = lb_sim_work_of(work, range);
    return (all / cores + (1 - 1 / cores) * lb_sim_work_dearest(work, range)) / host->speed;
}

double lb_sim_link_rate(const struct lb_sim_link *link)
{
    double rate = link->bandwidth > 0 ? link->bandwidth : INFINITY;
    if (link->loss > 0 && link->latency > 0)
        rate = fmin(rate, PACKET_BYTES / (2 * link->latency) * sqrt(1.5 / link->loss));
    return rate;
}

static double copy_seconds(const struct lb_sim_spec *spec, double rate)
{
    return isfinite(rate) ? spec->block / rate : 0;
}

static bool is_early(const struct lb_sim_processor *one)
{
    return one->cores > 0 && one->joins <= 0;
}

/* Each chain begins at the primary, whose link all chains share; a host passes on stripe by stripe what it has. */
void lb_sim_block_arrivals(const struct lb_sim_spec *spec, double *arrivals)
{
    uint32_t hosts = 0, number = 0;
    for (uint32_t k = 0; k < spec->count; k++)
        hosts += is_early(&spec->processors[k]);
    uint32_t chains = (hosts + LONGEST_CHAIN - 1) / LONGEST_CHAIN;
    double own = spec->primary_bandwidth > 0 ? spec->primary_bandwidth : INFINITY, rate = own, delay = 0;
    for (uint32_t k = 0; k < spec->count; k++) {
        const struct lb_sim_processor *one = &spec->processors[k];
        arrivals[k] = 0;
        if (one->cores == 0 || spec->block <= 0)
            continue;
        if (!is_early(one)) {
            arrivals[k] = 2 * one->link.latency + copy_seconds(spec, lb_sim_link_rate(&one->link));
            continue;
        }
        if (number++ % LONGEST_CHAIN == 0) {
            rate = own / chains;
            delay = 0;
        }
        rate = fmin(rate, lb_sim_link_rate(&one->link));
        delay += one->link.latency + (isfinite(rate) ? STRIPE_BYTES / rate : 0);
        arrivals[k] = delay + copy_seconds(spec, rate);
    }
}
