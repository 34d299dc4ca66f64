#include "strategies/trust.h"

/* With each frame the older frames' errors count for this part of what they did: a few frames suffice to learn, and are
 * soon forgotten where the motion changes. */
static const double KEPT = 0.7;

static double part(double value, double sum)
{
    return sum > 0 ? value / sum : value;
}

void lb_trust_learn(struct lb_trust *trust, const struct lb_trust_outcome *outcomes, uint32_t count)
{
    struct lb_trust_outcome sum = {0};
    trust->first *= KEPT;
    trust->second *= KEPT;
    trust->both *= KEPT;
    for (uint32_t i = 0; i < count; i++) {
        sum.first += outcomes[i].first;
        sum.second += outcomes[i].second;
        sum.actual += outcomes[i].actual;
    }
    for (uint32_t i = 0; i < count; i++) {
        double actual = part(outcomes[i].actual, sum.actual);
        double a = part(outcomes[i].first, sum.first) - actual,
               b = part(outcomes[i].second, sum.second) - actual;
        trust->first += a * a;
        trust->second += b * b;
        trust->both += a * b;
    }
}

double lb_trust_share(const struct lb_trust *trust)
{
    double apart = trust->first + trust->second - 2 * trust->both;
    double share = apart > 0 ? (trust->second - trust->both) / apart : 0;
    return share < 0 ? 0 : share > 1 ? 1 : share;
}
