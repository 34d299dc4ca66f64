#include "core/report/comparison.h"

#include "core/base/printable.h"
#include "core/report/csv_text.h"
#include "core/report/json_text.h"
#include "core/report/report_forms.h"

#include <stdlib.h>
#include <string.h>

struct lb_comparison_row lb_comparison_row_make(const char *strategy, const struct lb_report_frame *frames,
                                                uint32_t frame_count)
{
    struct lb_comparison_row row = {.strategy = strategy, .runs = 1};
    for (uint32_t i = 0; i < frame_count; i++) {
        const struct lb_report_balance *b = &frames[i].all;
        row.t += b->t / frame_count;
        row.t_min += b->t_min / frame_count;
        row.messages += b->counts.messages;
        row.lost = b->lost;
        for (uint32_t j = 0; j < b->processor_count; j++)
            row.ranges += b->processors[j].ranges;
    }
    row.t_least = row.t_most = row.t;
    return row;
}

static void add_run(struct lb_comparison_row *row, const struct lb_comparison_row *run)
{
    row->t = (row->t * row->runs + run->t) / (row->runs + 1);
    row->t_min = run->t_min < row->t_min ? run->t_min : row->t_min;
    row->t_least = run->t < row->t_least ? run->t : row->t_least;
    row->t_most = run->t > row->t_most ? run->t : row->t_most;
    row->ranges += run->ranges;
    row->messages += run->messages;
    row->lost = run->lost > row->lost ? run->lost : row->lost;
    row->runs++;
}

void lb_comparison_add(struct lb_comparison *comparison, const struct lb_comparison_row *run)
{
    for (size_t i = 0; i < comparison->row_count; i++)
        if (!strcmp(comparison->rows[i].strategy, run->strategy)) {
            add_run(&comparison->rows[i], run);
            return;
        }
    comparison->rows[comparison->row_count++] = *run;
}

static int compare_rows(const void *a, const void *b)
{
    const struct lb_comparison_row *x = a, *y = b;
    if (x->t != y->t)
        return x->t < y->t ? -1 : 1;
    return strcmp(x->strategy, y->strategy);
}

static double least_t_min(const struct lb_comparison *comparison)
{
    double least = comparison->row_count ? comparison->rows[0].t_min : 0;
    for (size_t i = 1; i < comparison->row_count; i++)
        least = comparison->rows[i].t_min < least ? comparison->rows[i].t_min : least;
    return least;
}

void lb_comparison_finish(struct lb_comparison *comparison)
{
    double least = least_t_min(comparison);
    for (size_t i = 0; i < comparison->row_count; i++) {
        struct lb_comparison_row *row = &comparison->rows[i];
        row->t_min = comparison->simulated ? row->t_min : least;
        row->imbalance = row->t_min > 0 ? (row->t - row->t_min) / row->t_min : 0;
        row->efficiency = row->t > 0 ? row->t_min / row->t : 0;
        row->ranges = (row->ranges + row->runs / 2) / row->runs;
        row->messages = (row->messages + row->runs / 2) / row->runs;
    }
    qsort(comparison->rows, comparison->row_count, sizeof *comparison->rows, compare_rows);
}

/* The spread stands where there is one. */
static void write_text_row(struct lb_text *text, const struct lb_comparison *c,
                           const struct lb_comparison_row *r)
{
    lb_text_add(text, "%-14s %8.3f s", r->strategy, r->t);
    if (c->repeats > 1)
        lb_text_add(text, " %8.3f-%-8.3f", r->t_least, r->t_most);
    lb_text_add(text, " %8.3f s %8.1f %% %11.4f %10llu %10llu\n", r->t_min, 100 * r->imbalance, r->efficiency,
                (unsigned long long)r->ranges, (unsigned long long)r->messages);
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
        lb_text_add(&text, ", means over %u runs", c->repeats);
    lb_text_add(&text, "\n%-14s %10s", "strategy", "T");
    if (c->repeats > 1)
        lb_text_add(&text, " %17s", "least-most ");
    lb_text_add(&text, " %10s %10s %11s %10s %10s\n", "Tmin", "imbalance", "efficiency", "ranges",
                "messages");
    for (size_t i = 0; i < c->row_count; i++)
        write_text_row(&text, c, &c->rows[i]);
    return lb_text_take(&text);
}

static char *write_csv(const struct lb_comparison *c)
{
    struct lb_text text = {0};
    lb_text_add(&text, "strategy,processors,frames,repeats,t,t_least,t_most,t_min,imbalance,efficiency,"
                       "ranges,messages,lost,scene");
    lb_csv_names(&text, &lb_run_figures);
    lb_text_add(&text, "\n");
    for (size_t i = 0; i < c->row_count; i++) {
        const struct lb_comparison_row *r = &c->rows[i];
        lb_text_add(&text, "%s,%u,%u,%u,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%llu,%llu,%llu,", r->strategy,
                    c->processors, c->frames, c->repeats, r->t, r->t_least, r->t_most, r->t_min, r->imbalance,
                    r->efficiency, (unsigned long long)r->ranges, (unsigned long long)r->messages,
                    (unsigned long long)r->lost);
        lb_csv_quoted(&text, c->run.scene);
        lb_csv_figures(&text, &lb_run_figures, &c->run);
        lb_text_add(&text, "\n");
    }
    return lb_text_take(&text);
}

static char *write_json(const struct lb_comparison *c)
{
    json_t *rows = json_array();
    for (size_t i = 0; i < c->row_count; i++) {
        const struct lb_comparison_row *r = &c->rows[i];
        json_array_append_new(rows,
                              json_pack("{s:s, s:f, s:f, s:f, s:f, s:f, s:f, s:I, s:I, s:I}", "strategy",
                                        r->strategy, "t", r->t, "t_least", r->t_least, "t_most", r->t_most,
                                        "t_min", r->t_min, "imbalance", r->imbalance, "efficiency",
                                        r->efficiency, "ranges", (json_int_t)r->ranges, "messages",
                                        (json_int_t)r->messages, "lost", (json_int_t)r->lost));
    }
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
