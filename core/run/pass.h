/* One pass of a frame: the parts of core/run/frame.c. For core/run alone. */
#ifndef LB_CORE_RUN_PASS_H
#define LB_CORE_RUN_PASS_H

#include "core/run/frame.h"

struct lb_run {
    struct lb_run_options options;
    struct lb_member *members;
    uint32_t count;
    uint32_t *active; /* numbers of the members that are not lost */
    uint32_t active_count;
    void *strategy_options;       /* for its plans */
    void *state;                  /* the strategy's, for the active members */
    bool planned;                 /* it has seen a plan, */
    uint32_t width, height;       /* the last one of a picture of this size */
    struct lb_progress *progress; /* count */
};

/* What one pass works on: arrays over the active members, and the order's framebuffers. */
struct lb_pass {
    struct lb_run *run;
    const lb_scene *scene;
    uint32_t frame, number, sample_begin, sample_end;
    struct lb_order order;
    struct lb_processor **processors;
    struct lb_processor_info *infos;
    struct lb_measured *last;
    uint32_t *bind_index;
    struct lb_tally *tallies;
    lb_film_pixel *pixels;
    float *cost;
    double begin, t;
};

/* Who takes part. When one has been lost since, the strategy starts afresh with those that are left. */
enum lb_status lb_run_choose_active(struct lb_run *run, struct lb_error *error);
/* Given, measured or from the cache: anything but a guess. */
bool lb_run_weights_known(const struct lb_run *run);
/* Name, kind and weight of a member, for the report. */
void lb_report_member(struct lb_report_processor *p, const struct lb_member *member);

/* Plans and renders the pass and delivers it to `frame`; frees what is in `pass`. */
enum lb_status lb_pass_render(struct lb_pass *pass, struct lb_frame *frame, struct lb_error *error);
/* Takes what was rendered over into the members, the frame and its report. */
enum lb_status lb_pass_deliver(struct lb_pass *pass, struct lb_frame *frame, struct lb_error *error);
/* What a probe finds, for who wants the map though the strategy does not: in nobody's time. */
enum lb_status lb_pass_estimate(struct lb_run *run, const lb_scene *scene, enum lb_probe probe,
                                struct lb_frame *frame, struct lb_error *error);

#endif
