#include "core/run/frame_add.h"

#include "core/base/grow.h"
#include "core/base/pages.h"
#include "core/run/noise.h"
#include "core/run/pass/pass_picture.h"

#include <stdlib.h>

/* Spans count from the frame's beginning, `offset` seconds before the pass's. */
static enum lb_status add_spans(struct lb_frame *frame, const struct lb_pass_result *pass, double offset,
                                struct lb_error *error)
{
    if (!pass->spans)
        return LB_OK;
    struct lb_frame_span *spans =
        lb_grow(frame->spans, &frame->span_capacity, frame->span_count + pass->span_count, sizeof *spans);
    if (!spans)
        return lb_error_memory(error, NULL);
    frame->spans = spans;
    for (size_t i = 0; i < pass->span_count; i++) {
        struct lb_frame_span *span = &frame->spans[frame->span_count++];
        *span = pass->spans[i];
        span->span.begin += offset;
        span->span.end += offset;
    }
    return LB_OK;
}

/* Measures the noise between a pass and what the frame had before it. Where the pass was cut short and goes on, the
 * pixels of its parts are gathered until it is whole; then they are taken off the frame's, exactly, as sums of integers
 * are. */
static enum lb_status measure_noise(struct lb_frame *frame, const struct lb_pass_result *pass,
                                    struct lb_error *error)
{
    uint64_t pixels = (uint64_t)frame->width * frame->height;
    if (!frame->parted && pass->complete) {
        if (frame->pixels)
            frame->noise = lb_noise_between(frame->pixels, pass->pixels, pixels);
        return LB_OK;
    }
    if (!frame->parted)
        frame->parted = lb_pages_calloc(pixels, sizeof *frame->parted);
    if (!frame->parted)
        return lb_error_memory(error, NULL);
    if (pass->complete && frame->pixels) {
        lb_pixels_subtract(frame->pixels, frame->parted, pixels);
        lb_pixels_add(frame->parted, pass->pixels, pixels);
        frame->noise = lb_noise_between(frame->pixels, frame->parted, pixels);
        lb_pixels_subtract(frame->parted, pass->pixels, pixels);
        lb_pixels_add(frame->pixels, frame->parted, pixels);
        free(frame->parted);
        frame->parted = NULL;
    } else {
        lb_pixels_add(frame->parted, pass->pixels, pixels);
    }
    return LB_OK;
}

/* The first picture is the frame's; later ones are added to it. */
static void add_picture(struct lb_frame *frame, struct lb_pass_result *pass, uint32_t channel_sums)
{
    uint64_t pixels = (uint64_t)frame->width * frame->height;
    if (frame->pixels) {
        lb_pixels_add(frame->pixels, pass->pixels, pixels);
        if (frame->sums && pass->sums)
            lb_sums_add(frame->sums, pass->sums, pixels * channel_sums);
    } else {
        frame->pixels = pass->pixels;
        frame->sums = pass->sums;
        pass->pixels = NULL;
        pass->sums = NULL;
    }
    if (frame->report.pass_count == 0) {
        frame->cost = pass->cost;
        pass->cost = NULL;
    } else if (frame->cost && pass->cost) {
        lb_costs_add(frame->cost, pass->cost, pixels);
    }
}

static void add_owned(struct lb_frame *frame, struct lb_pass_result *pass)
{
    uint64_t pixels = (uint64_t)frame->width * frame->height;
    for (uint64_t i = 0; frame->owned && i < pixels; i++) {
        for (int c = 0; c < 3; c++)
            pass->owned[i].color[c] += frame->owned[i].color[c];
        pass->owned[i].samples += frame->owned[i].samples;
    }
    free(frame->owned);
    frame->owned = pass->owned;
    pass->owned = NULL;
}

static enum lb_status keep_balance(struct lb_report_frame *report, struct lb_report_balance *balance,
                                   struct lb_error *error)
{
    struct lb_report_balance *passes =
        reallocarray(report->passes, (size_t)report->pass_count + 1, sizeof *passes);
    if (!passes)
        return lb_error_memory(error, NULL);
    report->passes = passes;
    report->passes[report->pass_count++] = *balance;
    balance->processors = NULL;
    return LB_OK;
}

enum lb_status lb_frame_add(struct lb_frame *frame, struct lb_pass_result *pass, bool wants_noise,
                            uint32_t channel_sums, struct lb_error *error)
{
    struct lb_report_frame *report = &frame->report;
    enum lb_status status = add_spans(frame, pass, report->all.t, error);
    if (status == LB_OK && wants_noise)
        status = measure_noise(frame, pass, error);
    const struct lb_part_target *target = &frame->target;
    if (target->squares && frame->pixels)
        lb_squares_learn(target->squares, frame->pixels, pass->pixels, target->end - target->begin,
                         (uint64_t)frame->width * frame->height);
    add_picture(frame, pass, channel_sums);
    if (pass->owned)
        add_owned(frame, pass);
    if (!lb_balance_add(&report->all, &pass->balance) && status == LB_OK)
        status = lb_error_memory(error, NULL);
    if (status == LB_OK)
        status = keep_balance(report, &pass->balance, error);
    frame->samples += pass->samples;
    frame->complete = pass->complete;
    return status;
}
