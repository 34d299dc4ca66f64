/* How lights are chosen: by a table of probabilities, or where there are many by a tree. Also what depends on the
 * scene's extent. */
#include "core/scene/builder/messages.h"
#include "core/scene/lights/lights.h"

#include <string.h>

/* From the world's box; a scene without shapes gets a small one. */
static void build_bounds(struct lb_builder *builder)
{
    const lb_geometry *world = builder->arrays.geometries.data;
    lb_scene *head = &builder->head;
    head->radius = 1.0f;
    head->center = lb_vec3_make(0.0f, 0.0f, 0.0f);
    if (builder->arrays.geometries.count == 0 || world->root == LB_NONE)
        return;
    head->bounds = world->box;
    const float *a = world->box.lower, *b = world->box.upper;
    head->center =
        lb_vec3_make(0.5f * a[0] + 0.5f * b[0], 0.5f * a[1] + 0.5f * b[1], 0.5f * a[2] + 0.5f * b[2]);
    double x = (double)b[0] - (double)head->center.x, y = (double)b[1] - (double)head->center.y;
    double z = (double)b[2] - (double)head->center.z;
    float radius = (float)lb_sqrt_d(x * x + y * y + z * z);
    head->radius = radius > 0.0f && lb_is_finite(radius) ? radius : 1.0f;
}

/* Where lights at infinity shine from. */
static void build_light_distance(struct lb_builder *builder)
{
    lb_scene *head = &builder->head;
    bool media = head->integrator.media && builder->arrays.media.count > 0;
    head->light_distance = media ? 2.0f * head->radius : LB_INFINITY;
}

static bool is_drawn(const lb_light *light)
{
    return !(lb_light_traits(light->kind) & LB_LIGHT_UNDRAWN);
}

/* A sky whose density has this mean square counts half. That of skies without a sun is 4 to 6, with one thousands. */
#define HALF_COUNTED 64.0

/* How much of the light counts where one is to be chosen: all, but of the image of a sky the less the more even it is.
 * Rays that scatter find such a sky as well as light sampling does, and other lights less well or, as a distant sun,
 * never. How even it is, the mean square of the density tells by which it is drawn: that is 1 where all are alike. */
static double counted_part(const struct lb_builder *builder, const lb_light *light)
{
    if (!is_drawn(light) || light->kind != LB_LIGHT_INFINITE_IMAGE)
        return is_drawn(light) ? 1.0 : 0.0;
    const float *density = (const float *)builder->arrays.tables.data + light->density.offset;
    double sum = 0.0;
    for (size_t i = 0; i < (size_t)light->density.count; i++)
        sum += (double)density[i] * (double)density[i];
    return sum / (sum + HALF_COUNTED * (double)light->density.count);
}

/* The light's power where it can be chosen and counted, else 0. */
static double counted_power(const lb_light *light)
{
    bool counted = is_drawn(light) && light->power > 0.0f && lb_is_finite(light->power);
    return counted ? (double)light->power : 0.0;
}

/* The lights from `begin` that belong to one shape, or the one light: the number of the first behind them. */
static size_t group_end(const lb_light *lights, size_t begin, size_t count)
{
    size_t end = begin + 1;
    while (end < count && lights[begin].kind == LB_LIGHT_AREA && lights[end].kind == LB_LIGHT_AREA &&
           lights[end].primitive.shape == lights[begin].primitive.shape)
        end++;
    return end;
}

/* All lights that shine alike. */
static bool build_uniform(const lb_light *lights, double *chances, size_t count)
{
    size_t drawn = 0;
    for (size_t i = 0; i < count; i++)
        drawn += is_drawn(&lights[i]);
    for (size_t i = 0; i < count; i++)
        chances[i] = is_drawn(&lights[i]) ? 1.0 / (double)drawn : 0.0;
    return drawn > 0;
}

/* The probability of each light. Half of all probability is shared out by power, the other half evenly among shapes and
 * other lights, since beside a powerful sun a lamp that lights most of what is seen would hardly ever be chosen. Of
 * both halves a light gets its counted_part. Every light that shines can be chosen, however weak it is. False: none
 * shines. */
