/* A picture cut into one rectangle a processor by where its cost lies: the store of all strategies that do so. */
#ifndef LB_STRATEGIES_LEAVES_H
#define LB_STRATEGIES_LEAVES_H

#include "strategies/density.h"

struct lb_leaf {
    lb_rectangle area; /* a processor's; maybe empty */
    double weight;     /* the processor's; next to nothing of one that is lost */
    double seconds;    /* that the area took in this frame, by whoever did it, */
    double own;        /* those of them that its own processor took, */
    double foreign;    /* and those of others, each times the weight that was known of it then */
};

/* All zero before the first frame. */
struct lb_leaves {
    struct lb_density density; /* where the cost lies as far as is known before the frame */
    struct lb_leaf *all;       /* a processor each */
    uint32_t count;
};

/* Makes room for the plan's processors and takes up their weights. */
enum lb_status lb_leaves_start(struct lb_leaves *leaves, const struct lb_plan *plan, struct lb_error *error);
/* Starts the density with the plan's estimate, if there is one; more may be added before lb_density_finish. */
enum lb_status lb_leaves_guess(struct lb_leaves *leaves, const struct lb_plan *plan, struct lb_error *error);
/* Starts it with what the last frame's areas cost, each spread evenly over its own (paper, equation 8); these were
 * of a picture of the same size. A cost is time times speed, and the plan's weights know the speeds of the last frame,
 * which its own weights may only have guessed. */
enum lb_status lb_leaves_learn(struct lb_leaves *leaves, const struct lb_plan *plan, struct lb_error *error);
/* Cuts the picture by halving the number of processors and splitting the cost as their weights are; `begin` stays 0.
 * Where there are more processors than pixels some areas are empty. After lb_density_finish. */
void lb_leaves_cut(struct lb_leaves *leaves, enum lb_cut rule);
void lb_leaves_free(struct lb_leaves *leaves);

#endif
