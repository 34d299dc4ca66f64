#include "core/simulate/simulate_ahead.h"

/* It looks first when it has done this part of the range, and then always half-way to where it expects to ask. */
enum { FIRST_LOOK = 16 };

bool lb_sim_ahead(const struct lb_sim_work *work, struct lb_range range, struct lb_sim_rate rate,
                  const struct lb_sim_progress *before, double lead, struct lb_sim_progress *progress)
{
    uint64_t count = range.end - range.begin, at = (count + FIRST_LOOK - 1) / FIRST_LOOK;
    while (at < count) {
        struct lb_range part = {range.begin, range.begin + at};
        double seconds = rate.beginning + lb_sim_work_of(work, part) * rate.each;
        double speed = (double)(before->positions + at) / (before->seconds + seconds);
        double until = (double)(count - at) - lead * speed;
        if (!(until > 0)) {
            *progress = (struct lb_sim_progress){at, seconds};
            return true;
        }
        at += until < 4 ? 1 : (uint64_t)(until / 2);
    }
    return false;
}
