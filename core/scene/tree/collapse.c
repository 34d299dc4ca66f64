/* A binary tree into a wide one of least cost by the surface-area heuristic: dynamic programming from the leaves up
 * (Ylitie, Karras, Laine, "Efficient Incoherent Ray Traversal on GPUs Through Compressed Wide BVHs", 2017, section 3).
 * A greedy collapse fills nodes with many leaves of one or two triangles; this one weighs them. */
#include "core/scene/tree/parts.h"

#include <math.h>

/* The costs of visiting a node and of testing a leaf, by which pictures of rooms take the least time;
 * bench/results/traverse.md has what is gained. */
#define NODE_COST 1.0f
#define LEAF_COST 1.3f

static uint32_t height_of(const void *part)
{
    return lb_tree_part_is_leaf(part) ? 1 : ((const struct lb_tree_inner *)part)->height;
}

static uint32_t count_of(const void *part)
{
    if (lb_tree_part_is_leaf(part))
        return lb_tree_part_is_alone(part) ? LB_TREE_MAX_LEAF + 1 : (uint32_t)lb_tree_part_count(part);
    return ((const struct lb_tree_inner *)part)->count;
}

/* The cost of a forest of at most `roots` trees that is made of a child of this area. */
static float cost_of(const void *part, float area, uint32_t roots)
{
    if (lb_tree_part_is_leaf(part))
        return LEAF_COST * area;
    return ((const struct lb_tree_inner *)part)->cost[roots];
}

/* The best way to share `roots` among both children. */
static float share(const struct lb_tree_inner *inner, uint32_t roots, uint8_t *left)
{
    float best = INFINITY;
    *left = 1;
    for (uint32_t i = 1; i < roots; i++) {
        float cost =
            cost_of(inner->child[0], inner->area[0], i) + cost_of(inner->child[1], inner->area[1], roots - i);
        if (cost < best) {
            best = cost;
            *left = (uint8_t)i;
        }
    }
    return best;
}

void lb_tree_collapse(struct lb_tree_inner *inner, uint32_t width, uint32_t max_leaf)
{
    uint32_t count = count_of(inner->child[0]) + count_of(inner->child[1]);
    float area = lb_tree_area(&inner->box);
    float node = NODE_COST * area + share(inner, width, &inner->left_of_node);
    uint32_t heights[2] = {height_of(inner->child[0]), height_of(inner->child[1])};
    inner->height = (uint8_t)(1 + (heights[0] > heights[1] ? heights[0] : heights[1]));
    inner->count = count <= LB_TREE_MAX_LEAF ? count : LB_TREE_MAX_LEAF + 1;
    inner->cost[1] = node;
    if (count <= max_leaf && LEAF_COST * area <= node) {
        inner->cost[1] = LEAF_COST * area;
        inner->left_of_node = 0;
    }
    for (uint32_t roots = 2; roots < width; roots++) {
        inner->cost[roots] = share(inner, roots, &inner->left[roots]);
        if (inner->cost[roots - 1] <= inner->cost[roots]) {
            inner->cost[roots] = inner->cost[roots - 1];
            inner->left[roots] = 0;
        }
    }
}

/* Appends the roots of the forest of at most `roots` of a part. */
static uint32_t add_roots(void *part, uint32_t roots, void *parts[8], uint32_t count)
{
    const struct lb_tree_inner *inner = part;
    if (!lb_tree_part_is_leaf(part))
        while (roots > 1 && inner->left[roots] == 0)
            roots--;
    if (roots == 1 || lb_tree_part_is_leaf(part)) {
        parts[count] = part;
        return count + 1;
    }
    count = add_roots(inner->child[0], inner->left[roots], parts, count);
    return add_roots(inner->child[1], roots - inner->left[roots], parts, count);
}

uint32_t lb_tree_children(const struct lb_tree_inner *inner, uint32_t width, void *parts[8])
{
    uint32_t count = add_roots(inner->child[0], inner->left_of_node, parts, 0);
    return add_roots(inner->child[1], width - inner->left_of_node, parts, count);
}

bool lb_tree_is_leaf(const void *part)
{
    return lb_tree_part_is_leaf(part) || ((const struct lb_tree_inner *)part)->left_of_node == 0;
}
