#include "core/scene/motion.h"

#include <math.h>
#include <string.h>

/* Only +, -, *, / and square roots: the scene is the same on every machine. */

struct quaternion {
    double v[4]; /* x, y, z, w; of length 1 */
};

struct parts {
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

static void matrix_of(const struct quaternion *q, double r[3][3])
{
    double x = q->v[0], y = q->v[1], z = q->v[2], w = q->v[3];
    const double m[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)},
                            {2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)},
                            {2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)}};
    memcpy(r, m, sizeof m);
}

/* Along the great circle at a steady rate, by halving: the middle of two unit quaternions needs no angle. */
static struct quaternion turn(struct quaternion a, struct quaternion b, double at)
{
    double dot = a.v[0] * b.v[0] + a.v[1] * b.v[1] + a.v[2] * b.v[2] + a.v[3] * b.v[3];
    for (int i = 0; i < 4 && dot < 0; i++)
        b.v[i] = -b.v[i]; /* the same rotation, the short way */
    double low = 0, high = 1;
    for (int step = 0; step < 53 && at > low && at < high; step++) {
        double half = 0.5 * (low + high);
        struct quaternion middle;
        for (int i = 0; i < 4; i++)
            middle.v[i] = a.v[i] + b.v[i];
        normalise(&middle);
        if (at < half) {
            b = middle;
            high = half;
        } else {
            a = middle;
            low = half;
        }
    }
    return at <= low ? a : b;
}

static bool decompose(const struct lb_matrix *matrix, struct parts *parts)
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

bool lb_motion_at(const struct lb_motion *motion, double at, struct lb_matrix *matrix)
{
    struct parts ends[2];
    double r[3][3], rest[3][3];
    if (!decompose(&motion->at[0], &ends[0]) || !decompose(&motion->at[1], &ends[1]))
        return false;
    struct quaternion rotation = turn(ends[0].rotation, ends[1].rotation, at);
    matrix_of(&rotation, r);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            rest[i][j] = (1 - at) * ends[0].rest[i][j] + at * ends[1].rest[i][j];
    memset(matrix->m, 0, sizeof matrix->m);
    matrix->m[3][3] = 1;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++)
            matrix->m[i][j] = r[i][0] * rest[0][j] + r[i][1] * rest[1][j] + r[i][2] * rest[2][j];
        matrix->m[i][3] = (1 - at) * ends[0].translation[i] + at * ends[1].translation[i];
    }
    return invert(matrix);
}
