#include "core/simulate/simulate_host.h"

#include <math.h>
#include <stdlib.h>

/* As primary/chain.c has them: two chains of so many hosts, whose hosts then give the scene to two others each. */
enum { LONGEST_CHAIN = 16, MOST_FOLLOWERS = 2, STRIPE_BYTES = 64 * 1024 };
/* Bytes of a packet on Ethernet that are its own. */
static const double PACKET_BYTES = 1460;

double lb_sim_host_seconds(const struct lb_sim_processor *host, const struct lb_sim_work *work,
                           struct lb_range range)
{
    return lb_sim_work_of(work, range) / host->cores / host->speed;
}

/* The part of a position's samples that a host's processor takes at once (core/run/pass/portion_blocks.h). */
static double longest_block(const struct lb_sim_processor *host, const struct lb_sim_work *work,
                            struct lb_range range)
{
    uint32_t samples = work->samples / work->order.blocks;
    uint32_t blocks = lb_order_blocks_for(samples, range.end - range.begin, host->cores);
    return blocks > 1 ? (double)((samples + blocks - 1) / blocks) / samples : 1;
}

double lb_sim_host_tail(const struct lb_sim_processor *host, const struct lb_sim_work *work,
                        struct lb_range range)
{
    double dearest = lb_sim_work_dearest(work, range) * longest_block(host, work, range);
    return (1 - 1 / (double)host->cores) * dearest / host->speed;
}

/* As core/run/pass/ahead.c cuts ranges. */
static const double PIECE_SECONDS = 2;

uint64_t lb_sim_host_delivered(const struct lb_sim_processor *host, const struct lb_sim_work *work,
                               struct lb_range range, double seconds)
{
    uint64_t low = 0, high = range.end - range.begin;
    seconds = floor(seconds / PIECE_SECONDS) * PIECE_SECONDS;
    while (low < high) {
        uint64_t middle = high - (high - low) / 2;
        struct lb_range part = {range.begin, range.begin + middle};
        if (lb_sim_host_seconds(host, work, part) <= seconds)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
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

/* A host that gets the block, and the host that gives it. */
struct giver {
    uint32_t processor; /* its number in the spec */
    uint32_t source;    /* 1 + the giver of this one; 0: the primary */
    uint32_t depth;     /* how many hosts the block has passed before it comes here */
    uint32_t followers; /* how many get it from here */
    double rate,
        delay; /* bytes a second at which it comes, and the seconds until its first stripe has come */
};

/* Hosts that get the block from the beginning, in the order in which they are told. */
struct givers {
    struct giver *hosts;
    uint32_t count;
    uint32_t chains; /* that begin at the primary */
};

/* From whom the host `index` gets the block: the first of each chain from the primary, the others of the chains
 * from the one before them, and all others from one that is nearest to the primary and gives it to fewer than two.
 * `at` and `depth` are where the last one of these was found. */
static uint32_t choose_source(const struct givers *givers, uint32_t index, uint32_t *at, uint32_t *depth)
{
    if (index < LONGEST_CHAIN * MOST_FOLLOWERS)
        return index % LONGEST_CHAIN == 0 ? 0 : index;
    while (givers->hosts[*at].depth != *depth || givers->hosts[*at].followers == MOST_FOLLOWERS)
        if (++*at == index) {
            *at = 0;
            ++*depth;
        }
    return *at + 1;
}

static void find_sources(const struct lb_sim_spec *spec, struct givers *givers)
{
    uint32_t at = 0, depth = 0;
    for (uint32_t k = 0; k < spec->count; k++) {
        if (!is_early(&spec->processors[k]))
            continue;
        uint32_t source = choose_source(givers, givers->count, &at, &depth);
        struct giver *from = source ? &givers->hosts[source - 1] : NULL;
        givers->hosts[givers->count++] =
            (struct giver){.processor = k, .source = source, .depth = from ? from->depth + 1 : 0};
        if (from)
            from->followers++;
        else
            givers->chains++;
    }
}

/* Who gives the block shares its link among those who get it from there, and passes on stripe by stripe what it has. */
static void follow_block(const struct lb_sim_spec *spec, struct givers *givers, double *arrivals)
{
    double own = spec->primary_bandwidth > 0 ? spec->primary_bandwidth : INFINITY;
    for (uint32_t i = 0; i < givers->count; i++) {
        struct giver *host = &givers->hosts[i];
        const struct giver *from = host->source ? &givers->hosts[host->source - 1] : NULL;
        const struct lb_sim_link *link = &spec->processors[host->processor].link;
        host->rate = own / givers->chains;
        if (from)
            host->rate =
                fmin(from->rate, lb_sim_link_rate(&spec->processors[from->processor].link) / from->followers);
        host->rate = fmin(host->rate, lb_sim_link_rate(link));
        host->delay =
            (from ? from->delay : 0) + link->latency + (isfinite(host->rate) ? STRIPE_BYTES / host->rate : 0);
        arrivals[host->processor] = host->delay + copy_seconds(spec, host->rate);
    }
}

bool lb_sim_block_arrivals(const struct lb_sim_spec *spec, double *arrivals)
{
    struct givers givers = {.hosts = calloc(spec->count, sizeof *givers.hosts)};
    if (!givers.hosts)
        return false;
    for (uint32_t k = 0; k < spec->count; k++) {
        const struct lb_sim_link *link = &spec->processors[k].link;
        bool gets = spec->processors[k].cores > 0 && spec->block > 0;
        arrivals[k] = gets ? 2 * link->latency + copy_seconds(spec, lb_sim_link_rate(link)) : 0;
    }
    if (spec->block > 0) {
        find_sources(spec, &givers);
        follow_block(spec, &givers, arrivals);
    }
    free(givers.hosts);
    return true;
}
