#include "strategies/two_sides.h"

#include <stdlib.h>

/* A processor's first chunk is this part of the picture. */
static const double FIRST_PART = 1.0 / 16384;
/* Its speed is known when this part of the picture was measured. Less may be a few regions that are all cheap. */
static const double KNOWN_PART = 1.0 / 2048;
/* A chunk of the trial takes this part of the time that is left, but is at most so many times as large as what its
 * processor has done so far. */
static const double TRIAL_PART = 1.0 / 64, TRIAL_GROWTH = 8;
/* After the split a processor's chunk is this part of its share, by speed, of what its side has left, but takes at
 * least this part of the time that the split foretells. */
static const double CHUNK_PART = 1.0 / 4, LEAST_PART = 1.0 / 512;

enum lb_status lb_sides_start(struct lb_two_sides *two, const struct lb_plan *plan, struct lb_error *error)
{
    if (plan->processor_count > two->capacity) {
        free(two->runners);
        two->runners = malloc(plan->processor_count * sizeof *two->runners);
        two->capacity = two->runners ? plan->processor_count : 0;
    }
    *two = (struct lb_two_sides){
        .runners = two->runners, .capacity = two->capacity, .processors = plan->processor_count};
    if (two->runners == NULL)
        return lb_error_memory(error, NULL);
    for (uint32_t k = 0; k < plan->processor_count; k++) {
        struct lb_side_runner *runner = &two->runners[k];
        *runner = (struct lb_side_runner){.side = plan->processors[k].kind == LB_PROCESSOR_GPU};
        two->sides[runner->side].count++;
        two->sides[runner->side].untried++;
    }
    return LB_OK;
}

/* ---- speeds ---- */

double lb_side_speed(const struct lb_side *side)
{
    uint32_t known = side->count - side->untried;
    return known > 0 ? side->speed * side->count / known : 0;
}

double lb_sides_speed(const struct lb_two_sides *two, double alone)
{
    double threads = lb_side_speed(&two->sides[0]);
    return (threads > 0 ? threads : alone * two->sides[0].count) + lb_side_speed(&two->sides[1]);
}

void lb_sides_count(struct lb_two_sides *two, uint32_t processor, uint64_t positions, double seconds)
{
    struct lb_side_runner *runner = &two->runners[processor];
    two->outstanding -= positions;
    runner->done += (double)positions;
    runner->clock += seconds;
    two->clock = runner->clock > two->clock ? runner->clock : two->clock;
}

static void set_speed(struct lb_two_sides *two, struct lb_side_runner *runner, double speed)
{
    struct lb_side *side = &two->sides[runner->side];
    side->speed += speed - runner->speed;
    runner->speed = speed;
    if (!runner->tried && side->untried > 0)
        side->untried--;
    runner->tried = true;
}

void lb_sides_learn(struct lb_two_sides *two, uint32_t processor, uint64_t positions, double seconds,
                    enum lb_speed_memory memory)
{
    struct lb_side_runner *runner = &two->runners[processor];
    if (runner->lost || !(seconds > 0)) /* padding takes no time, and tells no speed */
        return;
    lb_speed_add(&runner->measured, (double)positions, seconds, memory);
    set_speed(two, runner, lb_speed_of(&runner->measured));
}

bool lb_sides_known(const struct lb_two_sides *two, bool threads)
{
    double least = two->next < two->count / 2 ? (double)two->positions * KNOWN_PART : 0;
    for (uint32_t k = 0; k < two->processors; k++) {
        const struct lb_side_runner *runner = &two->runners[k];
        bool asked = !runner->lost && (threads || runner->side != 0);
        if (asked && (!runner->tried || runner->measured.work < least))
            return false;
    }
    return true;
}

void lb_sides_believe(struct lb_two_sides *two, double speed)
{
    for (uint32_t k = 0; k < two->processors; k++)
        if (two->runners[k].side == 0 && !two->runners[k].lost)
            set_speed(two, &two->runners[k], speed);
}

void lb_sides_lose(struct lb_two_sides *two, uint32_t processor)
{
    struct lb_side_runner *runner = &two->runners[processor];
    struct lb_side *side = &two->sides[runner->side];
    if (runner->lost)
        return;
    side->count--;
    side->untried -= !runner->tried;
    side->speed = side->count > 0 ? side->speed - runner->speed : 0;
    runner->lost = runner->tried = true;
    runner->speed = 0;
}