static bool build_chances(const struct lb_builder *builder, double *chances, size_t count)
{
    const lb_light *lights = builder->arrays.lights.data;
    double all = 0.0, groups = 0.0, sum = 0.0;
    if (builder->light_sampler == LB_LIGHT_SAMPLER_UNIFORM)
        return build_uniform(lights, chances, count);
    for (size_t begin = 0, end; begin < count; begin = end) {
        end = group_end(lights, begin, count);
        chances[begin] = counted_part(builder, &lights[begin]); /* until it is the chance */
        groups += chances[begin];
        for (size_t i = begin; i < end; i++)
            all += chances[begin] * counted_power(&lights[i]);
    }
    for (size_t begin = 0, end; begin < count; begin = end) {
        double counted = chances[begin], own = 0.0;
        end = group_end(lights, begin, count);
        for (size_t i = begin; i < end; i++)
            own += counted_power(&lights[i]);
        for (size_t i = begin; i < end; i++) {
            double part = own > 0.0 ? counted_power(&lights[i]) / own : 0.0;
            double least = 1e-6 / (double)(end - begin);
            double even = counted > 0.0 ? 0.5 * (part + least) / groups : 0.0;
            chances[i] = counted * (0.5 * own / (all > 0.0 ? all : 1.0) * part + even);
            sum += chances[i];
        }
    }
    for (size_t i = 0; i < count; i++)
        chances[i] /= sum > 0.0 ? sum : 1.0;
    return groups > 0.0;
}

/* Vose's way to Walker's tables: each entry of less than its due is filled up from one with more. */
static void fill_alias(lb_alias *alias, double *chances, uint32_t *stack, size_t count)
{
    size_t small = 0, large = count;
    for (size_t i = 0; i < count; i++) {
        alias[i].probability = (float)chances[i];
        chances[i] *= (double)count;
        if (chances[i] < 1.0)
            stack[small++] = (uint32_t)i;
        else
            stack[--large] = (uint32_t)i;
    }
    while (small > 0 && large < count) {
        uint32_t i = stack[--small], from = stack[large];
        alias[i].threshold = (float)chances[i];
        alias[i].other = from;
        chances[from] -= 1.0 - chances[i];
        if (chances[from] < 1.0) {
            large++;
            stack[small++] = from;
        }
    }
    while (small > 0 || large < count) {
        uint32_t i = small > 0 ? stack[--small] : stack[large++];
        alias[i].threshold = chances[i] > 0.0 ? 1.0f : 0.0f;
        alias[i].other = i;
    }
}

/* What is left over by rounding must not go to a light of probability 0. */
static void close_gaps(lb_alias *alias, size_t count)
{
    uint32_t likely = 0;
    for (size_t i = 0; i < count; i++)
        if (alias[i].probability > alias[likely].probability)
            likely = (uint32_t)i;
    for (size_t i = 0; i < count; i++)
        if (alias[i].probability == 0.0f && alias[i].other == i) {
            alias[i].threshold = 0.0f;
            alias[i].other = likely;
        }
}

/* ---- the tree, and what stands beside it ---- */

/* So many lights always have a tree; fewer have one where they stand apart. */
enum { ALWAYS_OF_TREE = 8, FEWEST_OF_TREE = 2 };

/* Does the light stand beside the tree? */
static bool is_beside(const struct lb_builder *builder, size_t i)
{
    const lb_light *light = (const lb_light *)builder->arrays.lights.data + i;
    return is_drawn(light) && (lb_light_traits(light->kind) & LB_LIGHT_BOUNDLESS);
}

/* Half of all probability is shared out by power, the other half evenly among the tree and the lights beside it, which
 * count with their counted_part. */
