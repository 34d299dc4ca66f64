#include "core/wave/wide_build.h"

#include "core/wave/unfit.h"

#include <stdlib.h>
#include <string.h>

/* A node of either tree has eight children. */
enum { SLOTS = 8 };

/* A child of a node that is being made: a node of the scene's tree, or a run of a leaf's elements. */
struct child {
    lb_box box;
    uint32_t word; /* as in lb_node.child; of a part of a leaf, bits 28-26 count the elements of that part */
};

struct builder {
    const lb_scene *scene;
    const lb_node *scene_nodes;
    bool *asking; /* for each geometry: does any shape of it ask something (enum lb_wide_asks)? */
    lb_wide_node *nodes;
    lb_wide_leaf *leaves;
    size_t node_count, leaf_count;
};

static uint32_t leaf_kind(uint32_t word)
{
    return word >> 29 & 3u;
}

static uint32_t leaf_elements(uint32_t word)
{
    return (word >> 26 & 7u) + 1;
}

static uint32_t leaf_first(uint32_t word)
{
    return word & 0x03ffffffu;
}

/* How many elements of a leaf one slot of a node can hold. */
static uint32_t leaf_limit(uint32_t word)
{
    return leaf_kind(word) == LB_LEAF_INSTANCES ? 1 : LB_WIDE_LEAF_MAX;
}

static bool is_leaf(uint32_t word)
{
    return (word & LB_CHILD_LEAF) != 0;
}

/* Does the child become a node? A leaf that is too large for one slot does. */
static bool needs_node(uint32_t word)
{
    return !is_leaf(word) || leaf_elements(word) > leaf_limit(word);
}

static lb_box element_box(const lb_scene *scene, uint32_t kind, uint32_t element)
{
    if (kind == LB_LEAF_INSTANCES)
        return LB_ARRAY(scene, instances, lb_instance)[LB_ARRAY(scene, leaf_others, uint32_t)[element]].box;
    if (kind == LB_LEAF_CURVES) {
        const lb_primitive curve = LB_ARRAY(scene, leaf_strands, lb_primitive)[element];
        const lb_shape *shape = LB_ARRAY(scene, shapes, lb_shape) + curve.shape;
        return lb_strand_box(shape, lb_strand_of(scene, shape, curve.primitive));
    }
    if (kind == LB_LEAF_QUADRICS)
        return lb_quadric_box(LB_ARRAY(scene, shapes, lb_shape) +
                              LB_ARRAY(scene, leaf_others, uint32_t)[element]);
    if (scene->leaf_boxes.count)
        return LB_ARRAY(scene, leaf_boxes, lb_box)[element];
    const lb_primitive primitive = LB_ARRAY(scene, leaf_primitives, lb_primitive)[element];
    float corner[3][3];
    lb_triangle_corners(scene, LB_ARRAY(scene, shapes, lb_shape) + primitive.shape, primitive.primitive,
                        corner);
    return lb_triangle_box(corner);
}

static lb_box leaf_box(const lb_scene *scene, uint32_t word)
{
    lb_box box = lb_box_empty();
    for (uint32_t i = 0; i < leaf_elements(word); i++) {
        lb_box element = element_box(scene, leaf_kind(word), leaf_first(word) + i);
        lb_box_add_box(&box, &element);
    }
    return box;
}

static uint32_t leaf_word(uint32_t kind, uint32_t first, uint32_t count)
{
    return LB_CHILD_LEAF | kind << 29 | (count - 1) << 26 | first;
}

/* Lists the children of a node of the scene's tree, or the elements of a leaf that is too large for one slot: each is
 * given a slot and a box of its own, as eight of them find room in a node. Returns their number. */
static uint32_t children_of(const struct builder *builder, uint32_t word, struct child child[SLOTS])
{
    uint32_t count = 0;
    if (is_leaf(word)) {
        for (; count < leaf_elements(word); count++) {
            child[count].word = leaf_word(leaf_kind(word), leaf_first(word) + count, 1);
            child[count].box = leaf_box(builder->scene, child[count].word);
        }
        return count;
    }
    const lb_node *node = builder->scene_nodes + word;
    for (uint32_t i = 0; i < SLOTS; i++) {
        if (node->child[i] == LB_NONE)
            continue;
        child[count].word = node->child[i];
        for (uint32_t a = 0; a < 3; a++) {
            child[count].box.lower[a] = node->lower[a][i];
            child[count].box.upper[a] = node->upper[a][i];
        }
        count++;
    }
    return count;
}

