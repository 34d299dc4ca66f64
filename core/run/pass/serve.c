#include "core/run/pass/serve.h"

void lb_serve(const struct lb_supply *supply, struct lb_hand *hand)
{
    for (;;) {
        struct lb_range given;
        switch (supply->next(hand, &given)) {
        case LB_NEXT_RANGE:
            if (!supply->take(hand, given))
                return;
            break;
        case LB_NEXT_WAIT:
            if (!supply->sleep(hand))
                return;
            break;
        case LB_NEXT_END:
            return;
        }
    }
}
