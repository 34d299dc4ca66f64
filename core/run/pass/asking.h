/* The strategy of a pass as its processors' threads ask it, and where those sleep that it has nothing for. */
#ifndef LB_CORE_RUN_PASS_ASKING_H
#define LB_CORE_RUN_PASS_ASKING_H

#include "core/strategy.h"

#include <pthread.h>
#include <stdatomic.h>

struct lb_asking {
    const struct lb_strategy *strategy;
    void *state;          /* planned */
    uint32_t count;       /* of processors, each asked for by a thread of its own */
    pthread_mutex_t lock; /* around a strategy that is not concurrent */
    /* Who waits for work sleeps until `events` moves: every done, failed and spawn moves it. */
    _Atomic uint64_t events;
    _Atomic uint32_t sleepers; /* changed under sleep_lock */
    /* Under sleep_lock: */
    uint32_t ended;          /* threads that left the pass */
    uint64_t settled_events; /* the value of `events` that .. */
    uint32_t settled;        /* .. so many sleepers have seen */
    bool stalled;            /* all have, so that nobody renders and nothing can ever come */
    pthread_mutex_t sleep_lock;
    pthread_cond_t wake;
};

void lb_asking_open(struct lb_asking *asking, const struct lb_strategy *strategy, void *state,
                    uint32_t count);
void lb_asking_close(struct lb_asking *asking);

/* The strategy's hooks of the same names. */
enum lb_next lb_asking_next(struct lb_asking *asking, uint32_t processor, struct lb_range *range);
/* `cpu_seconds`: for had_cpu(), or negative: not known. */
void lb_asking_done(struct lb_asking *asking, uint32_t processor, struct lb_range range, double seconds,
                    double cpu_seconds);
/* Only where the strategy has this hook; lb_asking_failed() follows. */
void lb_asking_kept(struct lb_asking *asking, uint32_t processor, struct lb_range range, double seconds);
void lb_asking_progress(struct lb_asking *asking, uint32_t processor, struct lb_range range,
                        uint64_t positions, double seconds);
/* Does anybody sleep to whom the strategy might give a part of what others have in hand? */
bool lb_asking_could_cut(struct lb_asking *asking);
/* Only where lb_asking_could_cut(). Sleepers are woken where the range was cut. */
uint64_t lb_asking_cut(struct lb_asking *asking, uint32_t processor, struct lb_range range,
                       uint64_t positions, double seconds);
void lb_asking_spawn(struct lb_asking *asking, uint32_t processor, struct lb_range range);
void lb_asking_failed(struct lb_asking *asking, uint32_t processor, struct lb_range range, bool lost);

/* What has happened by now: to be read before lb_asking_next(), for lb_asking_sleep() after it. */
uint64_t lb_asking_seen(struct lb_asking *asking);
/* Sleeps until something happened since `seen`. False: nothing can happen any more. */
bool lb_asking_sleep(struct lb_asking *asking, uint64_t seen);
/* Wakes all who sleep, who then ask again. */
void lb_asking_announce(struct lb_asking *asking);
/* So many threads leave the pass, or were never made. */
void lb_asking_leave(struct lb_asking *asking, uint32_t threads);

#endif
