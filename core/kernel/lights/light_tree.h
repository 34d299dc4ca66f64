/* Chooses among many lights by where they are seen from: a tree whose nodes bound their lights' places, directions and
 * intensities (Conty Estevez, Kulla 2018, "Importance Sampling of Many Lights with Adaptive Tree Splitting"). A choice
 * goes down from the root, at each node to one of eight children by what these could bring at most. Lights at infinity
 * and distant ones stand beside the tree. Scenes of few lights have no tree: core/kernel/lights/light.h chooses there
 * by power. */
#ifndef LB_CORE_KERNEL_LIGHTS_LIGHT_TREE_H
#define LB_CORE_KERNEL_LIGHTS_LIGHT_TREE_H

#include "core/kernel/lights/light.h"

/* Where light is gathered. */
typedef struct lb_light_place {
    lb_vec3 point;
    lb_vec3 normal; /* of unit length; any where `sides` is LB_LIGHT_ALL_ROUND */
    uint32_t sides; /* enum lb_light_sides */
} lb_light_place;

/* The sine that belongs to a cosine of an angle from 0 to pi. */
LB_INLINE float lb_sine_of(float cosine)
{
    return lb_sqrt(lb_max(0.0f, 1.0f - cosine * cosine));
}

/* The cosine of an angle that is `b` less than `a`, or 1 where that is below 0. Both are from 0 to pi. */
LB_INLINE float lb_cosine_less(float cos_a, float cos_b, float sin_b)
{
    float less = cos_a * cos_b + lb_sine_of(cos_a) * sin_b;
    return cos_a >= cos_b ? 1.0f : less;
}

/* Cosines that are rounded may be this much too small: nothing is given up that lies so close to a bound. */
#define LB_LIGHT_SLACK 1e-4f

/* What the lights of each child could bring at most to the place, up to a factor that is the same for all nodes (0:
 * nothing at all), and in `until` the sums of these up to each child, with its own. Returns the sum of all. There is no
 * branch in the loop, so that it becomes vector instructions. */
LB_FUNCTION float lb_light_importances(const lb_light_node *node, const lb_light_place *place,
                                       float importance[8], float until[8])
{
    uint32_t kept = place->sides == LB_LIGHT_ONE_SIDE ? 0xffffffffu : 0x7fffffffu, i;
    float flat = place->sides == LB_LIGHT_ALL_ROUND ? 1.0f : 0.0f, sum = 0.0f;
    lb_vec3 p = place->point, n = place->normal;
    for (i = 0; i < 8; i++) {
        float x = node->center[0][i] - p.x, y = node->center[1][i] - p.y, z = node->center[2][i] - p.z;
        float square = x * x + y * y + z * z, own = node->square[i];
        /* Within the sphere around the lights they may be anywhere. */
        bool far = square > own;
        float inverse = 1.0f / lb_max(far ? square : own, 1e-30f), scale = lb_sqrt(inverse);
        /* The sphere is seen within this angle. */
        float wide = lb_min(own * inverse, 1.0f), sin_wide = lb_sqrt(wide), cos_wide = lb_sqrt(1.0f - wide);
        float cosine = -(x * node->axis[0][i] + y * node->axis[1][i] + z * node->axis[2][i]) * scale;
        cosine = lb_bits_float(lb_float_bits(cosine) & node->sides[i]);
        float off = lb_cosine_less(cosine, node->cos_normals[i], node->sin_normals[i]);
        float leaving = lb_cosine_less(off, cos_wide, sin_wide);
        float at = lb_bits_float(lb_float_bits((x * n.x + y * n.y + z * n.z) * scale) & kept);
        at = lb_max(lb_cosine_less(at, cos_wide, sin_wide), flat);
        float factor = lb_max(leaving, LB_LIGHT_SLACK) * lb_max(at, LB_LIGHT_SLACK);
        factor = leaving < node->cos_emission[i] - LB_LIGHT_SLACK ? 0.0f : factor;
        factor = at < -LB_LIGHT_SLACK ? 0.0f : factor;
        importance[i] = lb_min(node->intensity[i] * inverse * (far ? factor : 1.0f), 1e30f);
    }
    for (i = 0; i < 8; i++)
        until[i] = sum += importance[i];
    return sum;
}

