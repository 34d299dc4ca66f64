/* Tests that the floats of light groups add up to the picture's, in any order, and are as near to the groups as they
 * can be. */
#include "core/kernel/hash.h"
#include "core/picture/groups.h"
#include "test/unit/scene_help.h"

#include <math.h>

enum { CASES = 20000, MOST = 12 };

static uint32_t state;

static uint32_t draw(uint32_t below)
{
    return lb_hash_u32(++state) % below;
}

/* A part of any size, none in one of four cases. */
static double draw_part(void)
{
    return draw(4) == 0 ? 0.0 : ldexp((double)draw(1u << 30) + 1.0, (int)draw(40) - 50);
}

static void shuffle(float *values, uint32_t count)
{
    for (uint32_t i = count; i > 1; i--) {
        uint32_t other = draw(i);
        float kept = values[i - 1];
        values[i - 1] = values[other];
        values[other] = kept;
    }
}

/* Floats of a sum in doubles, which its rounding in the picture may be a little beside. */
static void test_sum_is_exact(void **unused)
{
    (void)unused;
    for (int k = 0; k < CASES; k++) {
        double parts[MOST], sum = 0;
        float values[MOST];
        uint32_t count = 1 + draw(MOST);
        for (uint32_t i = 0; i < count; i++)
            sum += parts[i] = draw_part();
        float whole = (float)sum;
        lb_groups_split(parts, count, whole, values);
        for (uint32_t i = 0; i < count; i++) {
            assert_true(values[i] >= 0.0f && values[i] <= whole);
            assert_true(parts[i] > 0 || values[i] == 0.0f);
            assert_true(fabs((double)values[i] - parts[i]) <= 1.5 * ldexp(sum, -23));
        }
        for (int order = 0; order < 5; order++) {
            float added = 0.0f;
            for (uint32_t i = 0; i < count; i++)
                added += values[i];
            assert_true(added == whole);
            shuffle(values, count);
        }
    }
}

static void test_negative_parts_are_rounded_alone(void **unused)
{
    (void)unused;
    const double parts[3] = {0.1, -0.3, 0.7}, none[2] = {0, 0}, large[2] = {1e39, 1};
    float values[3];
    lb_groups_split(parts, 3, 0.5f, values);
    for (int i = 0; i < 3; i++)
        assert_true(values[i] == (float)parts[i]);
    lb_groups_split(none, 2, 0.0f, values);
    assert_true(values[0] == 0.0f && values[1] == 0.0f);
    lb_groups_split(large, 2, INFINITY, values);
    assert_true(isinf(values[0]) && values[1] == 1.0f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_sum_is_exact),
                                       cmocka_unit_test(test_negative_parts_are_rounded_alone)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
