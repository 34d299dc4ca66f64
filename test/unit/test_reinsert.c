/* Tests what lb_tree_reinsert makes of binary trees: random ones, and such as are hard on it. Whatever it moves, the
 * tree must hold each leaf once, have tight boxes and be no deeper than a tree may be, and its boxes must not become
 * more surface in sum. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "random_scenes.h"
#include "core/scene/tree/upper.h"
#include "test/unit/share_help.h"

#include <string.h>

enum { MOST_LEAVES = 2000 };

/* A binary tree that is made by hand. Each of its leaves has as many primitives as it may. */
struct tree {
    struct lb_tree_task task;
    struct lb_tree_inner inner[MOST_LEAVES];
    uint32_t inner_count, leaf_count, each;
    uint8_t seen[MOST_LEAVES];
};

static void open_tree(struct tree *tree, uint32_t leaves, uint32_t each, uint32_t max_leaf)
{
    memset(tree, 0, sizeof *tree);
    tree->leaf_count = leaves;
    tree->each = each;
    tree->task.options = (struct lb_tree_options){.max_leaf = max_leaf, .max_width = 8};
    tree->task.primitives.element = sizeof(struct RTCBuildPrimitive);
    assert_non_null(lb_vector_add(&tree->task.primitives, (uint64_t)leaves * each));
}

static void set_leaf(struct tree *tree, uint32_t leaf, lb_vec3 center, lb_vec3 half)
{
    for (uint32_t i = 0; i < tree->each; i++)
        ((struct RTCBuildPrimitive *)tree->task.primitives.data)[leaf * tree->each + i] =
            (struct RTCBuildPrimitive){.lower_x = center.x - half.x,
                                       .lower_y = center.y - half.y,
                                       .lower_z = center.z - half.z,
                                       .upper_x = center.x + half.x,
                                       .upper_y = center.y + half.y,
                                       .upper_z = center.z + half.z};
}

static void *leaf_of(const struct tree *tree, uint32_t leaf)
{
    return lb_tree_part_leaf((size_t)leaf * tree->each, tree->each, false);
}

/* A node above two parts, as Embree's calls back make one. */
static void *join(struct tree *tree, void *one, void *other)
{
    struct lb_tree_inner *inner = &tree->inner[tree->inner_count++];
    inner->child[0] = one;
    inner->child[1] = other;
    inner->box = lb_box_empty();
    for (int i = 0; i < 2; i++) {
        lb_box box = lb_tree_part_box(&tree->task, inner->child[i]);
        lb_box_add_box(&inner->box, &box);
        inner->area[i] = lb_tree_area(&box);
    }
    lb_tree_collapse(inner, tree->task.options.max_width, tree->task.options.max_leaf);
    return inner;
}

static double sum_of(const void *part)
{
    if (lb_tree_part_is_leaf(part))
        return 0;
    const struct lb_tree_inner *inner = part;
    return (double)lb_tree_area(&inner->box) + sum_of(inner->child[0]) + sum_of(inner->child[1]);
}

/* Returns the part's height. */
static uint32_t check(struct tree *tree, const void *part)
{
    if (lb_tree_part_is_leaf(part)) {
        size_t leaf = lb_tree_part_first(part) / tree->each;
        assert_in_range(leaf, 0, tree->leaf_count - 1);
        assert_int_equal(lb_tree_part_count(part), tree->each);
        assert_int_equal(tree->seen[leaf]++, 0);
        return 1;
    }
    const struct lb_tree_inner *inner = part;
    lb_box around = lb_box_empty();
    uint32_t height = 0;
    for (int i = 0; i < 2; i++) {
        lb_box box = lb_tree_part_box(&tree->task, inner->child[i]);
        uint32_t below = check(tree, inner->child[i]);
        lb_box_add_box(&around, &box);
        assert_true(inner->area[i] == lb_tree_area(&box));
        height = below > height ? below : height;
    }
    assert_memory_equal(&around, &inner->box, sizeof around);
    assert_int_equal(inner->height, height + 1);
    return height + 1;
}

/* Moves parts, and returns what is left of the sum of surfaces. */
static double left_by_moves(struct tree *tree)
{
    struct lb_error error;
    double before = sum_of(tree->task.root);
    assert_int_equal(lb_tree_reinsert(&tree->task, &error), LB_OK);
    assert_in_range(check(tree, tree->task.root), 1, lb_tree_most_depth(&tree->task.options));
    for (uint32_t i = 0; i < tree->leaf_count; i++)
        assert_int_equal(tree->seen[i], 1);
    double after = sum_of(tree->task.root);
    assert_true(after <= before * (1 + 1e-6));
    lb_vector_free(&tree->task.primitives);
    return before > 0 ? after / before : 1;
}

/* ---- trees ---- */

/* Joins leaves in any order, two parts at a time. */
static void join_at_random(struct tree *tree, struct random *random)
{
    void *parts[MOST_LEAVES];
    uint32_t count = tree->leaf_count;
    for (uint32_t i = 0; i < count; i++)
        parts[i] = leaf_of(tree, i);
    for (; count > 1; count--) {
        uint32_t one = random_below(random, count);
        void *taken = parts[one];
        parts[one] = parts[count - 1];
        uint32_t other = random_below(random, count - 1);
        parts[other] = join(tree, parts[other], taken);
    }
    tree->task.root = parts[0];
}

