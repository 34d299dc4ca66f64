/* The traversal of all instruction sets: one of traverse_portable.h, traverse_avx2.h, traverse_avx512.h is
 * included before and gives the type `lanes`, lanes_within, test_node and test_triangles. All three visit the
 * same nodes and leaves in the same order, so that their hits and their counts of steps are equal.
 *
 * A node's children are visited in the order that the node keeps for the ray's octant; the stack has one
 * entry a node: the distances to its children and which of them are left. */
#ifndef LB_CORE_CPU_TRAVERSE_H
#define LB_CORE_CPU_TRAVERSE_H

#include "core/kernel/intersect.h"

/* Children of a node that are still to be visited. */
struct stack_entry {
    lanes distance; /* in the octant's order */
    const lb_node *node;
    uint32_t order, left;
};

struct trace {
    lb_search search;
    lb_search_space world;
    bool any; /* the first hit ends it */
    uint64_t nodes, groups;
};

/* Rule 2 and the order of hits for one triangle of a leaf of n. */
static inline bool offer_triangle(struct trace *trace, const lb_search_space *space, uint64_t first,
                                  uint32_t n, uint32_t lane, const float corner[3][3], float t, float b1,
                                  float b2)
{
    const lb_scene *scene = trace->search.scene;
    const lb_primitive *primitive = LB_ARRAY(scene, leaf_primitives, lb_primitive) + first + lane;
    (void)n;
    if (scene->leaf_boxes.count > 0)
        return lb_search_offer(&trace->search, space, *primitive,
                               LB_ARRAY(scene, leaf_boxes, lb_box) + first + lane, t, b1, b2);
    lb_box box = lb_triangle_box(corner);
    return lb_search_offer(&trace->search, space, *primitive, &box, t, b1, b2);
}

/* The corners of a triangle of a leaf of n, as leaf_corners has them. */
static inline void leaf_corner(const float *corners, uint32_t n, uint32_t lane, float corner[3][3])
{
    for (uint32_t i = 0; i < 9; i++)
        corner[i / 3][i % 3] = corners[i * n + lane];
}

/* True: the search is over. */
static inline bool visit_triangles(struct trace *trace, const lb_search_space *space, uint32_t word)
{
    uint32_t first = word & 0x3ffffffu, n = (word >> 26 & 7) + 1;
    const float *corners = LB_ARRAY(trace->search.scene, leaf_corners, float) + 9 * (uint64_t)first;
    struct candidates candidates;
    float corner[3][3], t, b1, b2;
    test_triangles(corners, n, &space->ray, trace->search.best.t, &candidates);
    for (uint32_t left = candidates.hit; left != 0; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        leaf_corner(corners, n, lane, corner);
        if (offer_triangle(trace, space, first, n, lane, corner, candidates.t[lane],
                           candidates.v[lane] / candidates.det[lane],
                           candidates.w[lane] / candidates.det[lane]) &&
            trace->any)
            return true;
    }
    for (uint32_t left = candidates.zero; __builtin_expect(left != 0, 0); left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        leaf_corner(corners, n, lane, corner);
        if (lb_triangle_hit(&space->ray, corner, &t, &b1, &b2) &&
            offer_triangle(trace, space, first, n, lane, corner, t, b1, b2) && trace->any)
            return true;
    }
    return false;
}

static bool visit_quadrics(struct trace *trace, const lb_search_space *space, uint32_t word)
{
    const uint32_t *shape = LB_ARRAY(trace->search.scene, leaf_others, uint32_t) + (word & 0x3ffffffu);
    uint32_t n = (word >> 26 & 7) + 1;
    for (uint32_t i = 0; i < n; i++)
        if (lb_search_quadric(&trace->search, space, shape[i]) && trace->any)
            return true;
    return false;
}

static bool visit_instances(struct trace *trace, uint32_t word);

/* A leaf. True: the search is over. */
static inline bool visit_leaf(struct trace *trace, const lb_search_space *space, uint32_t word)
{
    uint32_t kind = word >> 29 & 3;
    if (kind == LB_LEAF_TRIANGLES)
        return visit_triangles(trace, space, word);
    if (kind == LB_LEAF_QUADRICS)
        return visit_quadrics(trace, space, word);
    /* A node's missing child is no kind at all; one level of instances is all there is. */
    return kind == LB_LEAF_INSTANCES && space->instance == LB_NONE && visit_instances(trace, word);
}

