/* A binary tree made better after it was built from the top down: a part is taken out of it and put back beside that
 * node where boxes have the least surface in sum (Bittner, Hapala, Havran, "Fast Insertion-Based Optimization of
 * Bounding Volume Hierarchies", 2013; the search is that of Meister and Bittner, "Parallel Reinsertion for Bounding
 * Volume Hierarchy Optimization", 2018). What can be saved is in the largest boxes, so that few nodes need be tried.
 * What is to be one leaf (collapse.c) stays so. */
#include "core/scene/tree/upper.h"

#include <stdlib.h>
#include <string.h>

/* So many nodes are tried at most, in so many passes at most, of which each is the last that saves less than this part
 * of the sum. Where boxes lie one in the other, a search would look at all of them: after so many looks a node on
 * average it is left at what has been done. bench/results/traverse.md has what is gained by more of them. */
enum { NODES = 1 << 14, PASSES = 8, LOOKS = 256 };
static const double WORTH = 0.002;
/* The tree stays as it was where less than this part of the steps that are expected of a ray is saved: what is expected
 * does not tell as much. */
static const float SAVED = 0.02f;
/* No part is moved that saves less than this part of the root's surface, so that rounding moves none. */
static const float LEAST = 1e-6f;

/* A subtree that a search has still to look at. */
struct pending {
    uint32_t node;
    float grown; /* by how much boxes above it grow if the part comes below it */
};

struct search {
    struct lb_tree_upper_node *nodes;
    struct pending *stack;
    uint64_t looks; /* that are left */
    uint32_t part;  /* that is to be moved */
    float saved;    /* by taking it out, in the boxes above it up to where the search is */
    float best;     /* what the best place saves in all */
    uint32_t place; /* the node that it is beside; LB_NONE: the part stays where it is */
};

/* The other child of a node's parent. */
static uint32_t sibling_of(const struct lb_tree_upper_node *nodes, uint32_t number)
{
    const struct lb_tree_upper_node *parent = &nodes[nodes[number].parent];
    return parent->child[parent->child[0] == number];
}

/* Offers the place beside a node, with what that saves. */
static void offer(struct search *search, uint32_t place, float saves)
{
    if (saves <= search->best)
        return;
    search->best = saves;
    search->place = place;
}

/* Looks at a node, and at the places below it later if one can be the best. */
static uint32_t look_at(struct search *search, struct pending at, uint32_t waiting)
{
    const struct lb_tree_upper_node *node = &search->nodes[at.node], *part = &search->nodes[search->part];
    float left = search->saved - at.grown;
    if (part->area >= left - search->best) /* the part's new parent is no smaller than it */
        return waiting;
    lb_box both = node->box;
    lb_box_add_box(&both, &part->box);
    float area = lb_tree_area(&both), grown = at.grown + (area - node->area);
    if (at.node != sibling_of(search->nodes, search->part))
        offer(search, at.node, left - area);
    if (node->child[0] == LB_NONE || part->area >= search->saved - grown - search->best)
        return waiting;
    search->stack[waiting] = (struct pending){node->child[0], grown};
    search->stack[waiting + 1] = (struct pending){node->child[1], grown};
    return waiting + 2;
}

static void look_below(struct search *search, uint32_t root)
{
    uint32_t waiting = 1;
    search->stack[0] = (struct pending){root, 0.0f};
    for (; waiting > 0 && search->looks > 0; search->looks--) {
        struct pending top = search->stack[waiting - 1];
        waiting = look_at(search, top, waiting - 1);
    }
}

/* Finds the best place for the part, from where it is to the root, and in all that is beside this way. */
static void find_place(struct search *search)
{
    const struct lb_tree_upper_node *nodes = search->nodes;
    uint32_t at = nodes[search->part].parent, sibling = sibling_of(nodes, search->part);
    lb_box without = nodes[sibling].box; /* that of `at`, were the part not in it */
    search->saved = nodes[at].area;      /* the part's parent goes with it */
    look_below(search, sibling);
    for (;;) {
        sibling = sibling_of(nodes, at);
        look_below(search, sibling);
        lb_box_add_box(&without, &nodes[sibling].box);
        at = nodes[at].parent;
        if (nodes[at].parent == LB_NONE)
            return;
        search->saved += nodes[at].area - lb_tree_area(&without);
        offer(search, at, search->saved - nodes[at].area);
    }
}

/* ---- a move ---- */

