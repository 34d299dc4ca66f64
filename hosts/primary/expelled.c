#include "hosts/primary/expelled.h"

#include <math.h>
#include <string.h>

/* The seconds for which a worker is kept out at first, and at most. */
static const double FIRST_PAUSE = 1, LONGEST_PAUSE = 3600;
/* A worker that has behaved for so many times as long as it was kept out begins anew. */
static const double FORGIVEN = 10;

static bool is_same(const struct lb_expelled *one, const struct lb_peer *peer, uint64_t program)
{
    bool same_peer = one->peer.size == peer->size && !memcmp(one->peer.name, peer->name, peer->size);
    return one->pause > 0 && (same_peer || (program != 0 && one->program == program));
}

static struct lb_expelled *find(struct lb_expelled *all, const struct lb_peer *peer, uint64_t program)
{
    for (uint32_t i = 0; i < LB_EXPELLED_KEPT; i++)
        if (is_same(&all[i], peer, program))
            return &all[i];
    return NULL;
}

/* A free entry has until = 0, and so is taken before any other. */
static struct lb_expelled *find_oldest(struct lb_expelled *all)
{
    struct lb_expelled *oldest = &all[0];
    for (uint32_t i = 1; i < LB_EXPELLED_KEPT; i++)
        if (all[i].until < oldest->until)
            oldest = &all[i];
    return oldest;
}

double lb_expelled_note(struct lb_expelled *all, const struct lb_peer *peer, uint64_t program, double now)
{
    struct lb_expelled *entry = find(all, peer, program);
    bool again = entry && now - entry->until < FORGIVEN * entry->pause;
    double pause = again ? fmin(2 * entry->pause, LONGEST_PAUSE) : FIRST_PAUSE;
    if (!entry)
        entry = find_oldest(all);
    *entry = (struct lb_expelled){*peer, program, now + pause, pause};
    return pause;
}

bool lb_expelled_waits(const struct lb_expelled *all, const struct lb_peer *peer, uint64_t program,
                       double now)
{
    for (uint32_t i = 0; i < LB_EXPELLED_KEPT; i++)
        if (is_same(&all[i], peer, program) && now < all[i].until)
            return true;
    return false;
}
