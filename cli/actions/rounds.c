#include "cli/actions/rounds.h"

#include "core/kernel/hash.h"
#include "core/machine/clock.h"
#include "core/report/races/ranking.h"

struct cli_rounds cli_rounds_begin(const struct cli_options *options, uint64_t seed)
{
    double now = lb_clock_now();
    return (struct cli_rounds){.options = options, .seed = seed, .begin = now, .last = now};
}

/* Durstenfeld's shuffle. */
static void shuffle(struct cli_rounds *rounds)
{
    size_t count = rounds->options->racer_count;
    for (size_t i = 0; i < count; i++)
        rounds->order[i] = rounds->options->racers[i];
    for (size_t i = count; i > 1; i--) {
        uint64_t draw = lb_hash_combine(lb_hash_combine(rounds->seed, rounds->done), i);
        const struct lb_strategy **other = &rounds->order[draw % i], *moved = *other;
        *other = rounds->order[i - 1];
        rounds->order[i - 1] = moved;
    }
}

static bool goes_on(const struct cli_rounds *rounds, struct lb_comparison *table, double now)
{
    const struct cli_options *o = rounds->options;
    if (rounds->done == 0 || o->repeat_seconds <= 0)
        return rounds->done < o->repeats;
    lb_comparison_finish(table);
    return now - rounds->begin + (now - rounds->last) <= o->repeat_seconds && !lb_comparison_settled(table);
}

bool cli_rounds_next(struct cli_rounds *rounds, struct lb_comparison *table)
{
    double now = lb_clock_now();
    if (!goes_on(rounds, table, now))
        return false;
    shuffle(rounds);
    rounds->done++;
    rounds->last = now;
    return true;
}

uint32_t cli_rounds_count(const struct cli_rounds *rounds)
{
    if (rounds->options->repeat_seconds <= 0)
        return rounds->options->repeats;
    uint32_t least = lb_interval_least(rounds->options->racer_count);
    return rounds->done < least ? least : rounds->done;
}
