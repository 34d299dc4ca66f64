/* Frames, rendered in passes by the members of a run. */
#ifndef LB_CORE_RUN_FRAME_H
#define LB_CORE_RUN_FRAME_H

#include "core/report/color.h"
#include "core/run/run.h"
#include "core/run/pass/wish.h"

/* What a frame delivers; released by lb_frame_free. Maps are row by row from the upper left. */
struct lb_frame {
    uint32_t width, height;
    lb_film_pixel *pixels; /* NULL: there are no samples */
    int64_t *sums;         /* of these channels, a pixel's beside each other; NULL: there are none */
    lb_channels channels;  /* the scene's, or those that folded passes leave (core/run/pass/fold.h) */
    struct lb_held held;   /* which samples those are; empty where they were not to be kept */
    float *cost;           /* NULL: not wanted */
    struct lb_estimate estimates[LB_PROBES]; /* by probe; cost NULL: none was made */
    struct lb_owned *owned;                  /* who rendered each pixel; NULL: not wanted */
    /* Of a pass that was cut short, what there is so far; NULL but where noise is measured. */
    lb_film_pixel *parted;
    struct lb_frame_span *spans;
    size_t span_count, span_capacity;
    uint64_t samples; /* that the picture holds */
    bool complete;    /* with all that were wished for; else it was stopped or every processor was lost */
    uint32_t samples_each; /* of each pixel, of those wished for; fewer where time or noise ended it */
    double noise;          /* where a noise was asked for; negative: not known */
    /* Of a frame that ends by the noise of its pixels: how far it has come. */
    struct lb_part_target target;
    struct lb_report_frame report; /* its balances; the rest is the caller's */
    char described[320];           /* what the strategy says of itself; "": nothing */
};

/* Renders a frame of `scene`, or what `wish` wants of it; NULL: all. LB_OK also when it was stopped or left
 * incomplete (frame->complete). The time of a probe that the strategy wants counts in the frame's. */
enum lb_status lb_run_frame(struct lb_run *run, const lb_scene *scene, uint32_t number,
                            const struct lb_wish *wish, struct lb_frame *frame, struct lb_error *error);
void lb_frame_free(struct lb_frame *frame);

#endif
