#include "core/run/schedule.h"

#include "core/machine/clock.h"
#include "core/run/ahead.h"
#include "core/run/turn.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* Ranges are rendered in pieces of about this many seconds, so that a signal ends the longest range soon and progress
 * shows. Pieces are the scheduler's own: strategies only ever see whole ranges. */
static const double PIECE_SECONDS = 0.02;
/* A GPU runs empty at the end of each piece, for some milliseconds, hence longer ones; it divides them into batches
 * itself. */
static const double GPU_PIECE_SECONDS = 0.5;
/* The first pieces, before any speed is known: so many positions, and no more than so many samples where one
 * position is enough. */
enum { FIRST_PIECE = 64, FIRST_GPU_PIECE = 1 << 16 };
enum { FIRST_SAMPLES = 1 << 14, FIRST_GPU_SAMPLES = 1 << 24 };

/* A processor's thread. */
struct worker {
    struct lb_hand hand;
    pthread_t thread;
};

static bool stopped(const struct lb_schedule *job)
{
    return job->stop && atomic_load_explicit(job->stop, memory_order_relaxed) != 0;
}

static struct lb_processor *processor_of(const struct lb_hand *hand)
{
    return hand->job->processors[hand->number];
}

static bool is_gpu(const struct lb_hand *hand)
{
    return processor_of(hand)->kind == LB_PROCESSOR_CUDA;
}

/* ---- a processor that is given a piece at a time ---- */

static enum lb_status render_piece(struct lb_hand *hand, struct lb_turn *turn, struct lb_range piece,
                                   bool *lost, struct lb_error *error)
{
    struct lb_processor *processor = processor_of(hand);
    struct lb_work work;
    struct lb_result result;
    lb_turn_work(hand, turn, piece, &work, &result);
    lb_look_write(hand->job->look, hand->number, 0, piece);
    enum lb_status status = processor->table->render(processor, &work, &result, lost, error);
    if (status != LB_OK)
        return status;
    lb_look_write(hand->job->look, hand->number, 0, (struct lb_range){0, 0});
    lb_turn_add(hand, turn, piece, &result);
    const struct lb_listener *listener = hand->job->listener;
    if (listener)
        listener->rendered(listener->user, piece);
    return LB_OK;
}

/* Sets the next piece's size by the last one's speed, but at most to twice that one's. */
static void adapt_piece(struct lb_hand *hand, uint64_t positions, double seconds)
{
    double due = is_gpu(hand) ? GPU_PIECE_SECONDS : PIECE_SECONDS;
    double fit = seconds > 0 ? (double)positions * due / seconds : 1e18;
    double most = 2.0 * (double)hand->piece;
    hand->piece = fit > most ? (uint64_t)most : fit < 1 ? 1 : (uint64_t)fit;
}

static uint64_t first_piece(const struct lb_hand *hand)
{
    const struct lb_schedule *job = hand->job;
    uint64_t each = job->sample_end > job->sample_begin ? job->sample_end - job->sample_begin : 1;
    uint64_t positions = is_gpu(hand) ? FIRST_GPU_PIECE : FIRST_PIECE;
    uint64_t fit = (is_gpu(hand) ? FIRST_GPU_SAMPLES : FIRST_SAMPLES) / each;
    return fit > positions ? positions : fit > 0 ? fit : 1;
}

/* Renders a whole range, piece by piece. False: the processor is lost or the pass was stopped. */
static bool render_range(struct lb_hand *hand, struct lb_range given)
{
    const struct lb_schedule *job = hand->job;
    struct lb_turn turn = lb_turn_begin(hand, given);
    struct lb_error error = {LB_OK, ""};
    bool lost = false;
    enum lb_status status = LB_OK;
    double end = turn.begin;
    while (turn.at < turn.range.end && status == LB_OK && !turn.stopped &&
           (turn.at == turn.range.begin || !stopped(job))) {
        struct lb_range piece = lb_turn_piece(hand, &turn, turn.at);
        status = render_piece(hand, &turn, piece, &lost, &error);
        double now = lb_clock_now();
        adapt_piece(hand, piece.end - piece.begin, now - end);
        end = now;
    }
    bool goes_on = lb_turn_end(hand, &turn, status, lost, &error, end - turn.begin, end);
    if (status != LB_OK)
        lb_look_write(job->look, hand->number, 0, (struct lb_range){0, 0});
    return goes_on;
}

