#include "core/run/pass/schedule.h"

#include "core/machine/clock.h"
#include "core/machine/threads.h"
#include "core/run/pass/ahead.h"
#include "core/run/pass/births.h"
#include "core/run/pass/hand.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct thread {
    struct lb_hand hand;
    pthread_t id;
};

/* ---- ranges from the pass's strategy, rendered at once ---- */

static enum lb_next ask(struct lb_hand *hand, struct lb_range *given)
{
    hand->seen = lb_asking_seen(hand->asking);
    return lb_stopped(hand->job->stop) ? LB_NEXT_END : lb_asking_next(hand->asking, hand->number, given);
}

static bool sleep_until_asked(struct lb_hand *hand)
{
    return lb_asking_sleep(hand->asking, hand->seen);
}

static const struct lb_supply at_once = {.ask = ask, .sleep = sleep_until_asked};

/* Is the processor given ranges ahead? Where ranges are born, one of this host is not: what is rendered of them stands
 * apart until it is done with, of one range at a time. */
static bool goes_ahead(const struct lb_hand *hand)
{
    const struct lb_processor_table *table = hand->job->processors[hand->number]->table;
    return table->begin && (table->tell || hand->job->level_count == 0);
}

/* ---- threads ---- */

static void *run_thread(void *argument)
{
    struct lb_hand *hand = &((struct thread *)argument)->hand;
    const struct lb_schedule *job = hand->job;
    struct lb_range given;
    if (job->bind_index)
        lb_cpus_bind(job->bind, job->bind_index[hand->number]);
    /* The thread's CPU time is read twice a pass and not twice a range: reading it is a system call, at which a crowded
     * machine lets another thread run. */
    double begin_cpu = lb_clock_thread_cpu();
    if (goes_ahead(hand))
        lb_ahead_work(hand);
    else
        while (lb_hand_next(hand, &at_once, &given) && lb_hand_render(hand, given))
            ;
    lb_births_end(hand);
    job->tallies[hand->number].did.busy_cpu_seconds = lb_clock_thread_cpu() - begin_cpu;
    lb_asking_leave(hand->asking, 1);
    if (lb_stopped(job->stop))
        lb_asking_announce(hand->asking);
    return NULL;
}

/* Makes a thread for each processor, as long as that can be done: returns their number, and else why not. */
static uint32_t make_threads(const struct lb_schedule *job, struct lb_asking *asking, const lb_order *whole,
                             struct thread *threads, int *failure)
{
    *failure = 0;
    for (uint32_t i = 0; i < job->count; i++) {
        threads[i].hand = (struct lb_hand){.job = job, .asking = asking, .whole = whole, .number = i};
        *failure = lb_thread_make(&threads[i].id, run_thread, &threads[i]);
        if (*failure)
            return i;
    }
    return job->count;
}

/* The threads that could be made do the work of the others, as if the processors of these had been lost. */
static void do_without(const struct lb_schedule *job, struct lb_asking *asking, uint32_t first, int failure)
{
    lb_asking_leave(asking, job->count - first);
    for (uint32_t i = first; i < job->count; i++) {
        job->tallies[i].did.lost = true;
        lb_error_set(&job->tallies[i].error, LB_ERROR, "%s: no thread: %s", job->processors[i]->name,
                     strerror(failure));
        lb_asking_failed(asking, i, (struct lb_range){0, 0}, true);
    }
}

enum lb_status lb_schedule_run(const struct lb_schedule *schedule, struct lb_error *error)
{
    struct thread *threads = calloc(schedule->count, sizeof *threads);
    if (!threads)
        return lb_error_memory(error, NULL);
    lb_order whole = lb_order_block(*schedule->order);
    struct lb_asking asking;
    int failure;
    enum lb_status status = LB_OK;
    lb_asking_open(&asking, schedule->strategy, schedule->state, schedule->count);
    uint32_t made = make_threads(schedule, &asking, &whole, threads, &failure);
    if (failure)
        do_without(schedule, &asking, made, failure);
    for (uint32_t i = 0; i < made; i++)
        pthread_join(threads[i].id, NULL);
    free(threads);
    /* Of a pass that was stopped, those who had work have left, and those who had none may be all that are there. */
    if (made == 0)
        status = lb_error_set(error, LB_ERROR, "cannot make a thread: %s", strerror(failure));
    else if (asking.stalled && !lb_stopped(schedule->stop))
        status = lb_error_set(error, LB_ERROR, "the strategy %s lets every processor wait for nothing",
                              schedule->strategy->name);
    lb_asking_close(&asking);
    return status;
}

void lb_tally_free(struct lb_tally *tally)
{
    free(tally->spans);
    tally->spans = NULL;
    tally->span_count = tally->span_capacity = 0;
}
