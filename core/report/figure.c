#include "core/report/figure.h"

#include "core/report/report.h"

#include <string.h>

#define COLUMN(head, width, shown)           head, width, LB_SHOWN_##shown, LB_COLUMN_ALWAYS
#define MEASURED_COLUMN(head, width, shown)  head, width, LB_SHOWN_##shown, LB_COLUMN_MEASURED
#define SIMULATED_COLUMN(head, width, shown) head, width, LB_SHOWN_##shown, LB_COLUMN_SIMULATED
#define NO_COLUMN                            "", 0, LB_SHOWN_NOT, LB_COLUMN_ALWAYS
/* A column comes as its four parts. */
#define ITEM(type, name, kind, told, place, ...)                                                             \
    {#name, LB_FIGURE_##kind, LB_TOLD_##told, __VA_ARGS__, offsetof(type, place)},

#define PROCESSOR_FIGURE(kind, field, passes, told, column)                                                  \
    ITEM(struct lb_report_processor, field, kind, told, field, column)
#define PROCESSOR_COUNTER(place, name, told, column)                                                         \
    ITEM(struct lb_report_processor, name, COUNT, told, place, column)
#define HOST_FIGURE(kind, field, passes, told, column)                                                       \
    ITEM(struct lb_report_host, field, kind, told, field, column)
#define INNER_FIGURE(kind, field, passes, told, column)                                                      \
    ITEM(struct lb_report_host_processor, field, kind, told, field, column)
#define BALANCE_FIGURE(kind, field, passes, told, column)                                                    \
    ITEM(struct lb_report_balance, field, kind, told, field, column)
#define BALANCE_COUNTER(place, name, told, column)                                                           \
    ITEM(struct lb_report_balance, name, COUNT, told, place, column)
#define RUN_FIGURE(kind, field, passes, told, column)                                                        \
    ITEM(struct lb_report_run, field, kind, told, field, column)
#define NO_COUNTER(place, name, told, column)

static const struct lb_figure of_processor[] = {LB_PROCESSOR_FIGURES(PROCESSOR_FIGURE, PROCESSOR_COUNTER)};
static const struct lb_figure of_host[] = {LB_HOST_FIGURES(HOST_FIGURE, NO_COUNTER)};
static const struct lb_figure of_inner[] = {LB_HOST_PROCESSOR_FIGURES(INNER_FIGURE, NO_COUNTER)};
static const struct lb_figure of_balance[] = {LB_BALANCE_FIGURES(BALANCE_FIGURE, BALANCE_COUNTER)};
static const struct lb_figure of_run[] = {LB_RUN_FIGURES(RUN_FIGURE, NO_COUNTER)};

const struct lb_figures lb_processor_figures = {of_processor, sizeof of_processor / sizeof *of_processor};
const struct lb_figures lb_host_figures = {of_host, sizeof of_host / sizeof *of_host};
const struct lb_figures lb_host_processor_figures = {of_inner, sizeof of_inner / sizeof *of_inner};
const struct lb_figures lb_balance_figures = {of_balance, sizeof of_balance / sizeof *of_balance};
const struct lb_figures lb_run_figures = {of_run, sizeof of_run / sizeof *of_run};

const struct lb_figure *lb_figure_find(const struct lb_figures *figures, const char *name)
{
    for (size_t i = 0; i < figures->count; i++)
        if (!strcmp(figures->items[i].name, name))
            return &figures->items[i];
    return NULL;
}

bool lb_figure_column(const struct lb_figure *figure, bool simulated, bool page)
{
    return figure->width &&
           (figure->column == LB_COLUMN_ALWAYS || (figure->column == LB_COLUMN_MEASURED && !simulated) ||
            (figure->column == LB_COLUMN_SIMULATED && (simulated || page)));
}

static const void *place_of(const struct lb_figure *figure, const void *of)
{
    return (const char *)of + figure->offset;
}

uint64_t lb_figure_count(const struct lb_figure *figure, const void *of)
{
    const void *place = place_of(figure, of);
    return figure->kind == LB_FIGURE_FLAG ? *(const bool *)place : *(const uint64_t *)place;
}

double lb_figure_number(const struct lb_figure *figure, const void *of)
{
    if (figure->kind == LB_FIGURE_COUNT || figure->kind == LB_FIGURE_FLAG)
        return (double)lb_figure_count(figure, of);
    return *(const double *)place_of(figure, of);
}

const char *lb_figure_word(const struct lb_figure *figure, const void *of)
{
    const void *place = place_of(figure, of);
    switch (figure->kind) {
    case LB_FIGURE_DEVICE:
        return *(const char *const *)place;
    case LB_FIGURE_TEXT:
        return *(const char *const *)place ? *(const char *const *)place : "";
    case LB_FIGURE_SOURCE:
        return lb_source_name(*(const enum lb_source *)place);
    default:
        return place;
    }
}
