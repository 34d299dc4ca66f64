/* One pass of a frame as plain data: what is to be done, and what came of it. */
#ifndef LB_CORE_RUN_PASS_PASS_JOB_H
#define LB_CORE_RUN_PASS_PASS_JOB_H

#include "core/run/pass/member.h"
#include "core/run/pass/options.h"

/* Samples [sample_begin, sample_end) of some pixels. */
struct lb_pass_level {
    uint32_t sample_begin, sample_end;
    const uint64_t *left_out; /* the pixels that have none, as in lb_order */
};

/* Samples [sample_begin, sample_end) of every pixel, by the active members. */
struct lb_pass_job {
    const struct lb_run_options *options;
    const struct lb_member *members;
    uint32_t count;
    const uint32_t *active; /* numbers of the members that take part */
    uint32_t active_count;
    void *state;                  /* the strategy's, for the active members */
    const void *strategy_options; /* for its plan */
    bool planned; /* the strategy has made a plan before, so that lb_member.last was measured under it */
    const struct lb_estimate *estimate; /* what the strategy's probe found, or NULL */
    const lb_scene *scene;
    uint32_t frame, number, sample_begin, sample_end;
    /* May the strategy split pixels into blocks of samples? A pass that is stopped may then have rendered only some of
     * a pixel's samples, so it is false wherever the frame goes on from what a stopped pass leaves. */
    bool split;
    /* Are what its samples are to the pixels around put into these when it ends (core/run/pass/fold.h)? Not where its
     * pictures are kept to go on with, nor where they are looked at while it runs. */
    bool folds;
    uint64_t *left_out; /* the pixels that are not to be rendered, as in lb_order; NULL: all are */
    uint64_t due;       /* the number of pixels that are to be rendered */
    /* Samples that some of the pixels get too, where work may be born (core/run/pass/births.h): the first level is the
     * pass's own samples and pixels. level_count 0: none do. */
    const struct lb_pass_level *levels;
    uint32_t level_count;
    double *squares;              /* as in lb_schedule */
    uint64_t born_due;            /* the number of samples of all levels but the first */
    struct lb_progress *progress; /* an element for each member */
    struct lb_look *look;         /* for those who look at the pass while it runs; NULL: nobody does */
    double begin;                 /* lb_clock_now() when the pass began, its probe included, */
    double steal;                 /* and lb_machine_steal() */
};

/* Arrays of pixels go row by row from the upper left; they are NULL where they were not wanted. */
struct lb_pass_result {
    /* The strategy has made a plan, in this pass or before; true also where the pass failed after that. */
    bool planned;
    struct lb_report_balance balance; /* of all members */
    /* For each member its last failure, which means something where the balance counts one. */
    struct lb_error *errors;
    lb_film_pixel *pixels;
    int64_t *sums; /* of the scene's channels, or of lb_channels_folded(), by pixel; NULL: there are none */
    float *cost;
    struct lb_owned *owned; /* which members rendered the pixel */
    struct lb_frame_span *spans;
    size_t span_count;
    uint64_t samples;
    bool hidden; /* the pass has ended, and its pixels are shown to nobody before lb_look_added() is called */
    bool complete; /* it rendered all samples of the pixels that were due */
};

#endif
