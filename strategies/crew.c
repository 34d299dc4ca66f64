#include "strategies/crew.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A processor's first chunk is one FIRST-th of its range, that of a CPU thread beside a GPU, which may be two hundred
 * times as fast, one BESIDE_GPU-th. A later one is at most GROWTH times what the processor did so far, and at least one
 * LEAST-th of that, since smaller ones would not make the end more even. bench/results/balance.md has what steal and
 * push reach with these. */
enum { FIRST = 64, BESIDE_GPU = 256, GROWTH = 4, LEAST = 1200 };
/* In short frames that may take less time than to ask for a chunk or to send one. So a chunk is also to take as long as
 * asking does, unless that is more than one MOST_LEAST-th of what the processor did so far. */
enum { MOST_LEAST = 100 };

uint64_t lb_word_make(uint64_t begin, uint64_t end)
{
    return begin < end ? begin << 32 | end : LB_WORD_EMPTY;
}

uint64_t lb_word_units(uint64_t word)
{
    return word == LB_WORD_LOST ? 0 : (word & 0xffffffffu) - (word >> 32);
}

static struct lb_range word_range(const struct lb_crew *crew, uint64_t begin, uint64_t end)
{
    struct lb_range range = {begin * crew->unit, end * crew->unit};
    if (range.end > crew->positions)
        range.end = crew->positions;
    return range;
}

static enum lb_status make_room(struct lb_crew *crew, uint32_t count, struct lb_error *error)
{
    if (count > crew->capacity) {
        free(crew->members);
        crew->members = aligned_alloc(_Alignof(struct lb_crew_member), count * sizeof *crew->members);
        crew->capacity = crew->members == NULL ? 0 : count;
        if (crew->members == NULL)
            return lb_error_memory(error, NULL);
    }
    return lb_backlog_start(&crew->backlog, count, error);
}

static void clear_counts(struct lb_crew *crew)
{
    atomic_store(&crew->messages, 0);
    atomic_store(&crew->tried, 0);
    atomic_store(&crew->won, 0);
    atomic_store(&crew->pushes, 0);
    atomic_store(&crew->polls, 0);
    atomic_store(&crew->waiting, 0);
    atomic_flag_clear(&crew->lock);
}

enum lb_status lb_crew_start(struct lb_crew *crew, const struct lb_plan *plan, uint64_t positions,
                             const struct lb_crew_chunks *chunks, struct lb_error *error)
{
    uint32_t count = plan->processor_count;
    double sum = 0, before = 0;
    enum lb_status status = make_room(crew, count, error);
    if (status != LB_OK)
        return status;
    clear_counts(crew);
    crew->count = count;
    crew->chunks = *chunks;
    crew->positions = positions;
    crew->unit = 1 + (positions >> 32);
    crew->seed = plan->seed + plan->frame;
    atomic_store(&crew->outstanding, positions);
    atomic_store(&crew->delivered, 0);
    atomic_store(&crew->nanoseconds, 0);
    atomic_store(&crew->lost, 0);
    bool gpus = false;
    for (uint32_t k = 0; k < count; k++) {
        sum += plan->processors[k].weight;
        gpus = gpus || plan->processors[k].kind == LB_PROCESSOR_GPU;
    }
    double units = (double)((positions + crew->unit - 1) / crew->unit);
    uint64_t begin = 0;
    for (uint32_t k = 0; k < count; k++) {
        struct lb_crew_member *member = &crew->members[k];
        before += plan->processors[k].weight;
        uint64_t end = (uint64_t)(units * (before / sum) + 0.5);
        end = k + 1 == count || end > (uint64_t)units ? (uint64_t)units : end;
        atomic_store(&member->word, lb_word_make(begin, end));
        atomic_store(&member->positions, 0);
        atomic_store(&member->nanoseconds, 0);
        member->draws = 0;
        member->first = gpus && plan->processors[k].kind != LB_PROCESSOR_GPU ? BESIDE_GPU : FIRST;
        member->weight = plan->processors[k].weight / sum;
        begin = end;
    }
    return LB_OK;
}

