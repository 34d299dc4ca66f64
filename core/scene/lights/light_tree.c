/* Builds the tree by which many lights are chosen: from the root down, each part of the lights is cut into eight, one
 * cut after the other where the surface area orientation heuristic of Conty Estevez and Kulla 2018 says that it is
 * best. */
#include "core/scene/builder/messages.h"
#include "core/scene/lights/light_bounds.h"
#include "core/scene/lights/lights.h"

#include "core/kernel/math.h"
#include "core/kernel/shapes/box.h"

#include <string.h>

/* A light on its way into the tree. */
struct leaf {
    struct lb_light_bounds bounds;
    uint32_t light;
};

struct build {
    struct leaf *leaves, *aside; /* `aside` has room for as many */
    struct lb_vector *nodes;     /* lb_light_node */
    uint32_t *trails;
};

enum {
    CHILDREN = 8,
    BUCKETS = 12,
    SEARCHED = 64
}; /* all axes are searched where there are at most so many lights */

/* A way to cut a part in two: the lights whose buckets along the axis are below `bucket` go first. */
struct cut {
    int axis, bucket;
    double cost;
};

/* What a part costs: its light, times how much of space and directions it is spread over. */
static double cost_of(const struct lb_light_bounds *bounds)
{
    double side[3], square = 0.0;
    for (int a = 0; a < 3; a++) {
        side[a] =
            lb_box_is_empty(&bounds->box) ? 0.0 : (double)bounds->box.upper[a] - (double)bounds->box.lower[a];
        square += side[a] * side[a];
    }
    /* A part of the diagonal's square is added, or all cuts of a straight row would cost nothing. */
    double area = side[0] * side[1] + side[1] * side[2] + side[2] * side[0] + 0.01 * square;
    return bounds->intensity * area * lb_light_bounds_directions(bounds);
}

/* The box around the lights' middles. */
static lb_box middles_of(const struct leaf *leaves, uint32_t count)
{
    lb_box box = lb_box_empty();
    for (uint32_t i = 0; i < count; i++) {
        lb_box own;
        for (int a = 0; a < 3; a++)
            own.lower[a] = own.upper[a] = lb_light_bounds_middle(&leaves[i].bounds, a);
        lb_box_add_box(&box, &own);
    }
    return box;
}

static int bucket_of(const struct leaf *leaf, int axis, const lb_box *middles)
{
    float low = middles->lower[axis], size = middles->upper[axis] - low;
    int bucket =
        (int)lb_to_int((float)BUCKETS * ((lb_light_bounds_middle(&leaf->bounds, axis) - low) / size));
    return bucket < 0 ? 0 : bucket >= BUCKETS ? BUCKETS - 1 : bucket;
}

/* Finds the best cut along one axis; `best` is kept where none is better. Long halves of a
 * long part cost more. */
static void search_axis(const struct leaf *leaves, uint32_t count, int axis, const lb_box *middles,
                        double longest, struct cut *best)
{
    struct lb_light_bounds buckets[BUCKETS], above[BUCKETS], below = lb_light_bounds_none();
    uint32_t counts[BUCKETS] = {0}, first = 0;
    for (int b = 0; b < BUCKETS; b++)
        buckets[b] = lb_light_bounds_none();
    for (uint32_t i = 0; i < count; i++) {
        int bucket = bucket_of(&leaves[i], axis, middles);
        lb_light_bounds_add(&buckets[bucket], &leaves[i].bounds);
        counts[bucket]++;
    }
    above[BUCKETS - 1] = buckets[BUCKETS - 1];
    for (int b = BUCKETS - 2; b >= 0; b--) {
        above[b] = above[b + 1];
        lb_light_bounds_add(&above[b], &buckets[b]);
    }
    double regular = longest / ((double)middles->upper[axis] - (double)middles->lower[axis]);
    for (int b = 1; b < BUCKETS; b++) {
        lb_light_bounds_add(&below, &buckets[b - 1]);
        first += counts[b - 1];
        if (first == 0 || first == count)
            continue;
        double cost = regular * (cost_of(&below) + cost_of(&above[b]));
        if (best->axis < 0 || cost < best->cost)
            *best = (struct cut){axis, b, cost};
    }
}

