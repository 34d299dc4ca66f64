/* One pass of a frame as plain data: what is to be done, and what came of it. */
#ifndef LB_CORE_RUN_PASS_PASS_JOB_H
#define LB_CORE_RUN_PASS_PASS_JOB_H

#include "core/run/pass/member.h"

/* Samples [sample_begin, sample_end) of every pixel, by the active members. */
struct lb_pass_job {
    const struct lb_run_options *options;
    const struct lb_member *members;
    uint32_t count;
    const uint32_t *active; /* numbers of the members that take part */
    uint32_t active_count;
    void *state;                  /* the strategy's, for the active members */
    const void *strategy_options; /* for its plan */
    bool planned;                 /* the state has seen a plan, so that the members' last times are its own */
    const struct lb_estimate *estimate; /* what the strategy's probe found, or NULL */
    const lb_scene *scene;
    uint32_t frame, number, sample_begin, sample_end;
    /* May the strategy split pixels into blocks of samples? Then what there is of a stopped pass may be some of a
     * pixel's samples. */
    bool split;
    const uint64_t *left_out;     /* of lb_order: pixels that are not to be rendered; NULL: all are */
    uint64_t due;                 /* how many are */
    struct lb_progress *progress; /* a member each */
    struct lb_look *look; /* who looks at the pass while it runs; NULL: nobody. Then nothing is split */
    double begin;         /* lb_clock_now() when the pass began, with its probe */
};

/* Maps are row by row from the upper left; arrays are NULL where they were not wanted. */
struct lb_pass_result {
    bool planned;                     /* the state has seen a plan, also where the pass failed then */
    struct lb_report_balance balance; /* of all members */
    struct lb_error *errors; /* a member each: the last failure's, of those whose figures tell of one */
    lb_film_pixel *pixels;
    int64_t *sums; /* of the scene's channels, a pixel's beside each other; NULL: it has none */
    float *cost;
    uint32_t *owners; /* members' numbers; UINT32_MAX: nobody */
    struct lb_frame_span *spans;
    size_t span_count;
    uint64_t samples;
    bool hidden;   /* it has run: who looks waits until lb_look_added() */
    bool complete; /* no sample that was due is missing */
};

#endif
