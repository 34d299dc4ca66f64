/* Transforms that change while the shutter is open, of moving instances and of the camera. As in pbrt-v4
 * (AnimatedTransform) each is a translation after a rotation after the rest, and each of the three is mixed by itself
 * between the start and the end of the time range. The rotation turns the short way, at a steady rate.
 *
 * All of this is calculated in double, so that a transform and its inverse, when they are rounded at last, belong
 * together as well as those of what stands still. The error bounds of core/kernel/shapes/surface.h hold for both. */
#ifndef LB_CORE_KERNEL_SCENE_MOVE_H
#define LB_CORE_KERNEL_SCENE_MOVE_H

#include "core/kernel/scene/scene.h"

/* A transform at a moment, and its inverse. Where it has none, the inverse's numbers are infinite or NaN, and rays that
 * are taken through it hit nothing (lb_slab_prepare). */
typedef struct lb_pose {
    lb_transform out, in;
} lb_pose;

/* An affine transform like lb_transform, in double. */
typedef struct lb_affine {
    double m[3][4];
} lb_affine;

/* Sine and cosine of x in [0, pi / 2] by Taylor's series, whose terms that are left out are below 2^-51. */
LB_FUNCTION void lb_move_sincos(double x, double *sine, double *cosine)
{
    static const double of_sine[10] = {-1.0 / 6.0,
                                       1.0 / 120.0,
                                       -1.0 / 5040.0,
                                       1.0 / 362880.0,
                                       -1.0 / 39916800.0,
                                       1.0 / 6227020800.0,
                                       -1.0 / 1307674368000.0,
                                       1.0 / 355687428096000.0,
                                       -1.0 / 121645100408832000.0,
                                       1.0 / 51090942171709440000.0};
    static const double of_cosine[10] = {-1.0 / 2.0,
                                         1.0 / 24.0,
                                         -1.0 / 720.0,
                                         1.0 / 40320.0,
                                         -1.0 / 3628800.0,
                                         1.0 / 479001600.0,
                                         -1.0 / 87178291200.0,
                                         1.0 / 20922789888000.0,
                                         -1.0 / 6402373705728000.0,
                                         1.0 / 2432902008176640000.0};
    double square = x * x, s = 0.0, c = 0.0;
    int32_t i;
    for (i = 9; i >= 0; i--) {
        s = (of_sine[i] + s) * square;
        c = (of_cosine[i] + c) * square;
    }
    *sine = x + x * s;
    *cosine = 1.0 + c;
}

/* The rotation matrix of a unit quaternion x, y, z, w. */
LB_FUNCTION void lb_move_rotation(const double q[4], double r[3][3])
{
    double x = q[0], y = q[1], z = q[2], w = q[3];
    r[0][0] = 1.0 - 2.0 * (y * y + z * z);
    r[0][1] = 2.0 * (x * y - z * w);
    r[0][2] = 2.0 * (x * z + y * w);
    r[1][0] = 2.0 * (x * y + z * w);
    r[1][1] = 1.0 - 2.0 * (x * x + z * z);
    r[1][2] = 2.0 * (y * z - x * w);
    r[2][0] = 2.0 * (x * z - y * w);
    r[2][1] = 2.0 * (y * z + x * w);
    r[2][2] = 1.0 - 2.0 * (x * x + y * y);
}

/* The transform of the move alone, without the one that it is nested in (lb_move.outer), at the part `at` of the time
 * range. */
LB_FUNCTION void lb_move_at(const lb_move *move, double at, lb_affine *affine)
{
    double sine = 0.0, cosine = 1.0, q[4], r[3][3], rest[3];
    uint32_t i, j;
    if (move->angle != 0.0)
        lb_move_sincos(move->angle * at, &sine, &cosine);
    LB_ROLLED
    for (i = 0; i < 4; i++)
        q[i] = move->rotation[0][i] * cosine + move->rotation[1][i] * sine;
    lb_move_rotation(q, r);
    LB_ROLLED
    for (j = 0; j < 3; j++) {
        LB_ROLLED
        for (i = 0; i < 3; i++)
            rest[i] = (1.0 - at) * move->rest[0][i][j] + at * move->rest[1][i][j];
        LB_ROLLED
        for (i = 0; i < 3; i++)
            affine->m[i][j] = r[i][0] * rest[0] + r[i][1] * rest[1] + r[i][2] * rest[2];
    }
    LB_ROLLED
    for (i = 0; i < 3; i++) {
        const double *pivot = move->pivot, *m = affine->m[i];
        double aside = pivot[i] - (m[0] * pivot[0] + m[1] * pivot[1] + m[2] * pivot[2]);
        affine->m[i][3] = ((1.0 - at) * move->translation[0][i] + at * move->translation[1][i]) + aside;
    }
}

