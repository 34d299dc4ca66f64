/* Whether a few lights stand so far apart that what one lights the other does not: then they are chosen by the tree,
 * else by the table. */
#include "core/scene/lights/lights.h"

#include "core/kernel/lights/light_tree.h"

/* How often along each axis the scene's box is looked at; by how much the table must be the worse there. The tree costs
 * coffee 7 % of its instructions, and noise comes of other things than the choice too (bench/results/quality.md). */
enum { PLACES = 6 };
#define WORSE_BY 1.3

/* What the table brings at a place, over what the tree does: the mean square of a light sample, sum of light^2 over
 * probability, over the square of the light. 0: no light arrives. */
static double worse_at(const struct lb_builder *builder, const lb_light_place *place)
{
    const lb_light_node *root = builder->arrays.light_nodes.data;
    const lb_alias *choice = builder->arrays.light_choice.data;
    float importance[8], until[8];
    double light = (double)lb_light_importances(root, place, importance, until), all = 0.0, square = 0.0;
    for (int i = 0; i < 8; i++) {
        if (!(root->intensity[i] > 0.0f))
            continue;
        double chance = (double)choice[root->child[i] & ~LB_LIGHT_NODE_LEAF].probability;
        all += chance;
        square += (double)importance[i] * (double)importance[i] / (chance > 0.0 ? chance : 1.0);
    }
    return light > 0.0 ? square * all / (light * light) : 0.0;
}

static float middle(const lb_box *box, int axis, int place)
{
    return lb_mix(((float)place + 0.5f) / (float)PLACES, box->lower[axis], box->upper[axis]);
}

bool lb_build_lights_stand_apart(const struct lb_builder *builder)
{
    const lb_box *box = &builder->head.bounds;
    double lit = 0.0, worse = 0.0;
    for (int i = 0; i < 6 * PLACES * PLACES * PLACES; i++) {
        int number = i / 6, axis = i % 3;
        float side = i % 6 < 3 ? 1.0f : -1.0f;
        lb_light_place place = {.sides = LB_LIGHT_ONE_SIDE};
        place.point = lb_vec3_make(middle(box, 0, number % PLACES), middle(box, 1, number / PLACES % PLACES),
                                   middle(box, 2, number / PLACES / PLACES));
        place.normal =
            lb_vec3_make(axis == 0 ? side : 0.0f, axis == 1 ? side : 0.0f, axis == 2 ? side : 0.0f);
        double own = worse_at(builder, &place);
        lit += own > 0.0;
        worse += own;
    }
    return lb_is_finite((float)worse) && worse > WORSE_BY * lit;
}
