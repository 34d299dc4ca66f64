/* Traces a ray through the compressed tree. What is seldom needed is read from memory again, so that the loop holds
 * little in registers: the ray in world space, the hit so far but for its t, and the node above. */
#ifndef LB_CORE_KERNEL_TREE_WIDE_TRACE_H
#define LB_CORE_KERNEL_TREE_WIDE_TRACE_H

#include "core/kernel/tree/wide_node.h"

#ifndef LB_WIDE_COUNT
#define LB_WIDE_COUNT(what) /* a benchmark counts by this what a ray reads: nodes, and elements of leaves */
#endif

/* A ray on its way through the trees. */
typedef struct lb_wide_walk {
    lb_slab_ray ray; /* the ray in the space of the tree that is being walked */
    uint32_t octant;
    lb_wide_aside *aside;
    float t; /* t of the best hit, at first the ray's t_max, before which hits must lie */
    lb_wide_entry entry;
    uint32_t height;              /* the stack's height */
    uint32_t first_leaf, pending; /* elements that are to be tested, a bit for each, from first_leaf on */
    bool any;                     /* any hit will do, and none is kept */
} lb_wide_walk;

/* Does a hit come before the best one? This is lb_hit_is_before for hits that are numbered over all shapes. */
LB_INLINE bool lb_wide_is_before(const lb_wide_walk *walk, float t, uint32_t shape, uint32_t number)
{
    lb_primitive primitive;
    if (t != walk->t)
        return t < walk->t;
    if (walk->any || t == walk->aside->world->t_max)
        return false;
    primitive.shape = shape;
    primitive.primitive = number;
    return lb_hit_is_before(t, walk->aside->instance, primitive, walk->aside->hit);
}

/* Makes a hit the best one. */
LB_INLINE void lb_wide_keep(lb_wide_walk *walk, float t, float b1, float b2, uint32_t shape, uint32_t number)
{
    walk->t = t;
    if (walk->any)
        return;
    walk->aside->hit->t = t;
    walk->aside->hit->b1 = b1;
    walk->aside->hit->b2 = b2;
    walk->aside->hit->instance = walk->aside->instance;
    walk->aside->hit->primitive.shape = shape;
    walk->aside->hit->primitive.primitive = number;
}

/* Prepares the ray for the tree of an instance, or for that of the world again, which is to be entered at `root`. Where
 * the ray hits nothing there, nothing is to be visited. */
LB_INLINE void lb_wide_enter(lb_wide_walk *walk, const lb_scene *scene, uint32_t instance, uint32_t root,
                             uint32_t asks)
{
    lb_vec3 origin = walk->aside->world->origin, direction = walk->aside->world->direction;
    bool ready;
    if (instance != LB_NONE) {
        const lb_instance *at = LB_ARRAY(scene, instances, lb_instance) + instance;
        if (asks == LB_WIDE_MOVING && at->move != 0) {
            lb_moved_ray moved = lb_move_into(scene, at->move, walk->aside->world->time, origin, direction);
            origin = moved.origin;
            direction = moved.direction;
        } else {
            origin = lb_transform_point(&at->object_from_world, origin);
            direction = lb_transform_vector(&at->object_from_world, direction);
        }
    }
    walk->aside->instance = instance;
    walk->aside->from = instance == walk->aside->world->from_instance ? walk->aside->world->from : 0;
    ready = lb_slab_prepare(origin, direction, &walk->ray);
    walk->octant = lb_wide_octant(&walk->ray);
    /* The entry is as if the root were the only child, in slot 0, of a node above it. */
    walk->entry.first_node = root;
    walk->entry.slots = ready && root != LB_NONE ? 1u << (8 + walk->octant) | 1u : 0;
}

