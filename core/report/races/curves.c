#include "core/report/races/curves.h"

#include "core/base/printable.h"
#include "core/report/csv_text.h"
#include "core/report/json_text.h"
#include "core/report/report_forms.h"

#include <stdlib.h>

static const struct lb_curve_point *point_of(const struct lb_curves *c, uint32_t set, uint32_t strategy)
{
    return &c->points[(size_t)set * c->strategy_count + strategy];
}

/* The set in column `column` of `columns`: the first, the last, and those between at equal distances. */
static uint32_t set_of(const struct lb_curves *c, uint32_t column, uint32_t columns)
{
    return columns < 2 ? 0 : (uint32_t)((uint64_t)column * (c->set_count - 1) / (columns - 1));
}

/* Of ten sets at most. */
static void write_table(struct lb_text *text, const struct lb_curves *c, bool speed_ups)
{
    enum { MOST_COLUMNS = 10 };
    uint32_t columns = c->set_count < MOST_COLUMNS ? c->set_count : MOST_COLUMNS;
    lb_text_add(text, "%-14s", speed_ups ? "speed-up" : "efficiency");
    for (uint32_t i = 0; i < columns; i++)
        lb_text_add(text, " %7u", c->processors[set_of(c, i, columns)]);
    lb_text_add(text, "\n");
    for (uint32_t k = 0; k < c->strategy_count; k++) {
        lb_text_add(text, "%-14s", c->strategies[k]);
        for (uint32_t i = 0; i < columns; i++) {
            const struct lb_curve_point *p = point_of(c, set_of(c, i, columns), k);
            lb_text_add(text, " %7.*f", speed_ups ? 3 : 4, speed_ups ? p->speed_up : p->efficiency);
        }
        lb_text_add(text, "\n");
    }
}

static char *write_text(const struct lb_curves *c)
{
    struct lb_text text = {0};
    lb_text_add_printable(&text, c->run.scene, SIZE_MAX);
    lb_text_add(&text, "  %llux%llu", (unsigned long long)c->run.width, (unsigned long long)c->run.height);
    if (c->measured && c->run.spp)
        lb_text_add(&text, " x %llu spp", (unsigned long long)c->run.spp);
    lb_text_add(&text, "  %u sets of processors", c->set_count);
    if (!c->measured)
        lb_text_add(&text, ", simulated, %.6g s of work assumed", c->assumed_seconds);
    if (c->frames > 1)
        lb_text_add(&text, ", means over %u frames", c->frames);
    lb_text_add(&text, "\n");
    write_table(&text, c, false);
    if (c->measured)
        write_table(&text, c, true);
    char *notes = lb_curves_notes(c);
    text.failed |= !notes;
    lb_text_add(&text, "%s", notes ? notes : "");
    free(notes);
    return lb_text_take(&text);
}

static char *write_csv(const struct lb_curves *c)
{
    struct lb_text text = {0};
    lb_text_add(&text, "set,processors,speeds,strategy,frames,t,t_min,speed_up,efficiency,imbalance,scene");
    lb_csv_names(&text, &lb_run_figures);
    lb_text_add(&text, "\n");
    for (uint32_t i = 0; i < c->set_count; i++)
        for (uint32_t k = 0; k < c->strategy_count; k++) {
            const struct lb_curve_point *p = point_of(c, i, k);
            lb_text_add(&text, "%u,%u,%.9g,%s,%u,%.9g,%.9g,%.9g,%.9g,%.9g,", i, c->processors[i],
                        c->speeds[i], c->strategies[k], c->frames, p->t, p->t_min, p->speed_up, p->efficiency,
                        p->imbalance);
            lb_csv_quoted(&text, c->run.scene);
            lb_csv_figures(&text, &lb_run_figures, &c->run);
            lb_text_add(&text, "\n");
        }
    return lb_text_take(&text);
}

/* Each strategy has an object with arrays over the sets. */
static json_t *json_strategy(const struct lb_curves *c, uint32_t strategy)
{
    json_t *arrays[5];
    for (int j = 0; j < 5; j++)
        arrays[j] = json_array();
    for (uint32_t i = 0; i < c->set_count; i++) {
        const struct lb_curve_point *p = point_of(c, i, strategy);
        const double values[5] = {p->t, p->t_min, p->speed_up, p->efficiency, p->imbalance};
        for (int j = 0; j < 5; j++)
            json_array_append_new(arrays[j], json_real(values[j]));
    }
    return json_pack("{s:s, s:o, s:o, s:o, s:o, s:o}", "strategy", c->strategies[strategy], "t", arrays[0],
                     "t_min", arrays[1], "speed_up", arrays[2], "efficiency", arrays[3], "imbalance",
                     arrays[4]);
}

static char *write_json(const struct lb_curves *c)
{
    json_t *processors = json_array(), *speeds = json_array(), *strategies = json_array();
    for (uint32_t i = 0; i < c->set_count; i++) {
        json_array_append_new(processors, json_integer(c->processors[i]));
        json_array_append_new(speeds, json_real(c->speeds[i]));
    }
    for (uint32_t k = 0; k < c->strategy_count; k++)
        json_array_append_new(strategies, json_strategy(c, k));
    json_t *root = json_pack("{s:s}", "schema", "lbrender-curves/1");
    json_t *run = lb_json_figures(&lb_run_figures, &c->run);
    json_t *rest =
        json_pack("{s:I, s:I, s:I, s:i, s:b, s:f, s:o, s:o, s:o}", "width", (json_int_t)c->run.width,
                  "height", (json_int_t)c->run.height, "spp", (json_int_t)c->run.spp, "frames",
                  (int)c->frames, "simulated", !c->measured, "assumed_seconds", c->assumed_seconds,
                  "processors", processors, "speeds", speeds, "strategies", strategies);
    bool whole = json_object_update(root, run) == 0 && json_object_update(root, rest) == 0;
    json_decref(run);
    json_decref(rest);
    char *text = whole ? lb_json_write(root) : NULL;
    json_decref(root);
    return text;
}

char *lb_curves_write(const struct lb_curves *curves, enum lb_report_format format)
{
    switch (format) {
    case LB_REPORT_JSON:
        return write_json(curves);
    case LB_REPORT_CSV:
        return write_csv(curves);
    case LB_REPORT_HTML:
        return lb_curves_html(curves);
    case LB_REPORT_TEXT:
        break;
    }
    return write_text(curves);
}
