/* Tests arrays that grow: their room and contents, how often they move, and sizes that no memory has. */
#include "core/base/grow.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

static void test_contents(void **state)
{
    (void)state;
    uint64_t random = 1;
    for (int run = 0; run < 200; run++) {
        uint32_t *array = NULL;
        size_t capacity = 0, count = 0, moves = 0;
        while (count < 2000) {
            random = random * 6364136223846793005u + 1442695040888963407u;
            size_t more = run == 0 ? 1 : 1 + (random >> 33) % 100, before = capacity;
            uint32_t *moved = lb_grow(array, &capacity, count + more, sizeof *moved);
            assert_non_null(moved);
            assert_true(capacity >= count + more && capacity >= before);
            moves += capacity != before;
            array = moved;
            for (size_t i = 0; i < more; i++, count++)
                array[count] = (uint32_t)(count * 2654435761u);
        }
        for (size_t i = 0; i < count; i++)
            assert_int_equal(array[i], (uint32_t)(i * 2654435761u));
        assert_true(moves < 20); /* 16 * 1.5^13 > 2100 */
        free(array);
    }
}

/* Where there is room nothing moves. */
static void test_room(void **state)
{
    (void)state;
    size_t capacity = 0;
    void *array = lb_grow(NULL, &capacity, 5, 8);
    assert_non_null(array);
    for (size_t least = 0; least <= capacity; least++) {
        size_t before = capacity;
        assert_ptr_equal(lb_grow(array, &capacity, least, 8), array);
        assert_int_equal(capacity, before);
    }
    free(array);
}

static void test_too_much(void **state)
{
    (void)state;
    static const size_t wanted[][2] = {
        {SIZE_MAX, 2}, {SIZE_MAX / 4 + 1, 4}, {2, SIZE_MAX}, {SIZE_MAX / 2, 1}, {SIZE_MAX, 1}};
    size_t capacity = 0;
    char *array = lb_grow(NULL, &capacity, 1, 1);
    assert_non_null(array);
    *array = 'x';
    size_t before = capacity;
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        size_t other = wanted[i][1] > 2 ? before / wanted[i][1] : before;
        size_t kept = other;
        assert_null(lb_grow(array, &other, wanted[i][0], wanted[i][1]));
        assert_int_equal(other, kept);
        assert_int_equal(*array, 'x');
    }
    free(array);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_contents),
        cmocka_unit_test(test_room),
        cmocka_unit_test(test_too_much),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
