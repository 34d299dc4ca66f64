/* Two forecasts of the same shares, and how far each is to be trusted by what came of them. */
#ifndef LB_STRATEGIES_TRUST_H
#define LB_STRATEGIES_TRUST_H

#include <stdint.h>

/* All zero before the first frame. */
struct lb_trust {
    double first, second, both; /* sums of squared errors, and of their products; old frames fade */
};

/* What the two said of one share, and what it was. */
struct lb_trust_outcome {
    double first, second, actual;
};

/* Learns from forecasts and what came of them; in each column only the ratios of its entries count. */
void lb_trust_learn(struct lb_trust *trust, const struct lb_trust_outcome *outcomes, uint32_t count);
/* The part of the first, 0 .. 1, in the blend of least squared error; 0 before anything was learnt. */
double lb_trust_share(const struct lb_trust *trust);

#endif
