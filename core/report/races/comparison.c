#include "core/report/races/comparison.h"

#include "core/base/grow.h"
#include "core/base/text.h"
#include "core/report/races/comparison_adjust.h"
#include "core/report/races/comparison_rank.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of its median, in which more runs would find no difference that matters. */
static const double NARROW = 0.02;

static void add_threads(const struct lb_report_balance *b, struct lb_comparison_run *run)
{
    for (uint32_t j = 0; j < b->processor_count; j++) {
        const struct lb_report_processor *p = &b->processors[j];
        bool is_thread = lb_report_has_cpu_time(p);
        run->ranges += p->ranges;
        run->busy += is_thread ? p->busy_seconds : 0;
        run->cpu += is_thread ? p->busy_cpu_seconds : 0;
    }
}

/* What each frame took; NULL: there is one, or no memory. */
static struct lb_comparison_frame *make_frames(const struct lb_report_frame *frames, uint32_t count)
{
    struct lb_comparison_frame *made = count > 1 ? calloc(count, sizeof *made) : NULL;
    for (uint32_t i = 0; made && i < count; i++) {
        const struct lb_report_balance *b = &frames[i].all;
        made[i].t = b->t_min > 0 ? b->t * (b->t_min - b->slowed_seconds) / b->t_min : b->t;
        made[i].efficiency = b->t > 0 ? b->t_min / b->t : 0;
    }
    return made;
}

struct lb_comparison_run lb_comparison_run_make(const struct lb_report_frame *frames, uint32_t frame_count)
{
    struct lb_comparison_run run = {.frames = make_frames(frames, frame_count)};
    for (uint32_t i = 0; i < frame_count; i++) {
        const struct lb_report_balance *b = &frames[i].all;
        run.t += b->t / frame_count;
        run.t_min += b->t_min / frame_count;
        run.slowed += b->slowed_seconds / frame_count;
        run.overhead += b->overhead_seconds / frame_count;
        run.imbalance += b->imbalance_seconds / frame_count;
        run.steal += b->steal_seconds / frame_count;
        run.messages += b->counts.messages;
        run.lost = b->lost;
        add_threads(b, &run);
        run.without = lb_report_without(b);
    }
    return run;
}

/* The strategy's row; a new one where there is none. */
static struct lb_comparison_row *find_row(struct lb_comparison *comparison, const char *strategy)
{
    for (size_t i = 0; i < comparison->row_count; i++)
        if (!strcmp(comparison->rows[i].strategy, strategy))
            return &comparison->rows[i];
    struct lb_comparison_row *row = &comparison->rows[comparison->row_count++];
    *row = (struct lb_comparison_row){.strategy = strategy};
    return row;
}

bool lb_comparison_add(struct lb_comparison *comparison, const char *strategy,
                       const struct lb_comparison_run *run)
{
    struct lb_comparison_row *row = find_row(comparison, strategy);
    struct lb_comparison_run *runs =
        lb_grow(row->runs, &row->capacity, (size_t)row->run_count + 1, sizeof *runs);
    if (!runs) {
        if (row->run_count == 0)
            comparison->row_count--;
        free(run->frames);
        return false;
    }
    row->runs = runs;
    runs[row->run_count++] = *run;
    return true;
}

void lb_comparison_show(struct lb_comparison *comparison, const char *strategy,
                        const struct lb_report_frame *frame)
{
    struct lb_comparison_row *row = find_row(comparison, strategy);
    lb_report_frame_free(&row->shown);
    row->shown = *frame;
}

void lb_comparison_remedy(struct lb_comparison *comparison, const char *strategy, const char *remedy)
{
    find_row(comparison, strategy)->remedy = remedy;
}

char *lb_comparison_notes(const struct lb_comparison *comparison)
{
    struct lb_text text = {0};
    lb_text_add(&text, "%s", "");
    for (size_t i = 0; i < comparison->row_count; i++) {
        const struct lb_comparison_row *row = &comparison->rows[i];
        if (row->median.without == 0)
            continue;
        lb_text_add(&text, "%s: %u of %u processors had nothing to do", row->strategy, row->median.without,
                    comparison->processors);
        if (row->remedy)
            lb_text_add(&text, "; %s", row->remedy);
        lb_text_add(&text, "\n");
    }
    return lb_text_take(&text);
}

