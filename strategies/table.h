/* Every strategy's file exports one of these and nothing else. */
#ifndef LB_STRATEGIES_TABLE_H
#define LB_STRATEGIES_TABLE_H

#include "core/strategy.h"

extern const struct lb_strategy lb_strategy_naive;
extern const struct lb_strategy lb_strategy_contiguous;
extern const struct lb_strategy lb_strategy_scanline;
extern const struct lb_strategy lb_strategy_strips;
extern const struct lb_strategy lb_strategy_scatter;
extern const struct lb_strategy lb_strategy_random;
extern const struct lb_strategy lb_strategy_tiles;
extern const struct lb_strategy lb_strategy_bitrev;
extern const struct lb_strategy lb_strategy_coverage;
extern const struct lb_strategy lb_strategy_estimate;
extern const struct lb_strategy lb_strategy_pbt;
extern const struct lb_strategy lb_strategy_sampled;
extern const struct lb_strategy lb_strategy_robles;
extern const struct lb_strategy lb_strategy_diffusion;
extern const struct lb_strategy lb_strategy_hybrid;
extern const struct lb_strategy lb_strategy_pool;
extern const struct lb_strategy lb_strategy_hierarchical;
extern const struct lb_strategy lb_strategy_peers;
extern const struct lb_strategy lb_strategy_steal;
extern const struct lb_strategy lb_strategy_push;
extern const struct lb_strategy lb_strategy_auto;

#endif
