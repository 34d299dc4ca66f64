/* Chooses among many lights by where they are seen from: a tree whose nodes bound their lights' places, directions and
 * intensities (Conty Estevez, Kulla 2018, "Importance Sampling of Many Lights with Adaptive Tree Splitting"). A choice
 * goes down from the root, at each node to one of eight children by an estimate of what these bring; their bounds say
 * where that is nothing at all. Lights at infinity and distant ones stand beside the tree. Scenes of few lights have no
 * tree: core/kernel/lights/light.h chooses there by power. */
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

/* A cosine counts at least this part of the greatest that it can be. */
#define LB_LIGHT_BOUND 0.5f

/* What rounding may add to the square of a small sine. */
#define LB_LIGHT_SINE_SLACK 2e-4f

/* A child as it is seen from a place. */
typedef struct lb_light_seen {
    lb_vec3 way, half; /* to its center; of its box */
    float own;         /* the square of its radius */
    float scale;       /* one over its distance, or over the radius where that is more */
    bool far;          /* is the place outside of the sphere with that radius? */
} lb_light_seen;

LB_INLINE lb_light_seen lb_light_see(const lb_light_node *node, uint32_t i, lb_vec3 point)
{
    lb_light_seen seen;
    seen.way = lb_vec3_make(node->center[0][i] - point.x, node->center[1][i] - point.y,
                            node->center[2][i] - point.z);
    seen.half = lb_vec3_make(node->half[0][i], node->half[1][i], node->half[2][i]);
    float square = lb_dot(seen.way, seen.way);
    seen.own = lb_dot(seen.half, seen.half);
    seen.far = square > seen.own;
    seen.scale = lb_sqrt(1.0f / lb_max(seen.far ? square : seen.own, 1e-30f));
    return seen;
}

/* What counts of a cosine that is `middle` in the middle of the lights, and `most` where it is greatest. */
LB_INLINE float lb_light_cosine(float middle, float most)
{
    float counts = lb_max(lb_max(middle, LB_LIGHT_BOUND * most), LB_LIGHT_SLACK);
    return most < -LB_LIGHT_SLACK ? 0.0f : counts;
}

/* What part of a child's light leaves towards the place: by the cosine, or, where all of its lights send all round or
 * are spot lights, 1 where some may send something. */
LB_INLINE float lb_light_leaving(const lb_light_node *node, uint32_t i, const lb_light_seen *seen)
{
    lb_vec3 against = lb_vec3_make(node->against[0][i], node->against[1][i], node->against[2][i]);
    float cosine = lb_dot(seen->way, against) * seen->scale;
    lb_light_angle axis, cone;
    axis.cosine = lb_bits_float(lb_float_bits(cosine) & node->sides[i]);
    axis.sine = lb_sine_of(axis.cosine);
    cone.cosine = node->cos_normals[i];
    cone.sine = node->sin_normals[i];
    lb_light_angle normal = lb_light_angle_less(axis, cone);
    /* Within the sphere spot lights may be anywhere: no sine exceeds the limit. Behind all of them one does. Questions
     * that are joined by || keep the loop over children from becoming vectors. */
    float limit = seen->far ? seen->own * seen->scale * seen->scale + LB_LIGHT_SINE_SLACK : 9.0f;
    float sine = normal.cosine < 0.0f ? 2.0f : normal.sine;
    float within = cone.cosine < 1.0f ? 1.0f : normal.cosine, middle = seen->far ? normal.cosine : within;
    float by_cosine = lb_light_cosine(middle, middle + node->reach[i] * seen->scale);
    float all_round = sine * sine > limit ? 0.0f : 1.0f;
    return node->cos_emission[i] < 0.5f ? by_cosine : all_round;
}

/* One over the square of the distance at which a child counts. */
LB_INLINE float lb_light_nearness(const lb_light_node *node, uint32_t i, const lb_light_seen *seen)
{
    float box = node->box[i];
    lb_vec3 way = lb_vec3_make(lb_max(lb_abs(seen->way.x) - box * seen->half.x, 0.0f),
                               lb_max(lb_abs(seen->way.y) - box * seen->half.y, 0.0f),
                               lb_max(lb_abs(seen->way.z) - box * seen->half.z, 0.0f));
    return 1.0f / lb_max(lb_dot(way, way), node->nearest[i]);
}

/* About what the lights of each child bring to the place, up to a factor that is the same for all nodes (0: nothing at
 * all), and in `until` the sums of these up to each child, with its own. Returns the sum of all. There is no branch in
 * the loop, so that it becomes vector instructions. */
LB_FUNCTION float lb_light_importances(const lb_light_node *node, const lb_light_place *place,
                                       float importance[8], float until[8])
{
    uint32_t kept = place->sides == LB_LIGHT_ONE_SIDE ? 0xffffffffu : 0x7fffffffu, i;
    float flat = place->sides == LB_LIGHT_ALL_ROUND ? 1.0f : 0.0f;
    lb_vec3 p = place->point, n = place->normal, size = lb_vec3_make(lb_abs(n.x), lb_abs(n.y), lb_abs(n.z));
    for (i = 0; i < 8; i++) {
        lb_light_seen seen = lb_light_see(node, i, p);
        float middle = lb_bits_float(lb_float_bits(lb_dot(seen.way, n) * seen.scale) & kept);
        float arriving = lb_light_cosine(middle, middle + lb_dot(seen.half, size) * seen.scale);
        float factor = lb_light_leaving(node, i, &seen) * lb_max(arriving, flat);
        importance[i] = lb_min(node->intensity[i] * factor * lb_light_nearness(node, i, &seen), 1e30f);
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