/* Gives each child a slot, the best fitting pair first. A slot's number says in which corner of the node it lies, and
 * the child that lies farthest towards that corner fits it best, so that a ray can visit slots from near to far by its
 * octant alone. */
static void assign_slots(const struct child *child, uint32_t count, const lb_box *around,
                         uint32_t slot_of[SLOTS])
{
    bool taken[SLOTS] = {false}, placed[SLOTS] = {false};
    for (uint32_t round = 0; round < count; round++) {
        float best = -LB_FLOAT_MAX;
        uint32_t best_child = LB_NONE, best_slot = 0;
        for (uint32_t c = 0; c < count; c++) {
            for (uint32_t s = 0; s < SLOTS && !placed[c]; s++) {
                if (taken[s])
                    continue;
                float score = 0.0f;
                for (uint32_t a = 0; a < 3; a++) {
                    float from_center = 0.5f * (child[c].box.lower[a] - around->lower[a]) +
                                        0.5f * (child[c].box.upper[a] - around->upper[a]);
                    score += (s >> a & 1u) ? from_center : -from_center;
                }
                if (best_child == LB_NONE || score > best) {
                    best = score;
                    best_child = c;
                    best_slot = s;
                }
            }
        }
        placed[best_child] = taken[best_slot] = true;
        slot_of[best_child] = best_slot;
    }
}

/* The grid of a node's boxes has 255 cells on each axis: the exponent bits of the smallest float, a power of two, of
 * which 255 span the extent. */
static uint8_t scale_exponent(double extent)
{
    for (uint32_t exponent = 1; exponent < 254; exponent++)
        if (255.0 * (double)lb_bits_float(exponent << 23) >= extent)
            return (uint8_t)exponent;
    return 254;
}

/* Rounds down, or up, to a number of the grid's 256 lines. NaN becomes 0. */
static uint8_t quantise(double value, bool up)
{
    if (!(value > 0.0))
        return 0;
    if (value >= 255.0)
        return 255;
    uint8_t whole = (uint8_t)value;
    return up && (double)whole < value ? (uint8_t)(whole + 1) : whole;
}

static void quantise_box(lb_wide_node *node, uint32_t slot, const lb_box *box)
{
    for (uint32_t a = 0; a < 3; a++) {
        double scale = (double)lb_bits_float((uint32_t)node->exponent[a] << 23);
        node->lower[a][slot] = quantise(((double)box->lower[a] - (double)node->origin[a]) / scale, false);
        node->upper[a][slot] = quantise(((double)box->upper[a] - (double)node->origin[a]) / scale, true);
    }
}

static void keep_box(lb_wide_leaf *leaf, lb_box box)
{
    memcpy(leaf->corner[0], box.lower, sizeof leaf->corner[0]);
    memcpy(leaf->corner[1], box.upper, sizeof leaf->corner[1]);
}

/* Makes the element of a leaf of an instance. True: its tree asks something. */
static bool add_instance(const struct builder *builder, lb_wide_leaf *leaf, uint32_t number)
{
    const lb_instance *instance = LB_ARRAY(builder->scene, instances, lb_instance) + number;
    bool asks = builder->asking[instance->geometry];
    leaf->shape = LB_NONE;
    leaf->number = number;
    leaf->box = asks ? 0 : LB_NONE;
    return asks;
}

