/* Chooses among many lights by where they are seen from: a tree whose nodes bound their lights' places, directions and
 * intensities (Conty Estevez, Kulla 2018, "Importance Sampling of Many Lights with Adaptive Tree Splitting"). A choice
 * goes down from the root, at each node to one of two children by what these could bring at most. Lights at infinity
 * and distant ones stand beside the tree. Scenes of few lights have no tree: core/kernel/lights/light.h chooses there
 * by power. */
#ifndef LB_CORE_KERNEL_LIGHTS_LIGHT_TREE_H
#define LB_CORE_KERNEL_LIGHTS_LIGHT_TREE_H

#include "core/kernel/lights/light.h"
#include "core/kernel/sampler.h"

/* Where light is gathered. */
typedef struct lb_light_place {
    lb_vec3 point;
    lb_vec3 normal; /* of unit length; any where `sides` is LB_LIGHT_ALL_ROUND */
    uint32_t sides; /* enum lb_light_sides */
} lb_light_place;

/* The cosine of an angle that is `b` less than `a`, or 1 where that is below 0. Both are from 0 to pi. */
LB_INLINE float lb_cosine_less(float cos_a, float sin_a, float cos_b, float sin_b)
{
    return cos_a > cos_b ? 1.0f : cos_a * cos_b + sin_a * sin_b;
}

/* The sine that belongs to a cosine of an angle from 0 to pi. */
LB_INLINE float lb_sine_of(float cosine)
{
    return lb_sqrt(lb_max(0.0f, 1.0f - cosine * cosine));
}

/* Cosines that are rounded may be this much too small: nothing is given up that lies so close to a bound. */
#define LB_LIGHT_SLACK 1e-4f

/* What the lights of a node could bring at most at the place, up to a factor that is the same for all nodes; 0: nothing
 * at all. */
LB_FUNCTION float lb_light_importance(const lb_light_node *node, const lb_light_place *place)
{
    lb_vec3 way = lb_sub(node->center, place->point);
    float square = lb_dot(way, way);
    if (!(square > node->square)) /* within the sphere around the node, whose lights may be anywhere */
        return node->intensity / lb_max(node->square, 1e-30f);
    lb_vec3 w = lb_scale(way, 1.0f / lb_sqrt(square));
    /* The sphere is seen within this angle. */
    float wide2 = node->square / square, sin_wide = lb_sqrt(wide2), cos_wide = lb_sqrt(1.0f - wide2);
    float cosine = -lb_dot(node->axis, w);
    if ((node->child & LB_LIGHT_NODE_TWOSIDED) != 0)
        cosine = lb_abs(cosine);
    float cos_off = 1.0f, sin_off = 0.0f; /* the angle to the nearest of the cone of normals */
    if (cosine < node->cos_normals) {
        float sine = lb_sine_of(cosine);
        cos_off = cosine * node->cos_normals + sine * node->sin_normals;
        sin_off = lb_sine_of(cos_off);
    }
    float leaving = lb_cosine_less(cos_off, sin_off, cos_wide, sin_wide);
    if (leaving < node->cos_emission - LB_LIGHT_SLACK)
        return 0.0f;
    float importance = node->intensity * lb_max(leaving, LB_LIGHT_SLACK) / square;
    if (place->sides != LB_LIGHT_ALL_ROUND) {
        float at = lb_dot(place->normal, w);
        if (place->sides == LB_LIGHT_BOTH_SIDES)
            at = lb_abs(at);
        at = lb_cosine_less(at, lb_sine_of(at), cos_wide, sin_wide);
        if (at < -LB_LIGHT_SLACK)
            return 0.0f;
        importance *= lb_max(at, LB_LIGHT_SLACK);
    }
    return importance;
}

/* The probability of going to the first of a node's two children. Below 0: neither brings anything. */
LB_INLINE float lb_light_first(const lb_light_node *children, const lb_light_place *place)
{
    float a = lb_light_importance(&children[0], place), b = lb_light_importance(&children[1], place);
    float sum = a + b;
    if (!(sum > 0.0f))
        return -1.0f;
    return lb_is_finite(sum) ? a / sum : 0.5f;
}

/* A choice that is less probable than this goes on with a fresh random number, as few bits are left in the first. */
#define LB_LIGHT_FRESH 0x1p-8f

