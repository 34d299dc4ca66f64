/* The scheduler: a thread a processor takes ranges from the strategy and renders them until the pass is done. */
#ifndef LB_CORE_RUN_PASS_SCHEDULE_H
#define LB_CORE_RUN_PASS_SCHEDULE_H

#include "core/processor.h"
#include "core/machine/cpus.h"
#include "core/report/report.h"
#include "core/report/span.h"
#include "core/run/pass/look.h"

#include <stdatomic.h>

/* What one processor did in a pass. Written by its thread alone; a cache line of its own, so that threads do not slow
 * each other down. */
struct lb_tally {
    /* Its figures so far. What the scheduler cannot know (name, weight, pixels, steps, what is derived) is zero. */
    _Alignas(128) struct lb_report_processor did;
    struct lb_error error; /* the last failure's; the pass goes on without this processor when it is lost */
    struct lb_span *spans; /* what it rendered, in order; released by lb_tally_free */
    size_t span_count, span_capacity;
};
void lb_tally_free(struct lb_tally *tally);

/* Samples rendered so far, for who shows progress: a counter a processor, added to by its thread alone. */
struct lb_progress {
    _Alignas(128) _Atomic uint64_t samples;
};

/* Samples [sample_begin, sample_end) of the pixels that the order does not leave out. */
struct lb_schedule_level {
    lb_order order;
    uint32_t sample_begin, sample_end;
};

struct lb_schedule {
    const struct lb_strategy *strategy;
    void *state; /* planned */
    struct lb_processor *const *processors;
    uint32_t count;
    const lb_scene *scene;
    const struct lb_order *order; /* in no more blocks than samples */
    uint32_t sample_begin, sample_end;
    /* What is born of what, the first that which the strategy has planned (core/run/pass/births.h): each leaves out the
     * pixels that the one before does. For dynamic strategies, with `part` the whole of an order without blocks, and
     * for processors that render at once; nobody may look on. level_count 0: nothing is born. */
    const struct lb_schedule_level *levels;
    uint32_t level_count;
    /* By pixel: what each level's samples differ from those before is added to it, by lb_pixels_differ(). NULL: it is
     * not wanted. */
    double *squares;
    /* The positions of whole pixels that are rendered. Each block of samples goes through them, one after the other. */
    struct lb_range part;
    /* The number of positions that the strategy deals, counted from 0. It is larger than the number of positions in all
     * blocks of `part` where the strategy's own order has padding; then one dealt position stands for less than one
     * position of these, evenly over all of them. */
    uint64_t dealt;
    /* The local framebuffers laid end to end, zeroed: part.end - part.begin for each block. */
    lb_film_pixel *pixels;
    int64_t *sums; /* the sums of the scene's channels, laid end to end in that way, or NULL */
    float *cost;   /* costs, laid end to end in that way, or NULL */
    bool cost_in_seconds;
    bool coverage;  /* of lb_work */
    bool log_spans; /* keep each range's times in the tallies */
    enum lb_bind bind;
    const uint32_t *bind_index;         /* a processor: which CPU its thread is bound to */
    const int *stop;                    /* not 0 (lb_stopped): end soon, within any piece; may be NULL */
    double begin;                       /* lb_clock_now() when the pass began */
    struct lb_tally *tallies;           /* count, zeroed */
    struct lb_look *look;               /* for those who look at the pass while it runs; NULL: nobody does */
    struct lb_progress *progress;       /* count */
    const struct lb_listener *listener; /* of pieces of the part; NULL: nobody listens */
};

/* Returns when the strategy has no more for anybody, every processor is lost, or `stop`. LB_OK also when processors
 * were lost or work is left over: the caller sees it in the tallies. Errors: a thread could not be made, a strategy
 * stalled. */
enum lb_status lb_schedule_run(const struct lb_schedule *schedule, struct lb_error *error);

#endif