/* True: something in the leaf asks. */
static bool add_leaf(struct builder *builder, lb_wide_node *node, uint32_t slot, uint32_t word)
{
    const lb_scene *scene = builder->scene;
    uint32_t count = leaf_elements(word), kind = leaf_kind(word);
    bool asks = kind == LB_LEAF_QUADRICS || kind == LB_LEAF_CURVES;
    uint32_t offset = (uint32_t)builder->leaf_count - node->first_leaf;
    node->meta[slot] = (uint8_t)(offset | (count - 1) << 5 | (kind == LB_LEAF_TRIANGLES ? 0u : 128u));
    for (uint32_t i = 0; i < count; i++) {
        uint32_t element = leaf_first(word) + i;
        lb_wide_leaf *leaf = &builder->leaves[builder->leaf_count++];
        leaf->box = LB_NONE;
        if (kind == LB_LEAF_TRIANGLES) {
            lb_primitive primitive = LB_ARRAY(scene, leaf_primitives, lb_primitive)[element];
            const lb_shape *shape = LB_ARRAY(scene, shapes, lb_shape) + primitive.shape;
            leaf->shape = primitive.shape | (lb_wide_shape_asks(shape) ? LB_WIDE_ALPHA : 0);
            asks = asks || lb_wide_shape_asks(shape);
            leaf->number = shape->first_primitive + primitive.primitive;
            lb_triangle_corners(scene, shape, primitive.primitive, leaf->corner);
            if (scene->leaf_boxes.count)
                leaf->box = element;
        } else if (kind == LB_LEAF_CURVES) {
            lb_primitive curve = LB_ARRAY(scene, leaf_strands, lb_primitive)[element];
            leaf->shape = curve.shape;
            leaf->number = LB_ARRAY(scene, shapes, lb_shape)[curve.shape].first_primitive + curve.primitive;
        } else if (kind == LB_LEAF_QUADRICS) {
            leaf->shape = LB_ARRAY(scene, leaf_others, uint32_t)[element];
            leaf->number = LB_ARRAY(scene, shapes, lb_shape)[leaf->shape].first_primitive;
            keep_box(leaf, lb_quadric_box(LB_ARRAY(scene, shapes, lb_shape) + leaf->shape));
        } else if (add_instance(builder, leaf, LB_ARRAY(scene, leaf_others, uint32_t)[element]))
            asks = true;
    }
    return asks;
}

/* Fills node `number` and, behind it, all nodes below. The recursion is as deep as the scene's tree, which is
 * bounded. True: a leaf below asks something. */
static bool fill_node(struct builder *builder, size_t number, uint32_t word)
{
    struct child child[SLOTS], by_slot[SLOTS];
    uint32_t slot_of[SLOTS], count = children_of(builder, word, child);
    lb_wide_node *node = &builder->nodes[number];
    lb_box around = lb_box_empty();
    for (uint32_t i = 0; i < count; i++)
        lb_box_add_box(&around, &child[i].box);
    assign_slots(child, count, &around, slot_of);

    memset(node->meta, LB_WIDE_EMPTY, sizeof node->meta);
    memset(node->lower, 255, sizeof node->lower); /* boxes of empty slots are seldom hit, though not never */
    for (uint32_t a = 0; a < 3; a++) {
        node->origin[a] = around.lower[a];
        node->exponent[a] = scale_exponent((double)around.upper[a] - (double)around.lower[a]);
    }
    for (uint32_t i = 0; i < count; i++) {
        by_slot[slot_of[i]] = child[i];
        quantise_box(node, slot_of[i], &child[i].box);
        if (needs_node(child[i].word))
            node->inner |= (uint8_t)(1u << slot_of[i]);
    }
    node->first_node = (uint32_t)builder->node_count;
    node->first_leaf = (uint32_t)builder->leaf_count;
    builder->node_count += lb_wide_count(node->inner);
    uint32_t used = 0;
    bool asks = false;
    for (uint32_t i = 0; i < count; i++)
        used |= 1u << slot_of[i];
    for (uint32_t slot = 0; slot < SLOTS; slot++)
        if ((used & ~(uint32_t)node->inner) >> slot & 1u)
            asks = add_leaf(builder, node, slot, by_slot[slot].word) || asks;
    uint32_t next = node->first_node;
    for (uint32_t slot = 0; slot < SLOTS; slot++)
        if ((node->inner >> slot & 1u) && fill_node(builder, next++, by_slot[slot].word)) {
            node->meta[slot] = 0;
            asks = true;
        }
    return asks;
}

/* Fills the trees of all geometries. */
static void fill_all(struct builder *builder, uint32_t *roots, size_t count)
{
    const lb_geometry *geometries = LB_ARRAY(builder->scene, geometries, lb_geometry);
    const lb_shape *shapes = LB_ARRAY(builder->scene, shapes, lb_shape);
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < geometries[i].shape_count; k++)
            if (lb_wide_shape_asks(&shapes[geometries[i].first_shape + k]))
                builder->asking[i] = true;
    for (size_t i = 0; i < count; i++) {
        roots[i] = LB_NONE;
        if (geometries[i].root == LB_NONE)
            continue;
        roots[i] = (uint32_t)builder->node_count;
        fill_node(builder, builder->node_count++, geometries[i].root);
    }
}