/* Goes down from the root to a light, by u in [0, 1). LB_NONE: none brings anything. */
LB_FUNCTION uint32_t lb_light_descend(const lb_scene *scene, const lb_light_place *place, uint64_t seed,
                                      float u, float *probability)
{
    const lb_light_node *nodes = LB_ARRAY(scene, light_nodes, lb_light_node);
    uint32_t child = nodes[0].child;
    float chance = 1.0f, since = 1.0f;
    *probability = 0.0f;
    while ((child & LB_LIGHT_NODE_LEAF) == 0) {
        const lb_light_node *children = nodes + (child & LB_LIGHT_NODE_NUMBER);
        float first = lb_light_first(children, place);
        if (first < 0.0f)
            return LB_NONE;
        if (since < LB_LIGHT_FRESH) {
            seed = lb_hash_u64(seed + 0x9e3779b97f4a7c15u);
            u = lb_unit_float((uint32_t)(seed >> 32));
            since = 1.0f;
        }
        bool second = !(u < first);
        float taken = second ? 1.0f - first : first;
        u = lb_clamp((second ? u - first : u) / taken, 0.0f, 0x1.fffffep-1f);
        chance *= taken;
        since *= taken;
        child = children[second].child;
    }
    *probability = chance;
    return child & LB_LIGHT_NODE_NUMBER;
}

/* The probability with which lb_light_descend comes to a light that the tree holds, by the way down to it. */
LB_FUNCTION float lb_light_descent(const lb_scene *scene, const lb_light_place *place, uint32_t trail)
{
    const lb_light_node *nodes = LB_ARRAY(scene, light_nodes, lb_light_node);
    uint32_t child = nodes[0].child;
    float chance = 1.0f;
    while ((child & LB_LIGHT_NODE_LEAF) == 0) {
        const lb_light_node *children = nodes + (child & LB_LIGHT_NODE_NUMBER);
        float first = lb_light_first(children, place);
        uint32_t second = trail & 1u;
        if (first < 0.0f)
            return 0.0f;
        chance *= second ? 1.0f - first : first;
        child = children[second].child;
        trail >>= 1;
    }
    return chance;
}

/* What lb_light_pick does, where the scene has a tree. */
LB_SELDOM uint32_t lb_light_pick_by_tree(const lb_scene *scene, const lb_light_place *place,
                                         lb_sampler *sampler, float *probability)
{
    uint64_t seed = lb_hash_combine(sampler->key + sampler->dimension, sampler->sample);
    float u = lb_sampler_1d(sampler);
    const lb_light_beside *beside = LB_ARRAY(scene, lights_beside, lb_light_beside);
    uint32_t i = 0, last = (uint32_t)scene->lights_beside.count - 1;
    while (i < last && !(u < beside[i].until))
        i++;
    *probability = beside[i].probability;
    if (i < last)
        return beside[i].light;
    float below = last > 0 ? beside[last - 1].until : 0.0f, chance;
    u = lb_clamp((u - below) / *probability, 0.0f, 0x1.fffffep-1f);
    uint32_t light = lb_light_descend(scene, place, seed, u, &chance);
    *probability *= chance;
    return light;
}

/* Chooses a light by the sampler's next dimension, and tells with what probability. LB_NONE: there is none, or none
 * that brings anything to the place. */
LB_INLINE uint32_t lb_light_pick(const lb_scene *scene, const lb_light_place *place, lb_sampler *sampler,
                                 float *probability)
{
    if (scene->light_nodes.count == 0)
        return lb_light_choose(scene, lb_sampler_1d(sampler), probability);
    return lb_light_pick_by_tree(scene, place, sampler, probability);
}

/* The probability with which lb_light_pick chooses this light, where the scene has a tree. */
LB_SELDOM float lb_light_chance_by_tree(const lb_scene *scene, const lb_light_place *place, uint32_t light)
{
    const lb_light_beside *beside = LB_ARRAY(scene, lights_beside, lb_light_beside);
    uint32_t trail = LB_ARRAY(scene, light_trails, uint32_t)[light];
    if (trail == LB_NONE)
        return 0.0f;
    if (lb_light_traits(LB_ARRAY(scene, lights, lb_light)[light].kind) & LB_LIGHT_BOUNDLESS)
        return beside[trail].probability;
    return beside[scene->lights_beside.count - 1].probability * lb_light_descent(scene, place, trail);
}

/* The probability with which lb_light_pick chooses this light. */
LB_INLINE float lb_light_chance(const lb_scene *scene, const lb_light_place *place, uint32_t light)
{
    if (scene->light_nodes.count == 0)
        return lb_light_probability(scene, light);
    return lb_light_chance_by_tree(scene, place, light);
}

#endif
