/* A range in the hands of a processor, from the strategy's giving it to its being told done or failed: what of it is
 * rendered next, what was delivered, and how that counts. */
#ifndef LB_CORE_RUN_PASS_TURN_H
#define LB_CORE_RUN_PASS_TURN_H

#include "core/run/pass/asking.h"
#include "core/run/pass/schedule.h"

/* Framebuffers for a range that was born, and how many positions they have room for. */
struct lb_born {
    lb_film_pixel *pixels;
    int64_t *sums; /* NULL: the scene has no channels */
    float *cost;   /* NULL: costs are not wanted */
    size_t room;
};

/* A processor's thread in a pass. */
struct lb_hand {
    const struct lb_schedule *job;
    struct lb_asking *asking;
    const lb_order *whole; /* the order of whole pixels, which each block of samples goes through */
    uint32_t number;       /* of the processor */
    uint64_t piece;        /* ranges are cut into pieces of so many positions; 0: the hand has had none */
    uint64_t seen;         /* what had happened when its supply was asked last, to tell whether to sleep */
    struct lb_born born;
    void *of; /* the own data of its supply of ranges (lb_supply) */
};

struct lb_turn {
    struct lb_range given; /* by the strategy, */
    struct lb_range range; /* and what there is to render of it */
    uint64_t at;           /* delivered up to here */
    bool stopped;          /* its last piece was ended early */
    struct lb_report_processor did;
    double begin;     /* lb_clock_now() */
    double begin_cpu; /* lb_clock_thread_cpu(); negative: not asked for, or another thread does the work */
};

struct lb_turn lb_turn_begin(const struct lb_hand *hand, struct lb_range given);
/* The piece that begins at `from`: in one block of samples, and no longer than the hand's piece. */
struct lb_range lb_turn_piece(const struct lb_hand *hand, const struct lb_turn *turn, uint64_t from);
/* What a processor is given for the piece: work, and a result with arrays of the pass. */
void lb_turn_work(const struct lb_hand *hand, const struct lb_turn *turn, struct lb_range piece,
                  struct lb_work *work, struct lb_result *result);
/* The next piece was delivered. What is rendered of one that was stopped goes into the picture, but it is not done. */
void lb_turn_add(const struct lb_hand *hand, struct lb_turn *turn, struct lb_range piece,
                 const struct lb_result *result);
/* Between two pieces, when the processor was busy for `seconds` with what it has delivered of the range: the strategy
 * may take what lies behind `from`, up to which pieces were begun, or some of it, for those who wait. */
void lb_turn_cut(const struct lb_hand *hand, struct lb_turn *turn, uint64_t from, double seconds);
/* All of it was delivered, or no more will be: the pass was stopped, or, where `status` is not LB_OK, the processor
 * has failed; then nothing of it counts. The processor was busy with it for `seconds`, until `end`. Tells the
 * strategy. False: the processor renders no more in this pass. */
bool lb_turn_end(const struct lb_hand *hand, const struct lb_turn *turn, enum lb_status status, bool lost,
                 const struct lb_error *error, double seconds, double end);

#endif
