/* How fast a processor is: what was measured of it, how far that can be believed, and how a weight follows it. Whoever
 * estimates a speed, in a frame or from frame to frame, does it by these, and the constants of all stand in speed.c.
 * Work is counted in whatever unit the caller has: positions, costs, steps. */
#ifndef LB_CORE_SPEED_H
#define LB_CORE_SPEED_H

#include <stdbool.h>
#include <stdint.h>

/* A mean of speeds, each of which counts for as many seconds as it was measured; all zero: nothing was. Where speeds
 * are to count for something else, as for parts of a frame, that stands in the place of seconds. */
struct lb_speed {
    double work;    /* done: the speeds times their seconds */
    double seconds; /* that it took */
};

/* What stays of older measurements when one is added: all, as speeds do not change; nine tenths, since from frame to
 * frame the machine does other things besides; half, as the next chunk of a frame may cost more a position. */
enum lb_speed_memory { LB_SPEED_ALL, LB_SPEED_FRAMES, LB_SPEED_RECENT };

/* Adds a measurement. One of no work in no time only lets the older ones count for less. */
void lb_speed_add(struct lb_speed *measured, double work, double seconds, enum lb_speed_memory memory);
/* Work a second; 0: nothing was measured. */
double lb_speed_of(const struct lb_speed *measured);

/* ---- within a frame ---- */

/* How much ranges of positions cost beyond what was expected of them; all zero: none was measured. */
struct lb_surprise {
    double squares; /* of that, over what they would be if a position's cost varied by its mean: the sum */
    double count;
};

/* Of a position's cost over its mean, squared: as measured, and as most frames have it while little was. */
double lb_surprise_variance(const struct lb_surprise *surprise);
/* `positions` took `seconds`, where `speed`, as measured on `before`, was expected; nothing is learnt where it was
 * not measured. */
void lb_surprise_learn(struct lb_surprise *surprise, const struct lb_speed *before, double speed,
                       double positions, double seconds);

/* What any range takes beyond its work, as processors' ranges of different sizes show it; all zero: none was
 * measured. */
struct lb_beginning {
    double products, squares; /* of a line through the ranges: sums */
};

/* `positions` of a range took `seconds`, with its beginning or, where they are the rest of it, without, after `ranges`
 * others, `before` in all; nothing is learnt where there were none. */
void lb_beginning_learn(struct lb_beginning *beginning, const struct lb_speed *before, double ranges,
                        double positions, double seconds, bool begun);
/* Seconds, as far as they are sure where a position's cost has this `variance`; 0: they may be none. */
double lb_beginning_of(const struct lb_beginning *beginning, double variance);
/* What was measured, without that of its ranges, which is `beginnings` together. */
struct lb_speed lb_speed_without(const struct lb_speed *measured, double beginnings);

/* What is to be expected of a processor whose speed was guessed beforehand, as of a processor in the middle: between
 * that and what was measured of it in positions whose costs have this `variance`. */
double lb_speed_expected(const struct lb_speed *measured, double guess, double variance);

/* ---- from frame to frame ---- */

/* Scales the speeds so that their sum is 1. */
void lb_speeds_normalise(double *speeds, uint32_t count);
/* Shrinks a measured ratio of speeds, whose logarithm has a standard error of `error`, to what of it is sure: to 1
 * where chance alone may account for it, by next to nothing where it is far beyond that. */
double lb_speed_believed(double ratio, double error);
/* A weight on its way to the one that was measured in the last pass: half of it, and none where both nearly agree. */
double lb_weight_follow(double weight, double measured);

/* Processors of one model (CPU threads that nothing tells apart, GPUs of one name) always weigh the same: where they
 * differ in a pass, the machine did something else besides. Sets each speed to the mean over those of its model that
 * are positive, or 0 where none is. `models`: for each processor the number of the first one of its model. False: out
 * of memory. */
bool lb_speeds_of_models(const uint32_t *models, uint32_t count, double *speeds);
/* From speeds measured in a pass, 0 being none, to the weights of the next: half of the way to what was measured, and
 * none where that is less than a fiftieth (Cycles' work balancer damps and ignores in this way, too); all of the way at
 * first, when `first`. A processor without a speed keeps its weight beside the others. `weights` have the sum 1
 * afterwards. */
void lb_weights_refine(const double *speeds, uint32_t count, bool first, double *weights);

#endif
