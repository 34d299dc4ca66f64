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

/* An angle from 0 to pi. */
typedef struct lb_light_angle {
    float cosine, sine;
} lb_light_angle;

/* The angle that is `b` less than `a`, or 0 where that is below 0. */
LB_INLINE lb_light_angle lb_light_angle_less(lb_light_angle a, lb_light_angle b)
{
    bool within = a.cosine >= b.cosine;
    float cosine = a.cosine * b.cosine + a.sine * b.sine, sine = a.sine * b.cosine - a.cosine * b.sine;
    lb_light_angle less;
    less.cosine = within ? 1.0f : cosine;
    less.sine = within ? 0.0f : lb_max(sine, 0.0f);
    return less;
}

/* Cosines that are rounded may be this much too small: nothing is given up that lies so close to a bound. */
#define LB_LIGHT_SLACK 1e-4f

/* Sums up eight numbers from the first to each, with it, in an order in which few wait for each other. As no number is
 * negative, no sum is less than the one before, and it is the same where 0 was added. Returns the sum of all. */
LB_INLINE float lb_light_sums(const float a[8], float until[8])
{
    float pair = a[2] + a[3], next = a[4] + a[5], last = a[6] + a[7];
    until[0] = a[0];
    until[1] = a[0] + a[1];
    until[2] = until[1] + a[2];
    until[3] = until[1] + pair;
    until[4] = until[3] + a[4];
    until[5] = until[3] + next;
    until[6] = until[5] + a[6];
    until[7] = until[5] + last;
    return until[7];
}

/* What the lights of each child could bring at most to the place, up to a factor that is the same for all nodes (0:
 * nothing at all), and in `until` the sums of these up to each child, with its own. Returns the sum of all. There is no
 * branch in the loop, so that it becomes vector instructions. */
LB_FUNCTION float lb_light_importances(const lb_light_node *node, const lb_light_place *place,
                                       float importance[8], float until[8])
{
    uint32_t kept = place->sides == LB_LIGHT_ONE_SIDE ? 0xffffffffu : 0x7fffffffu, i;
    float flat = place->sides == LB_LIGHT_ALL_ROUND ? 1.0f : 0.0f;
    lb_vec3 p = place->point, n = place->normal;
    for (i = 0; i < 8; i++) {
        float x = node->center[0][i] - p.x, y = node->center[1][i] - p.y, z = node->center[2][i] - p.z;
        float square = x * x + y * y + z * z, radius = node->radius[i], own = radius * radius;
        /* Within the sphere around the lights they may be anywhere. */
        bool far = square > own;
        float inverse = 1.0f / lb_max(far ? square : own, 1e-30f), scale = lb_sqrt(inverse);
        lb_light_angle wide, normal, normals, at; /* `wide`: the sphere is seen within this angle */
        wide.sine = lb_min(radius * scale, 1.0f);
        wide.cosine = lb_sine_of(wide.sine);
        float cosine = (x * node->against[0][i] + y * node->against[1][i] + z * node->against[2][i]) * scale;
        normal.cosine = lb_bits_float(lb_float_bits(cosine) & node->sides[i]);
        normal.sine = lb_sine_of(normal.cosine);
        normals.cosine = node->cos_normals[i];
        normals.sine = node->sin_normals[i];
        float leaving = lb_light_angle_less(lb_light_angle_less(normal, normals), wide).cosine;
        at.cosine = lb_bits_float(lb_float_bits((x * n.x + y * n.y + z * n.z) * scale) & kept);
        at.sine = lb_sine_of(at.cosine);
        float arriving = lb_max(lb_light_angle_less(at, wide).cosine, flat);
        float factor = lb_max(leaving, LB_LIGHT_SLACK) * lb_max(arriving, LB_LIGHT_SLACK);
        factor = leaving < node->cos_emission[i] - LB_LIGHT_SLACK ? 0.0f : factor;
        factor = arriving < -LB_LIGHT_SLACK ? 0.0f : factor;
        importance[i] = lb_min(node->intensity[i] * inverse * (far ? factor : 1.0f), 1e30f);
    }
    return lb_light_sums(importance, until);
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