/* Reorders the lights, of which those that go first keep their order as the others do; returns how many go first. */
static uint32_t divide(struct build *build, uint32_t begin, uint32_t count)
{
    struct leaf *leaves = build->leaves + begin;
    lb_box middles = middles_of(leaves, count);
    struct cut best = {-1, 0, 0.0};
    double longest = 0.0;
    for (int a = 0; a < 3; a++)
        if ((double)middles.upper[a] - (double)middles.lower[a] > longest)
            longest = (double)middles.upper[a] - (double)middles.lower[a];
    for (int a = 0; a < 3; a++) {
        double side = (double)middles.upper[a] - (double)middles.lower[a];
        if (side > 0.0 && (count <= SEARCHED || side == longest))
            search_axis(leaves, count, a, &middles, longest, &best);
    }
    if (best.axis < 0)
        return count / 2;
    uint32_t first = 0, rest = 0;
    for (uint32_t i = 0; i < count; i++)
        if (bucket_of(&leaves[i], best.axis, &middles) < best.bucket)
            leaves[first++] = leaves[i];
        else
            build->aside[rest++] = leaves[i];
    memcpy(leaves + first, build->aside, rest * sizeof *leaves);
    return first;
}

/* A part of the lights that becomes a child. */
struct light_part {
    uint32_t begin, count;
    double cost;
};

static struct light_part part_of(const struct build *build, uint32_t begin, uint32_t count)
{
    struct lb_light_bounds bounds = lb_light_bounds_none();
    for (uint32_t i = begin; i < begin + count; i++)
        lb_light_bounds_add(&bounds, &build->leaves[i].bounds);
    return (struct light_part){begin, count, cost_of(&bounds)};
}

/* How many children the part needs, each of which can hold `most` lights. */
static uint32_t children_of(uint32_t count, uint32_t most)
{
    return (count + most - 1) / most;
}

/* Which of the parts is to be cut: the one that costs most, or, where no child is to spare, one that is too large. -1:
 * there is none. */
static int choose_part(const struct light_part *parts, int count, uint32_t needed, uint32_t most)
{
    int chosen = -1;
    for (int i = 0; i < count; i++) {
        if (parts[i].count < 2 || (needed == CHILDREN && parts[i].count <= most))
            continue;
        if (chosen < 0 || parts[i].cost > parts[chosen].cost)
            chosen = i;
    }
    return chosen;
}

/* Cuts the lights [begin, begin + count) into at most eight parts of at most `most` lights; returns how many. */
static int cut_parts(struct build *build, uint32_t begin, uint32_t count, uint32_t most,
                     struct light_part *parts)
{
    uint32_t needed = children_of(count, most);
    int held = 1, chosen;
    parts[0] = (struct light_part){begin, count, 0.0};
    while (held < CHILDREN && (chosen = choose_part(parts, held, needed, most)) >= 0) {
        struct light_part whole = parts[chosen];
        uint32_t own = children_of(whole.count, most), first = divide(build, whole.begin, whole.count);
        uint32_t then = needed - own + children_of(first, most) + children_of(whole.count - first, most);
        if (then > CHILDREN) {
            first = own / 2 * most;
            then = needed;
        }
        needed = then;
        parts[chosen] = part_of(build, whole.begin, first);
        parts[held++] = part_of(build, whole.begin + first, whole.count - first);
    }
    return held;
}

/* A light, and lights that send by the cosine, count as if they were no nearer than the root of this times the radius
 * around them: what arrives beside a wall of lit windows does not grow without an end. */
static const float NEAR = 0.1f;

/* Beside lamps that send all round it does, as one of them may be close by. They are as far away as their box is, made
 * smaller by the first factor, and may be nearer. */
static const float LAMPS_BOX = 0.75f, LAMPS_NEAR = 0.03f;

/* How far a box reaches from `center`, to either side, with more than what rounding takes from it. */
static double half_of(float low, float high, float center)
{
    double below = (double)center - (double)low, above = (double)high - (double)center;
    double most = (double)lb_max(lb_abs(low), lb_abs(high));
    return (below > above ? below : above) * 1.0001 + 1e-7 * most;
}

/* Sets where the child's lights are, and how far they reach from there. */
static void set_place(lb_light_node *node, int i, const struct lb_light_bounds *bounds, bool one)
{
    const float own[3] = {bounds->center.x, bounds->center.y, bounds->center.z};
    const float axis[3] = {bounds->axis.x, bounds->axis.y, bounds->axis.z};
    double square = 0.0, along = 0.0;
    for (int a = 0; a < 3; a++) {
        float center = one ? own[a] : lb_light_bounds_middle(bounds, a);
        double half = half_of(bounds->box.lower[a], bounds->box.upper[a], center);
        node->center[a][i] = center;
        node->half[a][i] = (float)half;
        square += half * half;
        along += half * (double)lb_abs(axis[a]);
    }
    /* Along a normal at an angle b to the axis it reaches at most cos b of that, and sin b of the radius across. */
    double radius = lb_sqrt_d(square);
    float sine, cosine;
    lb_sincos(lb_min(bounds->normals, 0.5f * LB_PI), &sine, &cosine);
    along += (double)sine * radius;
    node->reach[i] = (float)((along < radius ? along : radius) * 1.0001);
}

