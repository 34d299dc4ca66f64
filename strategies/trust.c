#include "strategies/trust.h"

/* What a frame later is left of a frame's errors: few frames are enough to learn, and soon enough forgotten where the
 * motion changes. */
static const double KEPT = 0.7;

void lb_trust_learn(struct lb_trust *trust, const double *first, const double *second, const double *actual,
                    uint32_t count)
{
    trust->first *= KEPT;
    trust->second *= KEPT;
    trust->both *= KEPT;
    for (uint32_t i = 0; i < count; i++) {
        double a = first[i] - actual[i], b = second[i] - actual[i];
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
