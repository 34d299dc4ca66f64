/* Checks the trees: that each node is in one place of one tree, none is too deep, and leaves hold what is there. */
#include "core/scene/check/parts.h"

/* Is it a shape of the geometry? */
static bool has_shape(const lb_geometry *geometry, uint32_t shape)
{
    return shape >= geometry->first_shape && shape - geometry->first_shape < geometry->shape_count;
}

static bool is_quadric(const lb_scene *scene, uint32_t shape)
{
    uint32_t kind = LB_ARRAY(scene, shapes, lb_shape)[shape].kind;
    return kind == LB_SHAPE_SPHERE || kind == LB_SHAPE_DISK || kind == LB_SHAPE_CYLINDER;
}

/* Checks that all leaves together hold no more elements of this kind than there are, as what is made of the tree for
 * GPUs has room for so many. */
static bool count_leaf(struct lb_check *check, uint32_t kind, uint32_t first, uint32_t count)
{
    const lb_scene *scene = check->scene;
    uint64_t most = kind == LB_LEAF_TRIANGLES ? scene->leaf_primitives.count
                    : kind == LB_LEAF_CURVES  ? scene->leaf_strands.count
                                              : scene->leaf_others.count;
    uint64_t *all = check->in_leaves + (kind == LB_LEAF_INSTANCES ? LB_LEAF_QUADRICS : kind);
    *all += count;
    return lb_check_within(first, count, most) && *all <= most;
}

/* Checks an element of a leaf of this kind in a tree of `geometry`. */
static const char *check_element(const lb_scene *scene, const lb_geometry *geometry, uint32_t kind,
                                 uint32_t number)
{
    uint32_t other = kind == LB_LEAF_CURVES ? LB_ARRAY(scene, leaf_strands, lb_primitive)[number].shape
                                            : LB_ARRAY(scene, leaf_others, uint32_t)[number];
    if (kind == LB_LEAF_INSTANCES)
        return other < scene->instances.count ? NULL : "instance in a leaf";
    if (!has_shape(geometry, other))
        return "shape in a leaf";
    return kind == LB_LEAF_CURVES || is_quadric(scene, other) ? NULL : "kind of shape in a leaf";
}

static const char *check_leaf(struct lb_check *check, uint32_t word, uint32_t number)
{
    const lb_geometry *geometry = LB_ARRAY(check->scene, geometries, lb_geometry) + number;
    uint32_t kind = word >> 29 & 3, count = (word >> 26 & 7) + 1, first = word & 0x3ffffffu;
    const char *wrong = NULL;
    if (!count_leaf(check, kind, first, count) || (kind == LB_LEAF_INSTANCES && number != 0))
        return "leaf";
    if (kind == LB_LEAF_TRIANGLES) /* these were checked with the geometry */
        return first >= geometry->first_leaf &&
                       lb_check_within(first - geometry->first_leaf, count, geometry->leaf_count)
                   ? NULL
                   : "leaf";
    for (uint32_t i = 0; i < count && !wrong; i++)
        wrong = check_element(check->scene, geometry, kind, first + i);
    return wrong;
}

/* Checks a child that may be a leaf, or a node from number `least` on. `place` is that of a node there. Nodes stand
 * behind those that lead to them, so that no way down goes round in a circle. */
static const char *check_child(struct lb_check *check, uint32_t word, uint64_t least,
                               struct lb_check_place place)
{
    if (word == LB_NONE)
        return NULL;
    if ((word & LB_CHILD_LEAF) != 0)
        return check_leaf(check, word, place.geometry);
    if (word < least || word >= check->scene->nodes.count || check->nodes[word].depth != 0)
        return "child";
    if (place.depth > LB_TREE_DEPTH)
        return "depth";
    check->nodes[word] = place;
    return NULL;
}

/* Does it name each of the eight children once? */
static bool is_order(uint32_t order)
{
    uint32_t named = 0;
    for (uint32_t i = 0; i < 8; i++)
        named |= 1u << (order >> 4 * i & 15);
    return named == 255;
}

