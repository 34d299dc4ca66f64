#include "core/run/schedule.h"

#include "core/base/grow.h"
#include "core/machine/clock.h"

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

/* What the threads of a pass share. */
struct pass {
    const struct lb_schedule *job;
    lb_order whole;       /* the order of whole pixels, which each block of samples goes through */
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

/* What belongs to one thread alone. */
struct worker {
    struct pass *pass;
    uint32_t number;
    uint64_t piece; /* positions a piece, by the speed of the last one */
    pthread_t thread;
};

static bool stopped(const struct lb_schedule *job)
{
    return job->stop && atomic_load_explicit(job->stop, memory_order_relaxed) != 0;
}

/* ---- calls of the strategy ---- */

static void lock_strategy(struct pass *pass)
{
    if (!pass->job->strategy->concurrent)
        pthread_mutex_lock(&pass->lock);
}

static void unlock_strategy(struct pass *pass)
{
    if (!pass->job->strategy->concurrent)
        pthread_mutex_unlock(&pass->lock);
}

static void announce(struct pass *pass)
{
    atomic_fetch_add(&pass->events, 1);
    if (atomic_load(&pass->sleepers) == 0)
        return;
    pthread_mutex_lock(&pass->sleep_lock);
    pthread_cond_broadcast(&pass->wake);
    pthread_mutex_unlock(&pass->sleep_lock);
}

static enum lb_next call_next(struct pass *pass, uint32_t processor, struct lb_range *range)
{
    lock_strategy(pass);
    enum lb_next next = pass->job->strategy->next(pass->job->state, processor, range);
    unlock_strategy(pass);
    return next;
}

/* Tells the strategy that a range is done. Sleepers are woken, unless the strategy can tell that it has nothing for
 * them. */
static void call_done(struct pass *pass, uint32_t processor, struct lb_range range, double seconds)
{
    const struct lb_strategy *strategy = pass->job->strategy;
    lock_strategy(pass);
    strategy->done(pass->job->state, processor, range, seconds);
    bool ready = !strategy->ready || strategy->ready(pass->job->state);
    unlock_strategy(pass);
    if (ready)
        announce(pass);
}

static void call_failed(struct pass *pass, uint32_t processor, struct lb_range range, bool lost)
{
    lock_strategy(pass);
    pass->job->strategy->failed(pass->job->state, processor, range, lost);
    unlock_strategy(pass);
    announce(pass);
}

/* Sleeps until something happened since `seen`. False: nothing can happen any more. */
static bool sleep_since(struct pass *pass, uint64_t seen)
{
    pthread_mutex_lock(&pass->sleep_lock);
    atomic_fetch_add(&pass->sleepers, 1);
    if (atomic_load(&pass->events) == seen) {
        pass->settled = pass->settled_events == seen ? pass->settled + 1 : 1;
        pass->settled_events = seen;
    }
    while (atomic_load(&pass->events) == seen && !pass->stalled) {
        if (pass->settled + pass->ended == pass->job->count) {
            pass->stalled = true;
            pthread_cond_broadcast(&pass->wake);
            break;
        }
        pthread_cond_wait(&pass->wake, &pass->sleep_lock);
    }
    bool goes_on = !pass->stalled;
    atomic_fetch_sub(&pass->sleepers, 1);
    pthread_mutex_unlock(&pass->sleep_lock);
    return goes_on;
}

/* ---- rendering ---- */

static void note_span(struct lb_tally *tally, struct lb_range range, double begin, double end, bool delivered)
{
    struct lb_span *spans =
        lb_grow(tally->spans, &tally->span_capacity, tally->span_count + 1, sizeof *spans);
    if (!spans)
        return; /* a picture is worth more than its log */
    tally->spans = spans;
    tally->spans[tally->span_count++] = (struct lb_span){range, begin, end, delivered};
}

/* What a processor has delivered of a range so far. */
struct delivery {
    struct lb_report_processor did;
    bool stopped; /* its last piece was ended early */
};

/* Where the order has what the strategy counts from 0. */
static struct lb_range in_order(const struct lb_schedule *job, struct lb_range range)
{
    return (struct lb_range){job->part.begin + range.begin, job->part.begin + range.end};
}

/* What is rendered of a piece that was stopped goes into the picture, but the piece is not done. */
static enum lb_status render_piece(struct worker *worker, struct lb_range whole, struct lb_range piece,
                                   struct delivery *delivery, bool *lost, struct lb_error *error)
{
    const struct lb_schedule *job = worker->pass->job;
    struct lb_processor *processor = job->processors[worker->number];
    uint32_t each = job->sample_end - job->sample_begin;
    struct lb_range there = in_order(job, piece);
    uint64_t block = there.begin / worker->pass->whole.count, offset = block * worker->pass->whole.count;
    struct lb_work work = {.scene = job->scene,
                           .order = &worker->pass->whole,
                           .range = {there.begin - offset, there.end - offset},
                           .whole = in_order(job, whole),
                           .sample_begin = job->sample_begin + lb_order_block_sample(job->order, each, block),
                           .sample_end =
                               job->sample_begin + lb_order_block_sample(job->order, each, block + 1),
                           .stop = (const int *)job->stop,
                           .coverage = job->coverage,
                           .offset = offset};
    uint32_t sums = job->scene->channels.count;
    struct lb_result result = {.pixels = job->pixels + piece.begin,
                               .sums = job->sums ? job->sums + piece.begin * sums : NULL,
                               .sum_count = sums,
                               .cost = job->cost ? job->cost + piece.begin : NULL,
                               .cost_in_seconds = job->cost_in_seconds};
    lb_look_write(job->look, worker->number, piece);
    enum lb_status status = processor->table->render(processor, &work, &result, lost, error);
    if (status != LB_OK)
        return status;
    lb_look_write(job->look, worker->number, (struct lb_range){0, 0});
    delivery->stopped = result.stopped;
    delivery->did.samples += result.samples;
    delivery->did.positions += result.stopped ? 0 : piece.end - piece.begin;
    delivery->did.transfer_seconds += result.transfer_seconds;
    lb_counters_add(&delivery->did.counters, &result.counters);
    struct lb_progress *progress = &job->progress[worker->number];
    uint64_t samples = atomic_load_explicit(&progress->samples, memory_order_relaxed) + result.samples;
    atomic_store_explicit(&progress->samples, samples, memory_order_relaxed);
    return LB_OK;
}

static bool is_gpu(const struct worker *worker)
{
    return worker->pass->job->processors[worker->number]->kind == LB_PROCESSOR_CUDA;
}

/* Sets the next piece's size by the last one's speed, but at most to twice that one's. */
static void adapt_piece(struct worker *worker, uint64_t positions, double seconds)
{
    double due = is_gpu(worker) ? GPU_PIECE_SECONDS : PIECE_SECONDS;
    double fit = seconds > 0 ? (double)positions * due / seconds : 1e18;
    double most = 2.0 * (double)worker->piece;
    worker->piece = fit > most ? (uint64_t)most : fit < 1 ? 1 : (uint64_t)fit;
}

static uint64_t first_piece(const struct worker *worker)
{
    const struct lb_schedule *job = worker->pass->job;
    uint64_t each = job->sample_end > job->sample_begin ? job->sample_end - job->sample_begin : 1;
    uint64_t positions = is_gpu(worker) ? FIRST_GPU_PIECE : FIRST_PIECE;
    uint64_t fit = (is_gpu(worker) ? FIRST_GPU_SAMPLES : FIRST_SAMPLES) / each;
    return fit > positions ? positions : fit > 0 ? fit : 1;
}

/* A piece is in one block of samples. */
static uint64_t piece_end(const struct worker *worker, uint64_t begin, uint64_t end)
{
    const struct lb_schedule *job = worker->pass->job;
    uint64_t block = worker->pass->whole.count, first = job->part.begin;
    uint64_t block_end = (first + begin) / block * block + block - first;
    uint64_t most = end < block_end ? end : block_end;
    bool cut = !job->processors[worker->number]->whole_ranges && most - begin > worker->piece;
    return cut ? begin + worker->piece : most;
}

static void take_back(struct worker *worker, struct lb_range range, const struct delivery *delivery)
{
    const struct lb_schedule *job = worker->pass->job;
    lb_look_forbid(job->look);
    memset(job->pixels + range.begin, 0, (range.end - range.begin) * sizeof *job->pixels);
    if (job->sums) {
        uint64_t sums = job->scene->channels.count;
        memset(job->sums + range.begin * sums, 0, (range.end - range.begin) * sums * sizeof *job->sums);
    }
    lb_look_allow(job->look);
    lb_look_write(job->look, worker->number, (struct lb_range){0, 0});
    if (job->cost)
        memset(job->cost + range.begin, 0, (range.end - range.begin) * sizeof *job->cost);
    atomic_fetch_sub_explicit(&job->progress[worker->number].samples, delivery->did.samples,
                              memory_order_relaxed);
}

/* Adds a range's figures to the tally: what it delivered, or where it failed, that; and the time it took in both. */
static void count_range(struct lb_tally *tally, struct lb_report_processor did, bool delivered, bool lost,
                        double seconds, double finish)
{
    if (delivered)
        did.ranges = 1;
    else
        did = (struct lb_report_processor){.failed = 1, .lost = lost};
    did.busy_seconds = seconds;
    did.finish_seconds = finish;
    lb_report_add(&tally->did, &did, 0);
}

/* What there is to render of a range. */
static struct lb_range within(const struct lb_schedule *job, struct lb_range range)
{
    uint64_t count = job->part.end - job->part.begin;
    return (struct lb_range){range.begin < count ? range.begin : count,
                             range.end < count ? range.end : count};
}

/* Renders a whole range, piece by piece. False: the processor is lost or the pass was stopped. */
static bool render_range(struct worker *worker, struct lb_range given)
{
    const struct lb_schedule *job = worker->pass->job;
    struct lb_range range = within(job, given);
    struct lb_tally *tally = &job->tallies[worker->number];
    struct delivery delivery = {.stopped = false};
    struct lb_error error = {LB_OK, ""};
    bool lost = false;
    enum lb_status status = LB_OK;
    double begin = lb_clock_now(), end = begin;
    uint64_t at = range.begin;
    while (at < range.end && status == LB_OK && !delivery.stopped && (at == range.begin || !stopped(job))) {
        struct lb_range piece = {at, piece_end(worker, at, range.end)};
        status = render_piece(worker, range, piece, &delivery, &lost, &error);
        double now = lb_clock_now();
        adapt_piece(worker, piece.end - piece.begin, now - end);
        end = now;
        at = piece.end;
    }
    struct lb_range rendered = {range.begin, at};
    if (job->log_spans)
        note_span(tally, rendered, begin - job->begin, end - job->begin, status == LB_OK);
    count_range(tally, delivery.did, status == LB_OK, lost, end - begin, end - job->begin);
    if (status != LB_OK) {
        tally->error = error;
        take_back(worker, range, &delivery);
        call_failed(worker->pass, worker->number, given, lost);
        return !lost;
    }
    if (at < range.end || delivery.stopped)
        return false;
    call_done(worker->pass, worker->number, given, end - begin);
    return true;
}

static void work(struct worker *worker)
{
    struct pass *pass = worker->pass;
    for (;;) {
        struct lb_range range;
        uint64_t seen = atomic_load(&pass->events);
        if (stopped(pass->job))
            return;
        switch (call_next(pass, worker->number, &range)) {
        case LB_NEXT_RANGE:
            if (!render_range(worker, range))
                return;
            break;
        case LB_NEXT_WAIT:
            if (!sleep_since(pass, seen))
                return;
            break;
        case LB_NEXT_END:
            return;
        }
    }
}

static void *run_worker(void *argument)
{
    struct worker *worker = argument;
    struct pass *pass = worker->pass;
    if (pass->job->bind_index)
        lb_cpus_bind(pass->job->bind, pass->job->bind_index[worker->number]);
    /* Read twice a pass, not twice a range: it is a system call, at which a crowded machine changes threads. */
    double begin_cpu = lb_clock_thread_cpu();
    work(worker);
    pass->job->tallies[worker->number].did.busy_cpu_seconds = lb_clock_thread_cpu() - begin_cpu;
    /* A thread that leaves may leave only sleepers behind, who would wait for ever: each looks again. */
    pthread_mutex_lock(&pass->sleep_lock);
    pass->ended++;
    pthread_cond_broadcast(&pass->wake);
    pthread_mutex_unlock(&pass->sleep_lock);
    if (stopped(pass->job))
        announce(pass);
    return NULL;
}

/* ---- a pass ---- */

/* The kernel's stack use is small; a fixed size keeps 4096 threads possible. */
enum { STACK_BYTES = 1 << 20 };

static enum lb_status run_threads(struct pass *pass, struct worker *workers, struct lb_error *error)
{
    const struct lb_schedule *job = pass->job;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, STACK_BYTES);
    uint32_t made = 0;
    int failure = 0;
    while (made < job->count) {
        workers[made] = (struct worker){.pass = pass, .number = made};
        workers[made].piece = first_piece(&workers[made]);
        failure = pthread_create(&workers[made].thread, &attributes, run_worker, &workers[made]);
        if (failure)
            break;
        made++;
    }
    pthread_attr_destroy(&attributes);
    if (failure) {
        /* The threads that could be made do the work of the others, as if the processors of these had been lost. */
        pthread_mutex_lock(&pass->sleep_lock);
        pass->ended += job->count - made;
        pthread_mutex_unlock(&pass->sleep_lock);
        for (uint32_t i = made; i < job->count; i++) {
            job->tallies[i].did.lost = true;
            lb_error_set(&job->tallies[i].error, LB_ERROR, "%s: no thread: %s", job->processors[i]->name,
                         strerror(failure));
            call_failed(pass, i, (struct lb_range){0, 0}, true);
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
    struct pass pass = {.job = schedule,
                        .whole = lb_order_block(*schedule->order),
                        .lock = PTHREAD_MUTEX_INITIALIZER,
                        .sleep_lock = PTHREAD_MUTEX_INITIALIZER,
                        .wake = PTHREAD_COND_INITIALIZER};
    enum lb_status status = run_threads(&pass, workers, error);
    free(workers);
    pthread_cond_destroy(&pass.wake);
    pthread_mutex_destroy(&pass.sleep_lock);
    pthread_mutex_destroy(&pass.lock);
    if (status == LB_OK && pass.stalled)
        status = lb_error_set(error, LB_ERROR, "the strategy %s lets every processor wait for nothing",
                              schedule->strategy->name);
    return status;
}

void lb_tally_free(struct lb_tally *tally)
{
    free(tally->spans);
    tally->spans = NULL;
    tally->span_count = tally->span_capacity = 0;
}
