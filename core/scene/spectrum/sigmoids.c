#include "core/scene/spectrum/sigmoids.h"

#include "core/base/color_space.h"
#include "core/kernel/math.h"
#include "core/kernel/scene/spectral.h"
#include "core/scene/spectrum/uplift.h"

/* The search for all colours of one ratio begins at this height, with no neighbour to start from. */
enum { MIDDLE = LB_SIGMOID_HEIGHTS / 2 };

/* All colours whose components are in one ratio. */
struct sigmoid_column {
    const struct lb_uplifter *uplifter;
    lb_rgb ratio;   /* the largest component is 1 */
    lb_vec3 *table; /* of the lowest height */
};

static float height_of(int row)
{
    return lb_sigmoid_height_at((float)row / (float)(LB_SIGMOID_HEIGHTS - 1));
}

static void put(const struct sigmoid_column *column, int row, const struct lb_sigmoid *sigmoid)
{
    column->table[row * LB_SIGMOID_SIDES * LB_SIGMOID_SIDES] =
        lb_vec3_make((float)sigmoid->c[0], (float)sigmoid->c[1], (float)sigmoid->c[2]);
}

/* Each search begins at what the one before has found. */
static void fill(const struct sigmoid_column *column)
{
    struct lb_sigmoid middle, sigmoid;
    lb_uplift(column->uplifter, lb_rgb_scale(column->ratio, height_of(MIDDLE)), &middle);
    put(column, MIDDLE, &middle);
    sigmoid = middle;
    for (int row = MIDDLE + 1; row < LB_SIGMOID_HEIGHTS; row++) {
        lb_uplift_from(column->uplifter, lb_rgb_scale(column->ratio, height_of(row)), &sigmoid);
        put(column, row, &sigmoid);
    }
    sigmoid = middle;
    for (int row = MIDDLE - 1; row >= 0; row--) {
        /* Dark reflectances are as the squares of their coefficients' inverses. */
        float height = height_of(row), above = height_of(row + 1);
        double larger = height > 0.0f && above < 0.2f ? lb_sqrt_d((double)above / (double)height) : 1.0;
        for (int k = 0; k < 3; k++)
            sigmoid.c[k] *= larger;
        lb_uplift_from(column->uplifter, lb_rgb_scale(column->ratio, height), &sigmoid);
        put(column, row, &sigmoid);
    }
}

void lb_sigmoids_make(lb_vec3 *table)
{
    const int area = LB_SIGMOID_SIDES * LB_SIGMOID_SIDES;
    const float last = (float)(LB_SIGMOID_SIDES - 1);
    struct lb_uplifter uplifter;
    struct sigmoid_column column = {.uplifter = &uplifter};
    lb_uplifter_make(LB_COLOR_SRGB, &uplifter);
    for (int most = 0; most < 3; most++)
        for (int i = 0; i < area; i++) {
            float x = (float)(i % LB_SIGMOID_SIDES) / last, y = (float)(i / LB_SIGMOID_SIDES) / last, c[3];
            c[most] = 1.0f;
            c[(most + 1) % 3] = x * x;
            c[(most + 2) % 3] = y * y;
            column.ratio = lb_rgb_make(c[0], c[1], c[2]);
            column.table = table + most * LB_SIGMOID_HEIGHTS * area + i;
            fill(&column);
        }
}
