/* The traversal of the tree, for all instruction sets: the including file has included one of traverse_portable.h,
 * traverse_avx2.h and traverse_avx512.h before. All three visit the same nodes and leaves in the same order, so that
 * their hits and their counts of steps are equal.
 *
 * A node's children are visited in the order that the node keeps for the ray's octant. The stack has one entry for each
 * node on the way down: the distances to its children, and which of them are still to be visited. */
#ifndef LB_CORE_CPU_TRAVERSE_H
#define LB_CORE_CPU_TRAVERSE_H

#include "core/kernel/tree/intersect.h"

/* A node on the way down whose children have not all been visited. */
struct stack_entry {
    lanes distance; /* to each child, in the order for the ray's octant */
    const lb_node *node;
    uint32_t order, left;
};

/* One ray on its way through the scene. */
struct trace {
    lb_search search;
    lb_search_space world;
    /* The index into leaf_primitives of the best hit's triangle, whose name is looked up at last. LB_NONE: the search
     * has the name already. */
    uint32_t element;
    uint64_t nodes, groups;
};

/* ---- leaves ---- */

LB_INLINE uint32_t leaf_first(uint32_t word)
{
    return word & 0x3ffffffu;
}

LB_INLINE uint32_t leaf_count(uint32_t word)
{
    return (word >> 26 & 7) + 1;
}

/* Puts the best hit's name, its shape and primitive, into the search, where hits at the same distance are compared by
 * it. */
LB_INLINE void settle_name(struct trace *trace)
{
    if (trace->element != LB_NONE)
        trace->search.best.primitive =
            LB_ARRAY(trace->search.scene, leaf_primitives, lb_primitive)[trace->element];
    trace->element = LB_NONE;
}

/* Takes a triangle's hit that has passed rule 2 (core/kernel/tree/intersect.h) if it comes before the best one so far.
 * Reading the triangle's name would fetch a cache line, so it is read only where it decides. True: the hit was
 * taken. */
LB_INLINE bool offer_triangle(struct trace *trace, const lb_search_space *space, uint32_t element, float t,
                              float b1, float b2)
{
    const lb_primitive *name = LB_ARRAY(trace->search.scene, leaf_primitives, lb_primitive) + element;
    lb_hit *best = &trace->search.best;
    if (t > best->t)
        return false;
    if (t == best->t || trace->search.scene->any_alpha) {
        settle_name(trace);
        return lb_search_take(&trace->search, space, *name, t, b1, b2);
    }
    if (trace->search.ray->from != 0 && lb_search_leaves(&trace->search, space, *name))
        return false;
    best->t = t;
    best->b1 = b1;
    best->b2 = b2;
    best->instance = space->instance;
    trace->search.found = true;
    trace->element = element;
    return true;
}

/* Checks rule 2 for a triangle that the tree holds in fragments, each in a box of its own, then offers it. */
static __attribute__((noinline)) bool offer_fragment(struct trace *trace, const lb_search_space *space,
                                                     uint32_t element, float t, float b1, float b2)
{
    const lb_box *box = LB_ARRAY(trace->search.scene, leaf_boxes, lb_box) + element;
    float entry;
    if (!lb_slab_passes(&space->ray, box, &entry))
        return false;
    return offer_triangle(trace, space, element, lb_max(lb_max(entry, space->entry), t), b1, b2);
}

/* Tests the triangles of `lanes_left`, for which an edge function is zero, one by one with the exact test. */
static __attribute__((noinline)) bool visit_zeros(struct trace *trace, const lb_search_space *space,
                                                  uint32_t word, uint32_t lanes_left)
{
    const lb_scene *scene = trace->search.scene;
    uint32_t first = leaf_first(word), n = leaf_count(word);
    const float *corners = LB_ARRAY(scene, leaf_corners, float) + 9 * (uint64_t)first;
    bool found = false;
    for (; lanes_left != 0; lanes_left &= lanes_left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(lanes_left);
        float corner[3][3], t, b1, b2, entry;
        for (uint32_t i = 0; i < 9; i++)
            corner[i / 3][i % 3] = corners[i * n + lane];
        if (!lb_triangle_hit(&space->ray, (const float(*)[3])corner, &t, &b1, &b2))
            continue;
        lb_box box = scene->leaf_boxes.count > 0 ? LB_ARRAY(scene, leaf_boxes, lb_box)[first + lane]
                                                 : lb_triangle_box((const float(*)[3])corner);
        if (lb_slab_passes(&space->ray, &box, &entry))
            found |=
                offer_triangle(trace, space, first + lane, lb_max(lb_max(entry, space->entry), t), b1, b2);
    }
    return found;
}

