/* Builds the tree by which many lights are chosen: from the root down, each part of the lights is cut in two where the
 * surface area orientation heuristic of Conty Estevez and Kulla 2018 says that it is best cut. */
#include "core/scene/builder/messages.h"
#include "core/scene/lights/light_bounds.h"
#include "core/scene/lights/lights.h"

#include "core/kernel/elementary.h"
#include "core/kernel/shapes/box.h"

#include <string.h>

/* A light on its way into the tree. */
struct leaf {
    struct lb_light_bounds bounds;
    uint32_t light;
};

struct build {
    struct leaf *leaves, *aside; /* `aside` has room for as many */
    lb_light_node *nodes;
    uint32_t *trails;
    uint32_t node_count;
};

enum { BUCKETS = 12, SEARCHED = 64 }; /* all axes are searched where there are at most so many lights */

/* A way to cut a part in two: the lights whose buckets along the axis are below `bucket` go first. */
struct cut {
    int axis, bucket;
    double cost;
};

static float middle_of(const struct leaf *leaf, int axis)
{
    return 0.5f * leaf->bounds.box.lower[axis] + 0.5f * leaf->bounds.box.upper[axis];
}

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
            own.lower[a] = own.upper[a] = middle_of(&leaves[i], a);
        lb_box_add_box(&box, &own);
    }
    return box;
}

static int bucket_of(const struct leaf *leaf, int axis, const lb_box *middles)
{
    float low = middles->lower[axis], size = middles->upper[axis] - low;
    int bucket = (int)lb_to_int((float)BUCKETS * ((middle_of(leaf, axis) - low) / size));
    return bucket < 0 ? 0 : bucket >= BUCKETS ? BUCKETS - 1 : bucket;
}

/* Finds the best cut along one axis; `best` is kept where none is better. Long halves of a
 * long part cost more. Neither half may have more than `most` lights. */
static void search_axis(const struct leaf *leaves, uint32_t count, uint32_t most, int axis,
                        const lb_box *middles, double longest, struct cut *best)
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
        if (first == 0 || first == count || first > most || count - first > most)
            continue;
        double cost = regular * (cost_of(&below) + cost_of(&above[b]));
        if (best->axis < 0 || cost < best->cost)
            *best = (struct cut){axis, b, cost};
    }
}

/* Reorders the lights, of which those that go first keep their order as the others do; returns how many go first. */
static uint32_t divide(struct build *build, uint32_t begin, uint32_t count, uint32_t most)
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
            search_axis(leaves, count, most, a, &middles, longest, &best);
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

static void set_node(lb_light_node *node, const struct lb_light_bounds *bounds, uint32_t child)
{
    double square = 0.0, middle[3];
    for (int a = 0; a < 3; a++) {
        double low = (double)bounds->box.lower[a], high = (double)bounds->box.upper[a];
        middle[a] = 0.5 * (low + high);
        square += 0.25 * (high - low) * (high - low);
    }
    node->center = lb_vec3_make((float)middle[0], (float)middle[1], (float)middle[2]);
    node->square = (float)(square * 1.0001);
    node->axis = bounds->axis;
    node->intensity = (float)(bounds->intensity < 1e30 ? bounds->intensity : 1e30);
    lb_sincos(bounds->normals, &node->sin_normals, &node->cos_normals);
    if (bounds->normals >= LB_PI)
        node->cos_normals = -1.0f;
    node->cos_emission = bounds->cos_emission;
    node->child = child | (bounds->twosided ? LB_LIGHT_NODE_TWOSIDED : 0u);
}

/* Builds the node of this number, of the lights [begin, begin + count), and what is below it; `trail` is the way down
 * to it, of `depth` steps. Returns its bounds. */
static struct lb_light_bounds build_node(struct build *build, uint32_t node, uint32_t begin, uint32_t count,
                                         uint32_t trail, uint32_t depth)
{
    if (count == 1) {
        const struct leaf *leaf = build->leaves + begin;
        set_node(&build->nodes[node], &leaf->bounds, leaf->light | LB_LIGHT_NODE_LEAF);
        build->trails[leaf->light] = trail;
        return leaf->bounds;
    }
    /* Halves of all that is left must fit into the steps that are left. */
    uint32_t most = 1u << (LB_LIGHT_TREE_DEPTH - depth - 1);
    uint32_t first = divide(build, begin, count, most), child = build->node_count;
    build->node_count += 2;
    struct lb_light_bounds bounds = build_node(build, child, begin, first, trail, depth + 1);
    struct lb_light_bounds other =
        build_node(build, child + 1, begin + first, count - first, trail | 1u << depth, depth + 1);
    lb_light_bounds_add(&bounds, &other);
    set_node(&build->nodes[node], &bounds, child);
    return bounds;
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
        build.nodes = lb_vector_add(&builder->arrays.light_nodes, 2 * (size_t)held - 1);
        build.node_count = 1;
        memory = build.nodes != NULL;
        if (memory)
            build_node(&build, 0, 0, held, 0, 0);
    }
    lb_vector_free(&leaves);
    lb_vector_free(&aside);
    return memory ? LB_OK : lb_build_no_memory(builder);
}
