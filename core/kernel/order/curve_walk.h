/* Walks along a Hilbert curve. From one place to the next, only those parts of the recursion are computed anew that
 * change. */
#ifndef LB_CORE_KERNEL_ORDER_CURVE_WALK_H
#define LB_CORE_KERNEL_ORDER_CURVE_WALK_H

#include "core/kernel/order/hilbert.h"

/* The most levels of the recursion: each halves a side of up to 2^31 pixels, or all but a pixel of rounding. */
enum { LB_CURVE_WALK_LEVELS = 80 };

/* A part of the curve that the recursion has entered. */
typedef struct lb_curve_level {
    lb_hilbert_part part;
    uint64_t begin; /* its first place on the curve */
    uint64_t count; /* how many places it has */
} lb_curve_level;

/* The parts in which the place that was asked for last lies, from the whole picture down to the smallest. */
typedef struct lb_curve_walk {
    uint32_t width, depth;
    lb_curve_level levels[LB_CURVE_WALK_LEVELS];
} lb_curve_walk;

LB_FUNCTION lb_curve_level lb_curve_level_make(lb_hilbert_part part, uint64_t begin)
{
    lb_curve_level level;
    level.part = part;
    level.begin = begin;
    level.count = (uint64_t)part.length * (uint64_t)part.breadth;
    return level;
}

/* Begins a walk through a picture of this size, in pixels. */
LB_FUNCTION void lb_curve_walk_begin(uint32_t width, uint32_t height, lb_curve_walk *walk)
{
    walk->width = width;
    walk->depth = 0;
    walk->levels[0] = lb_curve_level_make(lb_hilbert_whole(width, height), 0);
}

/* The pixel, as y * width + x, at a place on the curve, which may be any below width * height. It is that of
 * lb_hilbert_point(). */
LB_FUNCTION uint64_t lb_curve_walk_pixel(lb_curve_walk *walk, uint64_t place)
{
    const lb_curve_level *level = &walk->levels[walk->depth];
    uint32_t x, y;
    /* As the numbers are unsigned, a place before the level's begin becomes a large one, beyond the level's end. */
    while (walk->depth > 0 && place - level->begin >= level->count)
        level = &walk->levels[--walk->depth];
    while (lb_hilbert_has_parts(&level->part)) {
        lb_hilbert_part part = level->part;
        uint64_t within = place - level->begin;
        lb_hilbert_enter(&part, &within);
        walk->levels[++walk->depth] = lb_curve_level_make(part, place - within);
        level = &walk->levels[walk->depth];
    }
    lb_hilbert_line_point(level->part, place - level->begin, &x, &y);
    return (uint64_t)y * walk->width + x;
}

#endif