static void refit(struct lb_tree_upper_node *nodes, uint32_t number)
{
    for (; number != LB_NONE; number = nodes[number].parent) {
        struct lb_tree_upper_node *node = &nodes[number];
        node->box = nodes[node->child[0]].box;
        lb_box_add_box(&node->box, &nodes[node->child[1]].box);
        node->area = lb_tree_area(&node->box);
    }
}

/* Gives a node's place below its parent to another one. */
static void replace(struct lb_tree_upper_node *nodes, uint32_t number, uint32_t by)
{
    uint32_t above = nodes[number].parent, *child = nodes[above].child;
    child[child[0] == number ? 0 : 1] = by;
    nodes[by].parent = above;
}

/* Moves the part, and its parent with it, to the place. */
static void move(struct lb_tree_upper_node *nodes, uint32_t part, uint32_t place)
{
    uint32_t parent = nodes[part].parent, above = nodes[parent].parent;
    replace(nodes, parent, sibling_of(nodes, part));
    refit(nodes, above);
    replace(nodes, place, parent);
    nodes[parent].child[0] = place;
    nodes[parent].child[1] = part;
    nodes[place].parent = parent;
    refit(nodes, parent);
}

/* ---- all moves ---- */

/* A node that is to be tried. */
struct turn {
    float area;
    uint32_t node;
};

static int largest_first(const void *one, const void *other)
{
    const struct turn *a = one, *b = other;
    if (a->area != b->area)
        return a->area > b->area ? -1 : 1;
    return a->node < b->node ? -1 : 1;
}

/* Tries each node once. */
static void pass(const struct lb_tree_upper *upper, struct search *search, struct turn *turns)
{
    struct lb_tree_upper_node *nodes = upper->nodes;
    for (uint32_t i = 0; i < upper->count; i++)
        turns[i] = (struct turn){nodes[i].area, i};
    qsort(turns, upper->count, sizeof *turns, largest_first);
    for (uint32_t i = 0; i < upper->count && search->looks > 0; i++) {
        uint32_t part = turns[i].node, parent = nodes[part].parent;
        if (parent == LB_NONE || nodes[parent].parent == LB_NONE) /* the root stays the root */
            continue;
        search->part = part;
        search->best = LEAST * nodes[0].area;
        search->place = LB_NONE;
        find_place(search);
        if (search->place != LB_NONE)
            move(nodes, part, search->place);
    }
}

static double sum_of(const struct lb_tree_upper *upper)
{
    double sum = 0;
    for (uint32_t i = 0; i < upper->count; i++)
        if (upper->nodes[i].child[0] != LB_NONE)
            sum += (double)upper->nodes[i].area;
    return sum;
}

static void make_passes(const struct lb_tree_upper *upper, struct search *search, struct turn *turns)
{
    double before, after = sum_of(upper);
    for (uint32_t i = 0; i < PASSES; i++) {
        before = after;
        pass(upper, search, turns);
        after = sum_of(upper);
        if (!(after < (1 - WORTH) * before))
            return;
    }
}

/* Makes passes, and puts what has come of them into the tree if that saves steps. `before`: the same nodes. */
static void improve(struct lb_tree_task *task, const struct lb_tree_upper *upper,
                    const struct lb_tree_upper *before, struct pending *stack, struct turn *turns)
{
    const struct lb_tree_inner *root = task->root;
    struct search search = {.nodes = upper->nodes, .stack = stack, .looks = LOOKS * (uint64_t)upper->count};
    float cost = root->cost[1];
    make_passes(upper, &search, turns);
    if (lb_tree_upper_is_too_deep(upper))
        return;
    lb_tree_upper_put(upper);
    if (root->cost[1] > (1 - SAVED) * cost)
        lb_tree_upper_put(before);
}

enum lb_status lb_tree_reinsert(struct lb_tree_task *task, struct lb_error *error)
{
    struct lb_tree_upper upper, before = {.task = task};
    if (!task->root || lb_tree_is_leaf(task->root))
        return LB_OK;
    enum lb_status status = lb_tree_upper_take(&upper, task, NODES, error);
    struct pending *stack = malloc((upper.count + 1) * sizeof *stack);
    struct turn *turns = malloc((upper.count + 1) * sizeof *turns);
    before.nodes = malloc((upper.count + 1) * sizeof *before.nodes);
    if (status == LB_OK && stack && turns && before.nodes) {
        memcpy(before.nodes, upper.nodes, upper.count * sizeof *before.nodes);
        before.count = upper.count;
        improve(task, &upper, &before, stack, turns);
    } else if (status == LB_OK) {
        status = lb_error_memory(error, "a tree");
    }
    free(stack);
    free(turns);
    lb_tree_upper_free(&before);
    lb_tree_upper_free(&upper);
    return status;
}
