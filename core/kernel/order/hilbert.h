/* A Hilbert curve generalised to any width and height. */
#ifndef LB_CORE_KERNEL_ORDER_HILBERT_H
#define LB_CORE_KERNEL_ORDER_HILBERT_H

#include "core/kernel/base.h"

/* A rectangle of the recursion: its first corner, the step along its longer side, of `length` pixels, and the step
 * along its shorter one, of `breadth` pixels. Steps are unit vectors along x or y. */
typedef struct lb_hilbert_part {
    int32_t x, y;
    int32_t ax, ay, length;
    int32_t bx, by, breadth;
} lb_hilbert_part;

/* Moves the corner by `along` pixels along and `across` pixels across. */
LB_FUNCTION void lb_hilbert_move(lb_hilbert_part *part, int32_t along, int32_t across)
{
    part->x += part->ax * along + part->bx * across;
    part->y += part->ay * along + part->by * across;
}

/* Exchanges the two directions, and sets the sizes along them. */
LB_FUNCTION void lb_hilbert_turn(lb_hilbert_part *part, int32_t length, int32_t breadth)
{
    int32_t x = part->ax, y = part->ay;
    part->ax = part->bx;
    part->ay = part->by;
    part->bx = x;
    part->by = y;
    part->length = length;
    part->breadth = breadth;
}

/* Lets both steps go back. */
LB_FUNCTION void lb_hilbert_reverse(lb_hilbert_part *part)
{
    part->ax = -part->ax;
    part->ay = -part->ay;
    part->bx = -part->bx;
    part->by = -part->by;
}

/* Cuts a part that is much longer than broad into two, one behind the other, and keeps that of `*place`. */
LB_FUNCTION void lb_hilbert_halve(lb_hilbert_part *part, uint64_t *place)
{
    int32_t first = part->length / 2;
    if ((first & 1) != 0 && part->length > 2)
        first++;
    if (*place < (uint64_t)first * (uint64_t)part->breadth) {
        part->length = first;
        return;
    }
    *place -= (uint64_t)first * (uint64_t)part->breadth;
    lb_hilbert_move(part, first, 0);
    part->length -= first;
}

/* Cuts any other part into three, as the curve goes up the near side, along the far half and down again, and keeps that
 * of `*place`. */
LB_FUNCTION void lb_hilbert_bend(lb_hilbert_part *part, uint64_t *place)
{
    int32_t half = part->length / 2, near_half = part->breadth / 2;
    uint64_t first, second;
    if ((near_half & 1) != 0 && part->breadth > 2)
        near_half++;
    first = (uint64_t)near_half * (uint64_t)half;
    second = (uint64_t)part->length * (uint64_t)(part->breadth - near_half);
    if (*place < first) {
        lb_hilbert_turn(part, near_half, half);
    } else if (*place < first + second) {
        *place -= first;
        lb_hilbert_move(part, 0, near_half);
        part->breadth -= near_half;
    } else {
        int32_t rest = part->length - half;
        *place -= first + second;
        lb_hilbert_move(part, part->length - 1, near_half - 1);
        lb_hilbert_turn(part, near_half, rest);
        lb_hilbert_reverse(part);
    }
}

/* The whole picture as a part. */
LB_FUNCTION lb_hilbert_part lb_hilbert_whole(uint32_t width, uint32_t height)
{
    lb_hilbert_part part;
    bool wide = width >= height;
    part.x = part.y = 0;
    part.ax = wide ? 1 : 0;
    part.ay = wide ? 0 : 1;
    part.bx = wide ? 0 : 1;
    part.by = wide ? 1 : 0;
    part.length = (int32_t)(wide ? width : height);
    part.breadth = (int32_t)(wide ? height : width);
    return part;
}

/* Can the part be cut? A line of pixels cannot. */
LB_FUNCTION bool lb_hilbert_has_parts(const lb_hilbert_part *part)
{
    return part->length > 1 && part->breadth > 1;
}

/* Goes from a part down to the one in which `*place` lies, which becomes the place in that smaller part. */
LB_FUNCTION void lb_hilbert_enter(lb_hilbert_part *part, uint64_t *place)
{
    if (2 * (int64_t)part->length > 3 * (int64_t)part->breadth)
        lb_hilbert_halve(part, place);
    else
        lb_hilbert_bend(part, place);
}

/* The pixel at a place of a part that is a line. */
LB_FUNCTION void lb_hilbert_line_point(lb_hilbert_part line, uint64_t place, uint32_t *x, uint32_t *y)
{
    if (line.breadth == 1)
        lb_hilbert_move(&line, (int32_t)place, 0);
    else
        lb_hilbert_move(&line, 0, (int32_t)place);
    *x = (uint32_t)line.x;
    *y = (uint32_t)line.y;
}

/* The pixel at a place, below width * height, of the curve, which begins at the upper left. Neighbours along the curve
 * touch in the picture, at least at a corner where sizes are odd. It takes O(log(width + height)). */
LB_FUNCTION void lb_hilbert_point(uint32_t width, uint32_t height, uint64_t place, uint32_t *x, uint32_t *y)
{
    lb_hilbert_part part = lb_hilbert_whole(width, height);
    while (lb_hilbert_has_parts(&part))
        lb_hilbert_enter(&part, &place);
    lb_hilbert_line_point(part, place, x, y);
}

#endif
