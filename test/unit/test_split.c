/* Tests how primitives are put on two sides, and in groups. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "core/scene/tree/parts.h"
#include "random_scenes.h"
#include "test/unit/share_help.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 700, CASES = 3000 };

/* Boxes that are spread, in a few places, in one, on a line, tiny or huge; numbered by primID. */
static void make_boxes(struct random *random, struct RTCBuildPrimitive *boxes, uint32_t count)
{
    uint32_t places = random_below(random, 3) ? 0 : 1 + random_below(random, 4),
             flat = random_below(random, 8);
    float size = random_below(random, 2) ? 1.0f : random_size(random, 29);
    for (uint32_t i = 0; i < count; i++) {
        struct random placed = {random_below(random, places + 1)};
        lb_vec3 at = random_vector(places ? &placed : random, size);
        lb_vec3 side = lb_scale(random_vector(random, size), random_unit(random) * 0.1f);
        float lower[3] = {at.x, at.y, at.z}, more[3] = {lb_abs(side.x), lb_abs(side.y), lb_abs(side.z)};
        if (flat < 3)
            lower[flat] = more[flat] = 0.0f;
        if (places && random_below(random, 2))
            more[0] = more[1] = more[2] = 0.0f;
        boxes[i] = (struct RTCBuildPrimitive){
            lower[0],           lower[1],           lower[2],           random_bits(random),
            lower[0] + more[0], lower[1] + more[1], lower[2] + more[2], i};
    }
}

static int by_number(const void *one, const void *other)
{
    const struct RTCBuildPrimitive *a = one, *b = other;
    return (a->primID > b->primID) - (a->primID < b->primID);
}

static void assert_same_boxes(struct RTCBuildPrimitive *boxes, const struct RTCBuildPrimitive *before,
                              size_t count)
{
    qsort(boxes, count, sizeof *boxes, by_number);
    assert_memory_equal(boxes, before, count * sizeof *boxes);
}

static void test_sides(void **state)
{
    (void)state;
    struct RTCBuildPrimitive boxes[MOST], before[MOST];
    uint32_t uneven = 0;
    for (uint32_t i = 0; i < CASES; i++) {
        struct random random = {i};
        uint32_t count = 2 + random_below(&random, random_below(&random, 2) ? 10 : MOST - 1);
        make_boxes(&random, boxes, count);
        memcpy(before, boxes, sizeof boxes);
        size_t seen = random_below(&random, 2) ? count : 1 + random_below(&random, count);
        size_t below = lb_tree_split(boxes, count, seen, 1 + random_below(&random, 4));
        assert_in_range(below, 1, count - 1);
        uneven += below != count / 2;
        assert_same_boxes(boxes, before, count);
    }
    assert_true(uneven > CASES / 2); /* or all were split in halves, as what cannot be told apart is */
}

/* Two heaps of boxes, far from each other and of unlike size, must not be mixed. */
static void test_heaps(void **state)
{
    (void)state;
    struct RTCBuildPrimitive boxes[MOST];
    for (uint32_t i = 0; i < CASES / 10; i++) {
        struct random random = {i};
        uint32_t count = 40 + random_below(&random, MOST - 40),
                 few = 8 + random_below(&random, count / 2 - 8);
        uint32_t axis = random_below(&random, 3), found = 0;
        for (uint32_t j = 0; j < count; j++) {
            lb_vec3 at = random_vector(&random, 1.0f);
            float lower[3] = {at.x, at.y, at.z};
            lower[axis] += j < few ? 50.0f : 0.0f;
            boxes[j] = (struct RTCBuildPrimitive){lower[0],        lower[1],        lower[2],        0,
                                                  lower[0] + 0.1f, lower[1] + 0.1f, lower[2] + 0.1f, j < few};
        }
        size_t below = lb_tree_split(boxes, count, count, 4);
        assert_int_equal(below, count - few);
        for (size_t j = 0; j < below; j++)
            found += boxes[j].primID;
        assert_int_equal(found, 0);
    }
}

static void check_group(const struct lb_tree_group *group, const struct RTCBuildPrimitive *boxes,
                        size_t first, size_t most)
{
    lb_box around = lb_box_empty();
    assert_int_equal(group->first, first);
    assert_in_range(group->count, 1, most);
    for (size_t i = 0; i < group->count; i++) {
        lb_box one = lb_tree_builder_box(&boxes[first + i]);
        lb_box_add_box(&around, &one);
    }
    assert_memory_equal(&around, &group->box, sizeof around);
}

/* Groups have all primitives, each once, no more than they may, and boxes that are just around them. */
static void test_groups(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < share_of(CASES / 10); i++) {
        struct random random = {i};
        uint32_t count = 1 + random_below(&random, 20 * MOST), most = 1 + random_below(&random, 300);
        struct RTCBuildPrimitive *boxes = malloc(count * sizeof *boxes),
                                 *before = malloc(count * sizeof *boxes);
        struct lb_tree_task task = {
            .options = {.max_leaf = 8, .max_width = 8, .group = most, .threads = 1 + i % 5},
            .primitives = {.data = boxes, .count = count, .element = sizeof *boxes}};
        assert_true(boxes && before);
        make_boxes(&random, boxes, count);
        memcpy(before, boxes, count * sizeof *boxes);
        assert_true(lb_tree_is_grouped(&task));
        assert_true(lb_tree_groups(&task));
        size_t first = 0;
        for (size_t g = 0; g < task.groups.count; g++) {
            const struct lb_tree_group *group = (const struct lb_tree_group *)task.groups.data + g;
            check_group(group, boxes, first, most);
            first += group->count;
        }
        assert_int_equal(first, count);
        assert_same_boxes(boxes, before, count);
        lb_tree_groups_free(&task);
        free(boxes);
        free(before);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sides),
        cmocka_unit_test(test_heaps),
        cmocka_unit_test(test_groups),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