/* Goes down from the root to a light, by u->x in [0, 1), of which it leaves what it leaves open. LB_NONE: none brings
 * anything. */
LB_FUNCTION uint32_t lb_light_descend(const lb_scene *scene, const lb_light_place *place, lb_vec2 *u,
                                      float *probability)
{
    const lb_light_node *nodes = LB_ARRAY(scene, light_nodes, lb_light_node);
    uint32_t child = 0;
    float chance = 1.0f, since = 1.0f;
    *probability = 0.0f;
    while ((child & LB_LIGHT_NODE_LEAF) == 0) {
        float importance[8], until[8];
        float sum = lb_light_importances(&nodes[child], place, importance, until);
        uint32_t taken = 0, i;
        if (!(sum > 0.0f))
            return LB_NONE;
        if (since < LB_LIGHT_FRESH) {
            lb_light_refresh(u);
            since = 1.0f;
        }
        /* As u is less than 1, `at` is less than the sum even when rounded, and some child ends beyond it. Of sums that
         * are denormal that is not sure: then a child that brings nothing may be taken, with the probability 0. */
        float at = u->x * sum;
        for (i = 0; i < 7; i++)
            taken += at >= until[i];
        float below = taken > 0 ? until[taken - 1] : 0.0f;
        u->x = lb_clamp((at - below) / importance[taken], 0.0f, LB_BELOW_ONE);
        float part = importance[taken] / sum;
        chance *= part;
        since *= part;
        child = nodes[child].child[taken];
    }
    if (since < LB_LIGHT_FRESH)
        lb_light_refresh(u);
    *probability = chance;
    return child & ~LB_LIGHT_NODE_LEAF;
}

/* The probability with which lb_light_descend comes to a light that the tree holds, by the way down to it. */
LB_FUNCTION float lb_light_descent(const lb_scene *scene, const lb_light_place *place, uint32_t trail)
{
    const lb_light_node *nodes = LB_ARRAY(scene, light_nodes, lb_light_node);
    uint32_t child = 0;
    float chance = 1.0f;
    while ((child & LB_LIGHT_NODE_LEAF) == 0) {
        float importance[8], until[8];
        float sum = lb_light_importances(&nodes[child], place, importance, until);
        if (!(sum > 0.0f))
            return 0.0f;
        chance *= importance[trail & 7u] / sum;
        child = nodes[child].child[trail & 7u];
        trail >>= 3;
    }
    return chance;
}

/* What lb_light_pick does, where the scene has a tree. */
LB_FUNCTION uint32_t lb_light_pick_by_tree(const lb_scene *scene, const lb_light_place *place, lb_vec2 *u,
                                           float *probability)
{
    const lb_light_beside *beside = LB_ARRAY(scene, lights_beside, lb_light_beside);
    uint32_t i = 0, last = (uint32_t)scene->lights_beside.count - 1;
    while (i < last && !(u->x < beside[i].until))
        i++;
    *probability = beside[i].probability;
    float below = i > 0 ? beside[i - 1].until : 0.0f, chance;
    u->x = lb_clamp((u->x - below) / *probability, 0.0f, LB_BELOW_ONE);
    if (i < last)
        return beside[i].light;
    uint32_t light = lb_light_descend(scene, place, u, &chance);
    *probability *= chance;
    return light;
}

/* Chooses a light by u->x in [0, 1), and tells with what probability. LB_NONE: there is none, or none that brings
 * anything to the place. By what *u becomes a point on the light may be drawn. */
LB_INLINE uint32_t lb_light_pick(const lb_scene *scene, const lb_light_place *place, lb_vec2 *u,
                                 float *probability)
{
    if (scene->light_nodes.count != 0)
        return lb_light_pick_by_tree(scene, place, u, probability);
    return lb_light_choose(scene, u, probability);
}

/* The probability with which lb_light_pick chooses this light, where the scene has a tree. */
LB_FUNCTION float lb_light_chance_by_tree(const lb_scene *scene, const lb_light_place *place, uint32_t light)
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
