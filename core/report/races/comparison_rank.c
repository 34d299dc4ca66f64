#include "core/report/races/comparison_rank.h"

#include "core/report/races/comparison_adjust.h"

#include <math.h>
#include <stdlib.h>

/* What runs are ranked by: the less the better. */
typedef double run_figure(const struct lb_comparison_run *run);

static double time_of(const struct lb_comparison_run *run)
{
    return run->adjusted;
}

static double balance_of(const struct lb_comparison_run *run)
{
    return run->t_min > 0 ? run->t / run->t_min : 1;
}

/* False: out of memory. */
static bool find_interval(const struct lb_comparison_row *row, size_t rows, run_figure *figure,
                          struct lb_ranked *ranked)
{
    uint32_t count = row->run_count;
    double *values = calloc(count, sizeof *values);
    if (!values)
        return false;
    for (uint32_t i = 0; i < count; i++)
        values[i] = figure(&row->runs[i]);
    lb_sort_values(values, count);
    lb_median_interval(values, count, rows, &ranked->low, &ranked->high);
    free(values);
    return true;
}

/* The mean ranks of all rows. False: out of memory. */
static bool rank_in_rounds(const struct lb_comparison *c, run_figure *figure, struct lb_ranked *ranked)
{
    size_t rounds = lb_comparison_rounds(c), rows = c->row_count;
    double *values = calloc(rows * rounds + 1, sizeof *values), *ranks = calloc(rows + 1, sizeof *ranks);
    bool done = values && ranks;
    for (size_t i = 0; done && i < rows; i++)
        for (size_t k = 0; k < rounds; k++)
            values[i * rounds + k] = figure(&c->rows[i].runs[k]);
    if (done)
        lb_mean_ranks(values, rows, rounds, ranks);
    for (size_t i = 0; done && i < rows; i++)
        ranked[i].mean_rank = ranks[i];
    free(values);
    free(ranks);
    return done;
}

/* The intervals by a figure and, where the rows are to be ranked, their places. False: out of memory. One run of a
 * simulation tells all, and its rounds no more. */
static bool rank_by(const struct lb_comparison *c, run_figure *figure, struct lb_ranked *ranked)
{
    for (size_t i = 0; i < c->row_count; i++)
        if (!find_interval(&c->rows[i], c->row_count, figure, &ranked[i]))
            return false;
    if (!c->ranked)
        return true;
    if (!rank_in_rounds(c, figure, ranked))
        return false;
    lb_rank(ranked, c->row_count, c->has_intervals ? c->rank_difference : INFINITY);
    return true;
}

/* What is known of all rows without memory. */
static void rank_none(struct lb_comparison *c)
{
    c->ranked = c->has_intervals = false;
    for (size_t i = 0; i < c->row_count; i++) {
        struct lb_comparison_row *row = &c->rows[i];
        row->by_time = (struct lb_ranked){.low = row->t_least, .high = row->t_most};
        row->by_balance = (struct lb_ranked){0};
    }
}

void lb_comparison_rank(struct lb_comparison *c)
{
    uint32_t rounds = lb_comparison_rounds(c);
    struct lb_ranked *times = calloc(c->row_count + 1, sizeof *times),
                     *balances = calloc(c->row_count + 1, sizeof *balances);
    c->has_intervals = c->row_count > 0 && rounds >= lb_interval_least(c->row_count);
    c->ranked = c->has_intervals || (c->simulated && c->repeats == 1);
    c->rank_difference = lb_rank_difference(c->row_count, rounds);
    bool done =
        times && balances && rank_by(c, time_of, times) && (c->simulated || rank_by(c, balance_of, balances));
    for (size_t i = 0; done && i < c->row_count; i++) {
        c->rows[i].by_time = times[i];
        c->rows[i].by_balance = balances[i];
    }
    if (!done)
        rank_none(c);
    free(times);
    free(balances);
}