/* Takes a hit if alpha lets it count. It is called seldom, with the walk in memory. */
LB_FUNCTION bool lb_wide_take_alpha(const lb_scene *scene, lb_wide_walk *walk, uint32_t shape,
                                    uint32_t number, float t, float b1, float b2)
{
    const lb_shape *at = LB_ARRAY(scene, shapes, lb_shape) + shape;
    if (!lb_alpha_passes(scene, at, number - at->first_primitive, lb_alpha_sheet(walk->aside->instance, 0),
                         b1, b2, lb_vec3_make(0.0f, 0.0f, 0.0f), walk->aside->world))
        return false;
    lb_wide_keep(walk, t, b1, b2, shape, number);
    return true;
}

/* Begins a search for a hit that comes before the best one, by the tests of core/kernel/tree/intersect.h. */
LB_INLINE bool lb_wide_search(const lb_scene *scene, const lb_wide_walk *walk, lb_search *search,
                              lb_search_space *space)
{
    lb_search_start(search, scene, walk->aside->world);
    if (!walk->any && walk->t < walk->aside->world->t_max)
        search->best = lb_wide_name(scene, walk->aside->hit);
    if (!lb_search_enter_world(search, space))
        return false;
    if (walk->aside->instance == LB_NONE)
        return true;
    lb_search_space world = *space;
    return lb_search_enter_instance(search, &world, walk->aside->instance, space);
}

/* Tests a leaf's spheres, disks or cylinders by those. True: there is a better hit. */
LB_FUNCTION bool lb_wide_take_quadrics(const lb_scene *scene, lb_wide_walk *walk, const lb_wide_leaf *leaf,
                                       uint32_t count)
{
    lb_search search;
    lb_search_space space;
    bool better = false;
    if (!lb_wide_search(scene, walk, &search, &space))
        return false;
    for (; count > 0; count--, leaf++) {
        if (lb_search_quadric(&search, &space, leaf->shape)) {
            lb_wide_keep(walk, search.best.t, 0.0f, 0.0f, leaf->shape, leaf->number);
            better = true;
        }
    }
    return better;
}

/* Tests a leaf's curves in the same way. */
LB_FUNCTION bool lb_wide_take_strands(const lb_scene *scene, lb_wide_walk *walk, const lb_wide_leaf *leaf,
                                      uint32_t count)
{
    lb_search search;
    lb_search_space space;
    bool better = false;
    if (!lb_wide_search(scene, walk, &search, &space))
        return false;
    for (; count > 0; count--, leaf++) {
        lb_primitive primitive;
        primitive.shape = leaf->shape;
        primitive.primitive = leaf->number - LB_ARRAY(scene, shapes, lb_shape)[leaf->shape].first_primitive;
        if (lb_search_strand(&search, &space, primitive)) {
            lb_wide_keep(walk, search.best.t, search.best.b1, search.best.b2, leaf->shape, leaf->number);
            better = true;
        }
    }
    return better;
}

/* Loads the words of a leaf's triangle. False: the walk is the second of two, and the first has tested it. Its last
 * words, which tell so, are looked at before the others. */
LB_INLINE bool lb_wide_load_triangle(const lb_wide_leaf *leaf, uint32_t word[12], uint32_t asks)
{
    if (asks != LB_WIDE_REST) {
        lb_wide_load(leaf, 12, word);
        return true;
    }
    lb_wide_load((const char *)leaf + 8 * sizeof *word, 4, word + 8);
    if (!(word[9] & LB_WIDE_ALPHA))
        return false;
    lb_wide_load(leaf, 8, word);
    return true;
}