static void work(struct lb_hand *hand)
{
    for (;;) {
        struct lb_range range;
        uint64_t seen = lb_asking_seen(hand->asking);
        if (stopped(hand->job))
            return;
        switch (lb_asking_next(hand->asking, hand->number, &range)) {
        case LB_NEXT_RANGE:
            if (!render_range(hand, range))
                return;
            break;
        case LB_NEXT_WAIT:
            if (!lb_asking_sleep(hand->asking, seen))
                return;
            break;
        case LB_NEXT_END:
            return;
        }
    }
}

/* ---- threads ---- */

static void *run_worker(void *argument)
{
    struct lb_hand *hand = &((struct worker *)argument)->hand;
    const struct lb_schedule *job = hand->job;
    if (job->bind_index)
        lb_cpus_bind(job->bind, job->bind_index[hand->number]);
    /* The thread's CPU time is read twice a pass and not twice a range: reading it is a system call, at which a crowded
     * machine lets another thread run. */
    double begin_cpu = lb_clock_thread_cpu();
    if (processor_of(hand)->table->begin)
        lb_ahead_work(hand);
    else
        work(hand);
    job->tallies[hand->number].did.busy_cpu_seconds = lb_clock_thread_cpu() - begin_cpu;
    lb_asking_leave(hand->asking, 1);
    if (stopped(job))
        lb_asking_announce(hand->asking);
    return NULL;
}

/* The kernel's stack use is small; a fixed size keeps 4096 threads possible. */
enum { STACK_BYTES = 1 << 20 };

static enum lb_status run_threads(const struct lb_schedule *job, struct lb_asking *asking,
                                  const lb_order *whole, struct worker *workers, struct lb_error *error)
{
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, STACK_BYTES);
    uint32_t made = 0;
    int failure = 0;
    while (made < job->count) {
        struct lb_hand *hand = &workers[made].hand;
        *hand = (struct lb_hand){.job = job, .asking = asking, .whole = whole, .number = made};
        hand->piece = first_piece(hand);
        failure = pthread_create(&workers[made].thread, &attributes, run_worker, &workers[made]);
        if (failure)
            break;
        made++;
    }
    pthread_attr_destroy(&attributes);
    if (failure) {
        /* The threads that could be made do the work of the others, as if the processors of these had been lost. */
        lb_asking_leave(asking, job->count - made);
        for (uint32_t i = made; i < job->count; i++) {
            job->tallies[i].did.lost = true;
            lb_error_set(&job->tallies[i].error, LB_ERROR, "%s: no thread: %s", job->processors[i]->name,
                         strerror(failure));
            lb_asking_failed(asking, i, (struct lb_range){0, 0}, true);
        }
    }
    for (uint32_t i = 0; i < made; i++)
        pthread_join(workers[i].thread, NULL);
    if (made == 0)
        return lb_error_set(error, LB_ERROR, "cannot make a thread: %s", strerror(failure));
    return LB_OK;
}

enum lb_status lb_schedule_run(const struct lb_schedule *schedule, struct lb_error *error)
{
    struct worker *workers = calloc(schedule->count, sizeof *workers);
    if (!workers)
        return lb_error_memory(error, NULL);
    lb_order whole = lb_order_block(*schedule->order);
    struct lb_asking asking;
    lb_asking_open(&asking, schedule->strategy, schedule->state, schedule->count);
    enum lb_status status = run_threads(schedule, &asking, &whole, workers, error);
    free(workers);
    /* Of a pass that was stopped, those who had work have left, and those who had none may be all that are there. */
    if (status == LB_OK && asking.stalled && !stopped(schedule))
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
