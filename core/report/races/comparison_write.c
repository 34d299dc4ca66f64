/* A race as text, CSV and JSON. */
#include "core/base/printable.h"
#include "core/report/races/comparison.h"
#include "core/report/csv_text.h"
#include "core/report/json_text.h"
#include "core/report/report_forms.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- text ---- */

static const char *interval_head(const struct lb_comparison *c)
{
    return c->has_intervals ? "99.5 % interval" : "least-most";
}

static void write_text_head(struct lb_text *text, const struct lb_comparison *c)
{
    lb_text_add(text, "\n%-12s", "strategy");
    if (c->ranked)
        lb_text_add(text, " %5s", "rank");
    if (!c->simulated)
        lb_text_add(text, " %9s", "adjusted");
    else
        lb_text_add(text, " %9s", "T");
    if (c->repeats > 1)
        lb_text_add(text, " %15s", interval_head(c));
    if (c->simulated)
        lb_text_add(text, " %9s %11s %11s %10s %10s\n", "Tmin", "imbalance", "efficiency", "ranges",
                    "messages");
    else
        lb_text_add(text, " %8s %8s %8s %8s %9s %10s%s\n", "T", "Tmin", "slowed", "overhead", "imbalance",
                    "efficiency", c->ranked ? "  rank" : "");
}

/* "3", or "3-7" where more places are possible. */
static void write_rank(struct lb_text *text, const struct lb_ranked *r, int width)
{
    char rank[32];
    if (r->first == r->last)
        snprintf(rank, sizeof rank, "%u", r->first);
    else
        snprintf(rank, sizeof rank, "%u-%u", r->first, r->last);
    lb_text_add(text, " %*s", width, rank);
}

static void write_text_row(struct lb_text *text, const struct lb_comparison *c,
                           const struct lb_comparison_row *r)
{
    const struct lb_comparison_run *m = &r->median;
    int digits = lb_comparison_decimals(c);
    lb_text_add(text, "%-12s", r->strategy);
    if (c->ranked)
        write_rank(text, &r->by_time, 5);
    lb_text_add(text, " %7.*f s", digits, m->adjusted);
    if (c->repeats > 1)
        lb_text_add(text, " %7.*f-%-7.*f", digits, r->by_time.low, digits, r->by_time.high);
    if (c->simulated)
        lb_text_add(text, " %7.*f s %9.1f %% %11.4f %10llu %10llu\n", digits, m->t_min, 100 * r->imbalance,
                    r->efficiency, (unsigned long long)m->ranges, (unsigned long long)m->messages);
    else
        lb_text_add(text, " %6.*f s %6.*f s %6.*f s %6.*f s %7.*f s %10.4f", digits, m->t, digits, m->t_min,
                    digits, m->slowed, digits, m->overhead, digits, m->imbalance, r->efficiency);
    if (!c->simulated && c->ranked)
        write_rank(text, &r->by_balance, 5);
    if (!c->simulated)
        lb_text_add(text, "\n");
}

static char *write_text(const struct lb_comparison *c)
{
    struct lb_text text = {0};
    lb_text_add_printable(&text, c->run.scene, SIZE_MAX);
    lb_text_add(&text, "  %llux%llu", (unsigned long long)c->run.width, (unsigned long long)c->run.height);
    if (c->run.spp)
        lb_text_add(&text, " x %llu spp", (unsigned long long)c->run.spp);
    lb_text_add(&text, "  %u processors", c->processors);
    if (c->simulated)
        lb_text_add(&text, ", simulated, %.6g s of work assumed", c->assumed_seconds);
    if (c->frames > 1)
        lb_text_add(&text, ", means over %u frames", c->frames);
    if (c->repeats > 1)
        lb_text_add(&text, ", the median of %u runs", c->repeats);
    write_text_head(&text, c);
    for (size_t i = 0; i < c->row_count; i++)
        write_text_row(&text, c, &c->rows[i]);
    char *notes = lb_comparison_notes(c);
    text.failed |= !notes;
    lb_text_add(&text, "%s", notes ? notes : "");
    free(notes);
    return lb_text_take(&text);
}

/* ---- CSV ---- */

static void write_csv_places(struct lb_text *text, const struct lb_ranked *r)
{
    if (r->first)
        lb_text_add(text, "%u,%u,%.9g", r->first, r->last, r->mean_rank);
    else
        lb_text_add(text, ",,");
}

static void write_csv_row(struct lb_text *text, const struct lb_comparison *c,
                          const struct lb_comparison_row *r)
{
    const struct lb_comparison_run *m = &r->median;
    lb_text_add(text, "%s,%u,%u,%u,", r->strategy, c->processors, c->frames, r->run_count);
    write_csv_places(text, &r->by_time);
    lb_text_add(text, ",%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g", m->t, m->adjusted, r->t_least,
                r->t_most, r->by_time.low, r->by_time.high, m->t_min, r->imbalance, r->efficiency);
    lb_text_add(text, ",%.9g,%.9g,%.9g,%.9g,%.9g,%.9g", m->slowed, m->overhead, m->imbalance, m->steal,
                m->busy, m->cpu);
    lb_text_add(text, ",%llu,%llu,%llu,%u,", (unsigned long long)m->ranges, (unsigned long long)m->messages,
                (unsigned long long)r->lost, m->without);
    write_csv_places(text, &r->by_balance);
    lb_text_add(text, ",");
    lb_csv_quoted(text, c->run.scene);
    lb_csv_figures(text, &lb_run_figures, &c->run);
    lb_text_add(text, "\n");
}

