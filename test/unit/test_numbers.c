/* Tests core/cpu/numbers_avx2.h: a vertex' numbers, drawn at once, are those that core/kernel/sampler.h draws one by
 * one. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "core/cpu/cpu.h"
#include "core/kernel/hash.h"
#include "skip_test.h"

#ifdef __AVX2__ /* test/rules.mk compiles this file for it where the architecture has it */

#include "core/cpu/numbers_avx2.h"

enum { PIXELS = 3000, SAMPLES = 20, COUNT = 2 * LB_DIMENSIONS_A_VERTEX };

static void check_vertex(lb_pixel_numbers *pixel, lb_sampler sampler, uint32_t depth)
{
    float drawn[COUNT];
    lb_vertex_draw(pixel, &sampler, depth, drawn);
    for (uint32_t i = 0; i < LB_DIMENSIONS_A_VERTEX; i++) {
        lb_sampler again = sampler;
        lb_sampler_to_vertex(&sampler, depth, i);
        lb_sampler_to_vertex(&again, depth, i);
        lb_vec2 pair = lb_sampler_2d(&sampler);
        assert_true(drawn[i] == pair.x && drawn[LB_DIMENSIONS_A_VERTEX + i] == pair.y);
        assert_true(drawn[i] == lb_sampler_1d(&again));
    }
}

/* Also at vertices beyond those of which something is kept, and on paths whose sampler was branched. */
static void test_numbers_are_the_samplers(void **state)
{
    (void)state;
    if (!lb_isa_runs(LB_ISA_AVX2))
        skip_because("this machine has no AVX2");
    for (uint32_t i = 0; i < PIXELS; i++) {
        uint32_t random = lb_hash_u32(i + 1), first = i % 3 == 0 ? 0 : lb_hash_u32(random) >> i % 32;
        lb_pixel_numbers pixel;
        pixel.kept = 0;
        for (uint32_t j = 0; j < SAMPLES; j++) {
            uint32_t key = lb_hash_u32(random + j);
            lb_sampler sampler;
            lb_sampler_start(&sampler, random, i, random % 1920, random % 1080, first + j);
            check_vertex(&pixel, sampler, 0);
            check_vertex(&pixel, sampler, key % 40);
            check_vertex(&pixel, sampler, key >> 28);
            lb_sampler_branch(&sampler, key);
            check_vertex(&pixel, sampler, key >> 29);
        }
    }
}

#else

static void test_numbers_are_the_samplers(void **state)
{
    (void)state;
    skip_because("this architecture has no AVX2");
}

#endif

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_numbers_are_the_samplers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
