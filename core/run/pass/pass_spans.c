#include "core/run/pass/pass_spans.h"

#include "core/report/color.h"

#include <stdlib.h>

enum lb_status lb_pass_spans(const struct lb_pass_job *job, const struct lb_tally *tallies,
                             struct lb_pass_result *result, struct lb_error *error)
{
    size_t count = 0;
    if (!job->options->want_spans)
        return LB_OK;
    for (uint32_t i = 0; i < job->active_count; i++)
        count += tallies[i].span_count;
    result->spans = calloc(count + 1, sizeof *result->spans);
    if (!result->spans)
        return lb_error_memory(error, NULL);
    for (uint32_t i = 0; i < job->active_count; i++)
        for (size_t j = 0; j < tallies[i].span_count; j++)
            result->spans[result->span_count++] =
                (struct lb_frame_span){job->active[i], job->number, tallies[i].spans[j]};
    return LB_OK;
}

/* How many samples a position of the range has; of those of its block, their mean number. */
static float samples_of(const struct lb_pass_job *job, const lb_order *order, struct lb_range range)
{
    uint64_t level = range.begin / lb_order_block(*order).count;
    if (level < job->level_count)
        return (float)(job->levels[level].sample_end - job->levels[level].sample_begin);
    return (float)(job->sample_end - job->sample_begin) / (float)(order->blocks ? order->blocks : 1);
}

/* Adds one member's range. One that was cut counts whole. */
static void add_range(const lb_order *order, struct lb_range range, uint32_t member, float samples,
                      struct lb_owned *owned)
{
    uint8_t color[3];
    lb_owner_color(member, color);
    for (uint64_t at = range.begin; at < range.end; at++) {
        uint64_t pixel = lb_order_due(order, at % order->count);
        if (pixel != LB_NO_PIXEL)
            lb_owned_add(&owned[pixel], color, samples);
    }
}

enum lb_status lb_pass_owned(const struct lb_pass_job *job, const struct lb_tally *tallies,
                             const lb_order *order, struct lb_pass_result *result, struct lb_error *error)
{
    size_t pixels = (size_t)job->scene->film.width * job->scene->film.height;
    if (!job->options->want_owned)
        return LB_OK;
    result->owned = calloc(pixels, sizeof *result->owned);
    if (!result->owned)
        return lb_error_memory(error, NULL);
    for (uint32_t i = 0; i < job->active_count; i++)
        for (size_t j = 0; j < tallies[i].span_count; j++) {
            struct lb_range range = tallies[i].spans[j].range;
            lb_order whole = lb_order_block(*order);
            uint64_t level = range.begin / whole.count;
            if (level < job->level_count)
                whole.left_out = job->levels[level].left_out;
            if (tallies[i].spans[j].delivered)
                add_range(&whole, range, job->active[i], samples_of(job, order, range), result->owned);
        }
    return LB_OK;
}