/* The first run of that adjusted time. */
static const struct lb_comparison_run *find_run(const struct lb_comparison_row *row, double adjusted)
{
    for (uint32_t i = 0; i < row->run_count; i++)
        if (row->runs[i].adjusted == adjusted)
            return &row->runs[i];
    return &row->runs[0];
}

static void finish_row(struct lb_comparison_row *row)
{
    uint32_t count = row->run_count;
    double *times = calloc(count, sizeof *times);
    row->lost = 0;
    for (uint32_t i = 0; i < count; i++)
        row->lost = row->runs[i].lost > row->lost ? row->runs[i].lost : row->lost;
    for (uint32_t i = 0; times && i < count; i++)
        times[i] = row->runs[i].adjusted;
    if (times)
        lb_sort_values(times, count);
    row->median = times ? *find_run(row, times[(count - 1) / 2]) : row->runs[0];
    row->t_least = times ? times[0] : row->median.adjusted;
    row->t_most = times ? times[count - 1] : row->median.adjusted;
    free(times);
    double t = row->median.t, t_min = row->median.t_min;
    row->imbalance = t_min > 0 ? (t - t_min) / t_min : 0;
    row->efficiency = t > 0 ? t_min / t : 0;
}

static int compare_rows(const void *a, const void *b)
{
    const struct lb_comparison_row *x = a, *y = b;
    if (x->median.adjusted != y->median.adjusted)
        return x->median.adjusted < y->median.adjusted ? -1 : 1;
    return strcmp(x->strategy, y->strategy);
}

void lb_comparison_finish(struct lb_comparison *comparison)
{
    comparison->repeats = 0;
    lb_comparison_adjust(comparison);
    for (size_t i = 0; i < comparison->row_count; i++) {
        struct lb_comparison_row *row = &comparison->rows[i];
        finish_row(row);
        comparison->repeats = row->run_count > comparison->repeats ? row->run_count : comparison->repeats;
    }
    qsort(comparison->rows, comparison->row_count, sizeof *comparison->rows, compare_rows);
    lb_comparison_rank(comparison);
}

bool lb_comparison_settled(const struct lb_comparison *comparison)
{
    for (size_t i = 0; i < comparison->row_count; i++) {
        const struct lb_comparison_row *row = &comparison->rows[i];
        const struct lb_ranked *ranked = &row->by_time;
        if (ranked->first != ranked->last && ranked->high - ranked->low > NARROW * row->median.adjusted)
            return false;
    }
    return comparison->has_intervals;
}

double lb_comparison_cpu_part(const struct lb_comparison *comparison)
{
    double busy = 0, cpu = 0;
    for (size_t i = 0; i < comparison->row_count; i++)
        for (uint32_t j = 0; j < comparison->rows[i].run_count; j++) {
            busy += comparison->rows[i].runs[j].busy;
            cpu += comparison->rows[i].runs[j].cpu;
        }
    return busy > cpu ? cpu / busy : 1;
}

void lb_comparison_free(struct lb_comparison *comparison)
{
    for (size_t i = 0; i < comparison->row_count; i++) {
        for (uint32_t k = 0; k < comparison->rows[i].run_count; k++)
            free(comparison->rows[i].runs[k].frames);
        free(comparison->rows[i].runs);
        lb_report_frame_free(&comparison->rows[i].shown);
    }
    comparison->row_count = 0;
}

int lb_comparison_decimals(const struct lb_comparison *c)
{
    double most = 0;
    if (c->simulated)
        return 3;
    for (size_t i = 0; i < c->row_count; i++)
        most = fmax(most, fmax(c->rows[i].median.t, c->rows[i].by_time.high));
    return most < 1 ? 4 : most < 100 ? 3 : most < 1e4 ? 1 : 0;
}
