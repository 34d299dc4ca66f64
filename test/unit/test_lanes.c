/* Tests the eight lanes of the portable build against one float at a time, bit for bit. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "core/cpu/traverse_portable.h"
#include "core/kernel/hash.h"

#include <math.h>
#include <stdlib.h>

enum { ROUNDS = 200000 };

/* Of any size, from a few bits at moderate exponents so that sums lie halfway between floats or next to it, or among
 * the denormals. */
static float number(uint32_t key)
{
    uint32_t bits = lb_hash_u32(key), sign = bits & 0x80000000u, kind = bits >> 28 & 7;
    if (kind < 2)
        return lb_bits_float(bits);
    uint32_t exponent = kind < 3 ? bits % 24 : 104 + bits % 48;
    uint32_t mantissa = kind < 5 ? (lb_hash_u32(~key) & 7) << 20 : lb_hash_u32(~key) & 0x700007u;
    return lb_bits_float(sign | exponent << 23 | mantissa);
}

static lanes eight(uint32_t key, float v[8])
{
    for (uint32_t i = 0; i < 8; i++)
        v[i] = number(key + i);
    return lanes_load(v);
}

static bool same(float a, float b)
{
    return (a != a && b != b) || lb_float_bits(a) == lb_float_bits(b);
}

/* a * b + c rounded once, which glibc's fmaf does too. */
static void check_fma(const float a[8], float b, float c)
{
    float got[8];
    lanes_store(got, lanes_fma(lanes_load(a), uniform_make(b), uniform_make(c)));
    for (uint32_t i = 0; i < 8; i++)
        if (!same(got[i], fmaf(a[i], b, c)))
            fail_msg("fma(%a, %a, %a) = %a", (double)a[i], (double)b, (double)c, (double)got[i]);
}

static void test_fma(void **state)
{
    (void)state;
    for (uint32_t k = 0; k < ROUNDS; k++) {
        float a[8];
        eight(16 * k, a);
        check_fma(a, number(16 * k + 8), number(16 * k + 9));
        /* All but half a unit of the sum's last place, which is a denormal's in every other round. */
        uint32_t random = lb_hash_u32(k);
        float e = (float)(random >> 28) * 0x1p-23f, half = k % 2 == 0 ? 0x1p-75f : 0x1p-50f;
        for (uint32_t i = 0; i < 8; i++)
            a[i] = half * (1.0f + (i % 2 == 0 ? e : -e));
        float last = 2.0f * half * half, unit = k % 2 == 0 ? 0x1p-149f : last;
        check_fma(a, half * (1.0f - e),
                  unit * (float)(k % 2 == 0 ? random & 0x3fffffu : 0x800000u | (random & 0xffffffu)));
    }
}

static void test_masks(void **state)
{
    (void)state;
    for (uint32_t k = 0; k < ROUNDS; k++) {
        float a[8], b[8], c[8];
        lanes p = eight(24 * k, a), q = eight(24 * k + 8, b), r = eight(24 * k + 16, c);
        uint32_t less = lanes_less_equal(p, q), zero = lanes_any_zero(p, q, r),
                 sign = lanes_same_sign(p, q, r);
        assert_true(less < 256 && zero < 256 && sign < 256);
        for (uint32_t i = 0; i < 8; i++) {
            assert_int_equal(less >> i & 1, a[i] <= b[i]);
            assert_int_equal(zero >> i & 1, a[i] == 0.0f || b[i] == 0.0f || c[i] == 0.0f);
            assert_int_equal(sign >> i & 1,
                             !signbit(a[i]) == !signbit(b[i]) && !signbit(a[i]) == !signbit(c[i]));
        }
    }
}

static void test_choices(void **state)
{
    (void)state;
    for (uint32_t k = 0; k < ROUNDS; k++) {
        float a[8], b[8], c[8], least[8], most[8], size[8], chosen[8], turned[8];
        lanes p = eight(24 * k, a), q = eight(24 * k + 8, b), r = eight(24 * k + 16, c);
        uint32_t order = lb_hash_u32(k) & 0x77777777u;
        lanes_store(least, lanes_min(p, q));
        lanes_store(most, lanes_max(p, q));
        lanes_store(size, lanes_abs(p));
        lanes_store(chosen, lanes_select(p, q, r));
        lanes_store(turned, lanes_permute(p, lanes_order_make(order)));
        for (uint32_t i = 0; i < 8; i++) {
            assert_true(same(least[i], lb_min(a[i], b[i])));
            assert_true(same(most[i], lb_max(a[i], b[i])));
            assert_true(same(size[i], lb_abs(a[i])));
            assert_true(same(chosen[i], signbit(c[i]) ? b[i] : a[i]));
            assert_true(same(turned[i], a[order >> 4 * i & 7]));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_fma), cmocka_unit_test(test_masks),
                                       cmocka_unit_test(test_choices)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
