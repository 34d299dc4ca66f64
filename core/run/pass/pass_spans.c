#include "core/run/pass/pass_spans.h"

#include <stdlib.h>
#include <string.h>

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

enum lb_status lb_pass_owners(const struct lb_pass_job *job, const struct lb_tally *tallies,
                              const lb_order *order, struct lb_pass_result *result, struct lb_error *error)
{
    size_t pixels = (size_t)job->scene->film.width * job->scene->film.height;
    lb_order whole = lb_order_block(*order);
    if (!job->options->want_owners)
        return LB_OK;
    result->owners = malloc(pixels * sizeof *result->owners);
    if (!result->owners)
        return lb_error_memory(error, NULL);
    memset(result->owners, 0xff, pixels * sizeof *result->owners);
    for (uint32_t i = 0; i < job->active_count; i++)
        for (size_t j = 0; j < tallies[i].span_count; j++) {
            const struct lb_span *span = &tallies[i].spans[j];
            for (uint64_t at = span->range.begin; span->delivered && at < span->range.end; at++) {
                uint64_t pixel = lb_order_pixel(&whole, at); /* none of a later block's */
                if (pixel != LB_NO_PIXEL)
                    result->owners[pixel] = job->active[i];
            }
        }
    return LB_OK;
}