LB_CHECK_SIZE(lb_node, 256);
const char *lb_check_node(struct lb_check *check, uint64_t number)
{
    const lb_node *node = LB_ARRAY(check->scene, nodes, lb_node) + number;
    struct lb_check_place place = check->nodes[number];
    if (place.depth == 0)
        return "place: no tree has it";
    place.depth++;
    for (uint32_t i = 0; i < 8; i++) {
        const char *wrong = check_child(check, node->child[i], number + 1, place);
        if (wrong)
            return wrong;
        if (!is_order(node->order[i]))
            return "order of children";
    }
    return NULL;
}

/* Are the geometry's triangles there, and all of its own shapes? All geometries together have no more than there are,
 * so that each triangle is looked at once. */
static const char *check_triangles(struct lb_check *check, const lb_geometry *geometry)
{
    const lb_primitive *triangles =
        LB_ARRAY(check->scene, leaf_primitives, lb_primitive) + geometry->first_leaf;
    check->triangles += geometry->leaf_count;
    if (check->triangles > check->scene->leaf_primitives.count ||
        !lb_check_within(geometry->first_leaf, geometry->leaf_count, check->scene->leaf_primitives.count))
        return "range of triangles";
    for (uint32_t i = 0; i < geometry->leaf_count; i++)
        if (!has_shape(geometry, triangles[i].shape))
            return "shape in a leaf";
    return NULL;
}

LB_CHECK_SIZE(lb_geometry, 48);
const char *lb_check_geometry(struct lb_check *check, uint64_t number)
{
    const lb_geometry *geometry = LB_ARRAY(check->scene, geometries, lb_geometry) + number;
    if (!lb_check_within(geometry->first_shape, geometry->shape_count, check->scene->shapes.count))
        return "range of shapes";
    const char *wrong = check_triangles(check, geometry);
    return wrong ? wrong
                 : check_child(check, geometry->root, 0,
                               (struct lb_check_place){.geometry = (uint32_t)number, .depth = 1});
}

/* Checks that the shapes that an instance has in place of those of its geometry are there and have the same
 * primitives. Each is the twin of one shape alone where a scene is sound, so that they are compared once. */
static bool twins_are_sound(struct lb_check *check, const lb_instance *instance)
{
    const lb_geometry *geometry = LB_ARRAY(check->scene, geometries, lb_geometry) + instance->geometry;
    const lb_shape *shapes = LB_ARRAY(check->scene, shapes, lb_shape);
    uint32_t first = geometry->first_shape, own = first + instance->shape_shift;
    if (instance->shape_shift == 0 || geometry->shape_count == 0)
        return true;
    if (!lb_check_within(first, geometry->shape_count, check->scene->shapes.count) ||
        !lb_check_within(own, geometry->shape_count, check->scene->shapes.count))
        return false;
    if (check->twins[own] == instance->geometry + 1)
        return true;
    check->twins[own] = instance->geometry + 1;
    check->compared += geometry->shape_count;
    for (uint32_t i = 0; i < geometry->shape_count; i++)
        if (shapes[own + i].kind != shapes[first + i].kind ||
            shapes[own + i].primitive_count != shapes[first + i].primitive_count)
            return false;
    return check->compared <= check->scene->shapes.count;
}

LB_CHECK_SIZE(lb_instance, 132);
const char *lb_check_instance(struct lb_check *check, uint64_t number)
{
    const lb_instance *instance = LB_ARRAY(check->scene, instances, lb_instance) + number;
    if (instance->geometry < 1 || instance->geometry >= check->scene->geometries.count)
        return "geometry";
    if (!twins_are_sound(check, instance))
        return "shift of shapes";
    return instance->move <= check->scene->moves.count ? NULL : "move";
}

LB_CHECK_SIZE(lb_move, 296);
const char *lb_check_move(struct lb_check *check, uint64_t number)
{
    /* The move around one stands before it: `outer` is 1 + its index. */
    return LB_ARRAY(check->scene, moves, lb_move)[number].outer <= number ? NULL : "outer move";
}