/* Tests a triangle of a leaf. True: it is the best hit now. */
LB_INLINE bool lb_wide_triangle(lb_wide_walk *walk, const lb_scene *scene, const lb_wide_leaf *leaf,
                                uint32_t asks)
{
    float t = 0.0f, b1 = 0.0f, b2 = 0.0f, entry,
          corner[3][3]; /* set here, or compilers would keep them from one triangle to the next */
    uint32_t word[12], i;
    lb_box box;
    if (!lb_wide_load_triangle(leaf, word, asks))
        return false;
    for (i = 0; i < 9; i++)
        corner[i / 3][i % 3] = lb_bits_float(word[i]);
    if (!lb_triangle_hit(&walk->ray, corner, &t, &b1, &b2) || t > walk->t)
        return false;
    if (word[11] == LB_NONE)
        box = lb_triangle_box(corner);
    else
        box = LB_ARRAY(scene, leaf_boxes, lb_box)[word[11]];
    if (!lb_slab_passes(&walk->ray, &box, &entry))
        return false;
    t = lb_max(lb_max(entry, walk->aside->into), t);
    if (word[10] + 1 == walk->aside->from || !lb_wide_is_before(walk, t, word[9] & ~LB_WIDE_ALPHA, word[10]))
        return false;
    if (asks == LB_WIDE_FIRST && (word[9] & LB_WIDE_ALPHA)) {
        walk->aside->slot |= LB_WIDE_MET;
        return false;
    }
    if (asks != LB_WIDE_OPAQUE && (word[9] & LB_WIDE_ALPHA)) {
        lb_wide_walk kept = *walk; /* a copy, so that nothing is held in registers over the call */
        bool better = lb_wide_take_alpha(scene, &kept, word[9] & ~LB_WIDE_ALPHA, word[10], t, b1, b2);
        *walk = kept;
        return better;
    }
    lb_wide_keep(walk, t, b1, b2, word[9], word[10]);
    return true;
}

/* Enters an instance, if the ray passes its box before the best hit. What is left of the world waits on the stack,
 * below an entry that says so. */
LB_INLINE void lb_wide_instance(lb_wide_walk *walk, const lb_scene *scene, const lb_wide_tree *tree,
                                uint32_t number, lb_wide_stack *stack, uint32_t asks)
{
    const lb_instance *instance = LB_ARRAY(scene, instances, lb_instance) + number;
    lb_wide_entry end;
    float into;
    if (!lb_slab_passes(&walk->ray, &instance->box, &into) || into > walk->t)
        return;
    end.first_node = LB_NONE;
    end.slots = 0;
    if (walk->entry.slots >> 8 & 0xffu)
        lb_wide_put(stack, walk->height++, walk->entry);
    lb_wide_put(stack, walk->height++, end);
    walk->aside->into = into;
    lb_wide_enter(walk, scene, number, tree->roots[instance->geometry], asks);
}

/* Might a quadric of a leaf, of `count`, be a better hit? Its box, which stands in place of corners, is tested as it
 * is before the quadric itself: no hit comes before the ray enters it. So a shadow ray that ends at a lamp which
 * lies flat along two axes does not meet it. */
LB_INLINE bool lb_wide_meets(const lb_wide_walk *walk, const lb_wide_leaf *leaf, uint32_t count)
{
    bool meets = false;
    for (; count > 0; count--, leaf++) {
        lb_box box;
        float entry;
        uint32_t a;
        for (a = 0; a < 3; a++) {
            box.lower[a] = leaf->corner[0][a];
            box.upper[a] = leaf->corner[1][a];
        }
        meets = meets || (lb_slab_passes(&walk->ray, &box, &entry) && entry <= walk->t);
    }
    return meets;
}

