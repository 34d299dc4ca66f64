#include "core/report/fit.h"

#include "core/base/text.h"

#include <math.h>
#include <stdlib.h>

/* What the wrong weights must cost, as a part of the frame's time. */
static const double LEAST_COST = 0.05;
/* How far a share may be from its weight, in parts of it, and still follow it. */
static const double NEAR = 0.25;
/* More are not listed. */
enum { MOST_LISTED = 16 };

/* Sets the part that each processor has of all speed; false: one was not measured. `sums`: two a processor, zeroed. */
static bool measure(const struct lb_report_balance *b, double *parts, double *sums)
{
    double whole = 0;
    for (uint32_t i = 0; i < b->processor_count; i++) {
        const struct lb_report_processor *p = &b->processors[i];
        if (!lb_report_measured(p) || p->lost)
            return false;
        sums[2 * p->model] += p->speed;
        sums[2 * p->model + 1] += 1;
    }
    for (uint32_t i = 0; i < b->processor_count; i++) {
        uint32_t model = b->processors[i].model;
        whole += parts[i] = sums[2 * model] / sums[2 * model + 1];
    }
    for (uint32_t i = 0; i < b->processor_count; i++)
        parts[i] /= whole;
    return true;
}

/* Did the given weights decide who did how much, and were they that wrong? */
static bool are_wrong(const struct lb_report_balance *b, const double *parts)
{
    double longest = 0;
    for (uint32_t i = 0; i < b->processor_count; i++) {
        const struct lb_report_processor *p = &b->processors[i];
        if (p->weight_source != LB_SOURCE_GIVEN || fabs(p->share - p->weight) > NEAR * p->weight)
            return false;
        longest = fmax(longest, p->weight / parts[i]);
    }
    return longest > 1 + LEAST_COST;
}

static void write_fit(const double *parts, uint32_t count, struct lb_text *out)
{
    lb_text_add(out, "measured speeds");
    for (uint32_t i = 0; i < count; i++)
        lb_text_add(out, " %.3g", 100 * parts[i]);
    lb_text_add(out, " %%; weights that fit: ");
    for (uint32_t i = 0; i < count; i++)
        lb_text_add(out, "%s%.3g", i ? "," : "", parts[i]);
}

char *lb_report_fit_text(const struct lb_report_balance *balance)
{
    uint32_t count = balance->processor_count;
    double *parts = calloc((size_t)count + 1, 3 * sizeof *parts);
    struct lb_text text = {0};
    if (!parts)
        return NULL;
    lb_text_add(&text, "%s", "");
    if (measure(balance, parts, parts + count) && are_wrong(balance, parts)) {
        if (count <= MOST_LISTED)
            write_fit(parts, count, &text);
        else
            lb_text_add(&text, "the weights do not fit the measured speeds; --weights=measured takes these");
    }
    free(parts);
    return lb_text_take(&text);
}