static size_t leaf_bound(const lb_scene *scene)
{
    return scene->leaf_primitives.count + scene->leaf_others.count + scene->leaf_strands.count;
}

/* The most nodes there can be: one for each node of the scene and each root, and one for each leaf of more than its
 * limit, which has two elements or more. */
static size_t node_bound(const lb_scene *scene)
{
    return scene->nodes.count + scene->geometries.count + leaf_bound(scene) / 2;
}

static size_t round_up(size_t bytes)
{
    return (bytes + 63) & ~(size_t)63;
}

size_t lb_wide_size(const lb_scene *scene)
{
    return round_up(node_bound(scene) * sizeof(lb_wide_node)) +
           round_up(leaf_bound(scene) * sizeof(lb_wide_leaf)) +
           round_up(scene->geometries.count * sizeof(uint32_t));
}

/* Moves the leaves and roots up, from behind the room for the most nodes to behind the nodes that were made. */
static void close_up(struct builder *builder, const uint32_t *roots, struct lb_wide_block *block)
{
    char *leaves = (char *)block->data + round_up(builder->node_count * sizeof(lb_wide_node));
    char *behind = leaves + round_up(builder->leaf_count * sizeof(lb_wide_leaf));
    memmove(leaves, builder->leaves, builder->leaf_count * sizeof(lb_wide_leaf));
    memcpy(behind, roots, block->root_count * sizeof *roots);
    block->node_count = builder->node_count;
    block->leaf_count = builder->leaf_count;
    block->size = (size_t)(behind - (char *)block->data) + round_up(block->root_count * sizeof *roots);
    block->tree = lb_wide_at(block, block->data);
}

enum lb_status lb_wide_build(const lb_scene *scene, struct lb_wide_block *block, struct lb_error *error)
{
    size_t size = lb_wide_size(scene);
    const char *unfit = lb_wave_unfit(scene);
    memset(block, 0, sizeof *block);
    if (unfit)
        return lb_error_set(error, LB_ERROR,
                            "GPUs, and their pipeline on the host, are of no use for this scene: %s; "
                            "--devices=cpu goes without them",
                            unfit);
    block->root_count = scene->geometries.count;
    block->asks = lb_wide_asks(scene);
    block->few_ask = lb_wide_few_ask(scene) ? 1 : 0;
    block->data = aligned_alloc(64, size ? size : 64);
    uint32_t *roots = calloc(block->root_count + 1, sizeof *roots);
    bool *asking = calloc(block->root_count + 1, sizeof *asking);
    if (!block->data || !roots || !asking) {
        free(roots);
        free(asking);
        lb_wide_free(block);
        return lb_error_set(error, LB_ERROR_MEMORY, "out of memory for the compressed tree (%zu bytes)",
                            size);
    }
    memset(block->data, 0, size ? size : 64);
    struct builder builder = {
        .scene = scene, .scene_nodes = LB_ARRAY(scene, nodes, lb_node), .asking = asking};
    builder.nodes = block->data;
    builder.leaves =
        (lb_wide_leaf *)(void *)((char *)block->data + round_up(node_bound(scene) * sizeof(lb_wide_node)));
    fill_all(&builder, roots, block->root_count);
    close_up(&builder, roots, block);
    free(roots);
    free(asking);
    return LB_OK;
}

void lb_wide_free(struct lb_wide_block *block)
{
    free(block->data);
    memset(block, 0, sizeof *block);
}

lb_wide_tree lb_wide_at(const struct lb_wide_block *block, const void *data)
{
    lb_wide_tree tree;
    const char *leaves = (const char *)data + round_up(block->node_count * sizeof(lb_wide_node));
    tree.nodes = data;
    tree.leaves = (const void *)leaves;
    tree.roots = (const void *)(leaves + round_up(block->leaf_count * sizeof(lb_wide_leaf)));
    tree.asks = block->asks;
    tree.few_ask = block->few_ask;
    return tree;
}