/* Handles the next of an entry's slots that hold instances, quadrics or curves. True: there is a better hit. */
LB_INLINE bool lb_wide_other(lb_wide_walk *walk, const lb_scene *scene, const lb_wide_tree *tree,
                             lb_wide_stack *stack, uint32_t asks)
{
    const lb_wide_node *node = tree->nodes + walk->entry.first_node;
    uint32_t step = lb_wide_lowest(walk->entry.slots >> 8), meta = node->meta[step ^ walk->octant];
    const lb_wide_leaf *leaf = tree->leaves + node->first_leaf + (meta & 31u);
    bool better = false;
    walk->entry.slots &= ~(1u << (8 + step));
    if (leaf->shape == LB_NONE) {
        if (asks != LB_WIDE_REST || leaf->box != LB_NONE)
            lb_wide_instance(walk, scene, tree, leaf->number, stack, asks);
    } else if (asks == LB_WIDE_FIRST) {
        if (lb_wide_meets(walk, leaf, (meta >> 5 & 3u) + 1u))
            walk->aside->slot |= LB_WIDE_MET;
    } else if (asks != LB_WIDE_OPAQUE) {
        lb_wide_walk kept = *walk;
        uint32_t count = (meta >> 5 & 3u) + 1u;
        if (asks >= LB_WIDE_CURVES && LB_ARRAY(scene, shapes, lb_shape)[leaf->shape].kind == LB_SHAPE_CURVES)
            better = lb_wide_take_strands(scene, &kept, leaf, count);
        else
            better = lb_wide_take_quadrics(scene, &kept, leaf, count);
        *walk = kept;
    }
    return better;
}

/* The slots of nodes below which some leaf asks something. Bit 7 of four bytes at a time is brought together by a
 * multiplication, none of whose terms meet. */
LB_INLINE uint32_t lb_wide_asking_below(const lb_wide_visit *visit)
{
    uint32_t low = (visit->meta[0] >> 7 & 0x01010101u) * 0x01020408u >> 24;
    uint32_t high = (visit->meta[1] >> 7 & 0x01010101u) * 0x01020408u >> 24;
    return visit->inner & ~(low | high << 4);
}

/* Sorts the leaves that a visit has hit: triangles become pending, and the slots of others are returned. */
LB_INLINE uint32_t lb_wide_sort(lb_wide_walk *walk, const lb_wide_visit *visit)
{
    uint32_t leaves = visit->hit & ~visit->inner, others = 0;
    walk->first_leaf = visit->first_leaf;
    walk->pending = 0;
    for (; leaves != 0; leaves &= leaves - 1) {
        uint32_t slot = lb_wide_lowest(leaves), meta = lb_wide_byte(visit->meta[0], visit->meta[1], slot);
        if (!(meta & 128u))
            walk->pending |= ((2u << (meta >> 5)) - 1u) << (meta & 31u);
        else if (meta != LB_WIDE_EMPTY)
            others |= 1u << slot;
    }
    return others;
}

/* Visits the next node of the entry. What is left of the entry waits on the stack, and the node's triangles are pending
 * then. */
LB_INLINE void lb_wide_descend(lb_wide_walk *walk, const lb_wide_tree *tree, lb_wide_stack *stack,
                               uint32_t asks)
{
    uint32_t step = lb_wide_lowest(walk->entry.slots >> 8), slot = step ^ walk->octant, number, others, nodes;
    lb_wide_visit visit;
    walk->entry.slots &= ~(1u << (8 + step));
    number = walk->entry.first_node + lb_wide_count(walk->entry.slots & 0xffu & ((1u << slot) - 1u));
    if (walk->entry.slots >> 8)
        lb_wide_put(stack, walk->height++, walk->entry);
    LB_WIDE_COUNT(nodes);
    lb_wide_children(tree->nodes + number, &walk->ray, walk->t, &visit);
    others = lb_wide_sort(walk, &visit);
    nodes = visit.hit & (asks == LB_WIDE_REST ? lb_wide_asking_below(&visit) : visit.inner);
    walk->entry.first_node = visit.first_node;
    walk->entry.slots = lb_wide_by_step(nodes, walk->octant) << 8 | visit.inner;
    if (others) {
        if (walk->entry.slots >> 8)
            lb_wide_put(stack, walk->height++, walk->entry);
        walk->entry.first_node = number;
        walk->entry.slots = LB_WIDE_OTHERS | lb_wide_by_step(others, walk->octant) << 8;
    }
}

