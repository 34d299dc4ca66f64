/* A pass of a frame: who takes part, what they want to know before it, and what of it goes into the frame. For
 * core/run's frames alone. */
#ifndef LB_CORE_RUN_FRAME_PASS_H
#define LB_CORE_RUN_FRAME_PASS_H

#include "core/run/frame.h"
#include "core/run/pass/pass.h"
#include "core/run/run_state.h"

/* Makes the map that a probe finds, by those who are active. */
enum lb_status lb_frame_estimate(const struct lb_run *run, const lb_scene *scene, enum lb_probe probe,
                                 struct lb_frame *frame, struct lb_error *error);

/* Lets in the processors that have come, and gives those that are new a row in the frame's report. `wait`: until one
 * has come or the run is stopped. */
enum lb_status lb_frame_renew(struct lb_run *run, bool wait, struct lb_frame *frame, struct lb_error *error);

/* Tells who watches the run the frame's noise, and how many samples it will take to what is wanted. */
void lb_frame_tell_noise(struct lb_run *run, const struct lb_frame *frame);

/* Does the frame hold what its passes fold (lb_pass_job.folds)? */
bool lb_frame_folds(const struct lb_run *run, const struct lb_wish *wish);

/* Does the frame keep account of which samples each pixel has? */
bool lb_frame_keeps_held(const struct lb_run *run, const struct lb_wish *wish);

/* Makes the job of a pass: samples [begin, end) of the pixels that lack them. Nothing is due where no pixel does, or
 * where all members were lost in the probe, as others may come. job->left_out is the caller's to free. */
enum lb_status lb_frame_begin_pass(struct lb_run *run, const lb_scene *scene, const struct lb_wish *wish,
                                   uint32_t begin, uint32_t end, struct lb_frame *frame,
                                   struct lb_pass_job *job, struct lb_error *error);
/* Adds a pass, which ended with `status`, up into its frame, and frees it. */
enum lb_status lb_frame_end_pass(struct lb_run *run, const struct lb_pass_job *job,
                                 const struct lb_wish *wish, enum lb_status status,
                                 struct lb_pass_result *pass, struct lb_frame *frame, struct lb_error *error);

/* Renders the samples [begin, end) in as many passes as it takes: where processors come, or all are lost and some come
 * in time, what the last pass left over is shared out anew. */
enum lb_status lb_frame_render_renewed(struct lb_run *run, const lb_scene *scene, const struct lb_wish *wish,
                                       uint32_t begin, uint32_t end, struct lb_frame *frame,
                                       struct lb_error *error);

#endif
