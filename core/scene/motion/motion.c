#include "core/scene/motion/motion.h"

#include "core/kernel/scene/move.h"

#include <math.h>
#include <string.h>

/* Only +, -, *, / and square roots: the scene is the same on every machine. */

struct quaternion {
    double v[4]; /* x, y, z, w; of length 1 */
};

struct motion_parts {
    double translation[3];
    struct quaternion rotation;
    double rest[3][3];
};

static double cofactor(const double m[3][3], int row, int column)
{
    int a = (row + 1) % 3, b = (row + 2) % 3, c = (column + 1) % 3, d = (column + 2) % 3;
    return m[a][c] * m[b][d] - m[a][d] * m[b][c];
}

static double determinant(const double m[3][3])
{
    return m[0][0] * cofactor(m, 0, 0) + m[0][1] * cofactor(m, 0, 1) + m[0][2] * cofactor(m, 0, 2);
}

/* The orthogonal matrix next to `m`: the mean of itself and its inverse transpose, again and again. */
static bool orthogonal(const double m[3][3], double r[3][3])
{
    memcpy(r, m, 9 * sizeof(double));
    for (int turn = 0; turn < 100; turn++) {
        double d = determinant((const double(*)[3])r), next[3][3], change = 0;
        if (!(fabs(d) > 0))
            return false;
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) {
                next[i][j] = 0.5 * (r[i][j] + cofactor((const double(*)[3])r, i, j) / d);
                change = fmax(change, fabs(next[i][j] - r[i][j]));
            }
        memcpy(r, next, sizeof next);
        if (!(change <= 1e300))
            return false;
        if (change < 1e-14)
            break;
    }
    return true;
}

static void normalise(struct quaternion *q)
{
    double length = sqrt(q->v[0] * q->v[0] + q->v[1] * q->v[1] + q->v[2] * q->v[2] + q->v[3] * q->v[3]);
    for (int i = 0; i < 4; i++)
        q->v[i] /= length;
}

/* The quaternion of a rotation matrix, found by its largest component. */
static struct quaternion quaternion_of(const double r[3][3])
{
    double trace = r[0][0] + r[1][1] + r[2][2];
    struct quaternion q;
    if (trace > 0) {
        q = (struct quaternion){{r[2][1] - r[1][2], r[0][2] - r[2][0], r[1][0] - r[0][1], 1 + trace}};
    } else {
        int i = r[1][1] > r[0][0] ? 1 : 0;
        i = r[2][2] > r[i][i] ? 2 : i;
        int j = (i + 1) % 3, k = (i + 2) % 3;
        q.v[i] = 1 + r[i][i] - r[j][j] - r[k][k];
        q.v[j] = r[j][i] + r[i][j];
        q.v[k] = r[k][i] + r[i][k];
        q.v[3] = r[k][j] - r[j][k];
    }
    normalise(&q);
    return q;
}

static bool decompose(const struct lb_matrix *matrix, struct motion_parts *parts)
{
    double m[3][3], r[3][3];
    for (int i = 0; i < 3; i++) {
        parts->translation[i] = matrix->m[i][3];
        memcpy(m[i], matrix->m[i], sizeof m[i]);
    }
    if (!orthogonal((const double(*)[3])m, r))
        return false;
    /* A mirror is no rotation: it goes to the rest. */
    double sign = determinant((const double(*)[3])r) < 0 ? -1 : 1;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            r[i][j] *= sign;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            parts->rest[i][j] = r[0][i] * m[0][j] + r[1][i] * m[1][j] + r[2][i] * m[2][j];
    parts->rotation = quaternion_of((const double(*)[3])r);
    return true;
}

/* Sets the inverse of an affine matrix; false: it has none. */
static bool invert(struct lb_matrix *matrix)
{
    double m[3][3];
    for (int i = 0; i < 3; i++)
        memcpy(m[i], matrix->m[i], sizeof m[i]);
    double d = determinant((const double(*)[3])m);
    if (!(fabs(d) > 0))
        return false;
    memset(matrix->inverse, 0, sizeof matrix->inverse);
    matrix->inverse[3][3] = 1;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            matrix->inverse[i][j] = cofactor((const double(*)[3])m, j, i) / d;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            matrix->inverse[i][3] -= matrix->inverse[i][j] * matrix->m[j][3];
    return true;
}

/* The arc tangent of x in [0, 1]: halved until a few terms of its series are enough. */
static double arc_tangent(double x)
{
    double half = x, sum = 0;
    for (int i = 0; i < 5; i++)
        half = half / (1 + sqrt(1 + half * half));
    for (int n = 13; n >= 1; n -= 2)
        sum = 1.0 / n - half * half * sum;
    return 32 * half * sum;
}

/* Sets the move's rotation: from one unit quaternion to another, the short way. */
static void set_turn(const struct quaternion *from, struct quaternion to, lb_move *move)
{
    double dot = 0, apart = 0, together = 0, across = 0;
    for (int i = 0; i < 4; i++)
        dot += from->v[i] * to.v[i];
    for (int i = 0; i < 4; i++) {
        to.v[i] = dot < 0 ? -to.v[i] : to.v[i]; /* the same rotation */
        apart += (to.v[i] - from->v[i]) * (to.v[i] - from->v[i]);
        together += (to.v[i] + from->v[i]) * (to.v[i] + from->v[i]);
    }
    for (int i = 0; i < 4; i++) {
        move->rotation[0][i] = from->v[i];
        move->rotation[1][i] = to.v[i] - fabs(dot) * from->v[i];
        across += move->rotation[1][i] * move->rotation[1][i];
    }
    move->angle = across > 0 ? 2 * arc_tangent(sqrt(apart / together)) : 0;
    for (int i = 0; i < 4; i++)
        move->rotation[1][i] = across > 0 ? move->rotation[1][i] / sqrt(across) : 0;
}

bool lb_motion_move(const struct lb_motion *motion, const double pivot[3], lb_move *move)
{
    struct motion_parts ends[2];
    if (!decompose(&motion->at[0], &ends[0]) || !decompose(&motion->at[1], &ends[1]))
        return false;
    memset(move, 0, sizeof *move);
    set_turn(&ends[0].rotation, ends[1].rotation, move);
    memcpy(move->pivot, pivot, sizeof move->pivot);
    for (int end = 0; end < 2; end++) {
        for (int i = 0; i < 3; i++) { /* where the pivot goes, from where it is */
            const double *m = motion->at[end].m[i];
            move->translation[end][i] =
                ends[end].translation[i] + (m[0] * pivot[0] + m[1] * pivot[1] + m[2] * pivot[2] - pivot[i]);
        }
        memcpy(move->rest[end], ends[end].rest, sizeof ends[end].rest);
    }
    return true;
}

void lb_motion_still(const struct lb_matrix *matrix, lb_move *move)
{
    memset(move, 0, sizeof *move);
    move->rotation[0][3] = 1;
    for (int end = 0; end < 2; end++)
        for (int i = 0; i < 3; i++) {
            memcpy(move->rest[end][i], matrix->m[i], sizeof move->rest[end][i]);
            move->translation[end][i] = matrix->m[i][3];
        }
}

bool lb_motion_at(const struct lb_motion *motion, double at, struct lb_matrix *matrix)
{
    const double origin[3] = {0, 0, 0};
    lb_move move;
    if (!lb_motion_move(motion, origin, &move))
        return false;
    lb_affine affine;
    lb_move_at(&move, at, &affine);
    memset(matrix->m, 0, sizeof matrix->m);
    matrix->m[3][3] = 1;
    memcpy(matrix->m, affine.m, sizeof affine.m);
    return invert(matrix);
}
