/* Moving transforms at a moment, against what they were made of. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/language/matrix.h"
#include "core/scene/motion/motion.h"
#include "test/unit/uniform_help.h"

static struct lb_matrix turned(const double axis[3], double degrees)
{
    struct lb_matrix m;
    assert_true(lb_matrix_rotate(degrees, axis, &m));
    return m;
}

static double distance(const double a[4][4], const double b[4][4])
{
    double largest = 0;
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            largest = fmax(largest, fabs(a[i][j] - b[i][j]));
    return largest;
}

static void check_inverse(const struct lb_matrix *m)
{
    struct lb_matrix one, identity, other = lb_matrix_inverse(m);
    lb_matrix_identity(&identity);
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) {
            one.m[i][j] = 0;
            for (int k = 0; k < 4; k++)
                one.m[i][j] += m->m[i][k] * other.m[k][j];
        }
    assert_true(distance((const double(*)[4])one.m, (const double(*)[4])identity.m) < 1e-9);
}

/* Translation times rotation times scale, whose parts change evenly. */
static void parts(void **unused)
{
    (void)unused;
    for (int turn = 0; turn < 2000; turn++) {
        double axis[3], from[3], to[3], scale[2][3];
        for (int i = 0; i < 3; i++) {
            axis[i] = uniform(-1, 1);
            from[i] = uniform(-10, 10);
            to[i] = uniform(-10, 10);
            double sign = turn % 2 ? -1 : 1; /* mirrors too */
            scale[0][i] = uniform(0.1, 3) * (i ? 1 : sign);
            scale[1][i] = uniform(0.1, 3) * (i ? 1 : sign);
        }
        double start = uniform(-180, 180), angle = uniform(-179, 179), at = uniform(0, 1);
        struct lb_motion motion = {.moves = true};
        struct lb_matrix expected, got;
        for (int end = 0; end < 3; end++) {
            double u = end == 2 ? at : end, place[3], size[3];
            for (int i = 0; i < 3; i++) {
                place[i] = from[i] + u * (to[i] - from[i]);
                size[i] = scale[0][i] + u * (scale[1][i] - scale[0][i]);
            }
            struct lb_matrix t, r = turned(axis, start + u * angle), s;
            assert_true(lb_matrix_translate(place, &t) && lb_matrix_scale(size, &s));
            struct lb_matrix tr = lb_matrix_product(&t, &r), whole = lb_matrix_product(&tr, &s);
            if (end == 2)
                expected = whole;
            else
                motion.at[end] = whole;
        }
        assert_true(lb_motion_at(&motion, at, &got));
        assert_true(distance((const double(*)[4])got.m, (const double(*)[4])expected.m) < 1e-8);
        check_inverse(&got);
        for (int end = 0; end < 2; end++) {
            assert_true(lb_motion_at(&motion, end, &got));
            assert_true(distance((const double(*)[4])got.m, (const double(*)[4])motion.at[end].m) < 1e-8);
        }
    }
}

static void singular(void **unused)
{
    (void)unused;
    struct lb_motion motion = {.moves = true};
    struct lb_matrix got;
    lb_matrix_identity(&motion.at[0]);
    lb_matrix_identity(&motion.at[1]);
    motion.at[1].m[1][1] = 0;
    assert_false(lb_motion_at(&motion, 0.5, &got));
    motion.at[1].m[1][1] = NAN;
    assert_false(lb_motion_at(&motion, 0.5, &got));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(parts), cmocka_unit_test(singular)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