/* What is too little for a chunk of who did `own` positions. */
static uint64_t least_chunk(const struct lb_crew *crew, uint32_t processor, uint64_t own)
{
    uint64_t asking = (uint64_t)(crew->chunks.asking * lb_crew_speed(crew, processor));
    if (asking > own / MOST_LEAST)
        asking = own / MOST_LEAST;
    return asking > own / LEAST ? asking : own / LEAST;
}

/* How long a chunk is to take, by the speed of all so far. Where chunks take long beside what was done, as those of the
 * slow do at first, much of a frame is in hand and not delivered: so it is not how much was delivered that tells how
 * far the frame is, but how fast. Some of it must be. */
static double chunk_seconds(const struct lb_crew *crew)
{
    double delivered = (double)atomic_load_explicit(&crew->delivered, memory_order_relaxed);
    double outstanding = (double)atomic_load_explicit(&crew->outstanding, memory_order_relaxed);
    double seconds = 1e-9 * (double)atomic_load_explicit(&crew->nanoseconds, memory_order_relaxed);
    double members = crew->count - atomic_load_explicit(&crew->lost, memory_order_relaxed);
    double left = outstanding * (seconds / delivered) / members;
    return crew->chunks.part * left + crew->chunks.beginning * (outstanding / (delivered + outstanding));
}

/* By how much smaller a chunk of the slow should be: what turns out dear keeps it busy for longer than all others would
 * be with it, and they gain little where it does not. */
static double caution(const struct lb_crew *crew, uint32_t processor)
{
    double delivered = (double)atomic_load_explicit(&crew->delivered, memory_order_relaxed);
    double seconds = 1e-9 * (double)atomic_load_explicit(&crew->nanoseconds, memory_order_relaxed);
    double slower = log(delivered / seconds / lb_crew_speed(crew, processor));
    return 1 + crew->chunks.slow * fmax(slower, 0);
}

/* Positions that it should take at once of `left`. */
static uint64_t chunk(const struct lb_crew *crew, uint32_t processor, uint64_t left)
{
    const struct lb_crew_member *member = &crew->members[processor];
    uint64_t own = atomic_load_explicit(&member->positions, memory_order_relaxed);
    if (own == 0)
        return left / member->first;
    double part = chunk_seconds(crew) * lb_crew_speed(crew, processor) / caution(crew, processor);
    if (part > GROWTH * (double)own)
        part = GROWTH * (double)own;
    if (part > (double)left / 2)
        part = (double)left / 2;
    uint64_t least = least_chunk(crew, processor, own);
    return (uint64_t)part > least ? (uint64_t)part : least;
}

bool lb_crew_take(struct lb_crew *crew, uint32_t processor, struct lb_range *range)
{
    struct lb_crew_member *member = &crew->members[processor];
    uint64_t word = atomic_load(&member->word);
    for (;;) {
        uint64_t left = lb_word_units(word), begin = word >> 32, end = word & 0xffffffffu;
        if (left == 0)
            return false;
        uint64_t size = chunk(crew, processor, left * crew->unit) / crew->unit;
        size = size == 0 ? 1 : size > left ? left : size;
        if (!atomic_compare_exchange_weak(&member->word, &word, lb_word_make(begin + size, end)))
            continue;
        *range = word_range(crew, begin, begin + size);
        return true;
    }
}

static void lock(struct lb_crew *crew)
{
    while (atomic_flag_test_and_set(&crew->lock)) {
    }
}

static void unlock(struct lb_crew *crew)
{
    atomic_store(&crew->waiting, crew->backlog.count);
    atomic_flag_clear(&crew->lock);
}

static void add(struct lb_crew *crew, struct lb_range range)
{
    lock(crew);
    lb_backlog_add(&crew->backlog, range);
    unlock(crew);
}

bool lb_crew_take_back(struct lb_crew *crew, uint32_t processor, struct lb_range *range)
{
    bool found;
    uint64_t most;
    if (atomic_load(&crew->waiting) == 0)
        return false;
    most = chunk(crew, processor, atomic_load(&crew->outstanding));
    lock(crew);
    found = lb_backlog_take(&crew->backlog, most == 0 ? 1 : most, range);
    unlock(crew);
    return found;
}

