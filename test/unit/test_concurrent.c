/* Runs strategies under real threads, which ask in any order: every position must be rendered once. `make tsan` runs
 * this under ThreadSanitizer. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "core/strategy.h"

enum { THREADS = 8 };

struct frame {
    const struct lb_strategy *strategy;
    void *state;
    pthread_mutex_t lock;
    lb_order order;
    _Atomic unsigned char *delivered;
    _Atomic uint64_t born;
    uint64_t room;
    _Atomic int wrong;
};

struct thread {
    struct frame *frame;
    uint32_t number;
    uint64_t draws;
    bool fails;
};

static uint32_t draw(struct thread *thread, uint32_t below)
{
    thread->draws = thread->draws * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((thread->draws >> 33) % below);
}

static void enter(struct frame *frame)
{
    if (!frame->strategy->concurrent)
        pthread_mutex_lock(&frame->lock);
}

static void leave(struct frame *frame)
{
    if (!frame->strategy->concurrent)
        pthread_mutex_unlock(&frame->lock);
}

static void spawn(struct thread *thread)
{
    struct frame *frame = thread->frame;
    uint64_t size = 1 + draw(thread, 20), begin;
    if (frame->strategy->spawn == NULL || draw(thread, 10) != 0)
        return;
    begin = atomic_fetch_add(&frame->born, size);
    if (begin + size > frame->room)
        return; /* enough were born; nobody will hear of these */
    enter(frame);
    frame->strategy->spawn(frame->state, thread->number, (struct lb_range){begin, begin + size});
    leave(frame);
}

/* False: the thread's processor is lost. */
static bool render(struct thread *thread, struct lb_range range)
{
    struct frame *frame = thread->frame;
    bool lost = thread->fails && draw(thread, 40) == 0;
    if (lost || draw(thread, 20) == 0) {
        enter(frame);
        frame->strategy->failed(frame->state, thread->number, range, lost);
        leave(frame);
        return !lost;
    }
    for (uint64_t i = range.begin; i < range.end; i++)
        if (i >= frame->room || atomic_fetch_add(&frame->delivered[i], 1) != 0)
            atomic_store(&frame->wrong, 1);
    spawn(thread);
    enter(frame);
    frame->strategy->done(frame->state, thread->number, range, 1e-6 * (double)(range.end - range.begin));
    leave(frame);
    return true;
}

static void *work(void *argument)
{
    struct thread *thread = argument;
    struct frame *frame = thread->frame;
    for (;;) {
        struct lb_range range;
        enter(frame);
        enum lb_next next = frame->strategy->next(frame->state, thread->number, &range);
        leave(frame);
        if (next == LB_NEXT_END || (next == LB_NEXT_RANGE && !render(thread, range)))
            return NULL;
        if (next == LB_NEXT_WAIT)
            sched_yield();
    }
}

static void run_frame(struct frame *frame, const struct lb_plan *plan, uint64_t seed)
{
    pthread_t threads[THREADS];
    struct thread arguments[THREADS];
    assert_int_equal(frame->strategy->plan(frame->state, plan, &frame->order, NULL), LB_OK);
    frame->room = 2 * frame->order.count;
    frame->delivered = calloc(frame->room, sizeof *frame->delivered);
    atomic_store(&frame->born, frame->order.count);
    for (uint32_t k = 0; k < THREADS; k++) {
        arguments[k] = (struct thread){frame, k, seed * THREADS + k, k % 3 == 1};
        assert_int_equal(pthread_create(&threads[k], NULL, work, &arguments[k]), 0);
    }
    for (uint32_t k = 0; k < THREADS; k++)
        pthread_join(threads[k], NULL);
    assert_int_equal(atomic_load(&frame->wrong), 0);
    for (uint64_t i = 0; i < frame->order.count; i++)
        assert_int_equal(atomic_load(&frame->delivered[i]), 1);
    free((void *)frame->delivered);
}

static void every_position_once_on_threads(void **unused)
{
    struct lb_processor_info processors[THREADS];
    (void)unused;
    for (uint32_t k = 0; k < THREADS; k++)
        processors[k] =
            (struct lb_processor_info){k == 7 ? LB_PROCESSOR_GPU : LB_PROCESSOR_CPU, k / 3, 0.125};
    for (size_t s = 0; s < lb_strategy_count; s++)
        for (uint64_t turn = 0; turn < 6; turn++) {
            struct frame frame = {.strategy = lb_strategies[s], .lock = PTHREAD_MUTEX_INITIALIZER};
            struct lb_option_values none = {0};
            void *options = lb_strategy_options_make(frame.strategy, &none);
            struct lb_plan plan = {.width = 97,
                                   .height = 61,
                                   .processor_count = THREADS,
                                   .processors = processors,
                                   .options = options};
            frame.state = calloc(1, frame.strategy->state_size(THREADS));
            run_frame(&frame, &plan, turn);
            if (frame.strategy->end != NULL)
                frame.strategy->end(frame.state);
            free(frame.state);
            free(options);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_position_once_on_threads)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