/* Tests the triangles of a leaf. True: a hit was taken. */
LB_INLINE bool visit_triangles(struct trace *trace, const lb_search_space *space, uint32_t word)
{
    const lb_scene *scene = trace->search.scene;
    const float *corners = LB_ARRAY(scene, leaf_corners, float) + 9 * (uint64_t)leaf_first(word);
    bool found = false, fragments = scene->leaf_boxes.count > 0;
    struct candidates c;
    /* The name of what is hit will be compared with that of the surface the ray leaves. */
    if (trace->search.ray->from != 0)
        __builtin_prefetch(LB_ARRAY(scene, leaf_primitives, lb_primitive) + leaf_first(word));
    if (fragments) { /* a hit's own box will be read */
        const char *boxes = (const char *)(LB_ARRAY(scene, leaf_boxes, lb_box) + leaf_first(word));
        __builtin_prefetch(boxes);
        __builtin_prefetch(boxes + 64);
    }
    test_triangles(corners, leaf_count(word), &space->ray, space->entry, trace->search.best.t, fragments, &c);
    for (uint32_t left = c.hit; left != 0; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left), element = leaf_first(word) + lane;
        float t = c.t[lane], b1 = c.v[lane] / c.det[lane], b2 = c.w[lane] / c.det[lane];
        found |= fragments ? offer_fragment(trace, space, element, t, b1, b2)
                           : offer_triangle(trace, space, element, t, b1, b2);
    }
    if (__builtin_expect(c.zero != 0, 0))
        found |= visit_zeros(trace, space, word, c.zero);
    return found;
}

static __attribute__((noinline)) bool visit_quadrics(struct trace *trace, const lb_search_space *space,
                                                     uint32_t word)
{
    const uint32_t *shape = LB_ARRAY(trace->search.scene, leaf_others, uint32_t) + leaf_first(word);
    bool found = false;
    settle_name(trace);
    for (uint32_t i = 0; i < leaf_count(word); i++)
        found |= lb_search_quadric(&trace->search, space, shape[i]);
    return found;
}

static __attribute__((noinline)) bool visit_curves(struct trace *trace, const lb_search_space *space,
                                                   uint32_t word)
{
    const lb_primitive *names = LB_ARRAY(trace->search.scene, leaf_strands, lb_primitive) + leaf_first(word);
    bool found = false;
    settle_name(trace);
    for (uint32_t i = 0; i < leaf_count(word); i++)
        found |= lb_search_strand(&trace->search, space, names[i]);
    return found;
}

static bool visit_instances(struct trace *trace, uint32_t word, bool any);

/* Tests what a leaf holds. `any`: the ray only asks whether it hits something. True: a hit was taken. */
static __attribute__((noinline)) bool visit_leaf(struct trace *trace, const lb_search_space *space,
                                                 uint32_t word, bool any)
{
    uint32_t kind = word >> 29 & 3;
    if (__builtin_expect(kind == LB_LEAF_TRIANGLES, 1))
        return visit_triangles(trace, space, word);
    if (kind == LB_LEAF_QUADRICS)
        return visit_quadrics(trace, space, word);
    if (kind == LB_LEAF_CURVES)
        return word != LB_NONE /* a node's missing child */ && visit_curves(trace, space, word);
    return space->instance == LB_NONE && visit_instances(trace, word, any); /* instances hold no instances */
}

/* ---- nodes ---- */

