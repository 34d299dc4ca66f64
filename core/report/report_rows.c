#include "core/report/report_rows.h"

#include "core/base/text.h"

#include <stdlib.h>

/* By busy time; of equal ones the first. */
struct place {
    double busy;
    uint32_t row;
};

static int compare_places(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    if (x->busy != y->busy)
        return x->busy < y->busy ? -1 : 1;
    return (x->row > y->row) - (x->row < y->row);
}

/* The processors from the least busy to the most; NULL: out of memory. */
static struct place *sort_places(const struct lb_report_balance *b)
{
    struct place *places = calloc((size_t)b->processor_count + 1, sizeof *places);
    for (uint32_t i = 0; places && i < b->processor_count; i++)
        places[i] = (struct place){b->processors[i].busy_seconds, i};
    if (places)
        qsort(places, b->processor_count, sizeof *places, compare_places);
    return places;
}

/* Once each. */
static void add_row(struct lb_report_rows *rows, uint32_t row)
{
    for (uint32_t i = 0; i < rows->count; i++)
        if (rows->rows[i] == row)
            return;
    if (rows->count < LB_REPORT_ROWS_MOST)
        rows->rows[rows->count++] = row;
}

struct lb_report_rows lb_report_rows_of(const struct lb_report_balance *b)
{
    enum { LOST = 5 };
    struct lb_report_rows rows = {.count = 0};
    uint32_t count = b->processor_count, lost = 0;
    struct place *places = count > LB_REPORT_ROWS_MOST ? sort_places(b) : NULL;
    for (uint32_t i = 0; !places && i < count; i++)
        add_row(&rows, i);
    if (places) {
        add_row(&rows, places[0].row);
        add_row(&rows, places[(count - 1) / 2].row);
        add_row(&rows, places[count - 1].row);
    }
    for (uint32_t i = 0; places && i < count && lost < LOST; i++)
        if (b->processors[i].lost) {
            add_row(&rows, i);
            lost++;
        }
    free(places);
    return rows;
}

char *lb_report_rows_text(const struct lb_report_balance *b, const struct lb_report_rows *rows)
{
    struct lb_text text = {0};
    lb_text_add(&text, "%s", "");
    if (rows->count == b->processor_count)
        return lb_text_take(&text);
    struct place *places = sort_places(b);
    uint32_t count = b->processor_count, without = 0;
    double busy = 0, low = b->processors[0].speed, high = low;
    for (uint32_t i = 0; i < count; i++) {
        double speed = b->processors[i].speed;
        busy += b->processors[i].busy_seconds / count;
        without += b->processors[i].ranges == 0;
        low = speed < low ? speed : low;
        high = speed > high ? speed : high;
    }
    text.failed |= !places;
    if (places)
        lb_text_add(
            &text, "%u processors of speeds %.4g to %.4g: busy %.4g s to %.4g s, mean %.4g s, median %.4g s",
            count, low, high, places[0].busy, places[count - 1].busy, busy, places[(count - 1) / 2].busy);
    if (without)
        lb_text_add(&text, "; %u without a range", without);
    lb_text_add(&text, "\nthe least, the median and the most busy one (JSON and CSV have all):\n");
    free(places);
    return lb_text_take(&text);
}