static enum lb_status build_beside(struct lb_builder *builder)
{
    const lb_light *lights = builder->arrays.lights.data;
    uint32_t *trail = builder->arrays.light_trails.data;
    size_t lights_count = builder->arrays.lights.count;
    double held = 0.0, all = 0.0, sum = 0.0, parts = 1.0;
    uint32_t count = 0, number = 0;
    for (size_t i = 0; i < lights_count; i++) {
        bool apart = trail[i] == LB_NONE && is_beside(builder, i);
        double part = apart ? counted_part(builder, &lights[i]) : 1.0;
        all += part * counted_power(&lights[i]);
        held += trail[i] != LB_NONE ? counted_power(&lights[i]) : 0.0;
        parts += apart ? part : 0.0;
        count += apart;
    }
    lb_light_beside *beside = lb_vector_add(&builder->arrays.lights_beside, (size_t)count + 1);
    if (!beside)
        return lb_build_no_memory(builder);
    for (size_t i = 0; i <= lights_count; i++) {
        bool last = i == lights_count;
        if (!last && !is_beside(builder, i))
            continue;
        double part = last ? 1.0 : counted_part(builder, &lights[i]);
        double power = last ? held : part * counted_power(&lights[i]);
        double chance = (all > 0.0 ? 0.5 * power / all : 0.0) + (all > 0.0 ? 0.5 : 1.0) * part / parts;
        sum += chance;
        beside[number].light = last ? LB_NONE : (uint32_t)i;
        beside[number].probability = (float)chance;
        beside[number].until = last ? 1.0f : (float)sum;
        if (!last)
            trail[i] = number;
        number++;
    }
    return LB_OK;
}

/* How many lights the tree would hold. */
static size_t bounded_lights(const struct lb_builder *builder)
{
    const lb_light *lights = builder->arrays.lights.data;
    size_t held = 0;
    for (size_t i = 0; i < builder->arrays.lights.count; i++)
        held += !(lb_light_traits(lights[i].kind) & LB_LIGHT_BOUNDLESS);
    return held;
}

/* Are there enough lights for a tree, and does the scene want it? Trails have 30 bits. */
static bool may_have_tree(const struct lb_builder *builder, size_t held)
{
    return builder->light_sampler == LB_LIGHT_SAMPLER_BVH && held >= FEWEST_OF_TREE &&
           builder->arrays.lights.count < 1u << 29;
}

/* ---- the table ---- */

static enum lb_status build_table(struct lb_builder *builder)
{
    size_t count = builder->arrays.lights.count;
    struct lb_vector chances = {.element = sizeof(double)}, stack = {.element = sizeof(uint32_t)};
    double *chance = lb_vector_add(&chances, count);
    uint32_t *numbers = lb_vector_add(&stack, count);
    bool memory = chance && numbers;
    if (memory && build_chances(builder, chance, count)) {
        lb_alias *alias = lb_vector_add(&builder->arrays.light_choice, count);
        memory = alias != NULL;
        if (memory) {
            fill_alias(alias, chance, numbers, count);
            close_gaps(alias, count);
        }
    }
    lb_vector_free(&chances);
    lb_vector_free(&stack);
    return memory ? LB_OK : lb_build_no_memory(builder);
}

/* Builds the tree where that pays, else the table. */
static enum lb_status build_tree_or_table(struct lb_builder *builder)
{
    struct lb_scene_arrays *arrays = &builder->arrays;
    size_t held = bounded_lights(builder);
    bool few = held < ALWAYS_OF_TREE;
    enum lb_status status = LB_OK;
    if (!may_have_tree(builder, held))
        return build_table(builder);
    if ((few && (status = build_table(builder)) != LB_OK) || (status = lb_build_light_tree(builder)) != LB_OK)
        return status;
    if (few && !lb_build_lights_stand_apart(builder)) {
        arrays->light_nodes.count = arrays->light_trails.count = 0;
        return LB_OK;
    }
    arrays->light_choice.count = 0;
    return build_beside(builder);
}

enum lb_status lb_build_light_choice(struct lb_builder *builder)
{
    lb_light *lights = builder->arrays.lights.data;
    build_bounds(builder);
    build_light_distance(builder);
    for (size_t i = 0; i < builder->arrays.lights.count; i++) {
        lb_build_far_power(builder, &lights[i]);
        if (!(lb_light_traits(lights[i].kind) & LB_LIGHT_INFINITE))
            continue;
        uint32_t *infinite = lb_vector_add(&builder->arrays.infinite_lights, 1);
        if (!infinite)
            return lb_build_no_memory(builder);
        *infinite = (uint32_t)i;
    }
    return build_tree_or_table(builder);
}
