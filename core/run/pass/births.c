#include "core/run/pass/births.h"

#include "core/kernel/order/walk.h"
#include "core/run/pass/pass_picture.h"

#include <stdlib.h>

uint64_t lb_births_level(const struct lb_hand *hand, struct lb_range range)
{
    return hand->job->level_count > 0 ? range.begin / hand->whole->count : 0;
}

bool lb_births_make_room(struct lb_hand *hand, struct lb_range range)
{
    const struct lb_schedule *job = hand->job;
    size_t count = (size_t)(range.end - range.begin), sums = job->scene->channels.count;
    if (lb_births_level(hand, range) == 0 || count <= hand->born.room)
        return true;
    lb_births_end(hand);
    hand->born.pixels = malloc(count * sizeof *hand->born.pixels);
    hand->born.sums = job->sums ? malloc(count * sums * sizeof *hand->born.sums) : NULL;
    hand->born.cost = job->cost ? malloc(count * sizeof *hand->born.cost) : NULL;
    if (!hand->born.pixels || (job->sums && !hand->born.sums) || (job->cost && !hand->born.cost))
        return false;
    hand->born.room = count;
    return true;
}

void lb_births_end(struct lb_hand *hand)
{
    free(hand->born.pixels);
    free(hand->born.sums);
    free(hand->born.cost);
    hand->born = (struct lb_born){.room = 0};
}

/* Adds how what was born differs from what was rendered before, `count` positions from `at` on. */
static void learn(const struct lb_hand *hand, uint64_t at, uint64_t count)
{
    lb_order_walk walk;
    lb_order_walk_begin(hand->whole, &walk);
    for (uint64_t i = 0; i < count; i++) {
        uint64_t pixel = lb_order_walk_pixel(&walk, at + i);
        if (pixel != LB_NO_PIXEL)
            hand->job->squares[pixel] += lb_pixels_differ(&hand->job->pixels[at + i], &hand->born.pixels[i]);
    }
}

void lb_births_add(const struct lb_hand *hand, const struct lb_turn *turn)
{
    const struct lb_schedule *job = hand->job;
    uint64_t level = lb_births_level(hand, turn->range), count = turn->at - turn->range.begin;
    uint64_t at = turn->range.begin - level * hand->whole->count, sums = job->scene->channels.count;
    if (level == 0)
        return;
    if (job->squares)
        learn(hand, at, count);
    lb_pixels_add(job->pixels + at, hand->born.pixels, count);
    if (job->sums)
        lb_sums_add(job->sums + at * sums, hand->born.sums, count * sums);
    if (job->cost)
        lb_costs_add(job->cost + at, hand->born.cost, count);
}

void lb_births_bear(const struct lb_hand *hand, struct lb_range range)
{
    const struct lb_schedule *job = hand->job;
    uint64_t count = hand->whole->count, level = lb_births_level(hand, range);
    lb_order_walk walk;
    if (level + 1 >= job->level_count)
        return;
    lb_order_walk_begin(&job->levels[level + 1].order, &walk);
    /* From the first to the last pixel that gets samples of the next level. */
    struct lb_range born = {range.end, range.begin};
    for (uint64_t at = range.begin; at < range.end; at++)
        if (lb_order_walk_due(&walk, at - level * count) != LB_NO_PIXEL) {
            born.begin = at < born.begin ? at : born.begin;
            born.end = at + 1;
        }
    if (born.begin < born.end)
        lb_asking_spawn(hand->asking, hand->number, (struct lb_range){born.begin + count, born.end + count});
}