/* The transform that applies b first, then a. */
LB_FUNCTION void lb_affine_product(const lb_affine *a, const lb_affine *b, lb_affine *product)
{
    uint32_t i, j;
    LB_ROLLED
    for (i = 0; i < 3; i++) {
        LB_ROLLED
        for (j = 0; j < 4; j++)
            product->m[i][j] = a->m[i][0] * b->m[0][j] + a->m[i][1] * b->m[1][j] + a->m[i][2] * b->m[2][j] +
                               (j == 3 ? a->m[i][3] : 0.0);
    }
}

LB_FUNCTION void lb_affine_inverse(const lb_affine *a, lb_affine *inverse)
{
    double determinant;
    uint32_t i;
    LB_ROLLED
    for (i = 0; i < 3; i++) { /* the cofactors, transposed */
        uint32_t j = i == 2 ? 0 : i + 1, k = j == 2 ? 0 : j + 1;
        inverse->m[i][0] = a->m[1][j] * a->m[2][k] - a->m[1][k] * a->m[2][j];
        inverse->m[i][1] = a->m[2][j] * a->m[0][k] - a->m[2][k] * a->m[0][j];
        inverse->m[i][2] = a->m[0][j] * a->m[1][k] - a->m[0][k] * a->m[1][j];
    }
    determinant =
        a->m[0][0] * inverse->m[0][0] + a->m[0][1] * inverse->m[1][0] + a->m[0][2] * inverse->m[2][0];
    LB_ROLLED
    for (i = 0; i < 3; i++) {
        double *m = inverse->m[i];
        m[0] /= determinant;
        m[1] /= determinant;
        m[2] /= determinant;
        m[3] = -(m[0] * a->m[0][3] + m[1] * a->m[1][3] + m[2] * a->m[2][3]);
    }
}

LB_FUNCTION void lb_affine_round(const lb_affine *affine, lb_transform *rounded)
{
    uint32_t i;
    LB_ROLLED
    for (i = 0; i < 12; i++)
        rounded->m[i / 4][i % 4] = (float)affine->m[i / 4][i % 4];
}

/* The transform to world space of the scene's move with the index `number` - 1 at `time`. lb_instance.move and
 * lb_camera.move hold `number`, as 0 stands for none. */
LB_SELDOM void lb_move_pose(const lb_scene *scene, uint32_t number, float time, lb_pose *pose)
{
    const lb_move *moves = LB_ARRAY(scene, moves, lb_move);
    lb_affine affine[3]; /* the transform so far; that of the next move; the product of both */
    lb_move_at(moves + (number - 1), (double)time, &affine[0]);
    while ((number = moves[number - 1].outer) != 0) {
        lb_move_at(moves + (number - 1), (double)time, &affine[1]);
        lb_affine_product(&affine[1], &affine[0], &affine[2]);
        affine[0] = affine[2];
    }
    lb_affine_inverse(&affine[0], &affine[1]);
    lb_affine_round(&affine[0], &pose->out);
    lb_affine_round(&affine[1], &pose->in);
}

/* A ray in the space of what moves. It is returned by value, so that the caller keeps its own ray in registers. */
typedef struct lb_moved_ray {
    lb_vec3 origin, direction;
} lb_moved_ray;

/* Takes a ray into the space of what moves by `number`, at `time`. */
LB_SELDOM lb_moved_ray lb_move_into(const lb_scene *scene, uint32_t number, float time, lb_vec3 origin,
                                    lb_vec3 direction)
{
    lb_moved_ray ray;
    lb_pose pose;
    lb_move_pose(scene, number, time, &pose);
    ray.origin = lb_transform_point(&pose.in, origin);
    ray.direction = lb_transform_vector(&pose.in, direction);
    return ray;
}

#endif
