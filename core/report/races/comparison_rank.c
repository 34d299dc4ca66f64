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

static int compare_values(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* False: there are too few runs for an interval, or there is no memory to sort their figures in. */
static bool find_interval(const struct lb_comparison_row *row, size_t rows, run_figure *figure,
                          struct lb_ranked *ranked)
{
    uint32_t count = row->run_count;
    double *values = calloc(count, sizeof *values);
    for (uint32_t i = 0; values && i < count; i++)
        values[i] = figure(&row->runs[i]);
    if (values)
        qsort(values, count, sizeof *values, compare_values);
    else
        ranked->low = ranked->high = figure(&row->median);
    bool known = values && lb_median_interval(values, count, rows, &ranked->low, &ranked->high);
    free(values);
    return known;
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

/* Places by a figure, but where there are no intervals: one run of a simulation tells all, and no round more. */
static bool rank_by(struct lb_comparison *c, run_figure *figure, struct lb_ranked *ranked)
{
    bool known = c->row_count > 0;
    for (size_t i = 0; i < c->row_count; i++)
        known &= find_interval(&c->rows[i], c->row_count, figure, &ranked[i]);
    bool certain = c->simulated && c->repeats == 1;
    if ((known || certain) && rank_in_rounds(c, figure, ranked)) {
        lb_rank(ranked, c->row_count, known ? c->rank_difference : INFINITY);
        c->ranked = true;
    }
    return known;
}

void lb_comparison_rank(struct lb_comparison *c)
{
    struct lb_ranked *ranked = calloc(2 * c->row_count + 1, sizeof *ranked);
    c->ranked = false;
    c->has_intervals = false;
    c->rank_difference = lb_rank_difference(c->row_count, lb_comparison_rounds(c));
    if (ranked && !c->simulated)
        rank_by(c, balance_of, ranked + c->row_count);
    if (ranked)
        c->has_intervals = rank_by(c, time_of, ranked);
    for (size_t i = 0; i < c->row_count; i++) {
        double t = c->rows[i].median.adjusted;
        c->rows[i].by_time = ranked ? ranked[i] : (struct lb_ranked){.low = t, .high = t};
        c->rows[i].by_balance = ranked ? ranked[c->row_count + i] : (struct lb_ranked){0};
    }
    free(ranked);
}
