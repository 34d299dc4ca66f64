/* What ends a pass before its work is done: a signal, which ends the run, or a renewal, after which the run goes on
 * with the processors that have come. Neither is ever taken for the other, whenever they come. */
#ifndef LB_CORE_INTERRUPT_H
#define LB_CORE_INTERRUPT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

/* All zero: nothing has happened. Written by any thread, and by signal handlers. */
struct lb_interrupt {
    /* Not 0: the pass ends soon, for a renewal unless a signal is noted. lb_work.stop points here. */
    atomic_int now;
    atomic_int signal; /* the number of the signal that ends the run, or 0; it is never taken back */
};

/* The number as lb_stopped() and whoever is to stop at it read it. NULL for NULL. */
static inline const int *lb_interrupt_number(const atomic_int *number)
{
    return (const int *)number;
}

/* Notes a signal and ends the pass. False: an earlier signal is noted, which stays. A signal handler may call it. */
static inline bool lb_interrupt_signal(struct lb_interrupt *interrupt, int number)
{
    int none = 0;
    if (!atomic_compare_exchange_strong(&interrupt->signal, &none, number))
        return false;
    atomic_store(&interrupt->now, 1);
    return true;
}

/* Ends the pass for a renewal. */
static inline void lb_interrupt_renew(struct lb_interrupt *interrupt)
{
    atomic_store(&interrupt->now, 1);
}

/* Takes a renewal back, so that the next pass is not ended by it. False: there is none, or a signal ends the run. */
static inline bool lb_interrupt_take_renewal(struct lb_interrupt *interrupt)
{
    if (atomic_exchange(&interrupt->now, 0) == 0)
        return false;
    if (atomic_load(&interrupt->signal) == 0)
        return true; /* a signal from here on writes to `now` itself */
    atomic_store(&interrupt->now, 1);
    return false;
}

/* The signal that ends the run, or 0; also where `interrupt` is NULL. */
static inline int lb_interrupt_signalled(const struct lb_interrupt *interrupt)
{
    return interrupt ? atomic_load(&interrupt->signal) : 0;
}

#endif
