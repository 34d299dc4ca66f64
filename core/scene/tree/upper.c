#include "core/scene/tree/upper.h"

#include <stdlib.h>

/* ---- taken out ---- */

static uint32_t add_node(struct lb_tree_upper *upper, void *part, uint32_t parent)
{
    lb_box box = lb_tree_part_box(upper->task, part);
    upper->nodes[upper->count] = (struct lb_tree_upper_node){
        .box = box, .area = lb_tree_area(&box), .parent = parent, .child = {LB_NONE, LB_NONE}, .part = part};
    return upper->count++;
}

/* Nodes by their numbers, of which the largest is taken first. */
struct heap {
    const struct lb_tree_upper_node *nodes;
    uint32_t *numbers, size;
};

static float area_at(const struct heap *heap, uint32_t place)
{
    return heap->nodes[heap->numbers[place]].area;
}

static void heap_add(struct heap *heap, uint32_t number)
{
    uint32_t at = heap->size++;
    for (; at > 0 && heap->nodes[number].area > area_at(heap, (at - 1) / 2); at = (at - 1) / 2)
        heap->numbers[at] = heap->numbers[(at - 1) / 2];
    heap->numbers[at] = number;
}

static uint32_t heap_take(struct heap *heap)
{
    uint32_t top = heap->numbers[0], moved = heap->numbers[--heap->size], at = 0;
    for (uint32_t next; (next = 2 * at + 1) < heap->size; at = next) {
        if (next + 1 < heap->size && area_at(heap, next + 1) > area_at(heap, next))
            next++;
        if (area_at(heap, next) <= heap->nodes[moved].area)
            break;
        heap->numbers[at] = heap->numbers[next];
    }
    heap->numbers[at] = moved;
    return top;
}

static void take_largest(struct lb_tree_upper *upper, uint32_t most, uint32_t *numbers)
{
    struct heap heap = {.nodes = upper->nodes, .numbers = numbers};
    heap_add(&heap, add_node(upper, upper->task->root, LB_NONE));
    while (heap.size > 0 && upper->count + 2 <= most) {
        uint32_t number = heap_take(&heap);
        void *part = upper->nodes[number].part;
        for (int i = 0; i < 2 && !lb_tree_is_leaf(part); i++) {
            uint32_t child = add_node(upper, ((struct lb_tree_inner *)part)->child[i], number);
            upper->nodes[number].child[i] = child;
            heap_add(&heap, child);
        }
    }
}

enum lb_status lb_tree_upper_take(struct lb_tree_upper *upper, const struct lb_tree_task *task, uint32_t most,
                                  struct lb_error *error)
{
    size_t all = 2 * task->primitives.count; /* a tree of n leaves has n - 1 nodes */
    most = all < most ? (uint32_t)all : most;
    *upper = (struct lb_tree_upper){.task = task, .nodes = malloc(most * sizeof *upper->nodes)};
    uint32_t *numbers = malloc(most * sizeof *numbers);
    if (upper->nodes && numbers)
        take_largest(upper, most, numbers);
    free(numbers);
    return upper->count > 0 ? LB_OK : lb_error_memory(error, "a tree");
}

void lb_tree_upper_free(struct lb_tree_upper *upper)
{
    free(upper->nodes);
}

/* ---- put back ---- */

bool lb_tree_upper_is_too_deep(const struct lb_tree_upper *upper)
{
    uint32_t most = lb_tree_most_depth(&upper->task->options);
    for (uint32_t i = 0; i < upper->count; i++) {
        if (upper->nodes[i].child[0] != LB_NONE)
            continue;
        const void *part = upper->nodes[i].part;
        uint32_t depth = lb_tree_part_is_leaf(part) ? 1 : ((const struct lb_tree_inner *)part)->height;
        for (uint32_t at = upper->nodes[i].parent; at != LB_NONE && depth <= most; depth++)
            at = upper->nodes[at].parent;
        if (depth > most)
            return true;
    }
    return false;
}

/* From below. */
static void put(const struct lb_tree_upper *upper, uint32_t number)
{
    const struct lb_tree_upper_node *node = &upper->nodes[number];
    if (node->child[0] == LB_NONE)
        return;
    struct lb_tree_inner *inner = node->part;
    for (int i = 0; i < 2; i++) {
        const struct lb_tree_upper_node *child = &upper->nodes[node->child[i]];
        put(upper, node->child[i]);
        inner->child[i] = child->part;
        inner->area[i] = child->area;
    }
    inner->box = node->box;
    lb_tree_collapse(inner, upper->task->options.max_width, upper->task->options.max_leaf);
}

void lb_tree_upper_put(const struct lb_tree_upper *upper)
{
    put(upper, 0);
}
