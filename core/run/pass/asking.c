#include "core/run/pass/asking.h"

void lb_asking_open(struct lb_asking *asking, const struct lb_strategy *strategy, void *state, uint32_t count)
{
    *asking = (struct lb_asking){.strategy = strategy, .state = state, .count = count};
    pthread_mutex_init(&asking->lock, NULL);
    pthread_mutex_init(&asking->sleep_lock, NULL);
    pthread_cond_init(&asking->wake, NULL);
}

void lb_asking_close(struct lb_asking *asking)
{
    pthread_cond_destroy(&asking->wake);
    pthread_mutex_destroy(&asking->sleep_lock);
    pthread_mutex_destroy(&asking->lock);
}

/* ---- calls of the strategy ---- */

static void lock_strategy(struct lb_asking *asking)
{
    if (!asking->strategy->concurrent)
        pthread_mutex_lock(&asking->lock);
}

static void unlock_strategy(struct lb_asking *asking)
{
    if (!asking->strategy->concurrent)
        pthread_mutex_unlock(&asking->lock);
}

enum lb_next lb_asking_next(struct lb_asking *asking, uint32_t processor, struct lb_range *range)
{
    lock_strategy(asking);
    enum lb_next next = asking->strategy->next(asking->state, processor, range);
    unlock_strategy(asking);
    return next;
}

/* Sleepers are woken, unless the strategy can tell that it has nothing for them. */
void lb_asking_done(struct lb_asking *asking, uint32_t processor, struct lb_range range, double seconds,
                    double cpu_seconds)
{
    const struct lb_strategy *strategy = asking->strategy;
    lock_strategy(asking);
    if (strategy->had_cpu && cpu_seconds >= 0)
        strategy->had_cpu(asking->state, processor, cpu_seconds);
    strategy->done(asking->state, processor, range, seconds);
    bool ready = !strategy->ready || strategy->ready(asking->state);
    unlock_strategy(asking);
    if (ready)
        lb_asking_announce(asking);
}

void lb_asking_kept(struct lb_asking *asking, uint32_t processor, struct lb_range range, double seconds)
{
    lock_strategy(asking);
    asking->strategy->kept(asking->state, processor, range, seconds);
    unlock_strategy(asking);
}

void lb_asking_progress(struct lb_asking *asking, uint32_t processor, struct lb_range range,
                        uint64_t positions, double seconds)
{
    if (!asking->strategy->progress)
        return;
    lock_strategy(asking);
    asking->strategy->progress(asking->state, processor, range, positions, seconds);
    unlock_strategy(asking);
}

bool lb_asking_could_cut(struct lb_asking *asking)
{
    return asking->strategy->cut && atomic_load(&asking->sleepers) > 0;
}

uint64_t lb_asking_cut(struct lb_asking *asking, uint32_t processor, struct lb_range range,
                       uint64_t positions, double seconds)
{
    lock_strategy(asking);
    uint64_t end = asking->strategy->cut(asking->state, processor, range, positions, seconds);
    unlock_strategy(asking);
    if (end < range.end)
        lb_asking_announce(asking);
    return end;
}

/* Sleepers are woken by the done() that follows. */
void lb_asking_spawn(struct lb_asking *asking, uint32_t processor, struct lb_range range)
{
    lock_strategy(asking);
    asking->strategy->spawn(asking->state, processor, range);
    unlock_strategy(asking);
}

void lb_asking_failed(struct lb_asking *asking, uint32_t processor, struct lb_range range, bool lost)
{
    lock_strategy(asking);
    asking->strategy->failed(asking->state, processor, range, lost);
    unlock_strategy(asking);
    lb_asking_announce(asking);
}

/* ---- sleep ---- */

uint64_t lb_asking_seen(struct lb_asking *asking)
{
    return atomic_load(&asking->events);
}

bool lb_asking_sleep(struct lb_asking *asking, uint64_t seen)
{
    pthread_mutex_lock(&asking->sleep_lock);
    atomic_fetch_add(&asking->sleepers, 1);
    if (atomic_load(&asking->events) == seen) {
        asking->settled = asking->settled_events == seen ? asking->settled + 1 : 1;
        asking->settled_events = seen;
    }
    while (atomic_load(&asking->events) == seen && !asking->stalled) {
        if (asking->settled + asking->ended == asking->count) {
            asking->stalled = true;
            pthread_cond_broadcast(&asking->wake);
            break;
        }
        pthread_cond_wait(&asking->wake, &asking->sleep_lock);
    }
    bool goes_on = !asking->stalled;
    atomic_fetch_sub(&asking->sleepers, 1);
    pthread_mutex_unlock(&asking->sleep_lock);
    return goes_on;
}

void lb_asking_announce(struct lb_asking *asking)
{
    atomic_fetch_add(&asking->events, 1);
    if (atomic_load(&asking->sleepers) == 0)
        return;
    pthread_mutex_lock(&asking->sleep_lock);
    pthread_cond_broadcast(&asking->wake);
    pthread_mutex_unlock(&asking->sleep_lock);
}

/* A thread that leaves may leave only sleepers behind, who would wait for ever: each looks again. */
void lb_asking_leave(struct lb_asking *asking, uint32_t threads)
{
    pthread_mutex_lock(&asking->sleep_lock);
    asking->ended += threads;
    pthread_cond_broadcast(&asking->wake);
    pthread_mutex_unlock(&asking->sleep_lock);
}
