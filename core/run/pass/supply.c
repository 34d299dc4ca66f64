#include "core/run/pass/supply.h"

bool lb_supply_next(const struct lb_supply *supply, struct lb_hand *hand, struct lb_range *given)
{
    for (;;) {
        enum lb_next next = supply->ask(hand, given);
        if (next != LB_NEXT_WAIT)
            return next == LB_NEXT_RANGE;
        if (!supply->sleep(hand))
            return false;
    }
}
