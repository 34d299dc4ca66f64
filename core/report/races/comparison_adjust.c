#include "core/report/races/comparison_adjust.h"

#include <stdlib.h>

/* Sorts the values. A strategy that were the middle one of all rounds would be its own measure, and have an interval
 * without length: of an odd number it is the mean of the three in the middle, of an even number of the two. */
static double middle_of(double *values, size_t count)
{
    lb_sort_values(values, count);
    size_t first = (count - 1) / 2, last = count / 2;
    if (first == last && count > 2) {
        first--;
        last++;
    }
    double sum = 0;
    for (size_t i = first; i <= last; i++)
        sum += values[i];
    return sum / (double)(last - first + 1);
}

/* Had the threads had their CPUs all the time. */
static double unslowed(const struct lb_comparison_run *run)
{
    return run->t_min > 0 ? run->t * (run->t_min - run->slowed) / run->t_min : run->t;
}

uint32_t lb_comparison_rounds(const struct lb_comparison *c)
{
    uint32_t rounds = c->row_count ? c->rows[0].run_count : 0;
    for (size_t i = 1; i < c->row_count; i++)
        rounds = c->rows[i].run_count < rounds ? c->rows[i].run_count : rounds;
    return rounds;
}

/* The middle of the strategies' times in each round; `values` has room for a value of each strategy. */
static void find_levels(const struct lb_comparison *c, uint32_t rounds, double *values, double *levels)
{
    for (uint32_t round = 0; round < rounds; round++) {
        for (size_t i = 0; i < c->row_count; i++)
            values[i] = c->rows[i].runs[round].adjusted;
        levels[round] = middle_of(values, c->row_count);
    }
}

/* One strategy alone has nobody to share a round's level with. */
static void divide_by_levels(struct lb_comparison *c)
{
    uint32_t rounds = c->row_count > 1 ? lb_comparison_rounds(c) : 0;
    double *values = calloc(c->row_count + rounds + 1, sizeof *values),
           *levels = calloc(rounds + 1, sizeof *levels);
    if (values && levels && rounds > 1) {
        find_levels(c, rounds, values, levels);
        for (uint32_t round = 0; round < rounds; round++)
            values[round] = levels[round];
        double level = middle_of(values, rounds);
        for (uint32_t round = 0; round < rounds; round++)
            for (size_t i = 0; levels[round] > 0 && i < c->row_count; i++)
                c->rows[i].runs[round].adjusted *= level / levels[round];
    }
    free(values);
    free(levels);
}

void lb_comparison_adjust(struct lb_comparison *comparison)
{
    for (size_t i = 0; i < comparison->row_count; i++)
        for (uint32_t k = 0; k < comparison->rows[i].run_count; k++) {
            struct lb_comparison_run *run = &comparison->rows[i].runs[k];
            run->adjusted = comparison->simulated ? run->t : unslowed(run);
        }
    if (!comparison->simulated)
        divide_by_levels(comparison);
}
