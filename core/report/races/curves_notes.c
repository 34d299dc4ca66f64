/* Where strategies had too few pieces for some sets of processors. */
#include "core/report/races/curves.h"

char *lb_curves_notes(const struct lb_curves *c)
{
    struct lb_text text = {0};
    lb_text_add(&text, "%s", "");
    for (uint32_t k = 0; k < c->strategy_count; k++) {
        uint32_t sets = 0, least = 0;
        for (uint32_t i = 0; i < c->set_count; i++)
            if (c->points[(size_t)i * c->strategy_count + k].without > 0) {
                least = sets == 0 || c->processors[i] < least ? c->processors[i] : least;
                sets++;
            }
        if (sets == 0)
            continue;
        lb_text_add(&text, "%s: on %u of %u sets, from %u processors on, some of these had nothing to do",
                    c->strategies[k], sets, c->set_count, least);
        if (c->remedies && c->remedies[k])
            lb_text_add(&text, "; %s", c->remedies[k]);
        lb_text_add(&text, "\n");
    }
    return lb_text_take(&text);
}