uint32_t lb_crew_other(struct lb_crew *crew, uint32_t processor)
{
    uint64_t x = (crew->seed + 1) * 0x9e3779b97f4a7c15u + processor * 0xd1342543de82ef95u;
    x += ++crew->members[processor].draws * 0xd6e8feb86659fd93u;
    x = (x ^ (x >> 32)) * 0xd6e8feb86659fd93u;
    x = (x ^ (x >> 32)) * 0xd6e8feb86659fd93u;
    uint32_t other = (uint32_t)((x >> 32) % (crew->count - 1));
    return other >= processor ? other + 1 : other;
}

double lb_crew_speed(const struct lb_crew *crew, uint32_t processor)
{
    const struct lb_crew_member *member = &crew->members[processor];
    uint64_t positions = atomic_load_explicit(&member->positions, memory_order_relaxed);
    uint64_t nanoseconds = atomic_load_explicit(&member->nanoseconds, memory_order_relaxed);
    return lb_speed_of(&(struct lb_speed){(double)positions, 1e-9 * (double)nanoseconds});
}

uint64_t lb_crew_part(const struct lb_crew *crew, uint32_t giver, uint32_t receiver, uint64_t units)
{
    double gives = lb_crew_speed(crew, giver), gets = lb_crew_speed(crew, receiver);
    if (!(gives > 0) || !(gets > 0)) {
        gives = crew->members[giver].weight;
        gets = crew->members[receiver].weight;
    }
    uint64_t part = (uint64_t)((double)units * (gets / (gives + gets)) + 0.5);
    return part == 0 ? 1 : part > units ? units : part;
}

size_t lb_crew_state_size(uint32_t processors)
{
    (void)processors;
    return sizeof(struct lb_crew);
}

void lb_crew_done(void *state, uint32_t processor, struct lb_range range, double seconds)
{
    struct lb_crew *crew = state;
    struct lb_crew_member *member = &crew->members[processor];
    uint64_t positions = range.end - range.begin;
    uint64_t nanoseconds = seconds > 0 && seconds < 1e9 ? (uint64_t)(seconds * 1e9) + 1 : 1;
    atomic_fetch_add_explicit(&member->positions, positions, memory_order_relaxed);
    atomic_fetch_add_explicit(&member->nanoseconds, nanoseconds, memory_order_relaxed);
    atomic_fetch_add_explicit(&crew->nanoseconds, nanoseconds, memory_order_relaxed);
    atomic_fetch_add_explicit(&crew->delivered, positions, memory_order_relaxed);
    atomic_fetch_sub(&crew->outstanding, positions);
}

void lb_crew_failed(void *state, uint32_t processor, struct lb_range range, bool lost)
{
    struct lb_crew *crew = state;
    add(crew, range);
    if (!lost)
        return;
    atomic_fetch_add_explicit(&crew->lost, 1, memory_order_relaxed);
    uint64_t word = atomic_exchange(&crew->members[processor].word, LB_WORD_LOST);
    if (lb_word_units(word) > 0)
        add(crew, word_range(crew, word >> 32, word & 0xffffffffu));
}

void lb_crew_spawn(void *state, uint32_t processor, struct lb_range range)
{
    struct lb_crew *crew = state;
    (void)processor;
    atomic_fetch_add(&crew->outstanding, range.end - range.begin);
    add(crew, range);
}

void lb_crew_counts(const void *state, struct lb_strategy_counts *counts)
{
    const struct lb_crew *crew = state;
    counts->messages = atomic_load(&crew->messages);
    counts->steals_tried = atomic_load(&crew->tried);
    counts->steals_won = atomic_load(&crew->won);
    counts->pushes = atomic_load(&crew->pushes);
    counts->polls = atomic_load(&crew->polls);
}

void lb_crew_end(void *state)
{
    struct lb_crew *crew = state;
    free(crew->members);
    lb_backlog_free(&crew->backlog);
    memset(crew, 0, sizeof *crew);
}