/* The next child of the node on top; false when the stack is empty. */
static inline bool pop_child(struct stack_entry *stack, uint32_t *size, float closest, uint32_t *word)
{
    while (*size > 0) {
        struct stack_entry *top = &stack[*size - 1];
        uint32_t left = top->left & lanes_within(&top->distance, closest);
        if (left != 0) {
            *word = top->node->child[top->order >> 4 * (uint32_t)__builtin_ctz(left) & 7];
            top->left = left & (left - 1);
            *size -= top->left == 0;
            return true;
        }
        --*size;
    }
    return false;
}

/* All of a geometry. True: the search is over. */
static inline bool visit_geometry(struct trace *trace, const lb_search_space *space, uint32_t number)
{
    const lb_geometry *geometry = LB_ARRAY(trace->search.scene, geometries, lb_geometry) + number;
    const lb_node *nodes = LB_ARRAY(trace->search.scene, nodes, lb_node);
    struct stack_entry stack[LB_TREE_DEPTH];
    struct node_ray ray;
    uint32_t size = 0, word = geometry->root;
    uint64_t visited = 0, groups = 0;
    bool over = false;
    node_ray_constants(&ray, &space->ray, &geometry->box);
    for (;;) {
        if (word & LB_CHILD_LEAF) {
            groups++;
            if ((over = visit_leaf(trace, space, word)))
                break;
        } else {
            const lb_node *node = &nodes[word];
            struct stack_entry *top = &stack[size];
            uint32_t order = node->order[ray.octant], left;
            visited++;
            left = test_node(node, &ray, order, trace->search.best.t, &top->distance);
            if (left != 0) {
                word = node->child[order >> 4 * (uint32_t)__builtin_ctz(left) & 7];
                top->node = node;
                top->order = order;
                top->left = left & (left - 1);
                size += top->left != 0;
                continue;
            }
        }
        if (!pop_child(stack, &size, trace->search.best.t, &word))
            break;
    }
    trace->nodes += visited;
    trace->groups += groups;
    return over;
}

static __attribute__((noinline)) bool visit_instance(struct trace *trace, uint32_t number)
{
    lb_search_space space;
    if (!lb_search_enter_instance(&trace->search, &trace->world, number, &space))
        return false;
    return visit_geometry(trace, &space,
                          LB_ARRAY(trace->search.scene, instances, lb_instance)[number].geometry);
}

static bool visit_instances(struct trace *trace, uint32_t word)
{
    const uint32_t *number = LB_ARRAY(trace->search.scene, leaf_others, uint32_t) + (word & 0x3ffffffu);
    uint32_t n = (word >> 26 & 7) + 1;
    for (uint32_t i = 0; i < n; i++)
        if (visit_instance(trace, number[i]))
            return true;
    return false;
}

static inline void trace_ray(struct trace *trace, const lb_scene *scene, const lb_ray *ray, bool any)
{
    lb_search_start(&trace->search, scene, ray);
    trace->any = any;
    trace->nodes = 0;
    trace->groups = 0;
    if (lb_search_enter_world(&trace->search, &trace->world))
        visit_geometry(trace, &trace->world, 0);
}

static inline void count_steps(const struct trace *trace, lb_counters *counters)
{
    counters->rays++;
    counters->nodes += trace->nodes;
    counters->groups += trace->groups;
}

/* The closest hit in [0, t_max) by least (t, instance, shape, primitive); false: none, and `hit` says so.
 * Adds to `counters`: a ray, nodes visited, leaves tested. */
static bool __attribute__((unused))
lb_trace_closest(const lb_scene *scene, const lb_ray *ray, lb_hit *hit, lb_counters *counters)
{
    struct trace trace;
    trace_ray(&trace, scene, ray, false);
    count_steps(&trace, counters);
    return lb_search_end(&trace.search, hit);
}

/* Is there a hit in [0, t_max)? Alpha is respected. */
static bool __attribute__((unused))
lb_trace_any(const lb_scene *scene, const lb_ray *ray, lb_counters *counters)
{
    struct trace trace;
    trace_ray(&trace, scene, ray, true);
    count_steps(&trace, counters);
    return trace.search.found;
}

#endif