static void set_at_random(struct tree *tree, struct random *random)
{
    float size = random_size(random, 20), thin = random_below(random, 3) ? 1.0f : 0.0f;
    for (uint32_t i = 0; i < tree->leaf_count; i++) {
        lb_vec3 half = lb_vec3_make(size * random_unit(random), size * random_unit(random),
                                    thin * size * random_unit(random));
        set_leaf(tree, i, random_vector(random, size * 20.0f), half);
    }
}

static void test_random(void **state)
{
    static struct tree tree;
    double less = 0;
    uint32_t large = 0;
    (void)state;
    for (uint64_t seed = 1, count = share_of(3000); seed <= count; seed++) {
        struct random random = {seed};
        uint32_t leaves = 1 + random_below(&random, seed % 50 == 0 ? MOST_LEAVES : 40);
        open_tree(&tree, leaves, 1 + random_below(&random, 4), 1 + random_below(&random, 8));
        set_at_random(&tree, &random);
        join_at_random(&tree, &random);
        double left = left_by_moves(&tree);
        if (leaves < 20 || tree.task.options.max_leaf > tree.each)
            continue;
        less += left;
        large++;
    }
    if (large == 0 || less / large > 0.7) /* what is joined without looking can be joined better */
        fail_msg("%.3f of the surface is left in %u trees", less / large, large);
}

/* A list as deep as a tree may be: leaves in the order of places on a line, the farthest first. */
static void test_list(void **state)
{
    static struct tree tree;
    (void)state;
    uint32_t leaves = 2 * LB_TREE_DEPTH - 1;
    for (int backwards = 0; backwards < 2; backwards++) {
        open_tree(&tree, leaves, 1, 1);
        for (uint32_t i = 0; i < leaves; i++)
            set_leaf(&tree, i, lb_vec3_make((float)(backwards ? leaves - i : i), 0, 0),
                     lb_vec3_make(0.25f, 0.25f, 0.25f));
        void *part = leaf_of(&tree, 0);
        for (uint32_t i = 1; i < leaves; i++)
            part = join(&tree, part, leaf_of(&tree, i));
        tree.task.root = part;
        left_by_moves(&tree);
    }
}

/* Boxes one in the other, by which no search can leave out anything: it ends, as looks are counted. */
static void test_nested(void **state)
{
    static struct tree tree;
    struct random random = {1};
    (void)state;
    for (int same = 0; same < 2; same++) {
        open_tree(&tree, MOST_LEAVES, 1, 1);
        for (uint32_t i = 0; i < MOST_LEAVES; i++) {
            float half = same ? 1.0f : 1.0f + (float)i;
            set_leaf(&tree, i, lb_vec3_make(0, 0, 0), lb_vec3_make(half, half, half));
        }
        join_at_random(&tree, &random);
        left_by_moves(&tree);
    }
}

/* One large leaf far down among small ones comes up, by which the boxes that held it get small. */
static void test_large_among_small(void **state)
{
    enum { SIDE = 32, COUNT = SIDE * SIDE };
    static struct tree tree;
    static void *parts[COUNT];
    (void)state;
    open_tree(&tree, COUNT, 1, 1);
    for (uint32_t i = 0; i < COUNT; i++) {
        float half = i == 21 ? 200.0f : 0.1f;
        set_leaf(&tree, i, lb_vec3_make((float)(i % SIDE), (float)(i / SIDE), 0),
                 lb_vec3_make(half, half, 0.1f));
        parts[i] = leaf_of(&tree, i);
    }
    for (uint32_t count = COUNT; count > 1; count /= 2)
        for (uint32_t i = 0; i < count / 2; i++)
            parts[i] = join(&tree, parts[2 * i], parts[2 * i + 1]);
    tree.task.root = parts[0];
    double left = left_by_moves(&tree);
    if (left > 0.25) /* ten boxes held it, and the root does */
        fail_msg("%.3f of the surface is left", left);
}

static void test_few(void **state)
{
    static struct tree tree;
    struct lb_error error;
    (void)state;
    for (uint32_t leaves = 0; leaves <= 3; leaves++) {
        open_tree(&tree, 3, 4, 8);
        for (uint32_t i = 0; i < 3; i++)
            set_leaf(&tree, i, lb_vec3_make((float)i, 0, 0), lb_vec3_make(1, 1, 1));
        void *part = leaves > 0 ? leaf_of(&tree, 0) : NULL;
        for (uint32_t i = 1; i < leaves; i++)
            part = join(&tree, part, leaf_of(&tree, i));
        tree.task.root = part;
        assert_int_equal(lb_tree_reinsert(&tree.task, &error), LB_OK);
        assert_ptr_equal(tree.task.root, part);
        lb_vector_free(&tree.task.primitives);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random), cmocka_unit_test(test_list),
        cmocka_unit_test(test_nested), cmocka_unit_test(test_large_among_small),
        cmocka_unit_test(test_few),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