/* Sets a hit that says that nothing was hit. */
LB_INLINE void lb_wide_miss(float t_max, lb_hit *hit)
{
    hit->t = t_max;
    hit->b1 = hit->b2 = 0.0f;
    hit->instance = hit->primitive.shape = LB_NONE;
    hit->primitive.primitive = 0;
}

/* ---- walks of a warp in step ----
 * The threads of a warp run one instruction at a time for all that stand at it, and the others wait. So in each step
 * all threads that can do so visit a node, or all test a triangle, whichever more of them want (Ylitie, Karras, Laine
 * 2017, and Aila, Laine, "Understanding the Efficiency of Ray Traversal on GPUs", 2009, postpone triangles for the same
 * reason). A thread whose triangles wait goes on with nodes meanwhile. What it visits too much that way changes no hit:
 * a hit is a function of the ray and the scene. */

/* How many threads of the warp that are here say yes. On the host a ray is alone. */
LB_INLINE uint32_t lb_wide_vote(bool yes)
{
#ifdef __CUDA_ARCH__
    return (uint32_t)__popc(__ballot_sync(__activemask(), yes));
#else
    return yes ? 1u : 0u;
#endif
}

/* How many threads of the warp are here, where a ray that has come to its end waits for the others. */
LB_INLINE uint32_t lb_wide_here(void)
{
#ifdef __CUDA_ARCH__
    return (uint32_t)__popc(__activemask());
#else
    return 32;
#endif
}

/* Does the entry in hand name children that are still to be visited? */
LB_INLINE bool lb_wide_entry_left(const lb_wide_walk *walk)
{
    return (walk->entry.slots & 0xff00u) != 0;
}

/* Takes the next entry from the stack, where nothing is left of that in hand. Triangles that are pending come before
 * other triangles and before any change to the space of another tree. */
LB_INLINE void lb_wide_pop(lb_wide_walk *walk, const lb_scene *scene, lb_wide_stack *stack, uint32_t asks)
{
    while (!lb_wide_entry_left(walk) && walk->height > 0) {
        lb_wide_entry top = lb_wide_get(stack, walk->height - 1);
        if (walk->pending && ((top.first_node & LB_WIDE_TRIANGLES) || (top.slots & LB_WIDE_OTHERS)))
            break;
        walk->height--;
        if (top.first_node == LB_NONE) { /* the instance is done */
            walk->aside->into = 0.0f;
            lb_wide_enter(walk, scene, LB_NONE, LB_NONE, asks);
        } else if (top.first_node & LB_WIDE_TRIANGLES) {
            walk->first_leaf = top.first_node & ~LB_WIDE_TRIANGLES;
            walk->pending = top.slots;
            break;
        } else
            walk->entry = top;
    }
}

/* Tests the first of the pending triangles, near ones come first as far as slots tell. True: it is the best hit now. */
LB_INLINE bool lb_wide_test(lb_wide_walk *walk, const lb_scene *scene, const lb_wide_tree *tree,
                            uint32_t asks)
{
    uint32_t element = lb_wide_lowest(walk->pending);
    walk->pending &= walk->pending - 1;
    LB_WIDE_COUNT(leaves);
    return lb_wide_triangle(walk, scene, tree->leaves + walk->first_leaf + element, asks);
}

/* Visits the next node, or the next slot of others. Triangles that were pending before wait on the stack while those of
 * the node are pending. True: there is a better hit. */
LB_INLINE bool lb_wide_visit_next(lb_wide_walk *walk, const lb_scene *scene, const lb_wide_tree *tree,
                                  lb_wide_stack *stack, uint32_t asks)
{
    lb_wide_entry waiting;
    lb_wide_pop(walk, scene, stack, asks);
    if (!lb_wide_entry_left(walk))
        return false;
    if (walk->entry.slots & LB_WIDE_OTHERS)
        return lb_wide_other(walk, scene, tree, stack, asks);
    waiting.first_node = walk->first_leaf | LB_WIDE_TRIANGLES;
    waiting.slots = walk->pending;
    lb_wide_descend(walk, tree, stack, asks);
    if (waiting.slots && walk->pending)
        lb_wide_put(stack, walk->height++, waiting);
    else if (waiting.slots) {
        walk->first_leaf = waiting.first_node & ~LB_WIDE_TRIANGLES;
        walk->pending = waiting.slots;
    }
    return false;
}

