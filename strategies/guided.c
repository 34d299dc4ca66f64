#include "strategies/guided.h"

#include <stdlib.h>

/* Each chunk takes this part of the time that all that is left should take (factoring: Hummel, Schonberg, Flynn 1992; guided
 * self-scheduling: Polychronopoulos, Kuck 1987) .. */
static const double PART = 0.5;
/* .. but no less than this part of the time so far, or the asking would cost more than the waiting. */
static const double LEAST = 0.0008;
/* Each later chunk is at most so many times what was done so far, so that nobody is trusted with much before it is known how
 * fast he is. */
static const double GROWTH = 4;
/* An expected speed leans on the mean until about so many positions were measured: pixels differ in cost far more than
 * processors in speed. */
static const double DOUBT = 48;

static double expected_speed(const struct lb_guided *guided, const struct lb_pace *pace)
{
    if (guided->seconds <= 0)
        return 0;
    double mean = guided->positions / guided->seconds * (pace->weight * guided->processors);
    return (pace->positions + DOUBT) / (pace->seconds + DOUBT / mean);
}

static void keep_speeds(struct lb_guided *guided, const struct lb_plan *plan)
{
    double sum = 0;
    bool measured = guided->processors == plan->processor_count && !plan->weights_known;
    for (uint32_t k = 0; k < plan->processor_count && measured; k++)
        sum += guided->paces[k].speed;
    guided->known = plan->weights_known || (measured && sum > 0);
    for (uint32_t k = 0; k < plan->processor_count; k++) {
        struct lb_pace *pace = &guided->paces[k];
        double weight = measured && sum > 0 ? pace->speed / sum : plan->processors[k].weight;
        *pace = (struct lb_pace){.weight = weight};
    }
}

enum lb_status lb_guided_start(struct lb_guided *guided, const struct lb_plan *plan, uint64_t count,
                               struct lb_error *error)
{
    uint32_t processors = plan->processor_count;
    if (processors > guided->capacity) {
        lb_guided_free(guided);
        guided->paces = calloc(processors, sizeof *guided->paces);
        if (guided->paces == NULL)
            return lb_error_set(error, LB_ERROR_MEMORY, "out of memory");
        guided->capacity = processors;
    }
    keep_speeds(guided, plan);
    guided->processors = guided->alive = processors;
    guided->count = count;
    guided->positions = guided->seconds = guided->speed = guided->busy = 0;
    guided->weight = 1;
    return LB_OK;
}

/* Before anything is measured: a part of what would be an equal, or the weights', share. */
static double first_chunk(const struct lb_guided *guided, const struct lb_pace *pace)
{
    return (double)guided->count * pace->weight / LB_GUIDED_FIRST;
}

uint64_t lb_guided_part(const struct lb_guided *guided, uint32_t processor, uint64_t left, double speed,
                        uint32_t sharers)
{
    const struct lb_pace *pace = &guided->paces[processor];
    double chunk = first_chunk(guided, pace), most = PART * (double)left / sharers;
    if (pace->speed > 0 && pace->positions > 0) {
        double seconds = PART * (double)left / speed;
        double least = LEAST * guided->busy / guided->alive;
        chunk = pace->speed * (seconds > least ? seconds : least);
        most = GROWTH * pace->positions;
    }
    if (chunk > most)
        chunk = most;
    if (!(chunk >= 1))
        return 1;
    return chunk >= (double)left ? left : (uint64_t)chunk;
}

uint64_t lb_guided_chunk(const struct lb_guided *guided, uint32_t processor, uint64_t left)
{
    return lb_guided_part(guided, processor, left, guided->speed, guided->alive == 0 ? 1 : guided->alive);
}

bool lb_guided_too_slow(const struct lb_guided *guided, uint32_t processor, uint64_t left)
{
    const struct lb_pace *pace = &guided->paces[processor];
    if (pace->positions <= 0 || guided->alive == 0 || pace->speed * guided->alive > 0.5 * guided->speed)
        return false;
    return 1 / pace->speed > 2 * (double)left / guided->speed + LEAST * guided->busy / guided->alive;
}

static void expect(struct lb_guided *guided, struct lb_pace *pace)
{
    guided->speed -= pace->speed;
    pace->speed = expected_speed(guided, pace);
    guided->speed += pace->speed;
}

/* The first measurement lets us expect something of everybody. */
static void expect_all(struct lb_guided *guided)
{
    guided->speed = 0;
    for (uint32_t k = 0; k < guided->processors; k++) {
        struct lb_pace *pace = &guided->paces[k];
        pace->speed = pace->lost ? 0 : expected_speed(guided, pace);
        guided->speed += pace->speed;
    }
}

void lb_guided_done(struct lb_guided *guided, uint32_t processor, uint64_t positions, double seconds)
{
    struct lb_pace *pace = &guided->paces[processor];
    bool first = guided->seconds <= 0, second = pace->positions <= 0;
    if (!(seconds > 0))
        seconds = 1e-9;
    pace->positions += (double)positions;
    pace->seconds += seconds;
    guided->positions += (double)positions;
    guided->seconds += seconds * pace->weight * guided->processors;
    guided->busy += seconds;
    if (first || (second && guided->processors <= 64))
        expect_all(guided);
    else if (!pace->lost)
        expect(guided, pace);
}

void lb_guided_lost(struct lb_guided *guided, uint32_t processor)
{
    struct lb_pace *pace = &guided->paces[processor];
    if (pace->lost)
        return;
    guided->speed -= pace->speed;
    guided->weight -= pace->weight;
    guided->alive--;
    pace->speed = 0;
    pace->lost = true;
}

void lb_guided_free(struct lb_guided *guided)
{
    free(guided->paces);
    *guided = (struct lb_guided){0};
}
