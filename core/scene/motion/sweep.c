#include "core/scene/motion/sweep.h"

#include "core/kernel/scene/move.h"

#include <math.h>

/* Places of a rotation by pi that are looked at. */
enum { STEPS = 128 };

/* What a point's coordinates are between, and the largest sum of sizes that makes one of them. */
struct way {
    double lower[3], upper[3], size[3];
};

static void add_place(struct way *way, const lb_affine *affine, const double p[3], double beyond)
{
    for (int r = 0; r < 3; r++) {
        double x = affine->m[r][3], size = fabs(x);
        for (int a = 0; a < 3; a++) {
            x += affine->m[r][a] * p[a];
            size += fabs(affine->m[r][a] * p[a]);
        }
        way->lower[r] = fmin(way->lower[r], x - beyond);
        way->upper[r] = fmax(way->upper[r], x + beyond);
        way->size[r] = fmax(way->size[r], size + beyond);
    }
}

static double length(const double rest[3][3], const double p[3])
{
    double sum = 0;
    for (int r = 0; r < 3; r++) {
        double x = rest[r][0] * p[0] + rest[r][1] * p[1] + rest[r][2] * p[2];
        sum += x * x;
    }
    return sqrt(sum);
}

/* The most that a coordinate of a point on its way can lie beyond the straight lines between `steps` + 1 places at
 * equal times. The point is at c + T(t) + R(t) q(t), where the translation T and q = S(t) (p - c) are linear in t, c is
 * the pivot, and R turns by the angle w t. The second derivative of that is R'' q + 2 R' q', no longer than
 * w^2 |q| + 2 w |q'|; |q| is largest at an end, since it is convex. A function whose second derivative is at most m is
 * never further than m h^2 / 8 from the line between two of its values h apart. */
static double bulge(const lb_move *move, const double p[3], int steps)
{
    double change[3][3], from[3], turn = 2 * move->angle;
    for (int i = 0; i < 3; i++) {
        from[i] = p[i] - move->pivot[i];
        for (int j = 0; j < 3; j++)
            change[i][j] = move->rest[1][i][j] - move->rest[0][i][j];
    }
    double most = turn * turn * fmax(length(move->rest[0], from), length(move->rest[1], from)) +
                  2 * turn * length((const double(*)[3])change, from);
    return most / (8.0 * steps * steps);
}

static lb_box sweep_once(const lb_move *move, const lb_box *box)
{
    int steps = move->angle > 0 ? 1 + (int)(2 * move->angle * (STEPS / 3.15)) : 1;
    struct way way = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}, {0, 0, 0}};
    double corners[8][3], beyond[8];
    for (int corner = 0; corner < 8; corner++) {
        for (int a = 0; a < 3; a++)
            corners[corner][a] = (double)(corner >> a & 1 ? box->upper[a] : box->lower[a]);
        beyond[corner] = bulge(move, corners[corner], steps);
    }
    for (int step = 0; step <= steps; step++) {
        lb_affine affine;
        lb_move_at(move, (double)step / steps, &affine);
        for (int corner = 0; corner < 8; corner++)
            add_place(&way, &affine, corners[corner], beyond[corner]);
    }
    lb_box swept;
    for (int r = 0; r < 3; r++) {
        /* For what is rounded, here, in the moved rays and on the way to floats. */
        swept.lower[r] = lb_box_grow_lower((float)(way.lower[r] - way.size[r] * 0x1p-20));
        swept.upper[r] = lb_box_grow_upper((float)(way.upper[r] + way.size[r] * 0x1p-20));
    }
    return swept;
}

lb_box lb_sweep_box(const lb_move *moves, uint32_t number, const lb_box *box)
{
    lb_box swept = *box;
    for (; number != 0 && !lb_box_is_empty(&swept); number = moves[number - 1].outer)
        swept = sweep_once(&moves[number - 1], &swept);
    return swept;
}
