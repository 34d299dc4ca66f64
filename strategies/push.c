/* Each processor has a range of its own. After a chunk it looks at a few others; if one of them has nothing left, it
 * sends that one the far part of its own range (lecture notes, sender-initiated). The part is so large that both end
 * together, by their measured speeds. */
#include "strategies/crew.h"
#include "strategies/layout.h"

/* How many other processors are looked at after each chunk; all of them, where they are no more. Speeds of 1 .. 20 need
 * many: a slow processor is seldom done with a chunk, and has the most to give. */
enum { ASKED = 32 };

/* Work is sent only at the end of a chunk: the idle wait for one. So chunks are shorter in proportion where fewer than
 * ASKED can look at them. */
static const struct lb_crew_chunks CHUNKS = {.part = 0.06, .beginning = 1e-3, .asking = 2e-4, .slow = 2};
/* Who needs less than so many seconds for what is left keeps it, since sending it takes an eighth of that. */
static const double SENDING = 4e-4;

static enum lb_status push_plan(void *state, const struct lb_plan *plan, struct lb_order *order,
                                struct lb_error *error)
{
    uint64_t task;
    struct lb_crew_chunks chunks = CHUNKS;
    if (plan->processor_count > 1 && plan->processor_count <= ASKED)
        chunks.part *= (plan->processor_count - 1.0) / ASKED;
    *order = lb_layout_order(plan, LB_LAYOUT_REVERSED, &task);
    return lb_crew_start(state, plan, order->count, &chunks, error);
}

/* Sends the far part of the giver's range to one that has none. While it is not empty nobody but its owner changes a
 * word, so that what could not be sent can be put back. */
static void send(struct lb_crew *crew, uint32_t giver, uint32_t receiver, uint64_t word)
{
    uint64_t begin = word >> 32, end = word & 0xffffffffu, empty = LB_WORD_EMPTY;
    if ((double)((end - begin) * crew->unit) < SENDING * lb_crew_speed(crew, giver))
        return;
    uint64_t part = lb_crew_part(crew, giver, receiver, end - begin);
    uint64_t middle = part == end - begin ? begin + 1 : end - part;
    atomic_store(&crew->members[giver].word, lb_word_make(begin, middle));
    if (!atomic_compare_exchange_strong(&crew->members[receiver].word, &empty, lb_word_make(middle, end))) {
        atomic_store(&crew->members[giver].word, word);
        return;
    }
    atomic_fetch_add_explicit(&crew->pushes, 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&crew->messages, 1, memory_order_relaxed);
}

static void push_done(void *state, uint32_t processor, struct lb_range range, double seconds)
{
    struct lb_crew *crew = state;
    bool all = crew->count <= ASKED + 1;
    lb_crew_done(state, processor, range, seconds);
    for (uint32_t i = 0; i < (all ? crew->count - 1 : ASKED); i++) {
        uint64_t word = atomic_load(&crew->members[processor].word);
        if (lb_word_units(word) < 2)
            return;
        uint32_t other = all ? (processor + 1 + i) % crew->count : lb_crew_other(crew, processor);
        atomic_fetch_add_explicit(&crew->polls, 1, memory_order_relaxed);
        if (atomic_load(&crew->members[other].word) == LB_WORD_EMPTY)
            send(crew, processor, other, word);
    }
}

static enum lb_next push_next(void *state, uint32_t processor, struct lb_range *range)
{
    struct lb_crew *crew = state;
    if (lb_crew_take(crew, processor, range) || lb_crew_take_back(crew, processor, range))
        return LB_NEXT_RANGE;
    return atomic_load(&crew->outstanding) == 0 ? LB_NEXT_END : LB_NEXT_WAIT;
}

static bool push_sent(const void *state, uint32_t processor)
{
    const struct lb_crew *crew = state;
    return lb_word_units(atomic_load(&crew->members[processor].word)) > 0;
}

const struct lb_strategy lb_strategy_push = {
    .name = "push",
    .summary = "who has work left sends the far part to one of a few others that has none",
    .weights = LB_WEIGHTS_FOLLOWED,
    LB_LAYOUT_OPTIONS,
    LB_CREW_HOOKS,
    .plan = push_plan,
    .next = push_next,
    .done = push_done,
    .sent = push_sent,
};
