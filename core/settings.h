/* What a user may choose of how frames are rendered or simulated. The command line fills one of these, and it is copied
 * as a whole to whoever runs frames. A setting that one strategy alone reads is an option of that strategy instead. */
#ifndef LB_CORE_SETTINGS_H
#define LB_CORE_SETTINGS_H

#include "core/machine/cpus.h"
#include "core/strategy.h"

struct lb_settings {
    const struct lb_strategy *strategy;
    struct lb_option_values options; /* of strategies; those that `strategy` does not declare go unread */
    uint64_t seed;                   /* of all that a strategy draws */
    enum lb_bind bind;
    bool cost_in_seconds; /* the unit of cost maps; else steps */
};

#endif