/* ---- chunks ---- */

/* About so many positions; at least one, at most all. */
static uint64_t some(const struct lb_two_sides *two, double positions)
{
    double most = (double)two->positions;
    return positions < 1 ? 1 : (uint64_t)(positions < most ? positions : most);
}

uint64_t lb_sides_trial_chunk(const struct lb_two_sides *two, uint32_t processor, double alone)
{
    const struct lb_side_runner *runner = &two->runners[processor];
    double first = (double)two->positions * FIRST_PART, all = lb_sides_speed(two, alone);
    if (!(runner->speed > 0) || !(all > 0))
        return some(two, first);
    double size = runner->speed * (double)two->outstanding / all * TRIAL_PART;
    double most = runner->done * TRIAL_GROWTH;
    size = size < most ? size : most;
    return some(two, size > first ? size : first);
}

/* Seconds in which `left` positions are done at a speed; very long where that is unknown. */
static double time_of(uint64_t left, double speed)
{
    return speed > 0 ? (double)left / speed : 1e300;
}

/* By the time that the processor's part is still to take, or all together where that is less, as the other side will
 * help. */
uint64_t lb_sides_chunk(const struct lb_two_sides *two, uint32_t processor, double forecast)
{
    const struct lb_side_runner *runner = &two->runners[processor];
    const struct lb_side *mine = &two->sides[runner->side], *other = &two->sides[1 - runner->side];
    uint64_t left = mine->end - mine->next, all = left + other->end - other->next;
    double part = left > 0 ? time_of(left, lb_side_speed(mine)) : 1e300;
    double together = time_of(all, lb_side_speed(mine) + lb_side_speed(other)),
           seconds = part < together ? part : together, least = forecast * LEAST_PART;
    if (runner->speed <= 0)
        return some(two, (double)two->positions * FIRST_PART);
    return some(two, runner->speed * (seconds * CHUNK_PART > least ? seconds * CHUNK_PART : least));
}

/* Where dealt positions lie in the order. */
static bool place(const struct lb_two_sides *two, struct lb_range *range)
{
    uint64_t kept = two->kept.end - two->kept.begin;
    if (range->begin >= two->kept.begin)
        *range = (struct lb_range){range->begin + kept, range->end + kept};
    return range->begin < range->end;
}

/* From the front of [*next, end), not across what is kept. */
static bool take(const struct lb_two_sides *two, uint64_t *next, uint64_t end, uint64_t size,
                 struct lb_range *range)
{
    *range = (struct lb_range){*next, end - *next > size ? *next + size : end};
    if (range->begin < two->kept.begin && two->kept.begin < range->end)
        range->end = two->kept.begin;
    *next = range->end;
    return place(two, range);
}

bool lb_sides_take_common(struct lb_two_sides *two, uint64_t size, struct lb_range *range)
{
    return take(two, &two->next, two->count, size, range);
}

bool lb_sides_take_single(struct lb_two_sides *two, uint32_t processor, uint64_t size, struct lb_range *range)
{
    const struct lb_side_runner *runner = &two->runners[processor];
    uint64_t first = two->singles > two->next ? two->singles : two->next;
    bool known = runner->measured.work >= (double)two->positions * KNOWN_PART;
    if (runner->side != 0 || known || two->count <= first || two->count - first < size)
        return false;
    two->count -= size;
    *range = (struct lb_range){two->count, two->count + size};
    return place(two, range);
}

bool lb_sides_take(struct lb_two_sides *two, uint32_t processor, uint64_t size, struct lb_range *range)
{
    struct lb_side *mine = &two->sides[two->runners[processor].side];
    struct lb_side *other = &two->sides[1 - two->runners[processor].side];
    if (mine->next < mine->end)
        return take(two, &mine->next, mine->end, size, range);
    if (other->next == other->end)
        return false;
    *range = (struct lb_range){other->end - other->next > size ? other->end - size : other->next, other->end};
    if (range->begin < two->kept.begin && two->kept.begin < range->end)
        range->begin = two->kept.begin;
    other->end = range->begin;
    return place(two, range);
}

void lb_sides_free(struct lb_two_sides *two)
{
    free(two->runners);
    *two = (struct lb_two_sides){0};
}