static char *write_csv(const struct lb_comparison *c)
{
    struct lb_text text = {0};
    lb_text_add(&text,
                "strategy,processors,frames,repeats,rank,rank_last,mean_rank,t,t_adjusted,t_least,t_most,"
                "t_low,t_high,t_min,imbalance,"
                "efficiency,slowed_seconds,overhead_seconds,imbalance_seconds,steal_seconds,"
                "busy_seconds,busy_cpu_seconds,ranges,messages,lost,without_work,balance_rank,"
                "balance_rank_last,balance_mean_rank,scene");
    lb_csv_names(&text, &lb_run_figures);
    lb_text_add(&text, "\n");
    for (size_t i = 0; i < c->row_count; i++)
        write_csv_row(&text, c, &c->rows[i]);
    return lb_text_take(&text);
}

/* ---- JSON ---- */

static json_t *json_run(const struct lb_comparison_run *run)
{
    return json_pack("{s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f}", "t", run->t, "t_adjusted",
                     run->adjusted, "t_min", run->t_min, "slowed_seconds", run->slowed, "overhead_seconds",
                     run->overhead, "imbalance_seconds", run->imbalance, "steal_seconds", run->steal,
                     "busy_seconds", run->busy, "busy_cpu_seconds", run->cpu);
}

/* The frames of the median run. */
static json_t *json_frames(const struct lb_comparison *c, const struct lb_comparison_row *r)
{
    json_t *frames = json_array();
    for (uint32_t i = 0; r->median.frames && i < c->frames; i++)
        json_array_append_new(frames, json_pack("{s:f, s:f}", "t_adjusted", r->median.frames[i].t,
                                                "efficiency", r->median.frames[i].efficiency));
    return frames;
}

/* Null where the runs are too few to tell. */
static void add_json_places(json_t *row, const struct lb_ranked *r, const char *first, const char *last,
                            const char *mean)
{
    json_object_set_new(row, first, r->first ? json_integer(r->first) : json_null());
    json_object_set_new(row, last, r->first ? json_integer(r->last) : json_null());
    json_object_set_new(row, mean, r->first ? json_real(r->mean_rank) : json_null());
}

static double inverse(double value)
{
    return value > 0 ? 1 / value : 0;
}

static json_t *json_row(const struct lb_comparison *c, const struct lb_comparison_row *r)
{
    const struct lb_comparison_run *m = &r->median;
    json_t *runs = json_array();
    for (uint32_t i = 0; i < r->run_count; i++)
        json_array_append_new(runs, json_run(&r->runs[i]));
    json_t *row = json_pack("{s:s, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f}", "strategy", r->strategy,
                            "t", m->t, "t_adjusted", m->adjusted, "t_least", r->t_least, "t_most", r->t_most,
                            "t_low", r->by_time.low, "t_high", r->by_time.high, "t_min", m->t_min,
                            "imbalance", r->imbalance, "efficiency", r->efficiency);
    add_json_places(row, &r->by_time, "rank", "rank_last", "mean_rank");
    if (!c->simulated) {
        add_json_places(row, &r->by_balance, "balance_rank", "balance_rank_last", "balance_mean_rank");
        json_object_set_new(row, "efficiency_low", json_real(inverse(r->by_balance.high)));
        json_object_set_new(row, "efficiency_high", json_real(inverse(r->by_balance.low)));
    }
    json_t *rest = json_pack("{s:f, s:f, s:f, s:f, s:f, s:f, s:I, s:I, s:I, s:I, s:o}", "slowed_seconds",
                             m->slowed, "overhead_seconds", m->overhead, "imbalance_seconds", m->imbalance,
                             "steal_seconds", m->steal, "busy_seconds", m->busy, "busy_cpu_seconds", m->cpu,
                             "ranges", (json_int_t)m->ranges, "messages", (json_int_t)m->messages, "lost",
                             (json_int_t)r->lost, "without_work", (json_int_t)m->without, "runs", runs);
    if (json_object_update(row, rest)) {
        json_decref(row);
        row = NULL;
    }
    json_decref(rest);
    if (row && c->frames > 1)
        json_object_set_new(row, "frames", json_frames(c, r));
    return row;
}

static char *write_json(const struct lb_comparison *c)
{
    json_t *rows = json_array();
    for (size_t i = 0; i < c->row_count; i++)
        json_array_append_new(rows, json_row(c, &c->rows[i]));
    json_t *root = json_pack("{s:s}", "schema", "lbrender-comparison/1");
    json_t *run = lb_json_figures(&lb_run_figures, &c->run);
    json_t *rest = json_pack("{s:I, s:I, s:I, s:i, s:i, s:i, s:b, s:o}", "width", (json_int_t)c->run.width,
                             "height", (json_int_t)c->run.height, "spp", (json_int_t)c->run.spp, "processors",
                             (int)c->processors, "frames", (int)c->frames, "repeats", (int)c->repeats,
                             "simulated", c->simulated, "strategies", rows);
    if (json_object_update(root, run) || json_object_update(root, rest)) {
        json_decref(root);
        root = NULL;
    }
    json_decref(run);
    json_decref(rest);
    if (root && c->ranked && c->has_intervals)
        json_object_set_new(root, "rank_difference", json_real(c->rank_difference));
    if (root && c->simulated)
        json_object_set_new(root, "assumed_seconds", json_real(c->assumed_seconds));
    char *text = lb_json_write(root);
    json_decref(root);
    return text;
}

char *lb_comparison_write(const struct lb_comparison *comparison, enum lb_report_format format)
{
    switch (format) {
    case LB_REPORT_JSON:
        return write_json(comparison);
    case LB_REPORT_CSV:
        return write_csv(comparison);
    case LB_REPORT_HTML:
        return lb_comparison_html(comparison);
    case LB_REPORT_TEXT:
        break;
    }
    return write_text(comparison);
}