/* Sets by what distance the child counts. */
static void set_nearness(lb_light_node *node, int i, bool lamps)
{
    lb_vec3 half = lb_vec3_make(node->half[0][i], node->half[1][i], node->half[2][i]);
    node->box[i] = lamps ? LAMPS_BOX : 0.0f;
    node->nearest[i] = lb_max((lamps ? LAMPS_NEAR : NEAR) * lb_dot(half, half), 1e-30f);
}

static void set_child(lb_light_node *node, int i, const struct lb_light_bounds *bounds, uint32_t child)
{
    bool one = (child & LB_LIGHT_NODE_LEAF) != 0;
    set_place(node, i, bounds, one);
    set_nearness(node, i, !one && bounds->cos_emission > 0.5f);
    node->against[0][i] = -bounds->axis.x;
    node->against[1][i] = -bounds->axis.y;
    node->against[2][i] = -bounds->axis.z;
    node->intensity[i] = (float)(bounds->intensity < 1e30 ? bounds->intensity : 1e30);
    lb_sincos(bounds->normals, &node->sin_normals[i], &node->cos_normals[i]);
    if (bounds->normals >= LB_PI)
        node->cos_normals[i] = -1.0f;
    node->cos_emission[i] = bounds->cos_emission;
    node->sides[i] = bounds->twosided ? 0x7fffffffu : 0xffffffffu;
    node->child[i] = child;
}

/* Builds a node of the lights [begin, begin + count) and what is below it; `trail` is the way down to it, of `depth`
 * steps. Returns their bounds, and the node's number. False: out of memory. */
static bool build_node(struct build *build, uint32_t begin, uint32_t count, uint32_t trail, uint32_t depth,
                       struct lb_light_bounds *bounds, uint32_t *number)
{
    struct light_part parts[CHILDREN];
    int held = cut_parts(build, begin, count, 1u << 3 * (LB_LIGHT_TREE_DEPTH - depth - 1), parts);
    *number = (uint32_t)build->nodes->count;
    if (!lb_vector_add(build->nodes, 1))
        return false;
    *bounds = lb_light_bounds_none();
    for (int i = 0; i < CHILDREN; i++) {
        struct lb_light_bounds own = lb_light_bounds_none();
        uint32_t child = LB_LIGHT_NODE_LEAF, way = trail | (uint32_t)i << 3 * depth;
        if (i < held && parts[i].count == 1) {
            own = build->leaves[parts[i].begin].bounds;
            child |= build->leaves[parts[i].begin].light;
            build->trails[build->leaves[parts[i].begin].light] = way;
        } else if (i < held &&
                   !build_node(build, parts[i].begin, parts[i].count, way, depth + 1, &own, &child)) {
            return false;
        } else if (i >= held) {
            own.box = (lb_box){{0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f}};
        }
        set_child((lb_light_node *)build->nodes->data + *number, i, &own, child);
        if (i < held)
            lb_light_bounds_add(bounds, &own);
    }
    return true;
}

enum lb_status lb_build_light_tree(struct lb_builder *builder)
{
    const lb_light *lights = builder->arrays.lights.data;
    size_t count = builder->arrays.lights.count;
    uint32_t held = 0;
    struct lb_vector leaves = {.element = sizeof(struct leaf)}, aside = leaves;
    uint32_t *trails = lb_vector_add(&builder->arrays.light_trails, count);
    struct leaf *leaf = lb_vector_add(&leaves, count);
    struct build build = {.leaves = leaf, .aside = lb_vector_add(&aside, count), .trails = trails};
    bool memory = trails && leaf && build.aside;
    for (size_t i = 0; memory && i < count; i++) {
        trails[i] = LB_NONE;
        if (lb_light_traits(lights[i].kind) & LB_LIGHT_BOUNDLESS)
            continue;
        leaf[held].bounds = lb_light_bounds_of(builder, &lights[i]);
        leaf[held++].light = (uint32_t)i;
    }
    if (memory && held > 0) {
        struct lb_light_bounds all;
        uint32_t root;
        build.nodes = &builder->arrays.light_nodes;
        memory = build_node(&build, 0, held, 0, 0, &all, &root);
    }
    lb_vector_free(&leaves);
    lb_vector_free(&aside);
    return memory ? LB_OK : lb_build_no_memory(builder);
}
