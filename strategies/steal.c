/* Each processor has a range of its own. One that has done its range asks a few others and takes the far part of what
 * would take longest (lecture notes, receiver-initiated; paper [8]). The part is so large that thief and victim end
 * together, by their measured speeds: half, if these are equal. */
#include "strategies/crew.h"
#include "strategies/layout.h"

/* How many processors a thief asks at a time, and how many times, before it waits. Where there are but a few, it asks
 * all. */
enum { ASKED = 3, TURNS = 3, FEW = 9 };

/* The chunk that a victim has in hand cannot be taken from it. */
static const struct lb_crew_chunks CHUNKS = {.part = 0.4, .asking = 1.5e-4, .slow = 6};
/* The slow need be the more careful only where regions have so many pixels, which may be dear as a whole. */
enum { TOGETHER = 4 };

static enum lb_status steal_plan(void *state, const struct lb_plan *plan, struct lb_order *order,
                                 struct lb_error *error)
{
    uint64_t task;
    struct lb_crew_chunks chunks = CHUNKS;
    *order = lb_layout_order(plan, LB_LAYOUT_REVERSED, &task);
    if (order->kind == LB_ORDER_REVERSED && order->region < TOGETHER)
        chunks.slow = 0;
    return lb_crew_start(state, plan, order->count, &chunks, error);
}

/* Looks at one processor, and keeps in mind the one that would need longest for what it has. */
static void look(struct lb_crew *crew, uint32_t other, uint32_t *victim, uint64_t *word, double *longest)
{
    uint64_t seen = atomic_load(&crew->members[other].word);
    double speed = lb_crew_speed(crew, other);
    double seconds = (double)lb_word_units(seen) / (speed > 0 ? speed : 1);
    if (seconds > *longest) {
        *victim = other;
        *word = seen;
        *longest = seconds;
    }
}

/* Asks some other processors. False: none of them had anything. */
static bool choose_victim(struct lb_crew *crew, uint32_t thief, uint32_t *victim, uint64_t *word)
{
    double longest = 0;
    uint32_t asked = crew->count <= FEW ? crew->count - 1 : ASKED;
    for (uint32_t i = 0; i < asked; i++) {
        uint32_t other = crew->count <= FEW ? (thief + 1 + i) % crew->count : lb_crew_other(crew, thief);
        look(crew, other, victim, word, &longest);
    }
    /* All are asked at once. That takes the time of one question and one answer, so no more messages are counted. */
    atomic_fetch_add_explicit(&crew->polls, asked, memory_order_relaxed);
    atomic_fetch_add_explicit(&crew->messages, 2, memory_order_relaxed);
    return longest > 0;
}

/* Takes the far part of the victim's range, which was `word`, for its own. */
static bool rob(struct lb_crew *crew, uint32_t thief, uint32_t victim, uint64_t word)
{
    uint64_t begin = word >> 32, end = word & 0xffffffffu;
    uint64_t middle = end - lb_crew_part(crew, victim, thief, end - begin);
    atomic_fetch_add_explicit(&crew->tried, 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&crew->messages, 2, memory_order_relaxed);
    if (!atomic_compare_exchange_strong(&crew->members[victim].word, &word, lb_word_make(begin, middle)))
        return false;
    atomic_fetch_add_explicit(&crew->won, 1, memory_order_relaxed);
    atomic_store(&crew->members[thief].word, lb_word_make(middle, end));
    return true;
}

static enum lb_next steal_next(void *state, uint32_t processor, struct lb_range *range)
{
    struct lb_crew *crew = state;
    for (uint32_t turn = 0;; turn++) {
        uint32_t victim = 0;
        uint64_t word = LB_WORD_EMPTY;
        if (lb_crew_take(crew, processor, range) || lb_crew_take_back(crew, processor, range))
            return LB_NEXT_RANGE;
        if (atomic_load(&crew->outstanding) == 0)
            return LB_NEXT_END;
        if (crew->count == 1 || turn == TURNS)
            return LB_NEXT_WAIT;
        if (choose_victim(crew, processor, &victim, &word))
            rob(crew, processor, victim, word);
    }
}

const struct lb_strategy lb_strategy_steal = {
    .name = "steal",
    .summary = "who runs dry takes the far part of the longest of a few others' ranges",
    .weights = LB_WEIGHTS_FOLLOWED,
    LB_LAYOUT_OPTIONS,
    LB_CREW_HOOKS,
    .plan = steal_plan,
    .next = steal_next,
    .done = lb_crew_done,
};
