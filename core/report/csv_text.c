#include "core/report/csv_text.h"

#include "core/base/printable.h"

#include <string.h>

void lb_csv_quoted(struct lb_text *out, const char *text)
{
    lb_text_add(out, "\"");
    for (size_t at = 0, length = strlen(text); at < length;) {
        char shown[LB_SHOWN_MOST];
        at += lb_printable_next(text + at, length - at, shown);
        lb_text_add(out, *shown == '"' ? "\"%s" : "%s", shown);
    }
    lb_text_add(out, "\"");
}

static bool is_told(const struct lb_figure *figure)
{
    return figure->told == LB_TOLD_ALL || figure->told == LB_TOLD_CSV;
}

void lb_csv_names(struct lb_text *out, const struct lb_figures *figures)
{
    for (size_t i = 0; i < figures->count; i++)
        if (is_told(&figures->items[i]))
            lb_text_add(out, ",%s", figures->items[i].name);
}

static void write_figure(struct lb_text *out, const struct lb_figure *figure, const void *of)
{
    switch (figure->kind) {
    case LB_FIGURE_TEXT:
    case LB_FIGURE_LABEL:
        lb_text_add(out, ",");
        lb_csv_quoted(out, lb_figure_word(figure, of));
        return;
    case LB_FIGURE_NAME:
    case LB_FIGURE_WORD:
    case LB_FIGURE_DEVICE:
    case LB_FIGURE_SOURCE:
        lb_text_add(out, ",%s", lb_figure_word(figure, of));
        return;
    case LB_FIGURE_COUNT:
    case LB_FIGURE_FLAG:
        lb_text_add(out, ",%llu", (unsigned long long)lb_figure_count(figure, of));
        return;
    default:
        lb_text_add(out, ",%.9g", lb_figure_number(figure, of));
    }
}

void lb_csv_figures(struct lb_text *out, const struct lb_figures *figures, const void *of)
{
    for (size_t i = 0; i < figures->count; i++)
        if (is_told(&figures->items[i]))
            write_figure(out, &figures->items[i], of);
}

void lb_csv_some(struct lb_text *out, const struct lb_figures *figures, const struct lb_figures *own,
                 const void *of)
{
    for (size_t i = 0; i < figures->count; i++) {
        const struct lb_figure *figure = lb_figure_find(own, figures->items[i].name);
        if (!is_told(&figures->items[i]))
            continue;
        if (figure)
            write_figure(out, figure, of);
        else
            lb_text_add(out, ",");
    }
}

void lb_csv_blanks(struct lb_text *out, const struct lb_figures *figures)
{
    static const struct lb_figures none = {NULL, 0};
    lb_csv_some(out, figures, &none, NULL);
}