/* Begins a walk, for the closest hit or, when `any`, for any, which is not kept. For the second of two walks `hit` is
 * as the first has left it. */
LB_INLINE void lb_wide_start(lb_wide_walk *walk, const lb_scene *scene, const lb_wide_tree *tree,
                             const lb_ray *ray, bool any, uint32_t asks, lb_wide_stack *stack, lb_hit *hit)
{
    float t_max = ray->t_max;
    walk->aside = stack->aside;
    walk->aside->world = ray;
    walk->aside->hit = hit;
    walk->any = any;
    walk->height = walk->first_leaf = walk->pending = 0;
    walk->aside->into = 0.0f;
    walk->t = t_max;
    if (asks == LB_WIDE_REST && !any)
        walk->t = hit->t;
    lb_wide_enter(walk, scene, LB_NONE, tree->roots[0], asks);
    if (!(t_max > 0.0f))
        walk->entry.slots = 0;
}

/* Goes on with a walk, one step or more. True: it is done. False: of the warp's threads fewer than `few` are left that
 * go on, and others could begin new walks. */
LB_INLINE bool lb_wide_go(lb_wide_walk *walk, const lb_scene *scene, const lb_wide_tree *tree, bool any,
                          uint32_t asks, lb_wide_stack *stack, uint32_t few)
{
    for (;;) {
        bool tests = walk->pending != 0, visits = lb_wide_entry_left(walk) || walk->height > 0;
        if (!tests && !visits)
            return true;
        if (tests && (walk->height >= LB_WIDE_WAITING || (walk->entry.slots & LB_WIDE_OTHERS)))
            visits = false;
        /* Some step is always made: a thread that finds nothing to visit has triangles, and if all that visit are such
         * ones, testing wins the vote. */
        if (2 * lb_wide_vote(tests) >= lb_wide_vote(visits)) {
            if (tests && lb_wide_test(walk, scene, tree, asks) && any)
                return true;
        } else if (visits && lb_wide_visit_next(walk, scene, tree, stack, asks) && any)
            return true;
        if (lb_wide_here() < few)
            return walk->pending == 0 && !lb_wide_entry_left(walk) && walk->height == 0;
    }
}

/* Ends a walk that is done. False: nothing was hit, and the hit says so. */
LB_INLINE bool lb_wide_end(const lb_wide_walk *walk)
{
    if (walk->t < walk->aside->world->t_max)
        return true;
    if (!walk->any)
        lb_wide_miss(walk->t, walk->aside->hit);
    return false;
}

/* Finds the closest hit or, when `any`, whether there is a hit at all, for which `hit` is not used. `asks` is
 * tree->asks or more, or one of the two walks that share the work of LB_WIDE_ASKING, of which the second is needed
 * where the first sets LB_WIDE_MET in the slot of the stack's `aside`, unless `any` hit will do and it found one.
 * `asks` and `any` are constants where the function is to be fast. The hit's primitive is numbered over all shapes:
 * lb_wide_name() turns that into the number within its shape. False: nothing was hit, and `hit` says so. */
LB_INLINE bool lb_wide_trace(const lb_scene *scene, const lb_wide_tree *tree, const lb_ray *ray, bool any,
                             uint32_t asks, lb_wide_stack *stack, lb_hit *hit)
{
    lb_wide_walk walk;
    lb_wide_start(&walk, scene, tree, ray, any, asks, stack, hit);
    lb_wide_go(&walk, scene, tree, any, asks, stack, 0);
    return lb_wide_end(&walk);
}

#endif