/* Takes the next child that is no farther than `closest` from the top of the stack; false when the stack is empty. */
LB_INLINE bool pop_child(struct stack_entry *stack, uint32_t *size, float closest, uint32_t *word)
{
    while (*size > 0) {
        struct stack_entry *top = &stack[*size - 1];
        uint32_t left = top->left & lanes_less_equal(top->distance, lanes_splat(closest));
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

/* Asks early for the memory of the child after the next one, which comes from far away, as soon as it is known to be
 * needed. There is no branch, as nobody can tell how many children are hit or of what kind the next one is. */
LB_INLINE void prefetch_child(const lb_scene *scene, uint32_t word)
{
    uint64_t node = scene->nodes.offset + sizeof(lb_node) * (uint64_t)word;
    uint64_t leaf = scene->leaf_corners.offset + 9 * sizeof(float) * (uint64_t)leaf_first(word);
    uint64_t is_leaf = -(uint64_t)(word >> 31);
    const char *at = (const char *)scene + ((node & ~is_leaf) | (leaf & is_leaf));
    for (uint32_t line = 0; line < 4; line++)
        __builtin_prefetch(at + 64 * line);
}

/* Finds the closest hit of a geometry, one of the scene's trees, that comes before the search's best one so far. */
LB_INLINE void visit_geometry(struct trace *trace, const lb_search_space *space, uint32_t number)
{
    const lb_geometry *geometry = LB_ARRAY(trace->search.scene, geometries, lb_geometry) + number;
    const lb_node *nodes = LB_ARRAY(trace->search.scene, nodes, lb_node);
    struct stack_entry stack[LB_TREE_DEPTH];
    struct node_ray ray;
    uint32_t size = 0, word = geometry->root;
    uint64_t visited = 0, groups = 0;
    make_node_ray(&ray, &space->ray, &geometry->box);
    for (;;) {
        while (!(word & LB_CHILD_LEAF)) {
            const lb_node *node = &nodes[word];
            struct stack_entry *top = &stack[size];
            uint32_t order = node->order[ray.octant], left, next;
            visited++;
            next = test_node(node, &ray, order, trace->search.best.t, &top->distance);
            if (next == 0)
                goto pop;
            word = node->child[order >> 4 * (uint32_t)__builtin_ctz(next) & 7];
            left = next & (next - 1);
            top->node = node;
            top->order = order;
            top->left = left;
            size += left != 0;
            /* Where no child is left, the one that comes next is fetched once more. */
            next = (uint32_t)__builtin_ctz(left | next << 8);
            prefetch_child(trace->search.scene, node->child[order >> (4 * next & 31) & 7]);
        }
        groups++;
        visit_leaf(trace, space, word, false);
    pop:
        if (!pop_child(stack, &size, trace->search.best.t, &word))
            break;
    }
    trace->nodes += visited;
    trace->groups += groups;
}

/* Is there any hit in a geometry? The ray does not get shorter on the way. Children are numbered by how likely they are
 * to end the search soon, and visited in that order. */
LB_INLINE bool visit_geometry_any(struct trace *trace, const lb_search_space *space, uint32_t number)
{
    const lb_geometry *geometry = LB_ARRAY(trace->search.scene, geometries, lb_geometry) + number;
    const lb_node *nodes = LB_ARRAY(trace->search.scene, nodes, lb_node);
    struct {
        const lb_node *node;
        uint32_t left;
    } stack[LB_TREE_DEPTH];
    struct node_ray ray;
    uint32_t size = 0, word = geometry->root;
    uint64_t visited = 0, groups = 0;
    bool found = false;
    make_node_ray(&ray, &space->ray, &geometry->box);
    for (;;) {
        while (!(word & LB_CHILD_LEAF)) {
            const lb_node *node = &nodes[word];
            uint32_t left, next;
            visited++;
            next = test_node_any(node, &ray, trace->search.best.t);
            if (next == 0)
                goto pop;
            word = node->child[__builtin_ctz(next) & 7];
            left = next & (next - 1);
            stack[size].node = node;
            stack[size].left = left;
            size += left != 0;
            prefetch_child(trace->search.scene, node->child[__builtin_ctz(left | next << 16) & 7]);
        }
        groups++;
        if ((found = visit_leaf(trace, space, word, true)))
            break;
    pop:
        if (size == 0)
            break;
        word = stack[size - 1].node->child[__builtin_ctz(stack[size - 1].left) & 7];
        stack[size - 1].left &= stack[size - 1].left - 1;
        size -= stack[size - 1].left == 0;
    }
    trace->nodes += visited;
    trace->groups += groups;
    return found;
}

/* ---- rays ---- */

static bool visit_moving_instance(struct trace *trace, const lb_instance *instance, uint32_t number,
                                  bool any);

/* Traces the ray through an instance, in the instance's own space. True: there is a hit, which may have been found in
 * another instance before where the closest one is wanted. */
static __attribute__((noinline)) bool visit_instance(struct trace *trace, const lb_instance *instance,
                                                     uint32_t number, bool any)
{
    lb_search_space space;
    if (!lb_search_reaches(&trace->search, &trace->world, instance, number, &space))
        return false;
    if (__builtin_expect(instance->move != 0, 0))
        return visit_moving_instance(trace, instance, number, any);
    lb_search_turn(&trace->search, instance, &space);
    if (!prepare_ray(&space.origin, &space.direction, &space.ray))
        return false;
    if (any)
        return visit_geometry_any(trace, &space, instance->geometry);
    visit_geometry(trace, &space, instance->geometry);
    return trace->search.found;
}

/* Traces the ray through a moving instance, as it stands at the ray's time. */
static __attribute__((noinline, cold)) bool
visit_moving_instance(struct trace *trace, const lb_instance *instance, uint32_t number, bool any)
{
    lb_instance stopped;
    lb_instance_stop(trace->search.scene, instance, trace->search.ray->time, &stopped);
    return visit_instance(trace, &stopped, number, any);
}

static bool visit_instances(struct trace *trace, uint32_t word, bool any)
{
    const lb_instance *instances = LB_ARRAY(trace->search.scene, instances, lb_instance);
    const uint32_t *number = LB_ARRAY(trace->search.scene, leaf_others, uint32_t) + leaf_first(word);
    bool found = false;
    for (uint32_t i = 0; i < leaf_count(word) && !(any && found); i++)
        found |= visit_instance(trace, instances + number[i], number[i], any);
    return found;
}

/* Sets a trace up. False: the ray hits nothing, whatever the scene is. */
LB_INLINE bool start_trace(struct trace *trace, const lb_scene *scene, const lb_ray *ray)
{
    lb_search_start(&trace->search, scene, ray);
    lb_search_world(&trace->search, &trace->world);
    trace->element = LB_NONE;
    trace->nodes = 0;
    trace->groups = 0;
    return prepare_ray(&ray->origin, &ray->direction, &trace->world.ray) && ray->t_max > 0.0f;
}

LB_INLINE void count_steps(const struct trace *trace, lb_counters *counters)
{
    counters->rays++;
    counters->nodes += trace->nodes;
    counters->groups += trace->groups;
}

/* Finds the closest hit with t in [0, t_max); of several at the same t it is the one of the least (instance, shape,
 * primitive). False: there is none, and `hit` says so. Adds one ray, the nodes visited and the leaves tested to
 * `counters`. */
static bool __attribute__((unused))
lb_trace_closest(const lb_scene *scene, const lb_ray *ray, lb_hit *hit, lb_counters *counters)
{
    struct trace trace;
    if (start_trace(&trace, scene, ray))
        visit_geometry(&trace, &trace.world, 0);
    count_steps(&trace, counters);
    settle_name(&trace);
    return lb_search_end(&trace.search, hit);
}

/* Is there a hit with t in [0, t_max)? Places that alpha leaves out do not count. */
static bool __attribute__((unused))
lb_trace_any(const lb_scene *scene, const lb_ray *ray, lb_counters *counters)
{
    struct trace trace;
    if (start_trace(&trace, scene, ray))
        visit_geometry_any(&trace, &trace.world, 0);
    count_steps(&trace, counters);
    return trace.search.found;
}

#endif
